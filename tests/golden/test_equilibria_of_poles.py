"""Equilibria beside poles of the potential, where forces have no bound; what a search ends with."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import dalembert as dl
from dalembert.errors import EquilibriumError

X, Y = dl.coordinates("X Y")


def _line(potential, at: float):
    return dl.Model.from_lagrangian(
        coordinates=[X], kinetic=X.dot**2 / 2, potential=potential, initial={X: at}
    )


@pytest.mark.parametrize("stable", [True, False])
def test_what_falls_into_a_pole_or_away_from_one_rests_nowhere(stable):
    falls = _line(-1 / np.abs(X - 1), 0.3)
    with pytest.raises(EquilibriumError, match="none that could be found"):
        dl.equilibrium(falls, stable=stable)
    assert dl.equilibria(falls) == []
    planet = dl.Model.from_lagrangian(
        coordinates=[X, Y],
        kinetic=(X.dot**2 + Y.dot**2) / 2,
        potential=-1 / np.sqrt(X**2 + Y**2) + 0.1 * X**2,
        initial={X: 0.3, Y: 0.4},
    )
    with pytest.raises(EquilibriumError, match="none that could be found"):
        dl.equilibrium(planet, stable=stable)
    assert dl.equilibria(planet) == []


def test_two_atoms_under_a_pull():
    """1/x^12 - 2/x^6 - x/100: at rest where 12/x^7 - 12/x^13 = 1/100, once behind the pole."""
    atoms = _line(1 / X**12 - 2 / X**6 - 0.01 * X, 0.7)

    def pull(x: float) -> float:
        return 12 / x**7 - 12 / x**13 - 0.01

    between = (-1.1, -0.9), (0.9, 1.1), (1.2, 4.0)
    expected = [brentq(pull, *x, xtol=1e-15) for x in between]
    found = dl.equilibria(atoms)
    assert [x["X"] for x in found] == pytest.approx(expected, abs=1e-12)
    assert [x.is_stable for x in found] == [True, True, False]
    alone = dl.equilibria(_line(1 / X**12 - 2 / X**6, 0.3))
    assert [x["X"] for x in alone] == pytest.approx([-1.0, 1.0])


def test_points_of_lagrange_are_all_that_is_found():
    """Two masses that turn about one another: the forces balance wherever it says so."""
    mu = 0.01
    one, two = np.hypot(X + mu, Y), np.hypot(X - 1 + mu, Y)
    model = dl.Model.from_lagrangian(
        coordinates=[X, Y],
        kinetic=((X.dot - Y) ** 2 + (Y.dot + X) ** 2) / 2,
        potential=-(1 - mu) / one - mu / two,
        initial={X: 0.48, Y: 0.86},
    )
    found = dl.equilibria(model, count=30)
    assert found
    for rest in found:
        assert rest.near.is_equilibrium
        x, y = rest.q
        r1, r2 = np.hypot(x + mu, y), np.hypot(x - 1 + mu, y)
        left = (
            x - (1 - mu) * (x + mu) / r1**3 - mu * (x - 1 + mu) / r2**3,
            y - (1 - mu) * y / r1**3 - mu * y / r2**3,
        )
        assert np.abs(left).max() < 1e-10
    triangle = [x for x in found if abs(x.q[1]) > 0.5]
    assert triangle
    assert all(x.is_stable for x in triangle)


@pytest.mark.parametrize("depth", [1e-5, 1e-9])
def test_a_stiff_floor_still_carries(depth):
    """A spring on one side only, far stiffer than its surroundings: no pole."""
    floor = _line(9.81 * X + dl.where(X < 0, 9.81 / depth * X**2 / 2, 0.0), 0.2)
    assert dl.equilibrium(floor)["X"] == pytest.approx(-depth, rel=1e-9)


def _top():
    turn, tilt, spin = dl.coordinates("turn tilt spin")
    kinetic = (
        0.05 * (tilt.dot**2 + turn.dot**2 * np.sin(tilt) ** 2) / 2
        + 0.02 * (spin.dot + turn.dot * np.cos(tilt)) ** 2 / 2
    )
    return dl.Model.from_lagrangian(
        coordinates=[turn, tilt, spin], kinetic=kinetic, potential=2.943 * np.cos(tilt)
    )


def test_a_rate_of_zero_holds_a_tilt():
    """A p^2 cos(tilt) - C n p + m g l = 0 with n = spin + p cos(tilt), slow precession."""
    guess = {"tilt": 0.7, "turn.dot": 3.0}
    rates = {"turn": None, "spin": 80.0, "tilt": 0.0}
    found = dl.steady_motion(_top(), rates, guess)
    c = np.cos(0.7)
    slow = min(np.roots([(0.05 - 0.02) * c, -0.02 * 80.0, 2.943]).real)
    assert found.rates["turn"] == pytest.approx(slow, rel=1e-12)
    assert found["tilt"] == 0.7
    assert repr(found).startswith("SteadyMotion(")


def test_a_search_that_loses_a_rate_says_what_it_came_to():
    with pytest.raises(EquilibriumError, match=r"came to a place where 'spin'.*rates=\{coord"):
        dl.steady_motion(_top(), {"turn": None, "spin": 80.0}, {"tilt": 0.7})


def test_a_critical_value_of_no_equilibrium_asks_for_one():
    (k,) = dl.parameters(k=1.0)
    model = dl.Model.from_lagrangian(
        coordinates=[X], kinetic=X.dot**2 / 2, potential=k * X**4 - X, initial={X: 1.0}
    )
    with pytest.raises(EquilibriumError, match="no equilibrium and no steady motion there"):
        dl.critical_value(model, "k", (1.0, 2.0))
