"""Sliding on a plane: the second frame stays in the first one's x-y plane, z axes parallel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView, dot
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
)
from dalembert.model.joints.turning_joint import TurningJoint


@dataclass(frozen=True, eq=False, repr=False)
class Planar(TurningJoint):
    """Motion in a plane:  z_A . d = 0,  z axes parallel.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
    axis : "x", "y", "z", "-x", ... or 3 numbers
        Normal of the plane, in the axes of the first frame.
    initial : (x, y, angle)  [m], [m], [rad]
        In the joint frame; at which the joint places a body that was given no position.
    initial_speed : (x, y, angle)  [m/s], [m/s], [rad/s]
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("puck")
    >>> puck = model.add_body("puck", dl.Inertia.cylinder(mass=0.2, radius=0.04, length=0.02))
    >>> table = model.add_joint(dl.Planar(model.world, puck, axis="z", name="table"))
    >>> table.row_labels
    ('translation along z', 'rotation about y', 'rotation about x')
    """

    _: KW_ONLY
    initial: tuple[Quantity, ...] = (0.0, 0.0, 0.0)
    initial_speed: tuple[Quantity, ...] = (0.0, 0.0, 0.0)
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)
    free_translations: ClassVar[int] = 2
    free_rotations: ClassVar[int] = 1

    def read(self, findings: Findings) -> None:
        """Check axis and start."""
        super().read(findings)
        read_quantities(self, "initial", 3, findings)
        read_quantities(self, "initial_speed", 3, findings)

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        return (f"translation along {self.axis_names[2]}", *parallel_labels(self.axis_names))

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """In the plane, normals parallel."""
        a, b = views
        return [along_z(a, b), *parallel(a, b)]

    @property
    def named_parts(self) -> tuple[str, ...]:
        """Displacements in the plane, and the angle."""
        return ("x", "y", "angle")

    def named_part(self, name: str) -> Expression:
        """A displacement, or the angle."""
        return self.angle if name == "angle" else self.displacements["xy".index(name)]

    @property
    def displacements(self) -> tuple[Expression, Expression]:
        """Displacements of the second origin along x and y of the first joint frame  [m]."""
        a, b = self.views
        d = b.origin - a.origin
        return dot(a.x, d), dot(a.y, d)

    def pose(self, parameters: Mapping[str, float]) -> Pose | None:
        """Displaced and turned in the plane."""
        x, y, angle = (number(entry, parameters) for entry in self.initial)
        return np.array([x, y, 0.0]), about((0, 0, 1), angle)

    def twist(self, parameters: Mapping[str, float]) -> Twist | None:
        """Sliding and turning in the plane."""
        x, y, turning = (number(entry, parameters) for entry in self.initial_speed)
        return np.array([x, y, 0.0]), np.array([0.0, 0.0, turning])
