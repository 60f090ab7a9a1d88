"""Joints and forces as formulas of frames: the border between the description and the system.

An element is written as formulas of the frames it connects, each seen as a `FrameView`. The system
differentiates and compiles these formulas once for every *kind* of element: instances differ in
their numbers (`data`), kinds in everything else (`structure`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dalembert.formulas.expression import Expression
from dalembert.model.basics.quantity import Quantity

Formulas = Sequence[Expression]


@dataclass(frozen=True, eq=False, slots=True)
class FrameView:
    """A frame fixed in a body, as formulas in world components.

    Attributes
    ----------
    origin : 3 formulas             position of the frame's origin
    axes : 3 x 3 formulas           columns are the frame's axes x, y, z
    velocity : 3 formulas           of the origin
    angular_velocity : 3 formulas   of the body
    """

    origin: npt.NDArray[Any]
    axes: npt.NDArray[Any]
    velocity: npt.NDArray[Any]
    angular_velocity: npt.NDArray[Any]

    @property
    def x(self) -> npt.NDArray[Any]:
        """The frame's x axis."""
        return self.axes[:, 0]

    @property
    def y(self) -> npt.NDArray[Any]:
        """The frame's y axis."""
        return self.axes[:, 1]

    @property
    def z(self) -> npt.NDArray[Any]:
        """The frame's z axis."""
        return self.axes[:, 2]


class Element(Protocol):
    """Protocol of joints and forces: a name, frames, and formulas of them."""

    @property
    def name(self) -> str:
        """Name that the user gave it."""

    @property
    def frames(self) -> tuple[Any, ...]:
        """The frames the formulas are about (`model.basics.frame.Frame`)."""

    def data(self) -> tuple[Quantity, ...]:
        """Numbers, or formulas of parameters, of this instance."""

    def structure(self) -> Hashable:
        """Whatever else distinguishes its formulas from those of another of its class."""

    def angles(self, views: Sequence[FrameView]) -> list[Expression]:
        """Angles, in (-pi, pi], whose full turns are counted during a run."""


class Action(Element, Protocol):
    """A force element: what it does to each of its frames."""

    def loads(
        self, views: Sequence[FrameView], data: Formulas, turns: Formulas
    ) -> list[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
        """(force, torque about the frame's origin) on the body of each frame, world components."""

    def energy(
        self, views: Sequence[FrameView], data: Formulas, turns: Formulas
    ) -> Expression | None:
        """Potential energy, None for a force without one."""


def dot(a: Any, b: Any) -> Expression:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]  # type: ignore[no-any-return]


def cross(a: Any, b: Any) -> npt.NDArray[Any]:
    """a x b."""
    result = np.empty(3, dtype=object)
    result[:] = [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
    return result
