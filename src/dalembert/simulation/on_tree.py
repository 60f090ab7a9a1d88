"""A run in the coordinates of joints: its start, and its states seen as those of bodies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import ProjectionError
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.forms import install
from dalembert.mechanics.motion import displace
from dalembert.mechanics.projection import MASS_NORM, project
from dalembert.mechanics.tree_crba import mass_matrix
from dalembert.mechanics.tree_states import (
    accelerations_of_bodies,
    read_bodies,
    states_of_bodies,
    states_of_tree,
)
from dalembert.simulation.consistent import BADLY_SCALED, CAP, SEED, Start, row_tolerances
from dalembert.system.borders import OK, evaluate
from dalembert.system.layout import (
    BODY_RECORDS,
    JACOBIAN_BLOCKS,
    LAST_ANGLES,
    LENGTH,
    RECORD,
    ROW_SCALE,
    ROW_TOLERANCE,
    TREE_NUMBERS,
    TREE_ROOM,
)
from dalembert.system.tree_system import TreeSystem

Array = NDArray[np.float64]

VANISHING = 1e-10
"""Size of a row, over the largest, that is rounding."""

TRIALS = 9
"""States at and around the start that tell how large rows are."""


@dataclass(frozen=True)
class OnTree:
    """What a run on a tree knows besides the setup of its bodies."""

    system: TreeSystem
    start: Start
    rows: NDArray[np.int64]
    """Row of the bodies' system for every row of the tree's."""
    all_rows: int
    """How many rows the bodies' system has."""
    numbers: Array
    """Of the tree, with the values of the parameters."""
    signs: Array
    """1 or -1 for every entry of the bodies' q: of q and -q the one the start has."""

    def bodies(self, q: Array, v: Array) -> tuple[Array, Array]:
        """States of the bodies, seven and six numbers each, from states of the tree."""
        tree = self.system.tree
        count = len(tree.bodies)
        q_out, v_out = np.zeros((len(q), 7 * count)), np.zeros((len(q), 6 * count))
        if len(q):
            states_of_bodies(tree.integers, self.numbers, tree.room(), q, v, q_out, v_out)
        return q_out * self.signs, v_out

    def accelerations(self, q: Array, v: Array, a: Array) -> Array:
        """Those of the bodies at states of theirs, from those of the tree."""
        tree = self.system.tree
        out = np.zeros((len(q), 6 * len(tree.bodies)))
        if len(q):
            own = states_of_tree(tree, self.numbers, self.start.q, q * self.signs, v)
            accelerations_of_bodies(tree.integers, self.numbers, tree.room(), *own, a, out)
        return out

    def multipliers(self, lam: Array) -> Array:
        """Multipliers of all rows of the bodies; of joints of the tree they are not known."""
        found = np.full((len(lam), self.all_rows), np.nan)
        found[:, self.rows] = lam
        return found


def on_tree(
    system: TreeSystem,
    values: Any,
    bodies: Any,
    start: Start,
    near: Array | None = None,
    angles: Array | None = None,
) -> OnTree:
    """The start of bodies, consistent as it is, in the coordinates of the tree.

    Angles are within half a turn of those in `near`, by default of zero; `angles` are those whose
    turns the tree counts (LAST_ANGLES).
    """
    tree = system.tree
    if near is None:
        near = np.zeros(tree.nq)
        for place, _ in system.quaternions:
            near[place] = 1.0
    q, v = read_bodies(tree, start.q, start.v, near)
    work, sizes, extents = system.open(values)
    if angles is not None:
        work[sizes[LAST_ANGLES] : sizes[LAST_ANGLES] + len(angles)] = angles
    install("automatic", sizes)
    m = extents.rows
    size, product, weight = _row_sizes(system, work, sizes, start.t, q, v, start.length)
    scale = np.ones(m)
    if m:
        small = (weight > 0.0) & (weight < BADLY_SCALED * weight.max())
        scale[small] = weight.max() / weight[small]
    tolerance = row_tolerances(product, size * start.length)
    work[sizes[ROW_SCALE] : sizes[ROW_SCALE] + m] = scale
    work[sizes[ROW_TOLERANCE] : sizes[ROW_TOLERANCE] + m] = tolerance
    work[sizes[LENGTH]] = start.length
    if m and project(work, sizes, start.t, q, v, MASS_NORM, CAP) != OK:
        raise ProjectionError(
            "Initial state: the loops do not close in the coordinates of the joints. Use "
            "formulation='maximal', or start elsewhere."
        )
    rank = 0
    if m:
        evaluate(work, sizes, start.t, q, v)
        rank = len(independent_rows(reduced_rows(system, work, sizes) * (weight > 0.0)[:, None]))
    rows = np.zeros(m, dtype=np.int64)
    for name, mine in system.parts.slices.items():
        rows[mine] = bodies.parts.slices[name]
    made = Start(
        q, v, start.move_q, start.move_v, rank, scale, tolerance, size, start.t, start.length
    )
    first = int(sizes[TREE_NUMBERS])
    numbers = work[first : first + len(tree.numbers)].copy()
    found = OnTree(system, made, rows, bodies.extents.rows, numbers, np.ones(len(start.q)))
    return replace(found, signs=_signs(found, start.q))


def _signs(found: OnTree, q: Array) -> Array:
    """Which of the quaternions are the opposite of those at the start."""
    seen = found.bodies(found.start.q[None], found.start.v[None])[0][0].reshape(-1, 7)
    same = (seen[:, 3:] * q.reshape(-1, 7)[:, 3:]).sum(axis=1)
    signs = np.ones((len(same), 7))
    signs[same < 0.0, 3:] = -1.0
    return signs.ravel()


def independent_rows(C: Array) -> list[int]:
    """Rows that those taken before them do not imply, the largest rest first."""
    norms = np.linalg.norm(C, axis=1)
    rest = C / np.where(norms > 0.0, norms, 1.0)[:, None]
    rest[norms <= VANISHING * norms.max(initial=0.0)] = 0.0
    found: list[int] = []
    for _ in range(min(C.shape)):
        sizes = (rest * rest).sum(axis=1)
        sizes[found] = 0.0
        best = int(np.argmax(sizes))
        if not sizes[best] > FORCE_TOLERANCE**2:
            break
        found.append(best)
        unit = rest[best] / np.sqrt(sizes[best])
        rest = rest - np.outer(rest @ unit, unit)
    return sorted(found)


def reduced_rows(system: TreeSystem, work: Any, sizes: Any) -> Array:
    """C = J R^-1 of the last evaluated state, M = R^T R."""
    n = system.tree.nv
    M = np.zeros((n, n))
    numbers, room = work[sizes[TREE_NUMBERS] :], work[sizes[TREE_ROOM] :]
    mass_matrix(system.tree.integers, numbers, room, M)
    R = np.linalg.cholesky(M)
    return np.asarray(np.linalg.solve(R, system.jacobian(work, sizes).T).T)


def _row_sizes(
    system: TreeSystem, work: Any, sizes: Any, t: float, q: Array, v: Array, length: float
) -> tuple[Array, Array, Array]:
    """Size of each row of J, of the largest term in its residual, and of its row in C.

    The greatest of the start and states around it: at a singular start a row may vanish that is
    perfectly large elsewhere. A row that is nothing but rounding everywhere, as one of a joint that
    is given twice, or across the plane of a loop, has the size 1 and no weight.
    """
    m = system.extents.rows
    size, weight = np.zeros(m), np.zeros(m)
    if not m:
        return size, size, weight
    generator = np.random.default_rng(SEED)
    for trial in range(TRIALS):
        moved = q.copy()
        if trial:
            displace(sizes, 0.1, generator.standard_normal(len(v)) * (length + 1.0), moved)
        evaluate(work, sizes, t, moved, v)
        J = np.abs(system.jacobian(work, sizes))
        size = np.fmax(size, np.sqrt((J * J).sum(axis=1)))
        weight = np.fmax(weight, np.linalg.norm(reduced_rows(system, work, sizes), axis=1))
    evaluate(work, sizes, t, q, v)
    product, whole = _terms(system, work, sizes)
    there = (size > VANISHING * whole) & (size > VANISHING * size.max())
    return np.where(there, size, 1.0), product, np.where(there, weight, 0.0)


def _terms(system: TreeSystem, work: Any, sizes: Any) -> tuple[Array, Array]:
    """Of each row: the largest term in its residual, and its size in coordinates of bodies.

    A term is J_v times the distance from the origin, or J_w.
    """
    m, bodies = system.extents.rows, len(system.parts.names)
    start, records = int(sizes[JACOBIAN_BLOCKS]), int(sizes[BODY_RECORDS])
    product, whole = np.zeros(m), np.zeros(m)
    for element in system.parts.constraints:
        rows = slice(element.row, element.row + element.count)
        for body, block in zip(element.bodies, element.blocks, strict=True):
            J = np.abs(work[start + block : start + block + 6 * element.count].reshape(-1, 6))
            J = np.where(np.isfinite(J), J, 0.0)
            product[rows] = np.fmax(product[rows], J[:, 3:].max(axis=1))
            whole[rows] += (J * J).sum(axis=1)
            if body < bodies:
                place = np.abs(work[records + RECORD * body :][:3])
                product[rows] = np.fmax(product[rows], (J[:, :3] * place).max(axis=1))
    return product, np.sqrt(whole)
