"""Free rigid bodies in maximal coordinates, and what joints and forces do to them.

Per body: q = (centre of mass 3, unit quaternion 4), v = (velocity 3, angular velocity 3), all in
world components (equations 1):

    m v' = f,     Theta w' = tau - w x Theta w,     Theta = R Theta_b R^T.

The text of one body (`place`) becomes straight-line code; joints and forces bring theirs
(`system.kinds`); the kernels here only loop over the tables of the system.

In body axes a rotating body obeys Theta_b w' = tau - w x Theta_b w (equations 1). An explicit Euler
step of the last term is stable for slow rotations only. The implicit one,

    f(w) = Theta_b (w - w_n) + h w x Theta_b w - h tau = 0,

takes one Newton step from w_n,

    D (w - w_n) = h Theta_b w'_n,      D = Theta_b + h ([w_n]x Theta_b - [Theta_b w_n]x),

where w'_n is the explicit acceleration. Turning with the new w about its own axis leaves w as it
is in body and in world axes, so that the step may be written in the world axes of q_n.
"""

import math

from dalembert._jit import border, kernel
from dalembert._once import once
from dalembert._signature import Signature
from dalembert.mechanics.incidence import scatter_rows
from dalembert.numerics.matrix import Mat3, Sym3, mat3
from dalembert.numerics.quaternion import Quaternion
from dalembert.numerics.vector import Vec3, put_vec3, vec3
from dalembert.system.borders import NON_FINITE, NOT_POSITIVE_DEFINITE, OK, STATE
from dalembert.system.kinds import ACTING, ROWING, SEEING
from dalembert.system.state_layout import State
from dalembert.system.straight import Straight
from dalembert.system.tables import CONSTANT, INERTIA, RECORD

PLACING = Signature("place", "q v constants gravity record inertia force", {})

_place = PLACING.call
_rows = ROWING.call
_see = SEEING.call
_act = ACTING.call
_call_state = STATE.call

TURN = 2.0 * math.pi
FAST = 2.0
"""Angle within a step from which on it is foretold by its rate  [rad]."""


def place(q, v, constants, gravity, record, inertia, force):
    """Record of a body, its inertia in world axes, gravity and the gyroscopic torque on it.

    R follows from q / |q|: between the stages of an integrator a quaternion is not quite a unit.
    """
    R, w = Quaternion(*q[3:7]).rotation(), Vec3(*v[3:6])
    record[:3], record[3:12], record[12:18] = q[:3], [*R], v[:6]
    mass, body, g = constants[0], Sym3(*constants[1:7]), Vec3(*gravity[:3])
    x, y, z = R.row_x, R.row_y, R.row_z
    a, b, c = body @ x, body @ y, body @ z
    theta = Sym3(a.dot(x), b.dot(y), c.dot(z), b.dot(x), c.dot(x), c.dot(y))  # R Theta_b R^T
    inertia[:6], inertia[6] = [*theta], mass
    force[:3], force[3:6] = [*(mass * g)], [*((theta @ w) % w)]


LENGTHS = (7, 6, CONSTANT, 3, RECORD, INERTIA, 6)
"""Lengths of the arguments of `place`."""


@once
def placing_code():
    """`place` as straight-line code."""
    return Straight.trace(PLACING, place, dict(zip(PLACING.arguments, LENGTHS, strict=True)))


@kernel
def place_bodies(state: State, q, v):
    """Records, inertias and forces of all bodies."""
    for b in range(state.bodies):
        _place(
            state.place_body,
            *state,
            q[7 * b : 7 * b + 7],
            v[6 * b : 6 * b + 6],
            state.constants_of(b),
            state.gravity,
            state.record(b),
            state.inertia_of(b),
            state.force[6 * b : 6 * b + 6],
        )


@kernel
def count_turns(state: State, t, q, v):
    """Full turns of every angle that needs them: the angle nearest to the last one known.

    Where it turns fast, it is the one nearest to what the last step and its rate foretell. A hinge
    that is a coordinate of a tree is that coordinate, however far a step is tried.
    """
    if state.wound == 0:
        return
    _call_state(state.angles_of, *state, t, q, v)
    for k in range(state.wound):
        raw, last = state.angles[k], state.last_angles[k]
        index = state.hinge_of_angle(k)
        if index >= 0:
            hinge = state.hinge(index)
            way = hinge.rate * (t - state.work[state.hinge_time])
            if hinge.is_coordinate == 1:
                last = q[hinge.a]
            elif abs(way) > FAST:
                last = hinge.foretold + way
        turns = TURN * round((last - raw) / TURN)
        state.last_angles[k] = raw + turns
        state.keep_turns(k, turns)


@border(STATE)
def evaluate_bodies(state: State, t, q, v):
    """Everything the model says at (t, q, v); J as blocks, one per row group and body."""
    state.evaluated_time = t
    place_bodies(state, q, v)
    count_turns(state, t, q, v)
    write_rows(state, t, q, v)
    act(state, t, q, v)
    if state.dense == 1:
        scatter(state)
    return OK


@kernel
def write_rows(state: State, t, q, v):
    """Phi, Phi', Phi_t, rhs_a and the blocks of J of all rows, from the records."""
    for e in range(state.pairs):
        pair = state.pair(e)
        row, end = pair.row, pair.row + pair.count
        _rows(
            pair.rows_code,
            *state,
            t,
            state.record(pair.a),
            state.record(pair.b),
            state.data(pair.data),
            state.phi[row:end],
            state.phi_dot[row:end],
            state.phi_t[row:end],
            state.rhs_a[row:end],
            state.block(pair.block_a, pair.count),
            state.block(pair.block_b, pair.count),
        )
    if state.specific != 0:
        _call_state(state.specific, *state, t, q, v)


@kernel
def act(state: State, t, q, v):
    """Add the forces of all force elements."""
    for e in range(state.actions):
        action = state.action(e)
        _act(
            action.code,
            *state,
            t,
            state.record(action.a),
            state.record(action.b),
            state.data(action.data),
            force_on(state, action.a),
            force_on(state, action.b),
        )
    if state.specific_action != 0:
        _call_state(state.specific_action, *state, t, q, v)


@kernel
def force_on(state: State, body):
    """Force and torque on a body; a spare place for the world."""
    if body == state.placed:
        return state.spare[:6]
    return state.body_force[6 * body : 6 * body + 6]


@border(STATE)
def residual_bodies(state: State, t, q, v):
    """Write Phi and Phi'."""
    place_bodies(state, q, v)
    if state.turns_in_rows == 1:
        count_turns(state, t, q, v)
    see_rows(state, t, q, v)
    return OK


@kernel
def see_rows(state: State, t, q, v):
    """Phi and Phi' of all rows, from the records."""
    for e in range(state.pairs):
        pair = state.pair(e)
        row, end = pair.row, pair.row + pair.count
        _see(
            pair.residual_code,
            *state,
            t,
            state.record(pair.a),
            state.record(pair.b),
            state.data(pair.data),
            state.phi[row:end],
            state.phi_dot[row:end],
        )
    if state.specific_residual != 0:
        _call_state(state.specific_residual, *state, t, q, v)


@kernel
def measure_evenly(state: State):
    """M <- 1: all velocities count alike, until the next evaluation."""
    for b in range(state.bodies):
        body = state.turned_body(b)
        body.theta, body.mass = Sym3.diagonal(1.0), 1.0


@kernel
def mass_times(state: State, x, out):
    """out = M x: m x for velocities, Theta x for angular velocities."""
    for b in range(state.bodies):
        body, k = state.turned_body(b), 6 * b
        put_vec3(out, k, body.mass * vec3(x, k))
        put_vec3(out, k + 3, body.theta @ vec3(x, k + 3))


@kernel
def turn_missing(state: State):
    """Inertias that bodies lack, from body to world axes: R X R^T."""
    for i in range(state.massless):
        R = mat3(state.record(state.massless_body(i).body), 3)
        missing = state.missing_inertia(i)
        missing.turned = missing.own.turned_by(R)


@kernel
def mass_solve_bodies(state: State, f, out):
    """out = M^-1 f; where a body has no inertia about an axis (a rod), f may not turn it there."""
    for b in range(state.bodies):
        body, k = state.turned_body(b), 6 * b
        for i in range(3):
            out[k + i] = f[k + i] / body.mass
        if not inertia_solve(body, f[k + 3 : k + 6], out[k + 3 : k + 6]):
            state.failed_index = k + 3
            xx = body.theta.xx
            if xx - xx == 0.0 and f[k + 3] - f[k + 3] == 0.0:
                return NOT_POSITIVE_DEFINITE
            state.failed_index += state.nq
            return NON_FINITE
    return OK


@kernel
def inertia_solve(body, torque, out):
    """out = Theta^-1 f of a torque f by the adjugate; False where Theta cannot answer to f.

    Along an axis without inertia the answer is taken to be zero, if f has no part there beyond
    rounding: 1e-9 of itself or of what turns the body by 1 rad/s^2 about its other axes.
    """
    theta = body.theta
    cofactors, determinant = theta.adjugate()
    trace, f = theta.trace, vec3(torque, 0)
    if not determinant > 1e-15 * trace * trace * trace:
        if trace <= 1e-12 * body.mass:
            # A point mass.
            put_vec3(out, 0, Vec3.zero())
            return f.size <= 1e-9 * body.mass
        # The adjugate of a rod is a multiple of n n^T, n along the rod.
        n = longest_row(cofactors)
        length = n.size
        if not length > 1e-9 * trace * trace:
            return False
        n = Vec3(n.x / length, n.y / length, n.z / length)
        along = n.dot(f)
        if not abs(along) <= 1e-9 * (f.size + trace):
            return False
        f = f - along * n
        cofactors, determinant = theta.plus_square(trace, n).adjugate()
    answer = cofactors @ f
    out[0], out[1], out[2] = answer.x / determinant, answer.y / determinant, answer.z / determinant
    return True


@kernel
def longest_row(S):
    """Row of the largest diagonal entry."""
    if S.yy >= S.xx and S.yy >= S.zz:
        return S.y
    if S.zz >= S.xx:
        return S.z
    return S.x


@border(STATE)
def guard_bodies(state: State, t, q, v):
    """Event functions, which read the records of the bodies."""
    place_bodies(state, q, v)
    count_turns(state, t, q, v)
    return _call_state(state.specific_guard, *state, t, q, v)


@border(STATE)
def see_bodies(state: State, t, q, v):
    """Inputs of controllers, which read the records of the bodies."""
    place_bodies(state, q, v)
    count_turns(state, t, q, v)
    return _call_state(state.specific_see, *state, t, q, v)


@kernel
def scatter(state: State):
    """M and J as full matrices, for the methods that work on them."""
    M, n = state.mass, state.nv
    for i in range(n):
        for j in range(n):
            M[i, j] = 0.0
    for b in range(state.bodies):
        body, k = state.turned_body(b), 6 * b
        theta = body.theta
        for i in range(3):
            M[k + i, k + i] = body.mass
        M[k + 3, k + 3], M[k + 4, k + 4], M[k + 5, k + 5] = theta.xx, theta.yy, theta.zz
        M[k + 4, k + 3] = M[k + 3, k + 4] = theta.xy
        M[k + 5, k + 3] = M[k + 3, k + 5] = theta.xz
        M[k + 5, k + 4] = M[k + 4, k + 5] = theta.yz
    scatter_rows(state)


# -- the gyroscopic torque apart from the others: taken implicitly, or left to a free motion -------


FLAT = 1e-12
"""det Theta over its cubed trace below which a body has an axis without inertia."""


@kernel
def spin_implicitly(state: State, h, v, vdot):
    """Change v', made with the gyroscopic torque at v, into that of the implicit step v + h v'.

    The inertias are those of the last evaluated state. A body with an axis without inertia (a rod)
    keeps its v': there a constraint decides.
    """
    for b in range(state.bodies):
        theta, k = state.turned_body(b).theta, 6 * b + 3
        _, determinant = theta.adjugate()
        if not determinant > FLAT * theta.trace * theta.trace * theta.trace:
            continue
        torque = theta @ vec3(vdot, k)
        put_vec3(vdot, k, implicit_rate(theta, vec3(v, k), torque, h))


@kernel
def implicit_rate(theta, w, torque, h):
    """w' = D^-1 torque of the implicit step from w; `torque` is all of it at w."""
    x, y, z, l = theta.x, theta.y, theta.z, theta @ w
    # D = Theta + h ([w]x Theta - [l]x), [w]x = ((0, -z, y), (z, 0, -x), (-y, x, 0))
    D = Mat3(
        x.x + h * (w.y * z.x - w.z * y.x),
        x.y + h * (w.y * z.y - w.z * y.y + l.z),
        x.z + h * (w.y * z.z - w.z * y.z - l.y),
        y.x + h * (w.z * x.x - w.x * z.x - l.z),
        y.y + h * (w.z * x.y - w.x * z.y),
        y.z + h * (w.z * x.z - w.x * z.z + l.x),
        z.x + h * (w.x * y.x - w.y * x.x + l.y),
        z.y + h * (w.x * y.y - w.y * x.y - l.x),
        z.z + h * (w.x * y.z - w.y * x.z),
    )
    return D.solve(torque)


@kernel
def leave_out_gyroscopic(state: State, v, force):
    """force += w x Theta w: what is left changes the angular momentum in world axes."""
    for b in range(state.bodies):
        k = 6 * b + 3
        t = state.turned_body(b).theta
        x, y, z = v[k], v[k + 1], v[k + 2]
        lx = t.xx * x + t.xy * y + t.xz * z
        ly = t.xy * x + t.yy * y + t.yz * z
        lz = t.xz * x + t.yz * y + t.zz * z
        force[k] += y * lz - z * ly
        force[k + 1] += z * lx - x * lz
        force[k + 2] += x * ly - y * lx
