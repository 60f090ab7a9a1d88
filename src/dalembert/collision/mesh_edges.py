"""On which edges and corners of a surface a normal may stand.

A direction m from a point of the surface to a shape is a normal there if the point is, near it, the
one nearest to the shape: on an edge where m lies between the normals of both triangles and the
surface is convex, on a corner where m leans away from every edge that begins there. At the rim of
the surface there is nothing on the other side.
"""

import math

from dalembert._jit import kernel
from dalembert.collision.mesh import CONVEX, TRIANGLE
from dalembert.collision.support import SIMPLEX_B, SIMPLEX_COUNT, WEIGHTS
from dalembert.numerics.small import cross, dot, sub, vector

MOST_AROUND = 64
"""Triangles at one corner that are looked at."""

ALMOST = 1e-6
"""Barycentric coordinates, sines of angles and relative places this small are as good as zero."""


@kernel
def _weight(integers, numbers, fi, ff, k):
    """Barycentric coordinate of corner k of the triangle at the nearest point."""
    weight = 0.0
    for i in range(integers[fi + SIMPLEX_COUNT]):
        if integers[fi + SIMPLEX_B + i] == k:
            weight += numbers[ff + WEIGHTS + i]
    return weight


@kernel
def _edge_allows(integers, numbers, record, edges, first, e, m):
    """Whether a normal m (frame of the mesh) may stand on edge e."""
    across = integers[edges + e]
    if across < 0:
        return True
    if (across & 3) != CONVEX:
        return False
    p, q = vector(numbers, record + 3 * e), vector(numbers, record + 3 * ((e + 1) % 3))
    side = sub(q, p)
    length = math.sqrt(dot(side, side))
    here = vector(numbers, record + 9)
    there = vector(numbers, first + TRIANGLE * (across >> 2) + 9)
    beyond = dot(m, cross(side, here)) >= -ALMOST * length
    return beyond and dot(m, cross(side, there)) <= ALMOST * length


@kernel
def _same_place(numbers, p, q, tolerance):
    """Whether two corners are one."""
    e = sub(vector(numbers, p), vector(numbers, q))
    return dot(e, e) <= tolerance * tolerance


@kernel
def _leans_away(numbers, record, c, m):
    """Whether m leans away from both edges of a triangle at its corner c."""
    p = vector(numbers, record + 3 * c)
    for i in range(1, 3):
        e = sub(vector(numbers, record + 3 * ((c + i) % 3)), p)
        if dot(m, e) > ALMOST * math.sqrt(dot(e, e)):
            return False
    return True


@kernel
def _corner_allows(integers, numbers, first, edges, k, c, m):
    """Whether a normal m (frame of the mesh) may stand on corner c of triangle k.

    It may where no edge at the corner goes towards the shape; the triangles around it are walked
    one way, and the other way if the surface ends.
    """
    here = first + TRIANGLE * k + 3 * c
    e = sub(vector(numbers, here), vector(numbers, first + TRIANGLE * k + 3 * ((c + 1) % 3)))
    tolerance = ALMOST * math.sqrt(dot(e, e))
    for way in range(2):
        t, corner = k, c
        for _ in range(MOST_AROUND):
            record = first + TRIANGLE * t
            if not _leans_away(numbers, record, corner, m):
                return False
            # across the edge that ends at the corner, or the one that begins there
            across = integers[edges + 3 * t + ((corner + 2) % 3 if way == 0 else corner)]
            if across < 0:
                break
            t = across >> 2
            if t == k:
                return True
            record = first + TRIANGLE * t
            corner = 0
            if _same_place(numbers, record + 3, here, tolerance):
                corner = 1
            elif _same_place(numbers, record + 6, here, tolerance):
                corner = 2
    return True


@kernel
def may_stand(integers, numbers, fi, ff, k, edges, first, m):
    """Whether m, the direction from the triangle to the shape, is a normal of the surface there."""
    a = _weight(integers, numbers, fi, ff, 0)
    b = _weight(integers, numbers, fi, ff, 1)
    c = _weight(integers, numbers, fi, ff, 2)
    if max(a, b, c) >= 1.0 - ALMOST:
        corner = 0 if a >= 1.0 - ALMOST else (1 if b >= 1.0 - ALMOST else 2)
        return _corner_allows(integers, numbers, first, edges, k, corner, m)
    record, own = first + TRIANGLE * k, edges + 3 * k
    # edge e faces corner e + 2
    if c <= ALMOST and _edge_allows(integers, numbers, record, own, first, 0, m):
        return True
    if a <= ALMOST and _edge_allows(integers, numbers, record, own, first, 1, m):
        return True
    return b <= ALMOST and _edge_allows(integers, numbers, record, own, first, 2, m)
