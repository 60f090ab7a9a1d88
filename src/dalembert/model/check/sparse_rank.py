"""Rank of the rows of a large model of bodies.

What hangs on one joint alone is cut off first, joint by joint: with the columns of that body last,

    J = [A B; C 0]     has the rank   rank(B) + rank(C)     where the rows of B are independent,

whatever A is. A tree is so counted exactly, however long; a chain of n bodies has singular values
down to 1/n^2, which no threshold tells from rounding. For the loops that are left, J J^T - s has as
many negative pivots as J J^T eigenvalues below s (Sylvester's law of inertia).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.model.start.linearised import Linearised
from dalembert.model.start.rows_numpy import Rows

Array = npt.NDArray[np.float64]

DEPENDENT = 1e-7
"""New part of a row of unit size, below which it depends on others."""

SHIFT = 1e-11
"""Between the squares of what rounding leaves and of what counts as independent."""

FEW = 600
"""Rows of loops up to which singular values are computed."""


def sparse_rank(rows: Rows, t: float, q: Array) -> int:
    """Rank of many rows at (t, q)."""
    from scipy.sparse import csr_array, diags_array

    at = rows.at(t, q, np.zeros(rows.velocities))
    metric = np.tile([1.0, 1.0, 1.0, *[rows.length] * 3], rows.velocities // 6)
    J = csr_array(at.sparse() @ diags_array(1.0 / metric))
    sizes = np.sqrt(np.asarray((J * J).sum(axis=1)).ravel())
    unit = 1.0 / np.where(sizes > 1e-9, sizes, 1.0)
    J = csr_array(diags_array(unit) @ J)
    looped = in_loops(rows, _full_sides(rows, at, unit, metric[:6]))
    kept = np.array([i for owner in looped for i in rows.slices[owner]], dtype=np.int64)
    return rows.count - len(kept) + _rank(J[kept])


def _full_sides(
    rows: Rows, at: Linearised, unit: Array, metric: Array
) -> dict[str, dict[int, bool]]:
    """Joint or constraint -> bodies -> whether its rows are independent on that body alone."""
    sides: dict[tuple[str, int], list[Array]] = defaultdict(list)
    for block in at.blocks:
        scaled = block.entries[:, 0] * unit[block.rows][:, :, None] / metric
        for mine, body, entries in zip(block.rows, block.bodies, scaled, strict=True):
            sides[rows.owners[mine[0]], int(body)].append(entries)
    alike: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for key, parts in sides.items():
        alike[sum(map(len, parts))].append(key)
    found: dict[str, dict[int, bool]] = {owner: {} for owner in rows.slices}
    for count, keys in alike.items():
        least = np.zeros(len(keys))
        if count <= 6:
            stacked = np.array([np.concatenate(sides[key]) for key in keys])
            least = np.linalg.svd(stacked, compute_uv=False)[:, -1]
        for (owner, body), value in zip(keys, least, strict=True):
            whole = count == len(rows.slices[owner])
            found[owner][body] = bool(whole and value > DEPENDENT)
    return found


def in_loops(rows: Rows, sides: dict[str, dict[int, bool]]) -> list[str]:
    """Joints and constraints that are left when bodies on one joint alone are cut off."""
    around: dict[int, set[str]] = defaultdict(set)
    for owner, bodies in sides.items():
        for body in bodies:
            around[body].add(owner)
    left = dict.fromkeys(rows.slices)
    waiting = [body for body, owners in around.items() if len(owners) == 1]
    while waiting:
        body = waiting.pop()
        if len(around[body]) != 1:
            continue
        (owner,) = around[body]
        if not sides[owner][body]:
            continue
        del left[owner]
        for other in sides[owner]:
            around[other].discard(owner)
            if len(around[other]) == 1:
                waiting.append(other)
    return list(left)


def _rank(J: Any) -> int:
    """Rank of sparse rows of unit size."""
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import splu

    count = int(J.shape[0])
    if not count:
        return 0
    if count <= FEW:
        used = np.unique(J.indices)
        values = np.linalg.svd(J[:, used].toarray(), compute_uv=False)
        return int((values > DEPENDENT * max(1.0, float(values[0]))).sum()) if len(values) else 0
    shifted = csc_array(J @ J.T - SHIFT * eye_array(count))
    factors = splu(
        shifted, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
    )
    return count - int((factors.U.diagonal() < 0.0).sum())
