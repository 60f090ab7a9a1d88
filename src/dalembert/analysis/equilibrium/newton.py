"""Newton's method for rest on the constraints (analysis 4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from dalembert.analysis.equations.constrained import Split, split
from dalembert.analysis.equations.onto_constraints import closed
from dalembert.analysis.equations.point import At, Equations
from dalembert.errors import AssemblyError

Array = NDArray[np.float64]

MOST = 200
BALANCED = 1e-11
"""Force left, over the forces there are, at which all is balanced."""

CLOSE = 1e-13
"""Step, over the size of the model, that leads nowhere."""

REACH = 0.3
"""Longest step, over the size of the model; turns count as lengths."""

NUDGE, NUDGES = 0.05, 6
"""How far beside an unstable place, over the size of the model, a search goes on; how often."""

HALVINGS = 40
SECTIONS = 30
ALIKE = 8
ENOUGH = 0.05
"""Work on the way, over what the first push promises, that is enough."""

NEAR = 1e-6
"""Force left at which energies are no longer told apart, and forces decide."""

STIFF = 1e-4
"""Part of stiffness times size that counts among the forces there are."""

WEAK = 1e-11
"""Stiffness, over the largest or the forces over the size, that counts as none."""

LEADS = 1e-2
"""Step, over the size of the model, from a place whose forces count as balanced; it is less."""

AROUND, HOLDS = 1e-4, 1e-3
"""How far about a place, over the size of the model, its stiffness still holds, and what part."""


@dataclass(frozen=True)
class Rest:
    """A place, and how far its forces are from balance.

    `left` is the force that is not balanced, `rest` the same over the largest forces met.
    """

    q: Array
    at: At
    lam: Array
    left: float
    rest: float
    worst: int
    """Velocity along which most force is left."""
    free: Split
    places: Split
    """Directions that rows leave free: all of them, and those of positions."""
    angles: Mapping[Any, float] | None = None
    """Angles of hinges with their full turns, where they are counted."""
    settled: bool = False
    """Whether the forces balance as near as places can be told apart."""
    leads: float = 0.0
    """Length of the step that goes on from here, over the size of the model."""

    @property
    def is_balanced(self) -> bool:
        """Whether it is an equilibrium."""
        return self.settled or (self.rest <= 1e3 * BALANCED and self.leads <= LEADS)


class Search:
    """Newton's method from a guess.

    `downhill`: directions of negative stiffness are gone the other way, so that it ends where the
    place is stable if forces have a potential. `most` steps, each halved so many times.
    """

    def __init__(
        self,
        equations: Equations,
        t: float,
        downhill: bool,
        most: int = MOST,
        halvings: int = HALVINGS,
    ) -> None:
        self.equations, self.t, self.downhill = equations, t, downhill
        self.most, self.halvings = most, halvings
        self.still = np.zeros(equations.nv)
        self.size = float(equations.lengths.max())
        self.forces = 0.0  # the largest met on the way from a guess
        self.trusted = 1.0  # part of the longest step that the last ones allow

    def at(self, q: Array, near: Rest | None = None) -> tuple[At, Split, Split, Array]:
        """The equations at rest, free directions for forces and for places, multipliers."""
        at, lengths = self.equations.at(self.t, q, self.still), self.equations.lengths
        free = split(at.J, lengths, near.free if near else None)
        m = self.equations.holonomic
        places = free if m == len(at.J) else split(at.J[:m], lengths, near.places if near else None)
        lam = free.multipliers(-at.force, len(at.J))
        return at, free, places, lam

    def scale(self, at: At, lam: Array) -> float:
        """The forces there are, torques over lengths."""
        lengths = self.equations.lengths
        pulls = np.abs(at.J.T * lam) / lengths[:, None] if len(lam) else np.zeros((1, 1))
        return float(max(np.abs(at.force / lengths).max(initial=0.0), pulls.max(initial=0.0)))

    def rest(self, q: Array, near: Rest | None = None) -> Rest:
        """How far a place is from balance; `near`: another one, whose choice of rows is tried."""
        at, free, places, lam = self.at(q, near)
        left = free.Z @ (free.Z.T @ at.force) * self.equations.lengths
        forces = max(self.forces, self.scale(at, lam))
        size = float(np.abs(free.Z.T @ at.force).max(initial=0.0))
        worst = int(np.argmax(np.abs(left))) if len(left) else 0
        rest = size / forces if forces > 0.0 else 0.0
        turning = self.equations.turning
        angles = None if turning is None else turning.angles
        return Rest(q, at, lam, size, rest, worst, free, places, angles)

    def from_guess(self, q: Array) -> Rest:
        """Where Newton's method ends, balanced or not."""
        self.forces, self.trusted = 0.0, 1.0
        best = self.rest(closed(self.equations, self.t, q))
        alike, lost = 0, 0.0
        for _ in range(self.most):
            before = lost
            self.forces = max(self.forces, self.scale(best.at, best.lam))
            u, lost = self._step(best)
            best = replace(best, leads=self._reach(u) / self.size)
            if best.leads <= CLOSE and not lost:
                return replace(best, settled=self._is_smooth(best, u))
            # a force that stays as it is, however far it is followed, nothing will balance
            alike = alike + 1 if 0.0 < lost and abs(lost - before) <= 1e-9 * lost else 0
            if alike == ALIKE:
                return best
            found, way = self._along(best, u)
            if found is not None:
                self.trusted = min(1.0, 2.0 * self.trusted) if way == 1.0 else way * self.trusted
            alike = alike if way == 1.0 else 0
            small = best.rest <= 1e2 * BALANCED and best.leads <= LEADS
            if found is None or (found.left > 0.5 * best.left and small):
                return best
            best = found
        return replace(best, leads=self._reach(self._step(best)[0]) / self.size)

    def _is_smooth(self, here: Rest, u: Array) -> bool:
        """Whether forces change about a place as its stiffness says, on one side at least (4.1).

        Beside a pole of the potential they do not: there a step leads nowhere, and nothing rests.
        """
        reach = self._reach(u)
        if not reach > 0.0:
            return True
        promised = AROUND * self.size / reach * here.left
        for way in (AROUND * self.size / reach, -AROUND * self.size / reach):
            try:
                there = self.equations.displaced(here.q, way * u)
                there = closed(self.equations, self.t, there, here.places)
            except AssemblyError:
                continue
            if self.rest(there, here).left >= HOLDS * promised:
                return True
        return False

    def stiffness(self, here: Rest) -> Array:
        """Eigenvalues of the stiffness in free directions, turns counted as lengths; in order."""
        Z, X = here.free.Z, here.places.Z
        if not X.shape[1]:
            return np.zeros(0)
        K = Z.T @ self.equations.stiffness(here.at, here.lam) @ X
        if Z.shape != X.shape:  # rolling: more places than velocities, none of them held
            held = np.linalg.svd(K, compute_uv=False)
            return np.concatenate([np.zeros(X.shape[1] - len(held)), held[::-1]])
        return np.asarray(la.eigvalsh((K + K.T) / 2.0))

    def lower(self, here: Rest) -> Rest:
        """From a place that is unstable on downhill, beginning a little beside it; else itself."""
        for _ in range(NUDGES):
            Z, X = here.free.Z, here.places.Z
            if Z.shape != X.shape or not Z.shape[1]:
                return here
            K = Z.T @ self.equations.stiffness(here.at, here.lam) @ X
            values, axes = la.eigh((K + K.T) / 2.0)
            if values[0] >= -1e2 * self._weak(float(np.abs(values).max())):
                return here
            u = X @ axes[:, 0]
            u *= (
                NUDGE
                * float(self.equations.lengths.max())
                / float(np.abs(u * self.equations.lengths).max())
            )
            try:
                there = self.from_guess(self.equations.displaced(here.q, u))
            except AssemblyError:
                return here
            if not there.is_balanced:
                return here
            here = there
        return here

    def _step(self, here: Rest) -> tuple[Array, float]:
        """Displacement at which the forces would be balanced, were they linear.

        It is no longer than may be. And the force that no displacement balances.
        """
        at = here.at
        Z, X = here.free.Z, here.places.Z
        K, push = Z.T @ self.equations.stiffness(at, here.lam) @ X, Z.T @ at.force
        # what is left of rounding where nothing holds is no push
        none = BALANCED * max(self.forces, STIFF * self.size * float(np.abs(K).max(initial=0.0)))
        if self.downhill and Z.shape == X.shape and len(K):
            return self._downhill(X, (K + K.T) / 2.0, push, none)
        stiff = float(np.linalg.norm(K, 2)) if K.size else 0.0
        x: Array = np.zeros(X.shape[1])
        if stiff > self._weak(stiff):
            x = np.asarray(np.linalg.lstsq(K, push, rcond=self._weak(stiff) / stiff)[0], float)
        lost = float(np.abs(push - K @ x).max(initial=0.0))
        u = np.asarray(X @ x)
        reach = self._reach(u)
        u = u * min(1.0, self.longest / reach) if reach > 0.0 else u
        return u, lost if lost > none else 0.0

    def _downhill(self, X: Array, K: Array, push: Array, none: float) -> tuple[Array, float]:
        """(|K| + mu) u = Q with the least mu for which the step is not too long (4.1).

        Soft directions are shortened by it, and stiff ones hardly. And the force where nothing
        holds.
        """
        values, axes = la.eigh(K)
        size, share = np.abs(values), axes.T @ push
        weak = size <= self._weak(float(size.max()))
        size[weak] = 0.0
        share[weak & (np.abs(share) <= none)] = 0.0
        X = X @ axes

        def step(mu: float) -> Array:
            by = size + mu
            return np.asarray(X @ np.divide(share, by, out=np.zeros_like(share), where=by > 0.0))

        lost = float(np.linalg.norm(share[weak]))
        if lost == 0.0 and self._reach(step(0.0)) <= self.longest:
            return step(0.0), 0.0
        low, high = 0.0, float(np.linalg.norm(share)) / self.longest
        while self._reach(step(high)) > self.longest:
            high *= 2.0
        for _ in range(SECTIONS):
            mu = 0.5 * (low + high)
            low, high = (mu, high) if self._reach(step(mu)) > self.longest else (low, mu)
        return step(high), lost

    def _weak(self, stiff: float) -> float:
        """Stiffness up to which there is none: beside the largest, or the forces over the size."""
        return WEAK * max(stiff, self.forces / self.size)

    @property
    def longest(self) -> float:
        """Longest step."""
        return REACH * self.trusted * self.size

    def _reach(self, u: Array) -> float:
        """Length of a step, turns counted as lengths."""
        return float(np.abs(u * self.equations.lengths).max(initial=0.0))

    def _along(self, best: Rest, u: Array) -> tuple[Rest | None, float]:
        """The step, shortened until forces are less; downhill until energy falls (4.1).

        And the part of it that was taken.
        """
        way, push = 1.0, float(best.at.force @ u)
        for _ in range(self.halvings):
            try:
                there = self.equations.displaced(best.q, way * u)
                found = self.rest(closed(self.equations, self.t, there, best.places), best)
            except AssemblyError:
                way *= 0.5
                continue
            if np.isfinite(found.rest):
                if self.downhill and best.rest > NEAR:
                    # work of the forces on the way, by the trapezoidal rule
                    if push + float(found.at.force @ u) > 2.0 * ENOUGH * push:
                        return found, way
                elif found.left < best.left:
                    return found, way
            way *= 0.5
        return None, way
