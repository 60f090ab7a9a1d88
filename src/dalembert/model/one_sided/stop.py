"""A point that stays on one side of a plane of another body, without friction."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

from dalembert.formulas.expression import Expression, lift
from dalembert.model.basics.named import Named
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rotation import axis_frame, unit_vector
from dalembert.model.forces.base import shown
from dalembert.model.joints.joint import along_z, axis_text, end_text, read_axis, read_quantity
from dalembert.model.joints.references import References
from dalembert.model.one_sided.law import StopLaw, read_law


@dataclass(frozen=True, eq=False, repr=False)
class Stop(Named):
    """Stop:  n . (p_second - p_first) - gap >= 0,  n along an axis of the first frame.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
        The second point stays on the side of the first that the axis points to.
    axis : "x", "y", "z", "-x", ... or 3 numbers
    gap : float or formula of parameters  [m]
        Least distance along the axis.
    restitution, stiffness, damping, frequency, damping_ratio : as those of `Limits`
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("buffer")
    >>> cart = model.add_body("cart", dl.Inertia.box(1.0, size=(1, 1, 1)))
    >>> model.keep(dl.Stop(model.world, cart, axis="x", gap=-2.0, name="buffer"))
    Unilateral('buffer': cart.x + 2 >= 0)
    """

    first: Any
    second: Any
    _: KW_ONLY
    axis: Any = "z"
    gap: Quantity = 0.0
    restitution: Quantity = 0.0
    stiffness: Quantity | None = None
    damping: Quantity | None = None
    frequency: Quantity | None = None
    damping_ratio: Quantity | None = None

    def read(self, findings: Findings) -> None:
        """Axis, gap and law."""
        read_axis(self.axis)
        read_quantity(self, "gap", findings)
        read_law(self, "law")

    @property
    def law(self) -> StopLaw:
        """The law of the stop."""
        return read_law(self, self.title)

    @property
    def points(self) -> tuple[Any, ...]:
        """The two frames."""
        return (self.first, self.second)

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the stop between frames of the model."""
        element = f"stop '{name}'"
        first, second = (names.frame(point, element, findings) for point in self.points)
        if first is not None and second is not None and first.body is second.body:
            findings.add(element, f"both its points are on '{first.body.name}'. Use two bodies.")
        return replace(self, first=first, second=second, name=name)

    def rows(self) -> list[Expression]:
        """Distance along the axis, less the gap."""
        turn = axis_frame(unit_vector(self.axis, ""))
        a, b = self.first.turned(turn).view, self.second.view
        return [along_z(a, b) - lift(self.gap)]

    def __repr__(self) -> str:
        law = "".join(f", {key}={shown(x)}" for key, x in self.law.stated().items())
        ends = f"{end_text(self.first)}, {end_text(self.second)}"
        gap = "" if self.gap == 0.0 else f", gap={shown(self.gap)}"
        return f"Stop({ends}, axis={axis_text(self.axis)}{gap}{law}, name={self.name!r})"
