"""Generalized-alpha: second order with damping of unresolved frequencies.

    q = q_n + h v_n + h^2 ((1/2 - beta) a_n + beta a)
    v = v_n + h ((1 - gamma) a_n + gamma a)
    (1 - alpha_m) a + alpha_m a_n = (1 - alpha_f) v'(t, q, v) + alpha_f v'_n

Chung & Hulbert (1993), with a the acceleration-like variable of Arnold & Bruls (2007) and v' the
rates of the enforcement method, so that every method can be combined with it. rho is the spectral
radius at infinite frequency: 1 keeps all, 0 removes it in one step. On bodies q = q_n (+) h u, with
u = v_n + h ((1/2 - beta) a_n + beta a): rotations turn about the axis of u (Bruls & Cardona 2010).
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert.errors import OptionError
from dalembert.integration.protocol import Integrator, hermite_scratch
from dalembert.mechanics.motion import displace
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.system.borders import NO_CONVERGENCE, OK, STEPPING, rates
from dalembert.system.layout import (
    INTEGRATOR_FLAG,
    INTEGRATOR_OPTIONS,
    INTEGRATOR_SCRATCH,
    ITERATIONS,
    LAM,
    LENGTH,
    NQ,
    NV,
    OPTIONS_LENGTH,
    QDOT,
    QUATERNIONS,
    ROWS,
    VDOT,
    scratch_matrix,
    scratch_vector,
    vector,
)

CAP = 40
"""Newton steps allowed, renewals of the matrix included."""

NOISE = 1e-10
"""Relative change that counts as rounding once a renewed matrix brings no gain."""


@kernel
def coefficients(work, sizes):
    """alpha_m, alpha_f, beta, gamma from rho."""
    rho = vector(work, sizes, INTEGRATOR_OPTIONS, OPTIONS_LENGTH)[0]
    alpha_m = (2.0 * rho - 1.0) / (rho + 1.0)
    alpha_f = rho / (rho + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    beta = 0.25 * (gamma + 0.5) * (gamma + 0.5)
    return alpha_m, alpha_f, beta, gamma


@kernel
def state_of(work, sizes, h, q, v, a_old, a, beta, gamma, q_out, v_out):
    """q and v that belong to the acceleration a."""
    if sizes[QUATERNIONS] == 0:
        for k in range(sizes[NV]):
            q_out[k] = q[k] + h * v[k] + h * h * ((0.5 - beta) * a_old[k] + beta * a[k])
    else:
        for i in range(sizes[NQ]):
            q_out[i] = q[i]
        for k in range(sizes[NV]):
            v_out[k] = v[k] + h * ((0.5 - beta) * a_old[k] + beta * a[k])
        displace(work, sizes, h, v_out, q_out)
    for k in range(sizes[NV]):
        v_out[k] = v[k] + h * ((1.0 - gamma) * a_old[k] + gamma * a[k])


@kernel
def defect(work, sizes, t, h, q, v, a_old, f_old, a, stage_q, stage_v, r):
    """r = (1 - alpha_m) a + alpha_m a_n - (1 - alpha_f) v' - alpha_f v'_n; v' stays in VDOT."""
    alpha_m, alpha_f, beta, gamma = coefficients(work, sizes)
    state_of(work, sizes, h, q, v, a_old, a, beta, gamma, stage_q, stage_v)
    qdot = vector(work, sizes, QDOT, NQ)
    vdot = vector(work, sizes, VDOT, NV)
    lam = vector(work, sizes, LAM, ROWS)
    status = rates(work, sizes, t + h, h, stage_q, stage_v, qdot, vdot, lam)
    for k in range(sizes[NV]):
        r[k] = (1.0 - alpha_m) * a[k] + alpha_m * a_old[k]
        r[k] -= (1.0 - alpha_f) * vdot[k] + alpha_f * f_old[k]
    return status


@border(STEPPING)
def advance(work, sizes, t, h, q, v):
    """Newton for a; a_n and v'_n are the integrator's memory."""
    n = sizes[NV]
    start = 6 * max(sizes[NQ], n)
    A = scratch_matrix(work, sizes, INTEGRATOR_SCRATCH, start, n, n)
    start += n * n
    order = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start, n)
    a = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + n, n)
    a_old = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 2 * n, n)
    f_old = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 3 * n, n)
    r = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 4 * n, n)
    r_moved = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 5 * n, n)
    stage_v = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 6 * n, n)
    accepted = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 7 * n, n)
    stage_q = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 8 * n, sizes[NQ])
    memory = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 8 * n + sizes[NQ], 2)
    # The rates at the accepted state: a method may have moved it since the last step.
    status = rates(
        work,
        sizes,
        t,
        h,
        q,
        v,
        vector(work, sizes, QDOT, NQ),
        f_old,
        vector(work, sizes, LAM, ROWS),
    )
    if status != OK:
        return status
    for k in range(n):
        a_old[k] = accepted[k] if memory[1] == 1.0 else f_old[k]
        a[k] = a_old[k]
    renewals = 0
    before = 1e300
    for _iteration in range(CAP):
        status = defect(work, sizes, t, h, q, v, a_old, f_old, a, stage_q, stage_v, r)
        if status != OK:
            return status
        if sizes[INTEGRATOR_FLAG] == 0 or abs(memory[0] - h) > 1e-6 * h:
            for j in range(n):
                kept = a[j]
                # A width that moves the state by about 1e-7, as far as a allows.
                width = 1e-6 / h * max(work[sizes[LENGTH]], abs(v[j]))
                a[j] = kept + width
                status = defect(work, sizes, t, h, q, v, a_old, f_old, a, stage_q, stage_v, r_moved)
                a[j] = kept
                if status != OK:
                    return status
                for i in range(n):
                    A[i, j] = (r_moved[i] - r[i]) / width
            if lu_factor(n, A, 1e-18, order) >= 0:
                return NO_CONVERGENCE
            sizes[INTEGRATOR_FLAG] = 1
            memory[0] = h
            renewals += 1
        lu_solve(n, A, order, r)
        moved = 0.0
        scale = work[sizes[LENGTH]]
        for k in range(n):
            a[k] -= r[k]
            moved = max(moved, abs(r[k]))
            scale = max(scale, abs(a[k]), abs(v[k]) / h)
        sizes[ITERATIONS] += 1
        # Done, or no further gain: by rounding, which a stiff force amplifies.
        stalled = not moved < 0.3 * before
        limit = NOISE if renewals > 1 else 1e-12
        if moved <= 1e-15 * scale or (moved <= limit * scale and stalled):
            _alpha_m, _alpha_f, beta, gamma = coefficients(work, sizes)
            state_of(work, sizes, h, q, v, a_old, a, beta, gamma, stage_q, stage_v)
            for i in range(sizes[NQ]):
                q[i] = stage_q[i]
            for k in range(n):
                v[k] = stage_v[k]
                accepted[k] = a[k]
            memory[1] = 1.0
            return OK
        if stalled:
            sizes[INTEGRATOR_FLAG] = 0
        before = moved
    return NO_CONVERGENCE


@dataclass(frozen=True)
class GeneralizedAlpha(Integrator):
    """Second order with controlled damping.

    Parameters
    ----------
    spectral_radius : float   rho at infinite frequency, 0 (most damping) to 1 (none)
    """

    spectral_radius: float = 0.8

    order = 2
    explicit = False
    uses_matrices = True
    advance = advance

    def __post_init__(self) -> None:
        if not 0.0 <= self.spectral_radius <= 1.0:
            raise OptionError(
                f"GeneralizedAlpha: spectral_radius is {self.spectral_radius!r}. "
                "Give a number from 0 to 1."
            )

    def options(self, length: float) -> list[float]:
        return [self.spectral_radius]

    def scratch(self, nq: int, nv: int, rows: int) -> int:
        return hermite_scratch(nq, nv) + nv * nv + 8 * nv + nq + 2

    def refuse(self, method):
        name = type(method).__name__
        if method.moves_rates:
            return (
                f"{name} corrects q' separately from v, which generalized-alpha has no place for. "
                "Use Projection with generalized-alpha, or another integrator."
            )
        if method.order == 1:
            return (
                f"{name} takes v* from the unconstrained system and replaces the position "
                "afterwards; an implicit step gains nothing. Use SemiImplicitEuler or RK4."
            )
        return None
