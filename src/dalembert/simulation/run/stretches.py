"""Stretches of consecutive states of a run that does not record every step.

A fixed step tells its error by what changes from one state to the next (`docs/theory/methods.md`
12). A run whose samples are further apart keeps a few stretches of states for that, spread evenly
over its steps: what is said of a run does not depend on what of it was asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

MOST = 8
"""Stretches of a run, at most."""

STATES = 9
"""States of a stretch, as many as the polynomials of the error want."""

APART = 256
"""Steps of a run for which one stretch is kept, at least: to come back for a state takes time."""


class Stretches:
    """States of a run, `STATES` behind one another in each stretch.

    `total` is the number of its steps; 0 where nothing is to be kept.
    """

    def __init__(self, total: int) -> None:
        count = min(MOST, -(-total // APART), total // STATES)
        self._begins = [int((k + 0.5) * total / count) - STATES // 2 for k in range(count)]
        self._states: list[list[tuple[float, np.ndarray, np.ndarray, np.ndarray]]] = []

    @property
    def whole(self) -> tuple[list[np.ndarray], ...]:
        """Moments, coordinates, velocities and counted angles of the whole stretches."""
        found = [states for states in self._states if len(states) == STATES]
        made = [[np.array(x) for x in zip(*states, strict=True)] for states in found]
        return tuple(zip(*made, strict=True)) if made else ([], [], [], [])

    def steps(self, done: int, wanted: int) -> int:
        """Steps that may be taken before the next look, after `done` of them; `wanted` at most."""
        for begin in self._begins:
            if done < begin:
                return min(wanted, begin - done)
            if done < begin + STATES - 1:
                return 1
        return wanted

    def look(self, run: Any) -> bool:
        """Keep the state of a run where it belongs to a stretch; whether the next one does, too."""
        done = int(run.clock.done)
        for begin in self._begins:
            if begin <= done < begin + STATES:
                if done == begin:
                    self._states.append([])
                if self._states:
                    at = float(run.clock.t), run.q.copy(), run.v.copy(), run.angles_now
                    self._states[-1].append(at)
                return done < begin + STATES - 1
        return False
