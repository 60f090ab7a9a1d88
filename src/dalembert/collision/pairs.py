"""Contacts of one pair: which function finds them for which kinds; where the pair is, or will meet.

One compiled function for all kinds: functions cannot be passed to kernels, so the table is a chain
of comparisons, the commonest pairs first; it is compiled once, not where it is called. kind(a) <=
kind(b) always. A pair that stands nowhere here (two planes, two meshes) has no contacts. Larger
functions are compiled when such a pair first meets.

A body that moves further in a step than the ball within it would be stopped by the nearest surface
it only passes. Such a pair is followed along its motion (those that turn far, too):
while the gap of the nearest contact is g and its normal closes at the speed c = -n . u, nothing
happens for g / c (conservative advancement, B. Mirtich 1996; with the normal of convex shapes, that
is a separating plane). Where they meet, the contacts of that moment are taken, moved back to now,
and their gaps lengthened by the way:

    gap = gap(t) - n . u t.

If they do not meet there is no contact. Nothing stops the motion here: the contacts only tell the
solver how far it is.

A body moves on with its velocity and turns about its centre of mass with its angular velocity, both
constant. A point of it at most rho away from the centre moves along n no faster than
n . v + |w| rho, which is the bound of conservative advancement (B. Mirtich 1996).
"""

import math

from dalembert._jit import apart, kernel, subroutine
from dalembert._records import value
from dalembert.collision.box_box import box_box
from dalembert.collision.convex import convex_convex
from dalembert.collision.field import convex_field
from dalembert.collision.field_points import field_field, plane_field
from dalembert.collision.field_triangles import triangles_field
from dalembert.collision.layout import (
    BOX,
    CAPSULE,
    CENTRED,
    CYLINDER,
    ELLIPSOID,
    HEIGHT_FIELD,
    HULL,
    MESH,
    PLANE,
    SIGNED_DISTANCE,
    SPHERE,
    SPUN,
    SWEPT,
    Scene,
)
from dalembert.collision.planes import (
    plane_box,
    plane_capsule,
    plane_cylinder,
    plane_ellipsoid,
    plane_hull,
    plane_sphere,
)
from dalembert.collision.round_box import capsule_box, sphere_box
from dalembert.collision.spheres import capsule_capsule, sphere_capsule, sphere_sphere
from dalembert.collision.triangles import convex_height_field, convex_mesh
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3


@subroutine
def touch(scene: Scene, a, b, margin, contacts, count):
    """Contacts of two shapes with a gap up to the margin; the number of contacts so far."""
    first, second = scene.shape(a).kind, scene.shape(b).kind
    if second <= BOX:
        return _simple(scene, first, second, a, b, margin, contacts, count)
    if first == PLANE:
        return _with_plane(scene, second, a, b, margin, contacts, count)
    return _other(scene, first, second, a, b, margin, contacts, count)


@kernel
def _with_plane(scene: Scene, second, a, b, margin, contacts, count):
    """A plane with a shape that is not simple."""
    if second == CYLINDER:
        return plane_cylinder(scene, a, b, margin, contacts, count)
    if second == ELLIPSOID:
        return plane_ellipsoid(scene, a, b, margin, contacts, count)
    if second == HULL:
        return plane_hull(scene, a, b, margin, contacts, count)
    if second == SIGNED_DISTANCE:
        return plane_field(scene, a, b, margin, contacts, count)
    return count


@kernel
def _simple(scene: Scene, first, second, a, b, margin, contacts, count):
    """Spheres, capsules and boxes among themselves and with a plane."""
    if first == PLANE:
        if second == SPHERE:
            return plane_sphere(scene, a, b, margin, contacts, count)
        if second == BOX:
            return plane_box(scene, a, b, margin, contacts, count)
        if second == CAPSULE:
            return plane_capsule(scene, a, b, margin, contacts, count)
        return count
    if first == SPHERE:
        if second == SPHERE:
            return sphere_sphere(scene, a, b, margin, contacts, count)
        if second == CAPSULE:
            return sphere_capsule(scene, a, b, margin, contacts, count)
        return sphere_box(scene, a, b, margin, contacts, count)
    if first == CAPSULE:
        if second == CAPSULE:
            return capsule_capsule(scene, a, b, margin, contacts, count)
        return capsule_box(scene, a, b, margin, contacts, count)
    return box_box(scene, a, b, margin, contacts, count)


@kernel
def _other(scene: Scene, first, second, a, b, margin, contacts, count):
    """Pairs with a cylinder, an ellipsoid, a hull, a height field, a mesh or a signed distance."""
    if second <= HULL:
        return convex_convex(scene, a, b, margin, contacts, count)
    if first <= HULL:
        if second == MESH:
            return convex_mesh(scene, a, b, margin, contacts, count)
        if second == HEIGHT_FIELD:
            return convex_height_field(scene, a, b, margin, contacts, count)
        return convex_field(scene, a, b, margin, contacts, count)
    if first == SIGNED_DISTANCE:
        return field_field(scene, a, b, margin, contacts, count)
    if second == SIGNED_DISTANCE:
        return triangles_field(scene, a, b, margin, contacts, count)
    return count


# -- contacts ahead of fast bodies -----------------------------------------------------------------


STEPS = 64
"""Most advances; a body that is not there then is so near a tangent that it passes."""


@kernel
def is_fast(scene: Scene, a, b):
    """Whether a pair moves further in a step than the smaller ball within."""
    A, B = scene.shape(a), scene.shape(b)
    # a plane is met as its nearest points say; boxes look ahead themselves
    if A.kind == PLANE or (A.kind == BOX and B.kind == BOX):
        return False
    u, h = B.v - A.v, scene.step_length
    most = scene.sweep_speed * min(A.inner_radius, B.inner_radius)
    return h * h * u.dot(u) > most * most


@kernel
def touch_pair(scene: Scene, a, b, margin, contacts, count):
    """Contacts of a pair: where it is, or, if it is fast, where it meets."""
    if is_spinning(scene, a, b):
        return touch_spinning(scene, a, b, margin, contacts, count)
    if not is_fast(scene, a, b):
        return touch(scene, a, b, margin, contacts, count)
    return _touch_fast(scene, a, b, margin, contacts, count)


@apart(int)
def _touch_fast(scene: Scene, a, b, margin, contacts, count):
    """Contacts of the moment a pair meets."""
    A, B = scene.shape(a), scene.shape(b)
    x, u, near = B.x, B.v - A.v, near_of(scene, a, b)
    t, met, found = 0.0, False, count
    for _ in range(STEPS):
        found = touch(scene, a, b, margin, contacts, count)
        if found == count or found > len(contacts):
            break
        nearest = contacts.nearest(count, found)
        met = nearest.gap <= near
        if met:
            break
        closing = u.size
        if B.kind < HEIGHT_FIELD:
            # convex: the normal is that of a plane between them
            closing = -nearest.normal.dot(u)
            if closing <= 0.0:
                break
        t += (nearest.gap - 0.5 * near) / closing
        if t > scene.horizon:
            break
        # B is moved meanwhile
        B.x = x + t * u
    B.x = x
    if found > len(contacts):
        return found
    if not met:
        return count
    return _back(contacts, count, found, u, t, near)


@kernel
def _back(contacts, first, last, u, t, near):
    """Move the contacts of a moment back to now; those that were not near then are dropped."""
    count = first
    for k in range(first, last):
        found = contacts[k]
        if t == 0.0 or found.gap <= near:
            gap, point = found.gap - t * found.normal.dot(u), found.point + (-0.5 * t) * u
            contacts.move(k, count, gap, point, SWEPT if t > 0.0 else found.flags)
            count += 1
    return count


# -- shapes that turn: where they are a moment later, and how fast they can come closer ------------


FAR = 0.2
"""Angle of a step from which turning is followed: below it a chord stands for the arc well."""


LOOKS = 64
"""Most advances; a pair that has not met then is near a tangent, and passes."""


@value
class Turning:
    """A shape that turns: where it is now, and the arm from the centre of mass to its origin."""

    x: Vec3
    R: Mat3
    v: Vec3
    w: Vec3
    arm: Vec3

    @property
    def centre(self):
        """Centre of mass."""
        return self.x - self.arm

    @property
    def velocity(self):
        """Velocity of the centre of mass."""
        return self.v - self.w % self.arm

    def put_later(self, shape, u, t):
        """Place the shape where it is after t, its centre moved by t u; it stands still there.

        Standing still, so that the functions of pairs do not look ahead on their own.
        """
        centre, arm, R, spin = self.centre + t * u, self.arm, self.R, self.w.size
        if spin > 0.0:
            axis = self.w / spin
            s, c = math.sin(t * spin), math.cos(t * spin)
            arm = turn(arm, axis, s, c)
            R = Mat3.of_columns(turn(R.x, axis, s, c), turn(R.y, axis, s, c), turn(R.z, axis, s, c))
        shape.x, shape.R, shape.v, shape.w = centre + arm, R, Vec3.zero(), Vec3.zero()

    def put_back(self, shape):
        """Place the shape as it was."""
        shape.x, shape.R, shape.v, shape.w = self.x, self.R, self.v, self.w


@kernel
def turning(shape):
    """A placed shape as one that turns."""
    return Turning(shape.x, shape.R, shape.v, shape.w, arm_of(shape))


@kernel
def arm_of(shape):
    """From the centre of mass to the origin of a placed shape."""
    if shape.body < 0 or shape.flags & CENTRED:
        return Vec3.zero()
    return shape.R @ shape.rotation.transposed_times(shape.position)


@kernel
def turn(a, axis, s, c):
    """A vector turned about a unit axis (Rodrigues)."""
    return ((1.0 - c) * axis.dot(a)) * axis + (c * a + s * (axis % a))


@kernel
def turning_speed(shape, arm):
    """|w| rho: the most that turning adds to the speed of a point of a shape."""
    spin = shape.w.dot(shape.w)
    if spin == 0.0:
        return 0.0
    return math.sqrt(spin) * (shape.bounding_radius + arm.size)


@kernel
def is_spinning(scene: Scene, a, b):
    """Whether a pair turns far in a step, and by that further than the smaller ball within."""
    A, B, h = scene.shape(a), scene.shape(b), scene.step_length
    if A.kind == PLANE:
        # met as its nearest points say
        return False
    if not h * h * max(A.w.dot(A.w), B.w.dot(B.w)) > FAR * FAR:
        return False
    most = scene.sweep_speed * min(A.inner_radius, B.inner_radius)
    return h * (turning_speed(A, arm_of(A)) + turning_speed(B, arm_of(B))) > most


@kernel
def near_of(scene: Scene, a, b):
    """Gap up to which a fast pair has met."""
    return scene.own_margin(min(scene.shape(a).bounding_radius, scene.shape(b).bounding_radius))


@apart(int)
def touch_spinning(scene: Scene, a, b, margin, contacts, count):
    """Contacts of a pair that turns far: where it is if it touches there, or where it meets."""
    A, B = scene.shape(a), scene.shape(b)
    of_a, of_b = turning(A), turning(B)
    # A stays and turns, B moves against it and turns
    u = of_b.velocity - of_a.velocity
    turning_closer = turning_speed(A, of_a.arm) + turning_speed(B, of_b.arm)
    fastest, near = u.size + turning_closer, near_of(scene, a, b)
    t, found, met = 0.0, count, False
    for _ in range(LOOKS):
        of_a.put_later(A, Vec3.zero(), t)
        of_b.put_later(B, u, t)
        found = touch(scene, a, b, margin, contacts, count)
        # further apart than the margin: that far at least
        gap, closing = margin, fastest
        if count < found <= len(contacts):
            nearest = contacts.nearest(count, found)
            gap = nearest.gap
            if B.kind < HEIGHT_FIELD:
                closing = turning_closer - nearest.normal.dot(u)
        met = count < found and gap <= near
        if met or found > len(contacts) or not closing > 0.0:
            break
        t += (gap - 0.5 * near) / closing
        if t > scene.horizon:
            break
    of_a.put_back(A)
    of_b.put_back(B)
    if found > len(contacts):
        return found
    if not met:
        return count
    if t == 0.0:
        return found
    return _back_turned(contacts, count, found, of_a, of_b, u, t, near)


@kernel
def _back_turned(contacts, first, last, of_a, of_b, u, t, near):
    """Contacts of the moment t as rows of now: arms and closing speed stay those of that moment.

    A pair that goes on as it does has then used up the gap, -t n . u(t), whichever way its points
    have gone.
    """
    c_a, c_b = of_a.centre, of_b.centre + t * u
    count = first
    for k in range(first, last):
        found = contacts[k]
        if found.gap <= near:
            p = found.point
            speed = u + (of_b.w % (p - c_b) - of_a.w % (p - c_a))
            gap = found.gap - t * min(0.0, found.normal.dot(speed))
            contacts.move(k, count, gap, p + (-0.5 * t) * u, SWEPT | SPUN)
            count += 1
    return count
