"""Coordinates without mass that constraints hold (methods 2.3), against motions in closed form."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.enforcement import METHODS

REFUSED = ("penalty", "rattle")


def pin(rows=1):
    """A slider of 2 kg on a spring moves a massless pin between a crank of 1 m and a rod of 2 m.

    The slider swings by itself, s = 2.4 + 0.2 cos 2t; the pin follows from two circles.
    """
    s, x, y = dl.coordinates("s x y")
    circles = [x**2 + y**2 - 1, (x - s) ** 2 + y**2 - 4]
    px, py = place(2.6)
    return dl.Model.from_lagrangian(
        name="pin",
        kinetic=s.dot**2,
        potential=4 * (s - 2.4) ** 2,
        coordinates=[s, x, y],
        constraints={f"links{k}": circles for k in range(rows)},
        initial={s: 2.6, x: px, y: py},
    )


def place(s):
    """Where the pin is."""
    x = (s**2 - 3) / (2 * s)
    return x, np.sqrt(1 - x**2)


@pytest.mark.parametrize("name", [n for n in METHODS if n not in REFUSED])
def test_a_massless_pin_follows(name):
    method = METHODS[name]()
    run = dl.simulate(pin(), until=2.0, step=5e-3, method=method)
    order = method.order or 1
    room = {1: 2e-2, 2: 2e-4}.get(order, 1e-7)
    if method.drift in ("bounded", "grows"):
        room = max(room, 1e-5)  # the pin is where the drift has brought it
    s = 2.4 + 0.2 * np.cos(2 * run.t)
    assert np.abs(run["s"] - s).max() <= room
    assert np.abs([run["x"], run["y"]] - np.array(place(s))).max() <= 10 * room
    # Nothing pulls at the pin, so the links carry nothing but what the method corrects with.
    assert np.abs(run.energy - run.energy[0]).max() <= 10 * room


def test_rows_said_twice_hold_it_as_well():
    once, twice = (dl.simulate(pin(rows), until=1.0, step=5e-3) for rows in (1, 2))
    assert np.abs(once.q - twice.q).max() <= 1e-11


def hanging(**options):
    """An arm that turns with 3 kg m^2; its weight of 29.43 N hangs at a tip without mass."""
    a, x, y = dl.coordinates("a x y")
    given = {
        "kinetic": 3 * a.dot**2 / 2,
        "potential": 29.43 * y,
        "coordinates": [a, x, y],
        "constraints": {"tip": [x - np.sin(a), y + np.cos(a)]},
        "initial": {a: 1.0, x: np.sin(1.0), y: -np.cos(1.0)},
    }
    return dl.Model.from_lagrangian(**(given | options))


def test_multipliers_are_the_forces_on_the_massless_coordinates():
    assert not hanging().check()
    run = dl.simulate(hanging(), until=1.0, step=1e-2)
    assert np.abs(run.lam - [0.0, 29.43]).max() <= 1e-12 * 29.43
    (b,) = dl.coordinates("b")
    plain = dl.Model.from_lagrangian(
        kinetic=3 * b.dot**2 / 2, potential=-29.43 * np.cos(b), initial={b: 1.0}
    )
    assert np.abs(run["a"] - dl.simulate(plain, until=1.0, step=1e-2)["b"]).max() <= 1e-14


def test_evaluate_gives_the_matrices_of_the_model():
    at = dl.evaluate(hanging())
    assert at.M.tolist() == np.diag([3.0, 0.0, 0.0]).tolist()
    assert np.abs(at.M @ at.a - at.force - at.J.T @ at.lam).max() <= 1e-13 * 29.43


def test_a_velocity_constraint_holds_a_coordinate_too():
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2,
        forces={y: 3.0},
        coordinates=[x, y],
        constraints={"gear": y.dot - 2 * x.dot},
    )
    run = dl.simulate(model, until=1.0, step=1e-2)  # 6 N on 1 kg
    assert run.q[-1] == pytest.approx([3.0, 6.0], rel=1e-12)


def test_what_rows_do_not_hold_is_refused():
    a, x, y = dl.coordinates("a x y")
    loose = hanging(constraints={"tip": x + y - a}, initial={})
    with pytest.raises(dl.errors.MassMatrixError, match="not positive definite"):
        dl.simulate(loose, until=1.0, step=1e-2)
    with pytest.raises(dl.errors.ModelError, match="not positive definite"):
        loose.check()
    with pytest.raises(dl.errors.ModelError, match="'y': carries no mass"):
        hanging(constraints={"tip": x - np.sin(a)})
    with pytest.raises(dl.errors.MassMatrixError, match=r"Penalty.*'x'.*use Projection\."):
        dl.simulate(hanging(), until=1.0, step=1e-3, method=dl.Penalty())


def test_the_augmented_lagrangian_takes_its_own_order_without_mass():
    # Its source promises a singular mass matrix; rows said twice make it singular in both ways.
    for rows in (1, 2):
        errors = []
        for step in (1e-2, 5e-3):
            run = dl.simulate(pin(rows), until=2.0, step=step, method=dl.AugmentedLagrangian())
            s = 2.4 + 0.2 * np.cos(2 * run.t)
            errors.append(np.abs([run["x"], run["y"]] - np.array(place(s))).max())
            assert run.worst["phi"] <= 1e-12
        assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.2)
