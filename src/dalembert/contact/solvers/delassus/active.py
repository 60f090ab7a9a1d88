"""Unknowns of a step over contacts given by W: what is active, and W over it.

    dx = B y + (what is known),      rows R (W dx + ...),       M = R W B

One unknown for every row of a contact that sticks; for one that slides along t its normal, which
takes friction along, B = (1, mu t), R = (1, 0), and the direction s across t, B = R = (0, s).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as sla

Array = np.ndarray


@dataclass(frozen=True)
class Active:
    """Rows of what sticks; of what slides normals and mu t; where it turns first rows and s."""

    rows: int
    stuck: Array
    normal: Array
    friction: Array
    turning: Array
    across: Array

    def expand(self, y: Array) -> Array:
        """B y."""
        dx = np.zeros(self.rows)
        k, m = len(self.stuck), len(self.stuck) + len(self.normal)
        dx[self.stuck] = y[:k]
        dx[self.normal] = y[k:m]
        for j in range(self.friction.shape[1]):
            dx[self.normal + 1 + j] += self.friction[:, j] * y[k:m]
            if len(self.turning):
                dx[self.turning + 1 + j] += self.across[:, j] * y[m:]
        return dx

    def restrict(self, f: Array) -> Array:
        """R f, of a vector or of the rows of a matrix."""
        parts = [f[self.stuck], f[self.normal]]
        if len(self.turning):
            s = self.across.T if f.ndim == 1 else self.across.T[:, :, None]
            parts.append(s[0] * f[self.turning + 1] + s[1] * f[self.turning + 2])
        return np.concatenate(parts)

    def matrix(self, W: Array, diagonal: Array) -> Array:
        """R W B + diagonal; W by columns, and so is the result."""
        k, m = len(self.stuck), len(self.stuck) + len(self.normal)
        M = np.empty((len(diagonal), self.rows))
        by_columns = W.T
        M[:k] = by_columns[self.stuck]
        M[k:m] = by_columns[self.normal]
        for j in range(self.friction.shape[1]):
            if len(self.normal):
                M[k:m] += self.friction[:, j, None] * by_columns[self.normal + 1 + j]
        if len(self.turning):
            M[m:] = self.across[:, 0, None] * by_columns[self.turning + 1]
            M[m:] += self.across[:, 1, None] * by_columns[self.turning + 2]
        small = np.empty((len(diagonal), len(diagonal)))
        small[:, :k] = M[:, self.stuck]
        small[:, k:m] = M[:, self.normal]
        if len(self.turning):
            small[:, m:] = self.across[:, 0] * M[:, self.turning + 1]
            small[:, m:] += self.across[:, 1] * M[:, self.turning + 2]
        small[np.diag_indices(len(diagonal))] += diagonal
        return small.T

    def sparse_matrix(self, W: sp.csc_array, diagonal: Array) -> sp.csc_array:
        """R W B + diagonal, sparse."""
        k, m = len(self.stuck), len(self.stuck) + len(self.normal)
        right = [(self.stuck, np.arange(k), np.ones(k))]
        right.append((self.normal, np.arange(k, m), np.ones(m - k)))
        left = list(right)
        for j in range(self.friction.shape[1]):
            right.append((self.normal + 1 + j, np.arange(k, m), self.friction[:, j]))
            if len(self.turning):
                beyond = (self.turning + 1 + j, np.arange(m, len(diagonal)), self.across[:, j])
                right.append(beyond)
                left.append(beyond)
        R, B = (_sparse(parts, (self.rows, len(diagonal))) for parts in (left, right))
        return sp.csc_array(R.T @ (W @ B) + sp.diags_array(diagonal))


def _sparse(parts: list[tuple[Array, Array, Array]], shape: tuple[int, int]) -> sp.csc_array:
    rows, columns, values = (np.concatenate(x) for x in zip(*parts, strict=True))
    return sp.csc_array((values, (rows, columns)), shape=shape)


def solved(M: Array | sp.csc_array, right: Array) -> Array | None:
    """M^-1 right; None where M is singular or a number is bad."""
    if not isinstance(M, np.ndarray):
        try:
            found = np.asarray(sla.splu(M).solve(right))
        except RuntimeError:
            return None
    else:
        factor, pivots, info = la.lapack.dgetrf(M, overwrite_a=True)
        if info != 0:
            return None
        found, _ = la.lapack.dgetrs(factor, pivots, right)
    return found if np.isfinite(found).all() else None
