"""The log of located events: phases of contacts, the report, tables, files, figures, the page."""

import csv

import numpy as np
import pytest

import dalembert as dl
from dalembert.simulation.hybrid.log import Happening
from dalembert.simulation.results.phases import counts_of, phases_of
from dalembert.viewer.event_marks import happened


@pytest.fixture(scope="module")
def solution():
    """A pendulum on a string that flies and is caught."""
    return dl.simulate(dl.catalog.load("string-pendulum"), until=2.0)


def entry(t, kind, contact="a", point=0):
    return Happening(t, kind, contact, point=point)


def test_phases_follow_one_another_without_a_gap():
    log = [entry(0.0, "slip"), entry(1.0, "reverse"), entry(2.0, "stick"), entry(3.0, "open")]
    found = phases_of([*log, entry(4.0, "impact"), entry(4.0, "close", "b")], 0.0, 5.0)
    assert found["a"] == ((0.0, 2.0, "slip"), (2.0, 3.0, "stick"), (3.0, 5.0, "open"))
    assert found["b"] == ((0.0, 4.0, "open"), (4.0, 5.0, "closed"))


def test_a_contact_of_two_points_is_closed_as_long_as_one_of_them():
    log = [entry(0.0, "stick", point=1), entry(1.0, "slip", point=2), entry(2.0, "open", point=1)]
    found = phases_of([*log, entry(3.0, "open", point=2)], 0.0, 4.0)
    assert found["a"] == ((0.0, 2.0, "stick"), (2.0, 3.0, "slip"), (3.0, 4.0, "open"))


def test_phases_end_where_steps_begin():
    log = [entry(0.0, "stick"), Happening(1.0, "stepping", "too many")]
    assert phases_of(log, 0.0, 4.0) == {"a": ((0.0, 1.0, "stick"),)}
    assert counts_of(log) == {"stick": 1, "stepping": 1}


def test_report_says_what_was_located(solution):
    located = solution.report()["located"]
    assert located["counts"] == {"close": 2, "open": 1, "impact": 1}
    assert located["first"] == 0.0
    assert "2 close, 1 open, 1 impact; from 0 to 1.22099 s" in solution.summary()
    free = dl.simulate(dl.catalog.load("pendulum"), until=0.1, step=1e-2)
    assert free.report()["located"] is None
    assert free.phases == {}


def test_log_is_a_table_beside_the_series(solution, tmp_path):
    solution.export(tmp_path / "run.csv")
    with (tmp_path / "run-events.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["kind"] for row in rows] == [e.kind for e in solution.log]
    assert [float(row["t"]) for row in rows] == [e.t for e in solution.log]
    assert float(rows[2]["before"]) == solution.log[2].before


def test_log_is_kept_in_files(solution, tmp_path):
    solution.save(tmp_path / "run.npz")
    assert dl.Solution.load(tmp_path / "run.npz").log == solution.log
    kept = dl.simulate(dl.catalog.load("string-pendulum"), until=2.0, save=tmp_path / "folder")
    again = dl.Solution.load(tmp_path / "folder")
    assert again.log == kept.log == solution.log
    assert again.phases == solution.phases


def test_figure_has_a_bar_for_each_contact(solution):
    axes = dl.plot(solution, "events")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["string"]
    assert len(axes.patches) == 3
    free = dl.simulate(dl.catalog.load("pendulum"), until=0.1, step=1e-2)
    with pytest.raises(dl.errors.OptionError, match="no log of located events"):
        dl.plot(free, "events")


def test_page_carries_ticks_and_phases(solution):
    told = happened(solution)
    assert [t for t, _ in told["ticks"]] == sorted({e.t for e in solution.log})
    assert told["ticks"][-1][1] == ["impact: string, -4.88 to 0 m/s", "close: string"]
    (bar,) = told["phases"]
    assert [mode for *_, mode in bar["spans"]] == ["closed", "open", "closed"]
    assert told["left"] == told["hidden"] == 0


def test_flight_between_samples_is_the_parabola(solution):
    """Few samples are needed there: states between them follow from accelerations."""
    bob, (slack, taut) = solution.model.bodies["bob"], (solution.log[1].t, solution.log[2].t)
    t = np.linspace(slack + 1e-6, taut - 1e-6, 50)
    q, v = solution.at(np.array([slack + 1e-9]))
    names = list(solution.coordinate_names)
    for axis, pull in (("x", 0.0), ("z", -9.81)):
        k, s = names.index(f"bob.{axis}"), t - slack - 1e-9
        exact = q[0, k] + v[0, "xyz".index(axis)] * s + 0.5 * pull * s**2
        np.testing.assert_allclose(solution.sampled(getattr(bob, axis), t), exact, atol=1e-7)
