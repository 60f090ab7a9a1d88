"""Stabilised index 2 (Gear, Gupta, Leimkuhler) with backward differences.

    M (q' - v) = J^T mu,   M v' = Q + J^T lam,   Phi = 0,   J v + Phi_t = 0   (methods 6.3)

Gear, Gupta & Leimkuhler (1985) write q' - v = J^T mu; the mass-weighted form makes mu an impulse.
q' and v' are replaced by c0 x + (history): BDF2 with an implicit Euler first step, or what the
integrator `BDF` knows of the past. All unknowns z = (q, v, lam, mu) by Newton with exact
derivatives (terms proportional to mu and q' - v, which vanish with the step, are left out of the
matrix). On bodies q' of a quaternion is the backward difference of its four entries, and q' - v the
angular velocity in it less w.

Second order alone, both levels at rounding, damps what the step does not resolve; dependent rows
and singular positions by a matrix that stays regular. Choose it for stiff systems.
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert._memory import Part, over
from dalembert._records import Matrix, Numbers
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.dense import CONTINUED_TOLERANCE
from dalembert.mechanics.motion import accelerate, displace, quaternion_places, velocity_of
from dalembert.mechanics.residual_scale import scale_of
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.numerics.vector import copy, symmetric
from dalembert.system.borders import (
    BACKWARD,
    NO_CONVERGENCE,
    OK,
    RANK_DEFICIENT,
    STEPPING,
    evaluate,
    factor,
    normalise,
    tangent,
)
from dalembert.system.state_layout import State

CAP = 40
"""Newton steps allowed; about four are usual."""

SINGULAR = 0.0
"""Pivot over largest entry that counts as zero. Multiplier pivots are small by nature: of the order
of the step over a mass, and of its product with a squared singular value near a singular position.
"""

SLACK = 1e-12
"""Share of W that is added to it in the matrix of Newton's method (methods 6.3): the square of the
relative singular value below which a direction of the rows is continued rather than solved for."""

VANISHING = 1e-6
"""Part of the largest diagonal of W, and of M^-1, below which a row is rounding, such as one that
repeats joints of a tree."""

CLOSE = 1e-7
"""Relative change with which a step may end next to a singular position."""


class Room(Part, of=State):
    """Scratch of the method."""

    Z: Matrix = over("2 * nv + rows + holonomic", "2 * nv + rows + holonomic")
    order: Numbers = over("2 * nv + rows + holonomic")  # of the pivots of Z
    x: Numbers = over("2 * nv + rows + holonomic")  # change of (q, v, lam, mu)
    mu: Numbers = over("rows")
    u: Numbers = over("nv")  # of q' = N u
    lam_before: Numbers = over("rows")
    mu_before: Numbers = over("rows")
    v_past: Numbers = over("nv")  # v' = c0 v + v_past
    v_old: Numbers = over("nv")  # of the step before
    q_past: Numbers = over("nq")
    q_old: Numbers = over("nq")
    step_old: float


@border(STEPPING)
def advance(state: State, t, h, q, v):
    """One backward step; the previous two states are the method's memory."""
    own, a = Room(state, state.method_scratch), state.vdot
    if state.memory == 0:
        status = accelerate(state, t, q, v, a, state.lam)
        if status != OK:
            return status
    c0 = look_back(state, h, q, v)
    copy(q, own.q_old)
    copy(v, own.v_old)
    for k in range(state.nv):
        own.x[k] = h * v[k] + 0.5 * h * h * a[k]
        v[k] += h * a[k]
    displace(state, 1.0, own.x, q)
    own.step_old = h
    status = iterate(state, t + h, c0, q, v)
    if status == OK:
        for k in range(state.nv):
            a[k] = c0 * v[k] + own.v_past[k]
    return status


@border(BACKWARD)
def backward(state: State, t, h, q_past, v_past, q, v):
    """State at t, of a step whose history an integrator knows."""
    own = Room(state, state.method_scratch)
    copy(q_past, own.q_past)
    copy(v_past, own.v_past)
    normalise(state, q)
    return iterate(state, t, 1.0 / h, q, v)


@kernel
def iterate(state: State, t, c0, q, v):
    """Newton's method for (q, v, lam, mu) at t, with x' = c0 x + (history)."""
    own = Room(state, state.method_scratch)
    if state.memory == 0:
        for k in range(state.holonomic):
            own.mu[k] = 0.0
    copy(state.lam, own.lam_before)
    copy(own.mu, own.mu_before)
    near_before = state.near_count
    evaluate(state, t, q, v)
    status = factor(state, CONTINUED_TOLERANCE)
    if status != OK:
        return status
    enough = CLOSE if state.near_count > near_before else 1e-11
    before = 1e300
    for _iteration in range(CAP):
        if newton_step(state, t, c0, q, v) != OK:
            status = RANK_DEFICIENT
            break
        moved = 0.0
        for k in range(state.nv):
            moved = max(moved, abs(own.x[k]), abs(own.x[state.nv + k]) / c0)
        state.iterations += 1
        scale = scale_of(state, state.nq, q)
        if moved <= 1e-14 * scale or (moved <= enough * scale and not moved < 0.5 * before):
            state.memory = 1
            return OK
        if not moved < 1e300:
            break
        before = moved
    copy(own.lam_before, state.lam)
    copy(own.mu_before, own.mu)
    return NO_CONVERGENCE if status == OK else status


@kernel
def look_back(state: State, h, q, v):
    """c0 and the history of x' = c0 x + (history), by one or two states before."""
    own = Room(state, state.method_scratch)
    if state.memory == 0:
        # Implicit Euler: x' = (x - x_n) / h
        for i in range(state.nq):
            own.q_past[i] = -q[i] / h
        for k in range(state.nv):
            own.v_past[k] = -v[k] / h
        return 1.0 / h
    # BDF2 for the step ratio w = h / h_old; constant step: (3/2 x - 2 x_n + 1/2 x_n-1) / h
    w = h / own.step_old
    c1 = -(1.0 + w) / h
    c2 = w * w / (1.0 + w) / h
    for i in range(state.nq):
        own.q_past[i] = c1 * q[i] + c2 * own.q_old[i]
    for k in range(state.nv):
        own.v_past[k] = c1 * v[k] + c2 * own.v_old[k]
    return (1.0 + 2.0 * w) / (1.0 + w) / h


@kernel
def newton_step(state: State, t, c0, q, v):
    """Solve the linearised equations, and change (q, v, lam, mu) by what they say."""
    own, n, m = Room(state, state.method_scratch), state.nv, state.rows
    evaluate(state, t, q, v)
    for k in range(n):
        state.vdot[k] = c0 * v[k] + own.v_past[k]
    tangent(state, t, q, v)
    for i in range(state.nq):
        state.qdot[i] = c0 * q[i] + own.q_past[i]
    velocity_of(state, q, state.qdot, own.u)
    newton_residual(state, c0, v)
    newton_matrix(state, c0)
    turn_differences(state, c0, q)
    if lu_factor(len(own.x), own.Z, SINGULAR, own.order) >= 0:
        return RANK_DEFICIENT
    lu_solve(len(own.x), own.Z, own.order, own.x)
    displace(state, 1.0, own.x, q)
    for k in range(n):
        v[k] += own.x[n + k]
    for k in range(m):
        state.lam[k] += own.x[2 * n + k]
    for k in range(state.holonomic):
        own.mu[k] += own.x[2 * n + m + k]
    return OK


@kernel
def newton_residual(state: State, c0, v):
    """x: minus the residual of the four equations."""
    own, n, m, mh = Room(state, state.method_scratch), state.nv, state.rows, state.holonomic
    M, J, force, lam = state.mass, state.jacobian, state.force, state.lam
    x, u, mu, v_past = own.x, own.u, own.mu, own.v_past
    for i in range(n):
        first, second = 0.0, force[i]
        for j in range(n):
            mass = symmetric(M, i, j)
            first -= mass * (u[j] - v[j])
            second -= mass * (c0 * v[j] + v_past[j])
        for k in range(mh):
            first += J[k, i] * mu[k]
        for k in range(m):
            second += J[k, i] * lam[k]
        x[i] = first
        x[n + i] = second
    for k in range(mh):
        x[2 * n + k] = -state.phi[k]
    for k in range(m):
        x[2 * n + mh + k] = -state.phi_dot[k]


@kernel
def newton_matrix(state: State, c0):
    """Z: derivative of the residual with respect to (q, v, lam, mu)."""
    Z, n, m, mh = Room(state, state.method_scratch).Z, state.nv, state.rows, state.holonomic
    M, J, K, D = state.mass, state.jacobian, state.stiffness, state.damping
    Jdot = state.jacobian_dot
    size = 2 * n + m + mh
    for i in range(size):
        for j in range(size):
            Z[i, j] = 0.0
    for i in range(n):
        for j in range(n):
            mass = symmetric(M, i, j)
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
    add_slack(state, c0)


@kernel
def add_slack(state: State, c0):
    """A share of the diagonal of W = J M^-1 J^T in Z; of rows that vanish, of what W may be."""
    own, n, m = Room(state, state.method_scratch), state.nv, state.rows
    M, J = state.mass, state.jacobian
    W, Z, largest = state.solve_b, own.Z, 0.0
    for j in range(n):
        if M[j, j] > 0.0:
            largest = max(largest, 1.0 / M[j, j])
    for k in range(m):
        W[k] = 0.0
        for j in range(n):
            if M[j, j] > 0.0:
                W[k] += J[k, j] * J[k, j] / M[j, j]
        largest = max(largest, W[k])
    for k in range(m):
        slack = SLACK * max(W[k], VANISHING * largest) / c0
        Z[2 * n + state.holonomic + k, 2 * n + k] = slack
        if k < state.holonomic:
            Z[2 * n + k, 2 * n + m + k] = slack


@kernel
def turn_differences(state: State, c0, q):
    """M du/dq of rotations in Z: where q turns by d, u changes by c d + 1/2 d x u.

    From u = 2 Im(q' q*) with q' = c0 q + (history), c = c0 - Re(q' q*); q is a unit.
    """
    own, M = Room(state, state.method_scratch), state.mass
    for b in range(state.quaternions):
        i, k = quaternion_places(state, b)
        c = c0
        for j in range(4):
            c -= state.qdot[i + j] * q[i + j]
        x, y, z = 0.5 * own.u[k], 0.5 * own.u[k + 1], 0.5 * own.u[k + 2]
        for r in range(state.nv):
            m0, m1, m2 = M[r, k], M[r, k + 1], M[r, k + 2]
            own.Z[r, k] = c * m0 - z * m1 + y * m2
            own.Z[r, k + 1] = z * m0 + c * m1 - x * m2
            own.Z[r, k + 2] = -y * m0 + x * m1 + c * m2


@dataclass(frozen=True)
class IndexTwo(Method):
    """Gear-Gupta-Leimkuhler form with BDF2, or with the integrator `BDF`.

    Alone it brings its own integrator, of second order and fixed step; both levels are met to
    rounding. Choose it for stiff systems.
    """

    uses_matrices = True
    levels = frozenset({"position", "velocity"})
    drift = "machine"
    order = 2
    needs_tangent = True
    advance = advance
    backward = backward

    def scratch(self, nq: int, nv: int, holonomic: int, rows: int) -> int:
        return Room.length(nq=nq, nv=nv, holonomic=holonomic, rows=rows)
