"""What a notebook shows of a solution; it never fails."""

import html
import re
import sys
from types import ModuleType

import numpy as np
import pytest
from tests.support.synthetic import turning

import dalembert as dl
from dalembert.simulation.results import html as module
from dalembert.simulation.results.html import sparkline
from dalembert.simulation.status import Status


@pytest.fixture
def player(monkeypatch):
    """A page that only says what it was asked for."""
    asked = []
    fake = ModuleType("dalembert.viewer.page")

    def page(solution, **options):
        asked.append(options)
        return '<!doctype html><p title="a">motion & more</p>'

    fake.page = page
    monkeypatch.setitem(sys.modules, "dalembert.viewer.page", fake)
    return asked


def test_the_report_is_a_table_and_the_player_a_frame(player):
    solution = turning()
    text = solution._repr_html_()
    assert '<div class="fine"><b>good</b></div>' in text
    for line in solution.summary().splitlines()[2:]:  # behind the title and the verdict
        label = line.strip().split("  ")[0]
        assert f"<td>{html.escape(label)}</td>" in text
    (source,) = re.findall(r'<iframe srcdoc="(.*?)"', text)
    assert html.unescape(source) == '<!doctype html><p title="a">motion & more</p>'
    assert text.count("<svg") == 3


def test_a_long_run_carries_no_more_frames_than_can_be_kept(player):
    turning(until=1000.0, samples=2001)._repr_html_()
    turning(until=1.0)._repr_html_()
    assert [options["fps"] for options in player] == [1.5, 60.0]


def test_the_real_page_is_embedded():
    solution = dl.simulate(dl.catalog.load("pendulum"), until=0.5, step=1e-2)
    text = solution._repr_html_()
    (source,) = re.findall(r'<iframe srcdoc="(.*?)"', text, re.DOTALL)
    assert html.unescape(source).startswith("<!doctype html>")


def test_without_a_player_the_rest_is_shown(monkeypatch):
    monkeypatch.setitem(sys.modules, "dalembert.viewer.page", None)
    text = turning()._repr_html_()
    assert "<iframe" not in text
    assert "The motion cannot be shown here" in text
    assert "Fidelity report" in text


def test_a_failed_run_says_why_first(player):
    text = turning(status=Status.NON_FINITE, message="x left the numbers")._repr_html_()
    assert '<div class="wrong"><b>failed</b><br>x left the numbers</div>' in text


def test_a_failing_part_leaves_the_line(monkeypatch):
    def broken(solution):
        raise RuntimeError

    monkeypatch.setattr(module, "of_solution", broken)
    assert turning()._repr_html_().startswith("<pre>Solution(")


def places(svg):
    (points,) = re.findall(r'points="([^"]*)"', svg)
    return np.array([[float(x) for x in pair.split(",")] for pair in points.split()])


def test_sparklines_rise_with_their_series():
    x, y = places(sparkline(np.linspace(0.0, 1.0, 50))).T
    assert (np.diff(x) > 0).all()
    assert (np.diff(y) < 0).all()  # upwards on the screen


def test_sparklines_show_peaks_of_drift_and_gaps_of_failed_runs():
    series = np.full(5000, 1e-16)
    series[2500] = 1e-3
    _, y = places(sparkline(series, log=True)).T
    assert y.min() < 5
    assert np.median(y) > 25
    half = np.linspace(0.0, 1.0, 100)
    half[50:] = np.nan
    assert len(places(sparkline(half))) == 50
    assert sparkline(np.full(5, np.nan)) == ""


def test_rounding_does_not_look_like_a_wave():
    energy = 1.0 + 1e-14 * np.sin(np.arange(100))
    _, y = places(sparkline(energy)).T
    assert np.ptp(y) < 1.0
