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
from dalembert.collision.layout import MOST_POINTS, Scene
from dalembert.collision.polytope import LIVE, ask, first_faces, grow, polytope_of, six_times_volume
from dalembert.collision.simplex import on_triangle
from dalembert.collision.support import has_vertices
from dalembert.numerics.vector import Vec3

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
def _longest(scene: Scene, size):
    """Points 0 and 1 as far apart as along an axis: which, and the unit vector; -1: nowhere."""
    widest, best = -1.0, 0
    for k in range(3):
        d = Vec3.along(k, 1.0)
        width = ask(scene, 0, d) + ask(scene, 1, -d)
        if width > widest:
            widest, best = width, k
    d = Vec3.along(best, 1.0)
    ask(scene, 0, d)
    ask(scene, 1, -d)
    e = scene.point(1).w - scene.point(0).w
    length = math.sqrt(e.dot(e))
    if length <= NO_VOLUME * size or length == 0.0:
        return -1, Vec3(0.0, 0.0, 1.0)
    return best, (1.0 / length) * e


@kernel
def _widest(scene: Scene, size):
    """A tetrahedron that is as large as a few supports make it: its dimension, and a normal.

    With dimension below 3 the difference is flat, and the normal is one along which it is thin.
    """
    best, e = _longest(scene, size)
    if best < 0:
        return 0, e
    # away from the line, along two directions across it
    u = e % Vec3.along((best + 1) % 3, 1.0)
    u = (1.0 / math.sqrt(u.dot(u))) * u
    t = e % u
    farthest, normal, first = 0.0, u, scene.point(0).w
    for k in range(4):
        s = -1.0 if k % 2 else 1.0
        ask(scene, 3, s * u if k < 2 else s * t)
        off = e % (scene.point(3).w - first)
        far = math.sqrt(off.dot(off))
        if far > farthest:
            farthest, normal = far, off
            scene.point(2).put(scene.point(3))
    if farthest <= NO_VOLUME * size:
        return 1, u
    n = (1.0 / math.sqrt(normal.dot(normal))) * normal
    above = ask(scene, 3, n) - n.dot(first)
    if above > NO_VOLUME * size:
        below = ask(scene, 4, -n) + n.dot(first)
        if below > above:
            scene.point(3).put(scene.point(4))
        return 3, n
    below = ask(scene, 3, -n) + n.dot(first)
    if below > NO_VOLUME * size:
        return 3, n
    return 2, n


@kernel
def _corners(polytope, f):
    """Points of a face."""
    face = polytope.face(f)
    return face.i, face.j, face.k


@kernel
def _nearest_in(scene: Scene, face):
    """Weights of the point of a face nearest to the origin, and the point."""
    x, y, z = scene.point(face[0]).w, scene.point(face[1]).w, scene.point(face[2]).w
    p = on_triangle(x, y, z)
    return p, p.x * x + (p.y * y + p.z * z)


@kernel
def _beyond(scene: Scene, face, level):
    """How far beyond `level` the point of a face nearest to the origin is."""
    v = _nearest_in(scene, face)[1]
    return math.sqrt(v.dot(v)) - abs(level)


@kernel
def _containing(scene: Scene, polytope, best, n, depth, faces, size):
    """The face that holds the foot of the origin on its plane, of those in the plane of `best`.

    A face of the difference (two faces, or two edges, that touch) has several triangles.
    """
    level = depth + 1e3 * SAME_PLANE * size
    least = _beyond(scene, best, depth)
    if least <= SAME_PLANE * size:
        return best
    for f in range(faces):
        face = polytope.face(f)
        # others are as near where the shapes are symmetric: they look elsewhere
        if face.state == LIVE and face.d <= level and n.dot(face.n) > SAME_NORMAL:
            corners = _corners(polytope, f)
            beyond = _beyond(scene, corners, depth)
            if beyond < least:
                best, least = corners, beyond
    return best


@kernel
def _answer(scene: Scene, face):
    """Write a face as the simplex of the pair, with the weights of its nearest point."""
    weights, v = _nearest_in(scene, face)
    scene.corner(0).put(scene.point(face[0]))
    scene.corner(1).put(scene.point(face[1]))
    scene.corner(2).put(scene.point(face[2]))
    scene.corner(0).weight = weights.x
    scene.corner(1).weight = weights.y
    scene.corner(2).weight = weights.z
    scene.corners, scene.pair.closest = 3, v


@kernel
def _is_large(scene: Scene):
    """Whether the simplex of the pair, as the first points of the polytope, has a volume."""
    if scene.corners != 4:
        return False
    for k in range(4):
        scene.point(k).put(scene.corner(k))
    size, volume = scene.pair.size, abs(six_times_volume(scene))
    return not (volume <= 1e-6 * size * size * size or volume == 0.0)


@kernel
def _nearest_face(polytope, faces):
    """The face nearest to the origin and its distance; -1: there is none."""
    nearest, least = -1, math.inf
    for f in range(faces):
        face = polytope.face(f)
        if face.state == LIVE and face.d < least:
            nearest, least = f, face.d
    return nearest, least


@subroutine
def penetration(scene: Scene):
    """Signed distance of two cores that touch or overlap, and the unit normal from A to B.

    Begins with the simplex of the pair where that is a tetrahedron; leaves there the face whose
    nearest point says where the shapes touch.
    """
    size = scene.pair.size
    if not _is_large(scene):
        # too flat to grow from
        for k in range(3):
            d = Vec3.along(k, 1.0)
            size = max(size, ask(scene, 0, d) + ask(scene, 1, -d))
        scene.pair.size = size
        dimension, n = _widest(scene, size)
        if dimension < 3:
            # the simplex of GJK, whose nearest point is the origin, says where they touch
            above, below = ask(scene, 0, n), ask(scene, 0, -n)
            if below < above:
                n, above = -n, below
            return -above, n
    first_faces(scene)
    polytope = polytope_of(scene)
    polytopes = has_vertices(scene.core_a) and has_vertices(scene.core_b)
    tolerance = (EXACT if polytopes else ROUGH) * size
    slack, points, faces = 1e-15 * size, 4, 4
    depth, normal, best = math.inf, Vec3(0.0, 0.0, 1.0), _corners(polytope, 0)
    while True:
        nearest, least = _nearest_face(polytope, faces)
        if nearest < 0:
            break
        n = polytope.face(nearest).n
        high = ask(scene, points, n)
        if high < depth:
            depth, normal, best = high, n, _corners(polytope, nearest)
        if high - least <= tolerance or points == MOST_POINTS - 1:
            break
        grown = grow(scene, polytope, nearest, points, faces, slack)
        if grown < 0:
            break
        faces = grown
        points += 1
    best = _containing(scene, polytope, best, normal, depth, faces, size)
    _answer(scene, best)
    return -depth, normal
