"""One contact alone: every W, every case."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dalembert._jit import COMPILED, kernel
from dalembert.contact.algebra.projections import cone
from dalembert.contact.solvers.single_contact import contact, inverse_of
from dalembert.numerics.matrix import Mat3, Sym3, mat3
from dalembert.numerics.vector import Vec3, put_vec3, vec3


@kernel
def run(responses, q, mu, lam, residual):
    """Solve each contact from zero, once more from its answer, and measure the natural map."""
    for k in range(len(mu)):
        W, free = Sym3.upper(mat3(responses, 9 * k)), vec3(q, 3 * k)
        inverse, x = inverse_of(W), Vec3.zero()
        u = free
        for _ in range(2):
            x = contact(W, inverse, u, x, mu[k])
            u = free + W @ x
        put_vec3(lam, 3 * k, x)
        w = (W.xx + W.yy + W.zz) / 3.0
        shift = mu[k] * math.sqrt(u.y * u.y + u.z * u.z)
        z = Vec3(w * x.x - u.x - shift, w * x.y - u.y, w * x.z - u.z)
        left = x - cone(z, w, w, mu[k])
        residual[k] = w * math.sqrt(left.dot(left)) / (1.0 + w * math.sqrt(x.dot(x)))


def random_responses(rng, count, condition):
    Q, _ = np.linalg.qr(rng.normal(size=(count, 3, 3)))
    d = condition ** rng.uniform(-1, 0, size=(count, 3))
    d[:, 0], d[:, 1] = 1.0, 1.0 / condition
    return np.einsum("nij,nj,nkj->nik", Q, d, Q)


@pytest.mark.parametrize("condition", [1.0, 1e2, 1e4, 1e6, 1e8])
def test_random_responses(condition):
    rng = np.random.default_rng(int(condition))
    count = 200_000 if COMPILED else 300
    W = random_responses(rng, count, condition)
    q, mu = rng.normal(size=3 * count), rng.uniform(0, 2, count)
    mu[: count // 50] = 0.0
    lam, residual = np.zeros(3 * count), np.zeros(count)
    run(W.ravel(), q, mu, lam, residual)
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
    for W in random_responses(rng, 50, 1e3):
        found = inverse_of.function(Sym3.upper(Mat3(*W.ravel())))
        X = np.array([[*found.x], [*found.y], [*found.z]])
        assert pytest.approx(np.linalg.inv(W), rel=1e-9, abs=1e-9) == X


def test_direction_without_response_gets_no_impulse():
    found = inverse_of.function(Sym3(2.0, 0.5, 0.0, 0.0, 0.0, 0.0))
    assert tuple(found) == (0.5, 2.0, 0, 0, 0, 0)


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
        packed += [*W.ravel()]
        q += list(free)
        mu.append(case[1])
        jammed += W[0, 0] < case[1] * abs(W[0, 1])
    lam, residual = np.zeros(3 * len(cases)), np.zeros(len(cases))
    run(np.array(packed), np.array(q), np.array(mu), lam, residual)
    assert len(cases) == 1800
    assert jammed > 100
    assert residual.max() < 1e-9
