"""Matrices and rows that `ContactProblem.from_delassus` and `from_mass` are given, looked at."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
import scipy.sparse.csgraph as graph

from dalembert.contact.solvers.delassus.active import Array
from dalembert.errors import MassMatrixError, ModelError

Matrix: TypeAlias = Any
"""A dense array, or a sparse one by columns (`scipy.sparse.csc_array`)."""

SMALL_BLOCK = 64
"""Velocities that M couples, up to which its inverse is written out."""


def matrix_of(where: str, name: str, values: Any) -> Matrix:
    """A dense or sparse matrix of finite numbers."""
    if sp.issparse(values):
        out = sp.csc_array(values, dtype=float)
        numbers = out.data
    else:
        out = np.array(values, dtype=float)
        numbers = out
        if out.ndim != 2:
            raise ModelError(f"{where}: {name} has {out.ndim} dimensions; give a matrix.")
    if not is_finite(numbers):
        raise ModelError(f"{where}: {name} holds NaN or infinity.")
    return out


def is_finite(numbers: Array) -> bool:
    """Whether there is no NaN and no infinity: a sum tells, unless it overflows itself."""
    return bool(np.isfinite(numbers.sum()) or np.isfinite(numbers).all())


def rows_of(where: str, q: Any, mu: Any, dimension: int | None) -> tuple[Array, Array, int]:
    """q, mu of every contact, and rows of a contact: 3, or 2 of a planar one."""
    free, friction = np.array(q, dtype=float).ravel(), np.array(mu, dtype=float).ravel()
    if dimension is None:
        dimension = 3
        if len(friction) > 0 and len(free) == 2 * len(friction) and np.ndim(mu) > 0:
            dimension = 2
    if dimension not in (2, 3):
        raise ModelError(f"{where}: dimension = {dimension!r}; a contact has 2 rows or 3.")
    count = len(free) // dimension
    if np.ndim(mu) == 0:
        friction = np.full(count, float(mu))
    if len(free) != dimension * len(friction):
        raise ModelError(
            f"{where}: q has {len(free)} entries and mu {len(friction)}; give {dimension} rows for "
            "every contact, the normal first."
        )
    if not np.isfinite(free).all():
        raise ModelError(f"{where}: q holds NaN or infinity.")
    if not (np.isfinite(friction).all() and (friction >= 0.0).all()):
        raise ModelError(f"{where}: mu is negative or not finite.")
    return free, friction, dimension


def start_of(where: str, lam0: Any, rows: int) -> Array:
    """Impulses to begin with; zeros where there are none."""
    if lam0 is None:
        return np.zeros(rows)
    start = np.array(lam0, dtype=float).ravel()
    if len(start) != rows or not np.isfinite(start).all():
        raise ModelError(f"{where}: lam0 must have {rows} finite entries.")
    return start


def inverse_times(M: Matrix, H: Matrix) -> Matrix:
    """M^-1 H; sparse where M couples few velocities. M need not be symmetric.

    Raises MassMatrixError where the symmetric part of M is not positive definite.
    """
    entries = sp.coo_array(M)
    number, label = graph.connected_components(sp.csr_array(entries), directed=False)
    sizes = np.bincount(label, minlength=number)
    if sizes.max(initial=0) <= SMALL_BLOCK and number > 1:
        inverse = _block_inverse(entries, label, sizes)
        return sp.csc_array(inverse @ sp.csc_array(H))
    full = M if isinstance(M, np.ndarray) else M.toarray()
    _require_positive(full[None], np.zeros(1, dtype=np.int64))
    dense = H if isinstance(H, np.ndarray) else H.toarray()
    return np.linalg.solve(full, dense)


def _block_inverse(entries: sp.coo_array, label: Array, sizes: Array) -> sp.csc_array:
    """M^-1 of the groups of velocities that M couples, all of one size at once."""
    order = np.argsort(label, kind="stable")
    start = np.concatenate([[0], np.cumsum(sizes)])
    place = np.empty(len(label), dtype=np.int64)
    place[order] = np.arange(len(label)) - np.repeat(start[:-1], sizes)
    row, column = entries.coords
    parts = []
    for size in np.unique(sizes):
        groups = np.flatnonzero(sizes == size)
        index = np.full(len(sizes), -1)
        index[groups] = np.arange(len(groups))
        here = index[label[row]] >= 0
        blocks = np.zeros((len(groups), size, size))
        at = (index[label[row[here]]], place[row[here]], place[column[here]])
        np.add.at(blocks, at, entries.data[here])
        members = order[start[groups][:, None] + np.arange(size)]
        _require_positive(blocks, members[:, 0])
        rows = np.broadcast_to(members[:, :, None], blocks.shape).ravel()
        columns = np.broadcast_to(members[:, None, :], blocks.shape).ravel()
        parts.append((np.linalg.inv(blocks).ravel(), rows, columns))
    values, rows, columns = (np.concatenate(x) for x in zip(*parts, strict=True))
    return sp.csc_array((values, (rows, columns)), shape=entries.shape)


def _require_positive(blocks: Array, first: Array) -> None:
    """Refuse blocks whose symmetric part is not positive definite; first: a velocity of each."""
    symmetric = 0.5 * (blocks + blocks.transpose(0, 2, 1))
    try:
        np.linalg.cholesky(symmetric)
    except np.linalg.LinAlgError:
        least = np.linalg.eigvalsh(symmetric)[:, 0]
        raise MassMatrixError(
            f"from_mass: M is not positive definite, near velocity {int(first[least.argmin()])}. "
            "Give every velocity a positive mass."
        ) from None


def skewness(W: Matrix) -> float:
    """Largest difference of W and its transpose, over its largest entry."""
    largest = float(abs(W).max()) if min(W.shape) else 0.0
    return float(abs(W - W.T).max()) / largest if largest > 0.0 else 0.0
