"""Collocation: implicit Runge-Kutta methods of high order for stiff motion, Gauss and Radau IIA.

A polynomial of degree s through x_n obeys x' = f(t, x) at the nodes c_1 ... c_s of the step; with
its increments Z_i = X_i - x_n at the nodes

    Z_i = h sum_j a_ij f(t + c_j h, x_n + Z_j),        a_ij = int_0^c_i l_j,
    x_{n+1} = x_n + sum_i d_i Z_i,                     d = b A^-1.

Gauss: nodes are the zeros of the shifted Legendre polynomial, order 2 s, symplectic; quadratic
invariants (the energy of linear springs, the length of a quaternion) are kept to rounding.
Radau IIA: c_s = 1, order 2 s - 1, L-stable and stiffly accurate: d = (0, ..., 0, 1), motion that
the step does not resolve is damped out at once. Hairer, Norsett & Wanner, Solving Ordinary
Differential Equations I, theorem II.7.7; Hairer & Wanner, II, tables IV.5.1, 5.2, 5.6.

Newton's method (II, section IV.8) with one matrix F of the rates for all stages,

    (I - h A (x) F) dZ = -(Z - h (A (x) I) f),

falls apart where A = T D T^-1 has blocks: one of size n for the real eigenvalue of A (s odd), one
of size 2 n for each complex pair,

    D = (mu)  or  ( a  b)
                  (-b  a).

F affects the number of iterations only. A run begins with F = 0, fixed-point iteration, which is
quick where nothing is stiff and needs no matrices however many bodies there are. Where that does
not contract, F is made by differences and kept from step to step until it stops contracting too. A
step begins with the polynomial of the last one; one that finds no solution is taken in parts.

Where a step does not resolve a stiff force, the error it adds is of the order of the stages, s for
Gauss and s + 1 over the stiffness for Radau IIA (II, section IV.15); the rest keeps its order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dalembert._jit import border
from dalembert.errors import OptionError
from dalembert.integration.collocation.scheme import LARGE, Scheme, Stages, factor_count
from dalembert.integration.collocation.step import collocate
from dalembert.integration.collocation.tables import (
    A4,
    A5,
    A6,
    C4,
    C5,
    C6,
    D4,
    D5,
    D6,
    EIGEN4,
    EIGEN5,
    EIGEN6,
    INVERSE4,
    INVERSE5,
    INVERSE6,
    T4,
    T5,
    T6,
)
from dalembert.integration.protocol import Integrator
from dalembert.system.borders import STEPPING
from dalembert.system.state_layout import State


@border(STEPPING)
def advance_4(state: State, t, h, q, v):
    """Gauss, two stages."""
    return collocate(Scheme(state, C4, A4, D4, T4, INVERSE4, EIGEN4), t, h, q, v)


@border(STEPPING)
def advance_5(state: State, t, h, q, v):
    """Radau IIA, three stages."""
    return collocate(Scheme(state, C5, A5, D5, T5, INVERSE5, EIGEN5), t, h, q, v)


@border(STEPPING)
def advance_6(state: State, t, h, q, v):
    """Gauss, three stages."""
    return collocate(Scheme(state, C6, A6, D6, T6, INVERSE6, EIGEN6), t, h, q, v)


@dataclass(frozen=True)
class Collocation(Integrator):
    """Base of the two families of collocation."""

    explicit = False

    @property
    def collocation(self) -> tuple[Any, Any, Any]:
        return {4: (C4, A4, D4), 5: (C5, A5, D5), 6: (C6, A6, D6)}[self.order]

    def scratch(self, nq: int, nv: int, rows: int) -> int:
        n, s = nq + nv, (self.order + 1) // 2
        side = n if n <= LARGE else 0
        floats = factor_count.function(s) * side * side
        return Stages.length(nq=nq, n=n, stages=s, side=side, factor_floats=floats)


@dataclass(frozen=True)
class Gauss(Collocation):
    """Order 4 or 6, symplectic, implicit.

    Parameters
    ----------
    order : 4 or 6          with two or three stages
    """

    order: int = 4  # type: ignore[misc]

    def __post_init__(self) -> None:
        if self.order not in (4, 6):
            raise OptionError(f"Gauss: order is {self.order!r}. Give 4 or 6.")

    @property
    def advance(self):
        return advance_4 if self.order == 4 else advance_6


@dataclass(frozen=True)
class RadauIIA(Collocation):
    """Order 5, implicit; damps at once what the step does not resolve.

    Choose it for stiff systems; `Gauss` keeps energy instead.
    """

    order = 5
    advance = advance_5
