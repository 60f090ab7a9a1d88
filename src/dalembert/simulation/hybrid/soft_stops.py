"""Soft stops of a run: which of them push, and which are too stiff for steps of a phase.

They push with -k phi - d phi' while phi < 0 and phi + d/k phi' < 0 (contact 20).
"""

from __future__ import annotations

import math

import numpy as np

from dalembert.contact.events.layout import IDLE, PRESSED
from dalembert.contact.events.rows import way_to_push
from dalembert.contact.run.run_layout import ContactRun
from dalembert.simulation.hybrid.candidates import Candidate, Key, is_soft
from dalembert.system.state_layout import State

STIFF = 1e5
"""Rate of a soft stop times the rest of a run, beyond which explicit steps would be too many."""


def springs_of(state: State, run: ContactRun, ended: dict[Key, int]) -> list[Candidate]:
    """Soft stops that push where the state was looked at last; `ended`: known by their guards."""
    found = []
    for row in range(state.sides):
        if is_soft(state, run, row):
            one = Candidate((row,), 1, 0.0, 0.0, drive=True, mode=PRESSED)
            pushes = max(state.side_phi[row], way_to_push(*state, row)) < 0.0
            if ended.get(one.key, PRESSED if pushes else IDLE) == PRESSED:
                found.append(one)
    return found


def let_go(before: dict[Key, int], contacts: list[Candidate]) -> list[Candidate]:
    """Soft stops that pushed and do not any more."""
    here = {one.key for one in contacts}
    gone = [key for key, mode in before.items() if mode == PRESSED and key not in here]
    return [Candidate(key, 1, 0.0, 0.0) for key in gone]


def too_stiff(
    state: State, W: np.ndarray, contacts: list[Candidate], left: float
) -> Candidate | None:
    """A soft stop whose spring or damper is too fast for what is left of a run, or None."""
    for one in contacts:
        if one.mode == PRESSED:
            stop, w = state.stop(one.key[0]), float(W[one.first, one.first])
            if left * max(math.sqrt(stop.stiffness * w), stop.damping * w) > STIFF:
                return one
    return None
