"""Actuators: laws, gear, limits, commands, what they say about mistakes."""

import pickle

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import ModelError, OptionError

EPS = np.finfo(float).eps
MASS, LENGTH, GRAVITY = 1.3, 0.8, 9.81
INERTIA = MASS * LENGTH**2 / 3


def arm():
    """A rod on a hinge about y; its angle is 0 along x, and gravity turns it to positive angles."""
    model = dl.Model("arm")
    rod = model.add_body("rod", dl.Inertia.rod(mass=MASS, length=LENGTH))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-LENGTH / 2), axis="y", name="hinge"))
    return model, rod, hinge


def cart():
    model = dl.Model("cart", gravity=(0, 0, 0))
    block = model.add_body("block", dl.Inertia.box(mass=2.0, size=(1, 1, 1)))
    return model, model.add_joint(dl.Prismatic(model.world, block, axis="x", name="rail"))


def test_position_servo_is_a_spring_and_damper():
    kp, kd, target = 80.0, 8.0, 0.5
    model, _, hinge = arm()
    model.add_force(dl.PositionServo(hinge, kp=kp, kd=kd, command=target, name="servo"))
    servo = dl.simulate(model, until=2.0, step=1e-3)
    model, rod, hinge = arm()
    spring = kp * (target - hinge.angle) - kd * hinge.angle.dot
    model.add_force(dl.Torque(rod, about="y", value=spring, name="spring"))
    formula = dl.simulate(model, until=2.0, step=1e-3)
    assert np.abs(servo.q - formula.q).max() < 1e-12
    other, _, hinge = arm()
    other.add_force(dl.TorsionSpring(hinge, stiffness=kp, damping=kd, free_angle=target))
    assert np.abs(dl.simulate(other, until=2.0, step=1e-3).q - servo.q).max() < 1e-12


def test_position_servo_sags_by_what_the_weight_asks_for():
    kp, target = 60.0, 0.3
    model, _, hinge = arm()
    model.add_force(dl.PositionServo(hinge, kp=kp, kd=9.0, command=target, name="servo"))
    solution = dl.simulate(model, until=20.0, step=1e-3, every=100)
    angle = solution[hinge.angle][-1]
    # kp (target - angle) + m g l/2 cos(angle) = 0
    weight = MASS * GRAVITY * LENGTH / 2 * np.cos(angle)
    assert abs(kp * (target - angle) + weight) < 1e-9 * weight
    assert abs(solution["servo.effort"][-1] + weight) < 1e-9 * weight


def test_velocity_servo_reaches_the_speed_by_its_time_constant():
    kd, wanted = 3.0, 4.0
    model, rail = cart()
    model.add_force(dl.VelocityServo(rail, kd=kd, command=wanted, name="servo"))
    solution = dl.simulate(model, until=2.0, step=1e-2)
    exact = wanted * (1.0 - np.exp(-kd / 2.0 * solution.t))
    assert np.abs(solution[rail.displacement.dot] - exact).max() < 1e-7
    assert np.allclose(solution["servo.effort"], kd * (wanted - exact), atol=1e-6)


@pytest.mark.parametrize("gear", [1.0, 3.0, -2.0])
def test_gear_multiplies_effort_and_travel(gear):
    model, rail = cart()
    model.add_force(
        dl.Actuator(rail, gain=2.0, bias=(0.5, -3.0, -0.7), command=1.5, gear=gear, name="drive")
    )
    solution = dl.simulate(model, until=1.0, step=1e-2)
    x, v = solution[rail.displacement], solution[rail.displacement.dot]
    force = 2.0 * 1.5 + 0.5 - 3.0 * gear * x - 0.7 * gear * v
    assert np.allclose(solution["drive.effort"], gear * force, rtol=0, atol=1e-13 * 20)
    assert np.allclose(solution.a[:, 0] * 2.0, solution["drive.effort"], atol=1e-12)


def test_the_general_actuator_contains_the_others():
    same = {
        "DirectDrive": ({}, {"gain": 1.0}),
        "VelocityServo": ({"kd": 4.0}, {"gain": 4.0, "bias": (0, 0, -4.0)}),
        "PositionServo": ({"kp": 9.0, "kd": 2.0}, {"gain": 9.0, "bias": (0, -9.0, -2.0)}),
    }
    for name, (own, general) in same.items():
        found = []
        for made in (getattr(dl, name), dl.Actuator):
            model, _, hinge = arm()
            options = own if made is not dl.Actuator else general
            model.add_force(made(hinge, command=0.4, gear=1.5, name="drive", **options))
            found.append(dl.simulate(model, until=1.0, step=1e-2).q)
        assert np.abs(found[0] - found[1]).max() < 1e-13, name


def test_limits_hold_exactly():
    model, _, hinge = arm()
    model.add_force(
        dl.PositionServo(
            hinge, kp=400.0, kd=5.0, command=1.0, limits=(-3.0, 7.0), gear=2.0, name="servo"
        )
    )
    solution = dl.simulate(model, until=3.0, step=1e-3)
    effort = solution["servo.effort"]
    assert effort.max() == 14.0  # gear * limit, to the bit
    assert effort.min() >= -6.0
    assert (effort == 14.0).sum() > 10
    inside = (effort > -6.0) & (effort < 14.0)
    assert inside.any()
    angle, speed = solution[hinge.angle], solution[hinge.angle.dot]
    plain = 2.0 * (400.0 * (1.0 - 2.0 * angle) - 5.0 * 2.0 * speed)
    assert np.allclose(effort[inside], plain[inside], rtol=1e-12)
    assert np.array_equal(effort, np.clip(plain, -6.0, 14.0)) or np.allclose(
        effort, np.clip(plain, -6.0, 14.0), rtol=1e-12
    )


def test_command_limits_hold_the_command():
    model, rail = cart()
    wave = 5.0 * np.sin(3.0 * dl.time)
    model.add_force(dl.DirectDrive(rail, command=wave, command_limits=2.0, name="drive"))
    solution = dl.simulate(model, until=3.0, step=1e-2)
    expected = np.clip(5.0 * np.sin(3.0 * solution.t), -2.0, 2.0)
    assert np.abs(solution["drive.effort"] - expected).max() < 4 * EPS * 5


def test_full_turns_count():
    model = dl.Model("wheel", gravity=(0, 0, 0))
    disc = model.add_body("disc", dl.Inertia.cylinder(mass=1.0, radius=0.5, length=0.1))
    hinge = model.add_joint(dl.Revolute(model.world, disc, axis="z", name="hinge"))
    model.add_force(dl.PositionServo(hinge, kp=4.0, kd=1.0, command=20.0, name="servo"))
    solution = dl.simulate(model, until=30.0, step=1e-2)
    assert abs(solution[hinge.angle][-1] - 20.0) < 1e-6
    assert solution[hinge.angle].max() > 6 * np.pi


def test_energy_and_work_balance():
    model, _, hinge = arm()
    model.add_force(
        dl.PositionServo(hinge, kp=50.0, kd=4.0, command=np.sin(2 * dl.time), name="servo")
    )
    model.add_force(dl.VelocityServo(hinge, kd=0.5, command=1.0, name="other"))
    solution = dl.simulate(model, until=2.0, step=1e-3)
    assert np.abs(solution.balance.residual).max() < 1e-8
    assert np.abs(solution.work("servo")).max() > 1.0
    rate = solution["servo.effort"] * solution[hinge.angle.dot]
    assert np.allclose(solution.power("servo"), rate, atol=1e-12)
    assert model.conservative is False


def test_a_command_may_be_a_parameter_and_change_without_compiling():
    model, rail = cart()
    (push,) = dl.parameters(push=1.0)
    model.add_force(dl.DirectDrive(rail, command=push, name="drive"))
    for value in (1.0, -3.0):
        solution = dl.simulate(model, until=1.0, step=0.1, parameters={"push": value})
        assert abs(solution[rail.displacement][-1] - value / 4.0) < 1e-12


def test_bodies_with_angles_have_drives_and_speed_servos():
    model = dl.Model("wheel", gravity=(0, 0, 0))
    disc = model.add_body(
        "disc", dl.Inertia.box(mass=1.0, size=(1, 1, 1)), orientation="roll-pitch-yaw"
    )
    hinge = model.add_joint(dl.Revolute(model.world, disc, axis="z", name="hinge"))
    model.add_force(dl.VelocityServo(hinge, kd=1.0, command=2.0, name="servo"))
    solution = dl.simulate(model, until=3.0, step=1e-2)
    exact = 2.0 * (1.0 - np.exp(-solution.t * 6.0))
    assert np.abs(solution["disc.yaw.dot"] - exact).max() < 1e-6
    with pytest.raises(ModelError, match="turns"):
        model.add_force(dl.PositionServo(hinge, kp=1.0))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda h: dl.PositionServo(h, kp=-1.0), "kp is -1. Give a positive number"),
        (lambda h: dl.PositionServo(h, kp=1.0, kd=-2.0), "kd is -2. Give a number that is not"),
        (lambda h: dl.VelocityServo(h, kd=0.0), "kd is 0. Give a positive number"),
        (lambda h: dl.DirectDrive(h, gear=0.0), "gear is 0"),
        (lambda h: dl.DirectDrive(h, limits=(2.0, -2.0)), "limits are 2 and -2. Give the lower"),
        (lambda h: dl.DirectDrive(h, limits=(1.0, 2.0, 3.0)), "Give a number, or a pair"),
        (lambda h: dl.DirectDrive(h, limits="much"), "limits is 'much', not a number"),
        (lambda h: dl.DirectDrive(h, limits=float("inf")), "finite"),
        (lambda h: dl.DirectDrive(h, command="full"), "command"),
        (lambda h: dl.DirectDrive(h, coordinate="displacement"), "has no displacement"),
        (lambda h: dl.DirectDrive("elbow"), "there is no joint 'elbow'"),
        (lambda h: dl.Actuator(h, bias=(1.0, 2.0)), "Give 3 numbers"),
    ],
)
def test_mistakes_are_told(make, said):
    model, _, hinge = arm()
    with pytest.raises(ModelError, match=said.replace("(", r"\(")):
        model.add_force(make(hinge))
    assert not model.forces


def test_what_has_no_effort_says_so():
    model, rod, hinge = arm()
    model.add_force(dl.Torque(rod, about="y", value=1.0, name="plain"))
    model.add_force(dl.DirectDrive(hinge, name="drive"))
    solution = dl.simulate(model, until=0.1, step=1e-2)
    with pytest.raises(OptionError, match=r"no signal 'plain\.effort'"):
        solution["plain.effort"]
    with pytest.raises(OptionError, match=r"Did you mean 'drive\.effort'"):
        solution["drive.efort"]
    assert list(model.actuators) == ["drive"]


def test_actuators_go_through_files_and_pickles(tmp_path):
    from dalembert.importers.writing import save_model

    model, _, hinge = arm()
    model.add_force(
        dl.PositionServo(
            hinge,
            kp=9.0,
            kd=1.0,
            gear=2.0,
            limits=(-1, 2),
            command_limits=3,
            command=np.sin(dl.time) + hinge.angle,
            name="a",
        )
    )
    model.add_force(dl.VelocityServo(hinge, kd=1.0, command=2.0, name="b"))
    model.add_force(dl.DirectDrive(hinge, command=1.0, name="c"))
    model.add_force(dl.Actuator(hinge, gain=2.0, bias=(1, 2, 3), name="d"))
    first = dl.simulate(model, until=0.5, step=1e-2)
    for again in (
        dl.load(save_model(model, tmp_path / "m.yaml")),
        pickle.loads(pickle.dumps(model)),
    ):
        assert repr(again.forces) == repr(model.forces)
        assert np.array_equal(dl.simulate(again, until=0.5, step=1e-2).q, first.q)
