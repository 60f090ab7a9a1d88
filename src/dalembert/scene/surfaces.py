"""Triangles of shapes that are given by points, heights or a formula, for drawing."""

from __future__ import annotations

import functools
import itertools
import weakref
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.collision.hull import build_hull
from dalembert.collision.mesh import grid_triangles
from dalembert.formulas import evaluate
from dalembert.model.shapes.solid import Solid
from dalembert.model.shapes.surfaces import PLACE, ConvexHull, HeightField, SignedDistance

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

CELLS = 32
"""Cells of a signed distance, along the longest edge of its box."""

_drawn: weakref.WeakKeyDictionary[Solid, tuple[Floats, Integers]] = weakref.WeakKeyDictionary()


def surface_triangles(shape: Any) -> tuple[Floats, Integers]:
    """Vertices and faces of a shape; made once."""
    if shape not in _drawn:
        _drawn[shape] = _triangles(shape)
    return _drawn[shape]


@functools.singledispatch
def _triangles(shape: Any) -> tuple[Floats, Integers]:
    raise TypeError(f"{type(shape).__name__} has no triangles")


@_triangles.register
def _(shape: ConvexHull) -> tuple[Floats, Integers]:
    hull = build_hull(shape.points)
    return hull.vertices, hull.triangles


@_triangles.register
def _(shape: HeightField) -> tuple[Floats, Integers]:
    return grid_triangles(*shape.grid, shape.heights)


@_triangles.register
def _(shape: SignedDistance) -> tuple[Floats, Integers]:
    """The surface f = 0 in every tetrahedron of a grid (marching tetrahedra)."""
    half = 0.5 * np.array([float(edge) for edge in shape.size])
    counts = np.maximum(2, np.ceil(CELLS * half / half.max()).astype(int))
    axes = [np.linspace(-h, h, n + 1) for h, n in zip(half, counts, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    places = dict(zip(PLACE.values(), grid.reshape(-1, 3).T, strict=True))
    with np.errstate(all="ignore"):
        value = evaluate([shape.formula], places)[0]
    f = np.broadcast_to(np.asarray(value, dtype=float), len(grid.reshape(-1, 3)))
    points = grid.reshape(-1, 3)
    numbers = np.arange(len(points)).reshape(grid.shape[:3])
    cells = _tetrahedra(numbers)
    found = [_cut(points, f, cells, inside) for inside in range(1, 15)]
    corners = np.concatenate([part.reshape(-1, 3) for part in found])
    vertices, faces = np.unique(np.round(corners, 12), axis=0, return_inverse=True)
    return vertices, faces.reshape(-1, 3).astype(np.int64)


def _tetrahedra(numbers: npt.NDArray[np.int64]) -> Integers:
    """Six tetrahedra of each cell of a grid, about its diagonal, all turning the same way."""
    found = []
    for order in itertools.permutations(range(3)):
        steps = np.zeros((4, 3), dtype=int)
        for k, axis in enumerate(order):
            steps[k + 1] = steps[k]
            steps[k + 1, axis] += 1
        nx, ny, nz = (n - 1 for n in numbers.shape)
        corners = [numbers[i : i + nx, j : j + ny, k : k + nz].ravel() for i, j, k in steps]
        if np.linalg.det(steps[1:] - steps[0]) < 0.0:
            corners[1], corners[2] = corners[2], corners[1]
        found.append(np.stack(corners, axis=1))
    return np.concatenate(found)


def _cut(points: Floats, f: Floats, cells: Integers, inside: int) -> Floats:
    """Triangles (n, 3, 3) of the tetrahedra whose corners inside are the bits of a number."""
    corners = [k for k in range(4) if inside >> k & 1]
    others = [k for k in range(4) if k not in corners]
    bits = ((f[cells] < 0.0) * (1 << np.arange(4))).sum(axis=1)
    part = cells[bits == inside]

    def on(a: int, b: int) -> Floats:
        fa, fb = f[part[:, a]], f[part[:, b]]
        share = (fa / (fa - fb))[:, None]
        crossing: Floats = points[part[:, a]] + share * (points[part[:, b]] - points[part[:, a]])
        return crossing

    if len(corners) == 2:
        a, b, c, d = *corners, *others
        ring = [on(a, c), on(a, d), on(b, d), on(b, c)]
        fans = [np.stack([ring[0], ring[1], ring[2]], 1), np.stack([ring[0], ring[2], ring[3]], 1)]
    else:
        tip, base = (corners[0], others) if len(corners) == 1 else (others[0], corners)
        fans = [np.stack([on(tip, k) for k in base], 1)]
    found: Floats = np.concatenate(fans) if len(part) else np.zeros((0, 3, 3))
    # outwards: away from the corners inside
    middle = points[part[:, corners]].mean(axis=1)
    middle = np.concatenate([middle] * len(fans)) if len(part) else np.zeros((0, 3))
    normal = np.cross(found[:, 1] - found[:, 0], found[:, 2] - found[:, 0])
    wrong = np.einsum("ij,ij->i", normal, found.mean(axis=1) - middle) < 0.0
    found[wrong] = found[wrong][:, ::-1]
    return found
