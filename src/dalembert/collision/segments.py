"""Nearest points of segments and boxes, and normals of directions.

A segment is its middle c, a unit direction d and half its length l: x(s) = c + s d, |s| <= l. With
r = c_1 - c_2 and k = d_1 . d_2 the nearest points of the lines are at

    s = (k d_2 . r - d_1 . r) / (1 - k^2),     t = d_2 . r + k s

(C. Ericson, Real-Time Collision Detection, 2005, 5.1.9, there for end points); then the ends.
"""

from dalembert._jit import kernel
from dalembert.numerics.vector import Vec3

TINY = 1e-150
"""A length whose square can still be told from zero."""

PARALLEL = 1e-12
"""Squared sine below which the nearest points of two directions are lost in rounding."""


@kernel
def clamp(x, low, high):
    """x, or the bound it is beyond."""
    return low if x < low else (high if x > high else x)


@kernel
def direction(d, otherwise):
    """Length of a vector and its direction; `otherwise` when it has none."""
    if not d.dot(d) > TINY * TINY:
        return 0.0, otherwise
    length = d.size
    return length, (1.0 / length) * d


@kernel
def nearest_of_segment(c, d, half, x):
    """Place s on a segment nearest to a point."""
    return clamp(d.dot(x - c), -half, half)


@kernel
def nearest_of_segments(c1, d1, l1, c2, d2, l2):
    """Places (s, t) of two segments nearest to one another; the middle of the range if many are."""
    r = c1 - c2
    k = d1.dot(d2)
    f, g = d1.dot(r), d2.dot(r)
    across = d1 % d2
    squared = across.dot(across)
    if squared > PARALLEL:
        s = clamp((k * g - f) / squared, -l1, l1)
    else:
        # parallel: the middle of where the second lies beside the first
        way = abs(k) * l2
        s = 0.5 * (clamp(-f - way, -l1, l1) + clamp(-f + way, -l1, l1))
    t = clamp(g + k * s, -l2, l2)
    # the place on the first that belongs to a place on the second; final for a clamped one
    s = clamp(k * t - f, -l1, l1)
    return s, clamp(g + k * s, -l2, l2)


@kernel
def outside_of_box(x, h):
    """Distance of a point from a box (negative inside) and the normal out of it there."""
    d = x - Vec3(clamp(x.x, -h.x, h.x), clamp(x.y, -h.y, h.y), clamp(x.z, -h.z, h.z))
    if d.dot(d) > TINY * TINY:
        return direction(d, d)
    inside = h - x.absolute
    k, depth = 0, inside.x
    for j in range(1, 3):
        if inside.entry(j) < depth:
            depth, k = inside.entry(j), j
    return -depth, Vec3.along(k, -1.0 if x.entry(k) < 0.0 else 1.0)
