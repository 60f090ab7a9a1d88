"""Curves of places that a growing load holds, from one equilibrium to others (analysis 4.2).

With a constant load of strength lam the places where  Z^T(sigma Q + lam r) = 0  are curves. They
are followed by their arcs, sigma and lam on a circle, so that they go on where the load is
infinite; wherever lam changes its sign a place is met that rests without the load.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.constrained import Split
from dalembert.analysis.equations.onto_constraints import closed
from dalembert.analysis.equilibrium.newton import Rest, Search
from dalembert.errors import AssemblyError

Array = NDArray[np.float64]

FIRST, LONGEST, SHORTEST = 0.02, 0.3, 1e-5
"""Steps along a curve, over the size of the model; turns count as lengths."""

STEPS, IDLE = 400, 100
"""Steps after which a curve is given up: all, and those on which the load did not vanish."""

NEAR = 1e-3
"""Force left, over the forces there are, at which a place counts as one of the curve."""

CORRECTIONS = 4
STRAIGHT = 0.95
"""Least cosine between directions of a curve one step apart."""


Linear = tuple[Array, Array, Split, Array]
"""Slopes and residuals at a place on a curve, free directions, the same as lengths."""


@dataclass(frozen=True)
class Point:
    """A place on a curve: equations there, parts of forces and load, direction of the curve."""

    q: Array
    parts: Array
    """(sigma, lam)."""
    places: Split
    ahead: Array
    """Displacements over the size of the model with turns as lengths, then those of `parts`."""


class Curves:
    """Curves under one load.

    Attributes
    ----------
    steps : how many were tried
    """

    def __init__(self, search: Search, load: Array, force: float) -> None:
        """`force`: the size of forces that the load is compared with."""
        self.search, self.equations = search, search.equations
        self.force, self.steps = force, 0
        self.load = force * load * self.equations.lengths

    def along(self, rest: Rest, way: float, most: int) -> Iterator[Array]:
        """Places near which the load vanishes, from an equilibrium on, one way."""
        unloaded = np.array([1.0, 0.0])
        here = self._point(rest.q, unloaded, self._linear(rest.q, unloaded))
        if here is None:
            return
        if here.ahead[-1] * way < 0.0:
            here = Point(here.q, here.parts, here.places, -here.ahead)
        length, idle = FIRST, 0
        while self.steps < min(STEPS, most) and idle < IDLE:
            self.steps, idle = self.steps + 1, idle + 1
            there = self._next(here, length)
            if there is None:
                length *= 0.5
                if length < SHORTEST:
                    return
                continue
            if here.parts[1] != 0.0 and here.parts[1] * there.parts[1] <= 0.0:
                idle = 0
                yield there.q
            here, length = there, min(1.3 * length, LONGEST)

    def _next(self, here: Point, length: float) -> Point | None:
        """The point a step ahead, or None where the step is too long."""
        try:
            return self._corrected(here, length)
        except (AssemblyError, np.linalg.LinAlgError):
            return None

    def _corrected(self, here: Point, length: float) -> Point | None:
        equations, n = self.equations, self.equations.nv
        step = length * here.ahead
        q, near, parts = here.q, here.places, here.parts
        for _ in range(CORRECTIONS):
            u = step[:n] * self.search.size / equations.lengths
            q = closed(equations, self.search.t, equations.displaced(q, u), near)
            parts = parts + step[n:]
            parts = parts / np.linalg.norm(parts)
            linear = self._linear(q, parts)
            A, left, near, axes = linear
            if np.abs(left).max(initial=0.0) <= NEAR:
                there = self._point(q, parts, linear, here.ahead)
                straight = there is not None and there.ahead @ here.ahead >= STRAIGHT
                return there if straight else None
            found = np.linalg.lstsq(A, -left, rcond=None)[0]
            step = np.r_[axes @ found[:-2], found[-2:]]
            if np.abs(step).max() > 0.5 * length:
                return None
        return None

    def _linear(self, q: Array, parts: Array) -> Linear:
        """Slopes and residuals of a place on the curve; free directions as lengths."""
        search, (sigma, lam) = self.search, parts
        equations = self.equations
        at, free, places, _ = search.at(q)
        pull = sigma * at.force + lam * self.load
        held = free.multipliers(-pull, len(at.J))
        share = sigma if abs(sigma) > 1e-12 else 1e-12
        K = share * equations.stiffness(at, held / share)
        Z = free.Z
        left = np.r_[Z.T @ pull / self.force, 0.0]
        A = np.zeros((len(left), Z.shape[1] + 2))
        A[:-1, :-2] = -Z.T @ K @ places.Z * (search.size / self.force)
        A[:-1, -2], A[:-1, -1] = Z.T @ at.force / self.force, Z.T @ self.load / self.force
        A[-1, -2:] = parts
        return A, left, places, equations.lengths[:, None] * places.Z

    def _point(
        self, q: Array, parts: Array, linear: Linear, before: Array | None = None
    ) -> Point | None:
        """A point with its direction, that of a point before where there is one."""
        A, _, places, axes = linear
        if axes.shape[1] + 1 != len(A):
            return None
        y = np.linalg.svd(A)[2][-1]
        ahead = np.r_[axes @ y[:-2], y[-2:]]
        if before is not None and ahead @ before < 0.0:
            ahead = -ahead
        return Point(q, parts, places, ahead)
