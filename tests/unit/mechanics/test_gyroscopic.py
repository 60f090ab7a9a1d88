"""The gyroscopic torque taken implicitly, and left out (mechanics/maximal.py)."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery, mechanisms
from tests.support.lives import lives

import dalembert as dl
from dalembert.mechanics.maximal import leave_out_gyroscopic, spin_implicitly
from dalembert.system import borders
from dalembert.system.state_layout import State

MOMENTS = np.array([1.0, 2.0, 2.8])


def asymmetric(spin, gravity=(0.0, 0.0, 0.0), matrix=MOMENTS):
    """A body alone, turning."""
    model = dl.Model("wing nut", gravity=gravity)
    start = {"position": (0, 0, 0), "rotation": ("x", 0.4), "angular_velocity": spin}
    model.add_body("nut", dl.Inertia(1.0, matrix), axes="body", **start)
    return model


def cross(x):
    """[x]x: cross(x) @ y is x x y."""
    return np.cross(x, np.eye(3)).T


def opened(model):
    _, start, run = battery.opened(model, dl.Projection())
    borders.evaluate(run.work, run.sizes, 0.0, start.q, start.v)
    return run.work, run.sizes, start


@lives
@pytest.mark.parametrize("h", [1e-3, 1e-2, 0.3])
def test_one_newton_step_of_the_implicit_equation(life, h):
    # In body axes f(w) = Theta (w - w_n) + h w x Theta w - h tau, from w_n (physics 2.1).
    theta = np.array([[1.0, 0.2, -0.1], [0.2, 2.0, 0.3], [-0.1, 0.3, 2.5]])
    w, tau = np.array([3.0, -2.0, 5.0]), np.array([0.7, -1.1, 0.4])
    with life():
        work, sizes, start = opened(asymmetric(w, matrix=theta))
        turn = dl.Rotation.from_quaternion(start.q[3:]).matrix
        rate = np.linalg.solve(theta, tau - np.cross(w, theta @ w))
        vdot = np.concatenate([np.zeros(3), turn @ rate])
        spin_implicitly(work, sizes, h, start.v, vdot)
    f = h * np.cross(w, theta @ w) - h * tau
    derivative = theta + h * (cross(w) @ theta - cross(theta @ w))
    wanted = -np.linalg.solve(derivative, f) / h
    assert np.abs(turn.T @ vdot[3:] - wanted).max() <= 1e-13 * np.abs(wanted).max()


@lives
def test_a_rod_is_left_to_its_constraints(life):
    model = dl.Model("rod", gravity=(0, 0, 0))
    rod = dl.Inertia.rod(1.0, 1.0)
    start = {"position": (0, 0, 0), "rotation": ("x", 0.4), "angular_velocity": (0, 1.0, 0)}
    model.add_body("rod", rod, **start)
    with life():
        work, sizes, begin = opened(model)
        vdot = np.arange(6.0)
        spin_implicitly(work, sizes, 0.1, begin.v, vdot)
    assert np.array_equal(vdot, np.arange(6.0))


@lives
def test_without_the_gyroscopic_torque_the_rest_of_the_force_remains(life):
    with life():
        work, sizes, start = opened(asymmetric((3.0, -2.0, 5.0), gravity=(0, 0, -9.81)))
        force = State(work, sizes).force.copy()
        assert np.abs(force[3:]).max() > 1.0
        leave_out_gyroscopic(work, sizes, start.v, force)
    assert np.abs(force - [0, 0, -9.81, 0, 0, 0]).max() <= 1e-13


class Explicit(dl.SemiImplicitEuler):
    """The same step with the gyroscopic torque of its start."""

    spins_implicitly = False


def energies(integrator, method=None, spin=30.0):
    """Energy over its start, of a body turning about its middle axis for 20 s with h = 1e-2."""
    solution = dl.simulate(
        asymmetric((0.01, spin, 0.01)),
        until=20.0,
        step=1e-2,
        method=method,
        integrator=integrator,
        on_failure="return",
    )
    return solution.kinetic / solution.kinetic[0], solution.status


@pytest.mark.parametrize("spin", [10.0, 30.0, 100.0])
@pytest.mark.parametrize(
    ("method", "integrator"),
    [
        (dl.Projection(), dl.SemiImplicitEuler()),
        (dl.VelocitySplitting(), dl.SemiImplicitEuler()),
        (dl.VelocitySplitting(), dl.ExplicitEuler()),
        (dl.Compliant(), dl.SemiImplicitEuler()),
        (dl.Compliant(), dl.ExplicitEuler()),
    ],
    ids=lambda x: type(x).__name__,
)
def test_a_fast_asymmetric_body_stays_bounded(method, integrator, spin):
    # The implicit step takes energy out and never puts any in.
    series, status = energies(integrator, method, spin)
    assert not status.failed
    assert series.max() <= 1.01


@pytest.mark.parametrize("spin", [30.0, 100.0])
def test_where_the_explicit_torque_explodes(spin):
    series, status = energies(Explicit(), spin=spin)
    assert status.failed or not series[-1] < 1e6


def test_slow_rotations_are_of_first_order():
    # Where the explicit step works too, both converge to the same motion.
    exact = dl.simulate(asymmetric((0.3, 2.0, 0.3)), until=1.0).q[-1]
    for kind in (dl.SemiImplicitEuler(), Explicit()):
        errors = []
        for h in (2e-3, 1e-3):
            end = dl.simulate(asymmetric((0.3, 2.0, 0.3)), until=1.0, step=h, integrator=kind).q[-1]
            errors.append(np.abs(end - exact).max())
        assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.1)


def test_planar_motion_does_not_notice():
    # About a principal axis there is no gyroscopic torque.
    runs = [
        dl.simulate(mechanisms.hinged_bar(), until=1.0, step=1e-2, integrator=kind)
        for kind in (dl.SemiImplicitEuler(), Explicit())
    ]
    assert np.abs(runs[0].q - runs[1].q).max() <= 1e-12
