"""Degrees of freedom and redundant rows by name."""

from __future__ import annotations

import pytest

from dalembert import catalog
from dalembert.analysis.rank import constraint_rank
from dalembert.formulas.variables import coordinates, time
from dalembert.model import Model

x, y = coordinates("x y")
KINETIC = (x.dot**2 + y.dot**2) / 2


def test_pendulum():
    found = constraint_rank(catalog.load("pendulum"))
    assert (found.coordinates, found.rank, found.degrees_of_freedom) == (2, 1, 1)
    assert found.redundant == ()
    assert found.phi == {"bar": 0.0}
    assert found.phi_dot == {"bar": 0.0}


def test_redundant_row_and_what_it_follows_from():
    model = Model.from_lagrangian(
        kinetic=KINETIC, constraints={"a": x - 1, "b": y - 2, "c": 2 * x - 3 * y + 4}
    )
    found = constraint_rank(model)
    assert found.rank == 2
    assert found.redundant == (("c", ("a", "b")),)


def test_vanishing_gradient():
    model = Model.from_lagrangian(kinetic=KINETIC, constraints={"point": x**2 + y**2})
    assert constraint_rank(model).redundant == (("point", ()),)


def test_four_bars_lose_rank_when_flat():
    model = catalog.load("four-bars")
    flat = {"x1": 1, "y1": 0, "x2": 2, "y2": 0, "x3": 3, "y3": 0}
    assert constraint_rank(model).rank == 5
    found = constraint_rank(model, flat)
    assert (found.rank, found.rank_elsewhere, found.is_singular) == (3, 5, True)
    assert found.degrees_of_freedom == 1  # not counting what is free for an instant


def test_rows_that_are_redundant_everywhere_are_no_singular_position():
    found = constraint_rank(catalog.load("biped", exercise=3))
    assert (found.rank, found.rank_elsewhere, found.is_singular) == (9, 9, False)


def test_velocity_rows_and_time():
    model = Model.from_lagrangian(
        kinetic=KINETIC, constraints={"skate": y.dot - x * x.dot, "drive": x - 2 * time}
    )
    found = constraint_rank(model, {"x.dot": 3.0})
    assert found.rank == 2
    assert found.phi_dot["drive"] == pytest.approx(1.0)
    assert "skate" not in found.phi
