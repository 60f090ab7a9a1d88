"""From coordinates of a tree to the state of its bodies, seven and six numbers each, and back."""

import math

from dalembert._jit import kernel
from dalembert.numerics.small import (
    add,
    axpy,
    conjugate,
    cross,
    put_quaternion,
    put_vector,
    quaternion,
    quaternion_product,
    rotation_of,
    sub,
    times,
    transposed_times,
    unit,
    vector,
)
from dalembert.system.tree import (
    ARM,
    BODY,
    BODY_QUATERNION,
    CENTER,
    COLUMN,
    CYLINDRICAL,
    DOF_RECORD,
    DOF_ROOM,
    DOFS,
    FRAME_ORIGIN,
    FRAME_QUATERNION,
    FREE,
    GRAVITY_LENGTH,
    KIND,
    LINK,
    LINK_ROOM,
    LINK_TABLE,
    LINKS,
    NUMBERS,
    PARENT,
    PLANAR,
    POSE_RECORD,
    POSE_ROOM,
    PRISMATIC,
    Q_START,
    REVOLUTE,
    SCREW,
    SPHERICAL,
    UNIVERSAL,
    V_START,
)

TURN = 2.0 * math.pi


@kernel
def joint_quaternion(kind, q, qs):
    """Rotation of a joint, continuous in its coordinates also beyond full turns."""
    p = (1.0, 0.0, 0.0, 0.0)
    if kind == REVOLUTE or kind == SCREW or kind == CYLINDRICAL:
        p = (math.cos(0.5 * q[qs]), 0.0, 0.0, math.sin(0.5 * q[qs]))
    elif kind == PLANAR:
        p = (math.cos(0.5 * q[qs + 2]), 0.0, 0.0, math.sin(0.5 * q[qs + 2]))
    elif kind == UNIVERSAL:
        first = (math.cos(0.5 * q[qs]), math.sin(0.5 * q[qs]), 0.0, 0.0)
        second = (math.cos(0.5 * q[qs + 1]), 0.0, math.sin(0.5 * q[qs + 1]), 0.0)
        p = quaternion_product(first, second)
    elif kind == SPHERICAL:
        p = quaternion(q, qs)
    elif kind == FREE:
        p = quaternion(q, qs + 3)
    return p


@kernel
def tree_to_bodies(tree, numbers, room, q, v, q_out, v_out):
    """State of the bodies (7 and 6 numbers each) from coordinates and velocities, after `move`."""
    poses, dofs = tree[POSE_ROOM], tree[DOF_ROOM]
    for k in range(POSE_RECORD):
        room[poses + k] = 0.0
    room[poses + 3] = 1.0
    for i in range(1, tree[LINKS] + 1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        kind, body, vs = tree[at + KIND], tree[at + BODY], tree[at + V_START]
        c = GRAVITY_LENGTH + NUMBERS * (i - 1)
        here, up = poses + POSE_RECORD * i, poses + POSE_RECORD * tree[at + PARENT]
        r = vector(room, LINK_ROOM * i + ARM)
        p = quaternion_product(quaternion(room, up + 3), quaternion(numbers, c + FRAME_QUATERNION))
        p = quaternion_product(p, joint_quaternion(kind, q, tree[at + Q_START]))
        wp = vector(room, up + 10)
        linear, angular = add(vector(room, up + 7), cross(wp, r)), wp
        for k in range(tree[at + DOFS]):
            slot = dofs + DOF_RECORD * (vs + k)
            linear = axpy(v[vs + k], vector(room, slot + COLUMN), linear)
            angular = axpy(v[vs + k], vector(room, slot + COLUMN + 3), angular)
        put_vector(room, here, add(vector(room, up), r))
        put_quaternion(room, here + 3, p)
        put_vector(room, here + 7, linear)
        put_vector(room, here + 10, angular)
        put_vector(q_out, 7 * body, vector(room, here))
        turned = quaternion_product(p, quaternion(numbers, c + BODY_QUATERNION))
        put_quaternion(q_out, 7 * body + 3, turned)
        put_vector(v_out, 6 * body, linear)
        put_vector(v_out, 6 * body + 3, angular)


@kernel
def nearest(angle, guess):
    """The angle with as many full turns as bring it nearest to the guess."""
    return angle + TURN * round((guess - angle) / TURN)


@kernel
def bodies_to_tree(tree, numbers, room, q_bodies, v_bodies, q_out, v_out):
    """Coordinates and velocities from the state of the bodies, whose joints must be closed.

    What the joints do not allow is left out. q_out comes in with a guess that decides how many
    full turns an angle has, and the sign of a quaternion.
    """
    poses = tree[POSE_ROOM]
    for k in range(POSE_RECORD):
        room[poses + k] = 0.0
    room[poses + 3] = 1.0
    for i in range(1, tree[LINKS] + 1):
        at = tree[LINK_TABLE] + LINK * (i - 1)
        kind, body, qs, vs = (
            tree[at + KIND],
            tree[at + BODY],
            tree[at + Q_START],
            tree[at + V_START],
        )
        c = GRAVITY_LENGTH + NUMBERS * (i - 1)
        here, up = poses + POSE_RECORD * i, poses + POSE_RECORD * tree[at + PARENT]
        center, linear = vector(q_bodies, 7 * body), vector(v_bodies, 6 * body)
        angular = vector(v_bodies, 6 * body + 3)
        turned = unit(quaternion(q_bodies, 7 * body + 3))
        p = quaternion_product(turned, conjugate(quaternion(numbers, c + BODY_QUATERNION)))
        put_vector(room, here, center)
        put_quaternion(room, here + 3, p)
        put_vector(room, here + 7, linear)
        put_vector(room, here + 10, angular)
        if kind == FREE:
            put_vector(q_out, qs, center)
            put_quaternion(q_out, qs + 3, alike(turned, quaternion(q_out, qs + 3)))
            put_vector(v_out, vs, linear)
            put_vector(v_out, vs + 3, angular)
            continue
        above, wp = quaternion(room, up + 3), vector(room, up + 10)
        frame = quaternion_product(above, quaternion(numbers, c + FRAME_QUATERNION))
        A = rotation_of(frame)
        far = times(rotation_of(p), vector(numbers, c + CENTER))
        near = times(rotation_of(above), vector(numbers, c + FRAME_ORIGIN))
        # From one joint frame to the other, on the parent's axes: way, rotation, their rates
        out = sub(sub(center, far), vector(room, up))
        way = transposed_times(A, sub(out, near))
        relative = quaternion_product(conjugate(frame), p)
        there = add(vector(room, up + 7), cross(wp, out))
        slide = transposed_times(A, sub(sub(linear, cross(angular, far)), there))
        turning = transposed_times(A, sub(angular, wp))
        about = 2.0 * math.atan2(relative[3], relative[0])
        if kind == REVOLUTE or kind == SCREW:
            q_out[qs], v_out[vs] = nearest(about, q_out[qs]), turning[2]
        elif kind == PRISMATIC:
            q_out[qs], v_out[vs] = way[2], slide[2]
        elif kind == CYLINDRICAL:
            q_out[qs], v_out[vs] = nearest(about, q_out[qs]), turning[2]
            q_out[qs + 1], v_out[vs + 1] = way[2], slide[2]
        elif kind == PLANAR:
            q_out[qs], v_out[vs] = way[0], slide[0]
            q_out[qs + 1], v_out[vs + 1] = way[1], slide[1]
            q_out[qs + 2], v_out[vs + 2] = nearest(about, q_out[qs + 2]), turning[2]
        elif kind == UNIVERSAL:
            R = rotation_of(relative)
            q_out[qs] = nearest(math.atan2(R[7], R[4]), q_out[qs])
            q_out[qs + 1] = nearest(math.atan2(R[2], R[0]), q_out[qs + 1])
            v_out[vs] = turning[0]
            v_out[vs + 1] = turning[1] * R[4] + turning[2] * R[7]
        elif kind == SPHERICAL:
            put_quaternion(q_out, qs, alike(relative, quaternion(q_out, qs)))
            put_vector(v_out, vs, turning)


@kernel
def alike(p, guess):
    """The one of p and -p nearer to the guess."""
    s = p[0] * guess[0] + p[1] * guess[1] + p[2] * guess[2] + p[3] * guess[3]
    if s < 0.0:
        return -p[0], -p[1], -p[2], -p[3]
    return p
