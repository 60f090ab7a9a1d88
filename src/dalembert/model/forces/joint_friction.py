"""Friction in a joint: viscous, dry, and Stribeck's between the two.

    torque = -damping * s  -  f(s) sign(s),   f(s) = dry + (static - dry) exp(-(s / stribeck)^2)
                                                     + coefficient * radius * |F|

The dry part is set-valued at rest: it holds the joint up to `static` exactly. F is the force that
the joint carries, that of a bearing or a guide (without a radius along a slide). It is a bounded
row (kind BOX) of the methods that solve for impulses; the others know the viscous part only.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

from dalembert.formulas.expression import Expression, lift
from dalembert.formulas.functions import exp
from dalembert.model.basics.element import Formulas, FrameView, dot
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import Load, is_zero, no_load, shown
from dalembert.model.forces.on_joint import OnJoint
from dalembert.model.joints.joint import read_quantity
from dalembert.model.joints.references import References

ROTATION = "rotation"
"""Friction of a joint without an axis: against the whole relative angular velocity."""


@dataclass(frozen=True, eq=False, repr=False)
class JointFriction(OnJoint):
    """Friction along a joint coordinate: -damping * speed, and dry friction.

    Parameters
    ----------
    joint : joint, or its name
        In a joint without coordinates (ball, universal) the torque is -damping times the relative
        angular velocity.
    damping : float or formula of parameters  [N m s/rad] or [N s/m]
    dry : float or formula of parameters  [N m] or [N]
        Torque (force, along a slide) of sliding, whatever the speed; at rest it holds.
    static : float or formula of parameters  [N m] or [N]
        Torque at which it breaks away, where that is more than `dry`.
    stribeck : float or formula of parameters  [rad/s] or [m/s]
        Speed over which it falls from `static` to `dry`; goes with `static`.
    coefficient : float or formula of parameters
        Coulomb's coefficient of a bearing or a guide: friction by the force that the joint carries.
        The run is in maximal coordinates, where that force is known.
    radius : float or formula of parameters  [m]
        Of the pin, beside a coefficient in a hinge.
    coordinate : "angle" or "displacement"
        May be left out for a joint that has one coordinate.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("pendulum")
    >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    >>> hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    >>> model.add_force(dl.JointFriction(hinge, damping=0.01, name="grease"))
    JointFriction('hinge', damping=0.01, name='grease')
    """

    _: KW_ONLY
    damping: Quantity = 0.0
    dry: Quantity = 0.0
    static: Quantity | None = None
    stribeck: Quantity | None = None
    coefficient: Quantity = 0.0
    radius: Quantity | None = None

    def read(self, findings: Findings) -> None:
        """Check the coefficients."""
        for field in ("damping", "dry", "coefficient"):
            number = value_of(read_quantity(self, field, findings))
            if number is not None and number < 0.0:
                findings.append(f"{field} is {number:g}. Give a number that is not negative.")
        if is_zero(self.damping) and is_zero(self.dry) and is_zero(self.coefficient):
            findings.append("has neither damping nor dry friction. Give one of them.")
        if self.radius is not None:
            read_quantity(self, "radius", findings, positive="a positive length")
        if (self.static is None) != (self.stribeck is None):
            findings.append("static and stribeck go together. Give both or none.")
            return
        if self.static is None:
            return
        read_quantity(self, "stribeck", findings, positive="a positive speed")
        most, least = value_of(read_quantity(self, "static", findings)), value_of(self.dry)
        if most is not None and least is not None and most < least:
            findings.append(f"static is {most:g}, less than dry, {least:g}. Give static >= dry.")

    @property
    def is_dry(self) -> bool:
        """Whether there is more than viscous friction."""
        return not (is_zero(self.dry) and self.static is None) or self.is_loaded

    @property
    def is_found_with_motion(self) -> bool:
        """Dry friction holds with whatever it takes."""
        return self.is_dry

    @property
    def is_loaded(self) -> bool:
        """Whether the force in the joint makes friction."""
        return not is_zero(self.coefficient)

    @property
    def arm(self) -> Quantity:
        """Torque or force of friction over the force in the joint."""
        arm = 1.0 if self.radius is None else self.radius
        if isinstance(arm, float) and isinstance(self.coefficient, float):
            return arm * self.coefficient
        return lift(self.coefficient) * lift(arm)

    def bound(self, speed: Expression) -> Expression:
        """Largest torque or force of the dry part at a speed."""
        dry = lift(self.dry)
        if self.static is None:
            return dry
        assert self.stribeck is not None
        share: Expression = exp(-((speed / lift(self.stribeck)) ** 2))
        return dry + (lift(self.static) - dry) * share

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the friction in a joint of the model."""
        given: Any = names.joints.get(self.joint) if isinstance(self.joint, str) else self.joint
        if getattr(given, "coordinates", None) == () and self.coordinate in (None, ROTATION):
            joint = names.joint(given, f"force '{name}'", findings)
            if joint is not None and len(joint.frames) != 2:
                findings.add(
                    f"force '{name}'",
                    f"joint '{joint.name}' ({joint.kind}) connects no two bodies. Put the "
                    "friction into one of its joints.",
                )
            if self.is_dry:
                findings.add(
                    f"force '{name}'",
                    f"joint '{getattr(joint, 'name', '')}' has no coordinate, and dry friction "
                    "acts along one. Give damping only, or put it into a hinge or slide.",
                )
            return replace(self, joint=joint, coordinate=ROTATION, name=name)
        made = super().resolved(names, name, findings)
        if made.is_loaded and made.coordinate == "angle" and made.radius is None:
            findings.add(
                f"force '{name}'",
                "has a coefficient, but no radius at which the pin rubs. Give radius=..., in m.",
            )
        if made.radius is not None and (not made.is_loaded or made.coordinate == "displacement"):
            findings.add(
                f"force '{name}'", "has a radius, which goes with the coefficient of a hinge only."
            )
        return made

    def data(self) -> tuple[Quantity, ...]:
        """The coefficient."""
        return (self.damping,)

    def structure(self) -> Hashable:
        """The coordinate."""
        return (self.coordinate,)

    def effort(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> Expression:
        """Against the speed."""
        return -(data[0] * self.rate(views))

    def act(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """Against the speed of the coordinate, or against all turning."""
        if self.coordinate != ROTATION:
            return super().act(views, data, turns)
        a, b = views[:2]
        torque = (a.angular_velocity - b.angular_velocity) * data[0]
        return [(no_load(), -torque), (no_load(), torque)]

    def options(self) -> list[tuple[str, str]]:
        """The coefficients that are there."""
        known = ("damping", "dry", "coefficient")
        names = [key for key in known if not is_zero(getattr(self, key))]
        names += [] if self.radius is None else ["radius"]
        names += ["static", "stribeck"] if self.static is not None else []
        return [(key, shown(getattr(self, key))) for key in names]


class ImplicitRotationDamper(JointFriction):
    """A damper of a ball joint that steps with impulses have implicitly: three rows of its own.

    In a file it is the friction that it was.
    """

    @property
    def kind(self) -> str:
        """Name of the friction that it is."""
        return "joint_friction"

    def rates(self) -> list[Expression]:
        """Relative angular velocity along the axes of the first frame."""
        a, b = (frame.view for frame in self.joint.frames[:2])
        turning = b.angular_velocity - a.angular_velocity
        return [dot(axis, turning) for axis in (a.x, a.y, a.z)]
