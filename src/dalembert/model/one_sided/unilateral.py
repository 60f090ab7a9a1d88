"""Formulas that are not negative during the motion: phi(q, t) >= 0.

Where phi > 0 nothing happens; where phi = 0 a force lam >= 0 along the gradient of phi keeps it
there, and lam phi = 0 (Signorini's law). With friction a force against the sliding acts beside it,
of at most mu lam (Coulomb's law; contact 16).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dalembert.formulas import jacobian, time_derivative
from dalembert.formulas.expression import Condition, Expression
from dalembert.formulas.graph import symbols
from dalembert.model.basics.constraint import ConstraintForce, latex_lines
from dalembert.model.basics.quantity import Quantity
from dalembert.model.basics.reading import Reader, is_sympy
from dalembert.model.one_sided.law import StopLaw


@dataclass(frozen=True, slots=True, repr=False)
class Unilateral:
    """Formulas that are not negative; `Model.keep` makes it.

    Attributes
    ----------
    name : str
    rows : tuple of Expression
        phi(q, t), each >= 0.
    law : StopLaw
    element : Cable, Stop or None
        What the formulas come from.
    friction : Quantity
        Coulomb's coefficient.
    static_friction : Quantity or None
        That of surfaces that stick; None: the same.
    sliding : tuple of Expression
        One or two formulas, linear in velocities: the velocity of sliding.
    """

    name: str
    rows: tuple[Expression, ...]
    law: StopLaw = field(default_factory=StopLaw)
    element: Any = None
    friction: Quantity = 0.0
    sliding: tuple[Expression, ...] = ()
    static_friction: Quantity | None = None

    @property
    def kind(self) -> str:
        """Where it comes from: "formula", "cable" or "stop"."""
        return "formula" if self.element is None else str(self.element.kind)

    @property
    def row_names(self) -> tuple[str, ...]:
        """One for each row."""
        many = len(self.rows) > 1
        return tuple(f"{self.name}[{i}]" if many else self.name for i in range(len(self.rows)))

    @property
    def force(self) -> ConstraintForce:
        """The multipliers, as a signal to read or plot."""
        return ConstraintForce(self.name)

    @property
    def sliding_names(self) -> tuple[str, ...]:
        """One for each direction of sliding."""
        many = len(self.sliding) > 1
        plain = f"{self.name}: sliding"
        return tuple(f"{plain}[{i}]" if many else plain for i in range(len(self.sliding)))

    def __len__(self) -> int:
        return len(self.rows)

    def _repr_latex_(self) -> str | None:
        """The rows as notebooks show them."""
        return latex_lines([(row, r"\ge 0") for row in self.rows])

    def __repr__(self) -> str:
        rows = ", ".join(f"{row!r:.80} >= 0" for row in self.rows)
        return f"Unilateral({self.name!r}: {rows})"


def read_rows(given: Any, reader: Reader, element: str) -> list[Expression]:
    """phi of each comparison: phi >= 0 stands for itself, a <= b for b - a."""
    findings = reader.findings
    if isinstance(given, list | tuple):
        return [row for one in given for row in read_rows(one, reader, element)]
    if isinstance(given, Condition):
        if given.op == "and":
            return [row for side in given.args for row in read_rows(side, reader, element)]
        if given.op in ("<", "<="):
            low, high = given.args
            return _checked([high - low], reader, element)
        findings.add(element, "is no plain comparison. Give phi >= 0, several with & or a list.")
        return []
    if is_sympy(given) and getattr(given, "is_Relational", False):
        less = type(given).__name__ in ("LessThan", "StrictLessThan")
        sides = (given.rhs, given.lhs) if less else (given.lhs, given.rhs)
        high, low = (reader.formula(side, element) for side in sides)
        return _checked([high - low], reader, element)
    if isinstance(given, bool):
        findings.add(element, f"is {given} whatever the motion. Compare a formula, phi >= 0.")
        return []
    findings.add(element, f"{given!r:.60} is no comparison. Give phi >= 0, for example y >= 0.")
    return []


def read_sliding(given: Any, reader: Reader, element: str) -> list[Expression]:
    """Velocities of sliding from formulas of them, or of the ways whose rates they are."""
    entries = list(given) if isinstance(given, list | tuple) else [given]
    if not 1 <= len(entries) <= 2:
        reader.findings.add(
            element, f"sliding has {len(entries)} formulas. Give one, or two across each other."
        )
        return []
    found = []
    for entry in entries:
        formula = reader.formula(entry, element)
        rate = formula if symbols([formula], "velocity") else time_derivative([formula])[0]
        leaves = list(symbols([rate], "velocity"))
        if not leaves:
            reader.findings.add(
                element,
                f"sliding {formula!r} does not move. Give the way along the surface, such as x, "
                "or its rate, x.dot.",
            )
        elif symbols(jacobian([rate], leaves)[0], "velocity"):
            reader.findings.add(element, f"sliding {rate!r:.60} is not linear in velocities.")
        else:
            found.append(rate)
    return found


def _checked(rows: list[Expression], reader: Reader, element: str) -> list[Expression]:
    for row in rows:
        if symbols([row], "velocity"):
            reader.findings.add(
                element,
                "contains a velocity. One-sided constraints are of coordinates and time; brakes "
                "and drives act on velocities.",
            )
        elif not symbols([row], "coordinate"):
            reader.findings.add(
                element,
                f"contains no coordinate ({row!r} >= 0 is true or false whatever the motion). "
                "Leave it out.",
            )
    return rows
