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

import math

from dalembert._jit import kernel
from dalembert.collision.layout import (
    BOX,
    CONTACT_FLAGS,
    CONTACT_INTEGERS,
    CONTACT_NUMBERS,
    GAP,
    HEIGHT_FIELD,
    HORIZON,
    INNER_RADIUS,
    KIND,
    NORMAL,
    PLANE,
    POINT,
    STEP_LENGTH,
    SWEEP_SPEED,
    SWEPT,
    placed,
    shape_integers,
    shape_numbers,
)
from dalembert.collision.pairs import touch
from dalembert.collision.spinning import is_spinning, near_of, nearest_contact, touch_spinning
from dalembert.numerics.small import axpy, dot, put_vector, sub, vector

STEPS = 64
"""Most advances; a body that is not there then is so near a tangent that it passes."""


@kernel
def is_fast(integers, numbers, a, b):
    """Whether a pair moves further in a step than the smaller ball within."""
    first = integers[shape_integers(integers, a) + KIND]
    second = integers[shape_integers(integers, b) + KIND]
    # a plane is met as its nearest points say; boxes look ahead themselves
    if first == PLANE or (first == BOX and second == BOX):
        return False
    u = sub(vector(numbers, placed(integers, b) + 12), vector(numbers, placed(integers, a) + 12))
    most = numbers[SWEEP_SPEED] * min(
        numbers[shape_numbers(integers, a) + INNER_RADIUS],
        numbers[shape_numbers(integers, b) + INNER_RADIUS],
    )
    h = numbers[STEP_LENGTH]
    return h * h * dot(u, u) > most * most


@kernel
def touch_pair(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Contacts of a pair: where it is, or, if it is fast, where it meets."""
    if is_spinning(integers, numbers, a, b):
        return touch_spinning(integers, numbers, a, b, margin, out_integers, out_numbers, count)
    fast = is_fast(integers, numbers, a, b)
    near, t, met = 0.0, 0.0, False
    at = placed(integers, b)
    x = u = (0.0, 0.0, 0.0)
    if fast:
        near = near_of(integers, numbers, a, b)
        x = vector(numbers, at)
        u = sub(vector(numbers, at + 12), vector(numbers, placed(integers, a) + 12))
    room = min(len(out_integers) // CONTACT_INTEGERS, len(out_numbers) // CONTACT_NUMBERS)
    found = count
    for _ in range(STEPS):
        found = touch(integers, numbers, a, b, margin, out_integers, out_numbers, count)
        if not fast:
            return found
        if found == count or found > room:
            break
        best = CONTACT_NUMBERS * nearest_contact(out_numbers, count, found)
        gap = out_numbers[best + GAP]
        if gap <= near:
            met = True
            break
        closing = math.sqrt(dot(u, u))
        if integers[shape_integers(integers, b) + KIND] < HEIGHT_FIELD:
            # convex: the normal is that of a plane between them
            closing = -dot(vector(out_numbers, best + NORMAL), u)
            if closing <= 0.0:
                break
        t += (gap - 0.5 * near) / closing
        if t > numbers[HORIZON]:
            break
        # B is moved meanwhile
        put_vector(numbers, at, axpy(t, u, x))
    put_vector(numbers, at, x)
    if found > room:
        return found
    if not met:
        return count
    return _back(u, t, near, out_integers, out_numbers, count, found)


@kernel
def _back(u, t, near, out_integers, out_numbers, first, last):
    """Move the contacts of a moment back to now; those that were not near then are dropped."""
    count = first
    for k in range(first, last):
        source, to = CONTACT_NUMBERS * k, CONTACT_NUMBERS * count
        if t == 0.0 or out_numbers[source + GAP] <= near:
            n = vector(out_numbers, source + NORMAL)
            point = axpy(-0.5 * t, u, vector(out_numbers, source + POINT))
            out_numbers[to + GAP] = out_numbers[source + GAP] - t * dot(n, u)
            put_vector(out_numbers, to + NORMAL, n)
            put_vector(out_numbers, to + POINT, point)
            for m in range(CONTACT_INTEGERS):
                out_integers[CONTACT_INTEGERS * count + m] = out_integers[CONTACT_INTEGERS * k + m]
            if t > 0.0:
                out_integers[CONTACT_INTEGERS * count + CONTACT_FLAGS] = SWEPT
            count += 1
    return count
