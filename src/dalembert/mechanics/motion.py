"""Accelerations and kinematics at one state, in the words every method uses.

Signs and sides (methods 1): M v' = Q + J^T lam, J v' = rhs_a, J v = -Phi_t.
"""

import math

from dalembert._jit import kernel
from dalembert._traceable import chosen
from dalembert.mechanics.dense import CONTINUED_TOLERANCE, mass_checked, mass_solve
from dalembert.mechanics.maximal import mass_solve_bodies
from dalembert.system.borders import OK, evaluate, factor, normalise, solve
from dalembert.system.state_layout import State


@kernel
def kinematic_map(state: State, q, u, qdot_out):
    """q' = N(q) u: the identity for plain coordinates; 1/2 (0, w) q for quaternions."""
    known = 0
    for b in range(state.quaternions):
        i, k = quaternion_places(state, b)
        for j in range(known, k):
            qdot_out[i - k + j] = u[j]
        x, y, z = 0.5 * u[k], 0.5 * u[k + 1], 0.5 * u[k + 2]
        turn(x, y, z, q[i : i + 4], qdot_out[i : i + 4])
        known = k + 3
    more = state.nq - state.nv
    for j in range(known, state.nv):
        qdot_out[more + j] = u[j]


@kernel
def quaternion_places(state: State, b):
    """Where the b-th quaternion begins in q, and its angular velocity in v."""
    begin = state.quaternion(b)
    return begin.q, begin.v


@kernel
def turn(x, y, z, q, out):
    """out = (0, x, y, z) q, a product of quaternions."""
    a, b, c, d = q[0], q[1], q[2], q[3]
    out[0] = -x * b - y * c - z * d
    out[1] = x * a + y * d - z * c
    out[2] = y * a + z * b - x * d
    out[3] = z * a + x * c - y * b


@kernel
def velocity_of(state: State, q, qdot, u_out):
    """u of q' = N(q) u, the least-squares answer: for quaternions w = 2 Im(q' q*) / |q|^2.

    A part of q' along q changes the length of the quaternion only and is left out.
    """
    known = 0
    for b in range(state.quaternions):
        i, k = quaternion_places(state, b)
        for j in range(known, k):
            u_out[j] = qdot[i - k + j]
        w, x, y, z = q[i], q[i + 1], q[i + 2], q[i + 3]
        a, d, e, f = qdot[i], qdot[i + 1], qdot[i + 2], qdot[i + 3]
        scale = 2.0 / (w * w + x * x + y * y + z * z)
        u_out[k] = scale * (d * w - a * x + f * y - e * z)
        u_out[k + 1] = scale * (e * w - a * y + d * z - f * x)
        u_out[k + 2] = scale * (f * w - a * z + e * x - d * y)
        known = k + 3
    more = state.nq - state.nv
    for j in range(known, state.nv):
        u_out[j] = qdot[more + j]


@kernel
def displace(state: State, h, u, q):
    """q <- q (+) h N u, the configuration moved along a velocity.

    A quaternion turns about the fixed axis of w: q <- exp(h w) q with exp(a) = (cos(|a|/2),
    sinc(|a|/2) a/2); it stays a unit (equations 1).
    """
    known = 0
    for b in range(state.quaternions):
        i, k = quaternion_places(state, b)
        for j in range(known, k):
            q[i - k + j] += h * u[j]
        x, y, z = 0.5 * h * u[k], 0.5 * h * u[k + 1], 0.5 * h * u[k + 2]
        half = math.sqrt(x * x + y * y + z * z)
        # sin(a) / a by its series where the quotient has no digits
        ratio = math.sin(half) / max(half, 1e-4)
        sinc = chosen(half > 1e-4, ratio, 1.0 - half * half / 6.0)
        c = math.cos(half)
        x, y, z = sinc * x, sinc * y, sinc * z
        q0, q1, q2, q3 = q[i], q[i + 1], q[i + 2], q[i + 3]
        q[i] = c * q0 - x * q1 - y * q2 - z * q3
        q[i + 1] = c * q1 + x * q0 + y * q3 - z * q2
        q[i + 2] = c * q2 + y * q0 + z * q1 - x * q3
        q[i + 3] = c * q3 + z * q0 + x * q2 - y * q1
        known = k + 3
    more = state.nq - state.nv
    for j in range(known, state.nv):
        q[more + j] = q[more + j] + h * u[j]
    normalise(state, q)


@kernel
def place_from(state: State, start, q, x_out):
    """x with q = start (+) x, the inverse of `displace`; without quaternions x = q itself.

    Rotations by their logarithm: p = q start*, x = 2 arctan(|p_v| / p_0) p_v / |p_v|.
    """
    if state.quaternions == 0:
        for i in range(state.nq):
            x_out[i] = q[i]
        return
    known = 0
    for b in range(state.quaternions):
        i, k = quaternion_places(state, b)
        for j in range(known, k):
            x_out[j] = q[i - k + j] - start[i - k + j]
        w, x, y, z = start[i], -start[i + 1], -start[i + 2], -start[i + 3]
        a, c, d, e = q[i], q[i + 1], q[i + 2], q[i + 3]
        p0 = a * w - c * x - d * y - e * z
        p1 = a * x + c * w + d * z - e * y
        p2 = a * y + d * w + e * x - c * z
        p3 = a * z + e * w + c * y - d * x
        size = math.sqrt(p1 * p1 + p2 * p2 + p3 * p3)
        # arctan(s) / s by its series where the quotient has no digits
        half = math.atan2(size, p0) / size if size > 1e-4 else 1.0 + size * size / 6.0
        x_out[k] = 2.0 * half * p1
        x_out[k + 1] = 2.0 * half * p2
        x_out[k + 2] = 2.0 * half * p3
        known = k + 3
    more = state.nq - state.nv
    for j in range(known, state.nv):
        x_out[j] = q[more + j] - start[more + j]


@kernel
def keep_state(state: State, q, v):
    """Note a state in EVALUATED_Q, EVALUATED_V."""
    known_q, known_v = state.evaluated_q, state.evaluated_v
    for i in range(state.nq):
        known_q[i] = q[i]
    for k in range(state.nv):
        known_v[k] = v[k]
    state.evaluated = 0


@kernel
def put_back(state: State, q, v):
    """The state that was noted."""
    known_q, known_v = state.evaluated_q, state.evaluated_v
    for i in range(state.nq):
        q[i] = known_q[i]
    for k in range(state.nv):
        v[k] = known_v[k]


@kernel
def keep_evaluation(state: State, q, v):
    """Note of which state the last evaluation is: it may be asked for again."""
    keep_state(state, q, v)
    state.evaluated = 1


@kernel
def is_evaluated(state: State, t, q, v):
    """Whether the evaluation of (t, q, v) is there already, and nobody has looked elsewhere."""
    if state.evaluated == 0 or state.evaluated_time != t:
        return False
    known_q, known_v = state.evaluated_q, state.evaluated_v
    for i in range(state.nq):
        if known_q[i] != q[i]:
            return False
    for k in range(state.nv):
        if known_v[k] != v[k]:
            return False
    return True


@kernel
def accelerate(state: State, t, q, v, vdot_out, lam_out):
    """M v' = Q + J^T lam, J v' = rhs_a at (t, q, v)."""
    return accelerate_within(state, t, q, v, CONTINUED_TOLERANCE, vdot_out, lam_out)


@kernel
def accelerate_within(state: State, t, q, v, tolerance, vdot_out, lam_out):
    """M v' = Q + J^T lam, J v' = rhs_a at (t, q, v), with a given rank tolerance."""
    if not is_evaluated(state, t, q, v):
        evaluate(state, t, q, v)
    status = factor(state, tolerance)
    if status != OK:
        return status
    return solve(
        state,
        state.force,
        state.rhs_a,
        vdot_out,
        lam_out,
    )


@kernel
def respond_exactly(state: State, bottom, x_out, lam_out):
    """The response to `bottom` by the solve for forces, with all its digits and no memory.

    `respond` is for iterations and may leave digits to the next step. Directions nearly lost are
    left alone, as in all corrections.
    """
    top = state.top
    for k in range(state.nv):
        top[k] = 0.0
    known = state.has_last
    state.has_last = -1
    status = solve(state, top, bottom, x_out, lam_out)
    state.has_last = known
    return status


@kernel
def accelerate_freely(state: State, t, q, v, vdot_out):
    """M v' = Q: the system without its constraints."""
    evaluate(state, t, q, v)
    return free_solve(state, vdot_out)


@kernel
def free_solve(state: State, vdot_out):
    """v' = M^-1 Q from what was last evaluated."""
    force = state.force
    if state.bodies > 0:
        return mass_solve_bodies(state, force, vdot_out)
    status = mass_checked(state)
    if status != OK:
        return status
    for k in range(state.nv):
        vdot_out[k] = force[k]
    mass_solve(state, vdot_out)
    return OK
