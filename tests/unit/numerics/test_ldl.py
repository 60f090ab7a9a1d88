"""Square-root-free Cholesky against NumPy, compiled and interpreted."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.lives import lives

from dalembert.numerics.ldl import (
    first_bad_pivot,
    ldl_backward,
    ldl_factor,
    ldl_forward,
    ldl_solve,
)

EPS = np.finfo(float).eps


def positive_definite(n, seed, condition=1e3):
    """Random matrix with eigenvalues spread over `condition`."""
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.standard_normal((n, n)))
    return (Q * np.logspace(0, np.log10(condition), n)) @ Q.T


def factored(A):
    n = len(A)
    L, pivot, inverse = np.full((n, n), np.nan), np.full(n, np.nan), np.full(n, np.nan)
    # Only the lower triangle may be read: the model writes no other.
    lower = np.where(np.tri(n, dtype=bool), A, np.nan)
    ldl_factor(n, lower, L, pivot, inverse)
    return L, pivot, inverse


def unit_lower(L):
    return np.tril(L, -1) + np.eye(len(L))


@lives
@pytest.mark.parametrize("n", [1, 2, 3, 5, 9])
def test_factors_give_the_matrix_back(n, life):
    A = positive_definite(n, seed=n)
    with life():
        L, pivot, inverse = factored(A)
    assert np.abs((unit_lower(L) * pivot) @ unit_lower(L).T - A).max() <= 4 * n * EPS * A.max()
    assert np.all(pivot > 0)
    assert np.abs(inverse * pivot - 1).max() <= EPS


@lives
@pytest.mark.parametrize("n", [1, 2, 3, 5, 9])
def test_solve_is_the_inverse(n, life):
    A = positive_definite(n, seed=10 + n)
    b = np.random.default_rng(n).standard_normal(n)
    expected = np.linalg.solve(A, b)
    x = b.copy()
    with life():
        L, _, inverse = factored(A)
        ldl_solve(n, L, inverse, x)
    assert np.abs(x - expected).max() <= 10 * n * EPS * np.linalg.cond(A) * np.abs(expected).max()


@lives
def test_forward_and_backward_are_the_two_triangles(life):
    n, A = 4, positive_definite(4, seed=3)
    b = np.arange(1.0, 5.0)
    x, y = b.copy(), b.copy()
    with life():
        L, _, _ = factored(A)
        ldl_forward(n, L, x)
        ldl_backward(n, L, y)
    assert np.allclose(unit_lower(L) @ x, b, rtol=0, atol=100 * EPS * np.abs(x).max())
    assert np.allclose(unit_lower(L).T @ y, b, rtol=0, atol=100 * EPS * np.abs(y).max())


@lives
def test_nothing_to_do_for_no_unknowns(life):
    empty, none = np.zeros((0, 0)), np.zeros(0)
    with life():
        ldl_factor(0, empty, empty, none, none)
        ldl_solve(0, empty, none, none)
        assert first_bad_pivot(0, empty, none) == -1


@lives
@pytest.mark.parametrize(
    ("A", "bad"),
    [
        (np.diag([1.0, 2.0]), -1),
        (np.diag([0.0, 1.0]), 0),
        (np.diag([1.0, 0.0, 3.0]), 1),
        (np.diag([1.0, -2.0]), 1),
        (np.ones((2, 2)), 1),  # semidefinite
        (np.array([[1.0, 2.0], [2.0, 1.0]]), 1),  # indefinite
        (np.array([[np.nan, 0.0], [0.0, 1.0]]), 0),
        (np.diag([1e-30, 1e30]), -1),  # badly scaled is not singular
        (np.array([[1.0, 1.0], [1.0, 1.0 + EPS]]), 1),  # rounding cannot tell
    ],
)
def test_the_first_bad_pivot_is_named(A, bad, life):
    with life(), np.errstate(all="ignore"):
        _, pivot, _ = factored(A)
        assert first_bad_pivot(len(A), A, pivot) == bad
