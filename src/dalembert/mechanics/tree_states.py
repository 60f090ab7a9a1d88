"""From coordinates of a tree to the state of its bodies, seven and six numbers each, and back."""

import itertools
import math

import numpy as np

from dalembert._jit import kernel
from dalembert.mechanics.tree_kinematics import move, spread_acceleration
from dalembert.model.basics.rotation import about, quaternion_of_matrix
from dalembert.model.start.states import from_center, rotations
from dalembert.numerics.quaternion import Quaternion, put_quaternion, quaternion
from dalembert.numerics.spatial import Motion, motion, put_motion
from dalembert.numerics.vector import Vec3, put_vec3, vec3
from dalembert.system.tree_layout import (
    COMPOUND,
    CYLINDRICAL,
    FREE,
    PLANAR,
    PRISMATIC,
    REVOLUTE,
    SCREW,
    SPHERICAL,
    UNIVERSAL,
    Constants,
    Tree,
)
from dalembert.system.tree_links import compound_axes

TURN = 2.0 * math.pi


@kernel
def joint_quaternion(joint, q):
    """Rotation of a joint, continuous in its coordinates also beyond full turns."""
    kind, qs = joint.kind, joint.q_start
    p = Quaternion.one()
    if kind == REVOLUTE or kind == SCREW or kind == CYLINDRICAL:
        p = Quaternion(math.cos(0.5 * q[qs]), 0.0, 0.0, math.sin(0.5 * q[qs]))
    elif kind == PLANAR:
        p = Quaternion(math.cos(0.5 * q[qs + 2]), 0.0, 0.0, math.sin(0.5 * q[qs + 2]))
    elif kind == UNIVERSAL:
        first = Quaternion(math.cos(0.5 * q[qs]), math.sin(0.5 * q[qs]), 0.0, 0.0)
        second = Quaternion(math.cos(0.5 * q[qs + 1]), 0.0, math.sin(0.5 * q[qs + 1]), 0.0)
        p = first @ second
    elif kind == SPHERICAL:
        p = quaternion(q, qs)
    elif kind == FREE:
        p = quaternion(q, qs + 3)
    return p


@kernel
def rest_at_origin(pose):
    """Pose of the world."""
    pose.center, pose.rotation, pose.velocity = Vec3.zero(), Quaternion.one(), Motion.zero()


@kernel
def tree_to_bodies(integers, numbers, room, q, v, q_out, v_out):
    """State of the bodies (7 and 6 numbers each) from coordinates and velocities, after `move`."""
    tree, given = Tree(integers, room), Constants(integers, numbers)
    rest_at_origin(tree.pose(0))
    for i in range(1, tree.head.links + 1):
        link, own, pose = tree.link(i), given.link(i), tree.pose(i)
        above = tree.pose(link.parent)
        p = (above.rotation @ own.frame_quaternion) @ joint_quaternion(link, q)
        V = above.velocity.at(link.arm)
        for k in range(link.v_start, link.v_start + link.dofs):
            V = v[k] * tree.dof(k).S + V
        pose.center, pose.rotation, pose.velocity = above.center + link.arm, p, V
        if link.body >= 0:
            put_vec3(q_out, 7 * link.body, pose.center)
            put_quaternion(q_out, 7 * link.body + 3, p @ own.body_quaternion)
            put_motion(v_out, 6 * link.body, V)


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
def bodies_to_tree(integers, numbers, room, q_bodies, v_bodies, q_out, v_out):
    """Coordinates and velocities from the state of the bodies, whose joints must be closed.

    What the joints do not allow is left out. q_out comes in with a guess that decides how many
    full turns an angle has, and the sign of a quaternion. Compound joints are left to
    `read_bodies`.
    """
    tree, given = Tree(integers, room), Constants(integers, numbers)
    rest_at_origin(tree.pose(0))
    for i in range(1, tree.head.links + 1):
        link, own, pose = tree.link(i), given.link(i), tree.pose(i)
        if link.body < 0:
            continue
        turned = quaternion(q_bodies, 7 * link.body + 3).unit()
        pose.center = vec3(q_bodies, 7 * link.body)
        pose.rotation = turned @ own.body_quaternion.conjugate()
        pose.velocity = motion(v_bodies, 6 * link.body)
        if link.kind == FREE:
            qs = link.q_start
            put_vec3(q_out, qs, pose.center)
            put_quaternion(q_out, qs + 3, alike(turned, quaternion(q_out, qs + 3)))
            put_motion(v_out, link.v_start, pose.velocity)
        elif not is_between(tree, link.parent):
            read_joint(link, own, tree.pose(link.parent), pose, q_out, v_out)


@kernel
def read_joint(link, own, above, pose, q_out, v_out):
    """Coordinates and velocities of one joint from the poses of its link and its parent."""
    kind, qs, vs, V = link.kind, link.q_start, link.v_start, pose.velocity
    frame = above.rotation @ own.frame_quaternion
    A, wp = frame.rotation(), above.velocity.angular
    far = pose.rotation.rotation() @ own.center
    near = above.rotation.rotation() @ own.frame_origin
    # From one joint frame to the other, on the parent's axes: way, rotation, their rates
    out = pose.center - far - above.center
    way = A.transposed_times(out - near)
    relative = frame.conjugate() @ pose.rotation
    there = above.velocity.linear + wp % out
    slide = A.transposed_times(V.linear - V.angular % far - there)
    turning = A.transposed_times(V.angular - wp)
    about = 2.0 * math.atan2(relative.z, relative.w)
    if kind == REVOLUTE or kind == SCREW:
        q_out[qs], v_out[vs] = nearest(about, q_out[qs]), turning.z
    elif kind == PRISMATIC:
        q_out[qs], v_out[vs] = way.z, slide.z
    elif kind == CYLINDRICAL:
        q_out[qs], v_out[vs] = nearest(about, q_out[qs]), turning.z
        q_out[qs + 1], v_out[vs + 1] = way.z, slide.z
    elif kind == PLANAR:
        q_out[qs], v_out[vs] = way.x, slide.x
        q_out[qs + 1], v_out[vs + 1] = way.y, slide.y
        q_out[qs + 2], v_out[vs + 2] = nearest(about, q_out[qs + 2]), turning.z
    elif kind == UNIVERSAL:
        R = relative.rotation()
        q_out[qs] = nearest(math.atan2(R.zy, R.yy), q_out[qs])
        q_out[qs + 1] = nearest(math.atan2(R.xz, R.xx), q_out[qs + 1])
        v_out[vs] = turning.x
        v_out[vs + 1] = turning.y * R.yy + turning.z * R.zy
    elif kind == SPHERICAL:
        put_quaternion(q_out, qs, alike(relative, quaternion(q_out, qs)))
        put_vec3(v_out, vs, turning)


@kernel
def is_between(tree, i):
    """Whether a link stands between the hinges of a compound joint."""
    return i > 0 and tree.link(i).body < 0


@kernel
def alike(p, guess):
    """The one of p and -p nearer to the guess."""
    if p.dot(guess) < 0.0:
        return -p
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
    return np.array(list(Quaternion(*(float(x) for x in p)).logarithm()))
