"""Samples on change points: motion of the branch that is passed on (analysis 6.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.kinematics.driven import Driven
from dalembert.analysis.kinematics.follow import beside, is_open

Array = NDArray[np.float64]

ASIDE = 0.01
"""How far beside a sample places are regular, over the distance of samples."""

WEIGHTS = np.array([-1.0, 4.0, 4.0, -1.0]) / 6.0
"""Weights of values at -2, -1, 1, 2 steps in the value between them, of fourth order."""


def motion(
    driven: Driven, values: Array, places: Array, speed: float, second: float
) -> tuple[Array, Array, Array]:
    """Places, velocities and accelerations at all samples.

    On a change point the rows leave the velocity open and the place is known to half the digits:
    all three are interpolated from places beside it.
    """
    q = places.copy()
    v, a = np.zeros((len(q), driven.equations.nv)), np.zeros((len(q), driven.equations.nv))
    for k, place in enumerate(places):
        around = None
        if 0 < k < len(q) - 1 and is_open(driven, place, places[k - 1]):
            around = _around(driven, values[k - 1 : k + 2], places[k - 1 : k + 2])
        if around is None:
            v[k], a[k] = driven.moving(place, speed, second)
            continue
        ways = np.array([driven.way(around[1], there) for there in around])
        q[k] = driven.equations.displaced(around[1], WEIGHTS @ ways)
        found = [driven.moving(there, speed, second) for there in around]
        v[k] = WEIGHTS @ np.array([x[0] for x in found])
        a[k] = WEIGHTS @ np.array([x[1] for x in found])
    return q, v, a


def _around(driven: Driven, values: Array, places: Array) -> list[Array] | None:
    """Four places beside the middle one, reached from its neighbours."""
    found = []
    for side, far in ((-1.0, 0), (1.0, 2)):
        step = ASIDE * abs(float(values[far] - values[1]))
        ahead = 1.0 if values[2] > values[0] else -1.0
        here = places[far]
        for n in (2.0, 1.0):
            there = beside(driven, here, float(values[1]) + side * ahead * n * step)
            if there is None:
                return None
            found.append(there)
            here = there
    return [found[0], found[1], found[3], found[2]]
