"""Constraints as the user stated them, and the signal of their force."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dalembert.formulas.expression import Expression
from dalembert.formulas.graph import symbols

Kind = Literal["holonomic", "velocity"]


@dataclass(frozen=True, slots=True)
class ConstraintForce:
    """The multipliers of one constraint: a signal for ``solution[...]`` and ``plot``."""

    name: str

    def __repr__(self) -> str:
        return f"{self.name}.force"


@dataclass(frozen=True, slots=True)
class Constraint:
    """Formulas that are zero during the motion.

    Attributes
    ----------
    name : str
        Of the whole; reports use it.
    rows : tuple of Expression
        phi(q, t) of a holonomic constraint, psi(q, v, t) of a velocity constraint.
    labels : tuple of str
        What each row prevents, in words, if it comes from a joint.
    row_names : tuple of str
        One for each row.
    kind : "holonomic" or "velocity"
        Decided by the formulas: one that contains a velocity is a velocity constraint.

    Examples
    --------
    >>> from dalembert.formulas.variables import coordinates
    >>> x, y = coordinates("x y")
    >>> Constraint("bar", (x**2 + y**2 - 1,))
    Constraint('bar': 1 holonomic row)
    >>> Constraint("knife", (x.dot - y.dot,)).kind
    'velocity'
    """

    name: str
    rows: tuple[Expression, ...]
    labels: tuple[str, ...] = ()
    row_names: tuple[str, ...] = field(init=False)
    kind: Kind = field(init=False)

    def __post_init__(self) -> None:
        rows = tuple(self.rows)
        many = len(rows) > 1
        names = tuple(f"{self.name}[{i}]" if many else self.name for i in range(len(rows)))
        if self.labels:
            names = tuple(f"{self.name}: {label}" for label in self.labels)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "row_names", names)
        object.__setattr__(self, "kind", "velocity" if symbols(rows, "velocity") else "holonomic")

    @property
    def force(self) -> ConstraintForce:
        """The multipliers of this constraint, as a signal to read or plot."""
        return ConstraintForce(self.name)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        rows = "row" if len(self.rows) == 1 else "rows"
        return f"Constraint({self.name!r}: {len(self.rows)} {self.kind} {rows})"


def row_kind(row: Expression) -> Kind:
    """Kind of one formula."""
    return "velocity" if symbols([row], "velocity") else "holonomic"
