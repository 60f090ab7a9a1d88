"""The polytope that EPA grows: points, faces, neighbours, in the scratch sections.

Faces know what lies across their edges, so a growth walks from the face it begins with to the
horizon, the loop of edges that the new point sees from above; new faces are hung onto that loop, in
the places of those they cover.
"""

import math

from dalembert._jit import kernel, subroutine
from dalembert.collision.support import EPA_INTEGERS, EPA_NUMBERS, support
from dalembert.numerics.small import cross, dot, put_vector, scale, sub, vector

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
STACK = FACES + FACE_INTEGERS * MOST_FACES  # faces to be looked at
COVERED = STACK + MOST_FACES  # faces that the new point covers
HORIZON = COVERED + MOST_FACES  # edges around them: from, to, face beyond
MOST_EDGES = 192
INTEGERS_END = HORIZON + 3 * MOST_EDGES

# Numbers from EPA_NUMBERS: points w and a, then normal and distance of faces.
FACE_NUMBERS = 4
EPA_POINTS = EPA_NUMBERS
PLANES = EPA_POINTS + 6 * MOST_POINTS
NUMBERS_END = PLANES + FACE_NUMBERS * MOST_FACES


@kernel
def put_polytope_point(integers, numbers, fi, ff, k, w, a, ka, kb):
    """Write a point of the polytope."""
    at = ff + EPA_POINTS + 6 * k
    put_vector(numbers, at, w)
    put_vector(numbers, at + 3, a)
    integers[fi + POINT_A + k] = ka
    integers[fi + POINT_B + k] = kb


@subroutine
def ask(integers, numbers, fi, ff, k, d):
    """Support along d as point k of the polytope; w . d."""
    w, a, ka, kb = support(integers, numbers, fi, ff, d)
    put_polytope_point(integers, numbers, fi, ff, k, w, a, ka, kb)
    return dot(w, d)


@kernel
def corner(numbers, ff, k):
    """Point k of the polytope."""
    return vector(numbers, ff + EPA_POINTS + 6 * k)


@kernel
def axis_of(k):
    """Unit vector along x, y or z."""
    if k == 0:
        return 1.0, 0.0, 0.0
    if k == 1:
        return 0.0, 1.0, 0.0
    return 0.0, 0.0, 1.0


@kernel
def copy_point(integers, numbers, fi, ff, k, to):
    """Write point k to place `to` as well."""
    at, there = ff + EPA_POINTS + 6 * k, ff + EPA_POINTS + 6 * to
    for i in range(6):
        numbers[there + i] = numbers[at + i]
    integers[fi + POINT_A + to] = integers[fi + POINT_A + k]
    integers[fi + POINT_B + to] = integers[fi + POINT_B + k]


@kernel
def six_times_volume(numbers, ff):
    """Six times the volume of the first four points, with its sign."""
    a = corner(numbers, ff, 0)
    b, c, d = corner(numbers, ff, 1), corner(numbers, ff, 2), corner(numbers, ff, 3)
    return dot(sub(b, a), cross(sub(c, a), sub(d, a)))


@subroutine
def _face(integers, numbers, fi, ff, f, i, j, k):
    """Make face f of three points, counter-clockwise seen from outside."""
    at = fi + FACES + FACE_INTEGERS * f
    integers[at + V0], integers[at + V0 + 1], integers[at + V0 + 2] = i, j, k
    integers[at + STATE] = LIVE
    a, b, c = corner(numbers, ff, i), corner(numbers, ff, j), corner(numbers, ff, k)
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
def first_faces(integers, numbers, fi, ff):
    """The four faces of the tetrahedron of the first four points."""
    if six_times_volume(numbers, ff) > 0.0:
        # corner 3 on the side to which (0, 1, 2) turns: exchange two corners
        copy_point(integers, numbers, fi, ff, 0, 4)
        copy_point(integers, numbers, fi, ff, 1, 0)
        copy_point(integers, numbers, fi, ff, 4, 1)
    _face(integers, numbers, fi, ff, 0, 0, 1, 2)
    _face(integers, numbers, fi, ff, 1, 0, 3, 1)
    _face(integers, numbers, fi, ff, 2, 1, 3, 2)
    _face(integers, numbers, fi, ff, 3, 2, 3, 0)
    _across(integers, fi, 0, 1, 2, 3)
    _across(integers, fi, 1, 3, 2, 0)
    _across(integers, fi, 2, 1, 3, 0)
    _across(integers, fi, 3, 2, 1, 0)


@kernel
def _look(integers, numbers, fi, ff, nearest, w, slack):
    """Faces that a point w sees from above, and edges around them: how many of each; -1: too many.

    Leaves edges as (face, edge, 0); those between two faces that are seen may be among them.
    """
    top, covered, edges = 1, 1, 0
    integers[fi + STACK] = nearest
    integers[fi + COVERED] = nearest
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
            if dot(vector(numbers, plane), w) - numbers[plane + 3] > slack:
                integers[there + STATE] = SEEN
                integers[fi + STACK + top] = g
                integers[fi + COVERED + covered] = g
                top, covered = top + 1, covered + 1
            else:
                if edges >= MOST_EDGES:
                    return covered, -1
                integers[fi + HORIZON + 3 * edges] = f
                integers[fi + HORIZON + 3 * edges + 1] = e
                edges += 1
    return covered, edges


@kernel
def _place(integers, fi, k, covered, faces):
    """Where new face k goes: into the place of one that is covered, or behind all."""
    return integers[fi + COVERED + k] if k < covered else faces + k - covered


@kernel
def grow(integers, numbers, fi, ff, nearest, p, faces, slack):
    """Take point p into the polytope through the face `nearest`; the number of faces, or -1."""
    covered, edges = _look(integers, numbers, fi, ff, nearest, corner(numbers, ff, p), slack)
    # An edge found before the face across it was seen is none of the horizon.
    kept = 0
    for k in range(edges):
        here, to = fi + HORIZON + 3 * k, fi + HORIZON + 3 * kept
        at, e = fi + FACES + FACE_INTEGERS * integers[here], integers[here + 1]
        g = integers[at + ACROSS + e]
        if integers[fi + FACES + FACE_INTEGERS * g + STATE] != SEEN:
            i, j = integers[at + V0 + e], integers[at + V0 + (e + 1) % 3]
            integers[to], integers[to + 1], integers[to + 2] = i, j, g
            integers[fi + STARTING + i] = -1
            integers[fi + ENDING + j] = -1
            kept += 1
    if edges < 0 or faces + max(kept - covered, 0) > MOST_FACES:
        return -1
    for k in range(kept, covered):
        integers[fi + FACES + FACE_INTEGERS * integers[fi + COVERED + k] + STATE] = GONE
    for k in range(kept):
        here = fi + HORIZON + 3 * k
        i, j, g = integers[here], integers[here + 1], integers[here + 2]
        new = _place(integers, fi, k, covered, faces)
        # the horizon is one loop, or rounding has spoiled it
        if integers[fi + STARTING + i] >= 0 or integers[fi + ENDING + j] >= 0:
            return -1
        integers[fi + STARTING + i] = new
        integers[fi + ENDING + j] = new
        _face(integers, numbers, fi, ff, new, i, j, p)
        _across(integers, fi, new, g, -1, -1)
    for k in range(kept):
        here = fi + HORIZON + 3 * k
        i, j, g = integers[here], integers[here + 1], integers[here + 2]
        new = _place(integers, fi, k, covered, faces)
        after, before = integers[fi + STARTING + j], integers[fi + ENDING + i]
        if after < 0 or before < 0:
            return -1
        _across(integers, fi, new, g, after, before)
        # the face beyond the horizon has the edge the other way round
        there = fi + FACES + FACE_INTEGERS * g
        for e in range(3):
            if integers[there + V0 + e] == j and integers[there + V0 + (e + 1) % 3] == i:
                integers[there + ACROSS + e] = new
    return faces + max(kept - covered, 0)
