"""Convex hulls as collision uses them: vertices, faces, and which vertices are neighbours.

Built once, by SciPy's Quickhull; triangles in one plane become one face. Points that lie in a
plane, on a line or in one place give a flat hull, which touches like any other.

The arrays of a hull are
* numbers: vertices (3 each), then planes of the faces (normal 3, offset);
* integers: number of faces F, start of the links, F + 1 starts of faces, their vertices, and the
  links: V + 1 starts and the neighbours of each vertex. Starts count from the beginning of the
  faces, of the links those from the beginning of the links.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dalembert.collision.layout import MOST_CORNERS

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

FLAT = 1e-10
"""Relative thickness below which points lie in a plane, on a line, or in one place."""

COPLANAR = 1e-7
"""Angle between the normals of triangles that are one face."""


@dataclass(frozen=True)
class Hull:
    """A convex hull; `dimension` is 3, 2 (in a plane), 1 (on a line) or 0."""

    vertices: Floats
    planes: Floats
    faces: tuple[tuple[int, ...], ...]
    neighbours: tuple[tuple[int, ...], ...]
    dimension: int

    @property
    def numbers(self) -> Floats:
        """Vertices and planes, as kernels read them."""
        return np.concatenate([self.vertices.ravel(), self.planes.ravel()])

    @property
    def integers(self) -> Integers:
        """Faces and links, as kernels read them."""
        starts = 3 + len(self.faces) + np.cumsum([0, *map(len, self.faces)])
        corners = [k for face in self.faces for k in face]
        begin = 3 + len(self.faces) + len(corners)
        first = 1 + len(self.vertices) + np.cumsum([0, *map(len, self.neighbours)])
        links = [k for near in self.neighbours for k in near]
        # the starts of faces stand behind two entries of the head
        parts = [[len(self.faces), begin], starts, corners, first, links]
        return np.concatenate([np.asarray(part, dtype=np.int64) for part in parts])

    @property
    def triangles(self) -> Integers:
        """The faces cut into triangles, for drawing."""
        fans = [(f[0], f[k], f[k + 1]) for f in self.faces for k in range(1, len(f) - 1)]
        return np.array(fans, dtype=np.int64).reshape(-1, 3)


def build_hull(points: npt.ArrayLike) -> Hull:
    """The convex hull of points (n, 3)."""
    given = np.unique(np.asarray(points, dtype=float).reshape(-1, 3), axis=0)
    middle = 0.5 * (given.min(axis=0) + given.max(axis=0))
    spread = given - middle
    size = float(np.abs(spread).max(initial=0.0))
    if size == 0.0:
        return Hull(given[:1], np.zeros((0, 4)), (), ((),), 0)
    _, widths, axes = np.linalg.svd(spread, full_matrices=False)
    least = FLAT * size * np.sqrt(len(given))
    if len(given) == 2 or widths[1] <= least:
        ends = [int(np.argmin(spread @ axes[0])), int(np.argmax(spread @ axes[0]))]
        return Hull(given[ends], np.zeros((0, 4)), (), ((1,), (0,)), 1)
    if len(given) == 3 or widths[2] <= least:
        return _flat_hull(given, spread @ axes[:2].T, np.cross(axes[0], axes[1]))
    return _solid_hull(given)


def _flat_hull(points: Floats, flat: Floats, normal: Floats) -> Hull:
    """A polygon, which looks both ways."""
    from scipy.spatial import ConvexHull

    ring = ConvexHull(flat).vertices  # counter-clockwise
    corners, count = points[ring], len(ring)
    loop = tuple(range(count))
    offset = float(np.mean(corners @ normal))
    planes = np.array([[*normal, offset], [*-normal, -offset]])
    near = tuple(((k - 1) % count, (k + 1) % count) for k in loop)
    return Hull(corners, planes, (_thinned(loop), _thinned(loop[::-1])), near, 2)


def _solid_hull(points: Floats) -> Hull:
    from scipy.spatial import ConvexHull

    found = ConvexHull(points)
    vertices = points[found.vertices]
    order = np.zeros(len(points), dtype=np.int64)
    order[found.vertices] = np.arange(len(vertices))
    triangles = np.sort(order[found.simplices], axis=1)
    normals = found.equations[:, :3]
    lone = _alone(normals, found.neighbors)
    rings = _rings(vertices, triangles, normals)
    faces, planes = [], []
    for group in _groups(normals, found.neighbors, lone):
        normal = normals[group].sum(axis=0)
        normal /= np.linalg.norm(normal)
        if len(group) == 1:
            ring = rings[group[0]]
        else:
            ring = _around(vertices, sorted({int(k) for k in triangles[group].flat}), normal)
        faces.append(_thinned(tuple(ring)))
        planes.append([*normal, float(np.max(vertices[ring] @ normal))])
    return Hull(vertices, np.array(planes), tuple(faces), _links(len(vertices), triangles), 3)


def _links(count: int, triangles: Integers) -> tuple[tuple[int, ...], ...]:
    """Neighbours of every vertex along the edges of the triangles, sorted."""
    edges = np.concatenate([triangles[:, list(pair)] for pair in ((0, 1), (1, 2), (2, 0))])
    both = np.unique(np.concatenate([edges, edges[:, ::-1]]), axis=0)
    ends = np.searchsorted(both[:, 0], np.arange(1, count))
    return tuple(tuple(part.tolist()) for part in np.split(both[:, 1], ends))


def _alone(normals: Floats, neighbours: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Whether a triangle has no neighbour near its plane: it is a face by itself."""
    apart = np.linalg.norm(normals[neighbours] - normals[:, None], axis=2)
    # two of one group are as far from the first one as they may be, on either side
    return np.asarray((apart >= 2.0 * COPLANAR).all(axis=1))


def _rings(vertices: Floats, triangles: Integers, normals: Floats) -> list[list[int]]:
    """Corners of every triangle counter-clockwise about its normal."""
    arms = vertices[triangles] - vertices[triangles].mean(axis=1, keepdims=True)
    far = np.argmax(np.einsum("tij,tij->ti", arms, arms), axis=1)
    along = arms[np.arange(len(arms)), far]
    aside = np.cross(normals, along)
    turns = np.arctan2(np.einsum("tij,tj->ti", arms, aside), np.einsum("tij,tj->ti", arms, along))
    rings: list[list[int]] = np.take_along_axis(
        triangles, np.argsort(turns, axis=1, kind="stable"), axis=1
    ).tolist()
    return rings


def _groups(
    normals: Floats, neighbours: npt.NDArray[np.int32], lone: npt.NDArray[np.bool_]
) -> list[list[int]]:
    """Triangles in one plane, found by walking from neighbour to neighbour."""
    groups: list[list[int]] = []
    seen = lone.copy()
    for first in range(len(normals)):
        if lone[first]:
            groups.append([first])
            continue
        if seen[first]:
            continue
        seen[first] = True
        group, waiting = [first], [first]
        while waiting:
            for other in neighbours[waiting.pop()]:
                if not seen[other] and np.linalg.norm(normals[other] - normals[first]) < COPLANAR:
                    seen[other] = True
                    group.append(int(other))
                    waiting.append(int(other))
        groups.append(group)
    return groups


def _around(vertices: Floats, ring: list[int], normal: Floats) -> list[int]:
    """Corners of a face counter-clockwise about its normal."""
    arms = vertices[ring] - vertices[ring].mean(axis=0)
    along = arms[int(np.argmax(np.einsum("ij,ij->i", arms, arms)))]
    aside = np.cross(normal, along)
    turns = np.arctan2(arms @ aside, arms @ along)
    return [ring[k] for k in np.argsort(turns, kind="stable")]


def _thinned(ring: tuple[int, ...]) -> tuple[int, ...]:
    """At most MOST_CORNERS corners of a face, evenly chosen."""
    if len(ring) <= MOST_CORNERS:
        return ring
    return tuple(ring[(k * len(ring)) // MOST_CORNERS] for k in range(MOST_CORNERS))
