"""Dormand-Prince pairs of order 5 and 8 with error control and continuous output.

Explicit Runge-Kutta, x_s = x + h sum_j A_sj k_j. The first stage is evaluated anew in every step:
a method may have moved the state or its held correction since (methods 4.5), so the economy of
reusing the last stage is given up. Error norms: order 5 by the difference of the pair, order 8 by
Hairer's combination of a fifth- and a third-order estimate.
"""

import math
from dataclasses import dataclass

from dalembert._jit import border, kernel
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
from dalembert.system.layout import (
    ERROR,
    INTEGRATOR_OPTIONS,
    INTEGRATOR_SCRATCH,
    LAM,
    NQ,
    NV,
    OPTIONS_LENGTH,
    ROWS,
    START_Q,
    START_V,
    scratch_matrix,
    scratch_vector,
    vector,
)

STAGES = 16
"""Rows reserved for stage rates: 12 of order 8, the step itself, and three for the output."""
COEFFICIENTS = 7


@kernel
def stage_rates(work, sizes):
    """K: rates of all stages, q' and v' side by side in a row."""
    n = sizes[NQ] + sizes[NV]
    return scratch_matrix(work, sizes, INTEGRATOR_SCRATCH, 0, STAGES, n)


@kernel
def output_coefficients(work, sizes):
    """F: coefficients of the continuous output."""
    n = sizes[NQ] + sizes[NV]
    return scratch_matrix(work, sizes, INTEGRATOR_SCRATCH, STAGES * n, COEFFICIENTS, n)


@kernel
def run_stages(work, sizes, t, h, q, v, first, last, A, C):
    """Stages `first` to `last` - 1 from the state (q, v); K is filled."""
    nq, nv = sizes[NQ], sizes[NV]
    K = stage_rates(work, sizes)
    start = (STAGES + COEFFICIENTS) * (nq + nv)
    stage_q = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start, nq)
    stage_v = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + nq, nv)
    lam = vector(work, sizes, LAM, ROWS)
    for s in range(first, last):
        combine(sizes, h, q, v, s, A, K, stage_q, stage_v)
        row = K[s]
        status = rates(work, sizes, t + C[s] * h, h, stage_q, stage_v, row[:nq], row[nq:], lam)
        if status != OK:
            return status
    return OK


@kernel
def combine(sizes, h, q, v, s, A, K, q_out, v_out):
    """x + h sum_j A_sj k_j."""
    nq, nv = sizes[NQ], sizes[NV]
    for i in range(nq):
        total = 0.0
        for j in range(s):
            total += A[s, j] * K[j, i]
        q_out[i] = q[i] + h * total
    for k in range(nv):
        total = 0.0
        for j in range(s):
            total += A[s, j] * K[j, nq + k]
        v_out[k] = v[k] + h * total


@kernel
def error_square(work, sizes, h, q, v, q0, v0, count, E, K):
    """Mean square of h sum_s E_s k_s, each component over its tolerance."""
    options = vector(work, sizes, INTEGRATOR_OPTIONS, OPTIONS_LENGTH)
    rtol, atol = options[0], options[1]
    nq, nv = sizes[NQ], sizes[NV]
    total = 0.0
    for i in range(nq + nv):
        error = 0.0
        for s in range(count):
            error += E[s] * K[s, i]
        if i < nq:
            size = max(abs(q0[i]), abs(q[i]))
        else:
            size = max(abs(v0[i - nq]), abs(v[i - nq]))
        error = h * error / (atol + rtol * size)
        total += error * error
    return total / (nq + nv)


@border(STEPPING)
def advance_5(work, sizes, t, h, q, v):
    """Six stages, the step, and its rates for the error."""
    status = run_stages(work, sizes, t, h, q, v, 0, 7, A5, C5)
    if status != OK:
        return status
    q0, v0 = vector(work, sizes, START_Q, NQ), vector(work, sizes, START_V, NV)
    combine(sizes, h, q0, v0, 6, A5, stage_rates(work, sizes), q, v)
    square = error_square(work, sizes, h, q, v, q0, v0, 7, E5, stage_rates(work, sizes))
    work[sizes[ERROR]] = math.sqrt(square) if sizes[NQ] > 0 else 0.0  # of no coordinates: none
    return OK


@border(STEPPING)
def advance_8(work, sizes, t, h, q, v):
    """Twelve stages and the step; err = e5^2 / sqrt(e5^2 + 0.01 e3^2)."""
    status = run_stages(work, sizes, t, h, q, v, 0, 12, A8, C8)
    if status != OK:
        return status
    q0, v0 = vector(work, sizes, START_Q, NQ), vector(work, sizes, START_V, NV)
    K = stage_rates(work, sizes)
    combine(sizes, h, q0, v0, 12, A8, K, q, v)
    fifth = error_square(work, sizes, h, q, v, q0, v0, 12, E8_5, K)
    third = error_square(work, sizes, h, q, v, q0, v0, 12, E8_3, K)
    below = fifth + 0.01 * third
    work[sizes[ERROR]] = fifth / math.sqrt(below) if below > 0.0 else below
    if sizes[NQ] == 0:
        work[sizes[ERROR]] = 0.0
    return OK


@border(STEPPING)
def prepare_5(work, sizes, t, h, q, v):
    """F_j = h sum_s P_sj k_s."""
    n = sizes[NQ] + sizes[NV]
    K, F = stage_rates(work, sizes), output_coefficients(work, sizes)
    for i in range(n):
        for j in range(4):
            total = 0.0
            for s in range(7):
                total += P5[s, j] * K[s, i]
            F[j, i] = h * total
    return OK


@border(STEPPING)
def interpolate_5(work, sizes, t, h, q, v):
    """x0 + F_0 s + F_1 s^2 + F_2 s^3 + F_3 s^4 at the fraction s = t of the step."""
    nq, nv = sizes[NQ], sizes[NV]
    F = output_coefficients(work, sizes)
    q0, v0 = vector(work, sizes, START_Q, NQ), vector(work, sizes, START_V, NV)
    for i in range(nq + nv):
        value = t * (F[0, i] + t * (F[1, i] + t * (F[2, i] + t * F[3, i])))
        if i < nq:
            q[i] = q0[i] + value
        else:
            v[i - nq] = v0[i - nq] + value
    normalise(work, sizes, q)
    return OK


@border(STEPPING)
def prepare_8(work, sizes, t, h, q, v):
    """Three more stages and the seven coefficients of Hairer's output formula."""
    nq, nv = sizes[NQ], sizes[NV]
    q0, v0 = vector(work, sizes, START_Q, NQ), vector(work, sizes, START_V, NV)
    status = run_stages(work, sizes, t, h, q0, v0, 12, 16, A8, C8)
    if status != OK:
        return status
    K, F = stage_rates(work, sizes), output_coefficients(work, sizes)
    for i in range(nq + nv):
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
def interpolate_8(work, sizes, t, h, q, v):
    """x0 + s (F0 + (1-s) (F1 + s (F2 + ...))) at the fraction s = t of the step."""
    nq, nv = sizes[NQ], sizes[NV]
    F = output_coefficients(work, sizes)
    q0, v0 = vector(work, sizes, START_Q, NQ), vector(work, sizes, START_V, NV)
    for i in range(nq + nv):
        value = 0.0
        for j in range(COEFFICIENTS):
            k = COEFFICIENTS - 1 - j
            value = (value + F[k, i]) * (t if k % 2 == 0 else 1.0 - t)
        if i < nq:
            q[i] = q0[i] + value
        else:
            v[i - nq] = v0[i - nq] + value
    normalise(work, sizes, q)
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
    rtol: float = 1e-10
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
        return (STAGES + COEFFICIENTS + 1) * (nq + nv)
