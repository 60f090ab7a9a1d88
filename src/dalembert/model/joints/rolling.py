"""Disc or wheel that rolls on a plane without slipping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar

from dalembert.errors import ModelError
from dalembert.formulas.expression import Expression
from dalembert.formulas.functions import sqrt
from dalembert.model.basics.element import Formulas, FrameView, cross, dot
from dalembert.model.basics.frame import Frame
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rotation import Rotation, axis_frame, unit_vector
from dalembert.model.joints.joint import (
    PairJoint,
    axis_names,
    axis_text,
    read_axis,
    read_quantity,
)


@dataclass(frozen=True, eq=False, repr=False)
class Rolling(PairJoint):
    """A sharp-edged disc rolling on a plane.

    With n the normal of the plane, a the axis of the disc and u the part of n across a,
    normalised, the lowest point of the rim is  c = p_B - r u.  It stays on the plane,
    n . (c - p_A) = 0, and the material of both bodies has the same velocity there: two velocity
    rows along x and y of the plane.

    Parameters
    ----------
    first : Frame, Body, World, or "body/frame"
        A frame in the plane.
    second : the same
        Its origin is the centre of the disc.
    radius : float or formula of parameters  [m]
    normal : "x", "y", "z", "-x", ... or 3 numbers
        Of the plane, on the side of the disc, in the axes of the first frame.
    axis : the same
        Of the disc, in the axes of the second frame.
    name : str

    Notes
    -----
    A disc that lies flat touches in more than a point; the rows have no value there.

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("coin")
    >>> coin = model.add_body(
    ...     "coin",
    ...     dl.Inertia.cylinder(mass=0.1, radius=0.02, length=0.002),
    ...     position=(0, 0, 0.02),
    ...     rotation=("x", 1.57),
    ... )
    >>> model.add_joint(dl.Rolling(model.world, coin, radius=0.02, name="table")).row_labels
    ('height above the plane', 'slip along x', 'slip along y')
    """

    _: KW_ONLY
    radius: Quantity
    normal: Any = "z"
    axis: Any = "z"
    positive: ClassVar[tuple[str, ...]] = ("radius",)

    def read(self, findings: Findings) -> None:
        """Check radius and directions."""
        read_quantity(self, "radius", findings, positive="a positive radius")
        try:
            read_axis(self.normal)
        except ModelError as problem:
            findings.append(str(problem).replace("axis", "normal", 1))
        read_axis(self.axis)

    @cached_property
    def plane(self) -> Rotation:
        """How the first frame is turned for z to be the normal."""
        return axis_frame(unit_vector(self.normal, ""))

    @cached_property
    def frames(self) -> tuple[Frame, ...]:
        """Plane with z as normal, disc with z as axis."""
        a, b = super().frames
        return (a.turned(self.plane), b.turned(axis_frame(unit_vector(self.axis, ""))))

    def data(self) -> tuple[Quantity, ...]:
        """The radius."""
        return (self.radius,)

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        x, y, _ = axis_names(self.plane)
        return ("height above the plane", f"slip along {x}", f"slip along {y}")

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """The lowest point is on the plane."""
        plane, disc = views
        contact = disc.origin - _up(plane, disc) * data[0]
        return [dot(plane.z, contact - plane.origin)]

    def velocity_rows(
        self, views: Sequence[FrameView], data: Formulas, turns: Formulas
    ) -> list[Expression]:
        """No slip of the disc over the plane at the lowest point."""
        plane, disc = views
        arm = _up(plane, disc) * data[0]
        rim = disc.velocity - cross(disc.angular_velocity, arm)
        ground = plane.velocity + cross(plane.angular_velocity, disc.origin - arm - plane.origin)
        return [dot(plane.x, rim - ground), dot(plane.y, rim - ground)]

    def options(self) -> list[tuple[str, str]]:
        """Radius and directions."""
        return [
            ("radius", repr(self.radius)),
            ("normal", axis_text(self.normal)),
            ("axis", axis_text(self.axis)),
        ]


def _up(plane: FrameView, disc: FrameView) -> Any:
    """Unit vector from the lowest point of the rim to the centre."""
    n, a = plane.z, disc.z
    across = n - a * dot(n, a)
    return across / sqrt(dot(across, across))
