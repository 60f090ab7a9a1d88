"""Implicit midpoint rule: x_m = x + h/2 x'(t + h/2, x_m), then x <- 2 x_m - x.

Second order, symplectic, stable for any step on stable problems. The midpoint is found by
simplified Newton steps with a difference matrix of the rates, kept from step to step and renewed
when they stop contracting; the matrix affects the number of iterations only, not the result.
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert.integration.protocol import Integrator, hermite_scratch
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.system.borders import NO_CONVERGENCE, OK, STEPPING, rates
from dalembert.system.layout import (
    INTEGRATOR_FLAG,
    INTEGRATOR_SCRATCH,
    ITERATIONS,
    LAM,
    LENGTH,
    NQ,
    NV,
    QDOT,
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
def stage_defect(work, sizes, t, h, q, v, x, r):
    """r = x - (q, v) - h/2 x'(t + h/2, x)."""
    nq, nv = sizes[NQ], sizes[NV]
    qdot = vector(work, sizes, QDOT, NQ)
    vdot = vector(work, sizes, VDOT, NV)
    lam = vector(work, sizes, LAM, ROWS)
    status = rates(work, sizes, t + 0.5 * h, h, x[:nq], x[nq:], qdot, vdot, lam)
    for i in range(nq):
        r[i] = x[i] - q[i] - 0.5 * h * qdot[i]
    for k in range(nv):
        r[nq + k] = x[nq + k] - v[k] - 0.5 * h * vdot[k]
    return status


@kernel
def difference_matrix(work, sizes, t, h, q, v, x, r, r_moved, A, order):
    """A = dr/dx by forward differences, factored."""
    n = sizes[NQ] + sizes[NV]
    for j in range(n):
        kept = x[j]
        width = 1e-7 * max(work[sizes[LENGTH]], abs(kept))
        x[j] = kept + width
        status = stage_defect(work, sizes, t, h, q, v, x, r_moved)
        x[j] = kept
        if status != OK:
            return status
        for i in range(n):
            A[i, j] = (r_moved[i] - r[i]) / width
    if lu_factor(n, A, 1e-18, order) >= 0:
        return NO_CONVERGENCE
    return OK


@border(STEPPING)
def advance(work, sizes, t, h, q, v):
    """Solve for the midpoint, step over it."""
    nq, nv = sizes[NQ], sizes[NV]
    n = nq + nv
    start = 6 * max(nq, nv)
    A = scratch_matrix(work, sizes, INTEGRATOR_SCRATCH, start, n, n)
    start += n * n
    order = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start, n)
    x = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + n, n)
    r = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 2 * n, n)
    r_moved = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 3 * n, n)
    step_of_matrix = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 4 * n, 1)
    # From the state itself: on a stiff problem the explicit prediction is far off.
    scale = work[sizes[LENGTH]]
    for i in range(nq):
        x[i] = q[i]
        scale = max(scale, abs(q[i]))
    for k in range(nv):
        x[nq + k] = v[k]
        scale = max(scale, abs(v[k]))
    renewals = 0
    before = 1e300
    for _iteration in range(CAP):
        status = stage_defect(work, sizes, t, h, q, v, x, r)
        if status != OK:
            return status
        if sizes[INTEGRATOR_FLAG] == 0 or abs(step_of_matrix[0] - h) > 1e-6 * h:
            status = difference_matrix(work, sizes, t, h, q, v, x, r, r_moved, A, order)
            if status != OK:
                return status
            sizes[INTEGRATOR_FLAG] = 1
            step_of_matrix[0] = h
            renewals += 1
        lu_solve(n, A, order, r)
        moved = 0.0
        for i in range(n):
            x[i] -= r[i]
            moved = max(moved, abs(r[i]))
        sizes[ITERATIONS] += 1
        # Done, or no further gain: by rounding, which a stiff force amplifies.
        stalled = not moved < 0.3 * before
        limit = NOISE if renewals > 1 else 1e-13
        if moved <= 4e-16 * scale or (moved <= limit * scale and stalled):
            for i in range(nq):
                q[i] = 2.0 * x[i] - q[i]
            for k in range(nv):
                v[k] = 2.0 * x[nq + k] - v[k]
            return OK
        if stalled:
            sizes[INTEGRATOR_FLAG] = 0
        before = moved
    return NO_CONVERGENCE


@dataclass(frozen=True)
class ImplicitMidpoint(Integrator):
    """Second order, symplectic, implicit.

    Stable for any step on stable problems. Choose it for stiff and for long conservative runs.
    """

    order = 2
    explicit = False
    uses_matrices = True
    advance = advance

    def scratch(self, nq: int, nv: int, rows: int) -> int:
        n = nq + nv
        return hermite_scratch(nq, nv) + n * n + 4 * n + 1

    def refuse(self, method):
        if method.order == 1:
            return (
                f"{type(method).__name__} takes v* from the unconstrained system and replaces the "
                "position afterwards; an implicit step gains nothing. Use SemiImplicitEuler or RK4."
            )
        return None
