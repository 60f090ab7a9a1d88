"""Contacts ahead of fast bodies.

A body that moves further in a step than the ball within it would be stopped by the nearest surface
it only passes. Such a pair is followed along its motion (`spinning` has those that turn far, too):
while the gap of the nearest contact is g and its normal closes at the speed c = -n . u, nothing
happens for g / c (conservative advancement, B. Mirtich 1996; with the normal of convex shapes, that
is a separating plane). Where they meet, the contacts of that moment are taken, moved back to now,
and their gaps lengthened by the way:

    gap = gap(t) - n . u t.

If they do not meet there is no contact. Nothing stops the motion here: the contacts only tell the
solver how far it is.
"""

from dalembert._jit import apart, kernel
from dalembert.collision.layout import BOX, HEIGHT_FIELD, PLANE, SWEPT, Scene
from dalembert.collision.pairs import touch
from dalembert.collision.spinning import is_spinning, near_of, touch_spinning

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
