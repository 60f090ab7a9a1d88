"""Degrees of freedom of a model of bodies: rank, rows that repeat others, singular starts.

The rank of the rows is that of ordinary positions. They are met by walking: from the start along a
random velocity that the joints allow, then back onto them. A rank that is lower at the start only
is a singular position, not a redundancy. Rows are looked at joint by joint, in the order of the
model, drives last; within a joint the row that says most that is new comes first, so that what is
left over names the direction that was fixed already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dalembert.formulas.graph import symbols
from dalembert.model.check.sparse_rank import DEPENDENT, sparse_rank
from dalembert.model.joints.motion import Motion
from dalembert.model.start.closing import DENSE_LIMIT, Closing
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.states import displaced

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

Array = npt.NDArray[np.float64]

WALKS = (0.2, 0.3, 0.15)
"""How far to go from the start, over the size of the mechanism and in radians."""

CONTRADICTION = 1e-8
"""Difference of speeds, over their size, that dependent drives may have."""

MOMENTS = (0.0, 0.1, 0.37, 1.0)
"""When the speeds of drives are compared  [s]."""


@dataclass(frozen=True)
class Redundant:
    """A row that others imply.

    Attributes
    ----------
    row, owner : its name, and the joint or constraint it belongs to
    fixed_by : the joints and constraints that fix the same already; none where the row vanishes
    """

    row: str
    owner: str
    fixed_by: tuple[str, ...]

    def __str__(self) -> str:
        if not self.fixed_by:
            return f"{self.row} holds nothing: its gradient vanishes"
        verb = "fix" if len(self.fixed_by) > 1 or self.fixed_by == (self.owner,) else "fixes"
        others = "its other rows" if self.fixed_by == (self.owner,) else ", ".join(self.fixed_by)
        return f"{self.row} repeats what {others} already {verb}"


@dataclass(frozen=True)
class Mobility:
    """Mobility of a mechanism: its degrees of freedom and its redundant rows.

    Attributes
    ----------
    velocities, rows : counts; six velocities a body
    rank : of the rows at ordinary positions
    start_rank : at the start; lower where that is a singular position
    redundant : rows that repeat others at ordinary positions; not named in large models
    contradictions : drives that ask for different speeds of the same motion, in words
    positions : (k, 7 n)     ordinary positions of full rank
    """

    velocities: int
    rows: int
    rank: int
    start_rank: int
    redundant: tuple[Redundant, ...]
    contradictions: tuple[str, ...]
    positions: Array

    @property
    def degrees_of_freedom(self) -> int:
        """Velocities less rank."""
        return self.velocities - self.rank

    @property
    def redundancy(self) -> int:
        """How many rows repeat others."""
        return self.rows - self.rank


def mobility(model: Model, rows: Rows, q: Array, t: float = 0.0) -> Mobility:
    """Look at a mechanism whose joints are closed at (t, q)."""
    n, m = rows.velocities, rows.count
    if not m:
        return Mobility(n, 0, 0, 0, (), (), q[None, :])
    if n + m > DENSE_LIMIT:
        rank = sparse_rank(rows, t, q)
        return Mobility(n, m, rank, rank, (), (), q[None, :])
    closing = Closing(rows)
    J = unit_rows(rows, closing, t, q[None, :])[0]
    start = rank_of(J)
    walked = [q, *_walk(model, rows, closing, t, q)]
    ranks = [rank_of(x) for x in unit_rows(rows, closing, t, np.array(walked))]
    rank = max(ranks)
    positions = np.array([x for x, r in zip(walked, ranks, strict=True) if r == rank])
    there = unit_rows(rows, closing, t, positions[-1:])[0]
    redundant: tuple[Redundant, ...] = ()
    if rank < m:
        redundant = tuple(named(rows, there, eliminated(rows, there, _order(model, rows))))
    against = _contradictions(model, rows, closing, q) if start < m else ()
    return Mobility(n, m, rank, start, redundant, tuple(against), positions)


# -- rank -----------------------------------------------------------------------------------------


def unit_rows(rows: Rows, closing: Closing, t: float, q: Array) -> Array:
    """J at some positions, turns as lengths, rows of unit size: (k, m, n)."""
    J = rows.at(t, q, np.zeros((len(q), rows.velocities))).dense() / closing.metric
    return unit(J)


def unit(J: Array) -> Array:
    """Rows divided by their size; those that vanish stay."""
    sizes = np.linalg.norm(J, axis=-1, keepdims=True)
    return np.asarray(J / np.where(sizes > 1e-9, sizes, 1.0))


def rank_of(J: Array) -> int:
    """Rank of unit rows."""
    if 0 in J.shape:
        return 0
    values = np.linalg.svd(J, compute_uv=False)
    return int((values > DEPENDENT * max(1.0, float(values[0]))).sum())


def _walk(model: Model, rows: Rows, closing: Closing, t: float, q: Array) -> list[Array]:
    """Closed positions away from the start; drives stand aside, for their time stands still."""
    driven = {name for name in rows.slices if _has_time(model, name)}
    free = Closing(rows, without=sorted(driven), aim=False)
    held = [i for i, owner in enumerate(rows.owners) if owner not in driven]
    generator = np.random.default_rng(0)
    found: list[Array] = []
    here = q
    for way in WALKS:
        J = unit_rows(rows, closing, t, here[None, :])[0][held]
        _, values, V = np.linalg.svd(J, full_matrices=True)
        ways = V[int((values > DEPENDENT).sum()) :]
        if not len(ways):
            break
        y = ways.T @ generator.standard_normal(len(ways))
        y *= way * closing.length / np.abs(y).max()
        for shorter in (1.0, 0.3, 0.1):
            there = free.from_guess(t, displaced(here, shorter * y / closing.metric))
            if there.is_closed:
                found.append(there.q)
                here = there.q
                break
    return found


def _has_time(model: Model, owner: str) -> bool:
    """Whether a joint or constraint contains time."""
    joint = model.joints.get(owner)
    if joint is not None:
        return bool(symbols([row for rows in joint.formulas() for row in rows], "time"))
    formulas = [row for c in model.constraints if c.name == owner for row in c.rows]
    return bool(symbols(formulas, "time"))


# -- rows that repeat others ----------------------------------------------------------------------


def _order(model: Model, rows: Rows) -> list[str]:
    """Joints and constraints as given, drives last."""
    return sorted(rows.slices, key=lambda name: isinstance(model.joints.get(name), Motion))


def eliminated(rows: Rows, J: Array, order: Sequence[str]) -> tuple[list[int], list[int]]:
    """Independent rows and the others, of unit rows J."""
    basis = np.zeros((0, J.shape[1]))
    independent: list[int] = []
    others: list[int] = []
    for owner in order:
        left = list(rows.slices[owner])
        rest = J[left]
        for _ in range(2):  # the second time removes what rounding left
            rest = rest - (rest @ basis.T) @ basis
        while left:
            sizes = np.linalg.norm(rest, axis=1)
            k = int(np.argmax(sizes))
            if sizes[k] <= DEPENDENT:
                break
            new = rest[k] / sizes[k]
            new = new - (basis @ new) @ basis
            new /= np.linalg.norm(new)
            basis = np.vstack([basis, new])
            independent.append(left.pop(k))
            rest = np.delete(rest, k, axis=0)
            rest = rest - np.outer(rest @ new, new)
        others += left
    return independent, others


def named(rows: Rows, J: Array, found: tuple[list[int], list[int]]) -> list[Redundant]:
    """The redundant rows, and what fixes them already."""
    independent, others = found
    result = []
    for i in others:
        if not independent or np.linalg.norm(J[i]) <= DEPENDENT:
            result.append(Redundant(rows.names[i], rows.owners[i], ()))
            continue
        weights = np.abs(np.linalg.lstsq(J[independent].T, J[i], rcond=None)[0])
        used = {rows.owners[independent[k]] for k in np.flatnonzero(weights > 1e-6 * weights.max())}
        # its own rows need no mention beside others
        used = used - {rows.owners[i]} or used
        order = [owner for owner in rows.slices if owner in used]
        result.append(Redundant(rows.names[i], rows.owners[i], tuple(order)))
    return result


# -- drives against one another -------------------------------------------------------------------


def _contradictions(model: Model, rows: Rows, closing: Closing, q: Array) -> list[str]:
    """Dependent rows that ask for different speeds, in words."""
    moving = [name for name in rows.slices if _has_time(model, name)]
    if not moving:
        return []
    still, said = np.zeros(rows.velocities), {}
    for t in MOMENTS:
        found = rows.at(t, q, still)
        J = found.dense()[0] / closing.metric
        sizes = np.linalg.norm(J, axis=1)
        J = unit(J)
        speed = -found.phi_t[0] / np.where(sizes > 1e-9, sizes, 1.0)
        independent, others = eliminated(rows, J, _order(model, rows))
        for i in others:
            if not independent or rows.owners[i] in said:
                continue
            weights = np.linalg.lstsq(J[independent].T, J[i], rcond=None)[0]
            asked = float(weights @ speed[independent])
            scale = max(float(np.abs(speed).max()), 1e-300)
            if abs(speed[i] - asked) <= CONTRADICTION * scale:
                continue
            part = [k for k, w in zip(independent, weights, strict=True) if abs(w) > 1e-6]
            others_ = [x for x in rows.slices if any(rows.owners[k] == x for k in part)]
            against = [x for x in others_ if x in moving and x != rows.owners[i]] or others_
            said[rows.owners[i]] = (
                f"{rows.names[i]} asks for another speed than {', '.join(against)}"
                f" (at t = {t:g} s). Remove one of them, or make them agree."
            )
    return list(said.values())
