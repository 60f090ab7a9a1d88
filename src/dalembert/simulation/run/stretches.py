"""States behind one another of a run that does not record every step.

A fixed step tells its error by what changes from one state to the next (`docs/theory/methods.md`
12). A run whose samples are further apart keeps its states for that, all of a short one and
stretches of a long one, spread evenly: what is said of a run does not depend on what of it was
asked for.
"""

from __future__ import annotations

import numpy as np

from dalembert.integration import loop
from dalembert.system.state_layout import State

MOST, NUMBERS = 1024, 400_000
"""States that are kept at most, and numbers of them all."""


class Stretches:
    """Room for states of a run of `total` steps; 0 where none are to be kept."""

    def __init__(self, total: int, state: State) -> None:
        most = min(MOST, NUMBERS // max(state.nq + state.nv, 1) + 8 * loop.LENGTH)
        count, period = min(most, total), loop.LENGTH
        if total > most:
            period = -(-total // (most // loop.LENGTH))
        self.room = loop.Trace(
            np.zeros(count),
            np.zeros((count, state.nq)),
            np.zeros((count, state.nv)),
            np.zeros((count, state.hinges)),
            np.zeros(count, dtype=np.int64),
            np.array([0, period], dtype=np.int64),
        )

    @property
    def whole(self) -> list[tuple[np.ndarray, ...]]:
        """Steps made before, moments, coordinates, velocities, counted angles of each stretch."""
        kept, period = (int(x) for x in self.room.counts)
        parts = self.room.done, self.room.t, self.room.q, self.room.v, self.room.angle
        states = tuple(part[:kept] for part in parts)
        if period == loop.LENGTH:
            return [states] if kept >= loop.LENGTH else []
        number = states[0] // period
        found = [tuple(part[number == k] for part in states) for k in np.unique(number)]
        return [stretch for stretch in found if len(stretch[0]) == loop.LENGTH]
