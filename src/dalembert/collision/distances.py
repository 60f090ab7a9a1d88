"""Signed distance of any two shapes, with nearest points: what `dl.distance` asks for.

Contacts look up to a margin; here there is none. Convex shapes are asked by `nearest`, a plane by
the support along its normal, meshes and height fields triangle by triangle, those first whose
bounds are near.
"""

import math

from dalembert._jit import kernel
from dalembert.collision.field import field_distance
from dalembert.collision.layout import (
    COUNT,
    FIRST,
    FIRST_INTEGER,
    HEIGHT_FIELD,
    HULL,
    KIND,
    MESH,
    PLANE,
    SCRATCH_INTEGERS_AT,
    SCRATCH_NUMBERS_AT,
    SIGNED_DISTANCE,
    Scene,
    placed,
    shape_integers,
)
from dalembert.collision.mesh import NODE, NODE_BOUNDS, TRIANGLE
from dalembert.collision.nearest import nearest
from dalembert.collision.support import (
    CORE_FIRST,
    CORE_HINT,
    CORE_INTEGERS,
    RADIUS_B,
    SIMPLEX_COUNT,
    prepare,
    support_of_b,
)
from dalembert.collision.triangles import begin_triangles, bounds_in
from dalembert.numerics.small import add, axpy, matrix, put_vector, times, vector

FOUND, UNKNOWN = range(2)
"""The distance was found; this pair of kinds has none."""


@kernel
def _plane_convex(integers, numbers, a, b):
    """Plane and convex shape: gap, normal, point midway, in the frame of the plane."""
    fi, ff = integers[SCRATCH_INTEGERS_AT], integers[SCRATCH_NUMBERS_AT]
    prepare(integers, numbers, a, b)
    radius = numbers[ff + RADIUS_B]
    low = support_of_b(integers, numbers, fi, ff, (0.0, 0.0, -1.0))[0]
    gap = low[2] - radius
    return gap, (0.0, 0.0, 1.0), (low[0], low[1], 0.5 * gap)


@kernel
def _box_gap(numbers, low, middle, half):
    """Distance of a box from the box about a shape."""
    square = 0.0
    for i in range(3):
        c = middle[0] if i == 0 else (middle[1] if i == 1 else middle[2])
        h = half[0] if i == 0 else (half[1] if i == 1 else half[2])
        apart = max(numbers[low + i] - c - h, c - h - numbers[low + 3 + i], 0.0)
        square += apart * apart
    return math.sqrt(square)


@kernel
def _one(integers, numbers, fi, ff, first, k, best):
    """Shape and triangle k, if it is nearer than `best`."""
    other = fi + CORE_INTEGERS
    integers[other + CORE_FIRST] = first + TRIANGLE * k
    integers[other + CORE_HINT] = 0
    integers[fi + SIMPLEX_COUNT] = 0
    return nearest(integers, numbers, fi, ff, best)


@kernel
def _convex_triangles(integers, numbers, a, b, has_tree):
    """Convex shape and triangles: gap, normal, point midway, in the frame of the shape."""
    fi, ff = integers[SCRATCH_INTEGERS_AT], integers[SCRATCH_NUMBERS_AT]
    begin_triangles(integers, numbers, a, b)
    middle, half = bounds_in(integers, numbers, a, b, 0.0)
    record = shape_integers(integers, b)
    first, triangles = integers[record + FIRST], integers[record + COUNT]
    gap, n, point = math.inf, (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    if has_tree:
        bounds = first + TRIANGLE * triangles
        nodes = integers[record + FIRST_INTEGER] + 3 * triangles
        total = integers[nodes]
        node = 0
        while node < total:
            at = nodes + NODE * node
            if _box_gap(numbers, bounds + NODE_BOUNDS * node, middle, half) > max(gap, 0.0):
                node = integers[at]
                continue
            for k in range(integers[at + 1], integers[at + 1] + integers[at + 2]):
                near, g, m, x = _one(integers, numbers, fi, ff, first, k, gap)
                if near and g < gap:
                    gap, n, point = g, m, x
            node += 1
    else:
        for k in range(triangles):
            near, g, m, x = _one(integers, numbers, fi, ff, first, k, gap)
            if near and g < gap:
                gap, n, point = g, m, x
    return gap, n, point


@kernel
def distance_of(scene: Scene, a, b, out):
    """Signed distance of two placed shapes, kind(a) <= kind(b); a status.

    out: distance, normal from a to b (3), nearest points of a and of b (3 each), in the world.
    """
    integers, numbers = scene.sizes, scene.work
    first = integers[shape_integers(integers, a) + KIND]
    second = integers[shape_integers(integers, b) + KIND]
    gap, n, point = 0.0, (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    if first == PLANE:
        if second == PLANE or second > HULL:
            return UNKNOWN
        gap, n, point = _plane_convex(integers, numbers, a, b)
    elif second <= HULL:
        fi, ff = integers[SCRATCH_INTEGERS_AT], integers[SCRATCH_NUMBERS_AT]
        prepare(integers, numbers, a, b)
        _near, gap, n, point = nearest(integers, numbers, fi, ff, math.inf)
    elif first <= HULL and (second == MESH or second == HEIGHT_FIELD):
        gap, n, point = _convex_triangles(integers, numbers, a, b, second == MESH)
    elif first <= HULL and second == SIGNED_DISTANCE:
        gap, n, point = field_distance(integers, numbers, a, b)
    else:
        return UNKNOWN
    at = placed(integers, a)
    R, p = matrix(numbers, at + 3), vector(numbers, at)
    n, point = times(R, n), add(times(R, point), p)
    out[0] = gap
    put_vector(out, 1, n)
    put_vector(out, 4, axpy(-0.5 * gap, n, point))
    put_vector(out, 7, axpy(0.5 * gap, n, point))
    return FOUND
