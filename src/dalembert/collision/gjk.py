"""Distance of two convex cores by the algorithm of Gilbert, Johnson and Keerthi.

A simplex of points of the Minkowski difference A - B walks towards the origin: its closest point
v is asked for the support w along -v, and

    v . w / |v|  <=  distance  <=  |v|

says when to end. The answer stays in the pair: the simplex, its weights, and v = a - b.

Sources: Gilbert, Johnson, Keerthi (1988); van den Bergen (2003), section 4.3; Montanari et al.
(2017) for the sub-problem (`collision.simplex`).
"""

import math

from dalembert._jit import kernel, subroutine
from dalembert.collision.simplex import on_segment, on_tetrahedron, on_triangle
from dalembert.collision.support import (
    CLOSEST,
    CORE_INTEGERS,
    POINTS,
    SCALE,
    SIMPLEX_A,
    SIMPLEX_B,
    SIMPLEX_COUNT,
    WEIGHTS,
    has_vertices,
    support,
)
from dalembert.numerics.small import dot, put_vector, vector

APART, TOUCHING, BEYOND = range(3)
"""Closest points found; the cores meet; farther apart than was asked for."""

MOST = 64
"""Iterations; polytopes need about ten, ellipsoids twenty."""

EXACT = 1e-14
ROUGH = 1e-10
"""Relative error of |v|^2 at the end: of polytopes, and of cores whose normal is polished."""

TOUCH = 1e-13
"""Cores closer than this, relative to their size, touch: the direction of v is rounding."""

ROUNDING = 4e-16


@kernel
def put_point(integers, numbers, fi, ff, k, w, a, ka, kb):
    """Write a corner of the simplex."""
    at = ff + POINTS + 6 * k
    put_vector(numbers, at, w)
    put_vector(numbers, at + 3, a)
    integers[fi + SIMPLEX_A + k] = ka
    integers[fi + SIMPLEX_B + k] = kb


@kernel
def _keep(integers, numbers, fi, ff, k, count, weight):
    """Move corner k to place `count` if it has weight; the count with it."""
    if weight <= 0.0:
        return count
    if k != count:
        to, at = ff + POINTS + 6 * count, ff + POINTS + 6 * k
        for i in range(6):
            numbers[to + i] = numbers[at + i]
        integers[fi + SIMPLEX_A + count] = integers[fi + SIMPLEX_A + k]
        integers[fi + SIMPLEX_B + count] = integers[fi + SIMPLEX_B + k]
    numbers[ff + WEIGHTS + count] = weight
    return count + 1


@kernel
def reduce_simplex(integers, numbers, fi, ff, count):
    """Closest point of a simplex of `count` corners; corners without weight are dropped."""
    at = ff + POINTS
    a = vector(numbers, at)
    wa, wb, wc, wd = 1.0, 0.0, 0.0, 0.0
    if count == 2:
        wa, wb = on_segment(a, vector(numbers, at + 6))
    elif count == 3:
        wa, wb, wc = on_triangle(a, vector(numbers, at + 6), vector(numbers, at + 12))
    elif count == 4:
        b, c, d = vector(numbers, at + 6), vector(numbers, at + 12), vector(numbers, at + 18)
        wa, wb, wc, wd = on_tetrahedron(a, b, c, d)
    kept = _keep(integers, numbers, fi, ff, 0, 0, wa)
    if count > 1:
        kept = _keep(integers, numbers, fi, ff, 1, kept, wb)
    if count > 2:
        kept = _keep(integers, numbers, fi, ff, 2, kept, wc)
    if count > 3:
        kept = _keep(integers, numbers, fi, ff, 3, kept, wd)
    integers[fi + SIMPLEX_COUNT] = kept
    x, y, z = 0.0, 0.0, 0.0
    for k in range(kept):
        s = numbers[ff + WEIGHTS + k]
        x += s * numbers[at + 6 * k]
        y += s * numbers[at + 6 * k + 1]
        z += s * numbers[at + 6 * k + 2]
    put_vector(numbers, ff + CLOSEST, (x, y, z))
    return x, y, z


@kernel
def _is_known(numbers, ff, count, w):
    """Whether a corner of the simplex is w."""
    for k in range(count):
        at = ff + POINTS + 6 * k
        if w[0] == numbers[at] and w[1] == numbers[at + 1] and w[2] == numbers[at + 2]:
            return True
    return False


@subroutine
def closest(integers, numbers, fi, ff, cutoff, start):
    """Closest points of the cores of the pair.

    `start` is a guess of a - b. The search ends early when the distance is above `cutoff`.
    """
    polytopes = has_vertices(integers, fi) and has_vertices(integers, fi + CORE_INTEGERS)
    relative = EXACT if polytopes else ROUGH
    size, count, square = 0.0, 0, math.inf
    v = start if dot(start, start) > 0.0 else (1.0, 0.0, 0.0)
    for _ in range(MOST):
        if count == 4 or square <= TOUCH * TOUCH * size:
            return TOUCHING
        w, a, ka, kb = support(integers, numbers, fi, ff, (-v[0], -v[1], -v[2]))
        size = max(size, dot(w, w))
        numbers[ff + SCALE] = math.sqrt(size)
        vv, vw = dot(v, v), dot(v, w)
        if vw > 0.0 and vw * vw > cutoff * cutoff * vv:
            put_vector(numbers, ff + CLOSEST, v)
            return BEYOND
        if count > 0:
            # |v| cannot be shortened, as far as rounding lets one say
            if vv - vw <= relative * vv + ROUNDING * math.sqrt(vv * size):
                return APART
            if _is_known(numbers, ff, count, w):
                return APART
        put_point(integers, numbers, fi, ff, count, w, a, ka, kb)
        before = square
        v = reduce_simplex(integers, numbers, fi, ff, count + 1)
        count = integers[fi + SIMPLEX_COUNT]
        square = dot(v, v)
        if square >= before:
            break
    if count == 4 or square <= TOUCH * TOUCH * size:
        return TOUCHING
    return APART


@kernel
def point_of_a(integers, numbers, fi, ff):
    """The point of the core of A that the weights of the simplex stand for."""
    x, y, z = 0.0, 0.0, 0.0
    for k in range(integers[fi + SIMPLEX_COUNT]):
        s = numbers[ff + WEIGHTS + k]
        at = ff + POINTS + 6 * k + 3
        x += s * numbers[at]
        y += s * numbers[at + 1]
        z += s * numbers[at + 2]
    return x, y, z
