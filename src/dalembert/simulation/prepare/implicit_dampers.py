"""Dampers that a step with impulses does not resolve: taken implicitly.

A damper c in a joint, in a bushing or along a line, with the mobility W decays with r = c W. A step
h with h r > 1 does not resolve that: an explicit force overshoots, and for h r > 2 the motion
explodes; files of robots have such dampers in light links. Joints take freedom from bodies, so that
W is at most that of the two bodies by themselves: u . I_1^-1 u + u . I_2^-1 u about an axis u, and
along one 1/m_1 + 1/m_2, with (r x u) . I^-1 (r x u) beside it where it acts off a centre of mass.
The force  -c l'  is then that of a servo for the speed 0 with the gain c, which a step has
implicitly (`contact.rows.implicit_drives`). It is the same force: the motion differs by the error
of the step.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.model.basics.frame import WORLD
from dalembert.model.basics.quantity import value_of
from dalembert.model.core.replacing import replace_parts
from dalembert.model.forces.base import is_zero
from dalembert.model.forces.bushing import Bushing, ImplicitBushing
from dalembert.model.forces.compound_spring import CompoundSpring, ImplicitDamper
from dalembert.model.forces.joint_friction import (
    ROTATION,
    ImplicitRotationDamper,
    JointFriction,
)
from dalembert.model.forces.spring import ImplicitSpring, Spring
from dalembert.model.forces.torsion_spring import TorsionSpring
from dalembert.model.forces.velocity_servo import VelocityServo
from dalembert.model.joints.joint import Joint
from dalembert.simulation.prepare.step_choice import mobility

STIFF = 1.0
"""h r from which on a damper is implicit."""

THIN = 1e-3
"""Least principal moment that counts, over the largest: rods have none about themselves."""


def with_implicit_dampers(model: Any, step: float | None) -> Any:
    """The model, with servos for the dampers that the step does not resolve."""
    if step is None or not model.is_maximal:
        return model
    stiff = [force for force in model.forces.values() if _rate(model, force) * step > STIFF]
    if not stiff:
        return model
    made = model
    for force in stiff:
        rest = _without(force)
        name = force.name if rest is None else f"{force.name}_damping"
        changed = copy.copy(made)
        replace_parts(changed, forces={force.name: rest})
        try:
            changed.add_force(_implicit(force, name))
        except ModelError:  # a joint that has no servos keeps its damper
            continue
        made = changed
    return made


def _implicit(force: Any, name: str) -> Any:
    """The damper of a force, as a row."""
    if isinstance(force, CompoundSpring):
        at = force.coordinate
        return ImplicitDamper(force.joint.name, coordinate=at, damping=force.damping, name=name)
    if isinstance(force, JointFriction) and force.coordinate == ROTATION:
        return ImplicitRotationDamper(force.joint.name, damping=force.damping, name=name)
    if isinstance(force, Bushing):
        nothing = (0.0,) * 6
        ends = (force.first, force.second)
        return ImplicitBushing(*ends, stiffness=nothing, damping=force.damping, name=name)
    if isinstance(force, Spring):
        ends = (force.first, force.second)
        return ImplicitSpring(
            *ends, free_length=force.free_length, damping=force.damping, name=name
        )
    joint = force.joint if isinstance(force, JointFriction) else force.first
    which = getattr(force, "coordinate", "angle")
    return VelocityServo(joint.name, kd=force.damping, coordinate=which, name=name)


def _rate(model: Any, force: Any) -> float:
    """Rate of decay by a damper  [1/s]; 0 for other forces."""
    if isinstance(force, Bushing):
        return _rate_of_bushing(model, force)
    if isinstance(force, Spring):
        known = force.law is None and not force.at_a_point
        return _damping(model, force.damping) * _moves_freely(model, force) if known else 0.0
    if isinstance(force, JointFriction):
        angular = force.coordinate in ("angle", ROTATION)
    elif isinstance(force, TorsionSpring) and isinstance(force.first, Joint) and force.law is None:
        angular = True
    elif isinstance(force, CompoundSpring) and force.limits is None:
        angular = not force.slides
    else:
        return 0.0
    damping = _damping(model, force.damping)
    if not damping:
        return 0.0
    if not angular:
        return damping * mobility(force, angular, model.parameters)
    ends = [frame for frame in force.acted_frames()[:2] if frame.body.name != WORLD]
    axis = _axis(force)
    return damping * sum(_turns_freely(frame, axis, model.parameters) for frame in ends)


def _rate_of_bushing(model: Any, force: Bushing) -> float:
    """The fastest decay by its six dampers."""
    push, turn = (
        max(_damping(model, x) for x in half) for half in (force.damping[:3], force.damping[3:])
    )
    found = push * _moves_freely(model, force) if push else 0.0
    if turn:
        ends = [frame for frame in force.acted_frames()[:2] if frame.body.name != WORLD]
        turns = sum(_turns_freely(frame, None, model.parameters) for frame in ends)
        found = max(found, turn * turns)
    return found


def _damping(model: Any, damping: Any) -> float:
    """Number of a damping; 0 where it is none."""
    return value_of(damping, model.parameters) or 0.0


def _moves_freely(model: Any, force: Any) -> float:
    """Largest 1/m + (r x u) . I^-1 (r x u) over directions u, of both ends of a force together."""
    total = mobility(force, False, model.parameters)
    for frame in force.acted_frames()[:2]:
        if frame.body.name == WORLD:
            continue
        pairs = zip(frame.offset, frame.body.inertia.center, strict=True)
        arm = [(value_of(x, model.parameters) or 0.0) for pair in pairs for x in pair]
        square = sum((a - b) ** 2 for a, b in zip(arm[::2], arm[1::2], strict=True))
        total += square * _turns_freely(frame, None, model.parameters) if square else 0.0
    return total


def _axis(force: Any) -> np.ndarray | None:
    """Axis (3, 1) in the frames of a joint that a damper acts about, of hinges at angles 0.

    None: about all of them.
    """
    if getattr(force, "coordinate", None) == ROTATION:
        return None
    if not isinstance(force, CompoundSpring):
        return np.array([[0.0], [0.0], [1.0]])
    axis: np.ndarray = force.joint.hinge_axes[force.coordinate - len(force.joint.slides)]
    return axis.reshape(3, 1)


def _turns_freely(frame: Any, axis: np.ndarray | None, parameters: Any) -> float:
    """Largest u . I^-1 u of a body by itself; moments that are all but zero count a bit more."""
    matrix = frame.body.inertia.matrix
    I = np.array([[value_of(x, parameters) or 0.0 for x in row] for row in matrix], dtype=float)
    moments, principal = np.linalg.eigh(I)
    if not moments[-1] > 0.0:
        return 0.0
    inverse = 1.0 / np.maximum(moments, THIN * moments[-1])
    if axis is None:
        return float(inverse[0])
    along = principal.T @ frame.orientation.matrix @ axis
    return float(np.max((along**2).T @ inverse))


def _without(force: Any) -> Any:
    """The force without its damping; None where nothing is left of it."""
    if isinstance(force, JointFriction):
        return replace(force, damping=0.0) if force.is_dry else None
    if isinstance(force, Bushing):
        nothing = all(map(is_zero, force.stiffness))
        return None if nothing else replace(force, damping=(0.0,) * 6)
    nothing = all(is_zero(getattr(force, name, 0.0)) for name in ("stiffness", "effort", "dry"))
    return None if nothing else replace(force, damping=0.0)
