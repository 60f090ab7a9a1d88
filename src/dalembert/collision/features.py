"""Features of convex cores: the face, edge or point that looks along a direction.

A feature is a list of points in the frame of A, `FEATURE` floats each (place 3, code), counter-
clockwise about the normal of the face. Codes are the numbers of `core_support`, so that a contact
has the same key as long as the same corner touches.
"""

import math

import numpy as np

from dalembert._jit import kernel, subroutine
from dalembert.collision.layout import BOX, CYLINDER, HULL
from dalembert.collision.support import (
    CORE,
    CORE_COUNT,
    CORE_FACES,
    CORE_FIRST,
    core_support,
    core_vertex,
)
from dalembert.numerics.small import add, cross, dot, scale, sub, times, transposed_times, vector

FEATURE = 4
"""Floats of a point of a feature."""

MOST_CORNERS = 16
"""Most corners of a feature; larger faces of hulls are thinned out when they are built."""

CAP_CORNERS = 8
"""Corners of the polygon that stands for the cap of a cylinder."""

_TURNS = 2.0 * math.pi * np.arange(CAP_CORNERS) / CAP_CORNERS
CAP = np.ascontiguousarray(np.round(np.column_stack([np.cos(_TURNS), np.sin(_TURNS)]), 16))

UPRIGHT = 0.7
"""Cosine between direction and axis of a cylinder above which it touches with a cap."""


@kernel
def _put(numbers, to, k, R, p, x, code):
    """Write a point given in the frame of its core."""
    y = add(times(R, x), p)
    at = to + FEATURE * k
    numbers[at], numbers[at + 1], numbers[at + 2] = y
    numbers[at + 3] = float(code)


@kernel
def _box_feature(integers, numbers, core, sizes, R, p, d, to):
    """Face of a box; of a segment its ends, of a point itself."""
    s = vector(numbers, sizes)
    zeros = 0
    for k in range(3):
        if numbers[sizes + k] == 0.0:
            zeros += 1
    if zeros == 3:
        _put(numbers, to, 0, R, p, s, 0)
        return 1, d, 0
    if zeros == 2:
        last, along = 0, (s[0], 0.0, 0.0)
        if s[1] > 0.0:
            last, along = 1, (0.0, s[1], 0.0)
        if s[2] > 0.0:
            last, along = 2, (0.0, 0.0, s[2])
        _put(numbers, to, 0, R, p, scale(-1.0, along), 1 << last)
        _put(numbers, to, 1, R, p, along, 0)
        side = sub(d, scale(dot(d, along) / dot(along, along), along))
        length = math.sqrt(dot(side, side))
        return 2, (scale(1.0 / length, side) if length > 0.0 else d), 0
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    axis, value = 0, d[0]
    if y > x:
        axis, value = 1, d[1]
    if z > max(x, y):
        axis, value = 2, d[2]
    i, j = (axis + 1) % 3, (axis + 2) % 3
    bits = 0 if value >= 0.0 else 1 << axis
    for q in range(4):
        # counter-clockwise about the axis; the other way round about its opposite
        k = q if value >= 0.0 else 3 - q
        code = bits + ((1 << i) if k == 1 or k == 2 else 0) + ((1 << j) if k > 1 else 0)
        _put(numbers, to, q, R, p, core_vertex(integers, numbers, core, sizes, code), code)
    sign = 1.0 if value >= 0.0 else -1.0
    n = (sign, 0.0, 0.0) if axis == 0 else ((0.0, sign, 0.0) if axis == 1 else (0.0, 0.0, sign))
    return 4, n, 2 * axis + (0 if value >= 0.0 else 1)


@kernel
def _cylinder_feature(numbers, sizes, R, p, d, to):
    """Cap of a cylinder, or the line of its side."""
    r, half = numbers[sizes], numbers[sizes + 1]
    if abs(d[2]) > UPRIGHT:
        sign = 1.0 if d[2] > 0.0 else -1.0
        face = 0 if d[2] > 0.0 else 1
        for q in range(CAP_CORNERS):
            k = q if d[2] > 0.0 else CAP_CORNERS - 1 - q
            corner = (r * CAP[k, 0], r * CAP[k, 1], sign * half)
            _put(numbers, to, q, R, p, corner, k + CAP_CORNERS * face)
        return CAP_CORNERS, (0.0, 0.0, sign), face
    rho = math.sqrt(d[0] * d[0] + d[1] * d[1])
    x, y = d[0] / rho, d[1] / rho
    _put(numbers, to, 0, R, p, (r * x, r * y, -half), 2 * CAP_CORNERS)
    _put(numbers, to, 1, R, p, (r * x, r * y, half), 2 * CAP_CORNERS + 1)
    return 2, (x, y, 0.0), 2


@kernel
def _hull_feature(integers, numbers, core, R, p, d, to):
    """Face of a hull, or the triangle."""
    first, count = integers[core + CORE_FIRST], integers[core + CORE_COUNT]
    faces = integers[core + CORE_FACES]
    if faces < 0:
        a, b, c = vector(numbers, first), vector(numbers, first + 3), vector(numbers, first + 6)
        n = cross(sub(b, a), sub(c, a))
        length = math.sqrt(dot(n, n))
        n = scale(1.0 / length, n) if length > 0.0 else d
        front = dot(n, d) >= 0.0
        for q in range(3):
            k = q if front else 2 - q
            _put(numbers, to, q, R, p, vector(numbers, first + 3 * k), k)
        return 3, (n if front else scale(-1.0, n)), 0 if front else 1
    total = integers[faces]
    if total == 0:
        for k in range(count):
            _put(numbers, to, k, R, p, vector(numbers, first + 3 * k), k)
        return count, d, 0
    best, most = 0, -math.inf
    planes = first + 3 * count
    for f in range(total):
        at = planes + 4 * f
        value = d[0] * numbers[at] + d[1] * numbers[at + 1] + d[2] * numbers[at + 2]
        if value > most:
            best, most = f, value
    start, end = integers[faces + 2 + best], integers[faces + 3 + best]
    for q in range(end - start):
        k = integers[faces + start + q]
        _put(numbers, to, q, R, p, vector(numbers, first + 3 * k), k)
    return end - start, vector(numbers, planes + 4 * best), best


@subroutine
def feature_of(integers, numbers, core, sizes, R, p, direction, to):
    """Write the feature of a core that looks along a direction.

    R, p: pose of the core in the frame of the direction. Returns how many points it has, the
    normal of the feature, and its number.
    """
    d = transposed_times(R, direction)
    kind = integers[core + CORE]
    if kind == BOX:
        count, n, face = _box_feature(integers, numbers, core, sizes, R, p, d, to)
    elif kind == CYLINDER:
        count, n, face = _cylinder_feature(numbers, sizes, R, p, d, to)
    elif kind == HULL:
        count, n, face = _hull_feature(integers, numbers, core, R, p, d, to)
    else:
        x, code = core_support(integers, numbers, core, sizes, d)
        _put(numbers, to, 0, R, p, x, code)
        count, n, face = 1, d, 0
    return count, times(R, n), face
