"""Slider: the second frame moves along the first one's z axis without turning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.joints.joint import (
    NOTHING,
    AxisJoint,
    Pose,
    Twist,
    along_z,
    lock,
    lock_labels,
    number,
    read_quantity,
    slide_labels,
    slides,
)


@dataclass(frozen=True, eq=False, repr=False)
class Prismatic(AxisJoint):
    """Sliding along an axis:  x_A . d = y_A . d = 0,  all axes parallel.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
    axis : "x", "y", "z", "-x", ... or 3 numbers
        Of the sliding, in the axes of the first frame.
    initial : float or formula of parameters  [m]
        Displacement at which the joint places a body that was given no position.
    initial_speed : float or formula of parameters  [m/s]
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("slider")
    >>> block = model.add_body("block", dl.Inertia.point(mass=1.0))
    >>> guide = model.add_joint(dl.Prismatic(model.world, block, axis="x", name="guide"))
    >>> guide.displacement
    block.x
    """

    _: KW_ONLY
    initial: Quantity = 0.0
    initial_speed: Quantity = 0.0
    coordinates: ClassVar[tuple[str, ...]] = ("displacement",)
    free_translations: ClassVar[int] = 1
    free_rotations: ClassVar[int] = 0

    def read(self, findings: Findings) -> None:
        """Check axis and start."""
        super().read(findings)
        read_quantity(self, "initial", findings)
        read_quantity(self, "initial_speed", findings)

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        return (*slide_labels(self.axis_names), *lock_labels(self.axis_names))

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """On the axis, not turned."""
        a, b = views
        return [*slides(a, b), *lock(a, b)]

    @property
    def displacement(self) -> Expression:
        """Displacement of the second frame's origin along the axis  [m]."""
        return along_z(*self.views)

    def pose(self, parameters: Mapping[str, float]) -> Pose | None:
        """Displaced along the axis."""
        return np.array([0.0, 0.0, number(self.initial, parameters)]), np.eye(3)

    def twist(self, parameters: Mapping[str, float]) -> Twist | None:
        """Sliding at the initial speed."""
        return np.array([0.0, 0.0, number(self.initial_speed, parameters)]), NOTHING
