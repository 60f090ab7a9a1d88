"""Lemke's method on problems whose answer is known, is checked, or does not exist."""

from __future__ import annotations

import numpy as np
import pytest

from dalembert._jit import interpreted
from dalembert.contact.solvers.comparison.pivoting import (
    RAY,
    SOLVED,
    TOO_LONG,
    floats_of_pivoting,
    lemke_pivots,
)

EPS = np.finfo(float).eps


def solve(M, q, budget=10000):
    M, q = np.array(M, dtype=float), np.array(q, dtype=float)
    n = len(q)
    z = np.full(n, np.nan)
    status, pivots = lemke_pivots(M, q, z, budget, np.zeros(floats_of_pivoting(n)))
    return z, status, pivots


def error(M, q, z):
    w = np.asarray(M) @ z + q
    return max(-w.min(), -z.min(), np.abs(w * z).max())


def test_a_nonnegative_right_side_needs_no_pivot():
    z, status, pivots = solve(np.eye(3), [1.0, 0.0, 2.0])
    assert status == SOLVED
    assert pivots == 0
    assert np.all(z == 0)


def test_the_rod_that_strikes_twice():
    """Errata E5: of two contacts the second opens."""
    z, status, _ = solve([[19 / 15, 11 / 15], [11 / 15, 19 / 15]], [-3.0, -0.5])
    assert status == SOLVED
    assert z == pytest.approx([45 / 19, 0.0], rel=1e-15)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n", [1, 4, 30])
def test_positive_definite_problems(n, seed):
    rng = np.random.default_rng(seed)
    B = rng.standard_normal((n, n))
    M, q = B @ B.T / n + 0.01 * np.eye(n), rng.standard_normal(n)
    z, status, _ = solve(M, q)
    assert status == SOLVED
    assert error(M, q, z) <= 1e3 * EPS * np.linalg.cond(M)


@pytest.mark.parametrize("seed", range(20))
def test_singular_problems_with_many_ties(seed):
    """Redundant contacts: rows repeated, right-hand sides equal. Cycling would never end."""
    rng = np.random.default_rng(seed)
    J = np.repeat(rng.integers(-1, 2, (5, 3)), 4, axis=0).astype(float)
    J = J[np.abs(J).sum(axis=1) > 0]
    M = J @ J.T
    q = J @ rng.integers(-2, 2, 3)  # some velocity undoes it
    z, status, _ = solve(M, q, 2000)
    assert status == SOLVED
    assert error(M, q, z) <= 1e-12


def test_the_same_as_plain_python():
    rng = np.random.default_rng(1)
    B = rng.standard_normal((6, 6))
    M, q = B @ B.T, rng.standard_normal(6)
    compiled, *_ = solve(M, q)
    with interpreted():
        plain, *_ = solve(M, q)
    assert compiled == pytest.approx(plain, rel=1e-13)  # products and sums are fused


def test_no_solution_is_a_ray():
    z, status, _ = solve([[-1.0]], [-1.0])
    assert status == RAY
    assert np.all(np.isfinite(z))


def test_the_budget_is_kept():
    M = np.eye(6) + 0.1
    _, status, pivots = solve(M, -np.arange(1.0, 7.0), budget=3)
    assert status == TOO_LONG
    assert pivots == 3
