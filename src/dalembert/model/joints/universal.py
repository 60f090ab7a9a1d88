"""Cross joint (Cardan, Hooke): turning about an axis of each body, the two at right angles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView, dot
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rotation import Rotation, about, unit_vector
from dalembert.model.joints.joint import (
    NOTHING,
    POINT_LABELS,
    PairJoint,
    Pose,
    Twist,
    axis_names,
    axis_text,
    number,
    point,
    read_axis,
    read_quantities,
)

NOT_PERPENDICULAR = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Universal(PairJoint):
    """Cross joint:  p_A = p_B,  x_A . y_B = 0.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
    axis, second_axis : "x", "y", "z", "-x", ... or 3 numbers
        Arms of the cross, fixed in the first and in the second body; at right angles, given in
        the axes of the first frame at zero angles.
    initial : 2 numbers or formulas of parameters  [rad]
        Angles about the arms at which the joint places a body that was given no position.
    initial_speed : 2 numbers or formulas of parameters  [rad/s]
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("shaft")
    >>> shaft = model.add_body("shaft", dl.Inertia.cylinder(mass=1.0, radius=0.1, length=1.0))
    >>> cross = model.add_joint(dl.Universal(model.world, shaft.at(z=-0.5), name="cross"))
    >>> cross.row_labels[3]
    'rotation about z'
    """

    _: KW_ONLY
    axis: Any = "x"
    second_axis: Any = "y"
    initial: tuple[Quantity, Quantity] = (0.0, 0.0)
    initial_speed: tuple[Quantity, Quantity] = (0.0, 0.0)

    def read(self, findings: Findings) -> None:
        """Check axes and start."""
        read_quantities(self, "initial", 2, findings)
        read_quantities(self, "initial_speed", 2, findings)
        read_axis(self.axis)
        read_axis(self.second_axis)
        lean = float(unit_vector(self.axis, "") @ unit_vector(self.second_axis, ""))
        if abs(lean) > NOT_PERPENDICULAR:
            raise ModelError(
                f"the arms {self.axis!r} and {self.second_axis!r} are not at right angles (cosine "
                f"{lean:.2g}). Give perpendicular axes."
            )

    @cached_property
    def turn(self) -> Rotation:
        """Rotation from the frames as given to those of the cross."""
        x = unit_vector(self.axis, "")
        y = unit_vector(self.second_axis, "")
        y = y - (x @ y) * x
        y /= np.sqrt(y @ y)
        return Rotation(np.column_stack([x, y, np.cross(x, y)]))

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        return (*POINT_LABELS, f"rotation about {axis_names(self.turn)[2]}")

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """Common origin, arms at right angles."""
        a, b = views
        return [*point(a, b), dot(a.x, b.y)]

    @property
    def named_parts(self) -> tuple[str, ...]:
        """Angles about both arms."""
        return ("angle_1", "angle_2")

    def named_part(self, name: str) -> Expression:
        """The angle about the first arm, or about the second, in (-pi, pi]  [rad]."""
        a, b = self.views
        if name == "angle_1":
            return dot(a.z, b.y).arctan2(dot(a.y, b.y))
        return dot(a.x, b.z).arctan2(dot(a.x, b.x))

    def pose(self, parameters: Mapping[str, float]) -> Pose | None:
        """Turned about the first arm, then about the second."""
        first, second = (number(entry, parameters) for entry in self.initial)
        return NOTHING, about((1, 0, 0), first) @ about((0, 1, 0), second)

    def twist(self, parameters: Mapping[str, float]) -> Twist | None:
        """Turning about both arms."""
        first, second = (number(entry, parameters) for entry in self.initial_speed)
        arm = about((1, 0, 0), number(self.initial[0], parameters)) @ np.array([0.0, 1.0, 0.0])
        return NOTHING, np.array([first, 0.0, 0.0]) + second * arm

    def options(self) -> list[tuple[str, str]]:
        """The arms."""
        return [("axis", axis_text(self.axis)), ("second_axis", axis_text(self.second_axis))]
