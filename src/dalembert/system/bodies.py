"""Parts of a model of bodies, numbered: instances of kinds of joints and forces, rows, blocks of J.

A joint between two frames belongs to a `Kind` and shares its code with all others of it. Whatever
else there is (formulas of the user, relations between several joints) is *specific*: its rows are
compiled for this model, in one function that reads the records of the bodies where they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dalembert.formulas import Expression
from dalembert.model.basics.quantity import value_of
from dalembert.system.kinds import ActionKind, Kind, RowFormulas

Data = list[Any]
"""Numbers and formulas of parameters, in the order of a data record."""


@dataclass
class Pair:
    """A constraint of two frames."""

    name: str
    kind: Kind
    bodies: tuple[int, int]
    data: Data
    row: int = 0
    start: int = 0
    blocks: tuple[int, int] = (0, 0)

    @property
    def count(self) -> int:
        """Number of rows."""
        return self.kind.count


@dataclass
class Specific:
    """A constraint of any number of bodies, by its own formulas."""

    name: str
    formulas: RowFormulas
    bodies: tuple[int, ...]
    row: int = 0
    blocks: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.formulas.phi_dot)


@dataclass
class PairAction:
    """A force element of one or two frames."""

    name: str
    kind: ActionKind
    bodies: tuple[int, int]
    data: Data
    start: int = 0


@dataclass
class SpecificAction:
    """A force element of any number of bodies: (body, force and torque about its centre)."""

    name: str
    loads: list[tuple[int, list[Expression]]]


@dataclass
class Wound:
    """An angle whose full turns are counted: its formula, and the data slot that wants them."""

    angle: Expression
    element: Pair | PairAction | None
    slot: int
    name: str = ""


@dataclass
class Mechanism:
    """Everything a model of bodies consists of, numbered."""

    names: list[str]
    bodies: list[Any]
    pairs: list[Pair] = field(default_factory=list)
    specifics: list[Specific] = field(default_factory=list)
    actions: list[PairAction] = field(default_factory=list)
    specific_actions: list[SpecificAction] = field(default_factory=list)
    wound: list[Wound] = field(default_factory=list)
    row_names: list[str] = field(default_factory=list)
    slices: dict[str, list[int]] = field(default_factory=dict)
    holonomic: int = 0
    turning: dict[int, list[Any]] = field(default_factory=dict)
    """Directions in a body's axes to which its angular velocity is always parallel."""
    plane: int = -1
    """World axis at right angles to which all bodies always move, or -1."""
    known_numbers: Any = field(default=None, repr=False, compare=False)
    """Values of parameters and the numbers they gave last (`body_numbers`)."""

    @property
    def constraints(self) -> list[Pair | Specific]:
        """All constraints."""
        return [*self.pairs, *self.specifics]

    @property
    def recorded(self) -> list[Pair | PairAction]:
        """All elements with data."""
        return [*self.pairs, *self.actions]

    @property
    def rows(self) -> int:
        """Number of constraint rows."""
        return len(self.row_names)


def numbers(data: Data, parameters: Mapping[str, float]) -> list[float]:
    """The record as numbers."""
    return [x if isinstance(x, float) else _number(x, parameters) for x in data]


def _number(x: Any, parameters: Mapping[str, float]) -> float:
    value = value_of(x, parameters)
    return float("nan") if value is None else float(value)
