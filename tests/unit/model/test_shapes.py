"""Shapes given to bodies, and the measures inertias remember."""

import pickle

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import ModelError
from dalembert.model.shapes.solid import COLORS
from dalembert.model.shapes.table import SHAPES


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: dl.Box(size=(1, 2)), "Box: size is .*Give 3 numbers"),
        (lambda: dl.Box(size=(1, 2, -3)), "size is -3 m. Give a positive length"),
        (lambda: dl.Sphere(radius=0), "Sphere: radius is 0 m"),
        (lambda: dl.Sphere(radius=(1, 2)), "Give a number"),
        (lambda: dl.Cylinder(radius=1, length=1, axis="w"), "axis 'w' is unknown"),
        (lambda: dl.Cone(radius=1, length=1, rotation="up"), "Cone: "),
        (lambda: dl.Capsule(radius=1, length=1, position=(0, 0)), "position is"),
        (lambda: dl.Sphere(radius=1, color="pinkish"), "color 'pinkish' is unknown"),
        (lambda: dl.Sphere(radius=1, color="#12345"), "color '#12345' is unknown"),
        (lambda: dl.Sphere(radius=1, opacity=2), "opacity is 2"),
        (lambda: dl.Polyline(points=[(0, 0, 0)], width=0.1), "two or more"),
        (lambda: dl.Ellipsoid(semi_axes=(1, 1, float("nan"))), "Ellipsoid: "),
    ],
)
def test_senseless_shapes_are_refused(make, said):
    with pytest.raises(ModelError, match=said):
        make()


def test_colours_by_name_and_number():
    assert dl.Sphere(radius=1, color="Red").color == COLORS["red"]
    assert dl.Sphere(radius=1, color="#0af").color == "#00AAFF"
    assert dl.Sphere(radius=1).color is None


def test_every_shape_is_public_and_says_what_it_is():
    assert set(SHAPES) <= set(dl.__all__)
    assert repr(dl.Plane(size=(1, 2), opacity=0.5)) == "Plane(size=(1, 2), opacity=0.5)"


def test_shapes_of_a_body():
    model = dl.Model("drawn")
    ball = model.add_body("ball", dl.Inertia.point(mass=1.0), shapes=dl.Sphere(radius=0.1))
    model.add_shape([dl.Box(size=(1, 1, 1))], on="ball")
    model.add_shape(dl.Plane(size=(5, 5)), on=model.world)
    assert [type(shape).__name__ for shape in model.shapes["ball"]] == ["Sphere", "Box"]
    assert len(model.shapes["world"]) == 1
    # a copy goes its own way
    other = model.with_parameters()
    other.add_shape(dl.Sphere(radius=1), on="ball")
    assert len(model.shapes["ball"]) == 2
    assert ball.name in other.shapes


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda m: m.add_shape(dl.Sphere(radius=1), on="bal"), "no body 'bal'.*ball"),
        (lambda m: m.add_shape("ball"), "Give a list"),
        (lambda m: m.add_body("b", dl.Inertia.point(1.0), shapes=["x"]), "'x' is no shape"),
        (lambda m: m.add_body("b", dl.Inertia.point(1.0), color="x"), "body 'b': color 'x'"),
        (lambda m: m.add_body("b", dl.Inertia.point(1.0), shapes=7), "body 'b': shapes is 7"),
    ],
)
def test_what_is_no_shape_is_refused_by_name(act, said):
    model = dl.Model("drawn")
    model.add_body("ball", dl.Inertia.point(mass=1.0))
    with pytest.raises(ModelError, match=said):
        act(model)
    assert list(model.bodies) == ["ball"]
    assert model.shapes == {}


def test_parameters_in_shapes_belong_to_the_model():
    (r,) = dl.parameters(r=0.3)
    model = dl.Model("drawn")
    model.add_body("ball", dl.Inertia.point(mass=1.0), shapes=[dl.Sphere(radius=r)])
    assert model.parameters == {"r": 0.3}
    with pytest.raises(ModelError, match=r"values 0\.3 and 0\.5"):
        model.add_shape(dl.Sphere(radius=dl.parameters(r=0.5)[0]), on="ball")


def test_shapes_do_not_touch_the_motion():
    def run(**looks):
        model = dl.Model("pendulum")
        rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0), **looks)
        model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y"))
        return dl.simulate(model, until=0.2, step=1e-2)

    plain, drawn = run(), run(shapes=[dl.Box(size=(1, 1, 1))], color="red")
    np.testing.assert_array_equal(plain.q, drawn.q)


def test_a_saved_run_keeps_its_shapes(tmp_path):
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    mesh = dl.Mesh(vertices=corners, faces=[(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    model = dl.Model("drawn")
    model.add_body("ball", dl.Inertia.sphere(1.0, 0.1), shapes=[mesh, dl.Sphere(radius=0.1)])
    path = dl.simulate(model, until=0.1, step=1e-2).save(tmp_path / "run.npz")
    kept = dl.load_solution(path).model.shapes["ball"]
    np.testing.assert_array_equal(kept[0].vertices, corners)
    assert kept[1].radius == 0.1


# -- inertia ---------------------------------------------------------------------------------------


def test_measures_do_not_count_for_equality_and_survive_pickling():
    box = dl.Inertia.box(mass=12.0, size=(1.0, 2.0, 3.0))
    assert box == dl.Inertia(12.0, (13.0, 10.0, 5.0))
    assert hash(box) == hash(dl.Inertia(12.0, (13.0, 10.0, 5.0)))
    assert repr(box) == "Inertia(mass=12, matrix=(13, 10, 5))"
    again = pickle.loads(pickle.dumps(box))
    assert again == box
    assert again.measures[0].size == (1.0, 2.0, 3.0)


def test_measures_move_with_the_part():
    rod = dl.Inertia.rod(mass=1.0, length=2.0).moved((1.0, 0, 0), rotation=("z", np.pi / 2))
    twice = rod.moved((0, 0, 5.0), rotation=("z", np.pi / 2))
    (part,) = twice.measures
    assert [float(x) for x in part.position] == pytest.approx([0.0, 1.0, 5.0])
    assert np.abs(part.rotation.matrix[:, 2]) == pytest.approx([1, 0, 0])


def test_a_part_of_unknown_shape_leaves_the_whole_unknown():
    known = dl.Inertia.sphere(mass=1.0, radius=0.1)
    unknown = dl.Inertia(1.0, (1.0, 1.0, 1.0))
    assert len(dl.Inertia.combined([known, known.moved((1, 0, 0))]).measures) == 2
    assert dl.Inertia.combined([known, unknown]).measures == ()
