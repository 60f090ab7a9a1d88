"""Constraint rows against finite differences along a prescribed motion."""

import numpy as np
import pytest

from dalembert.errors import FormulaError
from dalembert.formulas import coordinates, evaluate, parameters, time
from dalembert.formulas.constraint import holonomic_rows, kind_of, velocity_rows
from dalembert.formulas.rows import as_expression, as_rows

x, y, z = coordinates("x y z")
Q = (x, y, z)
(l,) = parameters(l=1.5)

HOLONOMIC = [
    x**2 + y**2 - l**2,
    np.sin(x * y) + z * time**2,
    z - 0.05 * np.sin(2 * np.pi * 0.8 * time),
    np.sqrt(1 + x**2) * np.cos(z - time) - l * time,
]
VELOCITY = [
    y.dot - z * x.dot,
    np.cos(z) * y.dot - np.sin(z) * x.dot + np.sin(time),
    x.dot**2 + y.dot**2 - l,
    time * x * z.dot + np.exp(-y) * x.dot * y.dot,
]


def motion(t):
    """A smooth motion: q, v and a at time t."""
    w = np.array([1.3, 0.7, 2.1])
    phase = np.array([0.2, 1.1, -0.4])
    q = np.sin(w * t + phase) + 0.3 * t
    v = w * np.cos(w * t + phase) + 0.3
    a = -(w**2) * np.sin(w * t + phase)
    return q, v, a


def along(formulas, t):
    q, v, _ = motion(t)
    values = dict(zip(Q, q, strict=True)) | {s.dot: e for s, e in zip(Q, v, strict=True)}
    return np.array(evaluate(formulas, values | {time: t}), dtype=float)


def difference(formulas, t, h=1e-3):
    """Fourth-order central difference: error about eps/h + h^4."""
    f = [along(formulas, t + k * h) for k in (-2, -1, 1, 2)]
    return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h)


def matrix(rows, t):
    return np.array([along(row, t) for row in rows.J])


@pytest.mark.parametrize("t", [0.0, 0.4, 1.7])
def test_holonomic_rows_along_a_motion(t):
    rows = holonomic_rows(HOLONOMIC, Q)
    _, v, a = motion(t)
    J = matrix(rows, t)
    np.testing.assert_allclose(along(rows.phi_dot, t), difference(rows.phi, t), atol=1e-9)
    np.testing.assert_allclose(along(rows.phi_dot, t), J @ v + along(rows.phi_t, t), atol=1e-13)
    # phi'' = J v' - rhs_a
    np.testing.assert_allclose(J @ a - along(rows.rhs_a, t), difference(rows.phi_dot, t), atol=1e-8)
    assert rows.kind == "holonomic"
    assert all(rows.linear)


@pytest.mark.parametrize("t", [0.0, 0.4, 1.7])
def test_velocity_rows_along_a_motion(t):
    rows = velocity_rows(VELOCITY, Q)
    _, v, a = motion(t)
    J = matrix(rows, t)
    np.testing.assert_allclose(J @ a - along(rows.rhs_a, t), difference(rows.phi_dot, t), atol=1e-8)
    np.testing.assert_allclose(along(rows.phi_dot, t), J @ v + along(rows.phi_t, t), atol=1e-13)
    assert rows.phi == []
    assert rows.linear == [True, True, False, False]


def test_jacobian_is_the_derivative_of_the_velocity_residual():
    for rows in (holonomic_rows(HOLONOMIC, Q), velocity_rows(VELOCITY, Q)):
        q, v, _ = motion(0.3)
        J = matrix(rows, 0.3)
        values = dict(zip(Q, q, strict=True)) | {time: 0.3}
        for k in range(3):
            h = 1e-6
            f = []
            for sign in (1, -1):
                w = v.copy()
                w[k] += sign * h
                at = values | {s.dot: e for s, e in zip(Q, w, strict=True)}
                f.append(np.array(evaluate(rows.phi_dot, at)))
            np.testing.assert_allclose(J[:, k], (f[0] - f[1]) / (2 * h), atol=1e-8)


def test_kinds_and_refusals():
    assert kind_of(x * time) == "holonomic"
    assert kind_of(x * y.dot) == "velocity"
    with pytest.raises(FormulaError, match="contains a velocity"):
        holonomic_rows([x.dot], Q)
    with pytest.raises(FormulaError, match="contains no coordinate"):
        holonomic_rows([x - x + time], Q)
    with pytest.raises(FormulaError, match="contains no velocity"):
        velocity_rows([x], Q)
    with pytest.raises(FormulaError, match=r"row 1.*contains 'z'"):
        holonomic_rows([x, z], [x, y])


def test_as_rows_flattens():
    rows = as_rows([x, [y, np.array([[z, 2.0], [x, y]])], (1,)], "constraint 'c'")
    assert rows == [x, y, z, as_expression(2.0), x, y, as_expression(1)]
    assert as_rows(x, "c") == [x]
    assert as_rows(np.array(x), "c") == [x]


@pytest.mark.parametrize(
    "bad", ["x - 1", True, np.bool_(True), float("nan"), np.inf, 1j, None, x > 0]
)
def test_as_rows_refuses(bad):
    with pytest.raises(FormulaError, match=r"constraint 'mount'\[1\]"):
        as_rows([x, bad], "constraint 'mount'")
