"""Triangles that stand still, as collision uses them: records, neighbours, a tree of bounds.

Every triangle has a record of `TRIANGLE` floats (corners 9, normal 3) and three integers, what lies
across its edges: 4 k + sort for triangle k, -1 for nothing. The sort of an edge says whether
something can catch on it: only where the surface is convex, or ends.

A mesh has a tree of boxes over its triangles, in the order in which it is walked: a box that is
missed says where to go on, so the walk needs no stack. A height field has its cells instead, two
triangles each.

The arrays are
* numbers: the triangles, then for a mesh bounds of the nodes (low 3, high 3);
* integers: the edges; then for a mesh nodes (next node if missed, first triangle, how many).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

TRIANGLE = 12
NODE_BOUNDS = 6
NODE = 3
LEAF = 4
"""Triangles of a leaf, at most."""

CONVEX, FLAT, CONCAVE = range(3)
"""Sorts of edges."""

FLAT_ANGLE = 1e-4
"""Angle up to which two triangles lie in one plane [rad]; a ridge as blunt catches nothing."""


@dataclass(frozen=True)
class Triangles:
    """Triangles with what lies across their edges; nodes of a tree, or none for a height field."""

    records: Floats
    edges: Integers
    bounds: Floats
    nodes: Integers

    @property
    def numbers(self) -> Floats:
        """As kernels read them."""
        return np.concatenate([self.records.ravel(), self.bounds.ravel()])

    @property
    def integers(self) -> Integers:
        """As kernels read them."""
        return np.concatenate([self.edges.ravel(), self.nodes.ravel()])


def build_mesh(vertices: npt.ArrayLike, faces: npt.ArrayLike) -> Triangles:
    """Records and tree of a mesh; triangles without area are left out."""
    points = np.asarray(vertices, dtype=float)
    corners = np.asarray(faces, dtype=np.int64)
    area = np.linalg.norm(_across(points[corners]), axis=1)
    size = float(np.ptp(points, axis=0).max(initial=0.0))
    corners = corners[area > 1e-14 * size * size]
    if not len(corners):
        raise ModelError("the mesh has no triangle with an area. Give corners that span one.")
    low, high = points[corners].min(axis=1), points[corners].max(axis=1)
    order, bounds, nodes = _tree(low, high)
    records, edges = triangle_records(points, corners[order])
    return Triangles(records, edges, bounds, nodes)


def triangle_records(points: Floats, corners: Integers) -> tuple[Floats, Integers]:
    """Records of triangles, and what lies across their edges."""
    places = points[corners]
    normals = _across(places)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    records = np.concatenate([places.reshape(-1, 9), normals], axis=1)
    return records, _edges(points, corners, places, normals)


def _across(places: Floats) -> Floats:
    """Twice the area of triangles, along their normals."""
    found: Floats = np.cross(places[:, 1] - places[:, 0], places[:, 2] - places[:, 0])
    return found


def _edges(points: Floats, corners: Integers, places: Floats, normals: Floats) -> Integers:
    """Triangle k across every edge (corner e to e + 1), as 4 k + sort, or -1."""
    # corners at the same place are one, however the file numbers them
    size = float(np.abs(points).max(initial=0.0)) or 1.0
    same = np.unique(np.round(points / (1e-9 * size)), axis=0, return_inverse=True)[1].ravel()
    merged = same[corners]
    count = len(corners)
    begin, end = merged.ravel(), np.roll(merged, -1, axis=1).ravel()
    most = int(same.max(initial=0)) + 1
    codes, back = begin * most + end, end * most + begin
    order = np.argsort(codes, kind="stable")
    at = np.clip(np.searchsorted(codes, back, sorter=order), 0, len(codes) - 1)
    partner = order[at]
    found = codes[partner] == back
    other = partner // 3
    # the corner across an edge lies above the plane, in it, or below
    mine = np.repeat(np.arange(count), 3)
    tip = places[other, (partner % 3 + 2) % 3]
    arm = tip - places.reshape(-1, 3)
    height = np.einsum("ij,ij->i", arm, normals[mine])
    bend = np.linalg.norm(np.cross(normals[mine], normals[other]), axis=1)
    sort = np.where(height > 0.0, CONCAVE, CONVEX)
    same_way = np.einsum("ij,ij->i", normals[mine], normals[other]) > 0.0
    sort = np.where((bend < FLAT_ANGLE) & same_way, FLAT, sort)
    return np.where(found, 4 * other + sort, -1).reshape(count, 3).astype(np.int64)


def _tree(low: Floats, high: Floats) -> tuple[Integers, Floats, Integers]:
    """Order of the triangles, bounds of the nodes, nodes: halved along the longest edge."""
    middle = 0.5 * (low + high)
    order: list[int] = []
    bounds: list[Floats] = []
    nodes: list[list[int]] = []
    # depth first; a node is closed when everything below it has been written
    waiting: list[tuple[Integers, int]] = [(np.arange(len(low)), -1)]
    while waiting:
        part, closes = waiting.pop()
        if closes >= 0:
            nodes[closes][0] = len(nodes)
            continue
        here = len(nodes)
        bounds.append(np.concatenate([low[part].min(axis=0), high[part].max(axis=0)]))
        if len(part) <= LEAF:
            nodes.append([here + 1, len(order), len(part)])
            order += part.tolist()
            continue
        nodes.append([0, 0, 0])
        axis = int(np.argmax(np.ptp(middle[part], axis=0)))
        half = len(part) // 2
        split = part[np.argsort(middle[part, axis], kind="stable")]
        waiting += [(part, here), (split[half:], -1), (split[:half], -1)]
    return np.array(order), np.array(bounds), np.array(nodes, dtype=np.int64)


def build_height_field(x: npt.ArrayLike, y: npt.ArrayLike, heights: npt.ArrayLike) -> Triangles:
    """Triangles of a grid: two of each cell, those of cell (i, j) at 2 (i (ny - 1) + j).

    x (nx), y (ny): even spacing; heights (nx, ny).
    """
    points, corners = grid_triangles(x, y, heights)
    records, edges = triangle_records(points, corners)
    return Triangles(records, edges, np.zeros((0, NODE_BOUNDS)), np.zeros((0, NODE), np.int64))


def grid_triangles(
    x: npt.ArrayLike, y: npt.ArrayLike, heights: npt.ArrayLike
) -> tuple[Floats, Integers]:
    """Points of a grid, and two triangles of each cell that look up."""
    h = np.asarray(heights, dtype=float)
    nx, ny = h.shape
    X, Y = np.meshgrid(np.asarray(x, dtype=float), np.asarray(y, dtype=float), indexing="ij")
    points = np.column_stack([X.ravel(), Y.ravel(), h.ravel()])
    i, j = np.meshgrid(np.arange(nx - 1), np.arange(ny - 1), indexing="ij")
    a = (i * ny + j).ravel()
    lower = np.column_stack([a, a + ny, a + ny + 1])
    upper = np.column_stack([a, a + ny + 1, a + 1])
    return points, np.stack([lower, upper], axis=1).reshape(-1, 3)
