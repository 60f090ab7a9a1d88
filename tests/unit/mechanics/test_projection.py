"""Projection onto the constraints: nearest in its norm, in few iterations, rounding left alone."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery
from tests.support.lives import lives

import dalembert as dl
from dalembert.mechanics.projection import (
    EUCLIDEAN_NORM,
    MASS_NORM,
    ROUNDING,
    project_position,
    project_velocity,
)
from dalembert.simulation.prepare.consistent import open_checked
from dalembert.system import borders
from dalembert.system.build import build
from dalembert.system.state_layout import State

EPS = np.finfo(float).eps


def opened(model):
    system = build(model)
    work, sizes = open_checked(system, [model.parameters[n] for n in system.parameter_names])
    State(work, sizes).row_tolerance[:] = 2 * ROUNDING
    return work, sizes


def uneven():
    """Two particles of 1 and 9 kg on a line, one apart."""
    x, y = dl.coordinates("x y")
    return dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + 9 * y.dot**2) / 2, constraints=[y - x - 1.0], coordinates=[x, y]
    )


@lives
@pytest.mark.parametrize(
    ("norm", "moved"), [(MASS_NORM, (0.09, -0.01)), (EUCLIDEAN_NORM, (0.05, -0.05))]
)
def test_the_nearest_point_in_each_norm(norm, moved, life):
    # 0.1 too far apart: the mass norm moves the light particle nine times as far.
    q, v = np.array([0.0, 1.1]), np.zeros(2)
    with life():
        work, sizes = opened(uneven())
        assert project_position(work, sizes, 0.0, q, v, norm, 10) == borders.OK
    assert q - [0.0, 1.1] == pytest.approx(moved, abs=10 * EPS)


@lives
@pytest.mark.parametrize(
    ("norm", "moved"), [(MASS_NORM, (0.9, -0.1)), (EUCLIDEAN_NORM, (0.5, -0.5))]
)
def test_the_nearest_velocity_in_each_norm(norm, moved, life):
    q, v = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    with life():
        work, sizes = opened(uneven())
        assert project_velocity(work, sizes, 0.0, q, v, norm) == borders.OK
    assert v - [0.0, 1.0] == pytest.approx(moved, abs=10 * EPS)


@lives
def test_newton_converges_quadratically(life):
    q, v = np.array([0.9, -0.5]), np.array([0.3, 0.1])
    with life():
        work, sizes = opened(battery.PENDULUM.model())
        assert project_position(work, sizes, 0.0, q, v, MASS_NORM, 20) == borders.OK
        assert project_velocity(work, sizes, 0.0, q, v, MASS_NORM) == borders.OK
    assert abs(q @ q - 1) <= 2 * ROUNDING
    assert abs(q @ v) <= 2 * ROUNDING
    # 3e-2 -> 2e-4 -> 1e-8 -> 1e-16
    assert State(work, sizes).iterations <= 4


@lives
def test_rounding_is_left_alone(life):
    q = np.array([np.cos(0.3), np.sin(0.3)])
    v = 2.0 * np.array([-q[1], q[0]])
    before = q.copy(), v.copy()
    with life():
        work, sizes = opened(battery.PENDULUM.model())
        project_position(work, sizes, 0.0, q, v, MASS_NORM, 20)
        project_velocity(work, sizes, 0.0, q, v, MASS_NORM)
    assert np.array_equal(q, before[0])
    assert np.array_equal(v, before[1])
    assert State(work, sizes).iterations == 0


@lives
def test_an_unreachable_constraint_is_no_convergence(life):
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2, constraints=[x**2 + y**2 + 1.0], coordinates=[x, y]
    )
    with life(), np.errstate(all="ignore"):
        work, sizes = opened(model)
        q, v = np.array([0.4, 0.3]), np.zeros(2)
        assert project_position(work, sizes, 0.0, q, v, MASS_NORM, 20) == borders.NO_CONVERGENCE


@lives
def test_a_velocity_row_that_is_not_linear(life):
    # |v| = 2: Newton on the velocity itself.
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        constraints={"speed": x.dot**2 + y.dot**2 - 4.0},
        coordinates=[x, y],
    )
    q, v = np.zeros(2), np.array([1.5, 1.0])
    with life():
        work, sizes = opened(model)
        assert project_velocity(work, sizes, 0.0, q, v, MASS_NORM) == borders.OK
    assert v @ v == pytest.approx(4.0, abs=40 * EPS)
    assert v[1] / v[0] == pytest.approx(1.0 / 1.5, abs=20 * EPS)  # along the gradient
