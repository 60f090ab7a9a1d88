"""Backward differentiation formulas of variable order and step, in fixed-leading-coefficient form.

The polynomial of degree k through the last k + 1 points foretells x_p and x_p' at the end of the
step; the formula of order k corrects the slope in proportion (methods 10),

    x' = x_p' + c0 (x - x_p),    c0 = (1 + 1/2 + ... + 1/k) / h.                           (10.1)

A method that has a `backward` border solves this with its constraints as unknowns of one system:
`IndexTwo`, the stabilised form of index 2 (methods 6.3). Of other methods the rates f are taken,
x' = f(t, x). Error, order and length of steps are those of DASSL: Petzold 1982; Brenan, Campbell &
Petzold, Numerical Solution of Initial-Value Problems in Differential-Algebraic Equations, 5.2.

The program keeps the points themselves instead of their modified divided differences: weights of
Lagrange's polynomial are made anew for each step, and what a method corrects after a step is part
of the history without more ado.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dalembert._jit import border
from dalembert.errors import OptionError
from dalembert.integration.backward.history import MOST, Room
from dalembert.integration.backward.output import interpolate, prepare
from dalembert.integration.backward.step import step_backward
from dalembert.integration.protocol import Integrator
from dalembert.system.borders import STEPPING
from dalembert.system.state_layout import State


@border(STEPPING)
def advance(state: State, t, h, q, v):
    """One attempt at a step."""
    return step_backward(state, t, h, q, v)


@dataclass(frozen=True)
class BDF(Integrator):
    """Backward differentiation formulas of orders 1 to 5 with error control, implicit.

    With `IndexTwo` constraints are kept within the step, through singular positions. Choose it for
    stiff systems that a tolerance is to follow.

    Parameters
    ----------
    rtol : float            relative tolerance of each component
    atol : float            absolute tolerance; None: rtol times the size of the coordinates
    max_order : 1 to 5      highest order that is used
    first_step : float      initial step; None lets the error control find it  [s]
    max_step : float        largest step  [s]
    """

    rtol: float = 1e-6
    atol: float | None = None
    max_order: int = MOST
    first_step: float | None = None
    max_step: float = math.inf

    order = MOST
    adaptive = True
    explicit = False
    uses_matrices = True
    backward = True
    advance = advance
    interpolate_prepare = prepare
    interpolate = interpolate

    def __post_init__(self) -> None:
        for name in ("rtol", "atol", "first_step"):
            value = getattr(self, name)
            if (value is None and name != "rtol") or _is_positive(value):
                continue
            unit = "time in s" if name == "first_step" else "number"
            raise OptionError(f"BDF: {name} is {value!r}. Give a positive {unit}.")
        if self.rtol < 1e-13:
            raise OptionError(f"BDF: rtol {self.rtol:g} is below rounding. Give at least 1e-13.")
        if type(self.max_order) is not int or not 1 <= self.max_order <= MOST:
            raise OptionError(
                f"BDF: max_order is {self.max_order!r}. Give a whole number from 1 to {MOST}."
            )
        if not (_is_positive(self.max_step) or self.max_step == math.inf):
            raise OptionError(f"BDF: max_step is {self.max_step!r}. Give a positive time in s.")

    def refuse(self, method):
        if method.order == 1:
            return (
                f"{type(method).__name__} replaces the state after the step, where the error "
                "control of BDF cannot see it. Use a fixed step with SemiImplicitEuler or RK4."
            )
        if method.rates_know_step:
            return (
                f"{type(method).__name__} has the length of the step in its rates, and BDF goes on "
                "from steps of other lengths. Use RK4 or DormandPrince, or BraunGoldfarb."
            )
        return None

    def options(self, length: float) -> list[float]:
        atol = self.rtol * length if self.atol is None else self.atol
        return [self.rtol, atol, float(self.max_order)]

    def scratch(self, nq: int, nv: int, rows: int) -> int:
        return Room.length(nq=nq, nv=nv)


def _is_positive(value: object) -> bool:
    """Whether a value is a positive finite number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < math.inf
