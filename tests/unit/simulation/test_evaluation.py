"""`dl.evaluate`: the equations of motion at one state, of every kind of model."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import OptionError

EPS = np.finfo(float).eps


def pendulum():
    return dl.catalog.load("pendulum")


def by_angles():
    model = dl.Model("ship")
    body = dl.Inertia.box(2.0, size=(1.0, 0.5, 0.3))
    ship = model.add_body("ship", body, orientation="roll-pitch-yaw", angular_velocity=(1, 2, 3))
    model.constrain(ship.position @ ship.position - 1.0, name="rope")
    model.set_initial({"ship.x": 1.0, "ship.roll": 0.2})
    return model


MODELS = {
    "formulas": pendulum,
    "placed masses": lambda: dl.catalog.load("double-pendulum"),
    "roll-pitch-yaw": by_angles,
    "bodies with a loop": lambda: dl.catalog.load("four-bar-3d"),
    "redundant bodies": lambda: dl.catalog.load("slider-crank-bodies"),
    "a robot": lambda: dl.catalog.load("arm"),
    "velocity constraints": lambda: dl.catalog.load("sleigh"),
}


@pytest.mark.parametrize("kind", MODELS)
def test_the_equations_hold(kind):
    model = MODELS[kind]()
    start = dl.simulate(model, until=1e-3, step=1e-3)
    at = dl.evaluate(model, (start.q[0], start.v[0]))
    scale = 1.0 + np.abs(at.M).max() * np.abs(at.a).max() + np.abs(at.force).max()
    assert at.M @ at.a == pytest.approx(at.force + at.J.T @ at.lam, abs=1e-9 * scale)
    assert at.J @ at.a == pytest.approx(at.rhs, abs=1e-9 * (1.0 + np.abs(at.rhs).max(initial=0.0)))
    assert np.array_equal(at.M, at.M.T)
    assert np.linalg.eigvalsh(at.M).min() > -1e-12
    assert np.array_equal(at.bias, -at.force)
    # and they are those of the run
    assert at.a == pytest.approx(start.a[0], abs=1e-9 * (1.0 + np.abs(start.a[0]).max()))
    assert len(at.velocity_names) == len(at.a)
    assert len(at.row_names) == len(at.lam)


def test_kinetic_energy_is_that_of_m():
    model = MODELS["bodies with a loop"]()
    at = dl.evaluate(model)
    assert 0.5 * at.v @ at.M @ at.v == pytest.approx(float(at.solution.kinetic[0]))


def test_a_state_is_taken_as_it_is():
    at = dl.evaluate(pendulum(), {"x": 2.0}, t=0.5, parameters={"l": 3.0})
    assert (at.t, at.q.tolist(), at.phi.tolist()) == (0.5, [2.0, 0.0], [-5.0])
    assert at["x"] == 2.0


def test_reactions_and_signals_by_name():
    model = dl.Model("pendulum")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    at = dl.evaluate(model)
    # released from the horizontal: angle'' = m g r / I with I = 1/3, a quarter of the weight held
    assert at["hinge.angle.ddot"] == pytest.approx(9.81 * 1.5)
    assert at.reaction("hinge").force[0] == pytest.approx([0, 0, 9.81 / 4], abs=1e-12)
    assert "M 6 x 6, J 5 x 6" in repr(at)
    with pytest.raises(OptionError, match="is not a model"):
        dl.evaluate("pendulum")
