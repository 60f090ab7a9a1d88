"""The common part of joints that turn about their axis: the angle, and its full turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import FrameView
from dalembert.model.joints.joint import AxisJoint, angle_about_z, counted


@dataclass(frozen=True, eq=False, repr=False)
class TurningJoint(AxisJoint):
    """A joint with an angle about its axis."""

    def angles(self, views: Sequence[FrameView]) -> list[Expression]:
        """Angle of the second frame about the axis, in (-pi, pi]."""
        return [angle_about_z(*views)]

    @property
    def angle(self) -> Expression:
        """Angle of the second frame about the axis, with its full turns  [rad]."""
        return counted(self, self.angles(self.views)[0])
