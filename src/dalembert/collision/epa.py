"""Depth of penetration by the expanding polytope algorithm.

A polytope of points of the Minkowski difference A - B grows through its face nearest to the
origin. A face with unit normal n at distance d, and the support h(n) of the difference, say

    d  <=  depth  <=  h(n),

where the left holds for the nearest face. Distances of faces are signed and normals point away
from a point within the polytope, so that the origin need not lie inside: shapes that just touch
need no case of their own, and the first tetrahedron may be any that has a volume. A difference
without volume (a ball whose middle lies in a triangle) has its depth, zero, along its normal.

Source: van den Bergen, Proximity queries and penetration depth computation on 3D game objects
(2001). That text orients faces by the origin; here an inner point does.
"""

import math

from dalembert._jit import kernel, subroutine
from dalembert.collision.simplex import on_triangle
from dalembert.collision.support import (
    CLOSEST,
    CORE_INTEGERS,
    EPA_INTEGERS,
    EPA_NUMBERS,
    POINTS,
    SCALE,
    SIMPLEX_A,
    SIMPLEX_B,
    SIMPLEX_COUNT,
    WEIGHTS,
    has_vertices,
    support,
)
from dalembert.numerics.small import axpy, cross, dot, put_vector, scale, sub, vector

MOST_POINTS = 96
MOST_FACES = 320

# Integers from EPA_INTEGERS: numbers of the points in A and in B, faces, and work of a growth.
FACE_INTEGERS = 7
V0, ACROSS, STATE = 0, 3, 6  # corners 3, faces across the edges 3, state
GONE, LIVE, SEEN = range(3)
POINT_A = EPA_INTEGERS
POINT_B = POINT_A + MOST_POINTS
STARTING = POINT_B + MOST_POINTS  # new face whose outer edge begins at a point
ENDING = STARTING + MOST_POINTS
FACES = ENDING + MOST_POINTS
STACK = FACES + FACE_INTEGERS * MOST_FACES  # faces to be looked at; then edges of the horizon
HORIZON = STACK + MOST_FACES
INTEGERS_END = HORIZON + 2 * MOST_FACES

# Numbers from EPA_NUMBERS: points w and a, then normal and distance of faces.
FACE_NUMBERS = 4
EPA_POINTS = EPA_NUMBERS
PLANES = EPA_POINTS + 6 * MOST_POINTS
NUMBERS_END = PLANES + FACE_NUMBERS * MOST_FACES

EXACT = 1e-13
ROUGH = 1e-5
"""Error of the depth at the end, relative to the size: of polytopes; of cores that are polished."""

SAME_PLANE = 1e-10
"""Relative distance of faces that are one."""

SAME_NORMAL = 1.0 - 1e-6
"""Cosine between the normals of faces that are one; those of slivers are not exact."""

NO_VOLUME = 1e-12
"""Relative volume, area, length below which there is none."""


@kernel
def _put(integers, numbers, fi, ff, k, w, a, ka, kb):
    """Write a point of the polytope."""
    at = ff + EPA_POINTS + 6 * k
    put_vector(numbers, at, w)
    put_vector(numbers, at + 3, a)
    integers[fi + POINT_A + k] = ka
    integers[fi + POINT_B + k] = kb


@subroutine
def _ask(integers, numbers, fi, ff, k, d):
    """Support along d as point k of the polytope; w . d."""
    w, a, ka, kb = support(integers, numbers, fi, ff, d)
    _put(integers, numbers, fi, ff, k, w, a, ka, kb)
    return dot(w, d)


@kernel
def _w(numbers, ff, k):
    return vector(numbers, ff + EPA_POINTS + 6 * k)


@kernel
def _axis(k):
    if k == 0:
        return 1.0, 0.0, 0.0
    if k == 1:
        return 0.0, 1.0, 0.0
    return 0.0, 0.0, 1.0


@kernel
def _copy(integers, numbers, fi, ff, k, to):
    at, there = ff + EPA_POINTS + 6 * k, ff + EPA_POINTS + 6 * to
    for i in range(6):
        numbers[there + i] = numbers[at + i]
    integers[fi + POINT_A + to] = integers[fi + POINT_A + k]
    integers[fi + POINT_B + to] = integers[fi + POINT_B + k]


@kernel
def _widest(integers, numbers, fi, ff, size):
    """A tetrahedron that is as large as a few supports make it: its dimension, and a normal.

    With dimension below 3 the difference is flat, and the normal is one along which it is thin.
    """
    widest, best = -1.0, 0
    for k in range(3):
        d = _axis(k)
        width = _ask(integers, numbers, fi, ff, 0, d)
        width += _ask(integers, numbers, fi, ff, 1, scale(-1.0, d))
        if width > widest:
            widest, best = width, k
    d = _axis(best)
    _ask(integers, numbers, fi, ff, 0, d)
    _ask(integers, numbers, fi, ff, 1, scale(-1.0, d))
    e = sub(_w(numbers, ff, 1), _w(numbers, ff, 0))
    length = math.sqrt(dot(e, e))
    if length <= NO_VOLUME * size or length == 0.0:
        return 0, (0.0, 0.0, 1.0)
    e = scale(1.0 / length, e)
    # away from the line, along two directions across it
    u = cross(e, _axis((best + 1) % 3))
    u = scale(1.0 / math.sqrt(dot(u, u)), u)
    t = cross(e, u)
    farthest, normal = 0.0, u
    first = _w(numbers, ff, 0)
    for k in range(4):
        s = -1.0 if k % 2 else 1.0
        d = scale(s, u) if k < 2 else scale(s, t)
        _ask(integers, numbers, fi, ff, 3, d)
        off = cross(e, sub(_w(numbers, ff, 3), first))
        far = math.sqrt(dot(off, off))
        if far > farthest:
            farthest, normal = far, off
            _copy(integers, numbers, fi, ff, 3, 2)
    if farthest <= NO_VOLUME * size:
        return 1, u
    n = scale(1.0 / math.sqrt(dot(normal, normal)), normal)
    above = _ask(integers, numbers, fi, ff, 3, n) - dot(n, first)
    if above > NO_VOLUME * size:
        below = _ask(integers, numbers, fi, ff, 4, scale(-1.0, n)) + dot(n, first)
        if below > above:
            _copy(integers, numbers, fi, ff, 4, 3)
        return 3, n
    below = _ask(integers, numbers, fi, ff, 3, scale(-1.0, n)) + dot(n, first)
    if below > NO_VOLUME * size:
        return 3, n
    return 2, n


@kernel
def _six_times_volume(numbers, ff):
    """Of the first four points."""
    a = _w(numbers, ff, 0)
    b, c, d = _w(numbers, ff, 1), _w(numbers, ff, 2), _w(numbers, ff, 3)
    return dot(sub(b, a), cross(sub(c, a), sub(d, a)))


@subroutine
def _face(integers, numbers, fi, ff, f, i, j, k):
    """Make face f of three points, counter-clockwise seen from outside."""
    at = fi + FACES + FACE_INTEGERS * f
    integers[at + V0], integers[at + V0 + 1], integers[at + V0 + 2] = i, j, k
    integers[at + STATE] = LIVE
    a, b, c = _w(numbers, ff, i), _w(numbers, ff, j), _w(numbers, ff, k)
    n = cross(sub(b, a), sub(c, a))
    length = math.sqrt(dot(n, n))
    plane = ff + PLANES + FACE_NUMBERS * f
    if length > 0.0:
        n = scale(1.0 / length, n)
        put_vector(numbers, plane, n)
        # from the middle of the corners: none is better than the others
        third = 1.0 / 3.0
        numbers[plane + 3] = third * (dot(n, a) + dot(n, b) + dot(n, c))
    else:  # a sliver is never the nearest face and never seen
        put_vector(numbers, plane, (0.0, 0.0, 0.0))
        numbers[plane + 3] = math.inf


@kernel
def _across(integers, fi, f, e0, e1, e2):
    """Neighbours of a face across its edges (0, 1), (1, 2), (2, 0)."""
    at = fi + FACES + FACE_INTEGERS * f + ACROSS
    integers[at], integers[at + 1], integers[at + 2] = e0, e1, e2


@kernel
def _first_faces(integers, numbers, fi, ff):
    """The four faces of the tetrahedron of the first four points."""
    if _six_times_volume(numbers, ff) > 0.0:
        # corner 3 on the side to which (0, 1, 2) turns: exchange two corners
        _copy(integers, numbers, fi, ff, 0, 4)
        _copy(integers, numbers, fi, ff, 1, 0)
        _copy(integers, numbers, fi, ff, 4, 1)
    _face(integers, numbers, fi, ff, 0, 0, 1, 2)
    _face(integers, numbers, fi, ff, 1, 0, 3, 1)
    _face(integers, numbers, fi, ff, 2, 1, 3, 2)
    _face(integers, numbers, fi, ff, 3, 2, 3, 0)
    _across(integers, fi, 0, 1, 2, 3)
    _across(integers, fi, 1, 3, 2, 0)
    _across(integers, fi, 2, 1, 3, 0)
    _across(integers, fi, 3, 2, 1, 0)


@kernel
def _grow(integers, numbers, fi, ff, nearest, p, faces, slack):
    """Take point p into the polytope through the face `nearest`; the number of faces, or -1."""
    w = _w(numbers, ff, p)
    top, edges = 1, 0
    integers[fi + STACK] = nearest
    integers[fi + FACES + FACE_INTEGERS * nearest + STATE] = SEEN
    while top > 0:
        top -= 1
        f = integers[fi + STACK + top]
        at = fi + FACES + FACE_INTEGERS * f
        for e in range(3):
            g = integers[at + ACROSS + e]
            there = fi + FACES + FACE_INTEGERS * g
            if integers[there + STATE] == SEEN:
                continue
            plane = ff + PLANES + FACE_NUMBERS * g
            height = dot(vector(numbers, plane), w) - numbers[plane + 3]
            if height > slack:
                if top >= MOST_FACES - 1:
                    return -1
                integers[there + STATE] = SEEN
                integers[fi + STACK + top] = g
                top += 1
            else:
                if edges >= MOST_FACES:
                    return -1
                integers[fi + HORIZON + 2 * edges] = f
                integers[fi + HORIZON + 2 * edges + 1] = e
                edges += 1
    # An edge found before the face across it was seen is none of the horizon.
    kept = 0
    for k in range(edges):
        f, e = integers[fi + HORIZON + 2 * k], integers[fi + HORIZON + 2 * k + 1]
        g = integers[fi + FACES + FACE_INTEGERS * f + ACROSS + e]
        if integers[fi + FACES + FACE_INTEGERS * g + STATE] != SEEN:
            integers[fi + HORIZON + 2 * kept] = f
            integers[fi + HORIZON + 2 * kept + 1] = e
            kept += 1
    if faces + kept > MOST_FACES:
        return -1
    for k in range(p + 1):
        integers[fi + STARTING + k] = -1
        integers[fi + ENDING + k] = -1
    for k in range(kept):
        f, e = integers[fi + HORIZON + 2 * k], integers[fi + HORIZON + 2 * k + 1]
        at = fi + FACES + FACE_INTEGERS * f
        i, j = integers[at + V0 + e], integers[at + V0 + (e + 1) % 3]
        new, g = faces + k, integers[at + ACROSS + e]
        # the horizon is one loop, or rounding has spoiled it
        if integers[fi + STARTING + i] >= 0 or integers[fi + ENDING + j] >= 0:
            return -1
        integers[fi + STARTING + i] = new
        integers[fi + ENDING + j] = new
        _face(integers, numbers, fi, ff, new, i, j, p)
        _across(integers, fi, new, g, -1, -1)
    for k in range(kept):
        at = fi + FACES + FACE_INTEGERS * (faces + k)
        i, j, g = integers[at + V0], integers[at + V0 + 1], integers[at + ACROSS]
        after, before = integers[fi + STARTING + j], integers[fi + ENDING + i]
        if after < 0 or before < 0:
            return -1
        integers[at + ACROSS + 1], integers[at + ACROSS + 2] = after, before
        # the face beyond the horizon has the edge the other way round
        there = fi + FACES + FACE_INTEGERS * g
        for e in range(3):
            if integers[there + V0 + e] == j and integers[there + V0 + (e + 1) % 3] == i:
                integers[there + ACROSS + e] = faces + k
    for f in range(faces):
        if integers[fi + FACES + FACE_INTEGERS * f + STATE] == SEEN:
            integers[fi + FACES + FACE_INTEGERS * f + STATE] = GONE
    return faces + kept


@kernel
def _weights(integers, numbers, fi, ff, f):
    """Weights of the point of a face nearest to the origin, and how far beyond its plane it is."""
    at = fi + FACES + FACE_INTEGERS * f
    x = _w(numbers, ff, integers[at + V0])
    y, z = _w(numbers, ff, integers[at + V0 + 1]), _w(numbers, ff, integers[at + V0 + 2])
    p = on_triangle(x, y, z)
    v = axpy(p[0], x, axpy(p[1], y, scale(p[2], z)))
    return p, math.sqrt(dot(v, v)) - abs(numbers[ff + PLANES + FACE_NUMBERS * f + 3])


@kernel
def _containing(integers, numbers, fi, ff, best, faces, size):
    """The face that holds the foot of the origin on its plane, of those in the plane of `best`.

    A face of the difference (two faces, or two edges, that touch) has several triangles.
    """
    level = numbers[ff + PLANES + FACE_NUMBERS * best + 3] + 1e3 * SAME_PLANE * size
    least = _weights(integers, numbers, fi, ff, best)[1]
    if least <= SAME_PLANE * size:
        return best
    n = vector(numbers, ff + PLANES + FACE_NUMBERS * best)
    for f in range(faces):
        if integers[fi + FACES + FACE_INTEGERS * f + STATE] == LIVE:
            plane = ff + PLANES + FACE_NUMBERS * f
            # others are as near where the shapes are symmetric: they look elsewhere
            if numbers[plane + 3] <= level and dot(n, vector(numbers, plane)) > SAME_NORMAL:
                beyond = _weights(integers, numbers, fi, ff, f)[1]
                if beyond < least:
                    best, least = f, beyond
    return best


@kernel
def _answer(integers, numbers, fi, ff, f):
    """Write the face f as the simplex of the pair, with the weights of its nearest point."""
    at = fi + FACES + FACE_INTEGERS * f
    for k in range(3):
        p = integers[at + V0 + k]
        to, there = ff + POINTS + 6 * k, ff + EPA_POINTS + 6 * p
        for i in range(6):
            numbers[to + i] = numbers[there + i]
        integers[fi + SIMPLEX_A + k] = integers[fi + POINT_A + p]
        integers[fi + SIMPLEX_B + k] = integers[fi + POINT_B + p]
    weights = _weights(integers, numbers, fi, ff, f)[0]
    put_vector(numbers, ff + WEIGHTS, weights)
    x = vector(numbers, ff + POINTS)
    y, z = vector(numbers, ff + POINTS + 6), vector(numbers, ff + POINTS + 12)
    integers[fi + SIMPLEX_COUNT] = 3
    v = axpy(weights[0], x, axpy(weights[1], y, scale(weights[2], z)))
    put_vector(numbers, ff + CLOSEST, v)


@subroutine
def penetration(integers, numbers, fi, ff):
    """Signed distance of two cores that touch or overlap, and the unit normal from A to B.

    Begins with the simplex of the pair where that is a tetrahedron; leaves there the face whose
    nearest point says where the shapes touch.
    """
    size = numbers[ff + SCALE]
    volume = 0.0
    if integers[fi + SIMPLEX_COUNT] == 4:
        for k in range(4):
            at = ff + POINTS + 6 * k
            w, a = vector(numbers, at), vector(numbers, at + 3)
            ka, kb = integers[fi + SIMPLEX_A + k], integers[fi + SIMPLEX_B + k]
            _put(integers, numbers, fi, ff, k, w, a, ka, kb)
        volume = abs(_six_times_volume(numbers, ff))
    if volume <= 1e-6 * size * size * size or volume == 0.0:
        # too flat to grow from
        for k in range(3):
            width = _ask(integers, numbers, fi, ff, 0, _axis(k))
            width += _ask(integers, numbers, fi, ff, 1, scale(-1.0, _axis(k)))
            size = max(size, width)
        numbers[ff + SCALE] = size
        dimension, n = _widest(integers, numbers, fi, ff, size)
        if dimension < 3:
            # the simplex of GJK, whose nearest point is the origin, says where they touch
            above = _ask(integers, numbers, fi, ff, 0, n)
            below = _ask(integers, numbers, fi, ff, 0, scale(-1.0, n))
            if below < above:
                n, above = scale(-1.0, n), below
            return -above, n
    _first_faces(integers, numbers, fi, ff)
    polytopes = has_vertices(integers, fi) and has_vertices(integers, fi + CORE_INTEGERS)
    tolerance = (EXACT if polytopes else ROUGH) * size
    slack = 1e-15 * size
    points, faces = 4, 4
    depth, normal, best = math.inf, (0.0, 0.0, 1.0), 0
    while True:
        nearest, least = -1, math.inf
        for f in range(faces):
            if integers[fi + FACES + FACE_INTEGERS * f + STATE] == LIVE:
                d = numbers[ff + PLANES + FACE_NUMBERS * f + 3]
                if d < least:
                    nearest, least = f, d
        if nearest < 0:
            break
        n = vector(numbers, ff + PLANES + FACE_NUMBERS * nearest)
        high = _ask(integers, numbers, fi, ff, points, n)
        if high < depth:
            depth, normal, best = high, n, nearest
        if high - least <= tolerance or points == MOST_POINTS - 1:
            break
        grown = _grow(integers, numbers, fi, ff, nearest, points, faces, slack)
        if grown < 0:
            break
        faces = grown
        points += 1
    _answer(integers, numbers, fi, ff, _containing(integers, numbers, fi, ff, best, faces, size))
    return -depth, normal
