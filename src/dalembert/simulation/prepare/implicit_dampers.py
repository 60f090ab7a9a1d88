"""Dampers of joints that a step with impulses does not resolve: taken implicitly.

A damper c in a joint with the mobility 1/m (of both bodies) decays with r = c / m. A step h with
h r > 1 does not resolve that: an explicit force overshoots, and for h r > 2 the motion explodes;
files of robots have such dampers in light links. The force  -c l'  is then that of a servo for the
speed 0 with the gain c, which a step has implicitly (`contact.rows.implicit_drives`). It is the
same force: the motion differs by the error of the step.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

from dalembert.errors import ModelError
from dalembert.model.basics.quantity import value_of
from dalembert.model.core.replacing import replace_parts
from dalembert.model.forces.joint_friction import JointFriction
from dalembert.model.forces.torsion_spring import TorsionSpring
from dalembert.model.forces.velocity_servo import VelocityServo
from dalembert.model.joints.joint import Joint
from dalembert.simulation.prepare.step_choice import mobility

STIFF = 1.0
"""h r from which on a damper is implicit."""


def with_implicit_dampers(model: Any, step: float | None) -> Any:
    """The model, with servos for the dampers that the step does not resolve."""
    if step is None or not model.is_maximal:
        return model
    stiff = [force for force in model.forces.values() if _rate(model, force) * step > STIFF]
    if not stiff:
        return model
    made = model
    for force in stiff:
        joint = force.joint if isinstance(force, JointFriction) else force.first
        rest = _without(force)
        name = force.name if rest is None else f"{force.name}_damping"
        which = getattr(force, "coordinate", "angle")
        servo = VelocityServo(joint.name, kd=force.damping, coordinate=which, name=name)
        changed = copy.copy(made)
        replace_parts(changed, forces={force.name: rest})
        try:
            changed.add_force(servo)
        except ModelError:  # a joint that has no servos keeps its damper
            continue
        made = changed
    return made


def _rate(model: Any, force: Any) -> float:
    """Rate of decay by a damper along the coordinate of a joint  [1/s]; 0 for other forces."""
    if isinstance(force, JointFriction):
        if force.coordinate not in ("angle", "displacement"):
            return 0.0
        angular = force.coordinate == "angle"
    elif isinstance(force, TorsionSpring) and isinstance(force.first, Joint) and force.law is None:
        angular = True
    else:
        return 0.0
    damping = value_of(force.damping, model.parameters) or 0.0
    return damping * mobility(force, angular, model.parameters)


def _without(force: Any) -> Any:
    """The force without its damping; None where nothing is left of it."""
    if isinstance(force, JointFriction):
        return replace(force, damping=0.0) if force.is_dry else None
    nothing = isinstance(force.stiffness, float) and force.stiffness == 0.0
    return None if nothing else replace(force, damping=0.0)
