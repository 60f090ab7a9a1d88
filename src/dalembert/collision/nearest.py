"""Signed distance of two convex shapes: GJK apart, EPA overlapping, the normal polished."""

import math

from dalembert._jit import kernel
from dalembert.collision.epa import penetration
from dalembert.collision.gjk import BEYOND, TOUCHING, closest, point_of_a
from dalembert.collision.polish import polish
from dalembert.collision.support import (
    CLOSEST,
    CORE_INTEGERS,
    CORE_SIZE,
    PAIR_POSITION,
    RADIUS_A,
    RADIUS_B,
    core_support,
    has_vertices,
    is_round,
    support_of_b,
)
from dalembert.numerics.small import axpy, dot, scale, sub, vector


@kernel
def _nearest_points(integers, numbers, fi, ff, n, s):
    """Middle between the nearest points of the cores, given normal and distance."""
    if is_round(integers, fi):
        a = core_support(integers, numbers, fi, ff + CORE_SIZE, n)[0]
        return axpy(0.5 * s, n, a)
    if is_round(integers, fi + CORE_INTEGERS):
        b = support_of_b(integers, numbers, fi, ff, scale(-1.0, n))[0]
        return axpy(-0.5 * s, n, b)
    a = point_of_a(integers, numbers, fi, ff)
    b = sub(a, vector(numbers, ff + CLOSEST))
    if has_vertices(integers, fi) and has_vertices(integers, fi + CORE_INTEGERS):
        return scale(0.5, (a[0] + b[0], a[1] + b[1], a[2] + b[2]))
    # The corners of the simplex lie near the points where a curved core touches; where the normal
    # has one point on each core, these are better.
    p = core_support(integers, numbers, fi, ff + CORE_SIZE, n)[0]
    q = support_of_b(integers, numbers, fi, ff, scale(-1.0, n))[0]
    old, new = axpy(-s, n, sub(b, a)), axpy(-s, n, sub(q, p))
    if dot(new, new) < dot(old, old):
        a, b = p, q
    return scale(0.5, (a[0] + b[0], a[1] + b[1], a[2] + b[2]))


@kernel
def nearest(integers, numbers, fi, ff, cutoff):
    """Of the pair: whether it is nearer than `cutoff`; gap, normal, point midway (frame of A)."""
    radius_a, radius_b = numbers[ff + RADIUS_A], numbers[ff + RADIUS_B]
    p = vector(numbers, ff + PAIR_POSITION)
    status = closest(integers, numbers, fi, ff, cutoff + radius_a + radius_b, (-p[0], -p[1], -p[2]))
    v = vector(numbers, ff + CLOSEST)
    if status == BEYOND:
        length = math.sqrt(dot(v, v))
        return False, math.inf, scale(-1.0 / length, v), (0.0, 0.0, 0.0)
    if status == TOUCHING:
        s, n = penetration(integers, numbers, fi, ff)
    else:
        n = scale(-1.0 / math.sqrt(dot(v, v)), v)
    n, s = polish(integers, numbers, fi, ff, n)
    middle = _nearest_points(integers, numbers, fi, ff, n, s)
    # The middle between the cores is not that between the surfaces if the radii differ.
    middle = axpy(0.5 * (radius_a - radius_b), n, middle)
    gap = s - radius_a - radius_b
    return gap <= cutoff, gap, n, middle
