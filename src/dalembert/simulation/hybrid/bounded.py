"""Bounds by normal forces: friction of contacts, and their resistances to spin and rolling.

A list of contacts has the resistances of each behind it (`candidates.entries`).
"""

from __future__ import annotations

import numpy as np

from dalembert.contact.events.layout import (
    HELD,
    IDLE,
    LOCKED,
    PRESSED,
    SLIP,
    SMOOTH,
    STICK,
    TURNING,
)
from dalembert.simulation.hybrid.candidates import Candidate

MOVING = (SLIP, TURNING)
"""Modes of what slides, or is turned against its resistance."""

KINDS = {STICK: "stick", SLIP: "slip", SMOOTH: "close", IDLE: "open", HELD: "drive"}
KINDS |= {LOCKED: "stick", TURNING: "slip", PRESSED: "close"}
"""Mode -> what the log says when it begins."""


def with_owners(contacts: list[Candidate], modes: list[int]) -> list[int]:
    """Modes in which resistances of contacts that carry nothing are idle."""
    found, owner = [], IDLE
    for one, mode in zip(contacts, modes, strict=True):
        owner = owner if one.resists else mode
        found.append(IDLE if one.resists and owner == IDLE else mode)
    return found


def pushes_of(contacts: list[Candidate], force: np.ndarray) -> list[float]:
    """Normal forces of contacts, those that bound them of resistances; `force`: all of them."""
    found: list[float] = []
    for one in contacts:
        found.append(found[-1] if one.resists else float(force[one.first]))
    return found


def resting(one: Candidate) -> int:
    """The mode of a contact, or of a resistance, that is closed and does not move."""
    if one.resists:
        return LOCKED
    return SMOOTH if one.dim == 1 else STICK


def moving(one: Candidate) -> int:
    """The mode of a contact that slides, or of a resistance that is overcome."""
    return TURNING if one.resists else SLIP
