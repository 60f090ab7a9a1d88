"""Newton's method from guesses of what every contact does: open, sticking, or sliding along t.

Where friction is far above one, an answer may be far from any start that sweeps lead to, and no
method known finds it for certain. A guess of all contacts gives linear equations, one step of
Newton's method from zero, and whole steps from there end within a few or not at all. The guesses
are the same in every run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.contact.solvers.delassus.active import Array
from dalembert.contact.solvers.delassus.newton import SOFTNESS, newton, newton_step
from dalembert.contact.solvers.delassus.rows import ROUNDING

if TYPE_CHECKING:
    from dalembert.contact.solvers.delassus.arrays import Given

GUESSES = ((8, 1000), (20, 200))
"""Contacts, and how many guesses there are up to so many; none for more."""

STEPS = 12
"""Most steps from a guess."""


def restarted(given: Given, tolerance: float) -> tuple[Array, float, int]:
    """The best that was found, what is left of it, and the factorisations.

    Rounding of the impulses counts as left: a huge answer is none that can be checked.
    """
    rng = np.random.default_rng(0)
    start = np.zeros(given.count * given.dim)
    (least, u), best, used = given.measure(start), start, 0
    for _ in range(next((guesses for most, guesses in GUESSES if given.count <= most), 0)):
        x = newton_step(given, start, u, 1.0, SOFTNESS, guessed(given, rng))
        used += 1
        if x is None:
            continue
        x, left, more = newton(given, x, tolerance, most=STEPS)
        used += more
        left = max(left, ROUNDING / given.omega * float(np.linalg.norm(x)))
        if left < least:
            best, least = x, left
        if least <= tolerance:
            break
    return best, least, used


def guessed(given: Given, rng: np.random.Generator) -> Array:
    """z of `newton_step` for contacts that are open, stick or slide in any direction."""
    n, d = given.count, given.dim
    state = rng.integers(0, 3, n)
    along = rng.standard_normal((n, d - 1))
    along /= np.linalg.norm(along, axis=1)[:, None]
    z = np.empty((n, d))
    z[:, 0] = np.where(state == 0, -1.0, 1.0) * given.weight
    share = np.where(state == 1, 0.5, np.where(state == 2, 1.0 + rng.exponential(size=n), 0.0))
    z[:, 1:] = along * (share * given.mu * given.weight)[:, None]
    return z
