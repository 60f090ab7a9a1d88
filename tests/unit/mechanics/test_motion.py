"""Kinematics of bodies and their mass matrix (mechanics/motion.py, mechanics/maximal.py)."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery, mechanisms
from tests.support.lives import lives

import dalembert as dl
from dalembert._jit import kernel
from dalembert.mechanics.maximal import inertia_solve
from dalembert.mechanics.motion import displace, kinematic_map, place_from, velocity_of
from dalembert.system.state_layout import State
from dalembert.system.tables import TurnedBody


def two_bodies():
    """Arrays of two bodies, a state and velocities."""
    system, start, run = battery.opened(mechanisms.driven_arm(), dl.Projection())
    generator = np.random.default_rng(1)
    q, u = start.q.copy(), generator.standard_normal(system.extents.nv)
    for b in range(2):
        part = generator.standard_normal(4)
        q[7 * b + 3 : 7 * b + 7] = part / np.linalg.norm(part)
    return State(run.work, run.sizes), q, u


@lives
@pytest.mark.parametrize("size", [0.0, 1e-9, 1e-5, 1e-3, 0.5])
def test_place_from_is_the_inverse_of_displace(life, size):
    with life():
        state, q, u = two_bodies()
        moved, found = q.copy(), np.zeros(12)
        displace(state, size, u, moved)
        place_from(state, q, moved, found)
    assert np.abs(found - size * u).max() <= 4e-15


@lives
def test_velocity_of_is_the_inverse_of_the_kinematic_map(life):
    with life():
        state, q, u = two_bodies()
        rate, found = np.zeros(14), np.zeros(12)
        q[3:7] *= 1.1  # between stages a quaternion is not quite a unit
        kinematic_map(state, q, u, rate)
        rate[3:7] += 0.3 * q[3:7]  # and its length may change
        velocity_of(state, q, rate, found)
    assert np.abs(found - u).max() <= 1e-14


@lives
def test_formula_coordinates_are_their_own_velocities(life):
    with life():
        _, _, run = battery.opened(battery.PENDULUM.model(), dl.Projection())
        q, rate = np.array([0.3, -0.4]), np.array([1.0, 2.0])
        found, place = np.zeros(2), np.zeros(2)
        velocity_of(State(run.work, run.sizes), q, rate, found)
        place_from(State(run.work, run.sizes), rate, q, place)
    assert np.array_equal(found, rate)
    assert np.array_equal(place, q)


@kernel
def solved(inertia, f, out):
    """Theta^-1 f; whether Theta can answer."""
    return inertia_solve(TurnedBody(inertia, 0), f, out)


def answer_of(theta, f):
    """Theta^-1 f, and whether Theta can answer."""
    mass, out = 2.0, np.zeros(3)
    inertia = np.array([*np.diag(theta), theta[0, 1], theta[0, 2], theta[1, 2], mass])
    return out, solved(inertia, f, out)


def turned(moments):
    matrix = dl.Rotation.about((1.0, 2.0, 3.0), 0.7).matrix
    return matrix @ np.diag(moments) @ matrix.T, matrix


@lives
def test_inertia_solve(life):
    theta, axes = turned([0.1, 1.0, 1.05])
    f = np.array([1.0, -2.0, 3.0])
    with life():
        out, answers = answer_of(theta, f)
    assert answers
    assert np.abs(theta @ out - f).max() <= 1e-13
    # A rod answers to what does not turn it about itself,
    theta, axes = turned([0.0, 1.0, 1.0])
    across = 2.0 * axes[:, 1] - axes[:, 2]
    with life():
        out, answers = answer_of(theta, across)
        assert answers
        assert np.abs(out - across).max() <= 1e-13
        # and to nothing else; a point mass to no torque at all.
        assert not answer_of(theta, across + 1e-3 * axes[:, 0])[1]
        assert answer_of(np.zeros((3, 3)), np.zeros(3))[1]
        out, answers = answer_of(np.zeros((3, 3)), across)
    assert not answers
    assert np.array_equal(out, np.zeros(3))
