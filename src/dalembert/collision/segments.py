"""Nearest points of segments and boxes, and normals of directions.

A segment is its middle c, a unit direction d and half its length l: x(s) = c + s d, |s| <= l. With
r = c_1 - c_2 and k = d_1 . d_2 the nearest points of the lines are at

    s = (k d_2 . r - d_1 . r) / (1 - k^2),     t = d_2 . r + k s

(C. Ericson, Real-Time Collision Detection, 2005, 5.1.9, there for end points); then the ends.
"""

import math

from dalembert._jit import kernel
from dalembert.numerics.small import axpy, cross, dot, scale, sub

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
    """Length of a vector and its direction; `otherwise` when it has none.

    The square of the length is summed twice: the sum of the squares of the result is 1 to rounding.
    """
    squared = dot(d, d)
    if not squared > TINY * TINY:
        return 0.0, otherwise
    length = math.sqrt(squared)
    return length, scale(1.0 / length, d)


@kernel
def nearest_of_segment(c, d, half, x):
    """Place s on a segment nearest to a point."""
    return clamp(dot(d, sub(x, c)), -half, half)


@kernel
def nearest_of_segments(c1, d1, l1, c2, d2, l2):
    """Places (s, t) of two segments nearest to one another; the middle of the range if many are."""
    r = sub(c1, c2)
    k = dot(d1, d2)
    f, g = dot(d1, r), dot(d2, r)
    across = cross(d1, d2)
    squared = dot(across, across)
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
def along(c, s, d):
    """c + s d."""
    return axpy(s, d, c)


@kernel
def entry(a, k):
    """a[k] of three."""
    return a[0] if k == 0 else (a[1] if k == 1 else a[2])


@kernel
def unit_axis(k, sign):
    """One of the axes, with a sign."""
    return (
        sign if k == 0 else 0.0,
        sign if k == 1 else 0.0,
        sign if k == 2 else 0.0,
    )


@kernel
def outside_of_box(x, h):
    """Distance of a point from a box (negative inside) and the normal out of it there."""
    y = (clamp(x[0], -h[0], h[0]), clamp(x[1], -h[1], h[1]), clamp(x[2], -h[2], h[2]))
    d = sub(x, y)
    if dot(d, d) > TINY * TINY:
        return direction(d, d)
    k = 0
    depth = h[0] - abs(x[0])
    for j in range(1, 3):
        new = entry(h, j) - abs(entry(x, j))
        if new < depth:
            depth, k = new, j
    return -depth, unit_axis(k, -1.0 if entry(x, k) < 0.0 else 1.0)
