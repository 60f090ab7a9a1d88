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
from dalembert.collision.polytope import (
    EPA_POINTS,
    FACE_INTEGERS,
    FACE_NUMBERS,
    FACES,
    LIVE,
    MOST_POINTS,
    PLANES,
    POINT_A,
    POINT_B,
    STATE,
    V0,
    ask,
    axis_of,
    copy_point,
    corner,
    first_faces,
    grow,
    put_polytope_point,
    six_times_volume,
)
from dalembert.collision.simplex import on_triangle
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
)
from dalembert.numerics.small import axpy, cross, dot, put_vector, scale, sub, vector

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
def _widest(integers, numbers, fi, ff, size):
    """A tetrahedron that is as large as a few supports make it: its dimension, and a normal.

    With dimension below 3 the difference is flat, and the normal is one along which it is thin.
    """
    widest, best = -1.0, 0
    for k in range(3):
        d = axis_of(k)
        width = ask(integers, numbers, fi, ff, 0, d)
        width += ask(integers, numbers, fi, ff, 1, scale(-1.0, d))
        if width > widest:
            widest, best = width, k
    d = axis_of(best)
    ask(integers, numbers, fi, ff, 0, d)
    ask(integers, numbers, fi, ff, 1, scale(-1.0, d))
    e = sub(corner(numbers, ff, 1), corner(numbers, ff, 0))
    length = math.sqrt(dot(e, e))
    if length <= NO_VOLUME * size or length == 0.0:
        return 0, (0.0, 0.0, 1.0)
    e = scale(1.0 / length, e)
    # away from the line, along two directions across it
    u = cross(e, axis_of((best + 1) % 3))
    u = scale(1.0 / math.sqrt(dot(u, u)), u)
    t = cross(e, u)
    farthest, normal = 0.0, u
    first = corner(numbers, ff, 0)
    for k in range(4):
        s = -1.0 if k % 2 else 1.0
        d = scale(s, u) if k < 2 else scale(s, t)
        ask(integers, numbers, fi, ff, 3, d)
        off = cross(e, sub(corner(numbers, ff, 3), first))
        far = math.sqrt(dot(off, off))
        if far > farthest:
            farthest, normal = far, off
            copy_point(integers, numbers, fi, ff, 3, 2)
    if farthest <= NO_VOLUME * size:
        return 1, u
    n = scale(1.0 / math.sqrt(dot(normal, normal)), normal)
    above = ask(integers, numbers, fi, ff, 3, n) - dot(n, first)
    if above > NO_VOLUME * size:
        below = ask(integers, numbers, fi, ff, 4, scale(-1.0, n)) + dot(n, first)
        if below > above:
            copy_point(integers, numbers, fi, ff, 4, 3)
        return 3, n
    below = ask(integers, numbers, fi, ff, 3, scale(-1.0, n)) + dot(n, first)
    if below > NO_VOLUME * size:
        return 3, n
    return 2, n


@kernel
def _corners(integers, fi, f):
    """Points of a face."""
    at = fi + FACES + FACE_INTEGERS * f + V0
    return integers[at], integers[at + 1], integers[at + 2]


@kernel
def _weights(numbers, ff, face, level):
    """Weights of the point of a face nearest to the origin, and how far beyond `level` it is."""
    x = corner(numbers, ff, face[0])
    y, z = corner(numbers, ff, face[1]), corner(numbers, ff, face[2])
    p = on_triangle(x, y, z)
    v = axpy(p[0], x, axpy(p[1], y, scale(p[2], z)))
    return p, math.sqrt(dot(v, v)) - abs(level)


@kernel
def _containing(integers, numbers, fi, ff, best, n, depth, faces, size):
    """The face that holds the foot of the origin on its plane, of those in the plane of `best`.

    A face of the difference (two faces, or two edges, that touch) has several triangles.
    """
    level = depth + 1e3 * SAME_PLANE * size
    least = _weights(numbers, ff, best, depth)[1]
    if least <= SAME_PLANE * size:
        return best
    for f in range(faces):
        if integers[fi + FACES + FACE_INTEGERS * f + STATE] == LIVE:
            plane = ff + PLANES + FACE_NUMBERS * f
            # others are as near where the shapes are symmetric: they look elsewhere
            if numbers[plane + 3] <= level and dot(n, vector(numbers, plane)) > SAME_NORMAL:
                face = _corners(integers, fi, f)
                beyond = _weights(numbers, ff, face, depth)[1]
                if beyond < least:
                    best, least = face, beyond
    return best


@kernel
def _answer(integers, numbers, fi, ff, face):
    """Write a face as the simplex of the pair, with the weights of its nearest point."""
    _corner_answer(integers, numbers, fi, ff, 0, face[0])
    _corner_answer(integers, numbers, fi, ff, 1, face[1])
    _corner_answer(integers, numbers, fi, ff, 2, face[2])
    weights = _weights(numbers, ff, face, 0.0)[0]
    put_vector(numbers, ff + WEIGHTS, weights)
    x = vector(numbers, ff + POINTS)
    y, z = vector(numbers, ff + POINTS + 6), vector(numbers, ff + POINTS + 12)
    integers[fi + SIMPLEX_COUNT] = 3
    v = axpy(weights[0], x, axpy(weights[1], y, scale(weights[2], z)))
    put_vector(numbers, ff + CLOSEST, v)


@kernel
def _corner_answer(integers, numbers, fi, ff, k, p):
    """Write point p as corner k of the simplex."""
    to, there = ff + POINTS + 6 * k, ff + EPA_POINTS + 6 * p
    for i in range(6):
        numbers[to + i] = numbers[there + i]
    integers[fi + SIMPLEX_A + k] = integers[fi + POINT_A + p]
    integers[fi + SIMPLEX_B + k] = integers[fi + POINT_B + p]


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
            put_polytope_point(integers, numbers, fi, ff, k, w, a, ka, kb)
        volume = abs(six_times_volume(numbers, ff))
    if volume <= 1e-6 * size * size * size or volume == 0.0:
        # too flat to grow from
        for k in range(3):
            width = ask(integers, numbers, fi, ff, 0, axis_of(k))
            width += ask(integers, numbers, fi, ff, 1, scale(-1.0, axis_of(k)))
            size = max(size, width)
        numbers[ff + SCALE] = size
        dimension, n = _widest(integers, numbers, fi, ff, size)
        if dimension < 3:
            # the simplex of GJK, whose nearest point is the origin, says where they touch
            above = ask(integers, numbers, fi, ff, 0, n)
            below = ask(integers, numbers, fi, ff, 0, scale(-1.0, n))
            if below < above:
                n, above = scale(-1.0, n), below
            return -above, n
    first_faces(integers, numbers, fi, ff)
    polytopes = has_vertices(integers, fi) and has_vertices(integers, fi + CORE_INTEGERS)
    tolerance = (EXACT if polytopes else ROUGH) * size
    slack = 1e-15 * size
    points, faces = 4, 4
    depth, normal, best = math.inf, (0.0, 0.0, 1.0), _corners(integers, fi, 0)
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
        high = ask(integers, numbers, fi, ff, points, n)
        if high < depth:
            depth, normal, best = high, n, _corners(integers, fi, nearest)
        if high - least <= tolerance or points == MOST_POINTS - 1:
            break
        grown = grow(integers, numbers, fi, ff, nearest, points, faces, slack)
        if grown < 0:
            break
        faces = grown
        points += 1
    best = _containing(integers, numbers, fi, ff, best, normal, depth, faces, size)
    _answer(integers, numbers, fi, ff, best)
    return -depth, normal
