"""Modes that follow from the guards which have ended a phase."""

from __future__ import annotations

from dalembert.contact.events.ending import OF_CONTACT
from dalembert.contact.events.layout import (
    AT_LEAST,
    AT_MOST,
    HELD,
    IDLE,
    LOCKED,
    PRESSED,
    SLIP,
    STICK,
    TURNING,
)
from dalembert.contact.run.run_layout import ContactRun
from dalembert.simulation.hybrid.candidates import (
    CLOSED_MODES,
    Candidate,
    Key,
    entries,
    is_soft,
)
from dalembert.system.state_layout import State


def modes_after(
    state: State, run: ContactRun, contacts: list[Candidate], guards: tuple[int, ...]
) -> dict[Key, int]:
    """Modes by key: a contact whose guard was crossed, a soft one that was met or lets go."""
    found: dict[Key, int] = {}
    for j in guards:
        i, which = divmod(j - state.sides - 1, OF_CONTACT)
        if i < 0:
            if is_soft(state, run, j):
                found[(j,)] = PRESSED
            continue
        one = entries(contacts)[i]
        if one.mode == PRESSED:
            found[one.key] = IDLE
        elif one.mode == HELD:
            found[one.key] = AT_LEAST if which == 0 else AT_MOST
        elif one.mode in CLOSED_MODES and which == 0:
            found[one.key] = IDLE
        elif one.mode == STICK and which == 1:
            found[one.key] = SLIP
        elif one.mode == LOCKED and which == 1:
            found[one.key] = TURNING
    return found
