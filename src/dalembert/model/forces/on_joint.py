"""Forces along the coordinate of a joint: a torque about its axis, or a force along it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, Self

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView, cross, dot
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import ForceElement, Load, no_load
from dalembert.model.forces.formula_frames import watch
from dalembert.model.joints.joint import Joint
from dalembert.model.joints.references import References
from dalembert.model.joints.relation import resolved_joint


@dataclass(frozen=True, eq=False, repr=False)
class OnJoint(ForceElement):
    """A force between the two bodies of a joint, along one of its coordinates.

    Parameters
    ----------
    joint : joint, or its name
    coordinate : "angle" or "displacement"
        May be left out for a joint that has one coordinate.
    """

    joint: Any
    _: KW_ONLY
    coordinate: str | None = None

    ends: ClassVar[tuple[str, ...]] = ("joint",)
    wanted: ClassVar[str | None] = None
    """The only coordinate that makes sense, if so."""

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the element on a joint of the model."""
        element = f"force '{name}'"
        joint, which = resolved_joint(
            self.joint, self.coordinate, names, element, findings, self.wanted
        )
        watched = watch(self.formulas(), names, element, findings)
        return replace(self, joint=joint, coordinate=which, name=name, watched=watched)

    @property
    def is_found_with_motion(self) -> bool:
        """Whether the effort is no formula of the motion, but found together with it."""
        return False

    def acted_frames(self) -> tuple[Frame, ...]:
        """The frames of the joint."""
        if not isinstance(self.joint, Joint):
            raise ModelError(f"{self.title}: is part of no model yet. Use what add_force returns.")
        return self.joint.frames

    def structure(self) -> Hashable:
        """The coordinate and the user's formulas."""
        return (self.coordinate, self.formulas(), self.watched.key)

    @abstractmethod
    def effort(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> Expression:
        """Torque or force on the second body along the coordinate."""

    def act(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """The effort on the second body, its reaction on the first."""
        a, b = views[:2]
        effort = self.effort(views, data, turns)
        return along(a, b, effort, self.coordinate == "displacement")

    def rate(self, views: Sequence[FrameView]) -> Expression:
        """Speed of the coordinate."""
        return coordinate_rate(views[0], views[1], self.coordinate == "displacement")


def along(a: FrameView, b: FrameView, effort: Expression, sliding: bool) -> list[Load]:
    """A force along z_A at the second origin, or a torque about z_A, and the reaction on A."""
    if not sliding:
        torque = a.z * effort
        return [(no_load(), -torque), (no_load(), torque)]
    push = a.z * effort
    # the reaction has the same line of action, through the second origin
    return [(-push, -cross(b.origin - a.origin, push)), (push, no_load())]


def coordinate_rate(a: FrameView, b: FrameView, sliding: bool) -> Expression:
    """Rate of the angle about z_A, or of the displacement along it."""
    if not sliding:
        return dot(a.z, b.angular_velocity - a.angular_velocity)
    d = b.origin - a.origin
    return dot(a.z, b.velocity - a.velocity - cross(a.angular_velocity, d))
