"""Comparisons of given solutions; models are run in the tests of whole runs."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.synthetic import SPEED, turning

import dalembert as dl
from dalembert.analysis.compare import compare
from dalembert.analysis.runs import merged_times, unique_names
from dalembert.analysis.table import below
from dalembert.enforcement import Baumgarte, Projection, UdwadiaKalaba
from dalembert.errors import OptionError
from dalembert.formulas.variables import coordinates
from dalembert.simulation.status import Status

x, y = coordinates("x y")


def exact(t):
    return [np.cos(SPEED * t), np.sin(SPEED * t)]


def shifted(by, **changes):
    s = turning()
    return turning(q=s.q + by, **changes)


def test_first_solution_is_the_reference():
    result = compare(turning(), shifted(1e-3, method=UdwadiaKalaba()))
    assert [row.method for row in result.rows] == ["Projection", "UdwadiaKalaba"]
    assert result.rows[0].error == 0
    assert result.rows[1].error == pytest.approx(1e-3)
    assert "Projection" in result.reference


@pytest.mark.parametrize("reference", [exact, lambda: None, "array"])
def test_references(reference):
    if reference == "array":
        reference = turning().q
    elif reference is not exact:
        reference = turning()
    result = compare(shifted(1e-4), reference=reference)
    assert result.rows[0].error == pytest.approx(1e-4)


def test_reference_solution_with_other_samples_is_interpolated():
    fine = turning(samples=601)
    coarse = turning(samples=37)
    assert compare(coarse, reference=fine).rows[0].error < 1e-12
    assert compare(coarse, reference=fine, signal=x * y).rows[0].error < 1e-12


def test_signal():
    result = compare(shifted(1e-3), reference=lambda t: np.cos(SPEED * t), signal=x)
    assert result.rows[0].error == pytest.approx(1e-3)


def test_table_has_failures_with_their_sentence():
    lost = turning(
        method=UdwadiaKalaba(), status=Status.NON_FINITE, message="Stopped at t = 2.9 s."
    )
    text = compare(turning(), lost).table()
    assert "UdwadiaKalaba: Stopped at t = 2.9 s." in text
    assert "us/step" in text
    assert len({len(line) for line in text.splitlines()[3:5]}) <= 2


def test_wrong_shapes_are_told_in_the_row():
    row = compare(turning(), reference=lambda t: 1.0).rows[0]
    assert row.error is None
    assert "shape" in row.status


def test_short_reference_is_told():
    row = compare(turning(), reference=turning(until=1.0)).rows[0]
    assert row.error is None
    assert "ends at 1 s" in row.status


def test_names_stay_unique():
    methods = [Projection(), Baumgarte(alpha=5, beta=5), Baumgarte(alpha=9, beta=9), Projection()]
    names = unique_names(methods)
    assert len(set(names)) == 4
    assert "alpha=9" in names[2]


def test_equal_moments_merge():
    merged = merged_times([np.array([0.0, 0.1, 0.3]), np.array([0.0, 0.1 + 1e-16, 0.2])])
    np.testing.assert_allclose(merged, [0, 0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    ("subjects", "options", "words"),
    [
        ("model", {"until": 1.0}, "until` and `step"),
        ("solution", {"step": 0.1}, "belong to a model"),
        ("mixture", {"until": 1.0, "step": 0.1}, "mixture"),
        ("model", {"until": 1.0, "step": 0.1, "methods": "projection"}, "method objects"),
        ("model", {"until": 1.0, "step": 0.1, "methods": []}, "no methods"),
    ],
)
def test_refusals(subjects, options, words):
    s = turning()
    chosen = {"model": [s.model], "solution": [s], "mixture": [s.model, s]}[subjects]
    with pytest.raises(OptionError, match=words):
        compare(*chosen, **options)


def test_errors_below_the_uncertainty_are_not_numbers():
    assert below(3e-12, 1e-11) == "< 1.0e-11"
    assert below(3e-11, 1e-11) == "3.0e-11"
    assert below(3e-12, None) == "3.0e-12"
    assert below(None, 1e-11) == "-"


def test_a_notebook_shows_the_table():
    model = dl.catalog.load("pendulum")
    found = dl.compare(model, methods=["projection", "rattle"], until=0.1, step=1e-2)
    shown = found._repr_html_()
    assert shown.count("<tr>") == 3
    assert "Rattle" in shown
