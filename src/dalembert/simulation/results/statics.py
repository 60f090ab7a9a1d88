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

import copy
import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.model.check.sparse_rank import sparse_rank
from dalembert.model.start.angle_rows import AngleRows
from dalembert.model.start.linearised import Linearised
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.states import States, from_center, size
from dalembert.simulation.motion.body_states import states_of

Array = NDArray[np.float64]

DENSE_LIMIT = 1300
"""Rows and velocities together up to which matrices are full (`system.body_system`)."""

EXAMINED = 20
"""Samples at which dependent rows are looked for."""

DEPENDENT = 1e-6
"""Singular value, over the largest, below which rows are dependent (methods 2)."""

CLEAR = 100.0
"""Square of a singular value, over that of the limit, that is clear of rounding."""

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


class Statics:
    """Reactions of a run.

    Attributes
    ----------
    unique : dict           joint or constraint -> True, False, or None when not known
    rank, lowest : int or None      of the rows at ordinary positions, and at any examined sample
    singular : tuple        examined moments at which the rank is lower
    """

    def __init__(self, solution: Any) -> None:
        self._solution = solution
        self._names = list(solution.constraint_slices)
        self._rows = solution.lam.shape[1]
        self._velocities = 6 * len(solution.model.bodies)
        finite = np.isfinite(solution.lam).all(axis=1) & np.isfinite(solution.q).all(axis=1)
        self._good = np.flatnonzero(finite)
        self.unique: dict[str, bool | None] = dict.fromkeys(self._names, True)
        self.rank: int | None = self._rows
        self.lowest: int | None = self._rows
        self.singular: tuple[float, ...] = ()
        if not len(self._good):
            self.unique = dict.fromkeys(self._names)
            self.rank = self.lowest = None
        elif self._rows + self._velocities > DENSE_LIMIT:
            self._count()
        elif self._rows:
            self._examine()

    def _count(self) -> None:
        """Rank of a large model at its first sample; which rows are dependent is not looked for."""
        solution, first = self._solution, self._good[0]
        self.rank = None
        if solution.model.is_maximal:
            rows = Rows(solution.model)
            self.rank = sparse_rank(rows, float(solution.t[first]), solution.q[first])
        self.lowest = self.rank
        if self.rank != self._rows:
            self.unique = dict.fromkeys(self._names)

    def _examine(self) -> None:
        """Dependent rows at some samples."""
        solution, m = self._solution, self._rows
        rows, length = rows_of(solution.model), size(solution.model)
        picked = self._good[np.unique(np.linspace(0, len(self._good) - 1, EXAMINED).astype(int))]
        found = rows.at(solution.t[picked], solution.q[picked], solution.v[picked])
        seen = [_dependent(J, phi, length) for J, phi in zip(found.dense(), found.phi, strict=True)]
        ranks = [m - part.shape[1] for _, part in seen]
        self.rank, self.lowest = max(ranks), min(ranks)
        low = [k for k, rank in zip(picked, ranks, strict=True) if rank < self.rank]
        self.singular = tuple(float(x) for x in solution.t[low])
        for (J, part), rank in zip(seen, ranks, strict=True):
            for name in self._names if rank == self.rank else ():
                mine = rows.slices[name]
                change = J[mine].T @ part[mine]
                kept = np.abs(change).max(initial=0.0) < CHANGED
                self.unique[name] = bool(self.unique[name] and kept)

    def at(self, solution: Any) -> Statics:
        """A copy for a solution that holds some of the samples of the same run."""
        made = copy.copy(self)
        made.__dict__.pop("lam", None)
        made._solution = solution
        finite = np.isfinite(solution.lam).all(axis=1) & np.isfinite(solution.q).all(axis=1)
        made._good = np.flatnonzero(finite)
        return made

    @property
    def _kept(self) -> str:
        """Why the multipliers are left as the solver gives them; empty when they are not."""
        n, m = self._velocities, self._rows
        if not len(self._good):
            return "unknown: nothing was recorded"
        if n + m > DENSE_LIMIT:
            return TOO_LARGE
        if getattr(self._solution.method, "own_multipliers", False):
            return OF_METHOD
        return SOLVER if len(self._good) * (n**3 + n * n * m) > OPERATIONS else ""

    def note(self, name: str) -> str:
        """A remark on the reaction of a joint or constraint; empty where it is unique."""
        return "" if self.unique.get(name, True) else self._kept or LEAST

    @functools.cached_property
    def lam(self) -> Array:
        """Multipliers (k, m), the least ones where they are not unique."""
        lam: Array = self._solution.lam
        if self.rank == self._rows or self._kept:
            return lam
        lam = lam.copy()
        rows, length = rows_of(self._solution.model), size(self._solution.model)
        lam[self._good] = _least(rows, self._solution, self._good, length)
        return lam


def rows_of(model: Any) -> Rows | AngleRows:
    """Interpreted rows of a model of bodies."""
    return Rows(model) if model.is_maximal else AngleRows(model)


def _dependent(J: Array, phi: Array, length: float) -> tuple[Array, Array]:
    """J with rows of unit size, and the combinations of rows that vanish, (m, number of them)."""
    scaled = J.reshape(len(J), -1, 2, 3) / np.array([1.0, length])[:, None]
    J = scaled.reshape(J.shape)
    sizes = np.linalg.norm(J, axis=1, keepdims=True)
    J = J / np.where(sizes > 0.0, sizes, 1.0)
    # an open joint makes dependent rows differ by as much as it is open
    open_by = 10.0 * float(np.abs(phi).max(initial=0.0)) / length
    limit = max(DEPENDENT, open_by)
    if _is_clear(J, limit):
        return J, np.zeros((len(J), 0))
    U, values, _ = np.linalg.svd(J, full_matrices=True)
    rank = int((values > limit * float(values.max(initial=0.0))).sum())
    return J, U[:, rank:]


def _is_clear(J: Array, limit: float) -> bool:
    """Whether rows are independent by a margin that squares of singular values show, too."""
    if not len(J) or len(J) > J.shape[1]:
        return False
    squares = np.linalg.eigvalsh(J @ J.T)
    return bool(squares[0] > CLEAR * limit**2 * squares[-1])


def _least(rows: Rows | AngleRows, solution: Any, good: Any, length: float) -> Array:
    """The multipliers of least sum at the samples `good`."""
    m, n = rows.count, rows.velocities
    result = np.empty((len(good), m))
    chunk = max(1, CHUNK // (m * n))
    for start in range(0, len(good), chunk):
        part = good[start : start + chunk]
        t, q, v = solution.t[part], solution.q[part], solution.v[part]
        found, states = rows.at(t, q, v), states_of(solution.model, t, q, v)
        result[start : start + chunk] = _least_at(
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
    mean = np.einsum("kii->k", P)[:, None, None] / max(count, 1)
    # rows of one constraint that repeat one another
    return np.asarray(P + (1e-12 * mean + 1e-300) * np.eye(count))


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
