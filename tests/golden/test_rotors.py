"""Rotors of drives: their inertia acts wherever the joint stands, and every reader knows of it."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dl
from dalembert.errors import ModelError, OptionError

RATE, INERTIA = 6.0, 0.3


def linkage(*driven, ground=1.2, crank=0.4, rod=1.0, rocker=0.9):
    """A four-bar of massless-looking rods whose joint D, or others, has a rotor; no gravity."""
    model = dl.Model("four-bar", gravity=(0, 0, 0))
    angle = 1.0
    x, z = crank * np.cos(angle), crank * np.sin(angle)
    far = np.hypot(ground - x, -z)
    turned = np.arctan2(-z, ground - x) + np.arccos((rod**2 + far**2 - rocker**2) / (2 * rod * far))
    end = x + rod * np.cos(turned), z + rod * np.sin(turned)
    places = {"A": (0, 0), "B": (x, z), "C": end, "D": (ground, 0)}
    bars = {}
    for name, a, b, size in (("crank", "A", "B", crank), ("rod", "B", "C", rod)):
        bars[name] = bar(model, name, places[a], places[b], size)
    bars["rocker"] = bar(model, "rocker", places["D"], places["C"], rocker)
    sides = {
        "A": (model.world.at(), bars["crank"][0]),
        "B": (bars["crank"][1], bars["rod"][0]),
        "C": (bars["rod"][1], bars["rocker"][1]),
        "D": (model.world.at(x=ground), bars["rocker"][0]),
    }
    for name, (a, b) in sides.items():
        more = {"initial_speed": RATE} if name == "A" else {}
        model.add_joint(dl.Revolute(a, b, axis="y", name=name, **more))
    for name in driven:
        model.set_armature(name, INERTIA)
    return model


def bar(model, name, a, b, size):
    """A rod from a to b, and frames at its ends."""
    a, b = np.array(a, float), np.array(b, float)
    middle, turn = (a + b) / 2, np.arctan2(*(b - a)[::-1])
    body = model.add_body(
        name,
        dl.Inertia.rod(mass=1.0, length=size),
        position=(middle[0], 0.0, middle[1]),
        rotation=((0, 1, 0), -turn),
    )
    return body.at(x=-size / 2), body.at(x=size / 2)


@pytest.mark.parametrize("joint", list("ABCD"))
def test_the_energy_tells_of_the_rotor_of_any_joint_of_a_loop(joint):
    """Also of the joint that would close it."""
    model = linkage(joint)
    solution = dl.simulate(model, until=1.0, step=5e-4)
    speed = solution[f"{joint}.angle.dot"]
    bodies = sum(
        0.5 * solution.v[:, 6 * k : 6 * k + 3] @ np.eye(3) * solution.v[:, 6 * k : 6 * k + 3]
        for k in range(3)
    ).sum(axis=1)
    spins = solution.v[:, [4, 10, 16]] ** 2 @ (np.array([0.4, 1.0, 0.9]) ** 2 / 24)
    energy = bodies + spins + 0.5 * INERTIA * speed**2
    assert np.ptp(speed) > 0.1
    assert energy == pytest.approx(energy[0], rel=1e-9)
    assert solution.kinetic == pytest.approx(energy, rel=1e-12)


def test_rotors_that_fill_a_loop_are_refused_by_name():
    with pytest.raises(OptionError, match=r"armature of joint '[ABCD]' has no place"):
        dl.simulate(linkage(*"ABCD"), until=0.1)
    with pytest.raises(ModelError, match="armature of joint"):
        dl.Tree(linkage(*"ABCD"))


def test_a_joint_that_carries_no_body_has_no_rotor():
    model = dl.Model("shaft")
    body = model.add_body("body", dl.Inertia.box(1.0, size=(0.1, 0.1, 0.1)))
    model.add_joint(dl.ConstantVelocity(model.world, body.at(z=0.5), name="joint"))
    model.set_armature("joint", 0.1)
    with pytest.raises(OptionError, match="armature of joint 'joint' has no place"):
        dl.simulate(model, until=0.1)


def pendulum(joint, *armature, **options):
    model = dl.Model("pendulum")
    body = model.add_body("body", dl.Inertia.box(1.0, size=(0.2, 0.3, 0.2)))
    model.add_joint(joint(model.world, body.at(z=0.5), name="joint", **options))
    model.set_armature("joint", *armature)
    return model


def test_one_value_is_that_of_all_coordinates():
    assert pendulum(dl.Universal, 0.2).armature == {"joint": (0.2, 0.2)}
    assert pendulum(dl.Spherical, 0.2).armature == {"joint": (0.2, 0.2, 0.2)}
    both = [dl.linearize(pendulum(dl.Universal, *given)).A for given in ((0.2,), (0.2, 0.2))]
    assert both[0] == pytest.approx(both[1])
    with pytest.raises(ModelError, match="has 3 values, and joint 'joint' 2 coordinates"):
        pendulum(dl.Universal, 0.1, 0.2, 0.3)


def test_a_linear_model_does_not_leave_rotors_out():
    with pytest.raises(OptionError, match="armature of joint 'joint' acts along no coordinate"):
        dl.linearize(pendulum(dl.Spherical, 0.2))


def test_a_session_knows_the_energy_and_the_acceleration_of_rotors():
    model = pendulum(dl.Revolute, 0.2, axis="y", initial=1.0)
    session = dl.Session(model, step=1e-3)
    session.advance(0.2)
    theta = 2 * 0.2**2 / 12 + 0.5**2 + 0.2

    def slope(t, y):
        return [y[1], -9.81 * 0.5 * np.sin(y[0]) / theta]

    angle, rate = solve_ivp(slope, (0, 0.2), [1.0, 0.0], rtol=1e-11, atol=1e-12).y[:, -1]
    assert session.snapshot()["joint.angle"][0] == pytest.approx(angle, abs=1e-9)
    assert session.energy()[0] == pytest.approx(0.5 * theta * rate**2, rel=1e-8)
    run = dl.simulate(model, until=0.2, step=1e-3)
    assert session.measured().a == pytest.approx(run.a[-1], rel=1e-9, abs=1e-12)


def slid_and_turned(kind, *armature):
    """A body on an arm by a joint that slides and turns, away from its centre of mass."""
    model = dl.Model(kind, gravity=(0.3, -2.0, -9.81))
    arm = model.add_body("arm", dl.Inertia(1.0, (0.1, 0.2, 0.3), center=(0.1, 0.05, 0.2)))
    body = model.add_body("body", dl.Inertia(0.7, (0.1, 0.12, 0.13), center=(0.1, -0.05, 0.1)))
    bearing = dl.Revolute(model.world, arm.at(x=-0.5), axis="y", initial=0.3, initial_speed=0.2)
    model.add_joint(bearing)
    a, start = arm.at(0.3, 0.1, 0.2), {"name": "joint"}
    two = {"initial": (0.1, 0.2), "initial_speed": (0.3, -0.4)}
    three = {"initial": (0.1, 0.2, 0.1), "initial_speed": (0.3, -0.4, 0.2)}
    joint = {
        "compound": lambda: dl.Compound(
            a, body, slides=[(1, 0.3, 0.2)], hinges=["y"], **two, **start
        ),
        "cylindrical": lambda: dl.Cylindrical(a, body, axis=(1, 2, 0.5), **two, **start),
        "planar": lambda: dl.Planar(a, body, axis="y", **three, **start),
    }[kind]()
    model.set_armature(model.add_joint(joint), *armature)
    return model


@pytest.mark.parametrize(
    ("kind", "armature"),
    [
        ("compound", (0.2, 0.0)),
        ("compound", (0.2, 0.1)),
        ("cylindrical", (0.1, 0.3)),
        ("planar", (0.2, 0.2, 0.0)),
        ("planar", (0.2, 0.2, 0.2)),
    ],
)
def test_accelerations_of_rotors_that_slide_before_a_hinge_are_those_of_the_run(kind, armature):
    """What is told of the samples is the rate of what was run, and what a session tells."""
    solution = dl.simulate(slid_and_turned(kind, *armature), until=1e-3, step=2e-5)
    names = [f"{body}.{axis}" for body in ("arm", "body") for axis in "xyz"]
    for name in names:
        rate = np.gradient(solution[f"{name}.dot"], solution.t, edge_order=2)
        assert solution[f"{name}.ddot"][5:-5] == pytest.approx(rate[5:-5], rel=1e-6, abs=1e-7)
    told = dl.Session(slid_and_turned(kind, *armature), step=2e-5).snapshot()
    for name in names:
        assert told[f"{name}.ddot"][0] == pytest.approx(solution[f"{name}.ddot"][0], rel=1e-9)
