"""Shapes made for a purpose: bars, plates, rings, axes; and how far a shape reaches."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.model.basics.rotation import axis_frame, quaternion_of_matrix
from dalembert.model.start.states import rotations
from dalembert.scene.description import (
    UNTURNED,
    Array,
    Quaternion,
    Shape,
    quaternion,
    vector,
)

ROUND = 48
"""Corners of a circle drawn as a line."""


def turned_to(direction: Any) -> Quaternion:
    """Rotation that takes z to a direction."""
    d = np.asarray(direction, dtype=float)
    length = float(np.linalg.norm(d))
    if not np.isfinite(length) or length == 0.0:
        return UNTURNED
    return quaternion(quaternion_of_matrix(axis_frame(d / length).matrix))


def matrix(turn: Quaternion) -> Array:
    """R of a quaternion."""
    return rotations(np.array(turn))


def bar(a: Any, b: Any, radius: float, **looks: Any) -> Shape:
    """A bar with round ends between two points."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    length = float(np.linalg.norm(b - a))
    if length < 1e-12:
        return Shape("sphere", (radius,), vector(a), **looks)
    return Shape("capsule", (radius, length), vector((a + b) / 2), turned_to(b - a), **looks)


def plate(corners: Array, normal: Array, thickness: float, margin: float) -> Shape:
    """A plate of the outline of points in a plane, wider by a margin."""
    centre = corners.mean(axis=0)
    R = axis_frame(normal / np.linalg.norm(normal)).matrix
    flat = (corners - centre) @ R
    # every corner becomes a small circle, so that joints sit in material
    angles = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    circle = margin * np.column_stack([np.cos(angles), np.sin(angles)])
    outline = _hull((flat[:, None, :2] + circle).reshape(-1, 2))
    n = len(outline)
    low = np.column_stack([outline, np.full(n, -thickness / 2)])
    high = np.column_stack([outline, np.full(n, thickness / 2)])
    vertices = np.concatenate([low, high]) @ R.T + centre
    faces = [(0, i + 1, i) for i in range(1, n - 1)]
    faces += [(n, n + i, n + i + 1) for i in range(1, n - 1)]
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, j, n + j), (i, n + j, n + i)]
    return Shape("mesh", vertices=vertices, faces=np.array(faces, dtype=np.int64))


def ring(
    radius: float, width: float, position: Any, turn: Quaternion, span: float = 1.0, **looks: Any
) -> Shape:
    """A circle about z, or the part `span` of it."""
    angles = np.linspace(0.0, 2.0 * np.pi * span, max(3, round(ROUND * span)) + 1)
    line = radius * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))])
    return Shape("polyline", (width,), vector(position), turn, vertices=line, **looks)


def spiral(inner: float, outer: float, turns: float, width: float, **looks: Any) -> Shape:
    """A flat spiral about z: the sign of a torsion spring."""
    share = np.linspace(0.0, 1.0, round(ROUND * turns) + 1)
    angle, radius = 2.0 * np.pi * turns * share, inner + (outer - inner) * share
    line = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(len(share))])
    return Shape("polyline", (width,), vertices=line, **looks)


def corners(shape: Shape) -> Array:
    """Points, in the frame of the body, whose hull holds the shape (closely enough to frame it)."""
    if shape.vertices is not None:
        local = np.asarray(shape.vertices, dtype=float)
        if len(local) > 64:
            low, high = local.min(axis=0), local.max(axis=0)
            local = _box((high - low) / 2) + (low + high) / 2
    else:
        local = _box(half_extents(shape))
    return np.asarray(local @ matrix(shape.rotation).T + np.array(shape.position))


def half_extents(shape: Shape) -> Array:
    """Half lengths of the box about a shape that is no mesh, along its own axes."""
    size = shape.size
    if shape.kind == "box":
        return np.array(size) / 2
    if shape.kind == "sphere":
        return np.full(3, size[0])
    if shape.kind in ("cylinder", "cone"):
        return np.array([size[0], size[0], size[1] / 2])
    if shape.kind == "capsule":
        return np.array([size[0], size[0], size[1] / 2 + size[0]])
    if shape.kind == "plane":
        return np.array([size[0] / 2, size[1] / 2, 0.0])
    return np.array(size)


def _box(half: Array) -> Array:
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    return signs * half


def _hull(points: Array) -> Array:
    """Convex hull of points in a plane, counter-clockwise (Andrew's monotone chain)."""
    order = [tuple(point) for point in np.unique(points, axis=0)]

    def chain(sequence: Any) -> list[Any]:
        found: list[Any] = []
        for p in sequence:
            while len(found) > 1:
                (ax, ay), (bx, by) = found[-2], found[-1]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0.0:
                    break
                found.pop()
            found.append(p)
        return found[:-1]

    return np.array(chain(order) + chain(reversed(order)))
