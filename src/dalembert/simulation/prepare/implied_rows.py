"""How many rows others imply wherever a mechanism is, not at its start alone.

A hinge given twice, a loop of six hinges that moves all the same: their rows depend on one another
on the constraints, and there alone. A method that leaves a violation Phi open meets rows that are
independent by O(Phi) and demand O(Phi): a quotient of order one, which holds the mechanism or
throws it off. So the rank of the rows is known beforehand, and no more directions are taken than
that, the strongest (`numerics.orthogonal`).

It is decided at the start and at states on the constraints around it: at a singular
start rows depend on one another that do not elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.mechanics.choose_solve import install
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import displace
from dalembert.mechanics.projection import MASS_NORM, project_position
from dalembert.simulation.prepare.body_rows import independent_rows
from dalembert.simulation.prepare.consistent import CAP, SEED, Start
from dalembert.simulation.prepare.on_tree import relative_rows
from dalembert.system.body_system import BodySystem
from dalembert.system.borders import OK, evaluate, residual
from dalembert.system.layout import (
    JACOBIAN,
    LENGTH,
    PHI,
    ROW_SCALE,
    ROW_SIZE,
    ROW_TOLERANCE,
)
from dalembert.system.system import System
from dalembert.system.tree_system import TreeSystem

MANY_ROWS = 200
"""Rows or velocities above which nobody looks: singular values cost their cube."""

STATES, FAR = 3, 0.1
"""States around the start, and how far from it, as turns and in lengths of the mechanism."""

ERRORS = 8.0
"""Threshold of a row, over the error of the model at the start: there all rows share it."""


def lasting_rows(system: System | BodySystem, values: Sequence[float], start: Start) -> list[int]:
    """Rows that the others imply at the start and around it."""
    m = system.extents.rows
    many = max(m, system.extents.nv) > MANY_ROWS
    if start.rank == m or many or not system.extents.dense:
        return []
    work, sizes = _opened(system, values, start)
    try:
        seen = [_rows(system, work, sizes, start, q) for q in _around(system, work, sizes, start)]
    except np.linalg.LinAlgError:
        return []
    kept = max((independent_rows(C) for C in seen), key=len)
    if any(len(independent_rows(C[kept])) != len(independent_rows(C)) for C in seen):
        return []
    return sorted(set(range(m)) - set(kept))


def with_errors(system: BodySystem, values: Sequence[float], start: Start) -> Start:
    """The start, with thresholds of the rows left out above the errors of the model in them.

    Two hinges of a door whose axes are 1e-7 m apart imply one another but for that, and cannot both
    be closed. The rows that are kept are; to close the others, too, would move the door at random.
    What is open at a start that was left as it is given is no such error: it is closed first.
    """
    work, sizes = _opened(system, values, start)
    q, v = start.q.copy(), start.v.copy()
    project_position(work, sizes, start.t, q, v, MASS_NORM, CAP)
    residual(work, sizes, start.t, q, v)
    count = system.extents.holonomic
    phi = np.abs(work[sizes[PHI] : sizes[PHI] + count])
    rows = sorted(row for row in system.left_out if row < count)
    if not rows or (phi <= start.row_tolerance[:count]).all():
        return start
    beside = 3 * len(system.parts.names) if system.plane >= 0 else 0  # what its plane holds
    if len(lasting_rows(system, values, start)) + beside != len(system.left_out):
        return start
    error = float((phi / start.row_size[:count]).max())
    tolerance = start.row_tolerance.copy()
    tolerance[rows] = np.maximum(tolerance[rows], ERRORS * error * start.row_size[rows])
    return replace(start, row_tolerance=tolerance)


def _opened(system: Any, values: Sequence[float], start: Start) -> tuple[Any, Any]:
    """Arrays of the system, ready to be evaluated around its start."""
    work, sizes, _ = system.open(values)
    install("automatic", sizes)
    for slot, numbers in (
        (ROW_SCALE, start.row_scale),
        (ROW_TOLERANCE, start.row_tolerance),
        (ROW_SIZE, start.row_size),
    ):
        work[sizes[slot] : sizes[slot] + len(numbers)] = numbers
    work[sizes[LENGTH]] = start.length
    system.prepare(work, sizes)
    return work, sizes


def _around(system: Any, work: Any, sizes: Any, start: Start) -> list[np.ndarray]:
    """The start, and states on the constraints that it can move to."""
    states = [start.q]
    generator = np.random.default_rng(SEED)
    _rows(system, work, sizes, start, start.q)
    _, values, V = np.linalg.svd(_jacobian(system, work, sizes), full_matrices=True)
    free = V[int((values > FORCE_TOLERANCE * values.max(initial=0.0)).sum()) :]
    for _ in range(STATES if len(free) else 0):
        u = generator.standard_normal(len(free)) @ free
        q, v = start.q.copy(), np.zeros(len(start.v))
        displace(work, sizes, FAR * start.length / np.abs(u).max(), u, q)
        if project_position(work, sizes, start.t, q, v, MASS_NORM, CAP) == OK:
            states.append(q)
    return states


def _jacobian(system: Any, work: Any, sizes: Any) -> np.ndarray:
    """J of the last evaluated state."""
    if isinstance(system, BodySystem):
        return np.asarray(system.jacobian(work, sizes))
    m, n = system.extents.rows, system.extents.nv
    return np.array(work[sizes[JACOBIAN] : sizes[JACOBIAN] + m * n].reshape(m, n))


def _rows(system: Any, work: Any, sizes: Any, start: Start, q: np.ndarray) -> np.ndarray:
    """Rows at rest in q, of the size 1 where nothing cancels."""
    evaluate(work, sizes, start.t, q, np.zeros(len(start.v)))
    if isinstance(system, TreeSystem):
        return relative_rows(system, work, sizes)
    J = _jacobian(system, work, sizes)
    size = np.linalg.norm(J, axis=1)
    return np.asarray(J / np.where(size > 0.0, size, 1.0)[:, None])
