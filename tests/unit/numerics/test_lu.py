"""LU with partial pivoting against NumPy, compiled and interpreted."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.lives import lives

from dalembert.numerics.lu import lu_factor, lu_solve

EPS = np.finfo(float).eps


def solved(A, b, tolerance=1e-14):
    n = len(A)
    LU, order, x = A.copy(), np.zeros(n), b.copy()
    status = lu_factor(n, LU, tolerance, order)
    if status < 0:
        lu_solve(n, LU, order, x)
    return status, x


@lives
@pytest.mark.parametrize("n", [1, 2, 3, 6, 12])
def test_random_systems(n, life):
    rng = np.random.default_rng(n)
    A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
    expected = np.linalg.solve(A, b)
    with life():
        status, x = solved(A, b)
    assert status == -1
    assert np.abs(x - expected).max() <= 10 * n * EPS * np.linalg.cond(A) * np.abs(expected).max()


@lives
@pytest.mark.parametrize(("n", "m"), [(2, 1), (4, 2), (6, 5)])
def test_saddle_point_systems_need_pivoting(n, m, life):
    rng = np.random.default_rng(n)
    J = rng.standard_normal((m, n))
    K = np.block([[np.eye(n) * 3.0, -J.T], [J, np.zeros((m, m))]])
    b = rng.standard_normal(n + m)
    with life():
        status, x = solved(K, b)
    assert status == -1
    assert np.abs(K @ x - b).max() <= 100 * (n + m) * EPS * np.linalg.cond(K) * np.abs(b).max()


@lives
def test_a_zero_in_the_corner_is_no_obstacle(life):
    A = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 0.0], [3.0, 1.0, 0.0]])
    b = np.array([1.0, 2.0, 3.0])
    with life():
        status, x = solved(A, b)
    assert status == -1
    assert np.allclose(A @ x, b, rtol=0, atol=50 * EPS)


@lives
@pytest.mark.parametrize(
    ("A", "column"),
    [
        (np.zeros((1, 1)), 0),
        (np.zeros((3, 3)), 0),
        (np.ones((2, 2)), 1),
        (np.diag([1.0, 2.0, 0.0]), 2),
        (np.array([[1.0, 2.0], [0.5, 1.0]]), 1),
        (np.array([[np.nan]]), 0),
    ],
)
def test_the_vanished_column_is_returned(A, column, life):
    with life(), np.errstate(all="ignore"):
        status, _ = solved(A, np.ones(len(A)))
    assert status == column


@lives
def test_the_tolerance_is_relative_to_the_largest_entry(life):
    A = 1e8 * np.diag([1.0, 1e-10])
    with life():
        assert solved(A, np.ones(2), tolerance=1e-9)[0] == 1
        assert solved(A, np.ones(2), tolerance=1e-11)[0] == -1


@lives
def test_no_unknowns(life):
    with life():
        assert solved(np.zeros((0, 0)), np.zeros(0))[0] == -1
