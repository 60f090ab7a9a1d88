"""Contacts that share their load in more than one way: forces that the laws admit, if any do.

Four feet on a floor, a box on a slope: forces of contacts that stick are not unique, and the least
ones may be beyond a cone where others are not. The laws of Signorini and Coulomb for accelerations,

    0 <= lam_n | u_n' >= 0,    |lam_t| <= mu lam_n,  sliding that begins is against lam_t,

are those of an impact without restitution for velocities (`contact.impact`), which is solved for
any rank of W. Where everything sticks, friction is asked for as little of its cone as will do.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from dalembert.simulation.hybrid.candidates import Candidate, entries
from dalembert.simulation.hybrid.impact import strike_all

PARTS = (0.3, 0.6, 0.8, 0.9, 0.97, *(1.0 - 10.0**-k for k in range(2, 9)))
"""Parts of the cones that are tried, the smallest first: ever nearer to the whole, so that forces
which come ever nearer to sliding need another share of the load so many times, and not for ever."""

NO_BOUNCE = SimpleNamespace(restitution="newton", impacts="simultaneous")

MOVES = 1e-9
"""Acceleration, over the largest one without forces, that is none."""


def shared_load(
    W: np.ndarray, free: np.ndarray, contacts: list[Candidate]
) -> tuple[np.ndarray, np.ndarray, bool] | None:
    """Forces and accelerations that meet the laws, and whether friction has something left.

    None where no forces were found.
    """
    rows = [r for one in entries(contacts) for r in range(one.first, one.first + one.dim)]
    scale = MOVES * float(np.max(np.abs(free[rows]), initial=0.0))
    found = _solve(W, free, contacts, 1.0)
    if found is None or not _holds(found[1], contacts, scale):
        return None if found is None else (*found, False)
    for part in PARTS:
        within = _solve(W, free, contacts, part)
        if within is not None and _holds(within[1], contacts, scale):
            return (*within, True)
    return (*found, False)


def _solve(
    W: np.ndarray, free: np.ndarray, contacts: list[Candidate], part: float
) -> tuple[np.ndarray, np.ndarray] | None:
    """Forces and accelerations with a part of the friction."""
    made = [one.copied() for one in contacts]
    for one in entries(made):
        one.mu, one.restitution = part * max(one.mu, one.static), 0.0
    answer = strike_all(W, free, made, NO_BOUNCE)
    return None if answer is None else answer[:2]


def _holds(a: np.ndarray, contacts: list[Candidate], scale: float) -> bool:
    """Whether nothing moves along its surfaces."""
    return all(bool(np.all(np.abs(a[one.tangents]) <= scale)) for one in entries(contacts))
