"""Lagrange's equations and the map equations against hand-derived ones and one another."""

from typing import NamedTuple

import numpy as np
import pytest

from dalembert.errors import FormulaError
from dalembert.formulas import coordinates, evaluate, jacobian, parameters, symbols, time
from dalembert.formulas.lagrangian import (
    angular_velocity,
    equations_from_lagrangian,
    equations_from_map,
)

EPS = np.finfo(float).eps


class Particle(NamedTuple):
    mass: object
    position: object


class PlanarBody(NamedTuple):
    mass: object
    inertia: object
    position: object
    angle: object


class SpatialBody(NamedTuple):
    mass: object
    inertia: object
    position: object
    rotation: object


class SpatialBodyWithRate(NamedTuple):
    mass: object
    inertia: object
    position: object
    rotation: object
    w_WB_B: object


def numbers(matrix, values):
    array = np.array(matrix, dtype=object)
    return np.array(evaluate(list(array.ravel()), values), dtype=float).reshape(array.shape)


def state(q, seed):
    rng = np.random.default_rng(seed)
    values = {s: rng.normal() for s in q} | {s.dot: rng.normal() for s in q}
    return values | {time: rng.normal()}


def double_pendulum():
    """Angles from the downward vertical; M and Q derived by hand."""
    a, b = coordinates("a b")
    m1, m2, l1, l2, g = parameters(m1=1.3, m2=0.7, l1=0.9, l2=1.4, g=9.81)
    x1, y1 = l1 * np.sin(a), -l1 * np.cos(a)
    x2, y2 = x1 + l2 * np.sin(b), y1 - l2 * np.cos(b)
    c, s = np.cos(a - b), np.sin(a - b)
    M = [[(m1 + m2) * l1**2, m2 * l1 * l2 * c], [m2 * l1 * l2 * c, m2 * l2**2]]
    Q = [
        -m2 * l1 * l2 * s * b.dot**2 - (m1 + m2) * g * l1 * np.sin(a),
        m2 * l1 * l2 * s * a.dot**2 - m2 * g * l2 * np.sin(b),
    ]
    kinetic = (m1 * (x1.dot**2 + y1.dot**2) + m2 * (x2.dot**2 + y2.dot**2)) / 2
    potential = g * (m1 * y1 + m2 * y2)
    particles = [Particle(m1, (x1, y1)), Particle(m2, (x2, y2))]
    return (a, b), kinetic, potential, particles, (0, -g), M, Q


@pytest.mark.parametrize("seed", range(5))
def test_double_pendulum(seed):
    q, kinetic, potential, particles, gravity, M, Q = double_pendulum()
    values = state(q, seed)
    found_M, found_Q = equations_from_lagrangian(kinetic, potential, None, q)
    tolerance = {"rtol": 100 * EPS, "atol": 1000 * EPS}
    np.testing.assert_allclose(numbers(found_M, values), numbers(M, values), **tolerance)
    np.testing.assert_allclose(numbers(found_Q, values), numbers(Q, values), **tolerance)
    mapped = equations_from_map(q, particles=particles, gravity=gravity)
    np.testing.assert_allclose(numbers(mapped.mass, values), numbers(M, values), **tolerance)
    np.testing.assert_allclose(numbers(mapped.force, values), numbers(Q, values), **tolerance)
    energies = numbers([mapped.kinetic, mapped.potential], values)
    np.testing.assert_allclose(energies, numbers([kinetic, potential], values), **tolerance)


def test_constant_mass_matrix_stays_a_parameter():
    x, y = coordinates("x y")
    (m,) = parameters(m=2.0)
    M, Q = equations_from_lagrangian(m * (x.dot**2 + y.dot**2) / 2, m * 9.81 * y, None, [x, y])
    assert M[0][0] is m
    assert M[0][1].value == 0.0
    assert Q[0].value == 0.0
    velocity = np.array([x.dot, y.dot])
    speed = np.linalg.norm(velocity)
    assert equations_from_lagrangian(m * speed**2 / 2, 0, None, [x, y])[0][1][1] is m


def test_forces_and_magnetic_potential():
    x, y = coordinates("x y")
    kinetic = (x.dot**2 + y.dot**2) / 2
    # vector potential of a uniform field B: the force is B (y', -x')
    potential = -3.0 * (x * y.dot - y * x.dot) / 2
    M, Q = equations_from_lagrangian(kinetic, potential, {x: -0.1 * x.dot + time}, [x, y])
    values = state((x, y), 1)
    expected = [3.0 * values[y.dot] - 0.1 * values[x.dot] + values[time], -3.0 * values[x.dot]]
    np.testing.assert_allclose(numbers(Q, values), expected, rtol=10 * EPS)
    np.testing.assert_array_equal(numbers(M, values), np.eye(2))


def test_rheonomic_map_equals_lagrangian():
    (a,) = coordinates("a")
    (l,) = parameters(l=0.8)
    x, y = l * np.sin(a) + 0.3 * np.sin(2.0 * time), -l * np.cos(a) + 0.1 * time**2
    kinetic = 1.7 * (x.dot**2 + y.dot**2) / 2
    M, Q = equations_from_lagrangian(kinetic, 1.7 * 9.81 * y, {a: 0.2}, [a])
    mapped = equations_from_map(
        [a], particles=[Particle(1.7, (x, y))], gravity=(0, -9.81), forces={a: 0.2}
    )
    values = state((a,), 3)
    np.testing.assert_allclose(numbers(mapped.mass, values), numbers(M, values), rtol=20 * EPS)
    np.testing.assert_allclose(numbers(mapped.force, values), numbers(Q, values), rtol=50 * EPS)


def test_planar_body():
    x, y, angle = coordinates("x y angle")
    (I,) = parameters(I=0.25)
    c, s = np.cos(angle), np.sin(angle)
    body = PlanarBody(2.0, I, (x + 0.3 * c, y + 0.3 * s), angle)
    mapped = equations_from_map((x, y, angle), planar_bodies=[body], gravity=(0, -9.81))
    px, py = body.position
    kinetic = px.dot**2 + py.dot**2 + I * angle.dot**2 / 2
    M, Q = equations_from_lagrangian(kinetic, 2.0 * 9.81 * py, None, (x, y, angle))
    values = state((x, y, angle), 4)
    np.testing.assert_allclose(numbers(mapped.mass, values), numbers(M, values), atol=20 * EPS)
    np.testing.assert_allclose(numbers(mapped.force, values), numbers(Q, values), atol=100 * EPS)


def roll_pitch_yaw():
    q = coordinates("x y z roll pitch yaw")
    roll, pitch, yaw = q[3:]
    cr, sr, cp, sp = np.cos(roll), np.sin(roll), np.cos(pitch), np.sin(pitch)
    cy, sy = np.cos(yaw), np.sin(yaw)
    Rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    Ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    Rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    w_WB_B = [
        roll.dot - yaw.dot * sp,
        pitch.dot * cr + yaw.dot * cp * sr,
        -pitch.dot * sr + yaw.dot * cp * cr,
    ]
    return q, Rz @ Ry @ Rx, w_WB_B


INERTIA = np.array([[1.0, 0.1, -0.2], [0.1, 1.5, 0.05], [-0.2, 0.05, 0.8]])


def test_angular_velocity_of_a_rotation():
    q, R, w_WB_B = roll_pitch_yaw()
    values = state(q, 5)
    found = numbers(angular_velocity(R.tolist(), q), values)
    np.testing.assert_allclose(found, numbers(w_WB_B, values), atol=20 * EPS)


@pytest.mark.parametrize("given_rate", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_free_body_in_euler_angles(given_rate, seed):
    """physics.md 2.2: without the gyroscopic term the error is of order one."""
    q, R, w_WB_B = roll_pitch_yaw()
    position = q[:3] + R @ np.array([0.1, 0.2, -0.3])
    velocity = [p.dot for p in position]
    kinetic = 3.0 * np.dot(velocity, velocity) / 2 + np.dot(w_WB_B, INERTIA @ w_WB_B) / 2
    M, Q = equations_from_lagrangian(kinetic, 3.0 * 9.81 * position[2], None, q)
    if given_rate:
        body = SpatialBodyWithRate(3.0, INERTIA, position, R, w_WB_B)
    else:
        body = SpatialBody(3.0, INERTIA, position, R)
    mapped = equations_from_map(q, spatial_bodies=[body], gravity=(0, 0, -9.81))
    values = state(q, seed)
    size = max(1.0, np.abs(numbers(Q, values)).max())
    np.testing.assert_allclose(
        numbers(mapped.mass, values), numbers(M, values), atol=200 * EPS * size
    )
    np.testing.assert_allclose(
        numbers(mapped.force, values), numbers(Q, values), atol=1000 * EPS * size
    )
    assert numbers([mapped.kinetic], values)[0] == pytest.approx(numbers([kinetic], values)[0])


def test_mass_matrix_is_the_hessian_of_the_kinetic_energy():
    q, kinetic, potential, *_ = double_pendulum()
    M, _ = equations_from_lagrangian(kinetic, potential, None, q)
    assert M[0][1] is M[1][0]
    assert not symbols([e for row in M for e in row], "velocity")
    p = jacobian([kinetic], [s.dot for s in q])[0]
    values = state(q, 0)
    v = np.array([values[s.dot] for s in q])
    np.testing.assert_allclose(numbers(M, values) @ v, numbers(p, values), rtol=20 * EPS)


def test_refusals():
    x, y = coordinates("x y")
    with pytest.raises(FormulaError, match="not quadratic"):
        equations_from_lagrangian(x.dot**4, 0, None, [x])
    with pytest.raises(FormulaError, match=r"contains 'y.dot'"):
        equations_from_lagrangian(x.dot**2 + y.dot**2, 0, None, [x])
    with pytest.raises(FormulaError, match=r"potential energy contains 'y'"):
        equations_from_lagrangian(x.dot**2, y, None, [x])
    with pytest.raises(FormulaError, match="A force contains 'y'"):
        equations_from_lagrangian(x.dot**2, 0, {y: 1.0}, [x])
    with pytest.raises(FormulaError, match="for a coordinate"):
        equations_from_lagrangian(x.dot**2, 0, {x.dot: 1.0}, [x])
    with pytest.raises(FormulaError, match="gravity 3"):
        equations_from_map([x, y], particles=[Particle(1.0, (x, y))], gravity=(0, 0, -9.81))
