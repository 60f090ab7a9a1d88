"""An impact of all closed contacts: W and velocities in, impulses out."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.contact.impact.impact import Contacts, Impact, room_length
from dalembert.contact.impact.laws import (
    ENERGETIC,
    NEWTON,
    NONE,
    OK,
    POISSON,
    POISSON_ROUTH,
    SEQUENTIAL,
    SIMULTANEOUS,
)
from dalembert.contact.impact.strike import strike
from dalembert.simulation.hybrid.candidates import Candidate, entries

LAWS = {"newton": NEWTON, "poisson": POISSON, "energetic": ENERGETIC, "routh": POISSON_ROUTH}
ORDERS = {"simultaneous": SIMULTANEOUS, "sequential": SEQUENTIAL}
EDGE = 1e-6
"""Part of the cone by which a jam, which begins at its edge, may be beyond it."""

NAMES = {number: name for name, number in LAWS.items()} | {NONE: ""}


def strike_all(
    W: np.ndarray, u: np.ndarray, contacts: list[Candidate], method: Any, *, told: bool = True
) -> tuple[np.ndarray, np.ndarray, list[str]] | None:
    """Impulses, velocities after the impact, and the law that struck each; None: no answer.

    `told`: whether the laws are asked for.
    """
    asked, contacts = contacts, entries(contacts)
    rows = [r for one in contacts for r in range(one.first, one.first + one.dim)]
    dim = np.array([one.dim for one in contacts], dtype=np.int64)
    first = np.concatenate([[0], np.cumsum(dim)[:-1]]).astype(np.int64)
    owners = [c for c, one in enumerate(asked) for _ in (one, *one.against)]
    places = [c for c, one in enumerate(contacts) if not one.resists]
    owner = np.array(
        [places[c] if one.resists else -1 for c, one in zip(owners, contacts, strict=True)]
    )
    mu = np.array([one.mu for one in contacts])
    e = np.array([one.restitution for one in contacts])
    inner, velocity = np.ascontiguousarray(W[np.ix_(rows, rows)]), u[rows].copy()
    p, room = np.zeros(len(rows)), np.zeros(room_length(len(contacts), len(rows)))
    closed = Contacts(first, dim, owner, mu, e, inner)
    law, order = LAWS[method.restitution], ORDERS[method.impacts]
    status = strike(law, order, closed, velocity, p, room)
    if status != OK:
        return None
    whole = np.zeros(len(u))
    whole[rows] = p
    struck = Impact(closed, room)
    laws = [NAMES[int(struck.law[c])] for c in places if told]
    return whole, u + W @ whole, laws


def stopping_impulse(W: np.ndarray, u: np.ndarray, contacts: list[Candidate]) -> np.ndarray | None:
    """Impulses that stop the sliding of contacts with friction; None: beyond their cones."""
    rubbing = [one for one in contacts if one.dim > 1]
    rows = [r for one in rubbing for r in range(one.first, one.first + one.dim)]
    if not rows:
        return None
    p = np.zeros(len(u))
    p[rows] = np.linalg.lstsq(W[np.ix_(rows, rows)], -u[rows], rcond=1e-12)[0]
    for one in rubbing:
        most = max(one.mu, one.static) * p[one.first] * (1 + EDGE)
        if not float(np.linalg.norm(p[one.tangents])) <= most:
            return None
    return p
