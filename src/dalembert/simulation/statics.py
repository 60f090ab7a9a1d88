"""Which reactions of a run are unique, and the least ones where they are not.

Multipliers lam and lam + z with J^T z = 0 give the same motion. A joint's reaction is unique when
no such z changes it. Otherwise, of all reactions that give the motion, those with the least

    sum over joints of |force|^2 + |torque|^2 / L^2

are taken, the torque about the joint's own origin, L the largest way from a joint to a centre of
mass. That depends neither on masses nor on the units or the scaling of rows, and two joints that do
the same work share it equally. With P the matrix of this sum (one block a joint) they are

    lam = P^-1 J (J^T P^-1 J)^+ f,      f = J^T lam of the solver,

found by a few steps of refinement with J^T P^-1 J + eps, as in `mechanics.proximal`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.model.angle_rows import AngleRows, angle_states
from dalembert.model.interpreted import Linearised, Rows
from dalembert.model.states import States, from_center

Array = NDArray[np.float64]

DENSE_LIMIT = 1300
"""Rows and velocities together up to which matrices are full (`system.body_system`)."""

EXAMINED = 20
"""Samples at which dependent rows are looked for."""

DEPENDENT = 1e-6
"""Singular value, over the largest, below which rows are dependent (physics 4)."""

CHANGED = 1e-6
"""Part of a unit change of multipliers that counts as a change of a reaction."""

OPERATIONS = 2e11
"""Multiplications worth spending on the least reactions; about a minute."""

CHUNK = 200_000
"""Entries of J held at a time."""

EPSILON = 1e-10
"""Regularisation of J^T P^-1 J, over its largest diagonal entry."""

REFINEMENTS = 3

TOO_LARGE = (
    "whether it is unique was not examined: the model is too large for full matrices;"
    " the value is the least one in the norm of the solver"
)
LEAST = "not unique, as joints hold the same motion more than once; the least ones are given"
OF_METHOD = "not unique for rigid joints; the forces are those the method applied"
SOLVER = (
    "not unique, as joints hold the same motion more than once; the least ones in the norm of the"
    " solver are given, as there are too many samples to work out others"
)


@dataclass(frozen=True)
class Statics:
    """Reactions of a run.

    Attributes
    ----------
    lam : (k, m)            multipliers, the least ones where they are not unique
    unique : dict           joint or constraint -> True, False, or None when not known
    notes : dict            joint or constraint -> what to say about the reaction
    rank : int or None      of the rows at ordinary positions
    singular : tuple        examined moments at which the rank is lower
    """

    lam: Array
    unique: dict[str, bool | None]
    notes: dict[str, str]
    rank: int | None = None
    singular: tuple[float, ...] = ()


def rows_of(model: Any) -> Rows | AngleRows:
    """Interpreted rows of a model of bodies."""
    return Rows(model) if model.is_maximal else AngleRows(model)


def states_of(model: Any, t: Any, q: Array, v: Array) -> States:
    """Places and velocities of the bodies along a motion."""
    if model.is_maximal:
        return States.of(t, q, v)
    return angle_states(model, list(model.bodies.values()), t, q, v)


def statics(solution: Any) -> Statics:
    """Examine the reactions of a run."""
    model, lam = solution.model, solution.lam
    names = list(solution.constraint_slices)
    m, n = lam.shape[1], 6 * len(model.bodies)
    good = np.flatnonzero(np.isfinite(lam).all(axis=1) & np.isfinite(solution.q).all(axis=1))
    if not m or not len(good):
        return Statics(lam, dict.fromkeys(names, True), {})
    if m + n > DENSE_LIMIT:
        return Statics(lam, dict.fromkeys(names), dict.fromkeys(names, TOO_LARGE))
    rows = rows_of(model)
    length = typical_length(model)
    picked = good[np.unique(np.linspace(0, len(good) - 1, EXAMINED).astype(int))]
    found = rows.at(solution.t[picked], solution.q[picked], solution.v[picked])
    seen = [_dependent(J, phi, length) for J, phi in zip(found.dense(), found.phi, strict=True)]
    rank = max(m - part.shape[1] for _, part in seen)
    unique: dict[str, bool | None] = dict.fromkeys(names, True)
    for J, part in seen:
        if m - part.shape[1] == rank:
            for name in names:
                mine = rows.slices[name]
                change = np.einsum("rj,rd->jd", J[mine], part[mine])
                unique[name] = bool(unique[name] and np.abs(change).max(initial=0.0) < CHANGED)
    low = [k for k, (_, part) in zip(picked, seen, strict=True) if m - part.shape[1] < rank]
    moments = tuple(float(x) for x in solution.t[low])
    if rank == m:
        return Statics(lam, unique, {}, rank, moments)
    note = LEAST
    if getattr(solution.method, "own_multipliers", False):
        note = OF_METHOD
    elif len(good) * (n**3 / 3 + n * n * m) > OPERATIONS:
        note = SOLVER
    else:
        lam = lam.copy()
        lam[good] = _least(rows, solution, good, length)
    notes = {name: note for name in names if not unique[name]}
    return Statics(lam, unique, notes, rank, moments)


def typical_length(model: Any) -> float:
    """Largest way from a joint to the centre of mass of a body it holds; 1 m without any."""
    parameters = model.parameters
    ways = [
        float(np.linalg.norm(from_center(frame, parameters)))
        for joint in model.joints.values()
        for frame in joint.frames
        if frame.body.name in model.bodies
    ]
    longest = max((x for x in ways if np.isfinite(x)), default=0.0)
    return longest if longest > 0.0 else 1.0


def _dependent(J: Array, phi: Array, length: float) -> tuple[Array, Array]:
    """J with rows of unit size, and the combinations of rows that vanish, (m, number of them)."""
    scaled = J.reshape(len(J), -1, 2, 3) / np.array([1.0, length])[:, None]
    J = scaled.reshape(J.shape)
    sizes = np.linalg.norm(J, axis=1, keepdims=True)
    J = J / np.where(sizes > 0.0, sizes, 1.0)
    U, values, _ = np.linalg.svd(J, full_matrices=True)
    # an open joint makes dependent rows differ by as much as it is open
    open_by = 10.0 * float(np.abs(phi).max(initial=0.0)) / length
    limit = max(DEPENDENT, open_by) * float(values.max(initial=0.0))
    rank = int((values > limit).sum())
    return J, U[:, rank:]


def _least(rows: Rows | AngleRows, solution: Any, good: Any, length: float) -> Array:
    """The multipliers of least sum at the samples `good`."""
    m, n = rows.count, rows.velocities
    result = np.empty((len(good), m))
    size = max(1, CHUNK // (m * n))
    for start in range(0, len(good), size):
        part = good[start : start + size]
        t, q, v = solution.t[part], solution.q[part], solution.v[part]
        found, states = rows.at(t, q, v), states_of(solution.model, t, q, v)
        result[start : start + size] = _least_at(
            rows, found, states, solution.lam[part], solution.model, length
        )
    return result


def _least_at(
    rows: Rows | AngleRows,
    found: Linearised,
    states: States,
    lam: Array,
    model: Any,
    length: float,
) -> Array:
    J = found.dense()
    scale = np.tile([1.0, 1.0, 1.0, *[1.0 / length] * 3], len(rows.bodies))
    X = np.empty_like(J)
    for owner, mine in rows.slices.items():
        P = _measure(J[:, mine], rows.bodies_of(owner), owner, states, model, length)
        X[:, mine] = np.linalg.inv(P) @ (J[:, mine] * scale)
    J *= scale
    A = J.mT @ X
    largest = np.einsum("kii->ki", A).max(axis=1)
    A += EPSILON * largest[:, None, None] * np.eye(A.shape[1])
    response = X @ np.linalg.inv(A)
    rest = J.mT @ lam[:, :, None]
    least = np.zeros_like(lam)[:, :, None]
    for _ in range(REFINEMENTS):
        change = response @ rest
        least += change
        rest -= J.mT @ change
    return np.asarray(least[:, :, 0])


def _measure(
    J: Array, bodies: list[int], owner: str, states: States, model: Any, length: float
) -> Array:
    """P of one joint: lam^T P lam = |force|^2 + |torque|^2 / L^2 at its origin; (k, c, c)."""
    k, count = J.shape[:2]
    P = np.zeros((k, count, count))
    for body in bodies:
        block = J[:, :, 6 * body : 6 * body + 6]
        arm = origin_on(model, owner, body, states) - states.center[body]
        # torque about the origin: that about the centre less arm x force
        torque = (block[:, :, 3:] - np.cross(arm[:, None, :], block[:, :, :3])) / length
        both = np.concatenate([block[:, :, :3], torque], axis=2)
        P += both @ both.mT / len(bodies)
    size = np.einsum("kii->k", P)[:, None, None] / max(count, 1)
    # rows of one constraint that repeat one another
    return np.asarray(P + (1e-12 * size + 1e-300) * np.eye(count))


def origin_on(model: Any, owner: str, body: int, states: States) -> Array:
    """Where a joint is on a body, (k, 3), world; the centre of mass for a formula constraint."""
    joint = model.joints.get(owner)
    names = list(model.bodies)
    name = names[body] if body < len(names) else model.world.name
    for frame in joint.frames if joint is not None else ():
        if frame.body.name == name:
            return point(frame, body, states, model)
    return np.asarray(states.center[body])


def point(frame: Any, body: int, states: States, model: Any) -> Array:
    """World place of a frame's origin, (k, 3)."""
    offset = from_center(frame, model.parameters)
    return np.asarray(states.center[body] + states.R[body] @ offset)
