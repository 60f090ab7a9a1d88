"""A point of one body stays on a plane of the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.joints.joint import AxisJoint, along_z


@dataclass(frozen=True, eq=False, repr=False)
class PointOnPlane(AxisJoint):
    """Point on a plane:  z_A . d = 0,  d = p_B - p_A.

    Parameters
    ----------
    first : Frame, Body, World, or "body/frame"
        Origin of the plane.
    second : the same
        Its origin is the point.
    axis : "x", "y", "z", "-x", ... or 3 numbers
        Normal of the plane, in the axes of the first frame.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("table")
    >>> leg = model.add_body("leg", dl.Inertia.point(mass=1.0))
    >>> model.add_joint(dl.PointOnPlane(model.world, leg, name="floor")).row_labels
    ('translation along z',)
    """

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what the row prevents."""
        return (f"translation along {self.axis_names[2]}",)

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """No distance from the plane."""
        a, b = views
        return [along_z(a, b)]
