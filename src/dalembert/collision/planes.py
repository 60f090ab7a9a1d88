"""A plane with everything that has points furthest down: sphere, capsule, box, cylinder, hull.

The plane is the half-space z <= 0 of its frame, n its z axis, p a point of it. The gap of a point x
of the other shape is n . (x - p), and the contact point lies half the gap below it. The points:

| shape | points |
|---|---|
| sphere, ellipsoid | the lowest |
| capsule | the lowest of each end |
| box | corners of the face that looks down most |
| cylinder | lowest of each rim; of the lower rim also those a quarter and half a turn on |
| hull | vertices within the margin, at most four (`manifold`) |
"""

import math

from dalembert._jit import apart, kernel, vector_view
from dalembert.collision.layout import (
    COUNT,
    FIRST,
    SCRATCH_NUMBERS_AT,
    SIZE,
    feature_key,
    placed,
    put_contact,
    shape_integers,
    shape_numbers,
)
from dalembert.collision.manifold import CANDIDATE, MOST, keep_four
from dalembert.collision.spheres import axis_of
from dalembert.numerics.small import axpy, dot, scale, sub, transposed_times, vector
from dalembert.numerics.small import matrix as matrix_of

UPRIGHT = 1e-5
"""Sine of the tilt up to which a cylinder stands on points fixed in it, not on its lowest."""


@kernel
def _put(out_integers, out_numbers, count, a, b, key, x, n, gap, margin):
    """Contact of a point x of the other shape, if it is near enough."""
    if gap > margin:
        return count
    point = axpy(-0.5 * gap, n, x)
    return put_contact(out_integers, out_numbers, count, a, b, key, gap, n, point, margin)


@kernel
def plane_sphere(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """One contact."""
    r = numbers[shape_numbers(integers, b) + SIZE]
    at = placed(integers, a)
    n, p, x = axis_of(numbers, at), vector(numbers, at), vector(numbers, placed(integers, b))
    gap = dot(n, sub(x, p)) - r
    return _put(out_integers, out_numbers, count, a, b, 0, axpy(-r, n, x), n, gap, margin)


@apart(int)
def plane_ellipsoid(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """One contact: the lowest point is x - S^2 n / |S n| in the axes of the ellipsoid."""
    size, at_b = shape_numbers(integers, b) + SIZE, placed(integers, b)
    at = placed(integers, a)
    n, p = axis_of(numbers, at), vector(numbers, at)
    R = matrix_of(numbers, at_b + 3)
    own = transposed_times(R, n)
    s = vector(numbers, size)
    y = (s[0] * own[0], s[1] * own[1], s[2] * own[2])
    reach = math.sqrt(dot(y, y))
    low = (-s[0] * y[0] / reach, -s[1] * y[1] / reach, -s[2] * y[2] / reach)
    x = vector(numbers, at_b)
    gap = dot(n, sub(x, p)) - reach
    x = (
        x[0] + R[0] * low[0] + R[1] * low[1] + R[2] * low[2],
        x[1] + R[3] * low[0] + R[4] * low[1] + R[5] * low[2],
        x[2] + R[6] * low[0] + R[7] * low[1] + R[8] * low[2],
    )
    return _put(out_integers, out_numbers, count, a, b, 0, x, n, gap, margin)


@kernel
def plane_capsule(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """A contact of each end."""
    size, at_b = shape_numbers(integers, b) + SIZE, placed(integers, b)
    at = placed(integers, a)
    n, p = axis_of(numbers, at), vector(numbers, at)
    r, half = numbers[size], numbers[size + 1]
    c, d = vector(numbers, at_b), axis_of(numbers, at_b)
    for k in range(2):
        x = axpy(half if k else -half, d, c)
        gap = dot(n, sub(x, p)) - r
        x = axpy(-r, n, x)
        count = _put(out_integers, out_numbers, count, a, b, k, x, n, gap, margin)
    return count


@kernel
def plane_box(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Contacts of the corners of the face that looks down most; key: number of the corner."""
    size, at_b = shape_numbers(integers, b) + SIZE, placed(integers, b)
    at = placed(integers, a)
    n = axis_of(numbers, at)
    R = matrix_of(numbers, at_b + 3)
    c, h = vector(numbers, at_b), vector(numbers, size)
    down = transposed_times(R, n)
    height = dot(n, sub(c, vector(numbers, at)))
    x, y, z = h[0] * down[0], h[1] * down[1], h[2] * down[2]
    if height - (abs(x) + abs(y) + abs(z)) > margin:
        return count
    face = 0
    if abs(down[1]) > abs(down[0]):
        face = 1
    if abs(down[2]) > max(abs(down[0]), abs(down[1])):
        face = 2
    towards = down[0] if face == 0 else (down[1] if face == 1 else down[2])
    fixed = 0 if towards > 0.0 else 1
    for k in range(8):
        if ((k >> face) & 1) == fixed:
            sx = 1.0 if k & 1 else -1.0
            sy = 1.0 if k & 2 else -1.0
            sz = 1.0 if k & 4 else -1.0
            gap = height + sx * x + sy * y + sz * z
            if gap <= margin:
                ux, uy, uz = sx * h[0], sy * h[1], sz * h[2]
                corner = (
                    c[0] + (R[0] * ux + R[1] * uy + R[2] * uz),
                    c[1] + (R[3] * ux + R[4] * uy + R[5] * uz),
                    c[2] + (R[6] * ux + R[7] * uy + R[8] * uz),
                )
                count = _put(out_integers, out_numbers, count, a, b, k, corner, n, gap, margin)
    return count


@apart(int)
def plane_cylinder(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Lowest points of the rims; of the lower one also those a quarter and half a turn on.

    Key: 4 times the end, and which point of its rim.
    """
    size, at_b = shape_numbers(integers, b) + SIZE, placed(integers, b)
    at = placed(integers, a)
    n = axis_of(numbers, at)
    r, half = numbers[size], numbers[size + 1]
    c, d = vector(numbers, at_b), axis_of(numbers, at_b)
    height = dot(n, sub(c, vector(numbers, at)))
    slope = dot(n, d)
    steep = axpy(-slope, d, n)
    tilt = math.sqrt(dot(steep, steep))
    if height - half * abs(slope) - r * tilt > margin:
        return count
    end = 0 if slope > 0.0 else 1
    lower = half if end else -half
    before = count
    low = vector(numbers, at_b)
    if tilt > UPRIGHT:
        low = scale(-1.0 / tilt, steep)
    else:
        low = (numbers[at_b + 3], numbers[at_b + 6], numbers[at_b + 9])
    aside = (
        d[1] * low[2] - d[2] * low[1],
        d[2] * low[0] - d[0] * low[2],
        d[0] * low[1] - d[1] * low[0],
    )
    rim = axpy(lower, d, c)
    for k in range(4):
        along_low = r if k == 0 else (-r if k == 1 else 0.0)
        along_aside = r if k == 2 else (-r if k == 3 else 0.0)
        arm = axpy(along_aside, aside, scale(along_low, low))
        gap = height + lower * slope + dot(n, arm)
        x = (rim[0] + arm[0], rim[1] + arm[1], rim[2] + arm[2])
        key = 4 * end + k
        count = _put(out_integers, out_numbers, count, a, b, key, x, n, gap, margin)
    if count < before + 4:
        arm = axpy(-lower, d, scale(r, low))
        gap = height + dot(n, arm)
        x = (c[0] + arm[0], c[1] + arm[1], c[2] + arm[2])
        key = 4 * (1 - end)
        count = _put(out_integers, out_numbers, count, a, b, key, x, n, gap, margin)
    return count


@apart(int)
def plane_hull(integers, numbers, a, b, margin, out_integers, out_numbers, count):
    """Vertices within the margin, four at most; key: number of the vertex."""
    record, at_b = shape_integers(integers, b), placed(integers, b)
    at = placed(integers, a)
    n = axis_of(numbers, at)
    R = matrix_of(numbers, at_b + 3)
    c, own = vector(numbers, at_b), transposed_times(R, n)
    rounding = numbers[shape_numbers(integers, b) + SIZE]
    height = dot(n, sub(c, vector(numbers, at))) - rounding
    first, vertices = integers[record + FIRST], integers[record + COUNT]
    scratch = vector_view(numbers, integers[SCRATCH_NUMBERS_AT], CANDIDATE * (MOST + 4))
    found = 0
    for k in range(vertices):
        y = vector(numbers, first + 3 * k)
        gap = height + dot(own, y)
        if gap <= margin:
            if found == MOST:
                # keep the four that matter so far, and go on
                found = keep_four(scratch, found)
            to = CANDIDATE * found
            scratch[to] = c[0] + (R[0] * y[0] + R[1] * y[1] + R[2] * y[2])
            scratch[to + 1] = c[1] + (R[3] * y[0] + R[4] * y[1] + R[5] * y[2])
            scratch[to + 2] = c[2] + (R[6] * y[0] + R[7] * y[1] + R[8] * y[2])
            scratch[to + 3] = gap
            scratch[to + 4] = float(k)
            found += 1
    if found > 4:
        found = keep_four(scratch, found)
    for k in range(found):
        to = CANDIDATE * k
        x = axpy(-rounding, n, vector(scratch, to))
        key = feature_key(0, 0, int(scratch[to + 4]))
        count = _put(out_integers, out_numbers, count, a, b, key, x, n, scratch[to + 3], margin)
    return count
