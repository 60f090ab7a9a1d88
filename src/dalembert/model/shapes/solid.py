"""The common part of shapes: a place in the body, a colour, lengths that are positive."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from dalembert.errors import DalembertError, ModelError
from dalembert.formulas.expression import Expression
from dalembert.model.basics.quantity import Quantity, as_quantity, value_of
from dalembert.model.basics.reading import Findings
from dalembert.model.basics.rotation import AXES, Rotation, as_rotation, axis_frame
from dalembert.model.basics.unchanging import BY_PARAMETERS, Settled

COLORS = {
    "black": "#222222",
    "white": "#F5F5F5",
    "grey": "#8A929C",
    "red": "#C0504D",
    "orange": "#D98A4B",
    "yellow": "#D9B84B",
    "green": "#4FA58A",
    "blue": "#4C86B8",
    "purple": "#8C72B0",
    "brown": "#8A6B4F",
}
"""Colours by name; others are given as "#rrggbb"."""


@dataclass(frozen=True, eq=False, repr=False)
class Solid(Settled):
    """Base of all shapes.

    Parameters
    ----------
    position : 3 numbers or formulas of parameters  [m]
        Of the shape's middle in the frame of the body.
    rotation : Rotation, 3 x 3, quaternion (w, x, y, z), or (axis, angle)
        Of the shape in the body.
    color : "#rrggbb", or "red", "blue", ...
        By default that of the body.
    opacity : float
        0 is not seen, 1 hides what is behind.
    """

    _later: ClassVar[str] = BY_PARAMETERS

    _: KW_ONLY
    position: Any = (0.0, 0.0, 0.0)
    rotation: Any = None
    color: str | None = None
    opacity: float = 1.0

    kind: ClassVar[str] = ""
    lengths: ClassVar[tuple[tuple[str, int], ...]] = ()
    """Fields that are positive lengths, and how many each holds; 0 for a single number."""

    def __post_init__(self) -> None:
        findings = Findings()
        for name, count in self.lengths:
            entries = read_lengths(getattr(self, name), name, count or 1, findings)
            for entry in entries:
                number = value_of(entry)
                if number is not None and number <= 0.0:
                    findings.append(f"{name} is {number:g} m. Give a positive length.")
            object.__setattr__(self, name, entries if count else entries[0])
        object.__setattr__(self, "position", read_lengths(self.position, "position", 3, findings))
        try:
            object.__setattr__(self, "rotation", as_rotation(self.rotation))
        except ModelError as problem:
            findings.append(str(problem))
        object.__setattr__(self, "color", read_color(self.color, findings))
        if not (isinstance(self.opacity, int | float) and 0.0 <= self.opacity <= 1.0):
            findings.append(f"opacity is {self.opacity!r:.60}. Give a number from 0 to 1.")
        try:
            self.read(findings)
        except DalembertError as problem:
            findings.append(str(problem))
        findings.raise_if_any(type(self).__name__)

    def read(self, findings: Findings) -> None:
        """Check what only this kind has."""

    @property
    def sizes(self) -> tuple[Quantity, ...]:
        """The lengths, in the order of `dalembert.scene.Shape`."""
        found: list[Quantity] = []
        for name, count in self.lengths:
            entry = getattr(self, name)
            found += entry if count else [entry]
        return tuple(found)

    @property
    def middle(self) -> tuple[Quantity, ...]:
        """Place of the shape as `dalembert.scene.Shape` has it, in the body."""
        place: tuple[Quantity, ...] = self.position
        return place

    def on(self, frame: Any) -> Self:
        """A shape that was given in a frame of a body, in the frame of the body itself."""
        still = all(isinstance(x, float) and x == 0.0 for x in frame.offset)
        if still and frame.orientation.is_identity:
            return self
        made = copy.copy(self)
        R = frame.orientation.matrix
        place = [a + sum(R[i] * self.position) for i, a in enumerate(frame.offset)]
        exact = tuple(x if isinstance(x, Expression) else float(x) for x in place)
        object.__setattr__(made, "position", exact)
        object.__setattr__(made, "rotation", frame.orientation @ self.rotation)
        return made

    @property
    def turn(self) -> Rotation:
        """Rotation in the body of the shape as `dalembert.scene.Shape` has it."""
        own: Rotation = self.rotation
        axis = getattr(self, "axis", "z")
        return own if axis == "z" else own @ axis_frame(np.array(AXES[axis]))

    @property
    def formulas(self) -> list[Expression]:
        """Formulas of parameters among the numbers."""
        return [x for x in (*self.sizes, *self.position) if isinstance(x, Expression)]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._shown())})"

    def _shown(self) -> Iterator[str]:
        for field in sorted(fields(self), key=lambda field: bool(field.kw_only)):
            value, default = getattr(self, field.name), field.default
            if field.name == "rotation":
                if not value.is_identity:
                    yield f"rotation={value!r}"
            elif value is not None and not (
                isinstance(default, tuple | str | float) and value == default
            ):
                yield f"{field.name}={shown(value)}"


def read_color(given: Any, findings: list[str]) -> str | None:
    """A colour as "#rrggbb"."""
    if given is None:
        return None
    if isinstance(given, str):
        if given.lower() in COLORS:
            return COLORS[given.lower()]
        digits = given[1:]
        if given.startswith("#") and all(c in "0123456789abcdefABCDEF" for c in digits):
            if len(digits) == 3:
                digits = "".join(2 * c for c in digits)
            if len(digits) == 6:
                return f"#{digits.upper()}"
    names = ", ".join(COLORS)
    findings.append(f"color {given!r:.60} is unknown. Give '#rrggbb' or one of {names}.")
    return None


def measured(
    entries: Sequence[Quantity], parameters: Mapping[str, float]
) -> npt.NDArray[np.float64]:
    """Numbers of a shape with the current parameters; NaN where there is none."""
    values = [value_of(entry, parameters) for entry in entries]
    return np.array([np.nan if value is None else value for value in values])


def read_lengths(given: Any, what: str, count: int, findings: Findings) -> tuple[Quantity, ...]:
    """`count` quantities that stand under one name."""
    single = count == 1 and not isinstance(given, list | tuple | np.ndarray)
    listed = isinstance(given, list | tuple) or (isinstance(given, np.ndarray) and given.ndim == 1)
    entries = [given] if single else list(given) if listed else []
    if len(entries) != count:
        wanted = "a number" if count == 1 else f"{count} numbers"
        findings.append(f"{what} is {given!r:.60}. Give {wanted}.")
        return (1.0,) * count
    return tuple(as_quantity(entry, what, findings) for entry in entries)


def shown(value: Any) -> str:
    """A value as it stands in a repr."""
    if isinstance(value, tuple):
        return f"({', '.join(map(shown, value))})"
    if isinstance(value, np.ndarray):
        return f"{len(value)} points"
    return f"{value:g}" if isinstance(value, int | float) else repr(value)
