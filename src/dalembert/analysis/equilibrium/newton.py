"""Newton's method for rest on the constraints (analysis 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from dalembert.analysis.equations.constrained import Split, split
from dalembert.analysis.equations.on_rows import closed
from dalembert.analysis.equations.point import At, Equations
from dalembert.errors import AssemblyError

Array = NDArray[np.float64]

MOST = 200
BALANCED = 1e-11
"""Force left, over the forces there are, at which all is balanced."""

REACH = 0.3
"""Longest step, over the size of the model; turns count as lengths."""

NUDGE, NUDGES = 0.05, 6
"""How far beside an unstable place, over the size of the model, a search goes on; how often."""

WEAK = 1e-11
"""Stiffness, over the largest, that counts as none."""


@dataclass(frozen=True)
class Rest:
    """A place, and how far its forces are from balance (over the forces there are)."""

    q: Array
    at: At
    lam: Array
    rest: float
    worst: int
    """Velocity along which most force is left."""
    free: Split
    places: Split
    """Directions that rows leave free: all of them, and those of positions."""

    @property
    def is_balanced(self) -> bool:
        """Whether it is an equilibrium."""
        return self.rest <= 1e3 * BALANCED


class Search:
    """Newton's method from a guess.

    `downhill`: directions of negative stiffness are gone the other way, so that it ends where the
    place is stable if forces have a potential.
    """

    def __init__(self, equations: Equations, t: float, downhill: bool, most: int = MOST) -> None:
        self.equations, self.t, self.downhill, self.most = equations, t, downhill, most
        self.still = np.zeros(equations.nv)

    def at(self, q: Array) -> tuple[At, Split, Split, Array]:
        """The equations at rest, free directions for forces and for places, multipliers."""
        at = self.equations.at(self.t, q, self.still)
        free = split(at.J, self.equations.lengths)
        m = self.equations.holonomic
        places = free if m == len(at.J) else split(at.J[:m], self.equations.lengths)
        lam = free.multipliers(-at.force, len(at.J))
        return at, free, places, lam

    def scale(self, at: At, lam: Array) -> float:
        """The forces there are, torques over lengths."""
        lengths = self.equations.lengths
        pulls = np.abs(at.J.T * lam) / lengths[:, None] if len(lam) else np.zeros((1, 1))
        return float(max(np.abs(at.force / lengths).max(initial=0.0), pulls.max(initial=0.0)))

    def rest(self, q: Array) -> Rest:
        """How far a place is from balance."""
        at, free, places, lam = self.at(q)
        left = free.Z @ (free.Z.T @ at.force) * self.equations.lengths
        scale = self.scale(at, lam)
        size = float(np.abs(free.Z.T @ at.force).max(initial=0.0))
        worst = int(np.argmax(np.abs(left))) if len(left) else 0
        return Rest(q, at, lam, size / scale if scale > 0.0 else 0.0, worst, free, places)

    def from_guess(self, q: Array) -> Rest:
        """Where Newton's method ends, balanced or not."""
        q = closed(self.equations, self.t, q)
        best = self.rest(q)
        for _ in range(self.most):
            if best.rest <= BALANCED:
                break
            found = self._along(best, self._step(best))
            if found is None or (found.rest > 0.5 * best.rest and best.rest <= 1e2 * BALANCED):
                break
            best = found
        return best

    def stiffness(self, here: Rest) -> Array:
        """Eigenvalues of the stiffness in free directions, turns counted as lengths; in order."""
        Z, X = here.free.Z, here.places.Z
        if not X.shape[1]:
            return np.zeros(0)
        K = Z.T @ self.equations.slopes(here.at, self.still, here.lam).K @ X
        if Z.shape != X.shape:  # rolling: more places than velocities, none of them held
            held = np.linalg.svd(K, compute_uv=False)
            return np.concatenate([np.zeros(X.shape[1] - len(held)), held[::-1]])
        return np.asarray(la.eigvalsh((K + K.T) / 2.0))

    def lower(self, here: Rest) -> Rest:
        """From a place that is unstable on downhill, beginning a little beside it; else itself."""
        for _ in range(NUDGES):
            slopes = self.equations.slopes(here.at, self.still, here.lam)
            Z, X = here.free.Z, here.places.Z
            if Z.shape != X.shape or not Z.shape[1]:
                return here
            K = Z.T @ slopes.K @ X
            values, axes = la.eigh((K + K.T) / 2.0)
            if values[0] >= -1e-9 * np.abs(values).max():
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

    def _step(self, here: Rest) -> Array:
        """Displacement at which the forces would be balanced, were they linear."""
        at = here.at
        slopes = self.equations.slopes(at, self.still, here.lam)
        Z, X = here.free.Z, here.places.Z
        K, push = Z.T @ slopes.K @ X, Z.T @ at.force
        if self.downhill and Z.shape == X.shape and len(K):
            values, axes = la.eigh((K + K.T) / 2.0)
            size = np.abs(values)
            weak = size <= WEAK * size.max()
            share = (axes.T @ push) / np.where(weak, 1.0, size)
            # where nothing holds, as far as a step may go
            share = np.where(weak & (np.abs(axes.T @ push) > 0.0), np.sign(share) * 1e3, share)
            x = axes @ np.where(weak & (np.abs(axes.T @ push) < 1e-9), 0.0, share)
        else:
            x = np.linalg.lstsq(K, push, rcond=WEAK)[0]
        u = X @ x
        reach = float(np.abs(u * self.equations.lengths).max(initial=0.0))
        most = REACH * float(self.equations.lengths.max())
        return np.asarray(u * min(1.0, most / reach) if reach > 0.0 else u)

    def _along(self, best: Rest, u: Array) -> Rest | None:
        """The step, shortened until forces are less; downhill until energy would fall."""
        way, fallback = 1.0, None
        for _ in range(12):
            try:
                there = self.equations.displaced(best.q, way * u)
                q = closed(self.equations, self.t, there, best.places)
            except AssemblyError:
                way *= 0.5
                continue
            found = self.rest(q)
            if not np.isfinite(found.rest):
                way *= 0.5
                continue
            if found.rest < best.rest:
                return found
            if self.downhill:
                # against the push no longer: the lowest place is between
                turned = float(found.at.force @ u)
                if turned >= 0.0:
                    return found
            fallback = fallback or found
            way *= 0.5
        return fallback if self.downhill else None
