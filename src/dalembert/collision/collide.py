"""Everything that touches: place the shapes, find candidate pairs, look at each.

    count = collide(scene, records, h, contacts)

See `layout` for the scene. The contacts are in order of the pairs, and do not depend on what is
kept between calls.

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

from dalembert._jit import apart, kernel
from dalembert._records import value
from dalembert.collision.bounds_tree import tree_pairs
from dalembert.collision.broad_phase import HALF, LOWER, add_pair, grid_pairs, sort_pairs, sweep
from dalembert.collision.layout import (
    BOX,
    BROAD_GRID,
    BROAD_TREE,
    CENTRED,
    HEIGHT_FIELD,
    OVERFLOW,
    PLANE,
    SPUN,
    SWEPT,
    UNPLACED,
    Scene,
)
from dalembert.collision.pairs import touch
from dalembert.collision.placing import margin_of, own_margin, place_shapes, plane_near
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3


@kernel
def find_pairs(scene: Scene):
    """Candidate pairs, sorted; how many, or OVERFLOW."""
    scene.pairs = 0
    endless, bounded = scene.unbounded, scene.bounded
    for k in range(len(endless)):
        is_plane = scene.shape(endless[k]).kind == PLANE
        for j in range(len(bounded)):
            if not is_plane or plane_near(scene, endless[k], bounded[j]):
                add_pair(scene, endless[k], bounded[j])
    if scene.broad_choice == BROAD_TREE:
        tree_pairs(scene)
    elif scene.broad_choice == BROAD_GRID:
        grid_pairs(scene)
    else:
        sweep(scene)
    scene.needed_pairs = scene.pairs
    if scene.pairs > scene.pair_capacity:
        return OVERFLOW
    sort_pairs(scene)
    return scene.pairs


@kernel
def collide(scene: Scene, records, h, contacts):
    """Contacts of all pairs; how many, OVERFLOW, or UNPLACED."""
    scene.step_length, scene.horizon = h, scene.margin_speed * h
    scene.needed_contacts = 0
    if not place_shapes(scene, records):
        return UNPLACED
    pairs = find_pairs(scene)
    if pairs < 0:
        return OVERFLOW
    count = 0
    for k in range(pairs):
        code = scene.pair_list[k]
        a, b = code >> HALF, code & LOWER
        if scene.shape(a).kind > scene.shape(b).kind:
            a, b = b, a
        count = touch_pair(scene, a, b, margin_of(scene, a, b), contacts, count)
    scene.needed_contacts = count
    return count if count <= len(contacts) else OVERFLOW


@kernel
def repeat_collide(scene: Scene, times, records, h, contacts):
    """Call `collide` many times over, for measurements."""
    count = 0
    for _ in range(times):
        count = collide(scene, records, h, contacts)
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


# -- shapes that turn on their way: where they are a moment later, and how fast they can come clos--


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
    return own_margin(scene, min(scene.shape(a).bounding_radius, scene.shape(b).bounding_radius))


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
