"""The direction in which a contact in space begins to slide: that of its acceleration.

    u_t'(d) = |u_t'| d,   lam_t = -mu lam_n d,   d = (cos s, sin s)                   (contact 20)

Going from a direction to that of its acceleration need not lead there; the angle between both is a
function of s, whose roots are looked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dalembert.simulation.hybrid.locate import root

ANGLES = 48
"""Directions between which roots are looked for."""

Accelerated = Callable[[np.ndarray], np.ndarray]
"""u_t' of a contact that slides in a direction."""


def direction_of(accelerated: Accelerated, near: np.ndarray) -> np.ndarray | None:
    """The direction nearest to `near` in which its own acceleration points; None: there is none."""

    def across(s: float) -> float:
        d = _at(s)
        a = accelerated(d)
        return float(d[0] * a[1] - d[1] * a[0])

    first = math.atan2(near[1], near[0])
    angles = [first + 2.0 * math.pi * k / ANGLES for k in range(ANGLES + 1)]
    values = [across(s) for s in angles]
    found: list[tuple[float, np.ndarray]] = []
    for k in range(ANGLES):
        if values[k] * values[k + 1] > 0.0:
            continue
        d = _at(_zero(across, (angles[k], values[k]), (angles[k + 1], values[k + 1])))
        if float(d @ accelerated(d)) > 0.0:
            found.append((-float(d @ near), d))
    return min(found, key=lambda one: one[0])[1] if found else None


def _zero(f: Callable[[float], float], a: tuple[float, float], b: tuple[float, float]) -> float:
    """Where f is zero between two angles with its values there, which differ in sign."""
    if a[1] > 0.0:
        return root(f, *a, *b)
    return a[0] if a[1] == 0.0 else root(lambda s: -f(s), a[0], -a[1], b[0], -b[1])


def _at(s: float) -> np.ndarray:
    return np.array([math.cos(s), math.sin(s)])
