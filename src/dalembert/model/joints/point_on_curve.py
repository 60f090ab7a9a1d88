"""A point of one body stays on a curve or surface of the other, given by formulas."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from dalembert.formulas.expression import Expression, coordinate
from dalembert.formulas.graph import substitute, symbols
from dalembert.model.basics.element import Formulas, FrameView, dot
from dalembert.model.basics.reading import Findings, Reader
from dalembert.model.joints.joint import PairJoint

PLACE = tuple(coordinate(f"curve:{axis}") for axis in "xyz")
"""The point in the axes of the first frame, as it stands in the formulas."""


@dataclass(frozen=True, eq=False, repr=False)
class PointOnCurve(PairJoint):
    """Point on a curve:  F(x, y, z) = 0, two formulas of the point in the first frame's axes.

    Parameters
    ----------
    first : Frame, Body, World, or "body/frame"
        In whose axes the curve is given.
    second : the same
        Its origin is the point.
    curve : callable (x, y, z) -> 2 formulas, or 1 for a surface
        What vanishes on the curve; the gradients must not be parallel there. In metres near the
        curve the rows are scaled like those of other joints.
    name : str

    Examples
    --------
    A bead on a helix of radius 0.5 m:

    >>> import numpy as np
    >>> import dalembert as dl
    >>> model = dl.Model("helix")
    >>> bead = model.add_body("bead", dl.Inertia.point(mass=0.1), position=(0.5, 0, 0))
    >>> def helix(x, y, z):
    ...     return x - 0.5 * np.cos(z), y - 0.5 * np.sin(z)
    >>> len(model.add_joint(dl.PointOnCurve(model.world, bead, curve=helix, name="wire")))
    2
    """

    _: KW_ONLY
    curve: Any

    def read(self, findings: Findings) -> None:
        """Write the curve down as formulas."""
        given = self.curve(*PLACE) if callable(self.curve) else self.curve
        rows = Reader(findings).vector(given, "curve")
        if len(rows) not in (1, 2):
            findings.append(
                f"the curve has {len(rows)} formulas. Give 2 that vanish on it, 1 for a surface."
            )
        for row in rows:
            others = [s for s in symbols([row], "coordinate", "velocity") if s not in PLACE]
            if others:
                findings.append(
                    f"the curve contains {others[0]!r}. Use x, y, z of the point, time and "
                    "parameters."
                )
            elif not symbols([row], "coordinate"):
                findings.append(f"the formula {row!r} of the curve contains none of x, y, z.")
        object.__setattr__(self, "curve", tuple(rows))

    def structure(self) -> Hashable:
        """The formulas."""
        return tuple(self.curve)

    @property
    def row_labels(self) -> tuple[str, ...]:
        """Words for what each row prevents."""
        if len(self.curve) == 1:
            return ("distance from the surface",)
        return tuple(f"distance from the curve, formula {i + 1}" for i in range(len(self.curve)))

    def rows(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Expression]:
        """The formulas at the point."""
        a, b = views
        d = b.origin - a.origin
        place = zip(PLACE, (dot(a.x, d), dot(a.y, d), dot(a.z, d)), strict=True)
        return substitute(list(self.curve), dict(place))

    def options(self) -> list[tuple[str, str]]:
        """The formulas."""
        return [("curve", f"({', '.join(f'{row!r:.60}' for row in self.curve)})")]
