"""Full turns of angles in rows and forces, from place to place (analysis 6.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas.expression import Expression
from dalembert.model.start.rows_numpy import Rows
from dalembert.simulation.motion.turns import TURN, RawAngles, hinges_of

Array = NDArray[np.float64]
Angles = Mapping[Expression, float]


class Turning:
    """Angles of hinges with their turns, nearest to those of the place before.

    Attributes
    ----------
    angles : by the angle in (-pi, pi]; of the last place, or known at the first
    follows : whether they go on from place to place, else all are nearest to the first
    """

    def __init__(self, model: Any, angles: Angles | None = None, *, follows: bool = True) -> None:
        self.model = model
        self.follows = follows
        self.angles: dict[Expression, float] | None = None if angles is None else dict(angles)
        self._hinges = list(hinges_of(model))
        self._raw = RawAngles(model)

    def turns(self, t: float, q: Array) -> dict[Expression, float]:
        """Full turns  [rad] of all angles at a place."""
        if self.angles is None:  # the fewest that close gears, racks and screws
            self.angles = Rows(self.model).angles_at(t, q)
        raw = self._raw(q[None])[0]
        known = np.array([self.angles.get(x, y) for x, y in zip(self._hinges, raw, strict=True)])
        found = TURN * np.round((known - raw) / TURN)
        if self.follows:
            self.angles = dict(zip(self._hinges, (raw + found).tolist(), strict=True))
        return dict(zip(self._hinges, found.tolist(), strict=True))
