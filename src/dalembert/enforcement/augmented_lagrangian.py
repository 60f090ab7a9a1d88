"""Augmented Lagrangian with mass-orthogonal projections, on the trapezoidal rule.

With v = 2/h q + v^, a = 4/h^2 q + a^ (trapezoidal) and M a + J^T lam* = Q,

    W dq = -h^2/4 [M a - Q + J^T (lam* + alpha Phi)],    lam* <- lam* + alpha Phi
    W = M + h/2 D + h^2/4 (K + alpha J^T J)

until dq is rounding, then v and a are cleaned with P = M + h^2/4 alpha J^T J:

    v <- v - P^-1 h^2/4 alpha J^T (J v + Phi_t),   a <- a - P^-1 h^2/4 alpha J^T (J a - rhs_a)

Bayo & Ledesma (1996); physics 5.9. The penalty must scale with the step: alpha h^2/4 is `penalty`
times the largest mass, divided by the square of the row's size so that a constraint may be
written in any unit. K and D are exact derivatives of the residual (the source drops them where
absent). The multiplier reported is lam = -lam*. On bodies q stands for the displacement from q_n,
rotations by their logarithm.

Second order, rounding on all levels, welcomes dependent rows and singular positions. Choose it for
stiff loads with a moderate step.
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert.enforcement.protocol import Method, require_positive
from dalembert.mechanics.motion import accelerate, displace, place_from
from dalembert.mechanics.projection import ACCEPTABLE, learn_rounding
from dalembert.mechanics.ratios import scale_of, worst_ratio
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.system.borders import NO_CONVERGENCE, OK, STEPPING, evaluate, tangent
from dalembert.system.layout import (
    DAMPING,
    FORCE,
    HOLONOMIC,
    ITERATIONS,
    JACOBIAN,
    LAM,
    MASS,
    MEMORY,
    METHOD_SCRATCH,
    NQ,
    NV,
    OPTIONS,
    OPTIONS_LENGTH,
    PHI,
    PHI_DOT,
    RHS_A,
    ROW_SIZE,
    ROW_TOLERANCE,
    ROWS,
    STIFFNESS,
    VDOT,
    matrix,
    scratch_matrix,
    scratch_vector,
    vector,
)

CAP = 30
"""Iterations allowed in a step; two to six are usual."""


@kernel
def assemble(work, sizes, h, alpha, with_tangent, W):
    """W = M + h^2/4 alpha J^T J (+ h/2 D + h^2/4 K), full matrix."""
    n, m = sizes[NV], sizes[ROWS]
    M = matrix(work, sizes, MASS, NV, NV)
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    K = matrix(work, sizes, STIFFNESS, NV, NV)
    D = matrix(work, sizes, DAMPING, NV, NV)
    size = vector(work, sizes, ROW_SIZE, ROWS)
    for k in range(n):
        for j in range(n):
            total = 0.0
            for i in range(m):
                total += J[i, k] * J[i, j] / (size[i] * size[i])
            total = (M[k, j] if j <= k else M[j, k]) + 0.25 * h * h * alpha * total
            if with_tangent:
                total += 0.5 * h * D[k, j] + 0.25 * h * h * K[k, j]
            W[k, j] = total


@border(STEPPING)
def advance(work, sizes, t, h, q, v):
    """One step of the trapezoidal rule with multipliers, then the two projections."""
    n, m = sizes[NV], sizes[ROWS]
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    M = matrix(work, sizes, MASS, NV, NV)
    force = vector(work, sizes, FORCE, NV)
    phi = vector(work, sizes, PHI, ROWS)
    a = vector(work, sizes, VDOT, NV)
    lam = vector(work, sizes, LAM, ROWS)
    W = scratch_matrix(work, sizes, METHOD_SCRATCH, 0, n, n)
    order = scratch_vector(work, sizes, METHOD_SCRATCH, n * n, n)
    x = scratch_vector(work, sizes, METHOD_SCRATCH, n * n + n, n)
    v_hat = scratch_vector(work, sizes, METHOD_SCRATCH, n * n + 2 * n, n)
    a_hat = scratch_vector(work, sizes, METHOD_SCRATCH, n * n + 3 * n, n)
    # LAM keeps the multipliers of the last step for K: those on the way are far too large.
    size = vector(work, sizes, ROW_SIZE, ROWS)
    trial = scratch_vector(work, sizes, METHOD_SCRATCH, n * n + 4 * n, m)
    # Where the bodies are, as displacements from q_n; formula coordinates as they are.
    place = scratch_vector(work, sizes, METHOD_SCRATCH, n * n + 4 * n + m, n)
    origin = scratch_vector(work, sizes, METHOD_SCRATCH, n * n + 5 * n + m, sizes[NQ])
    if sizes[MEMORY] == 0:
        status = accelerate(work, sizes, t, q, v, a, lam)
        if status != OK:
            return status
        sizes[MEMORY] = 1
    evaluate(work, sizes, t, q, v)
    heaviest = 0.0
    for k in range(n):
        heaviest = max(heaviest, M[k, k])
    alpha = vector(work, sizes, OPTIONS, OPTIONS_LENGTH)[0] * heaviest * 4.0 / (h * h)
    for i in range(sizes[NQ]):
        origin[i] = q[i]
    place_from(sizes, origin, q, place)
    for k in range(n):
        v_hat[k] = -(2.0 / h * place[k] + v[k])
        a_hat[k] = -(4.0 / (h * h) * place[k] + 4.0 / h * v[k] + a[k])
        x[k] = h * v[k] + 0.5 * h * h * a[k]
    displace(sizes, 1.0, x, q)
    for i in range(m):
        trial[i] = lam[i]
    for iteration in range(CAP):
        place_from(sizes, origin, q, place)
        for k in range(n):
            v[k] = 2.0 / h * place[k] + v_hat[k]
            a[k] = 4.0 / (h * h) * place[k] + a_hat[k]
        evaluate(work, sizes, t + h, q, v)
        # lam* <- lam* + alpha Phi at the position just found (kept as -lam*)
        if iteration > 0:
            for i in range(m):
                trial[i] -= alpha * phi[i] / (size[i] * size[i])
        tangent(work, sizes, t + h, q, v)
        assemble(work, sizes, h, alpha, True, W)
        for k in range(n):
            total = force[k]
            for j in range(n):
                total -= (M[k, j] if j <= k else M[j, k]) * a[j]
            for i in range(m):
                total += J[i, k] * (trial[i] - alpha * phi[i] / (size[i] * size[i]))
            x[k] = 0.25 * h * h * total
        if lu_factor(n, W, 1e-18, order) >= 0:
            return NO_CONVERGENCE
        lu_solve(n, W, order, x)
        moved = 0.0
        displace(sizes, 1.0, x, q)
        for k in range(n):
            moved = max(moved, abs(x[k]))
        sizes[ITERATIONS] += 1
        if moved <= 1e-14 * scale_of(work, sizes, sizes[NQ], q):
            break
    tolerance = vector(work, sizes, ROW_TOLERANCE, ROWS)
    for i in range(m):
        lam[i] = trial[i]
    place_from(sizes, origin, q, place)
    for k in range(n):
        v[k] = 2.0 / h * place[k] + v_hat[k]
        a[k] = 4.0 / (h * h) * place[k] + a_hat[k]
    evaluate(work, sizes, t + h, q, v)
    learn_rounding(work, sizes, q)
    ratio = worst_ratio(sizes[HOLONOMIC], phi, tolerance, 1.0)
    if not ratio <= ACCEPTABLE:
        return NO_CONVERGENCE
    return clean(work, sizes, t + h, h, alpha, q, v, a, W, order, x)


@kernel
def clean(work, sizes, t, h, alpha, q, v, a, W, order, x):
    """Mass-orthogonal projections of velocity and acceleration, three passes each."""
    n, m = sizes[NV], sizes[ROWS]
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    rhs_a = vector(work, sizes, RHS_A, ROWS)
    size = vector(work, sizes, ROW_SIZE, ROWS)
    assemble(work, sizes, h, alpha, False, W)
    if lu_factor(n, W, 1e-18, order) >= 0:
        return NO_CONVERGENCE
    for _pass in range(3):
        for k in range(n):
            total = 0.0
            for i in range(m):
                total -= J[i, k] * phi_dot[i] / (size[i] * size[i])
            x[k] = 0.25 * h * h * alpha * total
        lu_solve(n, W, order, x)
        for k in range(n):
            v[k] += x[k]
        for i in range(m):
            for k in range(n):
                phi_dot[i] += J[i, k] * x[k]
    evaluate(work, sizes, t, q, v)
    for _pass in range(3):
        for k in range(n):
            total = 0.0
            for i in range(m):
                defect = -rhs_a[i]
                for j in range(n):
                    defect += J[i, j] * a[j]
                total -= J[i, k] * defect / (size[i] * size[i])
            x[k] = 0.25 * h * h * alpha * total
        lu_solve(n, W, order, x)
        for k in range(n):
            a[k] += x[k]
    return OK


@dataclass(frozen=True)
class AugmentedLagrangian(Method):
    """Trapezoidal rule with augmented multipliers and mass-orthogonal projections.

    Parameters
    ----------
    penalty : float   alpha h^2/4 as a multiple of the largest mass
    """

    penalty: float = 1e7

    uses_matrices = True
    levels = frozenset({"position", "velocity", "acceleration"})
    drift = "machine"
    order = 2
    velocity_rows = False
    needs_tangent = True
    advance = advance

    def __post_init__(self) -> None:
        require_positive("AugmentedLagrangian", "penalty", self.penalty)

    def options(self) -> list[float]:
        return [self.penalty]

    def scratch(self, nq: int, nv: int, holonomic: int, rows: int) -> int:
        return nv * nv + 5 * nv + rows + nq
