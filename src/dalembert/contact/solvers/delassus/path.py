"""Growing friction: contacts given by W solved with a part of their friction first, then with more.

    mu(s) = s^k mu,   s from 0 to 1,        Newton's method from the answer of the last s

Without friction the problem is that of a quadratic program. Where friction is far above one and
contacts slide, no method that looks at the last mu alone has come to an answer of many problems
that have one; of thirty such, this finds a third. A step that fails is made again, shorter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.contact.solvers.delassus.active import Array
from dalembert.contact.solvers.delassus.newton import newton

if TYPE_CHECKING:
    from dalembert.contact.solvers.delassus.arrays import Given

FIRST, LEAST, LONGER, SHORTER = 0.05, 1e-4, 1.7, 0.4
"""First step of s, the one at which it ends, and factors after a success and a failure."""

SWEEPS, STEPS = 200, 8
"""Sweeps and steps of Newton's method for one s."""


def grow_friction(
    given: Given, tolerance: float, power: float, most: int
) -> tuple[Array, float, int]:
    """Impulses, what is left of them, factorisations; at most about `most` of these."""
    mu = given.mu
    x, s, step = np.zeros(given.count * given.dim), 0.0, FIRST
    x, left, used = _solve(given.with_friction(0.0 * mu), x, tolerance)
    if not left <= tolerance:
        given.with_friction(mu)
        return x, np.inf, used
    while s < 1.0 and used < most and step > LEAST:
        ahead = min(1.0, s + step)
        y, left, more = _solve(given.with_friction(ahead**power * mu), x, tolerance)
        used += more
        if left <= tolerance:
            x, s, step = y, ahead, LONGER * step
        else:
            step *= SHORTER
    given.with_friction(mu)
    return x, given.measure(x)[0], used


def _solve(given: Given, x: Array, tolerance: float) -> tuple[Array, float, int]:
    """From x by Newton's method, or by sweeps and Newton's method."""
    y, left, used = newton(given, x, tolerance, most=STEPS)
    if not left <= tolerance:
        z, _, _ = given.sweep(x, tolerance, SWEEPS)
        y, left, more = newton(given, z, tolerance, most=STEPS)
        used += more
    return y, left, used
