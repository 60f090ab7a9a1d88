"""Equations of methods 5.6 and 5.7 are those of 4.1 and 5.2 in other words."""

from __future__ import annotations

import numpy as np
import pytest

import dalembert as dl

EPS = np.finfo(float).eps


def drawn(seed, redundant):
    """M, J, Q, b_v of random systems with 6 velocities and 3 independent rows."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(6, 6))
    J, b = rng.normal(size=(3, 6)), rng.normal(size=3)
    if redundant:
        mix = rng.normal(size=(5, 3))
        J, b = mix @ J, mix @ b
    return A @ A.T + np.eye(6), J, rng.normal(size=6), b


def null_basis(J):
    return np.linalg.svd(J)[2][np.linalg.matrix_rank(J) :].T


@pytest.mark.parametrize("redundant", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_three_forms_of_the_same_acceleration(seed, redundant):
    M, J, Q, b = drawn(seed, redundant)
    a, lam = dl.constraint_forces(M, J, Q, b)
    room = 100 * EPS * np.linalg.cond(M) * np.linalg.cond(J[:3]) * max(1.0, np.abs(a).max())
    # Blajer: D^T M v' = D^T Q, J v' = b_v.
    D = null_basis(J)
    blajer = np.linalg.lstsq(np.vstack([D.T @ M, J]), np.concatenate([D.T @ Q, b]))[0]
    assert np.abs(blajer - a).max() <= room
    # Aghili: (P M + mu (1 - P)) v' = P Q + mu J^+ b_v, for any mu.
    P = np.eye(6) - np.linalg.pinv(J) @ J
    assert P == pytest.approx(D @ D.T, abs=room)
    for mu in (0.1, 1.0, 10.0):
        Mc = P @ M + mu * (np.eye(6) - P)
        assert np.abs(np.linalg.solve(Mc, P @ Q + mu * np.linalg.pinv(J) @ b) - a).max() <= room
    # Multipliers of least length are the same, too.
    least = np.linalg.pinv(J.T) @ (M @ a - Q)
    assert np.abs(least - lam).max() <= room * np.abs(M).max() * max(1.0, np.abs(lam).max())


def test_the_constraint_inertia_matrix_is_regular_where_the_mass_matrix_is_not():
    # A massless coordinate x that a row ties to a mass y: x = y.
    M, J = np.diag([0.0, 2.0]), np.array([[1.0, -1.0]])
    P = np.eye(2) - np.linalg.pinv(J) @ J
    a = np.linalg.solve(P @ M + np.eye(2) - P, P @ np.array([4.0, 0.0]))
    assert a == pytest.approx([2.0, 2.0])  # 2 kg under 4 N


def bars():
    """Two bars through their pivots, off the constraints by 1e-4 after an Euler step."""
    M = np.diag([1.0, 1.0, 3.0, 3.0])

    def phi(q):
        return np.array([q[:2] @ q[:2] - 1, (q[2:] - q[:2]) @ (q[2:] - q[:2]) - 1])

    def J(q):
        d = q[2:] - q[:2]
        return 2 * np.array([[q[0], q[1], 0, 0], [-d[0], -d[1], d[0], d[1]]])

    return M, phi, J


def along(M, phi, J, q, directions):
    """q + M^-1 J^T nu on the constraints, J that of the directions."""
    B = np.linalg.solve(M, J(directions).T)
    for _ in range(20):
        q = q - B @ np.linalg.solve(J(q) @ B, phi(q))
    return q


def test_blajers_elimination_of_the_violation_is_the_projection_in_the_mass_norm():
    M, phi, J = bars()
    q = np.array([0.6, -0.8, 1.2, -1.6]) + 1e-3 * np.array([1.0, -2.0, 0.5, 3.0])
    found = q
    for _ in range(6):
        B = np.linalg.solve(M, J(found).T)
        found = found - B @ np.linalg.solve(J(found) @ B, phi(found))
    assert np.abs(found - dl.project_position(phi, J, q, M)).max() <= 1e-14


def test_ten_dams_correction_differs_by_the_step_times_the_correction():
    M, phi, J = bars()
    start = np.array([0.6, -0.8, 1.2, -1.6])
    v = np.array([0.8, 0.6, 2.0, 1.5])  # meets both rows
    assert np.abs(J(start) @ v).max() <= 10 * EPS
    gaps, corrections = [], []
    for h in (1e-2, 5e-3):
        q = start + h * v
        end = dl.project_position(phi, J, q, M)
        gaps.append(np.abs(along(M, phi, J, q, start) - end).max())
        corrections.append(np.abs(end - q).max())
    assert np.log2(corrections[0] / corrections[1]) == pytest.approx(2, abs=0.1)
    assert np.log2(gaps[0] / gaps[1]) == pytest.approx(3, abs=0.1)
