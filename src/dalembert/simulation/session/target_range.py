"""Ranges to try for targets of actuators: their own limits, those of the joint, or a whole turn."""

from __future__ import annotations

import math
from typing import Any

from dalembert.model.basics.quantity import value_of
from dalembert.model.core.model import Model
from dalembert.model.forces.direct_drive import DirectDrive
from dalembert.model.forces.position_servo import PositionServo
from dalembert.model.forces.velocity_servo import VelocityServo
from dalembert.model.one_sided.limits import Limits

TURN = {"angle": math.pi, "displacement": 1.0}
"""Where nothing is said: half a turn to either side, or a metre."""

SPEED = {"angle": 2.0 * math.pi, "displacement": 1.0}
"""A turn a second, or a metre a second."""


def target_range(model: Model, actuator: Any, value: float) -> tuple[float, float] | None:
    """Range of an actuator's command around its value; None where nothing is known of it."""
    found = _pair(getattr(actuator, "command_limits", None))
    if found is None:
        found = _of_joint(model, actuator)
    return None if found is None else (min(found[0], value), max(found[1], value))


def _of_joint(model: Model, actuator: Any) -> tuple[float, float] | None:
    """Range that the joint allows, behind the gear."""
    if not isinstance(actuator, (PositionServo, VelocityServo, DirectDrive)):
        return None
    gear = value_of(actuator.gear) or 1.0
    limits = model.limits.get(actuator.joint.name, Limits())
    if isinstance(actuator, PositionServo):
        free = TURN[str(actuator.coordinate)]
        ends = [
            gear * (limit if math.isfinite(limit) else default)
            for limit, default in ((limits.lower, -free), (limits.upper, free))
        ]
        return (min(ends), max(ends)) if ends[0] != ends[1] else None
    if isinstance(actuator, VelocityServo):
        finite = math.isfinite(limits.velocity)
        most = abs(gear) * (limits.velocity if finite else SPEED[str(actuator.coordinate)])
        return (-most, most) if most > 0.0 else None
    own = _pair(actuator.limits)
    if own is not None or not 0.0 < limits.effort < math.inf:
        return own
    most = limits.effort / abs(gear)
    return -most, most


def _pair(limits: Any) -> tuple[float, float] | None:
    """Two finite numbers in order, or None."""
    if not isinstance(limits, tuple) or len(limits) != 2:
        return None
    low, high = (value_of(each) for each in limits)
    if low is None or high is None or not -math.inf < low < high < math.inf:
        return None
    return float(low), float(high)
