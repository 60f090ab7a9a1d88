"""Frames, formulas of bodies with quaternions, and where bodies are at the start."""

import copy
import pickle

import numpy as np
import pytest
from tests.unit.model.mechanisms import BOX, TILT, numbers

import dalembert as dl
from dalembert.errors import ModelError
from dalembert.formulas.derivative import time_derivative
from dalembert.model.basics.frame import World

EPS = np.finfo(float).eps
ROD = dl.Inertia.rod(mass=1.0, length=1.0)


def ship(inertia=BOX, **options):
    model = dl.Model()
    given = {
        "position": (1.0, 2.0, 3.0),
        "rotation": TILT,
        "velocity": (0.1, 0.2, 0.3),
        "angular_velocity": (1.0, -2.0, 0.5),
    }
    return model, model.add_body("ship", inertia, **(given | options))


# -- formulas --------------------------------------------------------------------------------------


@pytest.mark.parametrize("inertia", [BOX, ROD])
def test_formulas_of_a_body_with_quaternion(inertia):
    model, body = ship(inertia)
    np.testing.assert_allclose(numbers(body.position, model), (1, 2, 3), atol=4 * EPS)
    np.testing.assert_allclose(numbers(body.velocity, model), (0.1, 0.2, 0.3), atol=4 * EPS)
    np.testing.assert_allclose(numbers(body.rotation, model), TILT.matrix, atol=4 * EPS)
    np.testing.assert_allclose(numbers(body.angular_velocity, model), (1, -2, 0.5))
    np.testing.assert_allclose(numbers(body.quaternion, model), TILT.quaternion)
    angles = numbers([body.roll, body.pitch, body.yaw], model)
    np.testing.assert_allclose(angles, (0.3, -0.4, 0.7), atol=4 * EPS)
    assert [body.x, body.y, body.z] == list(body.position)


def test_velocity_is_the_derivative_of_position():
    model, body = ship()
    frame = body.at(x=0.3, y=-0.1, z=0.7, rotation=("x", 0.2))
    for moving, rate in ((frame.position, frame.velocity), (body.position, body.velocity)):
        found = numbers(time_derivative(list(moving)), model)
        np.testing.assert_allclose(found, numbers(rate, model), atol=10 * EPS)
    R = numbers(frame.rotation, model)
    W = numbers(np.reshape(time_derivative(list(frame.rotation.ravel())), (3, 3)), model) @ R.T
    np.testing.assert_allclose([W[2, 1], W[0, 2], W[1, 0]], (1, -2, 0.5), atol=10 * EPS)


def test_names_of_the_state_follow_the_centre_of_mass():
    _, centered = ship(ROD)
    assert centered.state_names == ("ship.x", "ship.y", "ship.z", *centered.state_names[3:])
    assert centered.x is centered.state_symbols[0]
    assert centered.state_names[3:] == ("ship.qw", "ship.qx", "ship.qy", "ship.qz")
    assert centered.velocity_names[0] == "ship.x.dot"
    assert centered.velocity_names[3:] == ("ship.wx", "ship.wy", "ship.wz")
    model, body = ship()
    assert body.state_names[:3] == ("ship.center_x", "ship.center_y", "ship.center_z")
    assert model.coordinates == list(body.state_symbols)
    assert model.velocities == list(body.velocity_symbols)
    arm = TILT.apply(BOX.center)
    found = [model.initial[name] for name in body.state_names[:3]]
    np.testing.assert_allclose(found, np.add((1, 2, 3), arm), atol=4 * EPS)
    found = [model.initial[name] for name in body.velocity_names[:3]]
    np.testing.assert_allclose(
        found, np.add((0.1, 0.2, 0.3), np.cross((1, -2, 0.5), arm)), atol=4 * EPS
    )


def test_energies():
    model, body = ship()
    arm = TILT.apply(BOX.center)
    v = np.add((0.1, 0.2, 0.3), np.cross((1, -2, 0.5), arm))
    w = TILT.inverse.apply((1, -2, 0.5))
    T = (2.0 * v @ v + w @ (np.array(BOX.matrix, dtype=float) @ w)) / 2
    V = 2.0 * 9.81 * (3.0 + arm[2])
    assert numbers([model.kinetic, model.potential], model) == pytest.approx([T, V], rel=1e-14)
    assert model.conservative
    model.add_force(dl.Spring(model.world, body, free_length=1.0, stiffness=3.0))
    length = np.sqrt(14.0)
    V += 3.0 * (length - 1.0) ** 2 / 2
    assert numbers([model.potential], model)[0] == pytest.approx(V, rel=1e-14)
    assert model.conservative
    model.constrain(body.z - 3.0 - 0.1 * np.sin(dl.time), name="lift")
    assert not model.conservative


def test_velocity_constraints_on_turning_do_no_work():
    model, body = ship()
    model.constrain(body.angular_velocity[2], name="no_spin")
    assert model.conservative
    model.constrain(body.angular_velocity[1] - 1.0, name="spin")
    assert not model.conservative


def test_constraint_names_what_it_does_not_know():
    model, body = ship()
    stranger = dl.Model().add_body("boat", ROD)
    with pytest.raises(ModelError, match=r"constraint 'c': contains 'boat\.R"):
        model.constrain(stranger.roll, name="c")
    with pytest.raises(ModelError, match=r"did you mean 'ship\.center_x'"):
        model.constrain(dl.coordinates("shp.center_x")[0], name="c")
    with pytest.raises(ModelError, match="no mass matrix of formulas"):
        _ = model.mass
    hinge = model.add_joint(dl.Revolute(model.world, body, name="hinge"))
    assert model.constrain(hinge.angle - dl.time, name="drive").kind == "holonomic"
    with pytest.raises(ModelError, match="there is a joint of that name already"):
        model.constrain(body.x, name="hinge")


# -- frames ----------------------------------------------------------------------------------------


def test_named_frames_are_found_by_name():
    model, body = ship()
    tip = body.at(x=1.5, name="tip")
    assert body.frames == {"tip": tip}
    assert body.at(x=1.5, name="tip") is tip
    post = model.world.at(z=2.0, name="post")
    joint = model.add_joint(dl.Spherical("world/post", "ship/tip"))
    assert joint.frames == (post, tip)
    with pytest.raises(ModelError, match="frame 'ship/tip': there is a frame of that name"):
        body.at(x=2.0, name="tip")
    with pytest.raises(ModelError, match="cannot be used"):
        body.at(name="the tip")
    with pytest.raises(ModelError, match=r"frame on 'ship': x is nan"):
        body.at(x=float("nan"))
    with pytest.raises(ModelError, match="is no rotation"):
        body.at(rotation=np.ones((3, 3)))
    assert (repr(tip), repr(body.at()), repr(post)) == (
        "Frame(ship/tip)",
        "Frame(ship)",
        "Frame(world/post)",
    )


def test_frames_of_parameters_follow_them():
    (length,) = dl.parameters(length=2.0)
    model = dl.Model()
    rod = model.add_body("rod", ROD)
    model.add_joint(dl.Revolute(model.world, rod.at(x=-length / 2), axis="y"))
    assert model.initial["rod.x"] == 1.0
    longer = model.with_parameters(length=3.0)
    assert longer.initial["rod.x"] == 1.5
    assert model.initial["rod.x"] == 1.0
    assert "length" in model.parameters


def test_the_world_does_not_move():
    world = World()
    frame = world.at(x=1.0, rotation=("z", np.pi / 2))
    model = dl.Model()
    model.add_body("b", ROD)
    np.testing.assert_allclose(numbers(frame.position, model), (1, 0, 0))
    assert not numbers([*frame.velocity, *frame.angular_velocity], model).any()
    np.testing.assert_allclose(numbers(frame.rotation[:, 0], model), (0, 1, 0), atol=EPS)


# -- the start -------------------------------------------------------------------------------------


def crank(order):
    """Slider-crank of program 2; the joints added in the given order."""
    model = dl.Model()
    crank = model.add_body("crank", ROD)
    rod = model.add_body("rod", ROD)
    slider = model.add_body("slider", dl.Inertia.point(mass=1.0))
    joints = [
        dl.Revolute(model.world, crank.at(x=-0.5), axis="y", initial_speed=2.0, name="a"),
        dl.Revolute(crank.at(x=0.5), rod.at(x=-0.5), axis="y", name="b"),
        dl.Revolute(rod.at(x=0.5), slider, axis="y", name="c"),
        dl.Prismatic(model.world, slider, axis="x", name="d"),
    ]
    for k in order:
        model.add_joint(joints[k])
    return model


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (0, 3, 1, 2)])
def test_hinges_place_bodies_before_slides_do(order):
    placed = crank(order).placement()
    assert [placed[name][0][0] for name in ("crank", "rod", "slider")] == [0.5, 1.5, 2.0]
    np.testing.assert_allclose(placed["crank"][2], (0, 0, -1.0), atol=EPS)
    np.testing.assert_allclose(placed["rod"][2], (0, 0, -3.0), atol=4 * EPS)


def test_given_poses_win_and_carry_others():
    model = dl.Model()
    a = model.add_body("a", ROD, position=(0, 0, 5))
    b = model.add_body("b", ROD, rotation=("z", np.pi / 2))
    c = model.add_body("c", ROD)
    model.add_joint(dl.Revolute(model.world, a))
    model.add_joint(dl.Revolute(a, b))
    model.add_joint(dl.Fixed(c.at(x=1.0), b))
    placed = model.placement()
    np.testing.assert_allclose(placed["a"][0], (0, 0, 5))
    np.testing.assert_allclose(placed["b"][0], (0, 0, 5))  # turned as given, placed by its joint
    np.testing.assert_allclose(placed["b"][1][:, 0], (0, 1, 0), atol=EPS)
    np.testing.assert_allclose(placed["c"][0], (0, -1, 5), atol=EPS)


def test_bodies_that_hang_on_nothing_start_at_the_origin():
    model = dl.Model()
    bodies = [model.add_body(name, ROD) for name in "abc"]
    model.add_joint(dl.Spherical(bodies[1].at(x=1), bodies[2].at(x=-1)))
    model.add_joint(dl.Distance(model.world, bodies[0], length=1.0))
    placed = model.placement()
    assert [placed[name][0].tolist() for name in "abc"] == [[0, 0, 0], [0, 0, 0], [2, 0, 0]]


def test_given_turning_carries_the_velocity_of_the_joint():
    model = dl.Model()
    rod = model.add_body("rod", ROD, angular_velocity=(0, 3, 0))
    model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y"))
    free = model.add_body("free", ROD, angular_velocity=(0, 0, 1))
    _, _, v, w = model.placement()["rod"]
    np.testing.assert_allclose(v, (0, 0, -1.5), atol=EPS)
    np.testing.assert_allclose(w, (0, 3, 0))
    assert free.name in model.placement()


def test_angular_velocity_in_body_axes():
    model, _ = ship(axes="body")
    np.testing.assert_allclose(model.placement()["ship"][3], TILT.apply((1, -2, 0.5)))


def test_joints_of_a_turning_base_carry_its_motion():
    """A slide on a turntable: the block is dragged along."""
    model = dl.Model()
    table = model.add_body("table", ROD)
    block = model.add_body("block", ROD)
    model.add_joint(dl.Revolute(model.world, table, initial=np.pi / 2, initial_speed=2.0))
    model.add_joint(dl.Prismatic(table, block, axis="x", initial=3.0, initial_speed=0.5))
    p, _, v, w = model.placement()["block"]
    np.testing.assert_allclose(p, (0, 3, 0), atol=10 * EPS)
    np.testing.assert_allclose(v, (-6, 0.5, 0), atol=20 * EPS)
    np.testing.assert_allclose(w, (0, 0, 2))


def test_a_long_chain_is_placed_at_once():
    model = dl.Model()
    before = model.world.at()
    for k in range(1500):
        link = model.add_body(f"link{k}", ROD)
        model.add_joint(dl.Spherical(before, link.at(x=-0.5)))
        before = link.at(x=0.5)
    assert model.initial["link1499.x"] == pytest.approx(1499.5)
    assert model.row_count == 4500


def test_what_was_set_overrides_the_placement():
    model = crank((0, 1, 2, 3))
    body = model.bodies["slider"]
    model.set_initial({"slider.x": 1.9, body.angular_velocity[1]: 0.5, body.quaternion[0]: 1.0})
    assert (model.initial["slider.x"], model.initial["slider.wy"]) == (1.9, 0.5)
    with pytest.raises(ModelError, match=r"did you mean 'slider\.x'"):
        model.set_initial({"slder.x": 1.0})


def test_a_quaternion_that_was_set_becomes_a_unit_one():
    model, _ = ship()
    model.set_initial({"ship.qw": 3.0, "ship.qx": 0.0, "ship.qy": 4.0, "ship.qz": 0.0})
    assert [model.initial[f"ship.q{c}"] for c in "wxyz"] == pytest.approx([0.6, 0.0, 0.8, 0.0])
    model.set_initial({"ship.qw": 0.0, "ship.qy": 0.0})
    with pytest.raises(ModelError, match="the quaternion of body 'ship' is zero"):
        _ = model.initial


def test_parameters_may_not_make_joints_impossible():
    (length,) = dl.parameters(length=2.0)
    model, body = ship()
    model.add_joint(dl.Distance(model.world, body, length=length, name="rope"))
    with pytest.raises(ModelError, match="joint 'rope': length is 0"):
        model.with_parameters(length=0.0)


def test_copies_and_pickles_keep_bodies_joints_and_forces():
    model = crank((0, 1, 2, 3))
    model.add_force(dl.Torque("crank", about="y", value=5.0))
    for made in (copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert made.initial == model.initial
        assert repr(made.joints) == repr(model.joints)
        assert made.kinetic is model.kinetic
        made.add_body("other", ROD)
        assert "other" not in model.bodies
    assert repr(model) == "Model('model': 3 bodies, 4 joints, 20 constraint rows)"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"position": (1, 2)}, "body 'b': position has 2 entries"),
        ({"velocity": 3.0}, "velocity has 1 entries"),
        ({"angular_velocity": (0, 0, float("inf"))}, "angular_velocity is inf"),
        ({"rotation": (1, 2, 3)}, "Give a dl.Rotation"),
        ({"rotation": np.diag([1, 1, -1])}, "reflection"),
        ({"axes": "ship"}, "axes 'ship' is unknown"),
        ({"position": dl.coordinates("x y z")}, "position depends on x"),
    ],
)
def test_refused_starts(options, words):
    with pytest.raises(ModelError, match=words):
        dl.Model().add_body("b", ROD, **options)


def test_the_name_world_is_taken():
    with pytest.raises(ModelError, match="belongs to what does not move"):
        dl.Model().add_body("world", ROD)
