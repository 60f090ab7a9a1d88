"""Starts of joints that have no effect, as both of their bodies were placed otherwise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas import evaluate, symbols
from dalembert.model.basics.quantity import value_of
from dalembert.simulation.assembly.body_start import given_now
from dalembert.simulation.motion.values import known_values
from dalembert.simulation.prepare.asked_speeds import Asked, Taken

Array = NDArray[np.float64]

MISPLACED = 0.05
"""Difference of a joint from its `initial` that places given by hand may have  [rad, m]."""


def misplaced(model: Any, initial: Any, t: float, q: Array) -> list[Taken]:
    """Starts of joints that a configuration q does not have, where both bodies were given places.

    `initial` of a joint places a body that was given no place. Where both were, and the joint has
    another coordinate there, one of the two was meant and the other forgotten.
    """
    if not model.is_maximal:
        return []
    unplaced = set(model.bodies) - given_now(model, initial)
    asked = []
    for joint in model.joints.values():
        given = getattr(joint, "initial", 0.0)
        starts = list(given) if isinstance(given, list | tuple) else [given]
        nothing = all(isinstance(x, int | float) and x == 0.0 for x in starts)
        if nothing or len(starts) != len(joint.coordinates):
            continue
        if any(frame.body.name in unplaced for frame in joint.frames):
            continue
        for part, start in zip(joint.coordinates, starts, strict=True):
            value = value_of(start, model.parameters) or 0.0
            if value:
                label = f"initial of joint {joint.name!r}"
                asked.append(Asked(label, getattr(joint, part), float(value)))
    if not asked:
        return []
    formulas = [one.formula for one in asked]
    moment = np.array([t])
    v = np.zeros((1, 6 * len(model.bodies)))
    known = known_values(model, formulas, moment, q[None], v)
    found = []
    for one, series in zip(asked, evaluate(formulas, known), strict=True):
        now = float(np.broadcast_to(np.asarray(series, dtype=float), (1,))[0])
        turned = any(leaf.name.endswith(":turns") for leaf in symbols([one.formula], "coordinate"))
        off = math.remainder(now - one.value, math.tau) if turned else now - one.value
        if abs(off) > MISPLACED * max(1.0, abs(one.value)):
            found.append(Taken(one.name, one.value, one.value + off))
    return found
