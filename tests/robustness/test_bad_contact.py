"""Whatever is given for contact: a named error and an unchanged model, or a model that checks."""

import contextlib
import math
import random

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import DalembertError, OptionError
from dalembert.importers.writing import text_in

(MU,) = dl.parameters(mu=0.3)
(X,) = dl.coordinates("x")
ODD = (
    *(None, True, 0, -1, 1, 2.5, 1e-308, 1e308, math.nan, math.inf, -math.inf, "", "x", "world"),
    *("ball", "other", "hinge", "a/b", "a:b", b"x", 1j, (), [], {}, (1, 2, 3), [0, 0, 0]),
    *((math.nan, 0, 0), np.zeros(3), np.ones((2, 2)), np.float64(0.5), np.array(0.5), object()),
    *(MU, MU - MU, 1 / MU, X, X.dot, dl.time, X >= 0, (X >= 0) & (X < 1), lambda: 1, dl.Model),
    *(dl.Material(), dl.Sphere(0.1), dl.Plane(), dl.Combine(), dl.Limits(), dl.Cone(1, 1)),
)
SHAPES = {
    dl.Sphere: {"radius": 0.1},
    dl.Box: {"size": 1, "y": 1, "z": 2},
    dl.Capsule: {"radius": MU, "length": 1, "axis": "x"},
    dl.Cylinder: {"radius": 1, "length": 1, "axis": "-y"},
    dl.Ellipsoid: {"semi_axes": (1, MU, 2)},
    dl.Plane: {"normal": (1, 0, 0), "offset": MU, "size": None},
    dl.ConvexHull: {"points": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]},
    dl.HeightField: {"heights": np.zeros((3, 3)), "size": (1, 2)},
}
PLACED = ("position", "rotation", "color", "opacity")
MATERIAL = (
    *("friction", "static_friction", "restitution", "rolling", "torsional", "stiffness"),
    *("damping", "frequency"),
    *("damping_ratio", "tangential_stiffness", "tangential_damping", "dissipation"),
    *("surface_velocity", "name"),
)
LAW = ("restitution", "stiffness", "damping", "frequency", "damping_ratio")


def scene():
    model = dl.Model("scene")
    model.add_shape(dl.Plane(), name="floor")
    for k, name in enumerate(("ball", "other")):
        inertia = dl.Inertia.sphere(1.0, radius=0.1)
        body = model.add_body(name, inertia, position=(k, 0, 1))
        model.add_shape(dl.Sphere(0.1), on=body)
    model.add_joint(dl.Revolute("ball", "other", axis="y", name="hinge"))
    return model


def some(dice, names, most=3):
    count = dice.randint(0, min(most, len(names)))
    return {name: dice.choice(ODD) for name in dice.sample(names, count)}


def shape(model, dice):
    kind = dice.choice(list(SHAPES))
    needed = dict(SHAPES[kind])
    needed |= some(dice, list(needed), 1)
    made = kind(**needed, **some(dice, PLACED, 1))
    on = dice.choice((dice.choice(ODD), "ball", model.world))
    options = some(dice, ("name", "group", "collides_with", "ignores", "material", "drawn"), 1)
    model.add_shape(made, on=on, **options)


def material(model, dice):
    made = dl.Material(**some(dice, MATERIAL, 4))
    model.add_shape(dl.Sphere(0.1), on="ball", material=made)


def rule(model, dice):
    act = dice.choice((model.set_contact, model.ignore_contact, model.allow_contact))
    sides = [dice.choice((*ODD, *model.contact_shapes, model.bodies["ball"])) for _ in range(2)]
    act(*sides, **(some(dice, MATERIAL) if act == model.set_contact else {}))


def kept(model, dice):
    law = some(dice, LAW, 2)
    ends = [dice.choice((*ODD, *model.bodies.values(), model.world)) for _ in range(2)]
    what = dice.choice((dice.choice(ODD), "cable", "stop", model.bodies["ball"].z >= 0))
    if isinstance(what, str) and what == "cable":
        what, law = dl.Cable(*ends, length=dice.choice(ODD), **law), {}
    elif isinstance(what, str) and what == "stop":
        what, law = dl.Stop(*ends, **some(dice, ("axis", "gap")), **law), {}
    model.keep(what, **some(dice, ("name",), 1), **law)


def limits(model, dice):
    made = dl.Limits(**some(dice, ("lower", "upper", "effort", "velocity", *LAW), 4))
    model.set_limits(dice.choice((*ODD, "hinge", model.joints["hinge"])), made)


def force(model, dice):
    joint = dice.choice((*ODD, "hinge", model.joints["hinge"], model.joints["hinge"]))
    kind = dice.choice((dl.Brake, dl.JointFriction, dl.VelocityServo))
    options = {
        dl.Brake: {"torque": dice.choice(ODD)},
        dl.JointFriction: some(dice, ("damping", "dry", "static", "stribeck"), 4),
        dl.VelocityServo: some(dice, ("kd", "limits", "command", "gear"), 4),
    }[kind]
    model.add_force(kind(joint, **options, **some(dice, ("name", "coordinate"), 1)))


def combine(model, dice):
    made = dl.Combine(**some(dice, ("friction", "restitution", "rolling"), 2))
    model.combine = dice.choice((made, dice.choice(ODD)))


@pytest.mark.parametrize("edit", [shape, material, rule, kept, limits, force, combine])
def test_odd_arguments(edit, tmp_path):
    dice = random.Random(f"{edit.__name__} 6")
    taken = refused = 0
    model, before = scene(), None
    for _ in range(200):
        before = before or text_in(model, ".json")
        said = ""
        try:
            edit(model, dice)
        except DalembertError as problem:
            said = str(problem)
        if said:
            refused += 1
            assert len(said) > 20, said
            assert text_in(model, ".json") == before, said
            continue
        taken += 1
        before = None
        assert all(row.name for row in model.one_sided())
        if taken % 7 == 0:
            with contextlib.suppress(DalembertError):
                model.check()
            path = tmp_path / "model.json"
            path.write_text(text_in(model, ".json"))
            assert text_in(dl.load(path), ".json") == path.read_text()
            model = scene()
    assert taken > 0
    assert refused > 50


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_a_force_that_is_no_number_is_not_blamed_on_the_solver(formulation):
    model = dl.Model("pushed", gravity=(0.0, 0.0, -9.81))
    model.add_shape(dl.Plane(), on=model.world)
    first, second = (
        model.add_body(name, dl.Inertia.box(mass=1.0, size=(0.2, 0.2, 0.2)), position=(x, 0, 0.1))
        for name, x in (("first", 0.0), ("second", 0.3))
    )
    for body in (first, second):
        model.add_shape(dl.Box(0.2, 0.2, 0.2), on=body)
    model.add_joint(dl.Revolute(first.at(x=0.1), second.at(x=-0.2), axis="y"))
    model.add_force(dl.Force(first, value=(np.sqrt(0.01 - dl.time), 0.0, 0.0)))
    with pytest.raises(dl.errors.NonFiniteError, match="first") as failure:
        dl.simulate(model, until=0.1, step=2e-3, formulation=formulation, progress=False)
    assert np.isfinite(failure.value.solution.q).all()
    assert failure.value.solution.t[-1] == pytest.approx(0.01, abs=2e-3)


BAD = {
    "mass": (lambda x: dl.Inertia(x, np.eye(3)), "mass"),
    "inertia": (lambda x: dl.Inertia(1.0, np.diag([1.0, x, 1.0])), "inertia|matrix|moment"),
    "sphere mass": (lambda x: dl.Inertia.sphere(x, radius=1.0), "mass"),
    "friction": (lambda x: dl.Material(friction=x), "friction"),
    "restitution": (lambda x: dl.Material(restitution=x), "restitution"),
    "rolling": (lambda x: dl.Material(rolling=x), "rolling"),
    "stiffness": (lambda x: dl.Material(stiffness=x), "stiffness"),
    "radius": (lambda x: dl.Sphere(x), "radius"),
    "edge": (lambda x: dl.Box(1.0, x, 1.0), "size"),
    "length": (lambda x: dl.Cylinder(1.0, x), "length"),
    "capsule": (lambda x: dl.Capsule(x, 1.0), "radius"),
    "semi-axis": (lambda x: dl.Ellipsoid((1.0, 1.0, x)), "semi_axes"),
    "field": (lambda x: dl.HeightField(np.zeros((2, 2)), size=(1.0, x)), "size"),
    "formula": (lambda x: dl.SignedDistance("x", size=(1.0, 1.0, x)), "size"),
}


def described(make, number):
    """A ball that touches, with what is made of the number, as far as that is possible."""
    made = make(number)
    inertia = made if isinstance(made, dl.Inertia) else dl.Inertia.sphere(1.0, radius=1.0)
    model = dl.Model("bad")
    body = model.add_body("ball", inertia)
    model.add_shape(dl.Sphere(0.1), on=body)
    return dl.simulate(model, until=0.1, step=0.01, progress=False)


@pytest.mark.parametrize("what", BAD)
@pytest.mark.parametrize("number", [math.nan, -1.0, -math.inf, math.inf])
def test_numbers_that_cannot_be(what, number):
    """Refused where they are given, by the name of what is wrong."""
    make, named = BAD[what]
    with pytest.raises(DalembertError, match=named):
        described(make, number)


@pytest.mark.parametrize("kind", [k for k in BAD if "friction" not in k and "rest" not in k])
def test_shapes_and_masses_of_no_size(kind):
    if kind in ("rolling", "inertia"):
        pytest.skip("nothing is a number for it")
    make, named = BAD[kind]
    with pytest.raises(DalembertError, match=named):
        described(make, 0.0)


def placed(*where, solid=None, **options):
    model = dl.Model("placed", gravity=(0, 0, 0))
    for k, place in enumerate(where):
        body = model.add_body(f"b{k}", dl.Inertia.sphere(1.0, radius=0.1), position=place)
        model.add_shape(solid or dl.Sphere(0.1), on=body, **options)
    return model


@pytest.mark.parametrize("solid", [dl.Sphere(0.1), dl.Box(0.2, 0.2, 0.2), dl.Capsule(0.1, 0.2)])
@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_bodies_in_one_place(solid, formulation):
    options = {"until": 0.05, "step": 0.01, "progress": False, "formulation": formulation}
    model = placed((1, 2, 3), (0, 0, 0), (1, 2, 3), solid=solid)
    with pytest.raises(dl.errors.ModelError, match=r"'b0\..*' and 'b2\..*' start in one place"):
        dl.simulate(model, **options)
    with pytest.raises(dl.errors.ModelError, match="start in one place"):
        dl.Session(model, step=0.01)
    model.ignore_contact("b0", "b2")
    assert np.isfinite(dl.simulate(model, **options).q).all()
    # a hair apart there is a way out
    near = placed((1, 2, 3), (1, 2, 3 + 1e-9), solid=solid)
    run = dl.simulate(near, **options)
    assert np.isfinite(run.q).all()
    one, two = (np.array([run[c][-1] for c in (b.x, b.y, b.z)]) for b in near.bodies.values())
    assert np.linalg.norm(two - one) > 0.04


def test_a_ball_in_the_middle_of_a_hollow_is_no_bad_input():
    """Only solids have nowhere to go."""
    model = placed((0, 0, 0))
    hollow = dl.SignedDistance("0.5 - sqrt(x**2 + y**2 + z**2)", size=(1.2, 1.2, 1.2))
    model.add_shape(hollow, on=model.world)
    assert np.isfinite(dl.simulate(model, until=0.05, step=0.01, progress=False).q).all()


@pytest.mark.parametrize("wrong", [math.nan, math.inf])
def test_starts_that_are_no_numbers(wrong):
    def started(**options):
        model = dl.Model("start")
        body = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), **options)
        model.add_shape(dl.Sphere(0.1), on=body)
        dl.simulate(model, until=0.1, step=0.01, progress=False)

    for options in ({"position": (0, wrong, 0)}, {"velocity": (wrong, 0, 0)}):
        with pytest.raises(DalembertError, match="ball"):
            started(**options)


def test_a_state_beyond_all_numbers_ends_by_name():
    """Not in the search for contacts: a body is pushed until its place is no place."""
    model = placed((0, 0, 1.0))
    model.add_shape(dl.HeightField(np.zeros((3, 3)), size=(2, 2)))
    model.add_force(dl.Force(model.bodies["b0"], value=(1e140 * dl.time, 0, 0)))
    with pytest.raises(dl.errors.StepSizeError, match=r"b0.*faster than") as failure:
        dl.simulate(model, until=1.0, step=0.01, progress=False)
    assert np.isfinite(failure.value.solution.q).all()


def test_forest_too_large_for_one_matrix_is_refused_or_left_to_bodies():
    model = dl.Model("forest", gravity=(0, 0, -9.81))
    model.add_shape(dl.Plane())
    for k in range(220):
        place = (4.0 * k, 0, 1.0)
        body = model.add_body(f"b{k}", dl.Inertia.sphere(1.0, 0.1), position=place)
        model.add_shape(dl.Sphere(0.1), on=body)
    options = {"until": 2e-3, "step": 1e-3, "method": dl.ContactImpulse()}
    with pytest.raises(OptionError, match=r"1320 velocities are too many.*maximal"):
        dl.simulate(model, formulation="generalized", **options)
    assert np.isfinite(dl.simulate(model, **options).v).all()


@pytest.mark.parametrize(("step", "order"), [(0.02, 1), (0.5, 1), (10.0, 1), (0.02, 2), (0.5, 2)])
@pytest.mark.parametrize("hung", [False, True])
def test_what_falls_from_rest_does_not_fall_through(step, order, hung):
    """Its speed does not tell of the floor: the first step is as long as the fall, or longer."""
    model = dl.Model("dropped")
    model.add_shape(dl.Plane())
    inertia = dl.Inertia.box(1.0, size=(0.2, 0.2, 0.2))
    box = model.add_body("box", inertia, position=(0, 0, 0.1 + 0.4 * 9.81 * step**2))
    model.add_shape(dl.Box(0.2, 0.2, 0.2), on=box)
    if hung:
        model.add_joint(dl.Prismatic(model.world, box, axis="z", name="guide"))
    method = dl.ContactImpulse(order=order)
    solution = dl.simulate(model, until=12 * step, step=step, method=method)
    lowest = solution[box.z].min() if not hung else solution.q[:, 2].min()
    assert lowest > 0.1 - 1e-5
    assert solution.q[-1, 2] == pytest.approx(0.1, abs=1e-5)
