"""Sleeve on a shaft: the second frame slides along and turns about the first one's z axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

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
    number,
    parallel,
    parallel_labels,
    read_quantities,
    slide_labels,
    slides,
)
from dalembert.model.joints.turning_joint import TurningJoint


@dataclass(frozen=True, eq=False, repr=False)
class Cylindrical(TurningJoint):
    """Sliding along and turning about an axis:  x_A . d = y_A . d = 0,  z axes parallel.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
    axis : "x", "y", "z", "-x", ... or 3 numbers
        In the axes of the first frame.
    initial : (angle, displacement)  [rad], [m]
        At which the joint places a body that was given no position.
    initial_speed : (angular, linear)  [rad/s], [m/s]
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("sleeve")
    >>> sleeve = model.add_body("sleeve", dl.Inertia.box(mass=1.0, size=(1, 1, 1)))
    >>> shaft = model.add_joint(dl.Cylindrical(model.world, sleeve, axis="x", name="shaft"))
    >>> shaft.row_labels[2:]
    ('rotation about z', 'rotation about y')
    """

    _: KW_ONLY
    initial: tuple[Quantity, Quantity] = (0.0, 0.0)
    initial_speed: tuple[Quantity, Quantity] = (0.0, 0.0)
    coordinates: ClassVar[tuple[str, ...]] = ("angle", "displacement")
    free_translations: ClassVar[int] = 1
    free_rotations: ClassVar[int] = 1

    def read(self, findings: Findings) -> None:
        """Check axis and start."""
        super().read(findings)
        read_quantities(self, "initial", 2, findings)
        read_quantities(self, "initial_speed", 2, findings)

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        return (*slide_labels(self.axis_names), *parallel_labels(self.axis_names))

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """On the axis, axes parallel."""
        a, b = views
        return [*slides(a, b), *parallel(a, b)]

    @property
    def displacement(self) -> Expression:
        """Displacement of the second frame's origin along the axis  [m]."""
        return along_z(*self.views)

    def pose(self, parameters: Mapping[str, float]) -> Pose | None:
        """Turned and displaced."""
        angle, along = (number(entry, parameters) for entry in self.initial)
        return np.array([0.0, 0.0, along]), about((0, 0, 1), angle)

    def twist(self, parameters: Mapping[str, float]) -> Twist | None:
        """Turning and sliding."""
        turning, sliding = (number(entry, parameters) for entry in self.initial_speed)
        return np.array([0.0, 0.0, sliding]), np.array([0.0, 0.0, turning])
