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

from dalembert._jit import apart, kernel
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.quaternion import quaternion
from dalembert.numerics.spatial import Force, Motion, force, put_motion
from dalembert.numerics.vector import Vec3, vec3
from dalembert.system.tree_layout import (
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

NEARBY = 0.02
"""Change of an angle [rad] up to which its sine follows from the last one."""


@kernel
def set_world(tree):
    """Link 0: the world, at rest."""
    world, nothing = tree.link(0), Motion.zero()
    world.rotation, world.spin, world.arm = Mat3.unit(), Vec3.zero(), Vec3.zero()
    world.gamma, world.acceleration, world.answer = nothing, nothing, nothing
    world.load, world.pull = Force.zero(), Force.zero()


@kernel
def move(integers, numbers, room, q, v):
    """Outward pass: R, angular velocity, arms, S, gamma, inertia and the forces known by now.

    First pass of the articulated-body algorithm (table 7.1, lines 1 to 9). The load is minus the
    force on each body: gravity and the gyroscopic torque.
    """
    tree, given = Tree(integers, room), Constants(integers, numbers)
    set_world(tree)
    gravity = given.gravity
    for i in range(1, tree.head.links + 1):
        link, own = tree.link(i), given.link(i)
        parent, qs, vs = tree.parent(link), link.q_start, link.v_start
        dof, wp = tree.dof(vs), parent.spin
        B = parent.rotation.times(own.frame_rotation)
        near = parent.rotation @ own.frame_origin
        if link.kind == REVOLUTE:
            z, rate = B.z, v[vs]
            sine, cosine = math.sin(q[qs]), math.cos(q[qs])
            R = B.about_z(sine, cosine)
            dof.angle, dof.sine, dof.cosine = q[qs], sine, cosine
            far = R @ own.center
            w, gw = rate * z + wp, rate * (wp % z)
            dof.S = Motion(z % far, z)
            ga = wp % (wp % near)
        elif link.kind == PRISMATIC:
            z, rate = B.z, v[vs]
            R, w, gw = B, wp, Vec3.zero()
            near = q[qs] * z + near
            far = R @ own.center
            dof.S = Motion(z, gw)
            ga = wp % ((2.0 * rate) * z + wp % near)
        else:
            R, d, w, gw, slide = joint_motion(link, B, own.pitch, wp, q, v)
            near = near + d
            far = R @ own.center
            joint_columns(tree, link, B, R, far, own.pitch)
            ga = wp % (2.0 * slide + wp % near)
        # gamma: the joint's point on the parent, sliding along, then round it on the link
        gv = ga + (w % (w % far) + gw % far)
        theta, mass = own.theta.turned_by(R), own.mass
        link.rotation, link.spin, link.arm = R, w, near + far
        link.gamma, link.mass, link.theta = Motion(gv, gw), mass, theta
        link.load = Force((-mass) * gravity, w % (theta @ w))


@kernel
def sine_and_cosine(angle, last, sine, cosine):
    """Sine and cosine of an angle; near a last one, by its own and the formulas of a sum.

    In |d| <= NEARBY the series of sin d and cos d are exact to rounding.
    """
    d = angle - last
    if abs(d) > NEARBY:
        return math.sin(angle), math.cos(angle)
    x = d * d
    s = d - d * x * (1 / 6 - x * (1 / 120 - x * (1 / 5040)))
    c = x * (1 / 2 - x * (1 / 24 - x * (1 / 720)))
    return sine + (cosine * s - sine * c), cosine - (sine * s + cosine * c)


@kernel
def joint_motion(joint, B, pitch, wp, q, v):
    """Motion in a joint of any kind: R of the link, way, angular velocity, its bias, sliding.

    B holds the axes of the joint frame on the parent, wp the parent's angular velocity. The bias is
    the rate of the axes, S' v (eq. 3.35): an axis fixed to the parent turns with it.
    """
    kind, qs, vs = joint.kind, joint.q_start, joint.v_start
    x, y, z, zero = B.x, B.y, B.z, Vec3.zero()
    R, d, w, gw, slide = B, zero, wp, zero, zero
    if kind == SCREW:
        R = B.about_z(math.sin(q[qs]), math.cos(q[qs]))
        w, gw = v[vs] * z + wp, v[vs] * (wp % z)
        d, slide = (pitch * q[qs]) * z, (pitch * v[vs]) * z
    elif kind == CYLINDRICAL:
        R = B.about_z(math.sin(q[qs]), math.cos(q[qs]))
        w, gw = v[vs] * z + wp, v[vs] * (wp % z)
        d, slide = q[qs + 1] * z, v[vs + 1] * z
    elif kind == UNIVERSAL:
        cross_piece = B.about_x(math.sin(q[qs]), math.cos(q[qs]))
        R = cross_piece.about_y(math.sin(q[qs + 1]), math.cos(q[qs + 1]))
        w1 = v[vs] * x + wp
        w = v[vs + 1] * R.y + w1
        gw = v[vs + 1] * (w1 % R.y) + v[vs] * (wp % x)
    elif kind == PLANAR:
        R = B.about_z(math.sin(q[qs + 2]), math.cos(q[qs + 2]))
        w, gw = v[vs + 2] * z + wp, v[vs + 2] * (wp % z)
        d = q[qs] * x + q[qs + 1] * y
        slide = v[vs] * x + v[vs + 1] * y
    elif kind == SPHERICAL:
        R = B.times(quaternion(q, qs).rotation())
        turning = B @ vec3(v, vs)
        w, gw = wp + turning, wp % turning
    elif kind == FREE:
        R, d, w = quaternion(q, qs + 3).rotation(), vec3(q, qs), vec3(v, vs + 3)
    return R, d, w, gw, slide


@kernel
def joint_columns(tree, link, B, R, far, pitch):
    """Columns of S of a joint of any kind (table 4.1), at the link's centre of mass."""
    kind, x, y, z, none = link.kind, B.x, B.y, B.z, Vec3.zero()
    first, second = tree.dof(link.v_start), tree.dof(link.v_start + 1)
    third = tree.dof(link.v_start + 2)
    if kind == SCREW:
        first.S = Motion(pitch * z + z % far, z)
    elif kind == CYLINDRICAL:
        first.S, second.S = Motion(z % far, z), Motion(z, none)
    elif kind == UNIVERSAL:
        first.S, second.S = Motion(x % far, x), Motion(R.y % far, R.y)
    elif kind == PLANAR:
        first.S, second.S, third.S = Motion(x, none), Motion(y, none), Motion(z % far, z)
    elif kind == SPHERICAL:
        first.S, second.S = Motion(x % far, x), Motion(y % far, y)
        third.S = Motion(z % far, z)
    elif kind == FREE:
        one = Mat3.unit()
        first.S, second.S, third.S = Motion(one.x, none), Motion(one.y, none), Motion(one.z, none)
        tree.dof(link.v_start + 3).S = Motion(none, one.x)
        tree.dof(link.v_start + 4).S = Motion(none, one.y)
        tree.dof(link.v_start + 5).S = Motion(none, one.z)


@kernel
def push(integers, room, forces):
    """Add forces on bodies (six each: force, torque about the centre of mass), after `move`."""
    for link in Tree(integers, room).outward:
        if link.body >= 0:
            link.load = link.load - force(forces, 6 * link.body)


@kernel
def load_only(integers, room, forces):
    """Let these be all forces on bodies, gravity and gyroscopic torque among them, after `move`."""
    for link in Tree(integers, room).outward:
        link.load = Force.zero()
        if link.body >= 0:
            link.load = -force(forces, 6 * link.body)


# -- S and its transpose --------------------------------------------------------------------------


@apart(None)
def spread_velocity(integers, room, v, v_out):
    """V = S v, six entries for each body: any velocities on the way, after `move`."""
    spread(integers, room, v, 0, v_out)


@kernel
def spread_acceleration(integers, room, a, a_out):
    """V' = S v' + S' v, six entries for each body, after `move`."""
    spread(integers, room, a, 1, a_out)


@kernel
def spread(integers, room, x, biased, out):
    """X_i V_p + S_i x_i, with or without gamma, from the world outward."""
    tree = Tree(integers, room)
    tree.link(0).answer = Motion.zero()
    for link in tree.outward:
        V = tree.parent(link).answer.at(link.arm)
        if biased == 1:
            V = V + link.gamma
        for k in range(link.v_start, link.v_start + link.dofs):
            V = x[k] * tree.dof(k).S + V
        link.answer = V
        if link.body >= 0:
            put_motion(out, 6 * link.body, V)


@kernel
def gather_force(integers, room, forces, tau_out):
    """tau = S^T F, the generalised forces of forces on bodies, after `move`."""
    tree = Tree(integers, room)
    for link in tree.outward:
        link.pull = Force.zero()
        if link.body >= 0:
            link.pull = force(forces, 6 * link.body)
    for link in tree.inward:
        f = link.pull
        for k in range(link.v_start, link.v_start + link.dofs):
            tau_out[k] = f.dot(tree.dof(k).S)
        parent = tree.parent(link)
        parent.pull = parent.pull + f.carried(link.arm)


@kernel
def gather_row(integers, room, link, wrench, row_out):
    """Add S^T F of one force on one link to a row of nv entries, after `move`.

    With a block of J in the place of the wrench this is that row on the tree; only the entries on
    the way to the world are touched.
    """
    tree, f, i = Tree(integers, room), force(wrench, 0), link
    while i > 0:
        here = tree.link(i)
        for k in range(here.v_start, here.v_start + here.dofs):
            row_out[k] += f.dot(tree.dof(k).S)
        f, i = f.carried(here.arm), here.parent


@kernel
def jacobian_columns(integers, room, link, point, J_out):
    """J of a point of a link (6 x nv: its velocity, angular velocity), after `tree_to_bodies`.

    Column k is S_k shifted from the centre of mass of its link to the point; only those on the way
    to the world are not zero.
    """
    tree = Tree(integers, room)
    for r in range(6):
        for k in range(J_out.shape[1]):
            J_out[r, k] = 0.0
    i = link
    while i > 0:
        here, arm = tree.link(i), vec3(point, 0) - tree.pose(i).center
        for k in range(here.v_start, here.v_start + here.dofs):
            V = tree.dof(k).S.at(arm)
            J_out[0, k], J_out[1, k], J_out[2, k] = V.linear
            J_out[3, k], J_out[4, k], J_out[5, k] = V.angular
        i = here.parent
