"""Dormand-Prince pairs of order 5 and 8 with error control and continuous output.

Explicit Runge-Kutta, x_s = x + h sum_j A_sj k_j. The first stage is evaluated anew in every step:
a method may have moved the state or its held correction since (methods 4.5), so the economy of
reusing the last stage is given up. Error norms: order 5 by the difference of the pair, order 8 by
Hairer's combination of a fifth- and a third-order estimate.
"""

import math
from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert._memory import Part, over
from dalembert._records import Matrix, Numbers
from dalembert.errors import OptionError
from dalembert.integration.dormand_prince_tables import (
    A5,
    A8,
    C5,
    C8,
    D8,
    E5,
    E8_3,
    E8_5,
    P5,
)
from dalembert.integration.protocol import Integrator
from dalembert.system.borders import OK, STEPPING, normalise, rates
from dalembert.system.state_layout import State
from dalembert.system.tolerance import tolerance_of

STAGES = 16
"""Rows reserved for stage rates: 12 of order 8, the step itself, and three for the output."""
COEFFICIENTS = 7

DEFAULT_RTOL = 1e-11
"""Relative tolerance of every run that is given none: with and without contact, so that what
nothing touches changes no bit. Of 1e-10 moments of impacts have the error (contact 20)."""


class Room(Part, of=State):
    """Scratch; q and v stand side by side in a row."""

    K: Matrix = over(f"{STAGES}", "nq + nv")  # rates of all stages
    F: Matrix = over(f"{COEFFICIENTS}", "nq + nv")  # coefficients of the continuous output
    q: Numbers = over("nq")  # of a stage
    v: Numbers = over("nv")


@kernel
def run_stages(state: State, t, h, q, v, first, last, A, C):
    """Stages `first` to `last` - 1 from the state (q, v); K is filled."""
    own, nq = Room(state, state.integrator_scratch), state.nq
    K, stage_q, stage_v = own.K, own.q, own.v
    for s in range(first, last):
        combine(state, h, q, v, s, A, stage_q, stage_v)
        row = K[s]
        status = rates(state, t + C[s] * h, h, stage_q, stage_v, row[:nq], row[nq:], state.lam)
        if status != OK:
            return status
    return OK


@kernel
def combine(state: State, h, q, v, s, A, q_out, v_out):
    """x + h sum_j A_sj k_j."""
    K, nq = Room(state, state.integrator_scratch).K, state.nq
    for i in range(nq):
        total = 0.0
        for j in range(s):
            total += A[s, j] * K[j, i]
        q_out[i] = q[i] + h * total
    for k in range(state.nv):
        total = 0.0
        for j in range(s):
            total += A[s, j] * K[j, nq + k]
        v_out[k] = v[k] + h * total


@kernel
def error_square(state: State, h, q, v, count, E):
    """Mean square of h sum_s E_s k_s, each component over its tolerance."""
    K, nq = Room(state, state.integrator_scratch).K, state.nq
    q0, v0 = state.start_q, state.start_v
    allowed, total = tolerance_of(state), 0.0
    for i in range(nq + state.nv):
        error = 0.0
        for s in range(count):
            error += E[s] * K[s, i]
        if i < nq:
            size = max(abs(q0[i]), abs(q[i]))
        else:
            size = max(abs(v0[i - nq]), abs(v[i - nq]))
        error = h * error / allowed.of(size)
        total += error * error
    return total / (nq + state.nv)


@border(STEPPING)
def advance_5(state: State, t, h, q, v):
    """Six stages, the step, and its rates for the error."""
    status = run_stages(state, t, h, q, v, 0, 7, A5, C5)
    if status != OK:
        return status
    combine(state, h, state.start_q, state.start_v, 6, A5, q, v)
    square = error_square(state, h, q, v, 7, E5)
    state.error = math.sqrt(square) if state.nq > 0 else 0.0  # of no coordinates: none
    return OK


@border(STEPPING)
def advance_8(state: State, t, h, q, v):
    """Twelve stages and the step; err = e5^2 / sqrt(e5^2 + 0.01 e3^2)."""
    status = run_stages(state, t, h, q, v, 0, 12, A8, C8)
    if status != OK:
        return status
    combine(state, h, state.start_q, state.start_v, 12, A8, q, v)
    fifth = error_square(state, h, q, v, 12, E8_5)
    third = error_square(state, h, q, v, 12, E8_3)
    below = fifth + 0.01 * third
    state.error = fifth / math.sqrt(below) if below > 0.0 else below
    if state.nq == 0:
        state.error = 0.0
    return OK


# -- continuous output -----------------------------------------------------------------------------


@kernel
def put_output(state: State, i, value, q, v):
    """Component i of x0 + value."""
    if i < state.nq:
        q[i] = state.start_q[i] + value
    else:
        v[i - state.nq] = state.start_v[i - state.nq] + value


@border(STEPPING)
def prepare_5(state: State, t, h, q, v):
    """F_j = h sum_s P_sj k_s."""
    own = Room(state, state.integrator_scratch)
    K, F = own.K, own.F
    for i in range(state.nq + state.nv):
        for j in range(4):
            total = 0.0
            for s in range(7):
                total += P5[s, j] * K[s, i]
            F[j, i] = h * total
    return OK


@border(STEPPING)
def interpolate_5(state: State, t, h, q, v):
    """x0 + F_0 s + F_1 s^2 + F_2 s^3 + F_3 s^4 at the fraction s = t of the step."""
    F = Room(state, state.integrator_scratch).F
    for i in range(state.nq + state.nv):
        value = t * (F[0, i] + t * (F[1, i] + t * (F[2, i] + t * F[3, i])))
        put_output(state, i, value, q, v)
    normalise(state, q)
    return OK


@border(STEPPING)
def prepare_8(state: State, t, h, q, v):
    """Three more stages and the seven coefficients of Hairer's output formula."""
    status = run_stages(state, t, h, state.start_q, state.start_v, 12, 16, A8, C8)
    if status != OK:
        return status
    own = Room(state, state.integrator_scratch)
    K, F = own.K, own.F
    for i in range(state.nq + state.nv):
        change = 0.0
        for s in range(12):
            change += A8[12, s] * K[s, i]
        change *= h
        F[0, i] = change
        F[1, i] = h * K[0, i] - change
        F[2, i] = 2.0 * change - h * (K[12, i] + K[0, i])
        for j in range(4):
            total = 0.0
            for s in range(16):
                total += D8[j, s] * K[s, i]
            F[3 + j, i] = h * total
    return OK


@border(STEPPING)
def interpolate_8(state: State, t, h, q, v):
    """x0 + s (F0 + (1-s) (F1 + s (F2 + ...))) at the fraction s = t of the step."""
    F = Room(state, state.integrator_scratch).F
    for i in range(state.nq + state.nv):
        value = 0.0
        for j in range(COEFFICIENTS):
            k = COEFFICIENTS - 1 - j
            value = (value + F[k, i]) * (t if k % 2 == 0 else 1.0 - t)
        put_output(state, i, value, q, v)
    normalise(state, q)
    return OK


@dataclass(frozen=True)
class DormandPrince(Integrator):
    """Adaptive Runge-Kutta of order 5 or 8.

    Parameters
    ----------
    order : 5 or 8
    rtol : float            relative tolerance of each component
    atol : float            absolute tolerance; None: rtol times the size of the coordinates
    first_step : float      initial step; None lets the error control find it  [s]
    max_step : float        largest step  [s]
    """

    order: int = 8  # type: ignore[misc]
    rtol: float = DEFAULT_RTOL
    atol: float | None = None
    first_step: float | None = None
    max_step: float = math.inf

    adaptive = True

    def __post_init__(self) -> None:
        if self.order not in (5, 8):
            raise OptionError(f"DormandPrince: order is {self.order!r}. Give 5 or 8.")
        for name in ("rtol", "atol"):
            value = getattr(self, name)
            if value is not None and not (0 < value < math.inf):
                raise OptionError(f"DormandPrince: {name} is {value!r}. Give a positive number.")
        if self.rtol < 1e-14:
            raise OptionError(
                f"DormandPrince: rtol {self.rtol:g} is below rounding. Give at least 1e-14."
            )
        if self.first_step is not None and not (0 < self.first_step < math.inf):
            raise OptionError(
                f"DormandPrince: first_step is {self.first_step!r}. Give a positive time in s."
            )
        if not self.max_step > 0:
            raise OptionError(
                f"DormandPrince: max_step is {self.max_step!r}. Give a positive time in s."
            )

    @property
    def advance(self):
        return advance_5 if self.order == 5 else advance_8

    @property
    def interpolate_prepare(self):
        return prepare_5 if self.order == 5 else prepare_8

    @property
    def interpolate(self):
        return interpolate_5 if self.order == 5 else interpolate_8

    @property
    def stages(self) -> int:  # type: ignore[override]
        """Evaluations of the rates in one step."""
        return 7 if self.order == 5 else 12

    def refuse(self, method):
        if method.order == 1:
            return (
                f"{type(method).__name__} replaces the state after the step, where the error "
                "control of DormandPrince cannot see it. Use a fixed step with SemiImplicitEuler "
                "or RK4."
            )
        return None

    def options(self, length: float) -> list[float]:
        return [self.rtol, self.rtol * length if self.atol is None else self.atol]

    def scratch(self, nq: int, nv: int, rows: int) -> int:
        return Room.length(nq=nq, nv=nv)


@dataclass(frozen=True)
class ErrorControl(DormandPrince):
    """Steps of a run with impulses that was given none (`contact.step.controlled`).

    Between them, while nothing is near, steps are those of `DormandPrince`.

    Parameters
    ----------
    steps_rtol : float      relative error of a second of steps with impulses
    steps_atol : float      absolute one; None: steps_rtol times the size of the coordinates
    most : float            their largest length  [s]
    least : float           length below which steps are those of the rule, whatever their error;
        0: none are  [s]
    """

    steps_rtol: float = 1e-3
    steps_atol: float | None = None
    most: float = math.inf
    least: float = 0.0

    controls_impulses = True

    def describe(self) -> str:
        """Both tolerances."""
        tight = "" if self.steps_atol is None else f" and {self.steps_atol:g} (atol)"
        return f"tolerance {self.steps_rtol:g}{tight} a second; {self.rtol:g} where nothing is near"

    def options(self, length: float) -> list[float]:
        atol = self.steps_rtol * length if self.steps_atol is None else self.steps_atol
        return [*super().options(length), self.steps_rtol, atol, self.most, self.least]
