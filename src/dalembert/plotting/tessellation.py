"""Shapes as small flat faces, so that sorting them by depth draws them right."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.scene import Shape
from dalembert.scene.solids import matrix

Array = NDArray[np.float64]

SIDES = 14
"""Faces round a cylinder."""


def faces(shape: Shape, largest: float) -> Array:
    """Corners (m, 4, 3) in the frame of the body, counter-clockwise seen from outside.

    `largest` is about how long an edge may be. A triangle has its last corner twice.
    """
    if shape.kind == "polyline":
        return np.zeros((0, 4, 3))
    local = _MAKERS[shape.kind](shape, largest)
    return np.asarray(local @ matrix(shape.rotation).T + np.array(shape.position))


def polyline(shape: Shape) -> Array:
    """Points of a polyline in the frame of the body."""
    line = np.asarray(shape.vertices, dtype=float)
    return np.asarray(line @ matrix(shape.rotation).T + np.array(shape.position))


def tube(a: Array, b: Array, radius: float, largest: float, sides: int = 10) -> Array:
    """Faces of a cylinder between two points, open at its ends."""
    d = b - a
    length = float(np.linalg.norm(d))
    if not length > 0.0:
        return np.zeros((0, 4, 3))
    z = d / length
    x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    x /= np.linalg.norm(x)
    side = _side(radius, length, largest, sides)
    return np.asarray(side @ np.stack([x, np.cross(z, x), z]) + (a + b) / 2)


def ball(radius: float, round_: int = 12, high: int = 7) -> Array:
    """Faces of a sphere about the origin."""
    azimuth = np.linspace(0.0, 2.0 * np.pi, round_ + 1)
    height = np.linspace(-np.pi / 2, np.pi / 2, high + 1)
    return _patch(
        lambda u, v: (
            radius * np.stack([np.cos(v) * np.cos(u), np.cos(v) * np.sin(u), np.sin(v)], -1)
        ),
        azimuth,
        height,
    )


def _box(shape: Shape, largest: float) -> Array:
    half = np.array(shape.size) / 2
    found = []
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        a = np.linspace(-half[i], half[i], _count(2 * half[i], largest) + 1)
        b = np.linspace(-half[j], half[j], _count(2 * half[j], largest) + 1)
        for sign in (-1.0, 1.0):

            def place(u: Array, v: Array, sign: float = sign, k: int = k) -> Array:
                made = np.empty((*u.shape, 3))
                made[..., k] = sign * half[k]
                made[..., (k + 1) % 3], made[..., (k + 2) % 3] = u, v
                return made

            cells = _patch(place, a, b)
            found.append(cells if sign > 0.0 else cells[:, ::-1])
    return np.concatenate(found)


def _sphere(shape: Shape, largest: float) -> Array:
    return ball(shape.size[0], 16, 9)


def _ellipsoid(shape: Shape, largest: float) -> Array:
    return np.asarray(ball(1.0, 18, 11) * np.array(shape.size))


def _cylinder(shape: Shape, largest: float) -> Array:
    radius, length = shape.size
    sides = SIDES if radius < largest else 2 * SIDES
    caps = [_disc(radius, sides, sign * length / 2, sign) for sign in (-1.0, 1.0)]
    return np.concatenate([_side(radius, length, largest, sides), *caps])


def _capsule(shape: Shape, largest: float) -> Array:
    radius, length = shape.size
    end = ball(radius, SIDES, 6)
    upper = end[end.mean(axis=1)[:, 2] > 0.0] + np.array([0.0, 0.0, length / 2])
    lower = end[end.mean(axis=1)[:, 2] < 0.0] - np.array([0.0, 0.0, length / 2])
    return np.concatenate([_side(radius, length, largest, SIDES), upper, lower])


def _cone(shape: Shape, largest: float) -> Array:
    radius, length = shape.size
    angle = np.linspace(0.0, 2.0 * np.pi, SIDES + 1)
    share = np.linspace(0.0, 1.0, 4)

    def place(u: Array, v: Array) -> Array:
        r = radius * (1.0 - v)
        return np.stack([r * np.cos(u), r * np.sin(u), length * (v - 0.5)], -1)

    return np.concatenate([_patch(place, angle, share), _disc(radius, SIDES, -length / 2, -1.0)])


def _plane(shape: Shape, largest: float) -> Array:
    x, y = shape.size
    a = np.linspace(-x / 2, x / 2, _count(x, largest) + 1)
    b = np.linspace(-y / 2, y / 2, _count(y, largest) + 1)
    up = _patch(lambda u, v: np.stack([u, v, np.zeros_like(u)], -1), a, b)
    return np.concatenate([up, up[:, ::-1]])  # seen from both sides


def _mesh(shape: Shape, largest: float) -> Array:
    assert shape.vertices is not None
    assert shape.faces is not None
    corners = np.asarray(shape.vertices, dtype=float)[np.asarray(shape.faces)]
    for _ in range(4):
        edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
        long = edges > 2.0 * largest
        if not long.any() or len(corners) > 4000:
            break
        a, b, c = corners[long].transpose(1, 0, 2)
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        parts = [np.stack(t, 1) for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
        corners = np.concatenate([corners[~long], *parts])
    return np.concatenate([corners, corners[:, 2:]], axis=1)


_MAKERS: dict[str, Any] = {
    "box": _box,
    "sphere": _sphere,
    "ellipsoid": _ellipsoid,
    "cylinder": _cylinder,
    "capsule": _capsule,
    "cone": _cone,
    "plane": _plane,
    "mesh": _mesh,
}


def _count(length: float, largest: float) -> int:
    return int(np.clip(np.ceil(length / largest), 1, 12))


def _side(radius: float, length: float, largest: float, sides: int) -> Array:
    angle = np.linspace(0.0, 2.0 * np.pi, sides + 1)
    height = np.linspace(-length / 2, length / 2, _count(length, largest) + 1)
    return _patch(
        lambda u, v: np.stack([radius * np.cos(u), radius * np.sin(u), v], -1), angle, height
    )


def _disc(radius: float, sides: int, height: float, sign: float) -> Array:
    angle = np.linspace(0.0, 2.0 * np.pi, sides + 1)
    share = np.linspace(0.0, 1.0, 3)
    cells = _patch(
        lambda u, v: np.stack(
            [v * radius * np.cos(u), v * radius * np.sin(u), np.full_like(u, height)], -1
        ),
        angle,
        share,
    )
    return cells if sign < 0.0 else cells[:, ::-1]


def _patch(place: Any, a: Array, b: Array) -> Array:
    """Cells of a surface place(u, v) over a grid."""
    u, v = np.meshgrid(a, b, indexing="ij")
    grid = place(u, v)
    cells = np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]], axis=2)
    return np.asarray(cells.reshape(-1, 4, 3))
