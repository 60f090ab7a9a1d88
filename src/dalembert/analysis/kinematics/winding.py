"""Full turns of angles in rows (gears, racks, screws), counted on the way (analysis 6.1)."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.point import Still
from dalembert.model.start.rows_numpy import Rows

Array = NDArray[np.float64]


class Winding:
    """Angles of relations, and their values with turns at places that were reached.

    Attributes
    ----------
    equations : a copy of those given, whose counted turns are set by `wind`
    """

    def __init__(self, equations: Any) -> None:
        self.equations = equations
        self._rows = Rows(equations.model) if equations.model.is_maximal else None
        self._angles = [] if self._rows is None else self._rows.turning
        self._reached: list[tuple[float, Array]] = []
        if self._angles:
            self.equations = copy.copy(equations)
            self.equations.turning = None

    def _raw(self, still: Still) -> Array:
        return np.asarray(self.equations.rows(self._angles, still, still.v, slopes=False).x)

    def _first(self, still: Still) -> Array:
        """Angles before any place was reached: with the fewest turns that close relations."""
        assert self._rows is not None
        found = self._rows.angles_at(still.t, still.q)
        return np.array([found[x] for x in self._angles])

    def wind(self, still: Still, value: float) -> None:
        """Count turns: angles are nearest to those of the place whose value is nearest."""
        if self._angles:
            raw = self._raw(still)
            nearest = min(self._reached, key=lambda one: abs(one[0] - value), default=None)
            near = self._first(still) if nearest is None else nearest[1]
            full = 2.0 * np.pi * np.round((near - raw) / (2.0 * np.pi))
            self.equations.turns = dict(zip(self._angles, full.tolist(), strict=True))

    def reached(self, still: Still, value: float) -> None:
        """Keep the angles of a place."""
        if self._angles:
            self.wind(still, value)
            full = np.array([self.equations.turns[x] for x in self._angles])
            self._reached.append((value, self._raw(still) + full))
