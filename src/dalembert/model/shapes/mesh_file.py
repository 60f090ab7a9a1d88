"""Triangles of STL (binary and text), OBJ and Collada files."""

from __future__ import annotations

import itertools
import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert._files import read_bytes
from dalembert.errors import FileError, ModelError
from dalembert.model.shapes.collada import read_collada

Vertices = npt.NDArray[np.float64]
Faces = npt.NDArray[np.int32]

SUFFIXES = (".stl", ".obj", ".dae")

HEADER = 84
"""Bytes before the first triangle of a binary STL file; the last four count the triangles."""

_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("extra", "<u2")])


def read_mesh(path: Path) -> tuple[Vertices, Faces]:
    """Vertices (n, 3) and faces (m, 3) of a file.

    Raises
    ------
    FileError
        The file is missing, of another kind, damaged or empty; the message says where.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        known = f"{', '.join(SUFFIXES[:-1])} and {SUFFIXES[-1]}"
        raise FileError(f"{path}: meshes are read from {known} files. Convert it to one.")
    try:
        data = read_bytes(path)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise FileError(f"{path}: cannot read the mesh ({reason}). Check the path.") from problem
    if suffix == ".obj":
        vertices, faces = _obj(path, data)
    elif suffix == ".dae":
        vertices, triangles = read_collada(path, data)
        faces = triangles.astype(np.int32)
    elif _is_binary_stl(data):
        vertices, faces = _welded(_binary_stl(path, data))
    else:
        vertices, faces = _welded(_text_stl(path, data))
    if not len(faces):
        raise FileError(f"{path}: the mesh has no triangle. Export it again.")
    if not np.all(np.isfinite(vertices)):
        raise FileError(f"{path}: a vertex of the mesh is not finite. Export it again.")
    return vertices, faces


def check_mesh(vertices: Any, faces: Any) -> tuple[Vertices, Faces]:
    """Arrays given by hand; a ModelError says what is wrong with them."""
    try:
        corners = np.array(vertices, dtype=float)
        triangles = np.array(faces)
    except (TypeError, ValueError):
        corners, triangles = np.zeros(0), np.zeros(0)
    if corners.ndim != 2 or corners.shape[1] != 3 or not np.all(np.isfinite(corners)):
        raise ModelError("vertices are not lists of 3 finite numbers. Give those.")
    whole = triangles.dtype.kind in "iu"
    if triangles.ndim != 2 or triangles.shape[1] != 3 or not whole or not len(triangles):
        raise ModelError("faces are not lists of 3 whole numbers. Give the corners of triangles.")
    if triangles.min() < 0 or triangles.max() >= len(corners):
        bad = int(triangles.max() if triangles.min() >= 0 else triangles.min())
        raise ModelError(
            f"a face has the corner {bad}, the vertices are 0 to {len(corners) - 1}. Correct it."
        )
    return corners, triangles.astype(np.int32)


def _is_binary_stl(data: bytes) -> bool:
    """Some programs begin binary files with "solid" too: the length decides."""
    if len(data) >= HEADER:
        (count,) = struct.unpack_from("<I", data, HEADER - 4)
        if len(data) == HEADER + _TRIANGLE.itemsize * count:
            return True
    return not data.lstrip()[:5].lower() == b"solid"


def _binary_stl(path: Path, data: bytes) -> Vertices:
    if len(data) < HEADER:
        raise FileError(
            f"{path}: is no STL file: {len(data)} bytes, a binary one has at least {HEADER}."
            " Export it again."
        )
    (count,) = struct.unpack_from("<I", data, HEADER - 4)
    expected = HEADER + _TRIANGLE.itemsize * count
    if len(data) < expected:
        raise FileError(
            f"{path}: the mesh is cut off: {len(data)} bytes, {expected} expected for its"
            f" {count} triangles. Copy or export it again."
        )
    return np.frombuffer(data, _TRIANGLE, count, HEADER)["corners"].reshape(-1, 3).astype(float)


def _text_stl(path: Path, data: bytes) -> Vertices:
    corners: list[list[float]] = []
    ended = False
    for number, line in enumerate(data.decode("ascii", "replace").splitlines(), 1):
        words = line.split()
        if not words:
            continue
        word = words[0].lower()
        if word == "vertex":
            corners.append(_numbers(path, number, words[1:4]))
        elif word == "endfacet" and len(corners) % 3:
            raise FileError(
                f"{path}, line {number}: the facet has not 3 vertices. Export the mesh again."
            )
        ended = word == "endsolid"
    if not ended or len(corners) % 3:
        raise FileError(f"{path}: the mesh is cut off: no 'endsolid' at its end. Export it again.")
    return np.array(corners, dtype=float).reshape(-1, 3)


def _obj(path: Path, data: bytes) -> tuple[Vertices, Faces]:
    vertices: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        if words[0] == "v":
            vertices.append(_numbers(path, number, words[1:4]))
        elif words[0] == "f":
            corners = [_corner(path, number, word, len(vertices)) for word in words[1:]]
            if len(corners) < 3:
                raise FileError(
                    f"{path}, line {number}: the face has {len(corners)} corners. Export it again."
                )
            # a polygon becomes a fan
            faces += [(corners[0], b, c) for b, c in itertools.pairwise(corners[1:])]
    return np.array(vertices, dtype=float).reshape(-1, 3), np.array(faces, np.int32).reshape(-1, 3)


def _corner(path: Path, number: int, word: str, count: int) -> int:
    """Corners count from 1, or backwards from the last vertex; textures and normals are left."""
    try:
        index = int(word.split("/", 1)[0])
    except ValueError:
        index = 0
    place = index - 1 if index > 0 else count + index
    if index == 0 or not 0 <= place < count:
        raise FileError(
            f"{path}, line {number}: found the corner {word!r}, expected 1 to {count}."
            " Export the mesh again."
        )
    return place


def _numbers(path: Path, number: int, words: list[str]) -> list[float]:
    try:
        values = [float(word) for word in words]
    except ValueError:
        values = []
    if len(values) != 3:
        raise FileError(
            f"{path}, line {number}: found {' '.join(words)[:40]!r}, expected 3 numbers."
            " Export the mesh again."
        )
    return values


def _welded(corners: Vertices) -> tuple[Vertices, Faces]:
    """Equal corners of triangles (3 m, 3) as one vertex; degenerate triangles are left out."""
    vertices, places = np.unique(corners, axis=0, return_inverse=True)
    faces = places.reshape(-1, 3).astype(np.int32)
    a, b, c = faces.T
    return vertices, faces[(a != b) & (b != c) & (c != a)]
