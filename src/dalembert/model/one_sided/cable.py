"""A rope that pulls and never pushes."""

from __future__ import annotations

import itertools
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self

import numpy as np

from dalembert.formulas.expression import ZERO, Expression, lift
from dalembert.model.basics.element import dot
from dalembert.model.basics.named import Named
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import shown
from dalembert.model.joints.joint import end_text, read_quantity
from dalembert.model.joints.references import References
from dalembert.model.one_sided.law import StopLaw, read_law


@dataclass(frozen=True, eq=False, repr=False)
class Cable(Named):
    """Rope between two points, without friction through others:  length - sum |p_i+1 - p_i| >= 0.

    Parameters
    ----------
    first, second : Frame, Body, World, or "body/frame"
        Its ends.
    length : float or formula of parameters  [m]
    through : list of the same
        Rings or small pulleys it runs through, in order from the first end.
    restitution : float, 0 to 1
        Of the jerk when it becomes taut.
    stiffness, damping : float  [N/m], [N s/m]
        Of an elastic rope; without them it does not stretch.
    frequency, damping_ratio : float  [Hz]
        Instead of a stiffness.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("swing")
    >>> ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0.5, 0, 0))
    >>> model.keep(dl.Cable(model.world, ball, length=1.0, name="rope"))
    Unilateral('rope': 1 - sqrt(ball.x**2 + ball.y**2 + ball.z**2) >= 0)
    """

    first: Any
    second: Any
    _: KW_ONLY
    length: Quantity
    through: Any = ()
    restitution: Quantity = 0.0
    stiffness: Quantity | None = None
    damping: Quantity | None = None
    frequency: Quantity | None = None
    damping_ratio: Quantity | None = None

    def read(self, findings: Findings) -> None:
        """Length and law."""
        read_quantity(self, "length", findings, positive="a positive length")
        if not isinstance(self.through, list | tuple):
            findings.append(f"through is {self.through!r:.60}. Give a list of points.")
            object.__setattr__(self, "through", ())
        object.__setattr__(self, "through", tuple(self.through))
        read_law(self, "law")

    @property
    def law(self) -> StopLaw:
        """The law of the taut cable."""
        return read_law(self, self.title)

    @property
    def points(self) -> tuple[Any, ...]:
        """All points it runs through, ends included."""
        return (self.first, *self.through, self.second)

    def resolved(self, names: References, name: str, findings: Findings) -> Self:
        """A copy of the cable between frames of the model."""
        element = f"cable '{name}'"
        found = [names.frame(point, element, findings) for point in self.points]
        known = [frame for frame in found if frame is not None]
        if len(known) == len(found):
            if all(frame.body is known[0].body for frame in known):
                findings.add(
                    element, f"all its points are on '{known[0].body.name}'. Use two bodies."
                )
            for a, b in itertools.pairwise(known):
                if a.same_place(b):
                    findings.add(element, f"{a.label} follows itself. Name each point once.")
        return replace(
            self, first=found[0], second=found[-1], through=tuple(found[1:-1]), name=name
        )

    def rows(self) -> list[Expression]:
        """Length less the way through the points; straight pieces between."""
        places = [np.asarray(frame.position, dtype=object) for frame in self.points]
        total: Any = ZERO
        for a, b in itertools.pairwise(places):
            d = b - a
            total = total + np.sqrt(lift(dot(d, d)))
        return [lift(self.length) - total]

    def __repr__(self) -> str:
        middle = f", through=[{', '.join(map(end_text, self.through))}]" if self.through else ""
        law = "".join(f", {key}={shown(x)}" for key, x in self.law.stated().items())
        ends = f"{end_text(self.first)}, {end_text(self.second)}"
        return f"Cable({ends}, length={shown(self.length)}{middle}{law}, name={self.name!r})"
