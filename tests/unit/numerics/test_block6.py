"""Vectors of six and 6 x 6 blocks against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.lives import lives

from dalembert._jit import kernel
from dalembert.numerics.block6 import Block6, Vec6, invert_both, invert_lower, put_vec6, vec6

EPS = np.finfo(float).eps


@kernel
def products(x, y):
    """B u, B^T u, u - 2 v and u . v of a block and two vectors behind it."""
    B, u, v = Block6(x, 0), vec6(x, 36), vec6(x, 42)
    put_vec6(y, 0, B.times(u))
    put_vec6(y, 6, B.transposed_times(u))
    put_vec6(y, 12, u - 2.0 * v)
    put_vec6(y, 18, -u + Vec6.zero())
    return u.dot(v)


@kernel
def changes(x):
    """A -= S^T B; S += u v^T; B += u v^T + v u^T + u u^T."""
    A, S, B, u, v = Block6(x, 0), Block6(x, 36), Block6(x, 72), vec6(x, 108), vec6(x, 114)
    A.subtract_product(S, B)
    S.add_dyad(u, v)
    B.add_dyads(u, v, v, u, u, u)


@kernel
def divisions(x):
    """B <- L^-1 B, C <- L'^-1 C, D <- U^-T D with the inverses in the first two blocks."""
    X, Y = Block6(x, 0), Block6(x, 36)
    B, C, D = Block6(x, 72), Block6(x, 108), Block6(x, 144)
    B.divide(X)
    C.divide_lower(Y)
    D.divide_upper(Y)
    put_vec6(x, 180, Y.lower_times(vec6(x, 180)))
    put_vec6(x, 186, Y.upper_times(vec6(x, 186)))


def numbers(count, seed):
    return np.random.default_rng(seed).standard_normal(count)


@lives
def test_products(life):
    x, y = numbers(48, 1), np.zeros(24)
    B, u, v = x[:36].reshape(6, 6), x[36:42], x[42:]
    with life():
        dot = products(x, y)
    assert dot == pytest.approx(u @ v, rel=20 * EPS)
    assert y == pytest.approx(np.concatenate([B @ u, B.T @ u, u - 2 * v, -u]), abs=50 * EPS)


@lives
def test_changes(life):
    x = numbers(120, 2)
    A, S, B = x[:108].reshape(3, 6, 6).copy()
    u, v = x[108:114].copy(), x[114:].copy()
    with life():
        changes(x)
    wanted = [
        A - S.T @ B,
        S + np.outer(u, v),
        B + np.outer(u, v) + np.outer(v, u) + np.outer(u, u),
    ]
    assert x[:108] == pytest.approx(np.ravel(wanted), abs=100 * EPS)


@lives
def test_divisions(life):
    x = numbers(192, 3)
    root = numbers(36, 4).reshape(6, 6)
    A = root @ root.T + 6 * np.eye(6)
    W = A + 0.3 * numbers(36, 5).reshape(6, 6)
    x[:36], x[36:72] = np.tril(A).ravel(), W.ravel()
    B, C, D = x[72:180].reshape(3, 6, 6).copy()
    u, v = x[180:186].copy(), x[186:].copy()
    L = np.linalg.cholesky(A)
    lower, upper = np.eye(6), W.copy()
    for k in range(6):
        lower[k + 1 :, k] = upper[k + 1 :, k] / upper[k, k]
        upper[k + 1 :] -= np.outer(lower[k + 1 :, k], upper[k])
    with life():
        assert invert_lower(x, 0) == pytest.approx(np.diag(L).min() ** 2, rel=1e3 * EPS)
        assert invert_both(x, 36) == pytest.approx(np.abs(np.diag(upper)).min(), rel=1e3 * EPS)
        divisions(x)
    assert x[:36] == pytest.approx(np.linalg.inv(L).ravel(), abs=1e3 * EPS)
    solved = [np.linalg.solve(L, B), np.linalg.solve(lower, C), np.linalg.solve(upper.T, D)]
    assert x[72:180] == pytest.approx(np.ravel(solved), abs=1e4 * EPS)
    ends = [np.linalg.solve(lower, u), np.linalg.solve(upper, v)]
    assert x[180:] == pytest.approx(np.ravel(ends), abs=1e4 * EPS)
