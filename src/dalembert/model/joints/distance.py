"""Massless rod with ball ends: two points keep their distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView, dot
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.joints.joint import PairJoint, read_quantity


@dataclass(frozen=True, eq=False, repr=False)
class Distance(PairJoint):
    """Two points at a fixed distance:  (d . d - l^2) / (2 l) = 0,  d = p_B - p_A.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
    length : float or formula of parameters  [m]
        Positive; for distance zero take `Spherical`.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("swing")
    >>> seat = model.add_body("seat", dl.Inertia.point(mass=1.0), position=(0, 0, -2))
    >>> model.add_joint(dl.Distance(model.world, seat, length=2.0, name="rope"))
    Distance(world, seat, length=2.0, name='rope')
    """

    _: KW_ONLY
    length: Quantity
    positive: ClassVar[tuple[str, ...]] = ("length",)

    def read(self, findings: Findings) -> None:
        """Check the length."""
        read_quantity(self, "length", findings, positive="a positive distance, or use Spherical")

    def data(self) -> tuple[Quantity, ...]:
        """The length."""
        return (self.length,)

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what the row prevents."""
        return ("distance",)

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """Half the difference of squares, in metres near the length."""
        a, b = views
        (length,) = data
        d = b.origin - a.origin
        return [(dot(d, d) - length * length) / (2.0 * length)]

    def options(self) -> list[tuple[str, str]]:
        """The length."""
        return [("length", repr(self.length))]
