"""The equations of a model as formulas: what `evaluate`, `residual` and `tangent` compute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dalembert.formulas import Expression, jacobian, load, symbols
from dalembert.formulas.constraint import holonomic_rows, velocity_rows
from dalembert.formulas.expression import ZERO

Row = list[Expression]


@dataclass(frozen=True)
class Equations:
    """M v' = Q + J^T lam with Phi = 0, Phi' = 0, J v' = rhs_a; rows: holonomic, then velocity.

    Both kinds of rows obey J v' = rhs_a, and a velocity correction solves J dv = -Phi'
    (`formulas.constraint` has the derivation).
    """

    coordinates: Row
    velocities: Row
    mass: list[Row]
    force: Row
    phi: Row
    phi_dot: Row
    phi_t: Row
    J: list[Row]
    rhs_a: Row

    @property
    def holonomic(self) -> int:
        """Number of holonomic rows."""
        return len(self.phi)

    @property
    def rows(self) -> int:
        """Number of all rows."""
        return len(self.phi_dot)


def equations(
    coordinates: Sequence[Expression],
    mass: Sequence[Sequence[Expression]],
    force: Sequence[Expression],
    holonomic: Sequence[Expression],
    velocity: Sequence[Expression],
) -> Equations:
    """All rows and their derivatives, exact on the graph."""
    q = list(coordinates)
    fixed, moving = holonomic_rows(holonomic, q), velocity_rows(velocity, q)
    M, Q = carried(mass, force, fixed.J + moving.J, fixed.rhs_a + moving.rhs_a)
    return Equations(
        coordinates=q,
        velocities=[x.dot for x in q],
        mass=M,
        force=Q,
        phi=fixed.phi,
        phi_dot=fixed.phi_dot + moving.phi_dot,
        phi_t=fixed.phi_t + moving.phi_t,
        J=fixed.J + moving.J,
        rhs_a=fixed.rhs_a + moving.rhs_a,
    )


def massless(mass: Sequence[Sequence[Expression]]) -> list[int]:
    """Numbers of the coordinates that no kinetic energy contains."""
    return [k for k, row in enumerate(mass) if all(entry is ZERO for entry in row)]


def carried(
    mass: Sequence[Sequence[Expression]],
    force: Sequence[Expression],
    J: Sequence[Row],
    rhs_a: Sequence[Expression],
) -> tuple[list[Row], Row]:
    """M + s J^T J and Q + s J^T rhs_a, where coordinates carry no mass; else M and Q (methods 2.3).

    Both have the same motion, for J v' = rhs_a. J: the rows in which such a coordinate stands; s:
    the mean of the masses there are.
    """
    M, Q, n = [list(row) for row in mass], list(force), len(mass)
    light = massless(mass)
    if not light or len(light) == n:
        return M, Q
    s = sum((mass[k][k] for k in range(n) if k not in light), ZERO) / (n - len(light))
    for row, rhs in zip(J, rhs_a, strict=True):
        if all(row[k] is ZERO for k in light):
            continue
        for i in range(n):
            Q[i] = Q[i] + s * row[i] * rhs
            for k in range(n):
                M[i][k] = M[i][k] + s * row[i] * row[k]
    return M, Q


@dataclass(frozen=True)
class Tangent:
    """Derivatives for implicit methods.

    K = d(M a - Q - J^T lam)/dq,  D = d(M a - Q - J^T lam)/dv,  Jdot = d(Phi')/dq,
    with a and lam read from `work`.
    """

    K: list[Row]
    D: list[Row]
    Jdot: list[Row]


def tangent(e: Equations, a: Sequence[Expression], lam: Sequence[Expression]) -> Tangent:
    """Differentiate the residual of the equations of motion."""
    n = len(e.coordinates)
    residual = []
    for i in range(n):
        total = -e.force[i]
        for k in range(n):
            total = total + (e.mass[i][k] if k <= i else e.mass[k][i]) * a[k]
        for r in range(e.rows):
            total = total - e.J[r][i] * lam[r]
        residual.append(total)
    return Tangent(
        jacobian(residual, e.coordinates),
        jacobian(residual, e.velocities),
        jacobian(e.phi_dot, e.coordinates),
    )


def depends(formulas: Sequence[Expression], kinds: Sequence[str]) -> bool:
    """Whether any formula contains a leaf of the given kinds."""
    return bool(symbols(formulas, *kinds))


def loads(start: int, count: int) -> list[Any]:
    """Leaves that read `count` entries of `work`."""
    return [load("work", start + k) for k in range(count)]
