"""How many rows others imply wherever a mechanism is, not at its start alone.

A hinge given twice, a loop of six hinges that moves all the same: their rows depend on one another
on the constraints, and there alone. A method that leaves a violation Phi open meets rows that are
independent by O(Phi) and demand O(Phi): a quotient of order one, which holds the mechanism or
throws it off. So the rank of the rows is known beforehand, and no more directions are taken than
that, the strongest (`numerics.orthogonal`).

It is decided at the start and at states on the constraints around it: at a singular
start rows depend on one another that do not elsewhere. So it is for rows that are left out because
others imply them (`prepare.reduction`): one that only a singular start implies is needed later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.mechanics.choose_solve import install
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import displace
from dalembert.mechanics.projection import MASS_NORM, project_position, project_velocity
from dalembert.simulation.prepare.body_rows import independent_rows
from dalembert.simulation.prepare.on_tree import relative_rows
from dalembert.simulation.prepare.start import CAP, SEED, Start
from dalembert.system.body_system import BodySystem
from dalembert.system.borders import OK, evaluate, residual
from dalembert.system.state_layout import State
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
    state = _opened(system, values, start)
    try:
        seen = [_rows(system, state, start, q) for q in _around(system, state, start)]
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
    state = _opened(system, values, start)
    q, v = start.q.copy(), start.v.copy()
    project_position(*state, start.t, q, v, MASS_NORM, CAP)
    residual(*state, start.t, q, v)
    count = state.holonomic
    phi = np.abs(state.phi[:count])
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


def beside(system: Any, values: Sequence[float], start: Start) -> np.ndarray | None:
    """A state on the constraints a little away from the start; None where nothing can move."""
    state = _opened(system, values, start)
    generator = np.random.default_rng(SEED)
    q, u = start.q.copy(), generator.standard_normal(len(start.v))
    # beside a singular position some of it may be left over: any way that leads away will do
    project_velocity(*state, start.t, q, u, MASS_NORM)
    largest = float(np.abs(u).max(initial=0.0))
    if not largest > FORCE_TOLERANCE or not np.isfinite(largest):
        return None
    displace(*state, FAR * start.length / largest, u, q)
    state = _opened(system, values, start)  # factors of a singular start lead anywhere
    found = project_position(*state, start.t, q, np.zeros(len(start.v)), MASS_NORM, CAP)
    return q if found == OK else None


def _opened(system: Any, values: Sequence[float], start: Start) -> State:
    """State of the system, ready to be evaluated around its start."""
    state: State = system.open(values)[0]
    install("automatic", state)
    start.write_rows(state)
    system.prepare(state)
    return state


def _around(system: Any, state: State, start: Start) -> list[np.ndarray]:
    """The start, and states on the constraints that it can move to."""
    states = [start.q]
    generator = np.random.default_rng(SEED)
    _rows(system, state, start, start.q)
    _, values, V = np.linalg.svd(system.jacobian(state), full_matrices=True)
    free = V[int((values > FORCE_TOLERANCE * values.max(initial=0.0)).sum()) :]
    for _ in range(STATES if len(free) else 0):
        u = generator.standard_normal(len(free)) @ free
        q, v = start.q.copy(), np.zeros(len(start.v))
        displace(*state, FAR * start.length / np.abs(u).max(), u, q)
        if project_position(*state, start.t, q, v, MASS_NORM, CAP) == OK:
            states.append(q)
    return states


def _rows(system: Any, state: State, start: Start, q: np.ndarray) -> np.ndarray:
    """Rows at rest in q, of the size 1 where nothing cancels."""
    evaluate(*state, start.t, q, np.zeros(len(start.v)))
    if isinstance(system, TreeSystem):
        return relative_rows(system, state)
    J = system.jacobian(state)
    size = np.linalg.norm(J, axis=1)
    return np.asarray(J / np.where(size > 0.0, size, 1.0)[:, None])
