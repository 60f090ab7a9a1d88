"""The polytope that EPA grows: points, faces, neighbours, in the scratch of the scene.

Faces know what lies across their edges, so a growth walks from the face it begins with to the
horizon, the loop of edges that the new point sees from above; new faces are hung onto that loop, in
the places of those they cover.
"""

import math

from dalembert._jit import kernel, subroutine
from dalembert._records import Integers, Numbers, value
from dalembert.collision.core_layout import EDGE, FACE_INTEGERS, PLANE_NUMBERS, Edge, Face
from dalembert.collision.layout import MOST_EDGES, MOST_FACES, Scene
from dalembert.collision.support import support
from dalembert.numerics.vector import Vec3

GONE, LIVE, SEEN = range(3)
"""States of a face."""


@value
class Polytope:
    """Tables of faces and of a growth, opened once: their addresses stay in registers."""

    face_integers: Integers
    plane_numbers: Numbers
    edge_integers: Integers
    stack: Integers  # faces to be looked at
    covered: Integers  # faces that a new point covers
    starting: Integers  # new face whose outer edge begins at a point
    ending: Integers

    def face(self, f):
        """A face."""
        return Face(self.face_integers, FACE_INTEGERS * f, self.plane_numbers, PLANE_NUMBERS * f)

    def edge(self, k):
        """An edge of the horizon."""
        return Edge(self.edge_integers, EDGE * k)


@kernel
def polytope_of(scene: Scene):
    """The polytope in the scratch of a scene."""
    return Polytope(
        scene.face_integers,
        scene.plane_numbers,
        scene.horizon_edges,
        scene.face_stack,
        scene.covered,
        scene.starting,
        scene.ending,
    )


@subroutine
def ask(scene: Scene, k, d):
    """Support along d as point k of the polytope; w . d."""
    found = support(scene, d)
    scene.point(k).put(found)
    return found.w.dot(d)


@kernel
def six_times_volume(scene: Scene):
    """Six times the volume of the first four points, with its sign."""
    a = scene.point(0).w
    b, c, d = scene.point(1).w - a, scene.point(2).w - a, scene.point(3).w - a
    return b.dot(c % d)


@subroutine
def _face(scene: Scene, f, i, j, k):
    """Make face f of three points, counter-clockwise seen from outside."""
    face = scene.face(f)
    face.i, face.j, face.k, face.state = i, j, k, LIVE
    a, b, c = scene.point(i).w, scene.point(j).w, scene.point(k).w
    n = (b - a) % (c - a)
    length = math.sqrt(n.dot(n))
    if length > 0.0:
        n = (1.0 / length) * n
        # from the middle of the corners: none is better than the others
        third = 1.0 / 3.0
        face.n, face.d = n, third * (n.dot(a) + n.dot(b) + n.dot(c))
    else:  # a sliver is never the nearest face and never seen
        face.n, face.d = Vec3.zero(), math.inf


@kernel
def first_faces(scene: Scene):
    """The four faces of the tetrahedron of the first four points."""
    if six_times_volume(scene) > 0.0:
        # corner 3 on the side to which (0, 1, 2) turns: exchange two corners
        scene.point(4).put(scene.point(0))
        scene.point(0).put(scene.point(1))
        scene.point(1).put(scene.point(4))
    _face(scene, 0, 0, 1, 2)
    _face(scene, 1, 0, 3, 1)
    _face(scene, 2, 1, 3, 2)
    _face(scene, 3, 2, 3, 0)
    scene.face(0).put_all_across(1, 2, 3)
    scene.face(1).put_all_across(3, 2, 0)
    scene.face(2).put_all_across(1, 3, 0)
    scene.face(3).put_all_across(2, 1, 0)


@kernel
def _look(polytope, nearest, w, slack):
    """Faces that a point w sees from above, and edges around them: how many of each; -1: too many.

    Leaves edges as (face, number of its edge); those between two faces that are seen may be among
    them.
    """
    top, covered, edges = 1, 1, 0
    polytope.stack[0] = nearest
    polytope.covered[0] = nearest
    polytope.face(nearest).state = SEEN
    while top > 0:
        top -= 1
        f = polytope.stack[top]
        for e in range(3):
            g = polytope.face(f).across(e)
            other = polytope.face(g)
            if other.state == SEEN:
                continue
            if other.n.dot(w) - other.d > slack:
                other.state = SEEN
                polytope.stack[top] = g
                polytope.covered[covered] = g
                top, covered = top + 1, covered + 1
            else:
                if edges >= MOST_EDGES:
                    return covered, -1
                edge = polytope.edge(edges)
                edge.begin, edge.end = f, e
                edges += 1
    return covered, edges


@kernel
def _horizon(polytope, edges):
    """Edges that are between a face that is seen and one that is not: how many of those found.

    An edge found before the face across it was seen is none of the horizon.
    """
    kept = 0
    for k in range(edges):
        found = polytope.edge(k)
        face, e = polytope.face(found.begin), found.end
        g = face.across(e)
        if polytope.face(g).state != SEEN:
            i, j = face.corner(e), face.corner(e + 1)
            edge = polytope.edge(kept)
            edge.begin, edge.end, edge.face = i, j, g
            polytope.starting[i] = -1
            polytope.ending[j] = -1
            kept += 1
    return kept


@kernel
def _place(polytope, k, covered, faces):
    """Where new face k goes: into the place of one that is covered, or behind all."""
    return polytope.covered[k] if k < covered else faces + k - covered


@kernel
def grow(scene: Scene, polytope, nearest, p, faces, slack):
    """Take point p into the polytope through the face `nearest`; the number of faces, or -1."""
    covered, edges = _look(polytope, nearest, scene.point(p).w, slack)
    kept = _horizon(polytope, edges)
    if edges < 0 or faces + max(kept - covered, 0) > MOST_FACES:
        return -1
    for k in range(kept, covered):
        polytope.face(polytope.covered[k]).state = GONE
    for k in range(kept):
        edge, new = polytope.edge(k), _place(polytope, k, covered, faces)
        i, j = edge.begin, edge.end
        # the horizon is one loop, or rounding has spoiled it
        if polytope.starting[i] >= 0 or polytope.ending[j] >= 0:
            return -1
        polytope.starting[i] = new
        polytope.ending[j] = new
        _face(scene, new, i, j, p)
        polytope.face(new).put_all_across(edge.face, -1, -1)
    for k in range(kept):
        edge, new = polytope.edge(k), _place(polytope, k, covered, faces)
        i, j, g = edge.begin, edge.end, edge.face
        after, before = polytope.starting[j], polytope.ending[i]
        if after < 0 or before < 0:
            return -1
        polytope.face(new).put_all_across(g, after, before)
        # the face beyond the horizon has the edge the other way round
        beyond = polytope.face(g)
        for e in range(3):
            if beyond.corner(e) == j and beyond.corner(e + 1) == i:
                beyond.put_across(e, new)
    return faces + max(kept - covered, 0)
