"""Materials, shapes that touch, groups and rules for pairs."""

import copy
import math
import pickle

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import ModelError
from dalembert.model.contact import pairs
from dalembert.model.contact.combine import RULES, combined
from dalembert.model.contact.material import NUMBERS
from dalembert.model.contact.surface_classes import surface_classes

NAN, INF = math.nan, math.inf


def balls(count=3, **options):
    """A floor and balls beside one another, each with its shape."""
    model = dl.Model("balls")
    floor = model.add_shape(dl.Plane(), name="floor")
    shapes = []
    for k in range(count):
        inertia = dl.Inertia.sphere(1.0, radius=0.1)
        body = model.add_body(f"ball{k}", inertia, position=(k, 0, 0.1))
        shapes.append(model.add_shape(dl.Sphere(0.1), on=body, **options))
    return model, floor, shapes


def touching(model):
    return {(a.name, b.name) for a, b in pairs.pairs(model)}


# -- materials -------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", NUMBERS)
@pytest.mark.parametrize("value", [-1.0, NAN, INF, "much", True, [1.0]])
def test_bad_numbers_of_materials_are_named(field, value):
    with pytest.raises(ModelError, match=rf"^Material(?s:.*){field} "):
        dl.Material(**{field: value})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"restitution": 1.5}, "restitution is 1.5. Give a number from 0 to 1"),
        ({"stiffness": 0.0}, "stiffness is 0. Give a positive number"),
        ({"damping": 1.0}, "damping goes with stiffness"),
        ({"damping_ratio": 1.0}, "damping_ratio goes with frequency"),
        ({"tangential_damping": 1.0}, "goes with tangential_stiffness"),
        ({"stiffness": 1.0, "frequency": 1.0}, "a stiffness and a frequency. Keep one"),
        ({"stiffness": 1.0, "damping": 1.0, "dissipation": 1.0}, "Keep one"),
        ({"surface_velocity": (1.0, 2.0)}, "surface_velocity is .* Give 3 numbers"),
        ({"surface_velocity": 1.0}, "Give 3 numbers"),
        ({"surface_velocity": (NAN, 0, 0)}, "surface_velocity is nan"),
        ({"friction": dl.coordinates("x")[0]}, "friction depends on x"),
        ({"name": "a/b"}, "without ':' and '/'"),
    ],
)
def test_materials_that_contradict_themselves(given, said):
    with pytest.raises(ModelError, match=said):
        dl.Material(**given)


def test_several_faults_are_told_at_once():
    with pytest.raises(ModelError, match=r"(?s)2 problems.*friction.*restitution"):
        dl.Material(friction=-1, restitution=2)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("geometric", 0.4), ("mean", 0.5), ("harmonic", 0.32), ("product", 0.16), ("min", 0.2)],
)
def test_rules_combine_two_numbers(rule, expected):
    a, b = dl.Material(friction=0.2), dl.Material(friction=0.8)
    assert combined(a, b, dl.Combine(friction=rule), {}).friction == pytest.approx(expected)
    assert RULES[rule](0.0, 0.0) == 0.0
    with pytest.raises(ModelError, match="rolling is 'sum'"):
        dl.Combine(rolling="sum")


def test_springs_of_two_surfaces_act_one_behind_the_other():
    a = dl.Material(stiffness=300.0, damping=3.0, tangential_stiffness=100.0)
    b = dl.Material(stiffness=600.0, dissipation=9.0)
    law = combined(a, b, dl.Combine(), {})
    assert law.stiffness == pytest.approx(200.0)
    # two thirds of the deflection, and of its rate, are in the softer one
    assert law.damping == pytest.approx(3.0 * (2 / 3) ** 2)
    assert law.dissipation is None
    assert law.tangential_stiffness == 100.0  # the other one is rigid
    c = dl.Material(stiffness=300.0, dissipation=3.0)
    assert combined(b, c, dl.Combine(), {}).dissipation == pytest.approx(3.0 * 2 / 3 + 9.0 / 3)
    assert combined(a, dl.Material(), dl.Combine(), {}).stiffness == 300.0
    assert combined(dl.Material(), dl.Material(), dl.Combine(), {}).is_rigid


def test_of_two_frequencies_the_lower_one_counts():
    a, b = dl.Material(frequency=10.0, damping_ratio=0.5), dl.Material(frequency=20.0)
    law = combined(a, b, dl.Combine(), {})
    assert (law.frequency, law.damping_ratio) == (10.0, 0.5)
    assert combined(b, b, dl.Combine(), {}).damping_ratio == 1.0
    law = combined(a, dl.Material(stiffness=5.0), dl.Combine(), {})
    assert (law.stiffness, law.frequency) == (5.0, None)


# -- shapes ----------------------------------------------------------------------------------------


def test_shapes_are_placed_in_the_frame_of_their_body():
    model = dl.Model("m")
    body = model.add_body("body", dl.Inertia.sphere(1.0, radius=0.1))
    frame = body.at(1.0, 2.0, 3.0, rotation=("z", np.pi / 2), name="tip")
    shape = model.add_shape(dl.Cylinder(0.1, 0.5, axis="x", position=(1, 0, 0)), on=frame)
    np.testing.assert_allclose([float(x) for x in shape.position], [1, 3, 3], atol=1e-15)
    np.testing.assert_allclose(shape.rotation.matrix[:, 2], [0, 1, 0], atol=1e-15)  # its axis
    assert (shape.body, shape.kind, shape.sizes) == ("body", "cylinder", (0.1, 0.5))
    assert model.shapes["body"] == (shape.solid,)
    same = model.add_shape(dl.Sphere(0.1), on="body/tip")
    assert same.position == (1.0, 2.0, 3.0)


def test_planes_have_a_normal_and_an_offset():
    model = dl.Model("m")
    (h,) = dl.parameters(h=0.5)
    wall = model.add_shape(dl.Plane((0, 3, 4), h, position=(1, 0, 0)))
    np.testing.assert_allclose(wall.rotation.matrix[:, 2], [0, 0.6, 0.8], atol=1e-15)
    assert [float(dl.Plane((0, 3, 4), 0.5).middle[k]) for k in range(3)] == [0.0, 0.3, 0.4]
    assert model.parameters == {"h": 0.5}
    assert wall.sizes == ()
    assert repr(dl.Plane("-x", 2.0)) == "Plane(normal='-x', offset=2)"
    for normal in ("up", (0, 0, 0), (1, 2), (NAN, 0, 0), None):
        with pytest.raises(ModelError, match="normal is"):
            dl.Plane(normal)


def test_boxes_take_three_numbers():
    assert dl.Box(1, 2, 3).size == (1.0, 2.0, 3.0)
    with pytest.raises(ModelError, match="Give 3 numbers"):
        dl.Box(1, 2)
    with pytest.raises(ModelError, match=r"Give Box\(x, y, z\) or size="):
        dl.Box((1, 2, 3), 4)


def test_meshes_touch_by_hull_or_triangles():
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    mesh = dl.Mesh(vertices=corners, faces=[(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    model = dl.Model("m")
    body = model.add_body("body", dl.Inertia.sphere(1.0, radius=0.1))
    assert model.add_shape(mesh, on=body).kind == "hull"
    assert model.add_shape(mesh).kind == "mesh"


def test_names_of_shapes():
    model, _, shapes = balls(2)
    assert [shape.name for shape in shapes] == ["ball0.sphere", "ball1.sphere"]
    more = model.add_shape([dl.Sphere(0.1), dl.Sphere(0.2)], on="ball0")
    assert [shape.name for shape in more] == ["ball0.sphere2", "ball0.sphere3"]
    for name, said in (
        ("floor", "a shape of that name already"),
        ("ball0", "a body of that name"),
        ("a:b", "empty or contains"),
        ("", "empty or contains"),
    ):
        with pytest.raises(ModelError, match=said):
            model.add_shape(dl.Sphere(0.1), on="ball0", name=name)
    assert len(model.contact_shapes) == 5  # nothing was added by what failed
    with pytest.raises(ModelError, match="given to 2 shapes"):
        model.add_shape([dl.Sphere(0.1), dl.Sphere(0.2)], name="pair")


@pytest.mark.parametrize(
    ("add", "said"),
    [
        (lambda m, b: m.add_shape(dl.Cone(1, 1), on=b), "a cone does not touch. Draw it only"),
        (lambda m, b: m.add_shape(dl.Polyline([(0, 0, 0), (1, 1, 1)], 0.1)), "does not touch"),
        (lambda m, b: m.add_shape(dl.Plane(), on=b), "a plane has no end, and body 'ball0' moves"),
        (lambda m, b: m.add_shape(dl.Plane(), on=b, contact=False), "drawn with a size"),
        (lambda m, b: m.add_shape(dl.Sphere(0.1), on=b, material="steel"), "material is 'steel'"),
        (lambda m, b: m.add_shape(dl.Sphere(0.1), on=b, group=3), "3 names no group"),
        (lambda m, b: m.add_shape(dl.Sphere(0.1), on=b, collides_with=7), "7 names no group"),
        (lambda m, b: m.add_shape(dl.Sphere(0.1), on=b, collides_with=[""]), "names no group"),
        (
            lambda m, b: m.add_shape(dl.Sphere(0.1), collides_with="a", ignores="b"),
            "collides_with and ignores. Keep one",
        ),
        (lambda m, b: m.add_shape(dl.Sphere(0.1), on="bal0"), "no body 'bal0'.*ball0"),
        (lambda m, b: m.add_shape(dl.Sphere(0.1), on=balls()[0].bodies["ball0"]), "another model"),
        (lambda m, b: m.add_shape("ball"), "Give a list"),
        (lambda m, b: m.add_body("x", dl.Inertia.point(1.0), shapes=[dl.Plane()]), "with a size"),
        (lambda m, b: m.set_contact(b, "world"), "says nothing"),
        (lambda m, b: m.set_contact(b, "world", friction=-1), "friction is -1"),
        (lambda m, b: m.set_contact(b, "world", frction=1), "no 'frction'.*friction"),
        (lambda m, b: m.set_contact(b, "world", damping=1), "goes with stiffness"),
        (lambda m, b: m.set_contact("bal0", "world", friction=1), "'bal0'.*ball0"),
        (lambda m, b: m.set_contact(None, "world", friction=1), "no body, shape or material"),
        (lambda m, b: m.ignore_contact(dl.Material(), b), "the material has no name"),
        (lambda m, b: m.ignore_contact(balls()[1], b), "belongs to another model"),
        (lambda m, b: setattr(m, "combine", "max"), "Give dl.Combine"),
        (lambda m, b: m.contact_law("floor", "ball"), "is no shape that touches"),
    ],
)
def test_what_cannot_be_is_named(add, said):
    model, _, _ = balls(1)
    before = pickle.dumps((model.contact_shapes, model.shapes, list(model.contact_rules)))
    with pytest.raises(ModelError, match=said):
        add(model, model.bodies["ball0"])
    after = pickle.dumps((model.contact_shapes, model.shapes, list(model.contact_rules)))
    assert before == after


def test_what_is_drawn_only_does_not_touch():
    model, _, _ = balls(0)
    ball = model.add_body("b", dl.Inertia.sphere(1.0, radius=0.1), shapes=[dl.Sphere(0.1)])
    assert model.add_shape(dl.Cone(0.1, 0.1), on=ball, contact=False) is None
    assert not model.has_contact
    unseen = model.add_shape(dl.Sphere(0.1), on=ball, drawn=False)
    assert model.has_contact
    assert len(model.shapes["b"]) == 2
    assert unseen in model.contact_shapes


# -- which pairs -----------------------------------------------------------------------------------


def test_all_but_shapes_of_one_body_may_touch():
    model, _, _ = balls(2)
    model.add_shape(dl.Box(1, 1, 1), name="wall")
    model.add_shape(dl.Sphere(0.2), on="ball0", name="more")
    assert touching(model) == {
        *(("floor", "ball0.sphere"), ("floor", "more"), ("floor", "ball1.sphere")),
        *(("wall", "ball0.sphere"), ("wall", "more"), ("wall", "ball1.sphere")),
        *(("ball0.sphere", "ball1.sphere"), ("more", "ball1.sphere")),
    }


def test_two_shapes_touch_when_each_allows_the_other():
    model = dl.Model("groups")

    def add(name, **options):
        body = model.add_body(name, dl.Inertia.sphere(1.0, radius=0.1))
        model.add_shape(dl.Sphere(0.1), on=body, name=name.upper(), **options)

    add("a", group="red", collides_with=["red", "blue"])
    add("b", group="blue", collides_with="red")
    add("c", group="blue")
    add("d", group="green")
    add("e", group="red", ignores=["green", "red"])
    add("f", collides_with=[])
    found = {frozenset(pair) for pair in touching(model)}
    assert found == {frozenset(pair) for pair in ("AB", "AC", "BE", "CD", "CE")}


def test_links_of_a_joint_do_not_touch_unless_allowed():
    model, floor, (a, b, c) = balls(3)
    model.add_joint(dl.Revolute("ball0", "ball1", axis="y"))
    model.add_joint(dl.Revolute(model.world, "ball0", axis="y"))
    model.add_joint(dl.Fixed(model.world, "ball2"))
    assert touching(model) == {
        *((floor.name, a.name), (floor.name, b.name)),  # a hinge on the world stops nothing
        *((a.name, c.name), (b.name, c.name)),
    }
    names = [shape.name for shape in model.contact_shapes]
    listed = {(names[i], names[j]) for i, j in pairs.excluded(model)}
    assert listed == {(a.name, b.name), (floor.name, c.name)}
    model.allow_contact("ball0", "ball1")
    assert (a.name, b.name) in touching(model)
    model.ignore_contact(b, a)  # the last word
    assert (a.name, b.name) not in touching(model)


def test_excluded_pairs_are_those_that_may_not_touch():
    model, _, shapes = balls(4, material=dl.Material(name="rubber"))
    model.add_joint(dl.Revolute("ball0", "ball1", axis="y"))
    model.ignore_contact("rubber", "floor")
    model.ignore_contact("ball2", shapes[3])
    model.ignore_contact("ball2", "ball2")  # means nothing
    model.allow_contact(shapes[1], "world")
    found = model.contact_shapes
    said = {(found[i].name, found[j].name) for i, j in pairs.excluded(model)}
    every = {
        (a.name, b.name)
        for i, a in enumerate(found)
        for b in found[i + 1 :]
        if a.body != b.body and pairs.reason(model, a, b)
    }
    assert said == every
    assert ("floor", "ball1.sphere") not in said


# -- laws ------------------------------------------------------------------------------------------


def test_rules_change_the_law_of_a_pair():
    steel, ice = dl.Material(friction=0.4, name="steel"), dl.Material(friction=0.1, name="ice")
    model = dl.Model("rules")
    floor = model.add_shape(dl.Plane(), material=ice)
    a, b = (model.add_body(n, dl.Inertia.sphere(1.0, radius=0.1)) for n in "ab")
    one = model.add_shape(dl.Sphere(0.1), on=a, material=steel)
    two = model.add_shape(dl.Sphere(0.1), on=b, material=steel)
    assert model.contact_law(one, floor).friction == pytest.approx(0.2)
    model.set_contact(steel, ice, friction=0.05, restitution=0.5)
    model.set_contact(model.world, a, friction=0.3)
    assert model.contact_law(one, floor) == model.contact_law(floor, one)
    assert model.contact_law(one, floor).friction == 0.3
    assert model.contact_law(one, floor).restitution == 0.5
    assert model.contact_law(two, floor).friction == 0.05
    assert model.contact_law(one, two).friction == pytest.approx(0.4)
    model.combine = dl.Combine(friction="min")
    model.set_contact(two, "b", frequency=3.0)  # two shapes of one body: no effect elsewhere
    assert model.contact_law(one, two).is_rigid
    soft = dl.Material(stiffness=100.0, damping=1.0)
    three = model.add_shape(dl.Sphere(0.1), on=a, material=soft)
    model.set_contact(three, "b", frequency=3.0)
    law = model.contact_law(three, two)
    assert (law.stiffness, law.damping, law.frequency, law.damping_ratio) == (None, None, 3.0, 1.0)


def test_parameters_reach_the_law():
    (mu, e) = dl.parameters(mu=0.5, e=0.2)
    model, floor, shapes = balls(1, material=dl.Material(friction=mu))
    model.set_contact("ball0", floor, restitution=e)
    model.combine = dl.Combine(friction="min")
    other = model.with_parameters(mu=0.1, e=0.9)
    law = other.contact_law(shapes[0], floor)
    assert (law.friction, law.restitution) == (0.1, 0.9)
    assert model.contact_law(shapes[0], floor).friction == 0.5
    with pytest.raises(ModelError, match="friction is -1"):
        model.with_parameters(mu=-1.0)
    with pytest.raises(ModelError, match="restitution is 2"):
        model.with_parameters(e=2.0)


def test_classes_of_surfaces_say_what_pairs_say():
    model, _, shapes = balls(5, material=dl.Material(friction=0.3, name="rubber"))
    model.add_shape(dl.Sphere(0.1), on="ball0", material=dl.Material(friction=0.3, name="rubber"))
    model.add_shape(dl.Sphere(0.1), on="ball1", material=dl.Material(friction=0.9))
    model.set_contact("ball2", "rubber", friction=0.7)
    model.ignore_contact(shapes[3], "world")
    classes = surface_classes(model)
    found = model.contact_shapes
    for i, a in enumerate(found):
        for j, b in enumerate(found):
            law = classes.laws[classes.of_shape[i]][classes.of_shape[j]]
            ignored = model.contact_rules.verdict(a, b) == "ignore"
            assert law == (None if ignored else model.contact_law(a, b))
    assert len(classes.laws) == 5  # floor, rubber, the other one, ball2, ball3


def test_copies_and_pickles_are_independent():
    model, _, _ = balls(2)
    other = copy.copy(model)
    other.add_shape(dl.Box(1, 1, 1))
    other.ignore_contact("ball0", "ball1")
    assert len(model.contact_shapes) == 3
    assert len(model.contact_rules) == 0
    again = pickle.loads(pickle.dumps(other))
    assert touching(again) == touching(other)
    drawn = [shape for shapes in again.shapes.values() for shape in shapes]
    assert all(any(s.solid is d for d in drawn) for s in again.contact_shapes)
