"""Features of convex cores: the face, edge or point that looks along a direction.

A feature is a list of points in the frame of A, counter-clockwise about the normal of the face.
Codes are the numbers of `core_support`, so that a contact has the same key as long as the same
corner touches.
"""

import math

import numpy as np

from dalembert._jit import kernel, subroutine
from dalembert.collision.layout import BOX, CYLINDER, HULL, Scene
from dalembert.collision.support import core_support, core_vertex, faces_of
from dalembert.numerics.vector import Vec3

CAP_CORNERS = 8
"""Corners of the polygon that stands for the cap of a cylinder."""

_TURNS = 2.0 * math.pi * np.arange(CAP_CORNERS) / CAP_CORNERS
CAP = np.ascontiguousarray(np.round(np.column_stack([np.cos(_TURNS), np.sin(_TURNS)]), 16))

UPRIGHT = 0.7
"""Cosine between direction and axis of a cylinder above which it touches with a cap."""


@kernel
def _put(feature, k, R, p, x, code):
    """Write a point given in the frame of its core."""
    point = feature[k]
    point.x, point.code = (R @ x) + p, float(code)


@kernel
def _segment_feature(core, R, p, d, feature):
    """Ends of a segment, which is a box with one edge; of a point itself."""
    s = core.size
    along = Vec3(0.0, 0.0, s.z) if s.z > 0.0 else (Vec3(0.0, s.y, 0.0) if s.y > 0.0 else s)
    last = 2 if s.z > 0.0 else (1 if s.y > 0.0 else 0)
    ee = along.dot(along)
    if not along.largest > 0.0:
        _put(feature, 0, R, p, s, 0)
        return 1, d, 0
    _put(feature, 0, R, p, -along, 1 << last)
    _put(feature, 1, R, p, along, 0)
    side = d - (d.dot(along) / ee) * along
    length = math.sqrt(side.dot(side))
    return 2, ((1.0 / length) * side if length > 0.0 else d), 0


@kernel
def _box_feature(scene: Scene, core, R, p, d, feature):
    """Face of a box; of a segment its ends, of a point itself."""
    s = core.size
    zeros = (1 if s.x == 0.0 else 0) + (1 if s.y == 0.0 else 0) + (1 if s.z == 0.0 else 0)
    if zeros > 1:
        return _segment_feature(core, R, p, d, feature)
    x, y, z = abs(d.x), abs(d.y), abs(d.z)
    axis = 1 if y > x else 0
    if z > max(x, y):
        axis = 2
    i, j, front = (axis + 1) % 3, (axis + 2) % 3, d.entry(axis) >= 0.0
    bits = 0 if front else 1 << axis
    for q in range(4):
        # counter-clockwise about the axis; the other way round about its opposite
        k = q if front else 3 - q
        code = bits + ((1 << i) if k == 1 or k == 2 else 0) + ((1 << j) if k > 1 else 0)
        _put(feature, q, R, p, core_vertex(scene, core, code), code)
    return 4, Vec3.along(axis, 1.0 if front else -1.0), 2 * axis + (0 if front else 1)


@kernel
def _cylinder_feature(core, R, p, d, feature):
    """Cap of a cylinder, or the line of its side."""
    r, half, up = core.size.x, core.size.y, d.z > 0.0
    if abs(d.z) > UPRIGHT:
        sign, face = (1.0 if up else -1.0), (0 if up else 1)
        for q in range(CAP_CORNERS):
            k = q if up else CAP_CORNERS - 1 - q
            corner = Vec3(r * CAP[k, 0], r * CAP[k, 1], sign * half)
            _put(feature, q, R, p, corner, k + CAP_CORNERS * face)
        return CAP_CORNERS, Vec3(0.0, 0.0, sign), face
    rho = math.sqrt(d.x * d.x + d.y * d.y)
    x, y = d.x / rho, d.y / rho
    _put(feature, 0, R, p, Vec3(r * x, r * y, -half), 2 * CAP_CORNERS)
    _put(feature, 1, R, p, Vec3(r * x, r * y, half), 2 * CAP_CORNERS + 1)
    return 2, Vec3(x, y, 0.0), 2


@kernel
def _triangle_feature(scene: Scene, core, R, p, d, feature):
    """The triangle, from the side it is seen."""
    triangle = scene.triangle(core.first, 0)
    a = triangle.a
    n = (triangle.b - a) % (triangle.c - a)
    length = math.sqrt(n.dot(n))
    n = (1.0 / length) * n if length > 0.0 else d
    front = n.dot(d) >= 0.0
    for q in range(3):
        k = q if front else 2 - q
        _put(feature, q, R, p, triangle.corner(k), k)
    return 3, (n if front else -n), 0 if front else 1


@kernel
def _hull_feature(scene: Scene, core, R, p, d, feature):
    """Face of a hull, or the triangle."""
    if core.faces < 0:
        return _triangle_feature(scene, core, R, p, d, feature)
    faces, vertices = faces_of(scene, core), scene.vertices(core)
    if len(faces) == 0:
        for k in range(core.count):
            _put(feature, k, R, p, vertices[k], k)
        return core.count, d, 0
    best, most = 0, -math.inf
    for f in range(len(faces)):
        height = d.dot(scene.hull_plane(core, f).n)
        if height > most:
            best, most = f, height
    count = faces[best + 1] - faces[best]
    for q in range(count):
        k = faces.corner(faces[best] + q)
        _put(feature, q, R, p, vertices[k], k)
    return count, scene.hull_plane(core, best).n, best


@subroutine
def feature_of(scene: Scene, which, R, p, direction, feature):
    """Write the feature of core A or B that looks along a direction.

    R, p: pose of the core in the frame of the direction. Returns how many points it has, the
    normal of the feature, and its number.
    """
    core, d = scene.core(which), R.transposed_times(direction)
    if core.kind == BOX:
        count, n, face = _box_feature(scene, core, R, p, d, feature)
    elif core.kind == CYLINDER:
        count, n, face = _cylinder_feature(core, R, p, d, feature)
    elif core.kind == HULL:
        count, n, face = _hull_feature(scene, core, R, p, d, feature)
    else:
        x, code = core_support(scene, which, d)
        _put(feature, 0, R, p, x, code)
        count, n, face = 1, d, 0
    return count, R @ n, face
