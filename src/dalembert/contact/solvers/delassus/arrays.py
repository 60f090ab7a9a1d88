"""A problem given by W, q and mu, brought to the scale of one, as arrays for its solvers.

    x' = x omega / s,     W' = W / omega,     q' = q / s       omega, s powers of two near |W|, |q|

so that no unit of mass, length or time changes what the solvers do. W may be dense or sparse, and
need not be symmetric.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sp

from dalembert.contact.algebra.residuals import STILL
from dalembert.contact.solvers.delassus.active import Active, Array
from dalembert.contact.solvers.delassus.full import RESPONDS, Room, extent, give_back, scaled, taken
from dalembert.contact.solvers.delassus.rows import Contacts, figures, residual, times
from dalembert.contact.solvers.delassus.sweeps import local_responses, sweeps
from dalembert.contact.solvers.solver import power_of_two

SYMMETRIC = 1e-13
"""Part of its largest entry up to which W counts as symmetric."""

SPARSE, SPARSE_ROWS = 0.2, 300
"""Share of entries below which W is factored as a sparse matrix, and from how many rows on."""


class Given:
    """The scaled problem; `close` when it is no longer needed."""

    W: Array | sp.csc_array

    def __init__(self, W: Array | sp.csc_array, q: Array, mu: Array, dim: int) -> None:
        self.count, self.dim, self.entries = len(mu), dim, 0
        self._room: Room | None = None
        if isinstance(W, np.ndarray) and len(q) and 2 * np.count_nonzero(W) > W.size:
            self._begin_full(W, q, mu)
        else:
            self._begin(W, q, mu)
        self.is_dense = isinstance(self.W, np.ndarray)

    def _begin_full(self, W: Array, q: Array, mu: Array) -> None:
        """By compiled code, in arrays that are there already."""
        self._room = room = taken(self.count, self.dim)
        room.columns[:], room.q[:], room.mu[:], room.x[:] = W.T, q, mu, 0.0
        self.contacts = room.contacts
        own, free, largest, skew, total, least = extent(self.contacts)
        self.is_sound = math.isfinite(total) and least >= 0.0
        self.omega, self.speed = power_of_two(own), power_of_two(free)
        self.size = free / self.speed
        self.is_oblique = skew > SYMMETRIC * largest
        scaled(self.contacts, 1.0 / self.omega, 1.0 / self.speed, self.is_oblique)
        self.W, self.q, self.mu, self.weight = room.columns.T, room.q, mu, room.weight
        self.entries = W.size

    def _begin(self, W: Array | sp.csc_array, q: Array, mu: Array) -> None:
        """By runs of what is there of W."""
        dim = self.dim
        self.mu = np.ascontiguousarray(mu, dtype=float)
        blocks = _diagonal_blocks(W, self.count, dim)
        own = np.abs(np.trace(blocks, axis1=1, axis2=2)) / dim
        self.omega = power_of_two(float(own.mean()) if len(own) else 0.0)
        self.speed = power_of_two(float(np.linalg.norm(q)))
        self.W = _stored(W, self.count, dim) / self.omega
        self.q = q / self.speed
        self.size = float(np.linalg.norm(self.q))
        self.is_sound = bool(np.isfinite(self.size) and np.isfinite(W.sum()) and (mu >= 0.0).all())
        own = own / self.omega
        self.weight = np.where(own > RESPONDS * own.max(initial=0.0), own, 1.0)
        self.is_oblique = _highest(W - W.T) > SYMMETRIC * _highest(W)
        self.contacts = _packed(self, blocks / self.omega)
        local_responses(self.contacts)

    def close(self) -> None:
        """Leave the arrays to others; nothing of it can be used any more."""
        if self._room is not None:
            give_back(self._room, self.count, self.dim)
        self._room = None

    def figures(self, x: Array) -> tuple[Any, ...]:
        """Figures of x (`delassus.rows.figures`), in the units of the problem given."""
        self.contacts.x[:] = x
        found = figures(self.contacts, STILL / self.speed)
        s, power = self.speed, self.speed * (self.speed / self.omega)
        units = (s, s, power, s / self.omega, power, power, 1, 1)
        return tuple(value * unit for value, unit in zip(found, units, strict=True))

    def measure(self, x: Array) -> tuple[float, Array]:
        """Residual at x, and u = W x + q."""
        self.contacts.x[:] = x
        times(self.contacts)
        left = float(residual(self.contacts))
        return left, self.contacts.u.copy()

    def sweep(
        self, x: Array, tolerance: float, budget: int, allowance: float = math.inf
    ) -> tuple[Array, float, int]:
        """Gauss-Seidel from x: the best that was found, what is left of it, the sweeps."""
        self.contacts.x[:] = x
        done, left = sweeps(self.contacts, tolerance, budget, float(allowance))
        return self.contacts.x.copy(), float(left), int(done)

    def with_friction(self, mu: Array) -> Given:
        """Itself, with other coefficients of friction from now on."""
        self.mu = mu
        self.contacts.mu[:] = mu
        return self

    def product(self, x: Array) -> Array:
        """W x."""
        return np.asarray(self.W @ x)

    def over(self, active: Active, diagonal: Array) -> Array | sp.csc_array:
        """R W B + diagonal."""
        if isinstance(self.W, np.ndarray):
            return active.matrix(self.W, diagonal)
        return active.sparse_matrix(self.W, diagonal)


def _stored(W: Array | sp.csc_array, n: int, d: int) -> Array | sp.csc_array:
    """W dense or sparse, as suits its entries."""
    entries = np.count_nonzero(W) if isinstance(W, np.ndarray) else W.nnz
    if n * d < SPARSE_ROWS or entries > SPARSE * (n * d) ** 2:
        return W if isinstance(W, np.ndarray) else W.toarray()
    return sp.csc_array(W)


def _highest(W: Array | sp.csc_array) -> float:
    """Largest entry: in size that of a skew matrix, and of one that is nearly positive definite."""
    return float(W.max()) if min(W.shape) else 0.0


def _diagonal_blocks(W: Array | sp.csc_array, n: int, d: int) -> Array:
    """The contacts' own d x d of W."""
    if n == 0:
        return np.zeros((0, d, d))
    if isinstance(W, np.ndarray):
        return W.reshape(n, d, n, d)[np.arange(n), :, np.arange(n), :]
    index = d * np.arange(n)
    blocks = np.empty((n, d, d))
    for i in range(d):
        for j in range(d):
            blocks[:, i, j] = W.diagonal(j - i)[index + min(i, j)]
    return blocks


def _packed(given: Given, blocks: Array) -> Contacts:
    """The memory of `contact.solvers.delassus.rows`."""
    n, d = given.count, given.dim
    first, runs, entries = _runs(given.W, n, d)
    given.entries = entries.size
    contacts: Contacts = Contacts.with_room(n, d, len(runs), entries.size)
    contacts.columns[:] = entries
    contacts.first_run[:], contacts.run_table[:] = first, runs.ravel()
    contacts.oblique, contacts.plain = int(given.is_oblique), 1.0 / given.omega
    contacts.q[:], contacts.mu[:], contacts.weight[:] = given.q, given.mu, given.weight
    # of each contact two matrices, its response and the inverse
    contacts.own_table.reshape(n, 2, 3, 3)[:, 0, :d, :d] = blocks
    return contacts


def _runs(W: Array | sp.csc_array, n: int, d: int) -> tuple[Array, Array, Array]:
    """First run of every contact, runs (row, length, entry) and the entries of W by columns."""
    if isinstance(W, np.ndarray):
        columns = sp.csc_array((W.reshape(n, d, n, d) != 0.0).any(axis=(1, 3)))
    else:
        entries = W.tocoo()
        pairs = (entries.row // d, entries.col // d)
        columns = sp.csc_array((np.ones(entries.nnz), pairs), shape=(n, n))
        columns.sum_duplicates()
    return _sparse_runs(W, columns, d)


def _sparse_runs(
    W: Array | sp.csc_array, columns: sp.csc_array, d: int
) -> tuple[Array, Array, Array]:
    """As `_runs`, of the blocks that are there."""
    n = columns.shape[0]
    columns.sort_indices()
    row, column = columns.indices.astype(np.int64), np.repeat(np.arange(n), np.diff(columns.indptr))
    begins = np.ones(len(row), dtype=bool)
    begins[1:] = (np.diff(row) != 1) | (np.diff(column) != 0)
    start = np.flatnonzero(begins)
    length = np.diff(np.append(start, len(row)))
    first = np.concatenate([[0], np.cumsum(np.bincount(column[start], minlength=n))])
    at = d * d * start
    runs = np.column_stack([d * row[start], d * length, at])
    # entry (i, j) of the k-th block: behind its run's beginning, column j, row i
    run = np.cumsum(begins) - 1
    place = at[run][:, None, None] + d * (np.arange(len(row)) - start[run])[:, None, None]
    i, j = np.arange(d)[None, :, None], np.arange(d)[None, None, :]
    place = place + i + j * (d * length[run])[:, None, None]
    flat = np.zeros(d * d * len(row))
    if isinstance(W, np.ndarray):
        flat[place] = W.reshape(n, d, n, d)[row, :, column, :]
    else:
        entries = W.tocoo()
        block = sp.csc_array((np.arange(1, len(row) + 1), (row, column)), shape=(n, n))
        k = np.asarray(block[entries.row // d, entries.col // d]).ravel() - 1
        np.add.at(flat, place[k, entries.row % d, entries.col % d], entries.data)
    return first, runs, flat
