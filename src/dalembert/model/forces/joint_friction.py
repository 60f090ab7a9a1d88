"""Viscous friction in a joint."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

from dalembert.formulas.expression import Expression
from dalembert.model.element import Formulas, FrameView
from dalembert.model.forces.base import Load, no_load, shown
from dalembert.model.forces.on_joint import OnJoint
from dalembert.model.joints.joint import read_quantity
from dalembert.model.quantity import Quantity, value_of
from dalembert.model.reading import Findings
from dalembert.model.references import References

ROTATION = "rotation"
"""Friction of a joint without an axis: against the whole relative angular velocity."""


@dataclass(frozen=True, eq=False, repr=False)
class JointFriction(OnJoint):
    """Viscous friction:  -damping * speed  along a joint coordinate.

    Parameters
    ----------
    joint : joint, or its name
        In a joint without coordinates (ball, universal) the torque is -damping times the relative
        angular velocity.
    damping : float or formula of parameters  [N m s/rad] or [N s/m]
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
    damping: Quantity

    def read(self, findings: Findings) -> None:
        """Check the coefficient."""
        number = value_of(read_quantity(self, "damping", findings))
        if number is not None and number < 0.0:
            findings.append(f"damping is {number:g}. Give a number that is not negative.")

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """The same friction in a joint of the model."""
        given: Any = names.joints.get(self.joint) if isinstance(self.joint, str) else self.joint
        if getattr(given, "coordinates", None) == () and self.coordinate in (None, ROTATION):
            joint = names.joint(given, f"force '{name}'", findings)
            if joint is not None and len(joint.frames) != 2:
                findings.add(
                    f"force '{name}'",
                    f"joint '{joint.name}' ({joint.kind}) connects no two bodies. Put the "
                    "friction into one of its joints.",
                )
            return replace(self, joint=joint, coordinate=ROTATION, name=name)
        return super().resolved(names, name, findings)

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
        """The coefficient."""
        return [("damping", shown(self.damping))]
