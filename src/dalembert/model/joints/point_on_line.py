"""Pin in a slot: a point of one body stays on a line of the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.joints.joint import AxisJoint, slide_labels, slides


@dataclass(frozen=True, eq=False, repr=False)
class PointOnLine(AxisJoint):
    """Point on a line:  x_A . d = y_A . d = 0,  d = p_B - p_A.

    Parameters
    ----------
    first : Frame, Body, World, or "body/frame"
        Origin of the line.
    second : the same
        Its origin is the point.
    axis : "x", "y", "z", "-x", ... or 3 numbers
        Direction of the line, in the axes of the first frame.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("slot")
    >>> pin = model.add_body("pin", dl.Inertia.point(mass=1.0))
    >>> model.add_joint(dl.PointOnLine(model.world, pin, axis="x", name="slot")).row_labels
    ('translation along y', 'translation along z')
    """

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        return slide_labels(self.axis_names)

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """No distance from the line."""
        a, b = views
        return slides(a, b)
