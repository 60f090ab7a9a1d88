"""Closing the joints of a model of bodies: from a guess to a configuration with phi(q) = 0.

Damped Gauss-Newton steps (Levenberg and Marquardt): with rows and displacements scaled to lengths,

    (J^T J + mu) d = -J^T phi,     q <- q (+) d,

mu growing while steps fail and shrinking with |phi|^2 while they succeed, which converges
quadratically and needs no independent rows. A body turns by at most one radian in a step. Where the
guess is stuck (all bodies in one point, or a wrong way round), it is shaken and tried again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.formulas.expression import Expression
from dalembert.model.start.assembly_rows import ways_round
from dalembert.model.start.linearised import Linearised
from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.states import displaced, turned_by

Array = npt.NDArray[np.float64]

CLOSED = 1e-12
"""Residual, over the size of the mechanism, that counts as closed."""

ROUNDING = 1e-9
"""Residual up to which steps that gain nothing more are put down to rounding."""

IDLE = 1e-3
"""Gain of a step, over the sum of squares, three of which in a row end a try."""

STEPS = 60
LARGEST_TURN = 1.0  # rad
LEAST_DAMPING = 1e-11
MOST_DAMPING = 1e6

SHAKES = (0.1, 0.3, 1.0, 3.0, 0.3, 1.0, 3.0, 3.0)
"""Sizes of the displacements at further tries, over the size of the mechanism and in radians."""

FULL = 120
"""Velocities up to which steps are computed with full matrices."""

DENSE_LIMIT = 1300
"""Rows and velocities together up to which there may be full matrices at all."""


@dataclass(frozen=True)
class Closed:
    """Where closing ended.

    Attributes
    ----------
    q : configuration
    is_closed : whether all rows vanish there
    residual : (m,)   phi scaled to lengths, joints first, then held values  [m]
    angles : those in rows, with the turns counted from the guess on
    """

    q: Array
    is_closed: bool
    residual: Array
    angles: Mapping[Expression, float] = field(default_factory=dict)

    @property
    def worst(self) -> float:
        """Largest residual  [m]."""
        return float(np.abs(self.residual).max(initial=0.0))


class Closing:
    """The rows to be closed.

    Parameters
    ----------
    rows : rows of the model
    holds : further rows, of held values
    without : joints and constraints to leave out
    angles : those known with their turns at the guess (`Rows.known`); turns are counted on the way
    aim : whether joints must be the right way round (`model.start.assembly_rows`)
    """

    def __init__(
        self,
        rows: Rows,
        holds: Rows | None = None,
        *,
        without: Sequence[str] = (),
        angles: Mapping[Expression, float] | None = None,
        aim: bool = True,
    ) -> None:
        self.rows = rows
        self.holds = holds
        self.without = tuple(without)
        self.angles = dict(angles or {})
        self.length = rows.length
        left = set(without)
        wanted = [j for j in rows.model.joints.values() if aim and j.name not in left]
        self.ways_round = Rows(rows.model, ways_round(wanted), [], rows.bodies)
        self.parts = [part for part in (rows, holds, self.ways_round) if part is not None]
        self.owners = [owner for part in self.parts for owner in part.owners[: part.holonomic]]
        self.keep = np.array([owner not in left for owner in self.owners], dtype=bool)
        n = rows.velocities
        self.metric = np.tile([1.0, 1.0, 1.0, *[self.length] * 3], n // 6)

    @property
    def is_small(self) -> bool:
        """Whether singular values can be asked for."""
        return len(self.owners) + self.rows.velocities <= DENSE_LIMIT

    @property
    def _full(self) -> bool:
        return self.rows.velocities <= FULL

    # -- one state -------------------------------------------------------------------------------

    def at(self, t: float, q: Array) -> tuple[Array, Any]:
        """phi and J of all rows, columns scaled to lengths."""
        still = np.zeros(self.rows.velocities)
        found = [part.at(t, q, still) for part in self.parts]
        phi = np.concatenate([part.phi[0] for part in found])[self.keep]
        if self._full:
            J = np.concatenate([_positions(part, part.dense()[0]) for part in found])
            return phi, J[self.keep] / self.metric
        from scipy.sparse import csr_array, diags_array, vstack

        stacked = vstack([csr_array(_positions(part, part.sparse())) for part in found])
        chosen = csr_array(stacked)[np.flatnonzero(self.keep)]
        return phi, csr_array(chosen @ diags_array(1.0 / self.metric))

    def phi(self, t: float, q: Array) -> Array:
        """Residuals alone."""
        still = np.zeros(self.rows.velocities)
        found = [part.residuals(t, q, still)[0][0] for part in self.parts]
        return np.asarray(np.concatenate(found)[self.keep])

    def _sizes(self, J: Any) -> Array:
        """Sizes of rows; one that vanishes at a singular guess counts as 1."""
        squares = np.asarray((J * J).sum(axis=1)).ravel()
        sizes = np.sqrt(squares)
        return np.where(sizes > 1e-6, sizes, 1.0)

    def _step(self, J: Any, phi: Array, mu: float) -> Array:
        """-(J^T J + mu)^-1 J^T phi."""
        n = J.shape[1]
        if self._full:
            from scipy.linalg import LinAlgError, cho_factor, cho_solve

            A = J.T @ J
            A.flat[:: n + 1] += mu
            try:
                return np.asarray(-cho_solve(cho_factor(A), J.T @ phi))
            except LinAlgError:
                return np.asarray(-np.linalg.lstsq(A, J.T @ phi, rcond=1e-12)[0])
        from scipy.sparse import eye_array
        from scipy.sparse.linalg import splu

        A = (J.T @ J + mu * eye_array(n)).tocsc()
        return np.asarray(-splu(A, permc_spec="MMD_AT_PLUS_A").solve(J.T @ phi))

    # -- iterations ------------------------------------------------------------------------------

    def _count(self, t: float, q: Array, known: Mapping[Expression, float] | None = None) -> None:
        """Turns at a place: nearest to those of the last one, or to those that are known."""
        for part in self.parts:
            if part.turning:
                part.known = part.known if known is None else known
                part.known = part.angles_at(t, q)

    def from_guess(
        self, t: float, q: Array, angles: Mapping[Expression, float] | None = None
    ) -> Closed:
        """Damped steps from one guess; ends closed, or where the residual no longer falls.

        `angles`: those known there with their turns, by default those of the guess.
        """
        self._count(t, q, self.angles if angles is None else angles)
        phi, J = self.at(t, q)
        if not len(phi):
            return Closed(q, True, phi, self._counted())
        weight = 1.0 / self._sizes(J)
        mu = 1e-2
        tolerance = CLOSED * self.length
        idle = 0
        # a long chain folds by little at a time
        for _ in range(STEPS + self.rows.velocities // 3):
            r = weight * phi
            cost = float(r @ r)
            if not np.isfinite(cost) or np.abs(r).max() <= tolerance:
                break
            scaled = _rowwise(weight, J)
            moved = False
            while mu < MOST_DAMPING:
                y = self._limited(self._step(scaled, r, max(mu, LEAST_DAMPING)))
                ahead = displaced(q, y / self.metric)
                found = weight * self.phi(t, ahead)
                gained = cost - float(found @ found)
                foreseen = cost - float(np.square(r + scaled @ y).sum())
                if np.isfinite(gained) and gained > 1e-3 * foreseen > 0.0:
                    moved = True
                    break
                mu = max(4.0 * mu, 1e-8)
            if not moved:
                break
            q = ahead
            self._count(t, q)
            # next to a closed configuration the residual falls fast; elsewhere it need not
            idle = idle + 1 if gained < IDLE * cost else 0
            if idle == 3:
                phi = self.phi(t, q)
                break
            ratio = gained / foreseen
            mu = mu / 9.0 if ratio > 0.75 else mu * 2.0 if ratio < 0.25 else mu
            mu = min(mu, float(found @ found) / self.length**2)
            phi, J = self.at(t, q)
        r = weight * phi
        worst = float(np.abs(r).max(initial=0.0))
        return Closed(q, bool(worst <= ROUNDING * self.length), r, self._counted())

    def _counted(self) -> dict[Expression, float]:
        """Angles with their turns at the last place."""
        return {x: y for part in self.parts for x, y in part.known.items()}

    def _limited(self, y: Array) -> Array:
        """The step, shortened for no body to turn by more than a radian."""
        turn = np.abs(y.reshape(-1, 6)[:, 3:]).max(initial=0.0) / self.length
        return y * min(1.0, LARGEST_TURN / turn) if turn > 0.0 else y

    def close(
        self,
        t: float,
        q: Array,
        *,
        tries: int = len(SHAKES) + 1,
        seed: int = 0,
        until: float = math.inf,
    ) -> Closed:
        """The guess first, then shaken ones; a closed configuration, or the best that was met.

        What is closed already stays as it is, whichever way round. No further guess is tried when
        the process has computed `until` [s].
        """
        plain = Closing(self.rows, self.holds, without=self.without, angles=self.angles, aim=False)
        plain._count(t, q, self.angles)
        phi, J = plain.at(t, q)
        r = phi / plain._sizes(J)
        if np.abs(r).max(initial=0.0) <= CLOSED * self.length:
            return Closed(q, True, r, self._counted())
        best = self.from_guess(t, q)
        generator = np.random.default_rng(seed)
        for shake in SHAKES[: tries - 1]:
            if best.is_closed or time.process_time() > until:
                break
            y = shake * self.length * generator.uniform(-1.0, 1.0, self.rows.velocities)
            found = self.from_guess(t, displaced(q, y / self.metric))
            if found.is_closed or found.worst < best.worst:
                best = found
        if not best.is_closed and len(self.ways_round.names):
            found = plain.from_guess(t, q)
            best = found if found.is_closed else best
        self._count(t, best.q, best.angles)
        return best

    # -- nearest ---------------------------------------------------------------------------------

    def distance(self, q: Array, other: Array) -> float:
        """How far configurations are apart, turns as lengths  [m]."""
        return float(np.linalg.norm(self.metric * turned_by(q, other)))

    def nearer(self, t: float, guess: Array, closed: Closed, *, steps: int = 12) -> Closed:
        """Slide along the closed configurations towards the guess while that brings nearer."""
        if not (closed.is_closed and self.is_small):
            return closed
        here = self.distance(guess, closed.q)
        for _ in range(steps):
            _, J = self.at(t, closed.q)
            J = J if isinstance(J, np.ndarray) else J.toarray()
            y = -self.metric * turned_by(guess, closed.q)
            y = y - _row_space_part(J, y)
            if np.linalg.norm(y) <= 1e-3 * here:
                break
            ahead = displaced(closed.q, self._limited(y) / self.metric)
            found = self.from_guess(t, ahead, closed.angles)
            there = self.distance(guess, found.q)
            if not (found.is_closed and there < 0.999 * here):
                break
            closed, here = found, there
        return closed


def _positions(part: Linearised, J: Any) -> Any:
    return J[: part.phi.shape[1]]


def _rowwise(weight: Array, J: Any) -> Any:
    if isinstance(J, np.ndarray):
        return weight[:, None] * J
    from scipy.sparse import diags_array

    return (diags_array(weight) @ J).tocsr()


def _row_space_part(J: Array, y: Array) -> Array:
    """The part of y that the rows of J see."""
    _, values, V = np.linalg.svd(J, full_matrices=False)
    V = V[values > 1e-8 * values.max(initial=0.0)]
    return np.asarray(V.T @ (V @ y))
