"""Soft stops and contacts of a run: which of them push, and which are too stiff for a phase.

They push with -k phi - d phi' while phi < 0 and phi + d/k phi' < 0 (contact 20). What rubs on them
is a resistance that this force bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dalembert.contact.events.layout import IDLE, PRESSED, Phase
from dalembert.contact.events.springs import rate_of, way_of_stop
from dalembert.contact.events.watch import until_pushed
from dalembert.contact.run.run_layout import ContactRun
from dalembert.simulation.hybrid.candidates import (
    SLIDING,
    Candidate,
    Key,
    entries,
    gives,
    is_soft,
    resistances,
    tangents_of,
)
from dalembert.system.state_layout import State

STIFF = 1e5
"""Rate of a spring times the rest of a run, beyond which explicit steps would be too many."""


@dataclass(frozen=True)
class Ended:
    """How a phase has ended.

    Attributes
    ----------
    modes : of contacts whose guard was crossed, by key
    near : way to a push that is none [m], where shapes have met: the one that did is found by it
    """

    modes: dict[Key, int]
    near: float = 0.0


def springs_of(
    state: State, run: ContactRun, ended: Ended, known: dict[Key, Candidate]
) -> list[Candidate]:
    """Soft stops and contacts that push where the state was looked at last.

    Those whose guard has ended the last phase are known by that; those of `known` keep their modes.
    """
    found = []
    for row in range(state.sides):
        if is_soft(state, run, row):
            away = max(state.side_phi[row], way_of_stop(*state, row))
            if _pushes((row,), away < 0.0, ended):
                found.append(_of_stop(state, run, row))
    for k in range(run.contacts):
        one = run.found(k)
        law = run.law(one.shape_a, one.shape_b)
        key = (int(one.shape_a), int(one.shape_b), int(one.key))
        if gives(law) and _pushes(key, until_pushed(*state, k) < ended.near, ended):
            found.append(_of_shapes(state, key, law))
    return [known.get(one.key, one) for one in found]


def _pushes(key: Key, now: bool, ended: Ended) -> bool:
    return ended.modes.get(key, PRESSED if now else IDLE) == PRESSED


def _of_stop(state: State, run: ContactRun, row: int) -> Candidate:
    """A soft stop, with its friction."""
    stop, count = state.stop(row), tangents_of(state, run, row)
    against = _rubbing((row,), count, stop) if stop.friction > 0.0 and count else ()
    return Candidate((row,), 1, 0.0, 0.0, drive=True, mode=PRESSED, against=against)


def _of_shapes(state: State, key: Key, law: Any) -> Candidate:
    """Soft surfaces, with their friction and resistances."""
    against = _rubbing(key, 2, law) if law.friction > 0.0 else ()
    against += resistances(key, law, float(Phase(state, state.method_scratch).size))
    return Candidate(key, 1, 0.0, 0.0, drive=True, mode=PRESSED, against=against)


def _rubbing(key: Key, count: int, law: Any) -> tuple[Candidate, ...]:
    mu, static = float(law.friction), float(law.static)
    return (Candidate((*key, SLIDING), count, mu, 0.0, static),)


def pushes_now(phase: Phase, contacts: list[Candidate]) -> dict[int, float]:
    """Forces of soft stops and contacts where the phase was looked at last, by their rows."""
    soft = [one.first for one in contacts if one.mode == PRESSED]
    return {row: float(phase.force[row]) for row in soft}


def let_go(before: dict[Key, int], contacts: list[Candidate]) -> list[Candidate]:
    """Soft stops and contacts that pushed and do not any more."""
    here = {one.key for one in contacts}
    gone = [key for key, mode in before.items() if mode == PRESSED and key not in here]
    return [Candidate(key, 1, 0.0, 0.0) for key in gone]


def too_stiff(state: State, contacts: list[Candidate], left: float) -> Candidate | None:
    """A contact whose spring or damper is too fast for what is left of a run, or None."""
    for i, one in enumerate(entries(contacts)):
        if one.mode == PRESSED and left * rate_of(*state, i) > STIFF:
            return one
    return None
