"""Linear models against differences of the nonlinear motion, at moving states off balance."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl
from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.equations.onto_constraints import closed, moving
from dalembert.simulation.prepare.initial_state import read_initial

NAMES = (
    "slider-crank",
    "four-bars",
    "slider-crank-bodies",
    "four-bar-3d",
    "five-bar",
    "double-wishbone",
    "cassie-leg",
    "governor",
    "bennett",
    "double-pendulum",
)


def placed(equations, t, q, names, x, rate):
    """The state with these coordinates and rates, near q."""
    lengths = equations.lengths
    still = np.zeros(equations.nv)
    for _ in range(30):
        at = equations.at(t, q, still)
        found = equations.rows(names, at, still, slopes=False)
        off = np.concatenate([-at.phi[: equations.holonomic], x - found.x])
        rows = np.concatenate([at.J[: equations.holonomic], found.G]) / lengths
        u = np.linalg.lstsq(rows, off, rcond=1e-10)[0] / lengths
        q = equations.displaced(q, u)
        if np.abs(u).max() < 1e-14:
            break
    at = equations.at(t, q, still)
    rows = np.concatenate([at.J, equations.gradients(names, at)]) / lengths
    wanted = np.concatenate([-at.phi_dot, rate])
    return q, np.linalg.lstsq(rows, wanted, rcond=1e-10)[0] / lengths


def second(model, equations, t, q, v, names):
    """Second derivatives of the coordinates, with the accelerations of `evaluate`."""
    a = dl.evaluate(model, (q, v), t=t).a
    found = equations.rows(names, equations.at(t, q, v), a, slopes=False)
    return found.G @ a + found.gamma


@pytest.mark.parametrize("name", NAMES)
def test_linear_model_is_the_derivative_of_the_motion(name):
    agree(dl.catalog.load(name))


def agree(model, chance=7, size=0.5, bound=1e-7):
    """A linear model beside a start is made of differences of the accelerations there."""
    equations = equations_of(model, "test")
    random = np.random.default_rng(chance)
    q, v = read_initial(model, None)
    q = equations.displaced(q, 0.03 * random.standard_normal(equations.nv) / equations.lengths)
    q = closed(equations, 0.0, q)
    v = moving(equations, 0.0, q, v + size * random.standard_normal(equations.nv))
    near = dl.linearize(model, (q, v))
    names = list(near.coordinates)
    assert set(names) <= set(equations.candidates())
    n = len(names)
    assert len(near.states) == 2 * n
    here = equations.rows(names, equations.at(0.0, q, v), v, slopes=False)
    h = 1e-3
    for direction in random.standard_normal((3, 2 * n)):
        found = np.zeros(n)
        for k, c in ((1, 0.75), (2, -0.15), (3, 1.0 / 60.0)):
            for sign in (1.0, -1.0):
                step = sign * k * h * direction
                state = placed(equations, 0.0, q, names, here.x + step[:n], here.rate + step[n:])
                found += sign * c / h * second(model, equations, 0.0, *state, names)
        exact = near.A[n:] @ direction
        scale = np.abs(near.A[n:]).max() + np.abs(near.drift).max()
        assert np.abs(found - exact).max() <= bound * scale


def test_joints_of_several_kinds_have_an_angle_together():
    """A hinge, a screw and a cylindrical joint hold different numbers, and each has an angle."""
    model = dl.Model("kinds")
    bodies = [
        model.add_body(f"body{k}", dl.Inertia(1.0, (0.1, 0.12, 0.15), center=(0.1, 0.05 * k, 0.2)))
        for k in range(3)
    ]
    a, b, c = bodies
    at = (0.3, 0.1, 0.2)
    model.add_joint(dl.Revolute(model.world, a, axis="y", name="hinge"))
    model.add_joint(dl.Screw(a.at(*at), b, axis=(1, 2, 0.5), pitch=0.7, name="screw"))
    model.add_joint(dl.Cylindrical(b.at(*at), c, axis=(1, 0.2, 0), name="sleeve"))
    agree(model)
