"""All places where a model rests that are found: from several starts, and along loads (4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.point import Equations
from dalembert.analysis.equilibrium.load_curves import Curves
from dalembert.analysis.equilibrium.newton import Rest, Search
from dalembert.errors import AssemblyError
from dalembert.model.start.states import turned_by

Array = NDArray[np.float64]

STEPS_OF_A_START = 40
"""Most steps of Newton's method from one of several starts."""

PATIENCE, MOST_STEPS = 20, 120
"""Steps along loads for each of the starts: those that find nothing new, and all."""

HALVINGS = 8
"""How often their steps are halved: near a least force that is not zero they creep."""

LOW = 3
"""About how many of the starts a search downhill, for stable places, begins from."""

LOADS = 6
"""Directions of loads from one place: the softest, and drawn ones where there are fewer."""

ROUNDS = 4
"""Loads from every place, before a round that finds nothing new is the last."""

SKEW = 0.1
"""Part of a load that is drawn, so that curves of symmetric models do not cross."""

TWICE = 2
"""How often a curve may meet a place."""

NOTHING = 1e-9
"""Stiffness, over the largest or the forces there are, that is none."""

SAME = 1e-6
"""Distance, over the size of the model, up to which two places are the same."""


class Places:
    """Places that are found, each once; of a family one.

    Attributes
    ----------
    rests : in the order in which they were found
    """

    def __init__(self, model: Any, equations: Equations, t: float) -> None:
        self.model, self.equations = model, equations
        self.rests: list[Rest] = []
        self._search = Search(equations, t, False, STEPS_OF_A_START, HALVINGS)
        self._falling = Search(equations, t, downhill=True)
        self._families: list[Array] = []
        self._held: list[tuple[Rest, Array]] = []
        """Places that are held in all directions, with axes of their stiffness."""

    def look_from(self, places: list[Array]) -> None:
        """Search from these places, and downhill from a few."""
        for place in places[:: max(1, len(places) // LOW)]:
            self._look(self._falling, place)
        for place in places:
            self._look(self._search, place)

    def look_along_loads(self, patience: int, most: int) -> None:
        """Follow loads from every place, those that are found included.

        It ends when so many steps find nothing new, when a round over all places does, or after
        `most` steps.
        """
        done, last, known = 0, 0, len(self.rests)
        for rest, load in self._loads():
            for way in (1.0, -1.0):
                taken, closed = self._follow(rest, load, way, most - done)
                done += taken
                if len(self.rests) > known:
                    known, last = len(self.rests), done
                if done >= most or done - last >= patience:
                    return
                if closed:
                    break

    def _loads(self) -> Iterator[tuple[Rest, Array]]:
        """Places and loads on them, the softest directions of all places first."""
        random = np.random.default_rng(0)
        for k in range(LOADS):
            number, before = 0, len(self.rests)
            while number < len(self._held):
                rest, axes = self._held[number]
                number += 1
                if k and axes.shape[1] == 1:
                    continue  # its curve is all there is
                load = random.standard_normal(len(axes))
                load /= float(np.linalg.norm(load))
                yield rest, axes[:, k] + SKEW * load if k < axes.shape[1] else load
            if len(self.rests) == before and k + 1 >= max(ROUNDS, self._freedom):
                return

    @property
    def _freedom(self) -> int:
        return max((axes.shape[1] for _, axes in self._held), default=0)

    def _follow(self, rest: Rest, load: Array, way: float, most: int) -> tuple[int, bool]:
        """How many steps a curve took, and whether it came back."""
        size = float(np.abs(self._search.stiffness(rest)).max(initial=0.0)) * self._search.size
        force = max(size, self._search.scale(rest.at, rest.lam))
        curve = Curves(self._search, load, force)
        met: list[Array] = []
        for place in curve.along(rest, way, most):
            there = self._look(self._search, place)
            if there is None:
                continue
            if self._is_same(there.q, rest.q):
                return curve.steps, True
            met.append(there.q)
            if sum(self._is_same(there.q, q) for q in met) > TWICE:
                break  # a loop elsewhere
        return curve.steps, False

    def _look(self, way: Search, place: Array) -> Rest | None:
        """The place where a search ends; kept if it is new."""
        if self.equations.turning is not None:
            self.equations.turning.angles = None  # each place tells its own turns
        try:
            rest = way.from_guess(place)
        except AssemblyError:
            return None
        if not rest.is_balanced:
            return None
        if not self._is_known(rest):
            again = self._search.from_guess(rest.q)  # without the forces that were met on the way
            rest = again if again.is_balanced else rest
            if not self._is_known(rest):
                self._keep(rest)
        return rest

    def _is_known(self, rest: Rest) -> bool:
        return any(self._is_same(rest.q, other.q) for other in self.rests)

    def _keep(self, rest: Rest) -> None:
        stiffness = self._search.stiffness(rest)
        if _indifferent(stiffness, self._search.scale(rest.at, rest.lam)):
            if any(_alike(stiffness, other) for other in self._families):
                return
            self._families.append(stiffness)
        elif rest.free.Z.shape == rest.places.Z.shape:
            self._held.append((rest, self._soft(rest)))
        self.rests.append(rest)

    def _soft(self, rest: Rest) -> Array:
        """Axes of the stiffness, the softest first, as displacements with turns as lengths."""
        K = rest.free.Z.T @ self.equations.stiffness(rest.at, rest.lam) @ rest.places.Z
        values, axes = np.linalg.eigh((K + K.T) / 2.0)
        chosen = axes[:, np.argsort(np.abs(values))[:LOADS]]
        return np.asarray(self.equations.lengths[:, None] * rest.places.Z @ chosen)

    def _is_same(self, q: Array, other: Array) -> bool:
        if self.model.is_maximal:
            way = turned_by(q, other) * self.equations.lengths
        else:
            way = other - q
            angles = np.abs(way) > np.pi  # formulas do not say which are angles
            way = np.where(angles, np.remainder(way + np.pi, 2 * np.pi) - np.pi, way)
        far = SAME * float(self.equations.lengths.max())
        return float(np.abs(way).max(initial=0.0)) <= far


def _indifferent(stiffness: Array, force: float) -> bool:
    """Whether nothing holds a place in some direction."""
    size = max(float(np.abs(stiffness).max(initial=0.0)), force)
    return bool(np.any(np.abs(stiffness) <= NOTHING * size))


def _alike(one: Array, other: Array) -> bool:
    """Whether two places without a stiffness in some direction are of one family."""
    size = max(float(np.abs(one).max(initial=0.0)), float(np.abs(other).max(initial=0.0)), 1e-300)
    return len(one) == len(other) and bool(np.abs(one - other).max() <= 1e-6 * size + NOTHING)
