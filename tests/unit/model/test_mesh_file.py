"""Meshes of STL and OBJ files, and what is said of damaged ones."""

import struct

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import FileError, ModelError
from dalembert.model.shapes.mesh_file import read_mesh

CORNERS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
FACES = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])


def binary(corners=CORNERS, faces=FACES, header=b"made by a program"):
    parts = [header.ljust(80, b"\0"), struct.pack("<I", len(faces))]
    for face in faces:
        parts.append(struct.pack("<12fH", 0, 0, 0, *corners[face].ravel(), 0))
    return b"".join(parts)


def text(corners=CORNERS, faces=FACES):
    lines = ["solid part"]
    for face in faces:
        lines += ["facet normal 0 0 0", " outer loop"]
        lines += [f"  vertex {x:g} {y:g} {z:g}" for x, y, z in corners[face]]
        lines += [" endloop", "endfacet"]
    return "\n".join([*lines, "endsolid part", ""]).encode()


OBJ = b"""# a tetrahedron, one face of it a fan
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
vn 0 0 1
f 1 3 2
f 1/1/1 2//1 4/2
f -4 -1 -2
f 2 3 4
"""


def volume(vertices, faces):
    a, b, c = vertices[faces].transpose(1, 0, 2)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("part.stl", binary()),
        ("part.STL", binary(header=b"solid but binary all the same")),
        ("part.stl", text()),
        ("part.stl", text().replace(b"\n", b"\r\n").replace(b"vertex", b"VERTEX")),
        ("part.obj", OBJ),
    ],
)
def test_the_same_solid_from_every_format(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    vertices, faces = read_mesh(path)
    assert len(vertices) == 4  # corners of neighbours are one
    assert len(faces) == 4
    assert volume(vertices, faces) == pytest.approx(1 / 6)


def test_a_polygon_becomes_triangles(tmp_path):
    path = tmp_path / "square.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    _, faces = read_mesh(path)
    assert faces.tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("cut.stl", binary()[:-7], "cut off"),
        ("short.stl", b"\0" * 30, "no STL file"),
        ("empty.stl", b"", "no STL file"),
        ("none.stl", binary(faces=FACES[:0]), "no triangle"),
        ("nan.stl", binary(corners=CORNERS * np.nan), "not finite"),
        ("cut.stl", text()[:-16], "no 'endsolid'"),
        ("two.stl", text().replace(b"  vertex 0 0 0\n", b"", 1), "not 3 vertices"),
        ("word.stl", text().replace(b"vertex 1 0 0", b"vertex 1 zero 0", 1), "line 6.*'1 zero 0'"),
        ("corner.obj", OBJ.replace(b"f 2 3 4", b"f 2 3 9"), "line 10.*'9', expected 1 to 4"),
        ("zero.obj", OBJ.replace(b"f 2 3 4", b"f 0 3 4"), "'0', expected 1 to 4"),
        ("two.obj", OBJ.replace(b"f 2 3 4", b"f 2 3"), "2 corners"),
        ("point.obj", OBJ.replace(b"v 1 0 0", b"v 1 0"), "line 3.*expected 3 numbers"),
        ("empty.obj", b"# nothing\n", "no triangle"),
        ("binary.obj", bytes(range(256)) * 4, "no triangle"),
        ("part.ply", b"ply", "read from .stl, .obj and .dae"),
        ("part", b"", "read from .stl, .obj and .dae"),
    ],
)
def test_damage_is_told_by_file_and_place(tmp_path, name, data, said):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(FileError, match=said) as caught:
        read_mesh(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_and_a_folder_are_told(tmp_path):
    (tmp_path / "folder.stl").mkdir()
    for name in ("missing.stl", "folder.stl"):
        with pytest.raises(FileError, match="cannot read the mesh"):
            read_mesh(tmp_path / name)


def test_a_mesh_is_scaled_and_kept_without_its_file(tmp_path):
    path = tmp_path / "part.stl"
    path.write_bytes(binary(corners=1000.0 * CORNERS))
    mesh = dl.Mesh(path, scale=1e-3)
    path.unlink()
    assert mesh.vertices.max() == pytest.approx(1.0)
    assert "part.stl" in repr(mesh)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "either a file, or vertices and faces"),
        ({"file": "a.stl", "vertices": CORNERS, "faces": FACES}, "either a file"),
        ({"vertices": CORNERS, "faces": [(0, 1, 4)]}, "corner 4, the vertices are 0 to 3"),
        ({"vertices": CORNERS, "faces": [(0, 1, -1)]}, "corner -1"),
        ({"vertices": CORNERS, "faces": [(0.0, 1.0, 2.0)]}, "3 whole numbers"),
        ({"vertices": [(0, 1)], "faces": FACES}, "3 finite numbers"),
        ({"vertices": CORNERS, "faces": FACES, "scale": 0.0}, "scale is 0"),
        ({"file": "missing.obj"}, "missing.obj: cannot read"),
    ],
)
def test_a_senseless_mesh_is_refused(options, said):
    with pytest.raises(ModelError, match=said):
        dl.Mesh(**options)
