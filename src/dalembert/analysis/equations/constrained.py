"""Accelerations, multipliers and independent directions at a state (analysis 2).

Rows of any rank: J^T is factored with pivots, J^T P = Q R; the first r columns of Q span what the
rows see, the others, Z, what they leave free. Massless directions are taken as held.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray
from scipy.linalg import lapack

from dalembert.analysis.equations.point import At, Equations
from dalembert.errors import InconsistentError, MassMatrixError, NonFiniteError

Array = NDArray[np.float64]

DEPENDENT = 1e-9
"""Part of a row of unit size, apart from those before it, up to which it is dependent."""

KEPT = 0.1
"""Least part of a row apart from others, over what it was, at which they are taken again."""

BLOCK = 32
"""Columns that LAPACK takes together, for its work array."""

MASSLESS = 1e-13
"""Share of the largest inertia up to which a direction has none."""

CONTRADICTION = 1e-7
"""Residual of dependent rows, over the sizes that enter, from which on they contradict."""


@dataclass(frozen=True)
class Split:
    """Directions that rows see, Y, and those they leave free, Z; turns count as lengths.

    chosen : rows that are independent
    factors, tau : [Y, Z] as reflections, above them the triangle R, as LAPACK keeps them:
        (J / lengths)^T = Y R  in rows of unit size
    """

    factors: Array
    tau: Array
    chosen: NDArray[np.int64]
    sizes: Array
    lengths: Array

    @property
    def rank(self) -> int:
        """How many rows are independent."""
        return len(self.chosen)

    @property
    def R(self) -> Array:
        """Triangle of the independent rows, with reflections below it."""
        return self.factors[: self.rank, : self.rank]

    @cached_property
    def Z(self) -> Array:
        """Free directions, orthonormal when turns are lengths."""
        n = len(self.lengths)
        return self._turned(np.eye(n, n - self.rank, -self.rank)) / self.lengths[:, None]

    def seen(self, values: Any) -> Array:
        """The least y with  J y = values  for the independent rows."""
        found = np.zeros((len(self.lengths), *np.shape(values)[1:]))
        if not self.rank:
            return found
        wanted = (np.asarray(values).T / self.sizes).T[self.chosen]
        found[: self.rank] = la.solve_triangular(self.R, wanted, trans="T", check_finite=False)
        return np.asarray((self._turned(found).T / self.lengths).T)

    def multipliers(self, force: Array, count: int) -> Array:
        """lam with  J^T lam = force  in the directions that are seen; 0 in dependent rows."""
        lam = np.zeros(count)
        if self.rank:
            seen = self._turned(force / self.lengths, "T")[: self.rank]
            own = la.solve_triangular(self.R, seen, check_finite=False)
            lam[self.chosen] = own / self.sizes[self.chosen]
        return lam

    def _turned(self, x: Array, how: str = "N") -> Array:
        """[Y, Z] x, or with "T" its transpose times x."""
        if not len(self.tau) or not x.size:
            return x
        columns = np.asfortranarray(x.reshape(len(x), -1))
        count = columns.shape[1]
        work = BLOCK * count if count > 1 else 1  # blocks do not pay for one column
        found, _, _ = lapack.dormqr("L", how, self.factors, self.tau, columns, work)
        return np.asarray(found).reshape(x.shape)


def row_sizes(J: Array) -> Array:
    """Lengths of rows; 1 for one that vanishes."""
    sizes = np.linalg.norm(J, axis=1)
    return np.where(sizes > 1e-12, sizes, 1.0)


def split(J: Array, lengths: Array, near: Split | None = None) -> Split:
    """Factor rows of any rank.

    `near`: factors of a place nearby. Its rows are taken again, without a search for them, where
    they are still independent and all others still depend on them.
    """
    scaled = J / lengths
    sizes = row_sizes(scaled)
    if not len(J):
        none = np.zeros(0, dtype=np.int64)
        return Split(np.zeros((len(lengths), 0)), np.zeros(0), none, sizes, lengths)
    A = (scaled / sizes[:, None]).T
    again = None if near is None else _again(A, sizes, near)
    if again is not None:
        return again
    factors, order, tau, _, _ = lapack.dgeqp3(A, BLOCK * (len(J) + 1))
    own = np.abs(np.diag(factors))
    rank = int((own > DEPENDENT * own.max(initial=0.0)).sum())
    return Split(factors[:, :rank], tau[:rank], order[:rank] - 1, sizes, lengths)


def _again(A: Array, sizes: Array, near: Split) -> Split | None:
    """Factors with the rows of other ones, if these still are a choice that holds."""
    chosen, rank = near.chosen, near.rank
    factors, tau, _, _ = lapack.dgeqrf(A[:, chosen], BLOCK * max(rank, 1))
    own, was = np.abs(np.diag(factors)), np.abs(np.diag(near.R))
    if own.min(initial=1.0) < KEPT * was.min(initial=1.0):
        return None
    made = Split(factors, tau, chosen, sizes, near.lengths)
    others = np.delete(A, chosen, axis=1)
    rest = made.Z.T @ (others * near.lengths[:, None])
    return made if np.abs(rest).max(initial=0.0) <= DEPENDENT * own.max(initial=0.0) else None


class Constrained:
    """The solved equations at a state: a, lam, and what is free."""

    def __init__(self, equations: Equations, at: At) -> None:
        _finite(equations, at)
        self.equations, self.at = equations, at
        self.held: Array = np.zeros((0, equations.nv))
        J = at.J
        self.all = split(J, equations.lengths)
        Z = self.all.Z
        reduced = Z.T @ at.M @ Z
        values, axes = la.eigh(reduced) if Z.shape[1] else (np.zeros(0), Z.T @ Z)
        light = values <= MASSLESS * np.abs(np.diag(at.M)).max(initial=0.0)
        if light.any():
            self._hold(Z @ axes[:, light])

    def _hold(self, idle: Array) -> None:
        """Hold directions without inertia, if nothing acts along them."""
        equations, at = self.equations, self.at
        push = np.abs(idle.T @ at.force).max()
        scale = max(1.0, float(np.abs(at.force).max(initial=0.0)))
        if push > 1e-9 * scale:
            worst = int(np.argmax(np.abs(idle).sum(axis=1)))
            raise MassMatrixError(
                f"model {equations.model.name!r}: nothing resists a force along"
                f" {equations.velocity_names[worst]!r}, which has no inertia there. Give the body"
                " a mass or moment, or a joint that holds it."
            )
        self.held = idle.T
        self.all = split(np.concatenate([at.J, idle.T]), equations.lengths)

    @cached_property
    def places(self) -> Split:
        """As `all`, for the rows of positions only: what displacements are free."""
        m = self.equations.holonomic
        if m == len(self.at.J):
            return self.all
        J = np.concatenate([self.at.J[:m], self.held])
        return split(J, self.equations.lengths)

    def stacked(self, rows: Any) -> Array:
        """Rows of the model with zeros for the held ones."""
        more = np.zeros((len(self.held), *np.shape(rows)[1:]))
        return np.concatenate([rows, more])

    @cached_property
    def a(self) -> Array:
        """Accelerations."""
        at, parts = self.at, self.all
        seen = parts.seen(self.stacked(-at.gamma))
        Z = parts.Z
        free = np.zeros(Z.shape[1])
        if Z.shape[1]:
            free = la.solve(Z.T @ at.M @ Z, Z.T @ (at.force - at.M @ seen), assume_a="sym")
        a = seen + Z @ free
        rest = at.J @ a + at.gamma
        scale = np.abs(at.J) @ np.abs(a) + np.abs(at.gamma) + 1e-3
        if len(rest) and np.max(np.abs(rest) / scale) > CONTRADICTION:
            worst = int(np.argmax(np.abs(rest) / scale))
            owner = self.equations.owners[worst]
            raise InconsistentError(
                f"model {self.equations.model.name!r}: {self.equations.row_names[worst]!r} of"
                f" {owner!r} contradicts other constraints at this state. Remove one of them, or"
                " give a state that meets them all."
            )
        return np.asarray(a)

    @cached_property
    def lam(self) -> Array:
        """Multipliers; 0 in rows that depend on others."""
        force = self.at.M @ self.a - self.at.force
        count = len(self.at.J)
        return self.all.multipliers(force, count + len(self.held))[:count]

    @property
    def freedom(self) -> int:
        """Independent velocities."""
        return int(self.all.Z.shape[1])


def _finite(equations: Equations, at: At) -> None:
    for what, numbers, names in (
        ("the row", at.phi_dot, equations.row_names),
        ("the row", at.phi, equations.row_names),
        ("the force on", at.force, equations.velocity_names),
    ):
        bad = np.flatnonzero(~np.isfinite(numbers))
        if bad.size:
            raise NonFiniteError(
                f"model {equations.model.name!r}: {what} {names[bad[0]]!r} is {numbers[bad[0]]} at"
                " this state. Give a state at which all formulas have a value."
            )
    if not (np.isfinite(at.J).all() and np.isfinite(at.M).all()):
        raise NonFiniteError(
            f"model {equations.model.name!r}: the mass matrix or J is not finite at this state."
            " Give a state at which all formulas have a value."
        )
