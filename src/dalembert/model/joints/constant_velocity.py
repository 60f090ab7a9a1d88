"""Shaft coupling that passes on the angle of one shaft to the other whatever the bend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dalembert.formulas.expression import Expression
from dalembert.formulas.functions import sqrt, where
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
    """Homokinetic joint of two shafts:  p_A = p_B,  e_z = 0  of the quaternion e from A to B.

    The second row says that the shafts are turned against one another only about an axis in the
    plane of x and y, so that both have the same speed about their own axis. For bends below a
    right angle it is  (x_A . y_B - y_A . x_B) / sqrt(1 + x_A . x_B + y_A . y_B + z_A . z_B) = 0.

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
        return [*point(a, b), -2.0 * third_of_quaternion(a, b)]

    def pose(self, parameters: Mapping[str, float]) -> Pose | None:
        """In line."""
        return NOTHING, np.eye(3)

    def twist(self, parameters: Mapping[str, float]) -> Twist | None:
        """At rest."""
        return NOTHING, NOTHING


def third_of_quaternion(a: FrameView, b: FrameView) -> Expression:
    """e_z of the quaternion (e_w, e_x, e_y, e_z) that turns frame A into B, up to its sign.

    By the largest of the others (Shepperd 1978), so that its rate does not vanish with any of
    them: with R = A^T B

        4 e_w e_z = R_yx - R_xy,  4 e_x e_z = R_xz + R_zx,  4 e_y e_z = R_yz + R_zy
        4 e_w^2 = 1 + R_xx + R_yy + R_zz,  4 e_x^2 = 1 + R_xx - R_yy - R_zz,  ...
    """
    xx, yy, zz = dot(a.x, b.x), dot(a.y, b.y), dot(a.z, b.z)
    w, x, y = 1.0 + xx + yy + zz, 1.0 + xx - yy - zz, 1.0 - xx + yy - zz
    by_w = dot(a.y, b.x) - dot(a.x, b.y)
    by_x = dot(a.x, b.z) + dot(a.z, b.x)
    by_y = dot(a.y, b.z) + dot(a.z, b.y)
    bent, across = (w < x) | (w < y), x < y
    product = where(bent, where(across, by_y, by_x), by_w)
    square = where(bent, where(across, y, x), w)
    third: Expression = product / (2.0 * sqrt(square))
    return third
