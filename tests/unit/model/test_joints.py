import inspect
import pickle

import numpy as np
import pytest
from tests.unit.model.mechanisms import AXIS, BOX, JOINTS, helix, numbers, two_bodies

import dalembert as dl
from dalembert.errors import ModelError
from dalembert.formulas.derivative import time_derivative
from dalembert.formulas.graph import symbols
from dalembert.formulas.orientation import turns
from dalembert.model.joints import JOINTS as TABLE

EPS = np.finfo(float).eps


@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.parametrize("swapped", [False, True])
def test_rows_and_their_rates_vanish_where_the_joint_places_a_body(kind, swapped):
    model, joint = two_bodies(kind, JOINTS[kind])
    if swapped:  # the known body is the second one
        model = dl.Model()
        base = model.add_body("base", BOX, position=(1, 2, 3), angular_velocity=(0.3, 0.2, 0.1))
        arm = model.add_body("arm", BOX)
        joint = model.add_joint(getattr(dl, kind)(arm.at(x=0.3), base.at(y=-0.2), **JOINTS[kind]))
    rows, _ = joint.formulas()
    assert len(rows) == len(joint.row_labels) == len(joint)
    np.testing.assert_allclose(numbers(rows, model), 0.0, atol=40 * EPS)
    np.testing.assert_allclose(numbers(time_derivative(rows), model), 0.0, atol=100 * EPS)


@pytest.mark.parametrize("kind", JOINTS)
def test_rows_have_full_rank_over_the_range_of_the_joint(kind):
    """No loss at 90 or 180 degrees: the smallest singular value of J stays away from zero."""
    from dalembert.formulas.derivative import jacobian

    if kind in ("Universal", "ConstantVelocity", "Fixed", "Spherical", "Prismatic"):
        starts = [JOINTS[kind].get("initial")]
    else:
        starts = np.linspace(-np.pi, np.pi, 9)
    for start in starts:
        options = dict(JOINTS[kind])
        if kind == "Cylindrical":
            options["initial"] = (start, 0.2)
        elif kind == "Planar":
            options["initial"] = (0.1, 0.2, start)
        elif kind == "Compound":
            options["initial"] = (0.2, start, -start)
        elif start is not None:
            options["initial"] = start
        model, joint = two_bodies(kind, options)
        rows, _ = joint.formulas()
        J = np.array(jacobian(time_derivative(rows), model.velocities), dtype=object)
        sigma = np.linalg.svd(numbers(J, model), compute_uv=False)
        assert len(sigma) == len(rows)
        assert sigma[-1] > 0.1


@pytest.mark.parametrize(
    ("kind", "options", "place"),
    [
        ("Distance", {"length": 0.5}, (0.3, 0.4, 0.0)),
        ("PointOnLine", {"axis": (3, 4, 0)}, (0.3, 0.4, 0.0)),
        ("PointOnPlane", {"axis": (4, -3, 1)}, (0.3, 0.4, 0.0)),
        ("PointOnCurve", {"curve": helix}, (0.5 * np.cos(0.3), 0.5 * np.sin(0.3), 0.3)),
        ("PointOnCurve", {"curve": lambda x, y, z: x**2 + y**2 + z**2 - 0.25}, (0.3, 0.4, 0.0)),
    ],
)
def test_rows_of_joints_that_hold_a_point(kind, options, place):
    model = dl.Model()
    body = model.add_body("body", BOX, position=place, rotation=("y", 0.3))
    joint = model.add_joint(getattr(dl, kind)(model.world, body, **options))
    rows, _ = joint.formulas()
    assert len(rows) == len(joint)
    np.testing.assert_allclose(numbers(rows, model), 0.0, atol=10 * EPS)
    moved = dl.Model()
    body = moved.add_body("body", BOX, position=np.add(place, (0.1, -0.2, 0.3)))
    joint = moved.add_joint(getattr(dl, kind)(moved.world, body, **options))
    assert np.abs(numbers(joint.formulas()[0], moved)).max() > 0.01


def test_a_disc_rolls_where_it_touches():
    lean, turn = 0.4, 2.0
    model = dl.Model()
    # axis y leaning from the horizontal about x; the centre is r cos(lean) high
    disc = model.add_body(
        "disc",
        dl.Inertia.cylinder(mass=1.0, radius=0.5, length=0.1, axis="y"),
        position=(1.0, 2.0, 0.5 * np.cos(lean)),
        rotation=("x", lean),
        angular_velocity=(0.0, turn * np.cos(lean), turn * np.sin(lean)),
        velocity=(turn * 0.5, 0.0, 0.0),
    )
    joint = model.add_joint(dl.Rolling(model.world, disc, radius=0.5, axis="y"))
    rows, slip = joint.formulas()
    assert (len(rows), len(slip), len(joint)) == (1, 2, 3)
    np.testing.assert_allclose(numbers([*rows, *slip], model), 0.0, atol=10 * EPS)
    np.testing.assert_allclose(numbers(time_derivative(rows), model), 0.0, atol=10 * EPS)


def gears(**options):
    model = dl.Model()
    wheels = [model.add_body(name, BOX) for name in ("a", "b")]
    first = model.add_joint(dl.Revolute(model.world, wheels[0], initial=-0.6, name="hinge_a"))
    second = model.add_joint(
        dl.Revolute(
            model.world.at(x=1.0), wheels[1], initial=0.3, initial_speed=2.0, name="hinge_b"
        )
    )
    return model, first, second


def test_gears_rack_and_coupler_relate_joint_coordinates():
    model, first, second = gears()
    bar = model.add_body("bar", BOX)
    slide = model.add_joint(dl.Prismatic(model.world, bar, axis="x", initial=0.5, name="slide"))
    mesh = model.add_joint(dl.Gear(first, "hinge_b", ratio=-2.0))
    rack = model.add_joint(dl.RackPinion(second, slide, radius=0.5, offset=0.35))
    sum_of_three = model.add_joint(
        dl.Coupler([(1.0, first), (3.0, second), (2.0, slide)], offset=1.3)
    )
    for joint in (mesh, rack, sum_of_three):
        rows, _ = joint.formulas()
        np.testing.assert_allclose(numbers(rows, model), 0.0, atol=10 * EPS)
    assert mesh.counts_turns
    assert len(mesh.angles(mesh.views)) == 2
    (turning,) = numbers(time_derivative(rack.formulas()[0]), model)
    assert turning == pytest.approx(-0.5 * 2.0)


def test_turns_enter_the_relation_of_angles():
    model, first, second = gears()
    mesh = model.add_joint(dl.Gear(first, second, ratio=-2.0))
    turns = [2 * np.pi, -np.pi]
    rows = mesh.rows(mesh.views, [1.0, 2.0, 0.0], turns)
    np.testing.assert_allclose(numbers(rows, model), 0.0, atol=10 * EPS)


def test_a_driven_joint_starts_on_its_formula():
    model = dl.Model()
    arm = model.add_body("arm", BOX)
    hinge = model.add_joint(dl.Revolute(model.world, arm, axis="y", name="hinge"))
    drive = model.add_joint(dl.Motion(hinge, value=0.4 + 3.0 * np.sin(2 * dl.time)))
    rows, _ = drive.formulas()
    np.testing.assert_allclose(numbers(rows, model), 0.0, atol=4 * EPS)
    np.testing.assert_allclose(numbers(time_derivative(rows), model), 0.0, atol=4 * EPS)
    assert model.initial["arm.wy"] == pytest.approx(6.0)
    assert numbers([hinge.angle], model)[0] == pytest.approx(0.4)


@pytest.mark.parametrize("coordinate", ["x", "y", "z", "roll", "pitch", "yaw"])
def test_any_coordinate_of_a_body_can_be_prescribed(coordinate):
    model = dl.Model()
    body = model.add_body(
        "body",
        BOX,
        position=(0.1, 0.2, 0.3),
        rotation=dl.Rotation.from_roll_pitch_yaw(0.4, -0.5, 0.6),
        angular_velocity=(1, 2, 3),
        velocity=(0.3, 0.2, 0.1),
    )
    value = {"x": 0.1, "y": 0.2, "z": 0.3, "roll": 0.4, "pitch": -0.5, "yaw": 0.6}[coordinate]
    drive = model.add_joint(dl.Motion(body, coordinate=coordinate, value=value + dl.time))
    rows, _ = drive.formulas()
    np.testing.assert_allclose(numbers(rows, model), 0.0, atol=4 * EPS)
    assert numbers([getattr(body, coordinate)], model)[0] == pytest.approx(value)
    with_formula = model.add_joint(
        dl.Motion(getattr(body, coordinate), value=value, name="formula")
    )
    assert with_formula.kind == "holonomic"


def test_angle_and_displacement_are_read_from_the_motion():
    model, joint = two_bodies("Cylindrical", JOINTS["Cylindrical"])
    assert numbers([joint.angle, joint.displacement], model) == pytest.approx([0.7, 0.2])
    rates = time_derivative([joint.angle, joint.displacement])
    assert numbers(rates, model) == pytest.approx([1.3, -0.4])
    assert turns("joint") in symbols([joint.angle], "coordinate")


def test_axis_of_a_joint_leaves_both_frames_together():
    for axis in ("x", "-y", "z", AXIS):
        model = dl.Model()
        body = model.add_body("body", BOX)
        joint = model.add_joint(dl.Revolute(model.world, body, axis=axis))
        a, b = (numbers(view.axes, model) for view in joint.views)
        np.testing.assert_allclose(a, b, atol=4 * EPS)
        wanted = dl.Rotation.about(axis, 0.0) and np.asarray(
            {"x": (1, 0, 0), "-y": (0, -1, 0), "z": (0, 0, 1)}.get(axis, axis), dtype=float
        )
        np.testing.assert_allclose(a[:, 2], wanted / np.linalg.norm(wanted), atol=4 * EPS)
        assert np.linalg.det(a) == pytest.approx(1.0)


def test_labels_name_the_axes_of_the_first_frame():
    """Row i vanishes under the motions left free, not under the one its label names."""
    from dalembert.formulas.derivative import jacobian

    for kind, axis in (("Revolute", "x"), ("Revolute", "y"), ("Prismatic", "y"), ("Planar", "x")):
        model = dl.Model()
        body = model.add_body("body", dl.Inertia.sphere(1.0, 1.0))
        joint = model.add_joint(getattr(dl, kind)(model.world, body, axis=axis))
        J = numbers(
            np.array(jacobian(time_derivative(joint.formulas()[0]), model.velocities)), model
        )
        for row, label in zip(J, joint.row_labels, strict=True):
            column = "xyz".index(label[-1]) + 3 * label.startswith("rotation")
            assert np.flatnonzero(np.abs(row) > 1e-12).tolist() == [column], (kind, label)


def test_every_joint_is_public_readable_and_copied():
    for name, kind in TABLE.items():
        assert getattr(dl, name) is kind
        assert "Examples" in inspect.getdoc(kind)
        parameters = inspect.signature(kind).parameters.values()
        positional = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        assert len(positional) <= 2
    model, joint = two_bodies("Revolute", JOINTS["Revolute"])
    again = pickle.loads(pickle.dumps(model))
    assert again.joints["joint"].frames[0].body is again.bodies["base"]
    assert repr(again.joints) == repr(model.joints)
    assert repr(joint).startswith("Revolute(base.at(x=0.3")


# -- what is refused -------------------------------------------------------------------------------


def joined(make):
    model = dl.Model("m")
    a, b = model.add_body("left", BOX), model.add_body("right", BOX)
    a.at(x=1.0, name="tip")
    hinge = model.add_joint(dl.Revolute(model.world, a, name="hinge"))
    return model.add_joint(make(model, a, b, hinge))


def foreign():
    return dl.Model("other").add_body("left", BOX)


NAN = float("nan")
REFUSED = {
    "zero axis": (
        lambda m, a, b, h: dl.Revolute(a, b, axis=(0, 0, 0), name="elbow"),
        r"joint 'elbow': axis \(0, 0, 0\) has no direction. Give a nonzero vector",
    ),
    "axis of two": (lambda m, a, b, h: dl.Revolute(a, b, axis=(0, 1)), "Give 3 finite numbers"),
    "axis NaN": (lambda m, a, b, h: dl.Prismatic(a, b, axis=(0, 1, NAN)), "finite numbers"),
    "axis name": (lambda m, a, b, h: dl.Screw(a, b, axis="w", pitch=1), "axis 'w' is unknown"),
    "itself": (
        lambda m, a, b, h: dl.Spherical(a.at(x=1), a.at(x=2), name="knot"),
        "joint 'knot': both its frames are on 'left'. Join two different bodies",
    ),
    "world to world": (lambda m, a, b, h: dl.Fixed(m.world, m.world.at(x=1)), "on 'world'"),
    "unknown body": (
        lambda m, a, b, h: dl.Fixed("lft", b),
        "there is no body 'lft'; did you mean 'left'",
    ),
    "unknown frame": (
        lambda m, a, b, h: dl.Fixed("left/tp", b),
        "body 'left' has no frame 'tp'; did you mean 'tip'",
    ),
    "not a frame": (lambda m, a, b, h: dl.Fixed(3.0, b), "neither a frame nor a body"),
    "other model": (
        lambda m, a, b, h: dl.Fixed(foreign(), b, name="j"),
        "joint 'j': 'left' is a body of another model",
    ),
    "name twice": (
        lambda m, a, b, h: dl.Fixed(a, b, name="hinge"),
        "joint 'hinge': there is a joint of that name already",
    ),
    "name with a slash": (lambda m, a, b, h: dl.Fixed(a, b, name="a/b"), "contains ':' or '/'"),
    "name of a number": (lambda m, a, b, h: dl.Fixed(a, b, name=3), "Give a text"),
    "length zero": (
        lambda m, a, b, h: dl.Distance(a, b, length=0.0, name="rod"),
        "joint 'rod': length is 0. Give a positive distance, or use Spherical",
    ),
    "length NaN": (lambda m, a, b, h: dl.Distance(a, b, length=NAN), "length is nan"),
    "start of a coordinate": (
        lambda m, a, b, h: dl.Revolute(a, b, initial=h.angle),
        "initial depends on",
    ),
    "start too short": (lambda m, a, b, h: dl.Planar(a, b, initial=(1, 2)), "Give 3 numbers"),
    "arms not square": (
        lambda m, a, b, h: dl.Universal(a, b, axis="x", second_axis=(1, 1, 0)),
        "are not at right angles",
    ),
    "rolling radius": (lambda m, a, b, h: dl.Rolling(m.world, b, radius=-1), "positive radius"),
    "rolling normal": (
        lambda m, a, b, h: dl.Rolling(m.world, b, radius=1, normal=(0, 0, 0)),
        "normal .* has no direction",
    ),
    "curve of three": (
        lambda m, a, b, h: dl.PointOnCurve(a, b, curve=lambda x, y, z: (x, y, z)),
        "the curve has 3 formulas",
    ),
    "curve of a body": (
        lambda m, a, b, h: dl.PointOnCurve(a, b, curve=lambda x, y, z: (x - a.x, y)),
        "the curve contains left",
    ),
    "curve of nothing": (
        lambda m, a, b, h: dl.PointOnCurve(a, b, curve=lambda x, y, z: (x, 1.0)),
        "contains none of x, y, z",
    ),
    "gear ratio": (lambda m, a, b, h: dl.Gear(h, h, ratio=0), "ratio is 0"),
    "gear of one": (lambda m, a, b, h: dl.Gear(h, h, ratio=2), "relates a joint to itself"),
    "gear of a stranger": (
        lambda m, a, b, h: dl.Gear(h, dl.Revolute(a, b), ratio=2),
        "is no joint of this model. Use what add_joint returned",
    ),
    "gear of an unknown": (
        lambda m, a, b, h: dl.Gear("hing", "b", ratio=2),
        "no joint 'hing'; did you mean 'hinge'",
    ),
    "rack without slide": (
        lambda m, a, b, h: dl.RackPinion(h, h, radius=1),
        r"joint 'hinge' \(revolute\) has no displacement. It has: angle",
    ),
    "coupler of nothing": (lambda m, a, b, h: dl.Coupler([]), "couples nothing"),
    "coupler of numbers": (lambda m, a, b, h: dl.Coupler([1, 2]), r"parts\[0\] is 1"),
    "motion of a coordinate": (
        lambda m, a, b, h: dl.Motion(h, value=a.x),
        "Use time and parameters",
    ),
    "motion of what": (
        lambda m, a, b, h: dl.Motion(a, value=0.0, coordinate="angle"),
        "coordinate 'angle' of a body is unknown",
    ),
    "motion of the world": (
        lambda m, a, b, h: dl.Motion(m.world, value=0.0, coordinate="x"),
        "the world does not move",
    ),
    "no joint": (lambda m, a, b, h: "hinge", "is no joint. Give for example dl.Revolute"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    make, words = REFUSED[case]
    with pytest.raises(ModelError, match=words):
        joined(make)


def test_a_joint_outside_a_model_says_so():
    model = dl.Model()
    joint = dl.Revolute(model.world, "arm")
    with pytest.raises(ModelError, match="is part of no model yet"):
        _ = joint.frames
