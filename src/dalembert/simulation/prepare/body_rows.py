"""Sizes and rank of the rows of bodies at the initial state."""

from __future__ import annotations

import numpy as np

from dalembert.mechanics.choose_solve import install
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.system.body_system import BodySystem
from dalembert.system.borders import evaluate, factor
from dalembert.system.dual_blocks import DEPENDENT, PLANES
from dalembert.system.jacobian_blocks import blocks_of_all
from dalembert.system.state_layout import State
from dalembert.system.tables import INERTIA

MANY_ROWS = 200
"""Rows above which their rank is counted along the graph: singular values cost their cube."""

POOR = 0.03
"""Hold of rows in their weakest direction, over that with all those they imply, below
which others are kept: squares of it are pivots, and there error control sees a singular position
(`mechanics.dual`)."""


def body_row_sizes(
    state: State, system: BodySystem, t: float, q: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Size of each row of J, of the largest term in its residual, and of its row in C.

    Rows of joints keep their size wherever the bodies are, so the start alone will do. A term is
    about |J_v| times the distance from the origin, or |J_w|, which is the length of an arm.
    """
    evaluate(*state, t, q, v)
    m, bodies, weights = system.parts.rows, len(system.parts.names), state.body_weight
    size, product, weight = np.zeros(m), np.zeros(m), np.zeros(m)
    for rows, body, block in blocks_of_all(state, system.parts):
        J = np.abs(block)
        J = np.where(np.isfinite(J), J, 0.0)
        product[rows] = np.fmax(product[rows], J[:, 3:].max(axis=1))
        if body < bodies:
            place = np.abs(q[7 * body : 7 * body + 3])
            product[rows] = np.fmax(product[rows], (J[:, :3] * place).max(axis=1))
            weight[rows] += (J * J) @ np.repeat(weights[2 * body : 2 * body + 2], 3)
            size[rows] += (J * J).sum(axis=1)
    size, weight = np.sqrt(size), np.sqrt(weight)
    return np.where(size > 0, size, 1.0), product, np.where(weight > 0, weight, 1.0)


def body_rank(state: State, system: BodySystem) -> int:
    """Rank of the rows at the last evaluated state; -1 where full matrices are too large."""
    m = system.parts.rows
    if not m:
        return 0
    if m > MANY_ROWS and system.dual is not None:
        return m - len(dependent_rows(State(*(x.copy() for x in state)), system))
    if not system.extents.dense:
        return -1
    values = np.linalg.svd(_reduced_rows(state, system), compute_uv=False)
    return int((values > FORCE_TOLERANCE * values[0]).sum())


def _reduced_rows(state: State, system: BodySystem) -> np.ndarray:
    """C = J M^-1/2 of the last evaluated state, rows of size 1; in a plane, motion in it alone."""
    J, bodies, plane = system.jacobian(state), len(system.parts.names), state.plane
    inertias = state.body_inertia.reshape(-1, INERTIA)
    if plane >= 0:
        J[:, [k for k in range(6 * bodies) if k % 6 not in PLANES[plane]]] = 0.0
    for b in range(bodies):
        xx, yy, zz, xy, xz, yz, mass = inertias[b]
        theta = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        moments, axes = np.linalg.eigh(theta)
        # A point mass: any small inertia tells dependent rows apart as well.
        moments = np.maximum(moments, 1e-3 * max(moments.max(), 1e-3 * mass))
        J[:, 6 * b : 6 * b + 3] /= np.sqrt(mass)
        J[:, 6 * b + 3 : 6 * b + 6] = J[:, 6 * b + 3 : 6 * b + 6] @ (axes / np.sqrt(moments))
    norms = np.linalg.norm(J, axis=1, keepdims=True)
    return np.asarray(J / np.where(norms > 0, norms, 1.0))


def dependent_rows(state: State, system: BodySystem) -> list[int]:
    """Rows that, at the last evaluated state, others imply: those without a pivot in W.

    Rows are kept as the elimination meets them, unless they hold together much worse what all of
    them hold: then the largest rest is kept first.
    """
    install("automatic", state, least=False)
    factor(*state, FORCE_TOLERANCE)
    count = state.dual_row_count
    rows = state.sizes[state.dual_rows : state.dual_rows + count]
    kept = np.flatnonzero(state.dual_ratio[:count] > DEPENDENT)
    if 0 < len(kept) < count <= MANY_ROWS:
        C = _reduced_rows(state, system)[rows]
        if _hold(C[kept], len(kept)) < POOR * _hold(C, len(kept)):
            better = independent_rows(C)
            kept = np.array(better) if len(better) == len(kept) else kept
    return [int(row) for row in np.delete(rows, kept)]


def _hold(C: np.ndarray, rank: int) -> float:
    """How well rows hold the weakest of that many directions: a singular value."""
    return float(np.linalg.svd(C, compute_uv=False)[rank - 1])


def independent_rows(C: np.ndarray) -> list[int]:
    """Rows, of the size 1 or nothing but rounding, that those taken before them do not imply.

    The largest rest is taken first.
    """
    rest = C.copy()
    found: list[int] = []
    for _ in range(min(C.shape)):
        left = (rest * rest).sum(axis=1)
        left[found] = 0.0
        best = int(np.argmax(left))
        if not left[best] > FORCE_TOLERANCE**2:
            break
        found.append(best)
        unit = rest[best] / np.sqrt(left[best])
        rest = rest - np.outer(rest @ unit, unit)
    return sorted(found)
