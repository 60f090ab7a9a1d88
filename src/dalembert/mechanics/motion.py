"""Accelerations and kinematics at one state, in the words every method uses.

Signs and sides (physics 1): M v' = Q + J^T lam, J v' = rhs_a, J v = -Phi_t.
"""

import math

from dalembert._jit import kernel
from dalembert.mechanics.dense import CONTINUED_TOLERANCE, mass_checked, mass_solve
from dalembert.mechanics.maximal import mass_solve_bodies
from dalembert.system.borders import OK, evaluate, factor, normalise, solve
from dalembert.system.layout import (
    BODIES,
    EVALUATED,
    EVALUATED_Q,
    EVALUATED_TIME,
    EVALUATED_V,
    FORCE,
    HAS_LAST,
    NQ,
    NV,
    QUATERNION_TABLE,
    QUATERNIONS,
    RHS_A,
    ROWS,
    TOP,
    vector,
)


@kernel
def kinematic_map(sizes, q, u, qdot_out):
    """q' = N(q) u: the identity for plain coordinates; 1/2 (0, w) q for quaternions."""
    known = 0
    for b in range(sizes[QUATERNIONS]):
        i, k = quaternion_places(sizes, b)
        for j in range(known, k):
            qdot_out[i - k + j] = u[j]
        x, y, z = 0.5 * u[k], 0.5 * u[k + 1], 0.5 * u[k + 2]
        turn(x, y, z, q[i : i + 4], qdot_out[i : i + 4])
        known = k + 3
    more = sizes[NQ] - sizes[NV]
    for j in range(known, sizes[NV]):
        qdot_out[more + j] = u[j]


@kernel
def quaternion_places(sizes, b):
    """Where the b-th quaternion begins in q, and its angular velocity in v."""
    at = sizes[QUATERNION_TABLE] + 2 * b
    return sizes[at], sizes[at + 1]


@kernel
def turn(x, y, z, q, out):
    """out = (0, x, y, z) q, a product of quaternions."""
    a, b, c, d = q[0], q[1], q[2], q[3]
    out[0] = -x * b - y * c - z * d
    out[1] = x * a + y * d - z * c
    out[2] = y * a + z * b - x * d
    out[3] = z * a + x * c - y * b


@kernel
def velocity_of(sizes, q, qdot, u_out):
    """u of q' = N(q) u, the least-squares answer: for quaternions w = 2 Im(q' q*) / |q|^2.

    A part of q' along q changes the length of the quaternion only and is left out.
    """
    known = 0
    for b in range(sizes[QUATERNIONS]):
        i, k = quaternion_places(sizes, b)
        for j in range(known, k):
            u_out[j] = qdot[i - k + j]
        w, x, y, z = q[i], q[i + 1], q[i + 2], q[i + 3]
        a, d, e, f = qdot[i], qdot[i + 1], qdot[i + 2], qdot[i + 3]
        scale = 2.0 / (w * w + x * x + y * y + z * z)
        u_out[k] = scale * (d * w - a * x + f * y - e * z)
        u_out[k + 1] = scale * (e * w - a * y + d * z - f * x)
        u_out[k + 2] = scale * (f * w - a * z + e * x - d * y)
        known = k + 3
    more = sizes[NQ] - sizes[NV]
    for j in range(known, sizes[NV]):
        u_out[j] = qdot[more + j]


@kernel
def displace(sizes, h, u, q):
    """q <- q (+) h N u, the configuration moved along a velocity.

    A quaternion turns about the fixed axis of w: q <- exp(h w) q with exp(a) = (cos(|a|/2),
    sinc(|a|/2) a/2); it stays a unit (physics 2.1).
    """
    known = 0
    for b in range(sizes[QUATERNIONS]):
        i, k = quaternion_places(sizes, b)
        for j in range(known, k):
            q[i - k + j] += h * u[j]
        x, y, z = 0.5 * h * u[k], 0.5 * h * u[k + 1], 0.5 * h * u[k + 2]
        half = math.sqrt(x * x + y * y + z * z)
        # sin(a) / a by its series where the quotient has no digits
        sinc = math.sin(half) / half if half > 1e-4 else 1.0 - half * half / 6.0
        c = math.cos(half)
        x, y, z = sinc * x, sinc * y, sinc * z
        q0, q1, q2, q3 = q[i], q[i + 1], q[i + 2], q[i + 3]
        q[i] = c * q0 - x * q1 - y * q2 - z * q3
        q[i + 1] = c * q1 + x * q0 + y * q3 - z * q2
        q[i + 2] = c * q2 + y * q0 + z * q1 - x * q3
        q[i + 3] = c * q3 + z * q0 + x * q2 - y * q1
        known = k + 3
    more = sizes[NQ] - sizes[NV]
    for j in range(known, sizes[NV]):
        q[more + j] = q[more + j] + h * u[j]
    normalise(sizes, q)


@kernel
def place_from(sizes, start, q, x_out):
    """x with q = start (+) x, the inverse of `displace`; without quaternions x = q itself.

    Rotations by their logarithm: p = q start*, x = 2 arctan(|p_v| / p_0) p_v / |p_v|.
    """
    if sizes[QUATERNIONS] == 0:
        for i in range(sizes[NQ]):
            x_out[i] = q[i]
        return
    known = 0
    for b in range(sizes[QUATERNIONS]):
        i, k = quaternion_places(sizes, b)
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
    more = sizes[NQ] - sizes[NV]
    for j in range(known, sizes[NV]):
        x_out[j] = q[more + j] - start[more + j]


@kernel
def keep_state(work, sizes, q, v):
    """Note a state in EVALUATED_Q, EVALUATED_V."""
    known_q, known_v = vector(work, sizes, EVALUATED_Q, NQ), vector(work, sizes, EVALUATED_V, NV)
    for i in range(sizes[NQ]):
        known_q[i] = q[i]
    for k in range(sizes[NV]):
        known_v[k] = v[k]
    sizes[EVALUATED] = 0


@kernel
def put_back(work, sizes, q, v):
    """The state that was noted."""
    known_q, known_v = vector(work, sizes, EVALUATED_Q, NQ), vector(work, sizes, EVALUATED_V, NV)
    for i in range(sizes[NQ]):
        q[i] = known_q[i]
    for k in range(sizes[NV]):
        v[k] = known_v[k]


@kernel
def keep_evaluation(work, sizes, q, v):
    """Note of which state the last evaluation is: it may be asked for again."""
    keep_state(work, sizes, q, v)
    sizes[EVALUATED] = 1


@kernel
def is_evaluated(work, sizes, t, q, v):
    """Whether the evaluation of (t, q, v) is there already, and nobody has looked elsewhere."""
    if sizes[EVALUATED] == 0 or work[sizes[EVALUATED_TIME]] != t:
        return False
    known_q, known_v = vector(work, sizes, EVALUATED_Q, NQ), vector(work, sizes, EVALUATED_V, NV)
    for i in range(sizes[NQ]):
        if known_q[i] != q[i]:
            return False
    for k in range(sizes[NV]):
        if known_v[k] != v[k]:
            return False
    return True


@kernel
def accelerate(work, sizes, t, q, v, vdot_out, lam_out):
    """M v' = Q + J^T lam, J v' = rhs_a at (t, q, v)."""
    return accelerate_within(work, sizes, t, q, v, CONTINUED_TOLERANCE, vdot_out, lam_out)


@kernel
def accelerate_within(work, sizes, t, q, v, tolerance, vdot_out, lam_out):
    """The same with a given rank tolerance."""
    if not is_evaluated(work, sizes, t, q, v):
        evaluate(work, sizes, t, q, v)
    status = factor(work, sizes, tolerance)
    if status != OK:
        return status
    return solve(
        work,
        sizes,
        vector(work, sizes, FORCE, NV),
        vector(work, sizes, RHS_A, ROWS),
        vdot_out,
        lam_out,
    )


@kernel
def respond_exactly(work, sizes, bottom, x_out, lam_out):
    """The response to `bottom` by the solve for forces, with all its digits and no memory.

    `respond` is for iterations and may leave digits to the next step.
    """
    top = vector(work, sizes, TOP, NV)
    for k in range(sizes[NV]):
        top[k] = 0.0
    known = sizes[HAS_LAST]
    sizes[HAS_LAST] = 0
    status = solve(work, sizes, top, bottom, x_out, lam_out)
    sizes[HAS_LAST] = known
    return status


@kernel
def accelerate_freely(work, sizes, t, q, v, vdot_out):
    """M v' = Q: the system without its constraints."""
    evaluate(work, sizes, t, q, v)
    return free_solve(work, sizes, vdot_out)


@kernel
def free_solve(work, sizes, vdot_out):
    """v' = M^-1 Q from what was last evaluated."""
    force = vector(work, sizes, FORCE, NV)
    if sizes[BODIES] > 0:
        return mass_solve_bodies(work, sizes, force, vdot_out)
    status = mass_checked(work, sizes)
    if status != OK:
        return status
    for k in range(sizes[NV]):
        vdot_out[k] = force[k]
    mass_solve(work, sizes, vdot_out)
    return OK
