"""A model in words, as equations, and as LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.formulas.expression import ZERO, Expression, lift
from dalembert.formulas.text import to_text
from dalembert.model.basics.rotation import quaternion_of_matrix

if TYPE_CHECKING:
    from dalembert.model.core.model import Model
    from dalembert.model.joints.joint import Joint

LONGEST = 200
"""Formulas are cut off after this many characters."""

MOST = 40
"""Bodies, joints or forces are listed up to this many of each."""


def summary(model: Model) -> str:
    """Coordinates or bodies, parameters, joints, forces, constraints and start, one line each."""
    lines = [f"Model {model.name}", *(_bodies(model) if model.bodies else _coordinates(model))]
    if model.parameters:
        values = ", ".join(f"{name} = {value:g}" for name, value in model.parameters.items())
        lines.append(f"  parameters   {values}")
    rows = model.row_count
    lines += _listed("joint", list(map(_joint, model.joints.values())))
    lines += _listed("force", list(map(repr, model.forces.values())))
    lines.append(f"  constraints  {rows} row{'s' * (rows != 1)}")
    named = set(model.joints)
    for constraint in model.constraints:
        if constraint.labels and constraint.name.partition(" ")[0] in named:
            continue  # told above, as a joint
        mark = " (velocity)" if constraint.kind == "velocity" else ""
        for name, row in zip(constraint.row_names, constraint.rows, strict=True):
            lines.append(f"    {name}{mark}: {to_text(row, limit=LONGEST)} = 0")
    if model.coordinates:
        lines.append(f"  energy       {_energy(model)}")
    return "\n".join([*lines, *_start(model)])


def _coordinates(model: Model) -> list[str]:
    names = [q.name for q in model.coordinates]
    return [f"  coordinates  {len(names)}: {', '.join(names) or 'none yet'}"]


def _bodies(model: Model) -> list[str]:
    count = len(model.bodies)
    kind = next(iter(model.bodies.values())).orientation
    sizes = "7 coordinates and 6 velocities each" if model.is_maximal else "6 coordinates each"
    lines = [f"  bodies       {count}, orientation by {kind}: {sizes}"]
    gravity = ", ".join(to_text(entry, limit=LONGEST) for entry in model.gravity)
    lines.append(f"  gravity      ({gravity})")
    return lines + _listed("body", [f"{b.name}: {b.inertia!r}" for b in model.bodies.values()])


def _joint(joint: Joint) -> str:
    return f"{joint!r}: {len(joint)} row{'s' * (len(joint) != 1)}"


def _listed(what: str, entries: list[str]) -> list[str]:
    """One line each; of a long list the first ones and how many follow."""
    lines = [f"  {what:<12} {entry}" for entry in entries[:MOST]]
    more = len(entries) - MOST
    return [*lines, f"  {what:<12} and {more} more"] if more > 0 else lines


def _start(model: Model) -> list[str]:
    if model.bodies:
        lines = []
        for name, (p, R, v, w) in model.placement().items():
            shown = [f"position ({_vector(p)})"]
            if not np.allclose(R, np.eye(3), rtol=0.0, atol=1e-15):
                shown.append(f"quaternion ({_vector(quaternion_of_matrix(R))})")
            if v.any() or w.any():
                shown.append(f"velocity ({_vector(v)}), angular ({_vector(w)})")
            lines.append(f"{name}: {', '.join(shown)}")
        found = _listed("start", lines)
        if model.initial_formulas:
            values = ", ".join(f"{name} = {q}" for name, q in model.initial_formulas.items())
            found.append(f"  start        but {values}")
        return found
    if not model.initial:
        return []
    values = ", ".join(f"{name} = {value:.6g}" for name, value in model.initial.items())
    return [f"  initial      {values}; all else 0"]


def _vector(entries: Any) -> str:
    return ", ".join(f"{float(entry) + 0.0:.6g}" for entry in entries)


def _energy(model: Model) -> str:
    if model.potential is None:
        return "no potential stated"
    return "is conserved" if model.conservative else "is not conserved (forces or time)"


def equations(model: Model) -> str:
    """M(q) v' = Q(q, v, t) + J^T lam, entry by entry; entries that are zero are left out."""
    if model.is_maximal:
        return _body_equations(model)
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


def _body_equations(model: Model) -> str:
    """Newton and Euler for each body, and what joints, forces and constraints add."""
    lines = [
        "m v' = m g + f + forces of constraints                    v of the centre of mass",
        "R I R^T w' = t - w x (R I R^T w) + torques of constraints   w and t in world axes",
    ]
    lines += [f"  {body.name}: {body.inertia!r}" for body in model.bodies.values()]
    for force in model.forces.values():
        loads, _ = force.evaluated()
        for frame, (pull, torque) in zip(force.frames, loads, strict=True):
            for letter, vector in (("f", pull), ("t", torque)):
                shown = [f"{_cut(lift(entry))}" for entry in vector]
                if any(lift(entry) is not ZERO for entry in vector):
                    lines.append(f"  {letter}[{force.name}, {frame.label}] = ({', '.join(shown)})")
    for joint in model.joints.values():
        rows, slips = joint.formulas()
        for name, formula in zip(joint.row_names, [*rows, *slips], strict=True):
            lines.append(f"  phi[{name}] = {_cut(formula)} = 0")
    for constraint in model.constraints:
        letter = "phi" if constraint.kind == "holonomic" else "psi"
        for name, formula in zip(constraint.row_names, constraint.rows, strict=True):
            lines.append(f"  {letter}[{name}] = {_cut(formula)} = 0")
    return "\n".join(lines)


class Equations(str):
    """Equations of a model: a text, and formulas in a notebook."""

    _model: Model

    def __new__(cls, shown: str, model: Model) -> Equations:
        """The text, with the model it is of."""
        made = super().__new__(cls, shown)
        made._model = model
        return made

    def _repr_latex_(self) -> str | None:
        try:
            return f"$${latex(self._model)}$$"
        except Exception:  # SymPy is not installed, or a display that must not stop a notebook
            return None


def latex(model: Model) -> str:
    """The equations of motion as an `aligned` block of LaTeX."""
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
