"""Full turns of angles that gears and racks relate, counted on the way (analysis 6.1)."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.point import Still
from dalembert.formulas.orientation import turns as turns_of

Array = NDArray[np.float64]


class Winding:
    """Angles of relations, and their values with turns at places that were reached.

    Attributes
    ----------
    equations : a copy of those given, whose counted turns are set by `wind`
    """

    def __init__(self, equations: Any) -> None:
        self.equations = equations
        self._names: list[str] = []
        self._angles: list[Any] = []
        self._reached: list[tuple[float, Array]] = []
        model = equations.model
        for joint in model.joints.values() if model.is_maximal else ():
            if len(joint.frames) == 2:
                continue
            for k, angle in enumerate(joint.angles(joint.views)):
                self._names.append(turns_of(f"{joint.name}@{k}").name)
                self._angles.append(angle)
        if self._names:
            self.equations = copy.copy(equations)

    def _raw(self, still: Still) -> Array:
        return np.asarray(self.equations.rows(self._angles, still, still.v, slopes=False).x)

    def wind(self, still: Still, value: float) -> None:
        """Count turns: angles are nearest to those of the place whose value is nearest."""
        if self._names:
            raw = self._raw(still)
            near = min(self._reached, key=lambda one: abs(one[0] - value), default=(value, raw))[1]
            full = 2.0 * np.pi * np.round((near - raw) / (2.0 * np.pi))
            self.equations.turns = dict(zip(self._names, full.tolist(), strict=True))

    def reached(self, still: Still, value: float) -> None:
        """Keep the angles of a place."""
        if self._names:
            self.wind(still, value)
            full = np.array([self.equations.turns[name] for name in self._names])
            self._reached.append((value, self._raw(still) + full))
