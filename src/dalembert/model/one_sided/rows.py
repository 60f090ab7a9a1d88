"""Every row of a model that is no equation: one-sided, or bounded in its force.

    unilateral   phi >= 0,  lam >= 0                                limits, cables, stops, formulas
    box          low <= force <= high along a coordinate            drives, brakes, dry friction
    tangent      |force| <= mu lam of the row before it             friction of formulas

A bounded row pulls its coordinate l towards `target` and its rate towards `target_rate`,

    force = kp (target - l) + kd (target_rate - l')     as long as that is within the bounds;

kp = 0 and kd infinite (None) is a rigid velocity drive, which for the rate 0 is dry friction. All
formulas are of the model's symbols; bounds are meant at the start of a step (Stribeck's law is
lagged by it; contact 16).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dalembert.formulas.expression import ZERO, Expression, lift
from dalembert.formulas.functions import maximum, minimum
from dalembert.model.basics.contents import remembered
from dalembert.model.basics.quantity import Quantity
from dalembert.model.forces.base import is_zero
from dalembert.model.forces.brake import Brake
from dalembert.model.forces.bushing import ImplicitBushing
from dalembert.model.forces.compound_spring import CompoundSpring, ImplicitDamper
from dalembert.model.forces.joint_actuator import JointActuator
from dalembert.model.forces.joint_friction import ImplicitRotationDamper, JointFriction
from dalembert.model.forces.on_joint import coordinate_rate
from dalembert.model.forces.position_servo import PositionServo
from dalembert.model.forces.spring import ImplicitSpring
from dalembert.model.forces.velocity_servo import VelocityServo
from dalembert.model.one_sided.arm import arm_of
from dalembert.model.one_sided.law import StopLaw

if TYPE_CHECKING:
    from dalembert.model.core.model import Model

UNILATERAL, BOX, TANGENT = "unilateral", "box", "tangent"


@dataclass(frozen=True)
class OneSided:
    """One row.

    Attributes
    ----------
    name : str
        ``hinge: lower``, ``rope``, ``servo``.
    element : str
        Name of the joint, force or one-sided constraint it belongs to.
    source : "limit", "cable", "stop", "formula", "drive", "brake" or "friction"
    law : "unilateral", "box" or "tangent"
    phi : Expression or None
        phi >= 0 of a unilateral row; the coordinate l of a box where a position counts, else None.
    rate : Expression or None
        l' of a box, linear in the velocities; None where the derivative of phi is meant.
    stop : StopLaw
        Restitution and compliance of a unilateral row.
    low, high : Expression or None
        Bounds of the force of a box; None is infinite.
    target, target_rate : Expression
    kp, kd : Quantity or None
        Gains of a box; kd None is rigid.
    replaces : bool
        The force of that name is this row and acts no more by itself (drives); where False its
        smooth part goes on acting (viscous friction beside the dry one).
    angular : bool
        Whether the row's unit is rad; else m.
    arm : float
        Length that makes the rate of an angle a speed  [m].
    friction : Quantity
        Coulomb's coefficient of a unilateral row with tangents behind it; of a box, what is added
        to its bounds for each newton that the joint carries.
    static : Quantity
        Coefficient of a unilateral row whose tangents stick.
    joint : str
        That joint; "" where bounds do not depend on any.
    """

    name: str
    element: str
    source: str
    law: str
    phi: Expression | None = None
    rate: Expression | None = None
    stop: StopLaw = field(default_factory=StopLaw)
    low: Expression | None = None
    high: Expression | None = None
    target: Expression = ZERO
    target_rate: Expression = ZERO
    kp: Quantity = 0.0
    kd: Quantity | None = None
    replaces: bool = False
    angular: bool = False
    arm: float = 1.0
    friction: Quantity = 0.0
    static: Quantity = 0.0
    joint: str = ""


def one_sided_rows(model: Model) -> list[OneSided]:
    """Limits of joints, one-sided constraints, drives with limits, brakes, dry friction."""
    return [*_limits(model), *_unilaterals(model), *_forces(model)]


def _limits(model: Model) -> Iterator[OneSided]:
    for name, limits in model.limits.items():
        joint: Any = model.joints[name]
        which = joint.coordinates[0]
        place: Expression = getattr(joint, which)
        for side, bound in (("lower", limits.lower), ("upper", limits.upper)):
            if math.isfinite(bound):
                phi = place - bound if side == "lower" else bound - place
                yield OneSided(
                    f"{name}: {side}",
                    name,
                    "limit",
                    UNILATERAL,
                    phi=phi,
                    stop=limits.law,
                    angular=which == "angle",
                    arm=arm_of(joint, model.parameters) if which == "angle" else 1.0,
                )


def _unilaterals(model: Model) -> Iterator[OneSided]:
    for one in model.unilaterals:
        for label, row in zip(one.row_names, one.rows, strict=True):
            rubs = one.friction if one.sliding else 0.0
            holds = rubs if one.static_friction is None else one.static_friction
            yield OneSided(
                label,
                one.name,
                one.kind,
                UNILATERAL,
                phi=row,
                stop=one.law,
                friction=rubs,
                static=holds,
            )
        for label, rate in zip(one.sliding_names, one.sliding, strict=True):
            yield OneSided(label, f"{one.name}.friction", "formula", TANGENT, rate=rate)


def _forces(model: Model) -> Iterator[OneSided]:
    for name, force in model.forces.items():
        for word, rate, damping, angular in _damped(force):
            label = f"{name}: {word}" if word else name
            yield _drive(name, rate, angular, label=label, kd=damping)
        if isinstance(force, JointFriction) and force.is_dry:
            rate = _rate(force)
            bound = force.bound(rate)
            load = force.joint.name if force.is_loaded else ""
            row = _rubbing(name, name, rate, bound, force.coordinate == "angle")
            yield replace(row, friction=force.arm, joint=load)
        elif isinstance(force, Brake):
            bound = maximum(force.torque, ZERO)
            row = _rubbing(name, name, _rate(force), bound, force.coordinate == "angle")
            yield replace(row, source="brake", replaces=True)
        elif isinstance(force, PositionServo | VelocityServo):
            yield _servo(name, force)
        elif isinstance(force, CompoundSpring):
            yield from _in_compound(name, force)


def _damped(force: Any) -> list[tuple[str, Expression, Quantity, bool]]:
    """Word, rate, damping, and whether it turns, of each row of an implicit damper."""
    if isinstance(force, ImplicitRotationDamper):
        rates = zip("xyz", force.rates(), strict=True)
        return [(axis, rate, force.damping, True) for axis, rate in rates]
    if isinstance(force, ImplicitBushing):
        return force.rates()
    if isinstance(force, ImplicitDamper | ImplicitSpring):
        return [("", force.rate(), force.damping, getattr(force, "slides", True) is False)]
    return []


def _drive(name: str, rate: Expression, angular: bool, label: str, **options: Any) -> OneSided:
    """A bounded row that takes the place of a force."""
    return OneSided(label, name, "drive", BOX, rate=rate, replaces=True, angular=angular, **options)


def _rubbing(label: str, name: str, rate: Expression, bound: Expression, angular: bool) -> OneSided:
    """A rate that is held at zero by at most a bound."""
    return OneSided(
        label, name, "friction", BOX, rate=rate, low=-bound, high=bound, angular=angular
    )


def _in_compound(name: str, force: CompoundSpring) -> Iterator[OneSided]:
    """A damper with limits as a servo, and dry friction.

    effort - k (x - free) - c x'  is  k (free - x) + c (effort / c - x').
    """
    angular = not force.slides
    if force.is_servo:
        low, high = map(lift, force.limits)
        options: dict[str, Any] = {"low": low, "high": high, "kd": force.damping}
        options["target_rate"] = lift(force.effort) / lift(force.damping)
        if not is_zero(force.stiffness):
            options |= {"phi": force.place(), "target": lift(force.free), "kp": force.stiffness}
        yield _drive(name, force.rate(), angular, label=name, **options)
    if not is_zero(force.dry):
        label = f"{name}: dry" if force.is_servo else name
        yield _rubbing(label, name, force.rate(), lift(force.dry), angular)


def _servo(name: str, force: PositionServo | VelocityServo) -> OneSided:
    """A servo behind its gear: l = gear * coordinate; its force, before the gear, is bounded."""
    gear = lift(force.gear)
    command = force.command
    if force.command_limits is not None:
        low, high = map(lift, force.command_limits)
        command = maximum(low, minimum(high, command))
    bounds = (None, None) if force.limits is None else tuple(map(lift, force.limits))
    options: dict[str, Any] = {"target_rate": command, "kd": force.kd}
    if isinstance(force, PositionServo):
        joint: Any = force.joint
        place: Expression = getattr(joint, str(force.coordinate))
        options = {"phi": gear * place, "target": command, "kp": force.kp, "kd": force.kd}
    rate = gear * _rate(force)
    angular = force.coordinate == "angle"
    return _drive(name, rate, angular, label=name, low=bounds[0], high=bounds[1], **options)


def _rate(force: JointFriction | Brake | JointActuator) -> Expression:
    """Rate of the joint coordinate a force acts along."""
    a, b = (frame.view for frame in force.joint.frames[:2])
    return coordinate_rate(a, b, force.coordinate == "displacement")


@remembered
def hard_only(model: Model) -> list[str]:
    """Parts of a model that only methods that solve for impulses know, in words, one each."""
    found = []
    if model.has_contact:
        shapes = model.contact_shapes
        few = ", ".join(shape.name for shape in shapes[:3]) + (", ..." if len(shapes) > 3 else "")
        found.append(f"{len(shapes)} shapes that touch ({few})")
    rows = one_sided_rows(model)
    for source, what in (
        ("limit", "limits of joints"),
        ("cable", "cables"),
        ("stop", "stops"),
        ("formula", "one-sided constraints"),
        ("brake", "brakes"),
        ("friction", "dry friction"),
        ("drive", "drives without a gain"),
    ):
        mine = [row for row in rows if row.source == source]
        if source == "drive":
            mine = [row for row in mine if row.kd is None]
        names = list(dict.fromkeys(row.element for row in mine if row.law != TANGENT))
        if names:
            more = ", ..." if len(names) > 3 else ""
            found.append(f"{what} ({', '.join(names[:3])}{more})")
    return found
