"""Applied torque on a body."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from dalembert.formulas.expression import Expression
from dalembert.model.basics.element import Formulas, FrameView
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import (
    ForceElement,
    Load,
    no_load,
    read_axes,
    read_direction,
    read_value,
    shown,
    split,
)
from dalembert.model.forces.force import components


@dataclass(frozen=True, eq=False, repr=False)
class Torque(ForceElement):
    """Torque on a body about a direction.

    Parameters
    ----------
    frame : Frame, Body or "body/frame"
        On whose body it acts.
    about : "x", "y", "z", "-x", ... or 3 numbers
        Direction; normalised.
    value : number or formula  [N m]
        Of time, parameters, and coordinates and velocities of any body.
    axes : "world" or "body"
        Whose axes `about` is given in; those of the frame for "body".
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("wheel")
    >>> wheel = model.add_body("wheel", dl.Inertia.cylinder(mass=1.0, radius=0.3, length=0.1))
    >>> model.add_force(dl.Torque(wheel, about="z", value=5.0, name="drive"))
    Torque(wheel, about=(0, 0, 1), value=5, name='drive')
    """

    frame: Any
    _: KW_ONLY
    about: Any
    value: Any
    axes: str = "world"

    def read(self, findings: Findings) -> None:
        """Check direction, value and axes."""
        read_value(self, "value", findings)
        read_axes(self, findings)
        read_direction(self, "about")

    def formulas(self) -> tuple[Expression, ...]:
        """The value, if it changes during the motion."""
        return tuple(f for f in split([self.value])[1] if f is not None)

    def data(self) -> tuple[Quantity, ...]:
        """Direction, and the value if it does not."""
        return (*self.about, *split([self.value])[0])

    def structure(self) -> Hashable:
        """Whether the value is a formula, and whose axes the direction is in."""
        return (split([self.value])[1], self.axes, self.watched.key)

    def act(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """The torque, without a force."""
        direction = np.empty(3, dtype=object)
        direction[:] = data[:3]
        if self.axes == "body":
            direction = views[0].axes @ direction
        (value,) = components(self, [self.value], views, data[3:], turns)
        return [(no_load(), direction * value)]

    def options(self) -> list[tuple[str, str]]:
        """Direction, value and axes."""
        found = [
            ("about", f"({', '.join(map(shown, self.about))})"),
            ("value", shown(self.value)),
        ]
        return found + ([("axes", repr(self.axes))] if self.axes != "world" else [])
