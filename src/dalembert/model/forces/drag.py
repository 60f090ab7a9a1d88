"""Drag of a fluid at a point of a body."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from dalembert.formulas.expression import Expression
from dalembert.formulas.functions import sqrt
from dalembert.model.basics.element import Formulas, FrameView, dot
from dalembert.model.basics.quantity import Quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.forces.base import (
    ForceElement,
    Load,
    is_zero,
    no_load,
    read_values,
    shown,
    split,
)
from dalembert.model.forces.force import components
from dalembert.model.joints.joint import read_quantity

TINY = 1e-300
"""Under the root of |v|^2 [m^2/s^2]: the slope of the drag at rest is 0, not 0/0."""


@dataclass(frozen=True, eq=False, repr=False)
class Drag(ForceElement):
    """Drag:  F = -(linear + quadratic |u|) u,  u = v - flow, at the origin of a frame.

    Parameters
    ----------
    frame : Frame, Body or "body/frame"
        Where the drag acts.
    linear : float or formula of parameters  [N s/m]
    quadratic : float or formula of parameters  [N s^2/m^2]
        density * area * drag coefficient / 2.
    flow : 3 numbers or formulas  [m/s]
        Velocity of the fluid there, world axes.
    name : str

    Examples
    --------
    >>> import dalembert as dl
    >>> model = dl.Model("drop")
    >>> drop = model.add_body("drop", dl.Inertia.sphere(mass=3e-5, radius=2e-3))
    >>> model.add_force(dl.Drag(drop, quadratic=3.5e-6, name="air"))
    Drag(drop, quadratic=3.5e-06, name='air')
    """

    frame: Any
    _: KW_ONLY
    linear: Quantity = 0.0
    quadratic: Quantity = 0.0
    flow: Any = (0.0, 0.0, 0.0)

    def read(self, findings: Findings) -> None:
        """Check coefficients and flow."""
        for field in ("linear", "quadratic"):
            number = value_of(read_quantity(self, field, findings))
            if number is not None and number < 0.0:
                findings.append(f"{field} is {number:g}. Give a number that is not negative.")
        if is_zero(self.linear) and is_zero(self.quadratic):
            findings.append("has no coefficient. Give linear= or quadratic=.")
        read_values(self, "flow", 3, findings)

    def formulas(self) -> tuple[Expression, ...]:
        """Components of the flow that change during the motion."""
        return tuple(f for f in split(self.flow)[1] if f is not None)

    def data(self) -> tuple[Quantity, ...]:
        """Coefficients, and the flow as far as it is constant."""
        return (self.linear, self.quadratic, *split(self.flow)[0])

    def structure(self) -> Hashable:
        """Which components of the flow are formulas, and whether there is a quadratic part."""
        return (split(self.flow)[1], is_zero(self.quadratic), self.watched.key)

    def act(self, views: Sequence[FrameView], data: Formulas, turns: Formulas) -> list[Load]:
        """Against the velocity in the fluid."""
        u = views[0].velocity - components(self, self.flow, views, data[2:], turns)
        factor: Any = data[0]
        if not is_zero(self.quadratic):
            factor = factor + data[1] * sqrt(dot(u, u) + TINY)
        return [(-(u * factor), no_load())]

    def options(self) -> list[tuple[str, str]]:
        """Coefficients."""
        return [
            (key, shown(getattr(self, key)))
            for key in ("linear", "quadratic")
            if not is_zero(getattr(self, key))
        ]
