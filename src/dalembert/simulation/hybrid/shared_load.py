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

from dalembert.simulation.hybrid.bounded import pushes_of
from dalembert.simulation.hybrid.candidates import Candidate, entries
from dalembert.simulation.hybrid.impact import strike_all

PARTS = (0.3, 0.6, 0.8, 0.9, 0.97, *(1.0 - 10.0**-k for k in range(2, 9)))
"""Parts of the cones that are tried, the smallest first: ever nearer to the whole, so that forces
which come ever nearer to sliding need another share of the load so many times, and not for ever."""

NO_BOUNCE = SimpleNamespace(restitution="newton", impacts="simultaneous")

NULL = 1e-11
"""Part of the largest eigenvalue of W below which one is zero."""

ROUNDING = 1e-12
"""Part of the largest force that is none."""

HALVINGS = 20
"""Halvings of the way to the least forces."""

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
    if found is None:
        return None
    if _holds(found[1], contacts, scale):
        for part in PARTS:
            within = _solve(W, free, contacts, part)
            if within is not None and _holds(within[1], contacts, scale):
                return _evened(W, *within, contacts, (part, scale)), within[1], True
    return _evened(W, *found, contacts, (1.0, scale)), found[1], False


def _evened(
    W: np.ndarray,
    force: np.ndarray,
    a: np.ndarray,
    contacts: list[Candidate],
    bounds: tuple[float, float],
) -> np.ndarray:
    """Forces of the same accelerations, as even as cones let them be (contact 20).

    Of a solver they may be next to nothing at some contacts, where the next change of what they
    carry would end the phase at once. The least ones are taken where they are within the same part
    of the cones; else half of the way to them that is. `bounds`: that part, and accelerations that
    are none; contacts that move apart carry nothing.
    """
    part, scale = bounds
    stay = entries([one for one in contacts if a[one.first] <= scale])
    rows = [r for one in stay for r in range(one.first, one.first + one.dim)]
    if not rows:
        return force
    change = np.zeros(len(force))
    change[rows] = _without_effect(W[np.ix_(rows, rows)], -force[rows])
    if _within(force + change, contacts, part):
        return force + change
    inside, outside = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (inside + outside)
        if _within(force + middle * change, contacts, part):
            inside = middle
        else:
            outside = middle
    return force + 0.5 * inside * change


def _without_effect(W: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Part of x in the null space of W."""
    sizes, vectors = np.linalg.eigh(0.5 * (W + W.T))
    null = vectors[:, sizes < NULL * sizes[-1]]
    return np.asarray(null @ (null.T @ x))


def _within(force: np.ndarray, contacts: list[Candidate], part: float) -> bool:
    """Whether forces push, and rub by no more than a part of their cones, to rounding."""
    table, slack = entries(contacts), ROUNDING * float(np.max(np.abs(force), initial=0.0))
    for one, push in zip(table, pushes_of(table, force), strict=True):
        rubbed = float(np.linalg.norm(force[one.tangents]))
        if push < -slack or rubbed > part * max(one.mu, one.static) * push + slack:
            return False
    return True


def _solve(
    W: np.ndarray, free: np.ndarray, contacts: list[Candidate], part: float
) -> tuple[np.ndarray, np.ndarray] | None:
    """Forces and accelerations with a part of the friction."""
    made = [one.copied() for one in contacts]
    for one in entries(made):
        one.mu, one.restitution = part * max(one.mu, one.static), 0.0
    answer = strike_all(W, free, made, NO_BOUNCE, told=False)
    return None if answer is None else answer[:2]


def _holds(a: np.ndarray, contacts: list[Candidate], scale: float) -> bool:
    """Whether nothing moves along its surfaces."""
    return all(bool(np.all(np.abs(a[one.tangents]) <= scale)) for one in entries(contacts))
