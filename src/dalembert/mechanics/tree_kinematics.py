"""Motion of a tree of bodies from its joint coordinates (Featherstone 2008, chapters 3 and 4).

Velocities and accelerations of a link are those of its centre of mass and its angular ones, world
components, in the order (linear, angular); forces are taken about the centre of mass. Then the
force of gravity has no torque, the inertia is m and Theta, and what the rest of the package calls
the velocity of a body is what stands here. Between a link and its parent, with r from the parent's
centre of mass to its own,

    V_i = X_i V_p + S_i v_i,     V_i' = X_i V_p' + S_i v_i' + gamma_i,     X_i = [1  -r x; 0  1]

(eqs 3.20, 4.20 and 4.21 with accelerations of points in place of spatial ones, sec. 2.11: gamma is
then the centripetal and Coriolis acceleration known from textbooks).

The axes of a link are those of its joint frame (`system.tree`); arrays of bodies have their order
and their own axes.
"""

import math

from dalembert._jit import kernel
from dalembert.numerics.small import (
    about_x,
    about_y,
    about_z,
    add,
    axpy,
    cross,
    dot,
    matrix,
    product,
    put_matrix,
    put_symmetric,
    put_vector,
    quaternion,
    rotated,
    rotation_of,
    scale,
    symmetric,
    symmetric_times,
    times,
    vector,
)
from dalembert.system.tree_layout import (
    ANGLE,
    ANSWER,
    ARM,
    ARTICULATED,
    BIAS,
    BODY,
    CENTER,
    COLUMN,
    CYLINDRICAL,
    DOF_RECORD,
    DOF_ROOM,
    DOFS,
    FRAME_ORIGIN,
    FREE,
    GRAVITY_LENGTH,
    KIND,
    LINK,
    LINK_INERTIA,
    LINK_MASS,
    LINK_ROOM,
    LINK_TABLE,
    LINKS,
    LOAD,
    NUMBERS,
    PARENT,
    PITCH,
    PLANAR,
    POSE_RECORD,
    POSE_ROOM,
    PRISMATIC,
    Q_START,
    REVOLUTE,
    ROTATION,
    SCREW,
    SPHERICAL,
    SPIN,
    UNIVERSAL,
    V_START,
)

NEARBY = 0.02
"""Change of an angle [rad] up to which its sine follows from the last one."""


@kernel
def set_world(room):
    """The record of link 0: the world, at rest."""
    for k in range(LINK_ROOM):
        room[k] = 0.0
    room[ROTATION] = 1.0
    room[ROTATION + 4] = 1.0
    room[ROTATION + 8] = 1.0


@kernel
def put_column(room, at, linear, angular):
    """One column of S."""
    put_vector(room, at + COLUMN, linear)
    put_vector(room, at + COLUMN + 3, angular)


@kernel
def move(tree, numbers, room, q, v):
    """Outward pass: R, angular velocity, arms, S, gamma, inertia and the forces known by now.

    First pass of the articulated-body algorithm (table 7.1, lines 1 to 9). LOAD is minus the force
    on each body: gravity and the gyroscopic torque.
    """
    set_world(room)
    gravity = vector(numbers, 0)
    dofs = tree[DOF_ROOM]
    for i in range(1, tree[LINKS] + 1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        kind, qs, vs = tree[at + KIND], tree[at + Q_START], tree[at + V_START]
        c = GRAVITY_LENGTH + NUMBERS * (i - 1)
        here, up = LINK_ROOM * i, LINK_ROOM * tree[at + PARENT]
        Rp, wp = matrix(room, up + ROTATION), vector(room, up + SPIN)
        B = product(Rp, matrix(numbers, c))
        near = times(Rp, vector(numbers, c + FRAME_ORIGIN))
        slot = dofs + DOF_RECORD * vs
        if kind == REVOLUTE:
            z, rate = (B[2], B[5], B[8]), v[vs]
            sine, cosine = math.sin(q[qs]), math.cos(q[qs])
            R = about_z(B, sine, cosine)
            put_vector(room, slot + ANGLE, (q[qs], sine, cosine))
            far = times(R, vector(numbers, c + CENTER))
            w = axpy(rate, z, wp)
            gw = scale(rate, cross(wp, z))
            put_column(room, slot, cross(z, far), z)
            ga = cross(wp, cross(wp, near))
        elif kind == PRISMATIC:
            z, rate = (B[2], B[5], B[8]), v[vs]
            R, w, gw = B, wp, (0.0, 0.0, 0.0)
            near = axpy(q[qs], z, near)
            far = times(R, vector(numbers, c + CENTER))
            put_column(room, slot, z, gw)
            ga = cross(wp, axpy(2.0 * rate, z, cross(wp, near)))
        else:
            R, d, w, gw, slide = joint_motion(kind, B, numbers[c + PITCH], wp, q, v, qs, vs)
            near = add(near, d)
            far = times(R, vector(numbers, c + CENTER))
            joint_columns(kind, B, R, far, numbers[c + PITCH], room, slot)
            ga = cross(wp, axpy(2.0, slide, cross(wp, near)))
        # gamma: the joint's point on the parent, sliding along, then round it on the link
        gv = add(ga, add(cross(w, cross(w, far)), cross(gw, far)))
        theta, mass = rotated(R, symmetric(numbers, c + LINK_INERTIA)), numbers[c + LINK_MASS]
        put_matrix(room, here + ROTATION, R)
        put_vector(room, here + SPIN, w)
        put_vector(room, here + ARM, add(near, far))
        put_vector(room, here + BIAS, gv)
        put_vector(room, here + BIAS + 3, gw)
        # of the articulated inertia what belongs to the body: m and Theta
        room[here + ARTICULATED] = mass
        put_symmetric(room, here + ARTICULATED + 15, theta)
        put_vector(room, here + LOAD, scale(-mass, gravity))
        put_vector(room, here + LOAD + 3, cross(w, symmetric_times(theta, w)))


@kernel
def sine_and_cosine(room, slot, angle):
    """Of the angle of a hinge; near that of the last `move` by the formulas of a sum.

    In |d| <= NEARBY the series of sin d and cos d are exact to rounding.
    """
    d = angle - room[slot + ANGLE]
    if abs(d) > NEARBY:
        return math.sin(angle), math.cos(angle)
    x, sine, cosine = d * d, room[slot + ANGLE + 1], room[slot + ANGLE + 2]
    s = d - d * x * (1 / 6 - x * (1 / 120 - x * (1 / 5040)))
    c = x * (1 / 2 - x * (1 / 24 - x * (1 / 720)))
    return sine + (cosine * s - sine * c), cosine - (sine * s + cosine * c)


@kernel
def joint_motion(kind, B, pitch, wp, q, v, qs, vs):
    """What a joint of any kind does: R of the link, way, angular velocity, its bias, sliding.

    B holds the axes of the joint frame on the parent, wp the parent's angular velocity. The bias is
    the rate of the axes, S' v (eq. 3.35): an axis fixed to the parent turns with it.
    """
    x, y, z = (B[0], B[3], B[6]), (B[1], B[4], B[7]), (B[2], B[5], B[8])
    zero = (0.0, 0.0, 0.0)
    R, d, w, gw, slide = B, zero, wp, zero, zero
    if kind == SCREW:
        R = about_z(B, math.sin(q[qs]), math.cos(q[qs]))
        w, gw = axpy(v[vs], z, wp), scale(v[vs], cross(wp, z))
        d, slide = scale(pitch * q[qs], z), scale(pitch * v[vs], z)
    elif kind == CYLINDRICAL:
        R = about_z(B, math.sin(q[qs]), math.cos(q[qs]))
        w, gw = axpy(v[vs], z, wp), scale(v[vs], cross(wp, z))
        d, slide = scale(q[qs + 1], z), scale(v[vs + 1], z)
    elif kind == UNIVERSAL:
        cross_piece = about_x(B, math.sin(q[qs]), math.cos(q[qs]))
        R = about_y(cross_piece, math.sin(q[qs + 1]), math.cos(q[qs + 1]))
        arm = (R[1], R[4], R[7])
        w1 = axpy(v[vs], x, wp)
        w = axpy(v[vs + 1], arm, w1)
        gw = axpy(v[vs + 1], cross(w1, arm), scale(v[vs], cross(wp, x)))
    elif kind == PLANAR:
        R = about_z(B, math.sin(q[qs + 2]), math.cos(q[qs + 2]))
        w, gw = axpy(v[vs + 2], z, wp), scale(v[vs + 2], cross(wp, z))
        d = axpy(q[qs], x, scale(q[qs + 1], y))
        slide = axpy(v[vs], x, scale(v[vs + 1], y))
    elif kind == SPHERICAL:
        R = product(B, rotation_of(quaternion(q, qs)))
        turning = times(B, vector(v, vs))
        w, gw = add(wp, turning), cross(wp, turning)
    elif kind == FREE:
        R, d, w = rotation_of(quaternion(q, qs + 3)), vector(q, qs), vector(v, vs + 3)
    return R, d, w, gw, slide


@kernel
def joint_columns(kind, B, R, far, pitch, room, slot):
    """Columns of S of a joint of any kind (table 4.1), at the link's centre of mass."""
    x, y, z = (B[0], B[3], B[6]), (B[1], B[4], B[7]), (B[2], B[5], B[8])
    none, second = (0.0, 0.0, 0.0), slot + DOF_RECORD
    if kind == SCREW:
        put_column(room, slot, axpy(pitch, z, cross(z, far)), z)
    elif kind == CYLINDRICAL:
        put_column(room, slot, cross(z, far), z)
        put_column(room, second, z, none)
    elif kind == UNIVERSAL:
        arm = (R[1], R[4], R[7])
        put_column(room, slot, cross(x, far), x)
        put_column(room, second, cross(arm, far), arm)
    elif kind == PLANAR:
        put_column(room, slot, x, none)
        put_column(room, second, y, none)
        put_column(room, second + DOF_RECORD, cross(z, far), z)
    elif kind == SPHERICAL:
        put_column(room, slot, cross(x, far), x)
        put_column(room, second, cross(y, far), y)
        put_column(room, second + DOF_RECORD, cross(z, far), z)
    elif kind == FREE:
        for k in range(6):
            for j in range(6):
                room[slot + DOF_RECORD * k + COLUMN + j] = 1.0 if j == k else 0.0


@kernel
def push(tree, room, forces):
    """Add forces on bodies (six each: force, torque about the centre of mass), after `move`."""
    for i in range(1, tree[LINKS] + 1):
        body = tree[tree[LINK_TABLE] + LINK * (i - 1) + BODY]
        if body >= 0:
            for k in range(6):
                room[LINK_ROOM * i + LOAD + k] -= forces[6 * body + k]


@kernel
def load_only(tree, room, forces):
    """Let these be all forces on bodies, gravity and gyroscopic torque among them, after `move`."""
    for i in range(1, tree[LINKS] + 1):
        body = tree[tree[LINK_TABLE] + LINK * (i - 1) + BODY]
        for k in range(6):
            room[LINK_ROOM * i + LOAD + k] = -forces[6 * body + k] if body >= 0 else 0.0


# -- S and its transpose --------------------------------------------------------------------------


@kernel
def spread_velocity(tree, room, v, v_out):
    """V = S v, six entries for each body: any velocities on the way, after `move`."""
    for k in range(6):
        room[ANSWER + k] = 0.0
    spread(tree, room, v, 0, v_out)


@kernel
def spread_acceleration(tree, room, a, a_out):
    """V' = S v' + S' v, six entries for each body, after `move`."""
    for k in range(6):
        room[ANSWER + k] = 0.0
    spread(tree, room, a, 1, a_out)


@kernel
def spread(tree, room, x, biased, out):
    """X_i V_p + S_i x_i, with or without gamma, from the world outward."""
    dofs = tree[DOF_ROOM]
    for i in range(1, tree[LINKS] + 1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        here, up, vs = LINK_ROOM * i, LINK_ROOM * tree[at + PARENT] + ANSWER, tree[at + V_START]
        angular = vector(room, up + 3)
        linear = add(vector(room, up), cross(angular, vector(room, here + ARM)))
        if biased == 1:
            linear = add(linear, vector(room, here + BIAS))
            angular = add(angular, vector(room, here + BIAS + 3))
        for k in range(tree[at + DOFS]):
            slot = dofs + DOF_RECORD * (vs + k)
            linear = axpy(x[vs + k], vector(room, slot + COLUMN), linear)
            angular = axpy(x[vs + k], vector(room, slot + COLUMN + 3), angular)
        put_vector(room, here + ANSWER, linear)
        put_vector(room, here + ANSWER + 3, angular)
        if tree[at + BODY] >= 0:
            put_vector(out, 6 * tree[at + BODY], linear)
            put_vector(out, 6 * tree[at + BODY] + 3, angular)


@kernel
def gather_force(tree, room, forces, tau_out):
    """tau = S^T F, the generalised forces of forces on bodies, after `move`."""
    dofs = tree[DOF_ROOM]
    for i in range(1, tree[LINKS] + 1):
        body = tree[tree[LINK_TABLE] + LINK * (i - 1) + BODY]
        for k in range(6):
            room[LINK_ROOM * i + ANSWER + k] = forces[6 * body + k] if body >= 0 else 0.0
    for i in range(tree[LINKS], 0, -1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        here, up, vs = LINK_ROOM * i, LINK_ROOM * tree[at + PARENT] + ANSWER, tree[at + V_START]
        f, n = vector(room, here + ANSWER), vector(room, here + ANSWER + 3)
        for k in range(tree[at + DOFS]):
            slot = dofs + DOF_RECORD * (vs + k) + COLUMN
            tau_out[vs + k] = dot(f, vector(room, slot)) + dot(n, vector(room, slot + 3))
        put_vector(room, up, add(vector(room, up), f))
        torque = add(n, cross(vector(room, here + ARM), f))
        put_vector(room, up + 3, add(vector(room, up + 3), torque))


@kernel
def gather_row(tree, room, link, wrench, row_out):
    """Add S^T F of one force on one link to a row of nv entries, after `move`.

    With a block of J in the place of the wrench this is that row on the tree; only the entries on
    the way to the world are touched.
    """
    f, n, i = vector(wrench, 0), vector(wrench, 3), link
    while i > 0:
        at = tree[LINK_TABLE] + LINK * (i - 1)
        for k in range(tree[at + V_START], tree[at + V_START] + tree[at + DOFS]):
            slot = tree[DOF_ROOM] + DOF_RECORD * k + COLUMN
            row_out[k] += dot(f, vector(room, slot)) + dot(n, vector(room, slot + 3))
        n = add(n, cross(vector(room, LINK_ROOM * i + ARM), f))
        i = tree[at + PARENT]


@kernel
def jacobian_columns(tree, room, link, point, J_out):
    """J of a point of a link (6 x nv: its velocity, angular velocity), after `tree_to_bodies`.

    Column k is S_k shifted from the centre of mass of its link to the point; only those on the way
    to the world are not zero.
    """
    dofs, poses = tree[DOF_ROOM], tree[POSE_ROOM]
    for r in range(6):
        for k in range(J_out.shape[1]):
            J_out[r, k] = 0.0
    i = link
    while i > 0:
        at = tree[LINK_TABLE] + LINK * (i - 1)
        center = vector(room, poses + POSE_RECORD * i)
        arm = (point[0] - center[0], point[1] - center[1], point[2] - center[2])
        for k in range(tree[at + V_START], tree[at + V_START] + tree[at + DOFS]):
            slot = dofs + DOF_RECORD * k + COLUMN
            angular = vector(room, slot + 3)
            linear = add(vector(room, slot), cross(angular, arm))
            J_out[0, k], J_out[1, k], J_out[2, k] = linear
            J_out[3, k], J_out[4, k], J_out[5, k] = angular
        i = tree[at + PARENT]
