"""Torsion spring and damper about the axis of a hinge."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView, cross, dot
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rotation import Rotation, axis_frame, unit_vector
from dalembert.model.forces.base import ForceElement, Load, is_zero, no_load, shown
from dalembert.model.forces.spring import Law, law_options, read_law, tension
from dalembert.model.joints.joint import Joint, angle_about_z, axis_text, read_axis, read_quantity
from dalembert.model.joints.references import References
from dalembert.model.joints.relation import resolved_joint


@dataclass(frozen=True, eq=False, repr=False)
class TorsionSpring(ForceElement):
    """Torque  -k (angle - free_angle) - c angle'  on the second body, its reaction on the first.

    Parameters
    ----------
    first : joint with an angle or its name; or Frame, Body, World, "body/frame"
    second : Frame, Body, World, "body/frame"
        Only if the first is none of a joint: the angle is then that of the second frame about
        `axis` from the first.
    free_angle : float or formula of parameters  [rad]
        Where the spring carries nothing; full turns count.
    stiffness : float or formula of parameters  [N m/rad]
    damping : float or formula of parameters  [N m s/rad]
    law : callable (extension, rate) -> formula  [N m]
        Restoring torque instead of stiffness and damping, of the angle less the free angle.
    axis : "x", "y", "z", "-x", ... or 3 numbers
        Between two frames: in the axes of the first.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("door")
    >>> door = model.add_body("door", dl.Inertia.box(mass=20.0, size=(0.9, 0.04, 2.0)))
    >>> hinge = model.add_joint(dl.Revolute(model.world, door.at(x=-0.45), name="hinge"))
    >>> model.add_force(dl.TorsionSpring(hinge, stiffness=15.0, damping=8.0, name="closer"))
    TorsionSpring('hinge', stiffness=15, damping=8, name='closer')
    """

    first: Any
    second: Any = None
    _: KW_ONLY
    free_angle: Quantity = 0.0
    stiffness: Quantity = 0.0
    damping: Quantity = 0.0
    law: Law | Expression | None = None
    axis: Any = "z"

    counts_turns: ClassVar[bool] = True

    @property
    def ends(self) -> tuple[str, ...]:  # type: ignore[override]
        """Fields that hold what the spring is attached to."""
        return ("first",) if self.second is None else ("first", "second")

    def read(self, findings: Findings) -> None:
        """Check numbers, law and axis."""
        read_quantity(self, "free_angle", findings)
        read_law(self, findings)
        read_axis(self.axis)

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the spring on a joint or two frames of the model."""
        if self.second is not None:
            return super().resolved(names, name, findings)
        joint, _ = resolved_joint(
            self.first, None, names, f"force '{name}'", findings, wanted="angle"
        )
        return replace(self, first=joint, name=name)

    @cached_property
    def turn(self) -> Rotation:
        """Rotation of two frames for z to be the axis."""
        return axis_frame(unit_vector(self.axis, ""))

    def acted_frames(self) -> tuple[Frame, ...]:
        """The frames of the joint, or the two given."""
        if isinstance(self.first, Joint):
            return self.first.frames
        if self.second is None:
            raise ModelError(f"{self.title}: is part of no model yet. Use what add_force returns.")
        return super().acted_frames()

    def data(self) -> tuple[Quantity, ...]:
        """Free angle, stiffness and damping."""
        return (self.free_angle, self.stiffness, self.damping)

    def structure(self) -> Hashable:
        """The law."""
        return (self.law,)

    def angles(self, views: Sequence[FrameView]) -> list[Expression]:
        """Angle of the second frame about the axis, in (-pi, pi]."""
        return [angle_about_z(*views[:2])]

    def act(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """The torque on both bodies."""
        a, b = views[:2]
        free_angle, stiffness, damping = data
        extension = angle_about_z(a, b) + turns[0] - free_angle
        axis = _axis(a, b)
        rate = dot(axis, b.angular_velocity - a.angular_velocity)
        torque = axis * tension(self.law, extension, rate, stiffness, damping)
        return [(no_load(), torque), (no_load(), -torque)]

    def energy(
        self, views: Sequence[FrameView], data: Formulas, turns: Formulas
    ) -> Expression | None:
        """k (angle - free_angle)^2 / 2; unknown for a law."""
        if self.law is not None:
            return None
        angle = angle_about_z(*views[:2]) + turns[0]
        return data[1] * (angle - data[0]) ** 2 / 2

    @property
    def conservative(self) -> bool:
        """True without law and damping."""
        return self.law is None and is_zero(self.damping)

    def options(self) -> list[tuple[str, str]]:
        """Numbers or law."""
        found = [] if is_zero(self.free_angle) else [("free_angle", shown(self.free_angle))]
        if self.second is not None:
            found.append(("axis", axis_text(self.axis)))
        return found + law_options(self)


def _axis(a: FrameView, b: FrameView) -> Any:
    """Derivative of the angle by a rotation of B: z_A in a hinge, exact wherever the frames are.

    With s = y_A . x_B and c = x_A . x_B the angle changes by (c ds - s dc) / (s^2 + c^2).
    """
    s, c = dot(a.y, b.x), dot(a.x, b.x)
    return cross(b.x, a.y * c - a.x * s) / (s * s + c * c)
