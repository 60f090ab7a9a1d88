"""Shaft coupling that passes on the angle of one shaft to the other whatever the bend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView, dot
from dalembert.model.joints.joint import (
    NOTHING,
    POINT_LABELS,
    AxisJoint,
    Pose,
    Twist,
    point,
)


@dataclass(frozen=True, eq=False, repr=False)
class ConstantVelocity(AxisJoint):
    """Homokinetic joint of two shafts:  p_A = p_B,  x_A . y_B = y_A . x_B.

    The second row says that the shafts are turned against one another only about an axis in the
    plane of x and y, so that both have the same speed about their own axis.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
    axis : "x", "y", "z", "-x", ... or 3 numbers
        Of both shafts when they are in line, in the axes of the first frame.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("drive shaft")
    >>> wheel = model.add_body("wheel", dl.Inertia.cylinder(mass=9.0, radius=0.3, length=0.2))
    >>> len(model.add_joint(dl.ConstantVelocity(model.world, wheel, axis="z", name="coupling")))
    4
    """

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        return (*POINT_LABELS, f"rotation about {self.axis_names[2]}")

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """Common origin, no twist."""
        a, b = views
        return [*point(a, b), dot(a.x, b.y) - dot(a.y, b.x)]

    def pose(self, parameters: Mapping[str, float]) -> Pose | None:
        """In line."""
        return NOTHING, np.eye(3)

    def twist(self, parameters: Mapping[str, float]) -> Twist | None:
        """At rest."""
        return NOTHING, NOTHING
