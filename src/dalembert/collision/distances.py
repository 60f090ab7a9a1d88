"""Signed distance of any two shapes, with nearest points: what `dl.distance` asks for.

Contacts look up to a margin; here there is none. Convex shapes are asked by `nearest`, a plane by
the support along its normal, meshes and height fields triangle by triangle, those first whose
bounds are near.
"""

import math

from dalembert._jit import kernel
from dalembert.collision.field import field_distance
from dalembert.collision.layout import HEIGHT_FIELD, HULL, MESH, PLANE, SIGNED_DISTANCE, Scene
from dalembert.collision.nearest import nearest
from dalembert.collision.support import prepare, support_of_b
from dalembert.collision.triangles import begin_triangle, begin_triangles, bounds_in
from dalembert.numerics.vector import Vec3, put_vec3

FOUND, UNKNOWN = range(2)
"""The distance was found; this pair of kinds has none."""


@kernel
def _plane_convex(scene: Scene, a, b):
    """Plane and convex shape: gap, normal, point midway, in the frame of the plane."""
    prepare(scene, a, b)
    low = support_of_b(scene, Vec3(0.0, 0.0, -1.0))[0]
    gap = low.z - scene.core_b.radius
    return gap, Vec3(0.0, 0.0, 1.0), Vec3(low.x, low.y, 0.5 * gap)


@kernel
def _box_gap(node, middle, half):
    """Distance of the box of a node from the box about a shape."""
    below, above = node.low - middle - half, middle - half - node.high
    x, y, z = max(below.x, above.x, 0.0), max(below.y, above.y, 0.0), max(below.z, above.z, 0.0)
    return math.sqrt(x * x + y * y + z * z)


@kernel
def _nearer(scene: Scene, first, k, gap, n, point):
    """Gap, normal and point of the shape and triangle k, where it is nearer than so far."""
    begin_triangle(scene, first, k)
    is_near, g, m, x = nearest(scene, gap)
    if is_near and g < gap:
        return g, m, x
    return gap, n, point


@kernel
def _convex_triangles(scene: Scene, a, b):
    """Convex shape and triangles: gap, normal, point midway, in the frame of the shape."""
    begin_triangles(scene, a, b)
    middle, half = bounds_in(scene, a, b, 0.0)
    surface = scene.shape(b)
    gap, n, point = math.inf, Vec3(0.0, 0.0, 1.0), Vec3.zero()
    if surface.kind == MESH:
        total, i = scene.mesh_node(surface, 0).beyond, 0
        while i < total:
            node = scene.mesh_node(surface, i)
            if _box_gap(node, middle, half) > max(gap, 0.0):
                i = node.beyond
                continue
            for k in range(node.first, node.first + node.count):
                gap, n, point = _nearer(scene, surface.first, k, gap, n, point)
            i += 1
    else:
        for k in range(surface.count):
            gap, n, point = _nearer(scene, surface.first, k, gap, n, point)
    return gap, n, point


@kernel
def distance_of(scene: Scene, a, b, out):
    """Signed distance of two placed shapes, kind(a) <= kind(b); a status.

    out: distance, normal from a to b (3), nearest points of a and of b (3 each), in the world.
    """
    first, second = scene.shape(a).kind, scene.shape(b).kind
    gap, n, point = 0.0, Vec3(0.0, 0.0, 1.0), Vec3.zero()
    if first == PLANE:
        if second == PLANE or second > HULL:
            return UNKNOWN
        gap, n, point = _plane_convex(scene, a, b)
    elif second <= HULL:
        prepare(scene, a, b)
        _near, gap, n, point = nearest(scene, math.inf)
    elif first <= HULL and (second == MESH or second == HEIGHT_FIELD):
        gap, n, point = _convex_triangles(scene, a, b)
    elif first <= HULL and second == SIGNED_DISTANCE:
        gap, n, point = field_distance(scene, a, b)
    else:
        return UNKNOWN
    shape = scene.shape(a)
    n, point = shape.R @ n, (shape.R @ point) + shape.x
    out[0] = gap
    put_vec3(out, 1, n)
    put_vec3(out, 4, -0.5 * gap * n + point)
    put_vec3(out, 7, 0.5 * gap * n + point)
    return FOUND
