"""Augmented Lagrangian with mass-orthogonal projections, on the trapezoidal rule.

With v = 2/h q + v^, a = 4/h^2 q + a^ (trapezoidal) and M a + J^T lam* = Q,

    W dq = -h^2/4 [M a - Q + J^T (lam* + alpha Phi)],    lam* <- lam* + alpha Phi
    W = M + h/2 D + h^2/4 (K + alpha J^T J)

until dq is rounding, then v and a are cleaned with P = M + h^2/4 alpha J^T J:

    v <- v - P^-1 h^2/4 alpha J^T (J v + Phi_t),   a <- a - P^-1 h^2/4 alpha J^T (J a - rhs_a)

Bayo & Ledesma (1996); methods 6.2. The penalty must scale with the step: alpha h^2/4 is `penalty`
times the largest mass, divided by the square of the row's size so that a constraint may be
written in any unit. K and D are exact derivatives of the residual (the source drops them where
absent). The multiplier reported is lam = -lam*. On bodies q stands for the displacement from q_n,
rotations by their logarithm.

Second order, rounding on all levels, welcomes dependent rows and singular positions. Choose it for
stiff loads with a moderate step.
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert._memory import Part, over
from dalembert._records import Matrix, Numbers
from dalembert.enforcement.protocol import Method, require_positive
from dalembert.mechanics.motion import accelerate, displace, place_from
from dalembert.mechanics.projection import ACCEPTABLE, learn_rounding
from dalembert.mechanics.residual_scale import place_ratio, scale_of
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.numerics.vector import copy, symmetric
from dalembert.system.borders import NO_CONVERGENCE, OK, STEPPING, evaluate, tangent
from dalembert.system.state_layout import State

CAP = 30
"""Iterations allowed in a step; two to six are usual."""

CLOSE = 1e-7
"""Relative change with which they may end."""


class Options(Part, of=State):
    """Options of the method."""

    penalty: float


class Room(Part, of=State):
    """Scratch of the method."""

    W: Matrix = over("nv", "nv")
    order: Numbers = over("nv")  # of the pivots of W
    x: Numbers = over("nv")
    v_hat: Numbers = over("nv")
    a_hat: Numbers = over("nv")
    trial: Numbers = over("rows")  # -lam*; `lam` keeps those of the last step for K
    place: Numbers = over("nv")  # q as a displacement from q_n; formula coordinates as they are
    origin: Numbers = over("nq")  # q_n


@border(STEPPING)
def advance(state: State, t, h, q, v):
    """One step of the trapezoidal rule with multipliers, then the two projections."""
    own = Room(state, state.method_scratch)
    if state.memory == 0:
        status = accelerate(state, t, q, v, state.vdot, state.lam)
        if status != OK:
            return status
        state.memory = 1
    evaluate(state, t, q, v)
    heaviest = 0.0
    for k in range(state.nv):
        heaviest = max(heaviest, state.mass[k, k])
    alpha = Options(state, state.options).penalty * heaviest * 4.0 / (h * h)
    begin(state, h, q, v)
    if iterate(state, t + h, h, alpha, q, v) != OK:
        return NO_CONVERGENCE
    copy(own.trial, state.lam)
    follow(state, h, q, v)
    evaluate(state, t + h, q, v)
    learn_rounding(*state, q)
    if not place_ratio(state) <= ACCEPTABLE:
        return NO_CONVERGENCE
    return clean(state, t + h, h, alpha, q, v)


@kernel
def begin(state: State, h, q, v):
    """v^ and a^ of the step, and a first guess of its end from the last acceleration."""
    own, a = Room(state, state.method_scratch), state.vdot
    copy(q, own.origin)
    place_from(state, own.origin, q, own.place)
    for k in range(state.nv):
        own.v_hat[k] = -(2.0 / h * own.place[k] + v[k])
        own.a_hat[k] = -(4.0 / (h * h) * own.place[k] + 4.0 / h * v[k] + a[k])
        own.x[k] = h * v[k] + 0.5 * h * h * a[k]
    displace(state, 1.0, own.x, q)
    copy(state.lam, own.trial)


@kernel
def follow(state: State, h, q, v):
    """v = 2/h q + v^ and a = 4/h^2 q + a^."""
    own = Room(state, state.method_scratch)
    place_from(state, own.origin, q, own.place)
    for k in range(state.nv):
        v[k] = 2.0 / h * own.place[k] + own.v_hat[k]
        state.vdot[k] = 4.0 / (h * h) * own.place[k] + own.a_hat[k]


@kernel
def iterate(state: State, t, h, alpha, q, v):
    """Newton steps W dq = -h^2/4 [M a - Q + J^T (lam* + alpha Phi)] until dq is rounding."""
    own, size = Room(state, state.method_scratch), state.row_size
    moved = 0.0
    for iteration in range(CAP):
        follow(state, h, q, v)
        evaluate(state, t, q, v)
        # lam* <- lam* + alpha Phi at the position just found (kept as -lam*)
        if iteration > 0:
            for i in range(state.rows):
                own.trial[i] -= alpha * state.phi[i] / (size[i] * size[i])
        tangent(state, t, q, v)
        assemble(state, h, alpha, True)
        unbalanced(state, h, alpha)
        if lu_factor(state.nv, own.W, 1e-18, own.order) >= 0:
            return NO_CONVERGENCE
        lu_solve(state.nv, own.W, own.order, own.x)
        displace(state, 1.0, own.x, q)
        moved = 0.0
        for k in range(state.nv):
            moved = max(moved, abs(own.x[k]))
        state.iterations += 1
        if moved <= 1e-14 * scale_of(state, state.nq, q):
            break
    # Rounding that the penalty amplifies is far below; what is above has found no end of the step.
    return OK if moved <= CLOSE * scale_of(state, state.nq, q) else NO_CONVERGENCE


@kernel
def assemble(state: State, h, alpha, with_tangent):
    """W = M + h^2/4 alpha J^T J (+ h/2 D + h^2/4 K), full matrix."""
    W, n, m, size = Room(state, state.method_scratch).W, state.nv, state.rows, state.row_size
    M, J, K, D = state.mass, state.jacobian, state.stiffness, state.damping
    for k in range(n):
        for j in range(n):
            total = 0.0
            for i in range(m):
                total += J[i, k] * J[i, j] / (size[i] * size[i])
            total = symmetric(M, k, j) + 0.25 * h * h * alpha * total
            if with_tangent:
                total += 0.5 * h * D[k, j] + 0.25 * h * h * K[k, j]
            W[k, j] = total


@kernel
def unbalanced(state: State, h, alpha):
    """x = h^2/4 [Q - M a - J^T (lam* + alpha Phi)]."""
    own, n, m = Room(state, state.method_scratch), state.nv, state.rows
    x, trial, a, force = own.x, own.trial, state.vdot, state.force
    M, J, phi, size = state.mass, state.jacobian, state.phi, state.row_size
    for k in range(n):
        total = force[k]
        for j in range(n):
            total -= symmetric(M, k, j) * a[j]
        for i in range(m):
            total += J[i, k] * (trial[i] - alpha * phi[i] / (size[i] * size[i]))
        x[k] = 0.25 * h * h * total


@kernel
def clean(state: State, t, h, alpha, q, v):
    """Mass-orthogonal projections of velocity and acceleration, three passes each."""
    own, J, a, phi_dot = (
        Room(state, state.method_scratch),
        state.jacobian,
        state.vdot,
        state.phi_dot,
    )
    x, n, m, bottom, rhs_a = own.x, state.nv, state.rows, state.bottom, state.rhs_a
    assemble(state, h, alpha, False)
    if lu_factor(n, own.W, 1e-18, own.order) >= 0:
        return NO_CONVERGENCE
    for _pass in range(3):
        pull_back(state, h, alpha, phi_dot)
        for k in range(n):
            v[k] += x[k]
        for i in range(m):
            for k in range(n):
                phi_dot[i] += J[i, k] * x[k]
    evaluate(state, t, q, v)
    for _pass in range(3):
        for i in range(m):
            defect = -rhs_a[i]
            for j in range(n):
                defect += J[i, j] * a[j]
            bottom[i] = defect
        pull_back(state, h, alpha, bottom)
        for k in range(n):
            a[k] += x[k]
    return OK


@kernel
def pull_back(state: State, h, alpha, defect):
    """x = -P^-1 h^2/4 alpha J^T defect; P stands factored in W."""
    own, J, size = Room(state, state.method_scratch), state.jacobian, state.row_size
    x, n, m = own.x, state.nv, state.rows
    for k in range(n):
        total = 0.0
        for i in range(m):
            total -= J[i, k] * defect[i] / (size[i] * size[i])
        x[k] = 0.25 * h * h * alpha * total
    lu_solve(n, own.W, own.order, x)


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
        return Room.length(nq=nq, nv=nv, holonomic=holonomic, rows=rows)
