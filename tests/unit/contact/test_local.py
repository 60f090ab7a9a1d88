"""One contact alone: every W, every case."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dalembert._jit import COMPILED, kernel
from dalembert.contact.local import contact, inverse_of
from dalembert.contact.projections import cone
from dalembert.numerics.small import put_vector, symmetric, vector


@kernel
def _times(W, x):
    return (
        W[0] * x[0] + W[1] * x[1] + W[2] * x[2],
        W[1] * x[0] + W[3] * x[1] + W[4] * x[2],
        W[2] * x[0] + W[4] * x[1] + W[5] * x[2],
    )


@kernel
def run(responses, q, mu, lam, residual):
    """Solve each contact from zero, once more from its answer, and measure the natural map."""
    for k in range(len(mu)):
        W, free = symmetric(responses, 6 * k), vector(q, 3 * k)
        inverse, x = inverse_of(W), (0.0, 0.0, 0.0)
        u = free
        for _ in range(2):
            x = contact(W, inverse, u, x, mu[k])
            y = _times(W, x)
            u = (free[0] + y[0], free[1] + y[1], free[2] + y[2])
        put_vector(lam, 3 * k, x)
        w = (W[0] + W[3] + W[5]) / 3.0
        shift = mu[k] * math.sqrt(u[1] * u[1] + u[2] * u[2])
        z = (w * x[0] - u[0] - shift, w * x[1] - u[1], w * x[2] - u[2])
        g = cone(z, w, w, mu[k])
        a, b, c = x[0] - g[0], x[1] - g[1], x[2] - g[2]
        size = math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
        residual[k] = w * math.sqrt(a * a + b * b + c * c) / (1.0 + w * size)


def random_responses(rng, count, condition):
    Q, _ = np.linalg.qr(rng.normal(size=(count, 3, 3)))
    d = condition ** rng.uniform(-1, 0, size=(count, 3))
    d[:, 0], d[:, 1] = 1.0, 1.0 / condition
    W = np.einsum("nij,nj,nkj->nik", Q, d, Q)
    i, j = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, 2, 1, 2, 2])
    return W, np.ascontiguousarray(W[:, i, j]).ravel()


@pytest.mark.parametrize("condition", [1.0, 1e2, 1e4, 1e6, 1e8])
def test_random_responses(condition):
    rng = np.random.default_rng(int(condition))
    count = 200_000 if COMPILED else 300
    W, packed = random_responses(rng, count, condition)
    q, mu = rng.normal(size=3 * count), rng.uniform(0, 2, count)
    mu[: count // 50] = 0.0
    lam, residual = np.zeros(3 * count), np.zeros(count)
    run(packed, q, mu, lam, residual)
    assert residual.max() < 1e-10
    x, u = lam.reshape(-1, 3), np.einsum("nij,nj->ni", W, lam.reshape(-1, 3)) + q.reshape(-1, 3)
    t, slip = np.hypot(x[:, 1], x[:, 2]), np.hypot(u[:, 1], u[:, 2])
    scale = 1 + np.abs(x).max(axis=1)
    assert (t <= mu * x[:, 0] * (1 + 1e-9) + 1e-12 * scale).all()
    assert (u[:, 0] >= -1e-10 * scale).all()
    # All three cases are met.
    states = (x[:, 0] <= 0).mean(), ((x[:, 0] > 0) & (slip > 1e-6 * scale)).mean()
    assert min(states) > 0.05
    assert ((x[:, 0] > 0) & (slip <= 1e-9 * scale)).mean() > 0.02


def test_inverse():
    rng = np.random.default_rng(2)
    W, packed = random_responses(rng, 50, 1e3)
    for k in range(50):
        g = inverse_of.function(tuple(packed[6 * k : 6 * k + 6]))
        X = np.array([[g[0], g[1], g[2]], [g[1], g[3], g[4]], [g[2], g[4], g[5]]])
        assert pytest.approx(np.linalg.inv(W[k]), rel=1e-9, abs=1e-9) == X


def test_direction_without_response_gets_no_impulse():
    assert inverse_of.function((2.0, 0.0, 0.0, 0.5, 0.0, 0.0)) == (0.5, 0, 0, 2.0, 0, 0)


def rod(angle, mu, speed):
    """W and q of the end of a falling rod: Painleve's problem. Columns n (up), t1, t2."""
    length, step = 0.5, 1e-3
    arm = np.array([-length * math.cos(angle), 0.0, -length * math.sin(angle)])
    inverse_inertia = 3.0 / length**2
    J = np.zeros((3, 3))
    # v_x, v_z, omega_y in a plane: velocity of the end is v + omega x arm.
    J[0] = [0.0, 1.0, -arm[0]]
    J[1] = [1.0, 0.0, arm[2]]
    W = J @ np.diag([1.0, 1.0, inverse_inertia]) @ J.T
    W[2, 2] = 1.0
    q = np.array([-9.81 * step, speed, 0.0])
    return W, q


def test_painleve():
    """A root exists where the reduced inertia W_nn - mu W_nt is negative, too."""
    cases = [
        (math.radians(angle), mu, speed)
        for angle in np.linspace(5, 85, 30)
        for mu in np.linspace(0.3, 4.0, 15)
        for speed in (5.0, -5.0, 0.1, -0.1)
    ]
    packed, q, mu, jammed = [], [], [], 0
    for case in cases:
        W, free = rod(*case)
        packed += [W[0, 0], W[0, 1], W[0, 2], W[1, 1], W[1, 2], W[2, 2]]
        q += list(free)
        mu.append(case[1])
        jammed += W[0, 0] < case[1] * abs(W[0, 1])
    lam, residual = np.zeros(3 * len(cases)), np.zeros(len(cases))
    run(np.array(packed), np.array(q), np.array(mu), lam, residual)
    assert len(cases) == 1800
    assert jammed > 100
    assert residual.max() < 1e-9
