"""Applied force at a point of a body."""

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
    read_values,
    shown,
    split,
)


@dataclass(frozen=True, eq=False, repr=False)
class Force(ForceElement):
    """Force at the origin of a frame.

    Parameters
    ----------
    frame : Frame, Body or "body/frame"
        Where it acts.
    value : 3 numbers or formulas  [N]
        Of time, parameters, and coordinates and velocities of any body; `dl.table` makes a
        formula of measured values.
    axes : "world" or "body"
        Whose axes the components are along; those of the frame for "body".
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("kite")
    >>> kite = model.add_body("kite", dl.Inertia.box(mass=1.0, size=(1.0, 0.5, 0.1)))
    >>> model.add_force(dl.Force(kite.at(x=0.5), value=(0, 0, 12 * dl.time), name="line"))
    Force(kite.at(x=0.5), value=(0, 0, 12*t), name='line')
    """

    frame: Any
    value: Any
    _: KW_ONLY
    axes: str = "world"

    def read(self, findings: Findings) -> None:
        """Check components and axes."""
        read_values(self, "value", 3, findings)
        read_axes(self, findings)

    def formulas(self) -> tuple[Expression, ...]:
        """Components that change during the motion."""
        return tuple(f for f in split(self.value)[1] if f is not None)

    def data(self) -> tuple[Quantity, ...]:
        """The components that do not."""
        return split(self.value)[0]

    def structure(self) -> Hashable:
        """Which components are formulas, and whose axes they are along."""
        return (split(self.value)[1], self.axes, self.watched.key)

    def act(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """The force; no torque about its own point."""
        force = components(self, self.value, views, data, turns)
        if self.axes == "body":
            force = views[0].axes @ force
        return [(force, no_load())]

    def options(self) -> list[tuple[str, str]]:
        """Components and axes."""
        found = [("value", f"({', '.join(map(shown, self.value))})")]
        return found + ([("axes", repr(self.axes))] if self.axes != "world" else [])


def components(
    element: ForceElement,
    value: Sequence[Expression],
    views: Sequence[FrameView],
    data: Formulas,
    turns: Formulas,
) -> Any:
    """The numbers of `data` and the user's formulas, in their places."""
    moving = split(value)[1]
    seen = iter(element.seen([f for f in moving if f is not None], views, turns))
    vector = np.empty(len(value), dtype=object)
    vector[:] = [
        entry if formula is None else next(seen)
        for entry, formula in zip(data, moving, strict=True)
    ]
    return vector
