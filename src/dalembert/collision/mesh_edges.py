"""On which edges and corners of a surface a normal may stand.

A direction m from a point of the surface to a shape is a normal there if the point is, near it, the
one nearest to the shape: on an edge where m lies between the normals of both triangles and the
surface is convex, on a corner where m leans away from every edge that begins there. At the rim of
the surface there is nothing on the other side.
"""

import math

from dalembert._jit import kernel
from dalembert._records import value
from dalembert.collision.layout import Scene
from dalembert.collision.mesh import CONVEX

MOST_AROUND = 64
"""Triangles at one corner that are looked at."""

ALMOST = 1e-6
"""Barycentric coordinates, sines of angles and relative places this small are as good as zero."""


@value
class Surface:
    """Triangles of a shape: where they begin, and the table of what lies across their edges."""

    scene: Scene
    first: int
    edges: int

    def triangle(self, k):
        """A triangle by its number."""
        return self.scene.triangle(self.first, k)

    def across(self, k, e):
        """Number and sort of the triangle across an edge: 4 k + sort; -1: there is none."""
        return self.scene.sizes[self.edges + 3 * k + e]


@kernel
def _weight(scene: Scene, k):
    """Barycentric coordinate of corner k of the triangle at the nearest point."""
    weight = 0.0
    for i in range(scene.corners):
        if scene.corner(i).of_b == k:
            weight += scene.corner(i).weight
    return weight


@kernel
def is_convex(surface, k, e):
    """Whether something may stand on edge e of triangle k at all."""
    across = surface.across(k, e)
    return across < 0 or (across & 3) == CONVEX


@kernel
def _edge_allows(surface, k, e, m):
    """Whether a normal m (frame of the mesh) may stand on edge e of triangle k."""
    across = surface.across(k, e)
    if across < 0:
        return True
    if (across & 3) != CONVEX:
        return False
    here, there = surface.triangle(k), surface.triangle(across >> 2)
    side = here.corner(e + 1) - here.corner(e)
    length = math.sqrt(side.dot(side))
    beyond = m.dot(side % here.n) >= -ALMOST * length
    return beyond and m.dot(side % there.n) <= ALMOST * length


@kernel
def _same_place(p, q, tolerance):
    """Whether two corners are one."""
    e = p - q
    return e.dot(e) <= tolerance * tolerance


@kernel
def _leans_away(triangle, c, m):
    """Whether m leans away from both edges of a triangle at its corner c."""
    p = triangle.corner(c)
    for i in range(1, 3):
        e = triangle.corner(c + i) - p
        if m.dot(e) > ALMOST * math.sqrt(e.dot(e)):
            return False
    return True


@kernel
def _corner_allows(surface, k, c, m):
    """Whether a normal m (frame of the mesh) may stand on corner c of triangle k.

    It may where no edge at the corner goes towards the shape; the triangles around it are walked
    one way, and the other way if the surface ends.
    """
    here = surface.triangle(k).corner(c)
    e = here - surface.triangle(k).corner(c + 1)
    tolerance = ALMOST * math.sqrt(e.dot(e))
    for way in range(2):
        t, corner = k, c
        for _ in range(MOST_AROUND):
            if not _leans_away(surface.triangle(t), corner, m):
                return False
            # across the edge that ends at the corner, or the one that begins there
            across = surface.across(t, (corner + 2) % 3 if way == 0 else corner)
            if across < 0:
                break
            t = across >> 2
            if t == k:
                return True
            corner = 0
            if _same_place(surface.triangle(t).b, here, tolerance):
                corner = 1
            elif _same_place(surface.triangle(t).c, here, tolerance):
                corner = 2
    return True


@kernel
def may_stand(surface, k, m):
    """Whether m, the direction from the triangle to the shape, is a normal of the surface there."""
    scene = surface.scene
    a, b, c = _weight(scene, 0), _weight(scene, 1), _weight(scene, 2)
    if max(a, b, c) >= 1.0 - ALMOST:
        corner = 0 if a >= 1.0 - ALMOST else (1 if b >= 1.0 - ALMOST else 2)
        return _corner_allows(surface, k, corner, m)
    # edge e faces corner e + 2
    if c <= ALMOST and _edge_allows(surface, k, 0, m):
        return True
    if a <= ALMOST and _edge_allows(surface, k, 1, m):
        return True
    return b <= ALMOST and _edge_allows(surface, k, 2, m)


@kernel
def may_stand_on(surface, k, e, share, m):
    """Whether m is a normal of the surface at a share of the way along edge e of triangle k."""
    if share <= ALMOST:
        return _corner_allows(surface, k, e, m)
    if share >= 1.0 - ALMOST:
        return _corner_allows(surface, k, (e + 1) % 3, m)
    return _edge_allows(surface, k, e, m)
