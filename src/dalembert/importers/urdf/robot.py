"""Contents of a URDF file: links, joints, materials, as data."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.importers.urdf.reading import XmlFile
from dalembert.model.basics.rotation import Rotation

Vector = npt.NDArray[np.float64]

MOVABLE = ("revolute", "continuous", "prismatic", "planar", "spherical", "floating")
TYPES = (*MOVABLE, "fixed")
DOES = {"visual": "is drawn", "collision": "touches"}

ONE_COORDINATE = ("revolute", "continuous", "prismatic")
"""Joints that can mimic and be mimicked, and have damping and limits."""

BEYOND = 1e12
"""Limits from here on mean that there is none: ROS wants a number for each."""

IGNORED = {
    "transmission": "transmissions say how motors drive joints; motors are not taken over.",
    "gazebo": "settings for Gazebo are not taken over.",
    "ros2_control": "settings for ros2_control are not taken over.",
    "sensor": "sensors are not taken over.",
}
"""Elements beside links and joints that other programs read."""


@dataclass(frozen=True)
class Pose:
    """Where a frame stands in another: origin and axes."""

    position: Vector = field(default_factory=lambda: np.zeros(3))
    rotation: Rotation = field(default_factory=Rotation.identity)

    def __matmul__(self, other: Pose) -> Pose:
        """A frame in the second, seen in the first; nothing is rounded where nothing is turned."""
        if self.rotation.is_identity:
            return Pose(self.position + other.position, other.rotation)
        at = self.position + self.rotation.matrix @ other.position
        turned = self.rotation
        if not other.rotation.is_identity:
            turned = self.rotation @ other.rotation
        return Pose(at, turned)

    @property
    def inverse(self) -> Pose:
        """The first frame seen in the second."""
        if self.rotation.is_identity:
            return Pose(-self.position)
        back = self.rotation.inverse
        return Pose(-(back.matrix @ self.position), back)


@dataclass(frozen=True)
class MassEntry:
    """Mass, centre of mass and moments about it, in the axes of the link."""

    mass: float
    center: Vector
    matrix: Vector


@dataclass(frozen=True)
class Visual:
    """A shape: kind, its measures, where it stands, and its colour."""

    kind: str
    measures: tuple[float, ...]
    pose: Pose
    color: str | None
    opacity: float
    element: Any
    file: str = ""
    name: str = ""


@dataclass(frozen=True)
class Link:
    """A link."""

    name: str
    element: Any
    inertial: MassEntry | None
    visuals: tuple[Visual, ...]
    collisions: tuple[Visual, ...] = ()


@dataclass(frozen=True)
class Mimic:
    """One joint follows another: multiplier * value + offset."""

    joint: str
    multiplier: float
    offset: float
    element: Any


@dataclass(frozen=True)
class Bounds:
    """Bounds of a joint; infinite where nothing is said."""

    lower: float = -math.inf
    upper: float = math.inf
    effort: float = math.inf
    velocity: float = math.inf


@dataclass(frozen=True)
class JointEntry:
    """A joint."""

    name: str
    kind: str
    element: Any
    parent: str
    child: str
    origin: Pose
    axis: tuple[float, ...]
    damping: float = 0.0
    friction: float = 0.0
    limit: Bounds | None = None
    mimic: Mimic | None = None


@dataclass(frozen=True)
class Robot:
    """A URDF file: links and joints by name, and the one link that hangs on none."""

    name: str
    links: dict[str, Link]
    joints: dict[str, JointEntry]
    root: str
    file: XmlFile
