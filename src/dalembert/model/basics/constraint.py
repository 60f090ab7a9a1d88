"""Constraints as the user stated them, and the signal of their force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

from dalembert.errors import FormulaError
from dalembert.formulas.expression import Expression
from dalembert.formulas.graph import symbols
from dalembert.formulas.source_line import located

Kind = Literal["holonomic", "velocity"]


@dataclass(frozen=True, slots=True)
class ConstraintForce:
    """The multipliers of one constraint: a signal for ``solution[...]`` and ``plot``."""

    name: str

    def __repr__(self) -> str:
        return f"{self.name}.force"

    def _in_formula(self, *_: Any) -> NoReturn:
        """Refuse arithmetic: the force follows from the formulas it would stand in."""
        raise FormulaError(
            located(
                f"{self!r} is the force that the motion needs, known with a step only; it cannot "
                "stand in a formula.",
                f"dl.reaction({self.name!r}), the force of the ideal constraint, may stand in "
                "those of forces. Friction by the load of a joint: dl.JointFriction(joint, "
                "coefficient=...); of a one-sided constraint: model.keep(..., friction=..., "
                "sliding=...). Anything else by a controller that reads a dl.ForceSensor. Of a "
                f"result: solution['{self!r}'] is an array.",
            )
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _in_formula
    __rtruediv__ = __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = _in_formula
    __array_ufunc__ = _in_formula


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

    def _repr_latex_(self) -> str | None:
        """The rows, each zero, as notebooks show them; None for those of a joint, or many."""
        return None if self.labels else latex_lines([(row, "= 0") for row in self.rows])

    def __repr__(self) -> str:
        rows = "row" if len(self.rows) == 1 else "rows"
        return f"Constraint({self.name!r}: {len(self.rows)} {self.kind} {rows})"


def latex_lines(rows: Sequence[tuple[Expression, str]]) -> str | None:
    """Formulas with what is said of each, one a line; None where SymPy is not there."""
    from dalembert.formulas.sympy_bridge import latex

    try:
        lines = [f"{latex(row)} &{what}" for row, what in rows]
    except Exception:  # a display must not stop a notebook
        return None
    return "$$\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}$$"


def row_kind(row: Expression) -> Kind:
    """Kind of one formula."""
    return "velocity" if symbols([row], "velocity") else "holonomic"
