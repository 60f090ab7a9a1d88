"""Triangles of Collada (.dae) files, as the scene of the file places them.

COLLADA 1.4 and 1.5: `library_geometries` has meshes of triangles and polygons, `library_nodes` and
`library_visual_scenes` place them by matrices, turns, shifts and scales one after the other.
Lengths are multiplied by the file's unit; its up axis is ignored, as robots' viewers do, since URDF
says how a mesh is turned. Colours, skins, splines and lines are left out.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.errors import FileError

Array = npt.NDArray[np.float64]

DEPTH = 100
"""Nodes within nodes; files that refer to themselves end there."""

MOST = 5_000_000
"""Triangles of a file: more are a mistake, such as nodes that multiply one another."""


def read_collada(path: Path, data: bytes) -> tuple[Array, npt.NDArray[np.int64]]:
    """Vertices (n, 3) [m] and faces (m, 3)."""
    from lxml import etree

    if b"<!ENTITY" in data:
        raise FileError(
            f"{path}: defines an entity, which can grow without bound. Export it again."
        )
    # lists of coordinates are longer than texts are by default
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as problem:
        raise FileError(f"{path}: is no XML ({problem}). Export it again.") from None
    if _tag(root) != "COLLADA":
        raise FileError(f"{path}: begins with <{_tag(root)}>, not <COLLADA>. Export it again.")
    file = _File(path, root)
    try:
        return file.read()
    except (ValueError, OverflowError, IndexError, StopIteration) as problem:
        said = str(problem) or "something is missing"
        raise FileError(
            f"{path}: the mesh is damaged near line {file.line} ({said}). Export it again."
        ) from None


class _File:
    """The elements of a file by their ids, and the triangles found so far."""

    def __init__(self, path: Path, root: Any) -> None:
        self.path, self.root, self.line = path, root, 1
        self.ids = {e.get("id"): e for e in root.iter() if e.get("id") and isinstance(e.tag, str)}
        self.vertices: list[Array] = []
        self.faces: list[npt.NDArray[np.int64]] = []
        self.count = self.triangles = 0

    def read(self) -> tuple[Array, npt.NDArray[np.int64]]:
        unit = next(_all(self.root, "unit"), None)
        meter = 1.0 if unit is None else float(unit.get("meter", "1"))
        if not 0.0 < meter < math.inf:
            raise ValueError(f"its unit is {meter:g} m")
        scenes = [self.url(e) for e in _all(self.root, "instance_visual_scene")]
        scenes = scenes or list(_all(self.root, "visual_scene"))
        place = np.diag([meter, meter, meter, 1.0])
        for scene in scenes:
            for node in _children(scene, "node"):
                self.node(node, place, 0)
        if not scenes:
            for geometry in _all(self.root, "geometry"):
                self.geometry(geometry, place)
        if not self.vertices:
            return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)
        return np.concatenate(self.vertices), np.concatenate(self.faces)

    def url(self, element: Any) -> Any:
        """The element that an `url` or `source` names."""
        self.line = element.sourceline or self.line
        name = element.get("url") or element.get("source") or ""
        found = self.ids.get(name.removeprefix("#"))
        if found is None:
            raise ValueError(f"there is no {name!r}")
        return found

    # -- placing -------------------------------------------------------------------------------

    def node(self, node: Any, place: Array, depth: int) -> None:
        if depth > DEPTH:
            raise ValueError("nodes are within themselves")
        for element in node:
            kind = _tag(element)
            self.line = getattr(element, "sourceline", None) or self.line
            if kind in MOVES:
                place = place @ MOVES[kind](_numbers(element))
            elif kind == "instance_geometry":
                self.geometry(self.url(element), place)
            elif kind == "node":
                self.node(element, place, depth + 1)
            elif kind == "instance_node":
                self.node(self.url(element), place, depth + 1)

    # -- meshes --------------------------------------------------------------------------------

    def geometry(self, geometry: Any, place: Array) -> None:
        for mesh in _children(geometry, "mesh"):
            for part in mesh:
                if _tag(part) in ("triangles", "polylist", "polygons"):
                    self.line = part.sourceline or self.line
                    self.part(part, place)

    def part(self, part: Any, place: Array) -> None:
        """One list of triangles or polygons, these cut into fans."""
        inputs = list(_children(part, "input"))
        stride = 1 + max((int(x.get("offset", "0")) for x in inputs), default=0)
        given = next((x for x in inputs if x.get("semantic") == "VERTEX"), None)
        if given is None:
            raise ValueError("a list of faces names no vertices")
        positions = self.positions(self.url(given))
        offset = int(given.get("offset", "0"))
        lists = [np.array((p.text or "").split(), dtype=np.int64) for p in _children(part, "p")]
        lists = [entries[: len(entries) // stride * stride][offset::stride] for entries in lists]
        corners = np.concatenate(lists) if lists else np.zeros(0, dtype=np.int64)
        if _tag(part) == "triangles":
            faces = corners[: len(corners) // 3 * 3].reshape(-1, 3)
        else:
            counts = [len(entries) for entries in lists]
            if _tag(part) == "polylist":
                counts = [int(x) for v in _children(part, "vcount") for x in (v.text or "").split()]
            faces = _fans(corners, counts)
        if len(faces) and (faces.min() < 0 or faces.max() >= len(positions)):
            raise ValueError(f"a face has a corner beyond the {len(positions)} vertices")
        self.triangles += len(faces)
        if self.triangles > MOST:
            raise ValueError(f"there are more than {MOST} triangles")
        self.vertices.append(positions @ place[:3, :3].T + place[:3, 3])
        self.faces.append(faces + self.count)
        self.count += len(positions)

    def positions(self, vertices: Any) -> Array:
        """Positions of a `vertices` element: those of the source it names."""
        given = next(x for x in _children(vertices, "input") if x.get("semantic") == "POSITION")
        source = self.url(given)
        array = _numbers(next(_all(source, "float_array")))
        accessor = next(_all(source, "accessor"), None)
        stride = 3 if accessor is None else int(accessor.get("stride", "3"))
        first = 0 if accessor is None else int(accessor.get("offset", "0"))
        if stride < 3 or first < 0:
            raise ValueError(f"positions have {stride} numbers each")
        array = array[first:]
        return array[: len(array) // stride * stride].reshape(-1, stride)[:, :3]


def _fans(corners: npt.NDArray[np.int64], counts: list[int]) -> npt.NDArray[np.int64]:
    """Triangles of polygons, from the first corner of each."""
    if any(count < 0 for count in counts) or sum(counts) > len(corners):
        raise ValueError("polygons have more corners than are listed")
    found, first = [], 0
    for count in counts:
        own = corners[first : first + count]
        found += [(own[0], own[k], own[k + 1]) for k in range(1, count - 1)]
        first += count
    return np.array(found, dtype=np.int64).reshape(-1, 3)


# -- moves of a node -------------------------------------------------------------------------------


def _matrix(entries: Array) -> Array:
    return entries.reshape(4, 4)


def _shift(entries: Array) -> Array:
    made = np.eye(4)
    made[:3, 3] = entries
    return made


def _turn(entries: Array) -> Array:
    """About an axis by an angle in degrees."""
    x, y, z = entries[:3] / max(float(np.linalg.norm(entries[:3])), 1e-300)
    c, s = math.cos(math.radians(entries[3])), math.sin(math.radians(entries[3]))
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    made = np.eye(4)
    made[:3, :3] = np.eye(3) + s * K + (1.0 - c) * (K @ K)
    return made


def _stretch(entries: Array) -> Array:
    return np.diag([*entries, 1.0])


MOVES: dict[str, Any] = {
    "matrix": _matrix,
    "translate": _shift,
    "rotate": _turn,
    "scale": _stretch,
}


# -- elements --------------------------------------------------------------------------------------


def _tag(element: Any) -> str:
    """Without its name space; empty for comments."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _children(element: Any, kind: str) -> Any:
    return (child for child in element if _tag(child) == kind)


def _all(element: Any, kind: str) -> Any:
    return (found for found in element.iter() if _tag(found) == kind)


def _numbers(element: Any) -> Array:
    return np.array((element.text or "").split(), dtype=float)
