"""From coordinates of a tree to the state of its bodies, seven and six numbers each, and back."""

import itertools
import math

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.tree_kinematics import move, spread_acceleration
from dalembert.model.rotation import about, quaternion_of_matrix
from dalembert.model.states import from_center, rotations
from dalembert.numerics.small import (
    add,
    axpy,
    conjugate,
    cross,
    logarithm,
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
from dalembert.system.tree_layout import (
    ARM,
    BODY,
    BODY_QUATERNION,
    CENTER,
    COLUMN,
    COMPOUND,
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
from dalembert.system.tree_links import compound_axes

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
        if body < 0:
            continue
        put_vector(q_out, 7 * body, vector(room, here))
        turned = quaternion_product(p, quaternion(numbers, c + BODY_QUATERNION))
        put_quaternion(q_out, 7 * body + 3, turned)
        put_vector(v_out, 6 * body, linear)
        put_vector(v_out, 6 * body + 3, angular)


@kernel
def states_of_bodies(tree, numbers, room, q, v, q_out, v_out):
    """State of the bodies for every row of (q, v)."""
    for k in range(q.shape[0]):
        move(tree, numbers, room, q[k], v[k])
        tree_to_bodies(tree, numbers, room, q[k], v[k], q_out[k], v_out[k])


@kernel
def accelerations_of_bodies(tree, numbers, room, q, v, a, a_out):
    """V' = S v' + S' v for every row of (q, v, v')."""
    for k in range(q.shape[0]):
        move(tree, numbers, room, q[k], v[k])
        spread_acceleration(tree, room, a[k], a_out[k])


@kernel
def nearest(angle, guess):
    """The angle with as many full turns as bring it nearest to the guess."""
    return angle + TURN * round((guess - angle) / TURN)


@kernel
def bodies_to_tree(tree, numbers, room, q_bodies, v_bodies, q_out, v_out):
    """Coordinates and velocities from the state of the bodies, whose joints must be closed.

    What the joints do not allow is left out. q_out comes in with a guess that decides how many
    full turns an angle has, and the sign of a quaternion. Compound joints are left to
    `read_bodies`.
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
        if body < 0:
            continue
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
        if is_between(tree, tree[at + PARENT]):
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
def is_between(tree, link):
    """Whether a link stands between the hinges of a compound joint."""
    return link > 0 and tree[tree[LINK_TABLE] + LINK * (link - 1) + BODY] < 0


@kernel
def alike(p, guess):
    """The one of p and -p nearer to the guess."""
    s = p[0] * guess[0] + p[1] * guess[1] + p[2] * guess[2] + p[3] * guess[3]
    if s < 0.0:
        return -p[0], -p[1], -p[2], -p[3]
    return p


def read_bodies(tables, q_bodies, v_bodies, near):
    """Coordinates and velocities of any tree from the state of its bodies; `near` as above."""
    q, v, room = np.array(near, dtype=float), np.zeros(tables.nv), tables.room()
    bodies_to_tree(tables.integers, tables.numbers, room, q_bodies, v_bodies, q, v)
    for edge in tables.joints:
        if edge.kind == COMPOUND and len(edge.coordinates) > 1:
            way, R, slide, turning = relative_motion(tables, edge.joint, q_bodies, v_bodies)
            order = slice(None, None, -1 if edge.reversed else 1)
            x = compound_coordinates(edge.joint, way, R, q[edge.q][order])
            q[edge.q] = x[order]
            J = compound_chain(edge.joint, x)[2]
            v[edge.v] = np.linalg.lstsq(J, np.concatenate([slide, turning]), rcond=None)[0][order]
    return q, v


@kernel
def follow_bodies(tree, numbers, room, q_bodies, v_bodies, q_out, v_out):
    """Coordinates and velocities for every row of states, each near the one before it."""
    for s in range(q_bodies.shape[0]):
        if s > 0:
            for i in range(q_out.shape[1]):
                q_out[s, i] = q_out[s - 1, i]
        bodies_to_tree(tree, numbers, room, q_bodies[s], v_bodies[s], q_out[s], v_out[s])


def states_of_tree(tables, numbers, near, q_bodies, v_bodies):
    """Coordinates and velocities of a tree along states of its bodies; `near` is near the first."""
    count = len(q_bodies)
    q, v = np.zeros((count, tables.nq)), np.zeros((count, tables.nv))
    if not count:
        return q, v
    q[0] = near
    if any(edge.kind == COMPOUND for edge in tables.joints):
        for s in range(count):
            q[s], v[s] = read_bodies(tables, q_bodies[s], v_bodies[s], q[max(s - 1, 0)])
        return q, v
    follow_bodies(tables.integers, numbers, tables.room(), q_bodies, v_bodies, q, v)
    return q, v


def relative_motion(tables, joint, q_bodies, v_bodies):
    """Second joint frame seen from the first, in its axes: way, rotation and their rates."""
    seen = []
    number_of = {name: b for b, name in enumerate(tables.bodies)}
    for frame in joint.frames:
        b = number_of.get(frame.body.name)
        arm, turned = from_center(frame, tables.parameters), frame.orientation.matrix
        if b is None:
            seen.append((arm, turned, np.zeros(3), np.zeros(3)))
            continue
        R = rotations(q_bodies[7 * b + 3 : 7 * b + 7])
        linear, w = v_bodies[6 * b : 6 * b + 3], v_bodies[6 * b + 3 : 6 * b + 6]
        arm = R @ arm
        seen.append((q_bodies[7 * b : 7 * b + 3] + arm, R @ turned, linear + np.cross(w, arm), w))
    (p, A, v, w), (other, B, u, spin) = seen
    way = other - p
    return A.T @ way, A.T @ B, A.T @ (u - v - np.cross(w, way)), A.T @ (spin - w)


def compound_chain(joint, x):
    """Way and rotation of the second frame of a compound joint, and their Jacobian (6 x parts)."""
    slides, axes = len(joint.slides), compound_axes(joint)
    R, way = np.eye(3), axes[:slides].T @ x[:slides]
    J = np.zeros((6, len(x)))
    J[:3, :slides] = axes[:slides].T
    for k in range(slides, len(x)):
        J[3:, k] = R @ axes[k]
        R = R @ about(axes[k], x[k])
        if k == slides:  # two hinges apart: the first carries the second one round
            arm = R @ np.array(joint.apart, dtype=float)
            way = way + arm
            J[:3, k] = np.cross(J[3:, k], arm)
    return way, R, J


STEPS, CLOSE = 50, 1e-13


def compound_coordinates(joint, way, R, guess):
    """Displacements and angles of a compound joint at a given pose, those nearest the guess.

    Newton's method; from other angles where it does not come near.
    """
    slides, count = len(joint.slides), len(guess)
    quarters = np.array([0.0, 1.0, -1.0, 2.0]) * (0.25 * TURN) + 0.1
    starts = [np.array(guess, dtype=float)]
    for angles in itertools.product(quarters, repeat=count - slides):
        starts.append(np.concatenate([guess[:slides], angles]))
    best, least = starts[0], math.inf
    for x in starts:
        for _ in range(STEPS):
            p, Q, J = compound_chain(joint, x)
            e = np.concatenate([way - p, _rotation_vector(R @ Q.T)])
            size = float(np.abs(e).max())
            if size < least:
                best, least = x, size
            if size <= CLOSE:
                break
            step = np.linalg.lstsq(J, e, rcond=1e-6)[0]
            x = x + step * min(1.0, 1.0 / max(np.abs(step).max(), 1e-300))
        if least <= 1e4 * CLOSE:
            break
    turns = np.round((guess - best) / TURN)
    turns[:slides] = 0.0
    return best + TURN * turns


def _rotation_vector(R):
    p = quaternion_of_matrix(R)
    return np.array(logarithm((float(p[0]), float(p[1]), float(p[2]), float(p[3]))))
