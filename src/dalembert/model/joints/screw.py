"""Nut on a thread: turning about the axis moves the second frame along it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, Self

import numpy as np

from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rotation import about
from dalembert.model.joints.joint import (
    Pose,
    Twist,
    along_z,
    angle_about_z,
    number,
    parallel,
    parallel_labels,
    read_quantity,
    slide_labels,
    slides,
)
from dalembert.model.joints.turning_joint import TurningJoint

TURN = 2.0 * math.pi


@dataclass(frozen=True, eq=False, repr=False)
class Screw(TurningJoint):
    """Thread along an axis:  rows of `Cylindrical`, and  z_A . d = pitch * angle / (2 pi).

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
    pitch : float or formula of parameters  [m per turn]
        Positive for a right-handed thread.
    axis : "x", "y", "z", "-x", ... or 3 numbers
        In the axes of the first frame.
    initial : float or formula of parameters  [rad]
        Angle at which the joint places a body that was given no position.
    initial_speed : float or formula of parameters  [rad/s]
    name : str

    Notes
    -----
    The angle counts full turns; at the start the displacement tells how many there have been.

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("jack")
    >>> nut = model.add_body("nut", dl.Inertia.box(mass=1.0, size=(0.1, 0.1, 0.05)))
    >>> model.add_joint(dl.Screw(model.world, nut, pitch=0.005, axis="z", name="thread"))
    Screw(world, nut, axis='z', pitch=0.005, name='thread')
    """

    _: KW_ONLY
    pitch: Quantity
    initial: Quantity = 0.0
    initial_speed: Quantity = 0.0
    coordinates: ClassVar[tuple[str, ...]] = ("angle", "displacement")
    free_translations: ClassVar[int] = 1
    free_rotations: ClassVar[int] = 1
    counts_turns: ClassVar[bool] = True

    def read(self, findings: Findings) -> None:
        """Check axis, pitch and start."""
        super().read(findings)
        for field in ("pitch", "initial", "initial_speed"):
            read_quantity(self, field, findings)

    def data(self) -> tuple[Quantity, ...]:
        """The pitch."""
        return (self.pitch,)

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        names = self.axis_names
        return (*slide_labels(names), *parallel_labels(names), f"translation along {names[2]}")

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """On the axis, axes parallel, advanced by the pitch in every turn."""
        a, b = views
        angle = angle_about_z(a, b) + turns[0]
        return [*slides(a, b), *parallel(a, b), along_z(a, b) - data[0] * angle / TURN]

    @property
    def displacement(self) -> Expression:
        """Displacement of the second frame's origin along the axis  [m]."""
        return along_z(*self.views)

    def pose(self, parameters: Mapping[str, float]) -> Pose | None:
        """Turned by the angle, and advanced accordingly."""
        angle = number(self.initial, parameters)
        along = number(self.pitch, parameters) * angle / TURN
        return np.array([0.0, 0.0, along]), about((0, 0, 1), angle)

    def twist(self, parameters: Mapping[str, float]) -> Twist | None:
        """Turning and advancing."""
        speed = number(self.initial_speed, parameters)
        along = number(self.pitch, parameters) * speed / TURN
        return np.array([0.0, 0.0, along]), np.array([0.0, 0.0, speed])

    def started(
        self, part: str, value: Quantity | None = None, speed: Quantity | None = None
    ) -> Self:
        """A copy of the joint with another start; a displacement is turned into an angle."""
        if part == "displacement":
            lead = number(self.pitch, {})
            value, speed = (
                x if x is None else (x * TURN / lead if lead else 0.0) for x in (value, speed)
            )
        return super().started(part, value, speed)

    def options(self) -> list[tuple[str, str]]:
        """Axis and pitch."""
        return [*super().options(), ("pitch", repr(self.pitch))]
