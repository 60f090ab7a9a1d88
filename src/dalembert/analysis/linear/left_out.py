"""Parts of a model that a linear model does not have."""

from __future__ import annotations

from typing import Any

from dalembert.model.forces.brake import Brake
from dalembert.model.forces.joint_friction import JointFriction


def left_out(model: Any) -> tuple[str, ...]:
    """Names of what acts on one side only or by dry friction; what it is stands behind."""
    found = [f"{name} (dry friction)" for name, f in model.forces.items() if _is_dry(f)]
    found += [f"{name} (limits)" for name in model.limits]
    found += [f"{one.name} (one-sided)" for one in model.unilaterals]
    if model.has_contact:
        found.append("contacts of shapes")
    return tuple(found)


def _is_dry(force: Any) -> bool:
    return isinstance(force, Brake) or (isinstance(force, JointFriction) and force.is_dry)
