"""Shapes in model files."""

import struct

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import ImportFileError
from dalembert.importers import shapes
from dalembert.importers.native import load
from dalembert.importers.writing import save_model
from dalembert.model.shapes.surfaces import SURFACES
from dalembert.model.shapes.table import SHAPES
from dalembert.scene import describe

HEAD = """version: 1
name: drawn
parameters: {l: 2.0}
bodies:
  - name: arm
    mass: 1.0
    inertia: [1, 1, 1]
    shapes:
"""


def written(folder, line):
    path = folder / "model.yaml"
    path.write_text(f"{HEAD}      - {line}\n")
    return path


ALL = [
    dl.Box(size=(1, 2, 3), position=(0.5, 0, 0), rotation=("x", 0.3), color="red", opacity=0.5),
    dl.Sphere(radius=0.2),
    dl.Cylinder(radius=0.2, length=1.0, axis="-y"),
    dl.Capsule(radius=0.2, length=1.0),
    dl.Cone(radius=0.2, length=1.0, axis="x"),
    dl.Ellipsoid(semi_axes=(1, 2, 3)),
    dl.Plane(size=(1, 2)),
    dl.Polyline(points=[(0, 0, 0), (1, 0, 0)], width=0.1),
    dl.Mesh(
        vertices=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
        faces=[(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)],
    ),
    dl.ConvexHull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.1, 0.1, 0.1)]),
    dl.HeightField([[0, 0.1], [0.2, 0], [0, 0.3]], size=(2, 1)),
    dl.SignedDistance("sqrt(x**2 + y**2 + z**2) - 0.4", size=(1, 1, 1)),
]


def test_every_shape_can_stand_in_a_file():
    known = {*SHAPES, *(kind.__name__ for kind in SURFACES.values())}
    assert {type(shape).__name__ for shape in ALL} == known
    assert set(shapes.NEEDS) == set(shapes.KINDS)


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
def test_shapes_written_and_read_again_are_drawn_the_same(tmp_path, suffix):
    model = dl.Model("drawn")
    model.add_body("arm", dl.Inertia.point(mass=1.0), shapes=ALL, color="blue")
    model.add_shape(dl.Box(size=(dl.parameters(l=2.0)[0], 1, 1)))
    made = load(save_model(model, tmp_path / f"model{suffix}"))
    for first, second in zip(
        [*describe(model).bodies[0].shapes, *describe(model).ground],
        [*describe(made).bodies[0].shapes, *describe(made).ground],
        strict=True,
    ):
        assert (first.kind, first.color, first.opacity) == (
            second.kind,
            second.color,
            second.opacity,
        )
        np.testing.assert_allclose(first.size, second.size)
        np.testing.assert_allclose(first.position, second.position)
        np.testing.assert_allclose(first.rotation, second.rotation, atol=1e-12)
        if first.vertices is not None:
            np.testing.assert_array_equal(first.vertices, second.vertices)
    assert describe(made).bodies[0].color == describe(model).bodies[0].color
    longer = describe(made.with_parameters(l=5.0)).ground[0]
    assert longer.size[0] == 5.0


def test_a_mesh_is_found_beside_the_model_file(tmp_path):
    corners = np.array([(0, 0, 0), (1000, 0, 0), (0, 1000, 0)], dtype=float)
    body = struct.pack("<12fH", 0, 0, 0, *corners.ravel(), 0)
    (tmp_path / "part.stl").write_bytes(b"\0" * 80 + struct.pack("<I", 1) + body)
    model = load(written(tmp_path, "{type: mesh, file: part.stl, scale: 0.001}"))
    assert model.shapes["arm"][0].vertices.max() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{type: mesh, file: missing.stl}", "line 9: body 'arm': .*missing.stl: cannot read"),
        ("{type: box}", "line 9: a box needs 'size'"),
        ("{type: sphere, radius: 1, length: 2}", "a sphere has no 'length'"),
        ("{type: sphere, radius: -1}", "line 9: body 'arm': Sphere: radius is -1 m"),
        ("{type: sphere, radius: q}", "line 9: .*'q'"),
        ("{type: box, size: [1, 2]}", "line 9"),
        ("{type: boxx, size: [1, 2, 3]}", "line 9.*'box'"),
        ("{type: sphere, radius: 1, colour: red}", "line 9.*colour"),
        ("{type: sphere, radius: 1, color: pinkish}", "line 9.*'pinkish' is unknown"),
    ],
)
def test_a_wrong_shape_is_told_by_line_and_body(tmp_path, line, said):
    with pytest.raises(ImportFileError, match=said):
        load(written(tmp_path, line))


def test_shapes_go_with_free_bodies(tmp_path):
    path = tmp_path / "formula.yaml"
    path.write_text(
        "version: 1\ncoordinates: [x]\nkinetic: x.dot**2/2\n"
        "shapes:\n  - {type: sphere, radius: 1}\n"
    )
    with pytest.raises(ImportFileError, match="'shapes' go with free bodies"):
        load(path)


def test_the_inertia_of_a_file_is_drawn_by_its_measures(tmp_path):
    path = tmp_path / "rod.yaml"
    path.write_text(
        "version: 1\nbodies:\n  - name: bar\n    mass: 1.0\n    center: [0.5, 0, 0]\n"
        "    inertia: {type: cylinder, radius: 0.1, length: 1.0, axis: x}\n"
    )
    (shape,) = describe(load(path)).bodies[0].shapes
    assert (shape.kind, shape.size) == ("cylinder", (0.1, 1.0))
    assert shape.position == pytest.approx((0.5, 0, 0))
