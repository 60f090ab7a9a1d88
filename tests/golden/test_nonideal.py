"""Nonideal constraints (methods 2.2): Udwadia & Kalaba's formula, and motions in closed form."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl

EPS = np.finfo(float).eps


@pytest.mark.parametrize("redundant", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_formula_with_square_roots_of_the_mass_matrix(seed, redundant):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(5, 5))
    M, J, b = A @ A.T + np.eye(5), rng.normal(size=(2, 5)), rng.normal(size=2)
    if redundant:
        J, b = np.vstack([J, J[0] + J[1]]), np.append(b, b[0] + b[1])
    Q, C, w = rng.normal(size=(3, 5))
    values, vectors = np.linalg.eigh(M)
    root = vectors @ np.diag(np.sqrt(values)) @ vectors.T
    inverse = np.linalg.inv(root)
    B = J @ inverse
    a = np.linalg.solve(M, Q)
    ideal = root @ np.linalg.pinv(B) @ (b - J @ a)
    whole = ideal + root @ (np.eye(5) - np.linalg.pinv(B) @ B) @ inverse @ C
    found, lam = dl.constraint_forces(M, J, Q, b, nonideal=C)
    room = 1e3 * EPS * np.linalg.cond(M) * np.linalg.cond(J[:2]) * np.abs(whole).max()
    assert np.abs(M @ found - Q - whole).max() <= room
    assert np.abs(J.T @ lam - ideal).max() <= room
    # The rows hold, and the work on what they allow is that of C.
    assert np.abs(J @ found - b).max() <= room
    allowed = w - np.linalg.pinv(J) @ J @ w
    assert abs(allowed @ (M @ found - Q) - allowed @ C) <= room
    # A given C is a force: the same motion, other multipliers.
    forced, other = dl.constraint_forces(M, J, Q + C, b)
    assert np.abs(forced - found).max() <= room
    assert np.abs(J.T @ (lam - other)).max() > 1e-3


def rough_ring(mu, v0, until, h):
    """Speed of a bead on a rough ring of 1 m without weight, by RK4 with projections."""
    one, rest = np.eye(2), np.zeros(2)

    def rates(x):
        q, v = x[:2], x[2:]
        J, rhs = 2 * q[None, :], [-2 * v @ v]
        lam = dl.constraint_forces(one, J, rest, rhs)[1]
        friction = -mu * np.linalg.norm(J.T @ lam) * v / np.linalg.norm(v)
        return np.concatenate([v, dl.constraint_forces(one, J, rest, rhs, nonideal=friction)[0]])

    x = np.array([1.0, 0.0, 0.0, v0])
    for _ in range(round(until / h)):
        k1 = rates(x)
        k2 = rates(x + h / 2 * k1)
        k3 = rates(x + h / 2 * k2)
        k4 = rates(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        q = dl.project_position(lambda q: [q @ q - 1], lambda q: [2 * q], x[:2])
        x = np.concatenate([q, dl.project_velocity(one, [2 * q], x[2:])[0]])
    return float(np.linalg.norm(x[2:]))


def test_a_force_proportional_to_the_reaction():
    # v' = -mu v^2 / r, so v = v0 / (1 + mu v0 t / r); the error is that of RK4.
    mu, v0, until = 0.3, 2.0, 1.0
    exact = v0 / (1 + mu * v0 * until)
    errors = [abs(rough_ring(mu, v0, until, h) - exact) for h in (2e-2, 1e-2)]
    assert errors[1] <= 1e-8
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.3)


@pytest.mark.parametrize("method", [dl.Projection(), dl.PostStabilisation(), dl.Aghili()])
def test_a_force_proportional_to_the_velocity_is_a_force_of_the_model(method):
    # v' = -c v on the ring, v = v0 exp(-c t); the ring presses with v^2.
    x, y = dl.coordinates("x y")
    ring = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        forces={x: -0.5 * x.dot, y: -0.5 * y.dot},
        constraints={"ring": x**2 + y**2 - 1},
        initial={x: 1.0, y.dot: 2.0},
    )
    run = dl.simulate(ring, until=2.0, step=1e-2, method=method)
    speed = 2.0 * np.exp(-0.5 * run.t)
    assert np.abs(np.linalg.norm(run.v, axis=1) - speed).max() <= 1e-8
    assert np.abs(-2 * run.lam[:, 0] - speed**2).max() <= 1e-7
