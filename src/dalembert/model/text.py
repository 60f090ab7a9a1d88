"""A model in words, as equations, and as LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dalembert.formulas.expression import ZERO, Expression
from dalembert.formulas.text import to_text

if TYPE_CHECKING:
    from dalembert.model.model import Model

LONGEST = 200
"""Formulas are cut off after this many characters."""


def summary(model: Model) -> str:
    """Coordinates, parameters, constraints and initial state, one line each."""
    names = [q.name for q in model.coordinates]
    lines = [
        f"Model {model.name}",
        f"  coordinates  {len(names)}: {', '.join(names) or 'none yet'}",
    ]
    if model.parameters:
        values = ", ".join(f"{name} = {value:g}" for name, value in model.parameters.items())
        lines.append(f"  parameters   {values}")
    for body in model.bodies.values():
        lines.append(f"  body         {body.name}: {body.inertia!r}")
    rows = model.row_count
    lines.append(f"  constraints  {rows} row{'s' * (rows != 1)}")
    for constraint in model.constraints:
        mark = " (velocity)" if constraint.kind == "velocity" else ""
        for name, row in zip(constraint.row_names, constraint.rows, strict=True):
            lines.append(f"    {name}{mark}: {to_text(row, limit=LONGEST)} = 0")
    if names:
        lines.append(f"  energy       {_energy(model)}")
    if model.initial:
        values = ", ".join(f"{name} = {value:.6g}" for name, value in model.initial.items())
        lines.append(f"  initial      {values}; all else 0")
    return "\n".join(lines)


def _energy(model: Model) -> str:
    if model.potential is None:
        return "no potential stated"
    return "is conserved" if model.conservative else "is not conserved (forces or time)"


def equations(model: Model) -> str:
    """M(q) v' = Q(q, v, t) + J^T lam, entry by entry; entries that are zero are left out."""
    names = [q.name for q in model.coordinates]
    lines = ["M(q) v' = Q(q, v, t) + J(q)^T lam"]
    for i, row in enumerate(model.mass):
        for j in range(i + 1):
            if row[j] is not ZERO:
                lines.append(f"  M[{names[i]}, {names[j]}] = {_cut(row[j])}")
    lines += [
        f"  Q[{name}] = {_cut(force)}" for name, force in zip(names, model.force, strict=True)
    ]
    for constraint in model.constraints:
        letter = "phi" if constraint.kind == "holonomic" else "psi"
        for name, formula in zip(constraint.row_names, constraint.rows, strict=True):
            lines.append(f"  {letter}[{name}] = {_cut(formula)} = 0")
    return "\n".join(lines)


def latex(model: Model) -> str:
    """The same as an `aligned` block of LaTeX."""
    from dalembert.formulas.sympy_bridge import latex as formula_latex

    names = [formula_latex(q) for q in model.coordinates]
    lines = [r"M \dot v &= Q + J^T \lambda"]
    for i, row in enumerate(model.mass):
        for j in range(i + 1):
            if row[j] is not ZERO:
                lines.append(f"M_{{{names[i]}, {names[j]}}} &= {formula_latex(row[j])}")
    for name, force in zip(names, model.force, strict=True):
        lines.append(f"Q_{{{name}}} &= {formula_latex(force)}")
    for constraint in model.constraints:
        letter = r"\Phi" if constraint.kind == "holonomic" else r"\psi"
        for name, formula in zip(constraint.row_names, constraint.rows, strict=True):
            shown = name.replace("_", r"\_")
            lines.append(f"{letter}_{{\\text{{{shown}}}}} &= {formula_latex(formula)} = 0")
    body = " \\\\\n".join(lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def _cut(formula: Expression) -> str:
    return to_text(formula, limit=LONGEST)
