"""Full turns of angles at the start: those that were asked for, and those that relations tell.

A hinge that begins at 4 rad is not one at 4 - 2 pi: springs and stops know the difference. Bodies
are placed alike by both; the turns are handed to the run as those of another one that went before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.start.rows_numpy import Rows
from dalembert.model.start.turns import relations_of
from dalembert.simulation.assembly.asked_places import near
from dalembert.simulation.assembly.body_start import asked_angles
from dalembert.simulation.motion.turns import hinges_of
from dalembert.simulation.prepare.carried_turns import Turned

WITHIN = 3.0
"""Angles up to which nothing is said of turns: those in (-pi, pi] are found again  [rad]."""


def asked_turns(
    model: Any, initial: Any, system: Any, t: float, q: np.ndarray, now: np.ndarray | None = None
) -> Turned | None:
    """Angles of hinges at a start q with their turns; None: all are those in (-pi, pi].

    Angles that were asked for and that q has count first; those that gears, racks and screws tie
    to them, or to one another, follow (`model.start.turns`). `now`: where q has been moved to.
    """
    if not model.is_maximal:
        return None
    asked = asked_angles(model, initial)
    if relations_of(model) is None and all(abs(x) <= WITHIN for x in asked.values()):
        return None
    rows = Rows(model)
    rows.known = near(rows, asked, q, t)
    known = {**rows.known, **rows.angles_at(t, q if now is None else now)}
    angles = np.array([known.get(raw, 0.0) for raw in hinges_of(model)])
    if np.all(np.abs(angles) <= WITHIN):
        return None
    return Turned(model, angles, system, np.zeros(len(system.parts.wound)), None, np.zeros(0))
