"""Hinge: the frames share origin and z axis; one turns about it."""

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
    NOTHING,
    POINT_LABELS,
    Pose,
    Twist,
    number,
    parallel,
    parallel_labels,
    point,
    read_quantity,
)
from dalembert.model.joints.turning_joint import TurningJoint


@dataclass(frozen=True, eq=False, repr=False)
class Revolute(TurningJoint):
    """Hinge about an axis:  p_A = p_B,  z_A . x_B = 0,  z_A . y_B = 0.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
    axis : "x", "y", "z", "-x", ... or 3 numbers
        Of the hinge, in the axes of the first frame.
    initial : float or formula of parameters  [rad]
        Angle at which the joint places a body that was given no position.
    initial_speed : float or formula of parameters  [rad/s]
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("pendulum")
    >>> rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    >>> model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    Revolute(world, rod.at(x=-0.5), axis='y', name='hinge')
    """

    _: KW_ONLY
    initial: Quantity = 0.0
    initial_speed: Quantity = 0.0
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)
    free_rotations: ClassVar[int] = 1

    def read(self, findings: Findings) -> None:
        """Check axis and start."""
        super().read(findings)
        read_quantity(self, "initial", findings)
        read_quantity(self, "initial_speed", findings)

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        return (*POINT_LABELS, *parallel_labels(self.axis_names))

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """Common origin, parallel axes."""
        a, b = views
        return [*point(a, b), *parallel(a, b)]

    def pose(self, parameters: Mapping[str, float]) -> Pose | None:
        """Turned by the initial angle."""
        return NOTHING, about((0, 0, 1), number(self.initial, parameters))

    def twist(self, parameters: Mapping[str, float]) -> Twist | None:
        """Turning at the initial speed."""
        return NOTHING, np.array([0.0, 0.0, number(self.initial_speed, parameters)])
