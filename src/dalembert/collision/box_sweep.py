"""Two boxes in motion: when, and on which axis, they meet.

Without turning, the projections on an axis m overlap while |m . (d + u t)| < E, E being the sum of
the half widths; the boxes overlap while all 15 pairs do. They meet at the last of the moments of
entry, on the axis it belongs to, unless one pair has left before (D. Eberly, Dynamic Collision
Detection using Oriented Bounding Boxes, 1999). E is taken smaller by the `slack` of boxes that
graze.
"""

import math

from dalembert._jit import kernel
from dalembert.collision.box_axes import NO_EDGES
from dalembert.numerics.vector import Vec3

ACROSS = 0.05
"""Cosine up to which two axes are across each other."""


@kernel
def _half_widths(boxes, m):
    """Sum of the half widths of the projections on m, in axes of A."""
    w = boxes.C.transposed_times(m)
    return boxes.ha.dot(m.absolute) + boxes.hb.dot(w.absolute)


@kernel
def _axis(C, k):
    """Direction of an axis by its number, and the square of its length."""
    if k < 3:
        return Vec3.along(k, 1.0), 1.0
    if k < 6:
        return C @ Vec3.along(k - 3, 1.0), 1.0
    m = Vec3.along((k - 6) // 3, 1.0) % (C @ Vec3.along((k - 6) % 3, 1.0))
    return m, m.dot(m)


@kernel
def grazes(boxes, axis, slack):
    """Whether boxes just touch on a face axis across the given one: they are passing."""
    m, squared = _axis(boxes.C, axis)
    most = ACROSS * ACROSS * squared
    for k in range(6):
        if k != axis:
            other = _axis(boxes.C, k)[0]
            cosine = m.dot(other)
            if cosine * cosine < most:
                apart = abs(other.dot(boxes.d)) - _half_widths(boxes, other)
                if -slack < apart < slack:
                    return True
    return False


@kernel
def meeting(boxes, u, slack, horizon):
    """Moment and axis of meeting; the axis is -1 when they do not meet before the horizon."""
    moment, axis = 0.0, -1
    last = horizon
    for k in range(15):
        m, squared = _axis(boxes.C, k)
        if squared > NO_EDGES:
            if squared != 1.0:
                m = (1.0 / math.sqrt(squared)) * m
            reach = _half_widths(boxes, m) - slack
            place, speed = m.dot(boxes.d), m.dot(u)
            if place < 0.0:
                place, speed = -place, -speed
            apart = place - reach
            if apart > 0.0:
                if speed * horizon >= -apart:
                    return 0.0, -1
                entry_time = -apart / speed
                # a face keeps a meeting that an edge ties
                if entry_time > moment + (1e-9 * horizon if k >= 6 else 0.0) or axis < 0:
                    moment, axis = entry_time, k
                last = min(last, (-place - reach) / speed)
            elif speed != 0.0:
                leaving = (reach - place) / speed if speed > 0.0 else (-reach - place) / speed
                last = min(last, leaving)
            if last < moment:
                return 0.0, -1
    return moment, axis
