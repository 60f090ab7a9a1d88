"""Constraint formulas and what every method needs of them.

A formula of coordinates and time is a holonomic constraint phi(q, t) = 0:

    phi' = J v + phi_t ,   J = phi_q ,   J v' = rhs_a = -(phi_qq v) v - 2 phi_tq v - phi_tt .

A formula that contains a velocity is a velocity constraint psi(q, v, t) = 0, linear in v or not:

    J = psi_v ,            J v' = rhs_a = -psi_q v - psi_t .

In both cases J v + phi_t is the velocity residual when it is linear in v (methods 1, equations 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dalembert.errors import FormulaError
from dalembert.formulas.derivative import directional, jacobian, time_derivative
from dalembert.formulas.expression import ONE, TIME, ZERO, Expression
from dalembert.formulas.graph import substitute, symbols
from dalembert.formulas.lagrangian import check_symbols
from dalembert.formulas.text import to_text

Kind = Literal["holonomic", "velocity"]


@dataclass(frozen=True, slots=True)
class ConstraintRows:
    """Rows of one kind.

    Attributes
    ----------
    kind : "holonomic" or "velocity"
    phi : m formulas            phi(q, t); empty for velocity rows
    phi_dot : m formulas        velocity residual: J v + phi_t, or psi(q, v, t)
    phi_t : m formulas          residual at v = 0: J v = -phi_t is the velocity-level equation;
                                exact for holonomic rows and for psi linear in v
    J : m x n formulas          derivative of the velocity residual with respect to v
    rhs_a : m formulas          what J v' must equal
    linear : m bools            the residual is linear in v (always so for holonomic rows)
    """

    kind: Kind
    phi: list[Expression]
    phi_dot: list[Expression]
    phi_t: list[Expression]
    J: list[list[Expression]]
    rhs_a: list[Expression]
    linear: list[bool]


def kind_of(formula: Expression) -> Kind:
    """'velocity' when the formula contains a velocity, else 'holonomic'."""
    return "velocity" if symbols([formula], "velocity") else "holonomic"


def holonomic_rows(
    formulas: Sequence[Expression], coordinates: Sequence[Expression]
) -> ConstraintRows:
    """Rows of the constraints phi(q, t) = 0.

    Examples
    --------
    >>> from dalembert.formulas import coordinates
    >>> x, y = coordinates("x y")
    >>> rows = holonomic_rows([x**2 + y**2 - 1], [x, y])
    >>> rows.J
    [[2*x, 2*y]]
    >>> rows.rhs_a
    [-2*x.dot**2 - 2*y.dot**2]
    """
    phi = list(formulas)
    for row, formula in enumerate(phi):
        if kind_of(formula) == "velocity":
            raise FormulaError(
                f"Constraint row {row}, {to_text(formula, 120)}, contains a velocity. "
                "Give it as a velocity constraint."
            )
    _check(phi, coordinates, "coordinate")
    phi_dot = time_derivative(phi, coordinates)
    phi_ddot = time_derivative(phi_dot, coordinates)
    return ConstraintRows(
        kind="holonomic",
        phi=phi,
        phi_dot=phi_dot,
        phi_t=directional(phi, {TIME: ONE}),
        J=jacobian(phi, coordinates),
        rhs_a=[-c for c in phi_ddot],
        linear=[True] * len(phi),
    )


def velocity_rows(
    formulas: Sequence[Expression], coordinates: Sequence[Expression]
) -> ConstraintRows:
    """Rows of the velocity constraints psi(q, v, t) = 0.

    Examples
    --------
    >>> from dalembert.formulas import coordinates
    >>> x, y, z = coordinates("x y z")
    >>> rows = velocity_rows([y.dot - z * x.dot], [x, y, z])
    >>> rows.J, rows.rhs_a
    ([[-z, 1, 0]], [z.dot*x.dot])
    """
    psi = list(formulas)
    _check(psi, coordinates, "velocity")
    velocities = [q.dot for q in coordinates]
    J = jacobian(psi, velocities)
    rest = dict.fromkeys(velocities, ZERO)
    linear = [not symbols(row, "velocity") for row in J]
    return ConstraintRows(
        kind="velocity",
        phi=[],
        phi_dot=psi,
        phi_t=[
            _at_rest(p, rest) if ok else _remainder(p, row, velocities)
            for p, row, ok in zip(psi, J, linear, strict=True)
        ],
        J=J,
        rhs_a=[-c for c in time_derivative(psi, coordinates)],
        linear=linear,
    )


def _at_rest(psi: Expression, rest: dict[Expression, Expression]) -> Expression:
    return substitute([psi], rest)[0]


def _remainder(
    psi: Expression, row: Sequence[Expression], velocities: Sequence[Expression]
) -> Expression:
    """Psi - J v: what a Newton step from v sees in place of phi_t when psi is curved in v."""
    total = psi
    for derivative, v in zip(row, velocities, strict=True):
        total = total - derivative * v
    return total


def _check(formulas: Sequence[Expression], known: Sequence[Expression], needed: str) -> None:
    for row, formula in enumerate(formulas):
        shown = to_text(formula, 120)
        check_symbols([formula], known, f"Constraint row {row}, {shown},")
        if not symbols([formula], needed):
            raise FormulaError(
                f"Constraint row {row}, {shown}, contains no {needed}: it is true or false "
                "whatever the motion. Remove it or correct the formula."
            )
