"""Stabilised index 2 (Gear, Gupta, Leimkuhler) with the two-step backward formula.

    M (q' - v) = J^T mu,   M v' = Q + J^T lam,   Phi = 0,   J v + Phi_t = 0   (physics 5.10)

Gear, Gupta & Leimkuhler (1985) write q' - v = J^T mu; the mass-weighted form makes mu an impulse.
q' and v' are replaced by c0 x + (history), BDF2 with an implicit Euler first step; all unknowns
z = (q, v, lam, mu) by Newton with exact derivatives (terms proportional to mu and q' - v, which
vanish with the step, are left out of the matrix). On bodies q' of a quaternion is the backward
difference of its four entries, and q' - v the angular velocity in it less w.

Second order, both levels at rounding, damps what the step does not resolve. Choose it for stiff
systems with independent rows.
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.motion import accelerate, displace, quaternion_places, velocity_of
from dalembert.mechanics.ratios import scale_of
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.system.borders import (
    NO_CONVERGENCE,
    OK,
    RANK_DEFICIENT,
    STEPPING,
    evaluate,
    tangent,
)
from dalembert.system.layout import (
    DAMPING,
    FORCE,
    HOLONOMIC,
    ITERATIONS,
    JACOBIAN,
    JACOBIAN_DOT,
    LAM,
    MASS,
    MEMORY,
    METHOD_SCRATCH,
    NQ,
    NV,
    PHI,
    PHI_DOT,
    QDOT,
    QUATERNIONS,
    ROWS,
    STIFFNESS,
    VDOT,
    matrix,
    scratch_matrix,
    scratch_vector,
    vector,
)

CAP = 15
"""Newton steps allowed; about four are usual."""

SINGULAR = 0.0
"""Pivot over largest entry that counts as zero. Multiplier pivots are small by nature: of the order
of the step over a mass, and of its product with a squared singular value near a singular position.
"""


@kernel
def differences(sizes, c0, q, q_past, qdot_out, u_out):
    """q' = c0 q + (history), and u of q' = N(q) u."""
    for i in range(sizes[NQ]):
        qdot_out[i] = c0 * q[i] + q_past[i]
    velocity_of(sizes, q, qdot_out, u_out)


@kernel
def turn_differences(work, sizes, c0, q, qdot, u, Z):
    """M du/dq of rotations: where q turns by d, u changes by c d + 1/2 d x u.

    From u = 2 Im(q' q*) with q' = c0 q + (history), c = c0 - Re(q' q*); q is a unit.
    """
    M = matrix(work, sizes, MASS, NV, NV)
    for b in range(sizes[QUATERNIONS]):
        i, k = quaternion_places(sizes, b)
        c = c0
        for j in range(4):
            c -= qdot[i + j] * q[i + j]
        x, y, z = 0.5 * u[k], 0.5 * u[k + 1], 0.5 * u[k + 2]
        for r in range(sizes[NV]):
            m0, m1, m2 = M[r, k], M[r, k + 1], M[r, k + 2]
            Z[r, k] = c * m0 - z * m1 + y * m2
            Z[r, k + 1] = z * m0 + c * m1 - x * m2
            Z[r, k + 2] = -y * m0 + x * m1 + c * m2


@kernel
def newton_matrix(work, sizes, c0, Z):
    """Derivative of the residual with respect to (q, v, lam, mu)."""
    n, m, mh = sizes[NV], sizes[ROWS], sizes[HOLONOMIC]
    size = 2 * n + m + mh
    M = matrix(work, sizes, MASS, NV, NV)
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    Jdot = matrix(work, sizes, JACOBIAN_DOT, ROWS, NV)
    K = matrix(work, sizes, STIFFNESS, NV, NV)
    D = matrix(work, sizes, DAMPING, NV, NV)
    for i in range(size):
        for j in range(size):
            Z[i, j] = 0.0
    for i in range(n):
        for j in range(n):
            mass = M[i, j] if j <= i else M[j, i]
            Z[i, j] = c0 * mass
            Z[i, n + j] = -mass
            Z[n + i, j] = K[i, j]
            Z[n + i, n + j] = c0 * mass + D[i, j]
        for k in range(m):
            Z[n + i, 2 * n + k] = -J[k, i]
        for k in range(mh):
            Z[i, 2 * n + m + k] = -J[k, i]
    for k in range(mh):
        for j in range(n):
            Z[2 * n + k, j] = J[k, j]
    for k in range(m):
        for j in range(n):
            Z[2 * n + mh + k, j] = Jdot[k, j]
            Z[2 * n + mh + k, n + j] = J[k, j]


@kernel
def newton_residual(work, sizes, c0, u, v, v_past, lam, mu, r):
    """Minus the residual of the four equations."""
    n, m, mh = sizes[NV], sizes[ROWS], sizes[HOLONOMIC]
    M = matrix(work, sizes, MASS, NV, NV)
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    force = vector(work, sizes, FORCE, NV)
    phi = vector(work, sizes, PHI, ROWS)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    for i in range(n):
        first, second = 0.0, force[i]
        for j in range(n):
            mass = M[i, j] if j <= i else M[j, i]
            first -= mass * (u[j] - v[j])
            second -= mass * (c0 * v[j] + v_past[j])
        for k in range(mh):
            first += J[k, i] * mu[k]
        for k in range(m):
            second += J[k, i] * lam[k]
        r[i] = first
        r[n + i] = second
    for k in range(mh):
        r[2 * n + k] = -phi[k]
    for k in range(m):
        r[2 * n + mh + k] = -phi_dot[k]


@border(STEPPING)
def advance(work, sizes, t, h, q, v):
    """One backward step; the previous two states are the method's memory."""
    n, m, mh = sizes[NV], sizes[ROWS], sizes[HOLONOMIC]
    nq = sizes[NQ]
    size = 2 * n + m + mh
    Z = scratch_matrix(work, sizes, METHOD_SCRATCH, 0, size, size)
    start = size * size
    order = scratch_vector(work, sizes, METHOD_SCRATCH, start, size)
    x = scratch_vector(work, sizes, METHOD_SCRATCH, start + size, size)
    start += 2 * size
    mu = scratch_vector(work, sizes, METHOD_SCRATCH, start, mh)
    start += m
    u = scratch_vector(work, sizes, METHOD_SCRATCH, start, n)
    v_past = scratch_vector(work, sizes, METHOD_SCRATCH, start + n, n)
    v_old = scratch_vector(work, sizes, METHOD_SCRATCH, start + 2 * n, n)
    start += 3 * n
    q_past = scratch_vector(work, sizes, METHOD_SCRATCH, start, nq)
    q_old = scratch_vector(work, sizes, METHOD_SCRATCH, start + nq, nq)
    step_old = scratch_vector(work, sizes, METHOD_SCRATCH, start + 2 * nq, 1)
    qdot = vector(work, sizes, QDOT, NQ)
    lam = vector(work, sizes, LAM, ROWS)
    a = vector(work, sizes, VDOT, NV)
    if sizes[MEMORY] == 0:
        status = accelerate(work, sizes, t, q, v, a, lam)
        if status != OK:
            return status
        for k in range(mh):
            mu[k] = 0.0
        # Implicit Euler: x' = (x - x_n) / h
        c0 = 1.0 / h
        for i in range(nq):
            q_past[i] = -q[i] / h
        for k in range(n):
            v_past[k] = -v[k] / h
    else:
        # BDF2 for the step ratio w = h / h_old; constant step: (3/2 x - 2 x_n + 1/2 x_n-1) / h
        w = h / step_old[0]
        c0 = (1.0 + 2.0 * w) / (1.0 + w) / h
        c1 = -(1.0 + w) / h
        c2 = w * w / (1.0 + w) / h
        for i in range(nq):
            q_past[i] = c1 * q[i] + c2 * q_old[i]
        for k in range(n):
            v_past[k] = c1 * v[k] + c2 * v_old[k]
    for i in range(nq):
        q_old[i] = q[i]
    for k in range(n):
        v_old[k] = v[k]
        x[k] = h * v[k] + 0.5 * h * h * a[k]
        v[k] += h * a[k]
    displace(sizes, 1.0, x, q)
    step_old[0] = h
    before = 1e300
    for _iteration in range(CAP):
        evaluate(work, sizes, t + h, q, v)
        for k in range(n):
            a[k] = c0 * v[k] + v_past[k]
        tangent(work, sizes, t + h, q, v)
        differences(sizes, c0, q, q_past, qdot, u)
        newton_residual(work, sizes, c0, u, v, v_past, lam, mu, x)
        newton_matrix(work, sizes, c0, Z)
        turn_differences(work, sizes, c0, q, qdot, u, Z)
        if lu_factor(size, Z, SINGULAR, order) >= 0:
            return RANK_DEFICIENT
        lu_solve(size, Z, order, x)
        moved = 0.0
        displace(sizes, 1.0, x, q)
        for k in range(n):
            v[k] += x[n + k]
            moved = max(moved, abs(x[k]), h * abs(x[n + k]))
        for k in range(m):
            lam[k] += x[2 * n + k]
        for k in range(mh):
            mu[k] += x[2 * n + m + k]
        sizes[ITERATIONS] += 1
        scale = scale_of(work, sizes, nq, q)
        if moved <= 1e-14 * scale or (moved <= 1e-11 * scale and not moved < 0.5 * before):
            sizes[MEMORY] = 1
            for k in range(n):
                a[k] = c0 * v[k] + v_past[k]
            return OK
        before = moved
    return NO_CONVERGENCE


@dataclass(frozen=True)
class IndexTwo(Method):
    """Gear-Gupta-Leimkuhler form with BDF2.

    Brings its own integrator, of second order; both levels are met to rounding. Choose it for stiff
    systems with independent rows.
    """

    uses_matrices = True
    levels = frozenset({"position", "velocity"})
    drift = "machine"
    redundant = False
    order = 2
    needs_tangent = True
    advance = advance

    def scratch(self, nq: int, nv: int, holonomic: int, rows: int) -> int:
        size = 2 * nv + rows + holonomic
        return size * size + 2 * size + rows + 3 * nv + 2 * nq + 1
