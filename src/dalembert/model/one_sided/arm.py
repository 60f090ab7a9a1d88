"""Length that makes the rate of an angle a speed: at it what turns with the joint moves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from dalembert.model.basics.quantity import value_of


def arm_of(joint: Any, parameters: Mapping[str, float]) -> float:
    """Least radius of gyration of the bodies of a joint about it  [m]; 1 where none is known."""
    found = [_gyration(frame, parameters) for frame in joint.frames[:2]]
    return min((arm for arm in found if arm > 0.0), default=1.0)


def _gyration(frame: Any, parameters: Mapping[str, float]) -> float:
    """Radius of gyration of a body about the origin of a frame; 0 where it is not known."""
    inertia = getattr(frame.body, "inertia", None)
    if inertia is None:
        return 0.0
    place = zip(frame.offset, inertia.center, strict=True)
    asked = [inertia.mass, *(inertia.matrix[i][i] for i in range(3)), *(a - b for a, b in place)]
    known = [x for x in (value_of(each, parameters) for each in asked) if x is not None]
    if len(known) < len(asked) or known[0] <= 0.0:
        return 0.0
    return math.sqrt(max(known[1:4]) / known[0] + math.fsum(x * x for x in known[4:]))
