"""Comparisons that run models."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.enforcement import METHODS


def test_all_methods_appear_and_say_how_they_ended():
    result = dl.compare(dl.catalog.load("pendulum"), until=1.0, step=1e-3)
    rows = {row.method: row for row in result.rows}
    assert len(rows) == len(METHODS)
    assert rows["Projection"].error < 1e-9
    assert rows["Projection"].phi < 1e-13
    assert rows["Penalty"].phi > 1e-6
    assert all(row.status for row in result.rows)
    assert "DormandPrince" in result.reference


def test_the_reference_passes_singular_positions():
    result = dl.compare(
        dl.catalog.load("four-bars"), until=2.0, step=2e-3, methods=[dl.Projection()]
    )
    assert result.rows[0].error < 1e-6


def test_a_closed_form_is_the_reference():
    g, until = 9.81, 1.0
    (z,) = dl.coordinates("z")
    model = dl.Model.from_lagrangian(kinetic=z.dot**2 / 2, potential=g * z)
    result = dl.compare(
        model,
        until=until,
        step=1e-2,
        methods=[dl.Projection()],
        reference=lambda t: -g * t**2 / 2,
    )
    assert result.rows[0].error < 1e-12


def test_work_precision_sees_the_order():
    study = dl.work_precision(
        dl.catalog.load("pendulum"),
        [dl.Projection(), dl.BraunGoldfarb()],
        steps=[4e-2, 2e-2, 1e-2, 5e-3],
        until=1.0,
    )
    assert study.order("Projection") == pytest.approx(4, abs=0.3)
    assert len(study.points) == 8
    assert np.isfinite([point.error for point in study.points]).all()


def test_initial_and_parameters_reach_the_reference():
    x, y = dl.coordinates("x y")
    result = dl.compare(
        dl.catalog.load("pendulum"),
        until=0.5,
        step=1e-3,
        methods=[dl.Projection()],
        initial={x: 0.0, y: -2.0, x.dot: 1.0},
        parameters={"l": 2.0},
    )
    assert result.rows[0].error < 1e-9


def test_a_reference_that_had_to_be_computed_states_its_uncertainty():
    """Near a singular position a finer run is not a better one: the agreeing pair is believed."""
    model = dl.catalog.load("four-bars")
    result = dl.compare(model, until=10.0, step=1e-3, methods=[dl.BraunGoldfarb()])
    assert result.uncertainty < 1e-9
    # Closed form, physics.md section 9.3: x3(10 s) = 2.3284581115408.
    solution = result.solutions["BraunGoldfarb"]
    exact = abs(solution["x3"][-1] - 2.3284581115408)
    assert exact <= result.rows[0].error + result.uncertainty
    assert f"uncertain by {result.uncertainty:.0e}" in result.table()
