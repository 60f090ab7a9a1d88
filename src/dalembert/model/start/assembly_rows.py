"""Rows for assembly that vanish only where a joint is put together right.

The rows of some joints also vanish in a position nobody means: a hinge with its axes opposed, a
lock turned by half a turn, a drive half a turn ahead. From a good guess Newton's method does not
get there; from a rough one it may. The rows here say the same as the joint and vanish only where it
is meant to be. They are used beside the joint's own rows.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from dalembert.formulas.expression import Expression
from dalembert.formulas.functions import cos, sin, sqrt
from dalembert.model.basics.element import Formulas, FrameView, dot
from dalembert.model.joints.cylindrical import Cylindrical
from dalembert.model.joints.fixed import Fixed
from dalembert.model.joints.motion import Motion
from dalembert.model.joints.planar import Planar
from dalembert.model.joints.prismatic import Prismatic
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.screw import Screw

SAME_AXIS = (Revolute, Cylindrical, Planar, Screw)
SAME_AXES = (Prismatic, Fixed)
TURNS = ("angle", "yaw", "roll")


@dataclass(frozen=True)
class WayRound:
    """Rows beside those of a joint, in the words of `model.joints.joint.Joint`."""

    joint: Any

    @property
    def name(self) -> str:
        """Name of the joint."""
        return str(self.joint.name)

    @property
    def frames(self) -> tuple[Any, ...]:
        """Frames of the joint."""
        return tuple(self.joint.frames)

    def data(self) -> tuple[Any, ...]:
        """Nothing but the frames."""
        return ()

    def structure(self) -> Hashable:
        """The joint's class and structure."""
        return (type(self.joint), self.joint.structure())

    def angles(self, views: Sequence[FrameView]) -> list[Expression]:
        """No turns are counted."""
        return []

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """Directions that coincide."""
        a, b = views
        if isinstance(self.joint, SAME_AXIS):
            return list(a.z - b.z)
        if isinstance(self.joint, SAME_AXES):
            return [*(a.x - b.x), *(a.y - b.y)]
        f = self.joint.value
        if self.joint.coordinate == "roll":
            s, c = dot(a.z, b.y), dot(a.z, b.z)
        else:
            s, c = dot(a.y, b.x), dot(a.x, b.x)
        size = sqrt(s * s + c * c + 1e-30)
        return [s / size - sin(f), c / size - cos(f)]

    def velocity_rows(
        self, views: Sequence[FrameView], data: Formulas, turns: Formulas
    ) -> list[Expression]:
        """None."""
        return []

    @property
    def row_names(self) -> tuple[str, ...]:
        """The joint's name for each."""
        count = 3 if isinstance(self.joint, SAME_AXIS) else 6
        if isinstance(self.joint, Motion):
            count = 2
        return (f"{self.name}: the right way round",) * count


def ways_round(joints: Sequence[Any]) -> list[WayRound]:
    """Aims of those joints that have a wrong way round."""
    return [WayRound(joint) for joint in joints if _has_way_round(joint)]


def _has_way_round(joint: Any) -> bool:
    if isinstance(joint, Motion):
        return joint.coordinate in TURNS
    return isinstance(joint, SAME_AXIS + SAME_AXES)
