"""Support mappings of convex shapes, and the pair that GJK, EPA and the manifolds work on.

The support of a convex set C in a direction d is a point of C farthest along d; what the
algorithms ask is the support of the Minkowski difference A - B = {a - b},

    w(d) = s_A(d) - s_B(-d),

whose distance from the origin is the distance of the shapes. A shape is a *core* and a radius by
which it is rounded: a ball is a point, a capsule a segment. Cores that touch are a radius deep in
each other, so that rounded shapes are as exact near touching as far apart.

Everything is computed in the frame of A: what it finds does not depend on where in the world the
pair is, and large coordinates cost no digits. `prepare` writes the pair into the
scratch of the scene.

Source: van den Bergen, Collision Detection in Interactive 3D Environments (2003), chapter 4.
"""

import math

from dalembert._jit import kernel, subroutine
from dalembert.collision.core_layout import HullFaces, HullLinks, Support
from dalembert.collision.layout import BOX, CAPSULE, CYLINDER, ELLIPSOID, HULL, SPHERE, Scene
from dalembert.numerics.vector import Vec3

A, B = range(2)
"""The cores of a pair."""

CLIMB = 16
"""Least number of vertices for which climbing from one to the next beats looking at all."""


# -- the pair --------------------------------------------------------------------------------------


@kernel
def load_core(scene: Scene, number, core):
    """Core of a shape into the pair."""
    shape = scene.shape(number)
    size = shape.size
    core.kind, core.first, core.count = shape.kind, 0, 0
    core.faces, core.links, core.hint = -1, -1, 0
    core.size, core.radius = size, 0.0
    if shape.kind == SPHERE:
        core.kind, core.size, core.radius = BOX, Vec3.zero(), size.x
    elif shape.kind == CAPSULE:
        core.kind, core.size, core.radius = BOX, Vec3(0.0, 0.0, size.y), size.x
    elif shape.kind == HULL:
        core.first, core.count, core.faces = shape.first, shape.count, shape.first_integer
        core.links = HullFaces(scene.sizes, core.faces).links
        core.size, core.radius = Vec3.zero(), size.x


@kernel
def place_pair(scene: Scene, a, b):
    """Pose of shape b in shape a, into the pair."""
    first, second, pair = scene.shape(a), scene.shape(b), scene.pair
    pair.R = first.R.transposed_product(second.R)
    pair.p = first.R.transposed_times(second.x - first.x)


@kernel
def prepare(scene: Scene, a, b):
    """Write the pair of two convex shapes."""
    load_core(scene, a, scene.core_a)
    load_core(scene, b, scene.core_b)
    place_pair(scene, a, b)
    scene.corners = 0


# -- supports --------------------------------------------------------------------------------------


@kernel
def hull_support(scene: Scene, core, d):
    """The number of the vertex farthest along d."""
    vertices, best = scene.vertices(core), core.hint
    most = d.dot(vertices[best])
    if core.links < 0 or core.count < CLIMB:
        for k in range(core.count):
            height = d.dot(vertices[k])
            if height > most:
                most, best = height, k
        return best
    # Uphill along edges: on a convex polytope there are no other summits.
    links, before = HullLinks(scene.sizes, core.links), -1
    while best != before:
        before = best
        for i in range(links.first(before), links.first(before + 1)):
            k = links.neighbour(i)
            height = d.dot(vertices[k])
            if height > most:
                most, best = height, k
    return best


@subroutine
def core_support(scene: Scene, which, d):
    """Point of core A or B farthest along d, in its own frame, and a number for it."""
    core = scene.core(which)
    kind, s = core.kind, core.size
    if kind == HULL:
        k = hull_support(scene, core, d)
        core.hint = k
        return scene.vertices(core)[k], k
    if kind == BOX:
        k = (1 if d.x < 0.0 else 0) + (2 if d.y < 0.0 else 0) + (4 if d.z < 0.0 else 0)
        return box_vertex(s, k), k
    if kind == CYLINDER:
        top, k = (-s.y if d.z < 0.0 else s.y), (1 if d.z < 0.0 else 0)
        rho = math.sqrt(d.x * d.x + d.y * d.y)
        if rho > 0.0:
            r = s.x / rho
            return Vec3(r * d.x, r * d.y, top), k
        return Vec3(s.x, 0.0, top), k
    # an ellipsoid: a point of its surface where the normal is d
    a = s.scaled(d)
    length = math.sqrt(a.dot(a))
    if length > 0.0:
        return ((1.0 / length) * s).scaled(a), 0
    return Vec3(s.x, 0.0, 0.0), 0


@kernel
def box_vertex(s, k):
    """Corner k of a box of half edges s."""
    return Vec3(-s.x if k & 1 else s.x, -s.y if k & 2 else s.y, -s.z if k & 4 else s.z)


@kernel
def core_vertex(scene: Scene, core, k):
    """The point that `core_support` gave the number k, of a core that has vertices."""
    if core.kind == HULL:
        return scene.vertices(core)[k]
    return box_vertex(core.size, k)


@kernel
def faces_of(scene: Scene, core):
    """Faces of a hull that is not one triangle."""
    return HullFaces(scene.sizes, core.faces)


@kernel
def has_vertices(core):
    """Whether the core is a polytope."""
    return core.kind == HULL or core.kind == BOX


@kernel
def is_round(core):
    """Whether the core is an ellipsoid: one point of contact, whatever it touches."""
    return core.kind == ELLIPSOID


@kernel
def support_of_b(scene: Scene, d):
    """Point of B farthest along d, in the frame of A, and its number."""
    pair = scene.pair
    local, k = core_support(scene, B, pair.R.transposed_times(d))
    return (pair.R @ local) + pair.p, k


@subroutine
def support(scene: Scene, d):
    """Support of A - B along d."""
    a, of_a = core_support(scene, A, d)
    b, of_b = support_of_b(scene, -d)
    return Support(a - b, a, of_a, of_b)


@kernel
def separation(scene: Scene, n):
    """Width of the slab with unit normal n, from A to B, between the cores.

    For every n it is at most the signed distance, which is the largest of them all.
    """
    return -support(scene, n).w.dot(n)
