"""Sensors: what they read, at samples and between them, in formulas, files and exports."""

import csv

import numpy as np
import pytest

import dalembert as dl
from dalembert.errors import ModelError, OptionError

GRAVITY = 9.81


def turntable(speed=3.0):
    """A disc that turns about z; an IMU at radius 0.4, tilted by 0.3 about its y axis."""
    model = dl.Model("turntable")
    disc = model.add_body("disc", dl.Inertia.cylinder(mass=1.0, radius=0.5, length=0.1))
    hinge = model.add_joint(
        dl.Revolute(model.world, disc, axis="z", initial_speed=speed, name="hinge")
    )
    return model, disc, hinge


def test_imu_at_rest_reads_one_g_upwards():
    model = dl.Model("table")
    box = model.add_body("box", dl.Inertia.box(mass=1.0, size=(1, 1, 1)), position=(0, 0, 1))
    model.add_joint(dl.Fixed(model.world.at(z=1.0), box))
    model.add_sensor(dl.IMU(box.at(x=0.3), name="level"))
    model.add_sensor(dl.IMU(box.at(x=0.3, rotation=("x", np.pi / 2)), name="tilted"))
    model.add_sensor(dl.IMU(model.world, name="floor"))
    solution = dl.simulate(model, until=0.1, step=1e-2)
    level = solution.sensor("level").values
    assert np.abs(level - [0, 0, GRAVITY, 0, 0, 0]).max() < 1e-12
    # its y axis points up
    assert np.abs(solution.sensor("tilted").values - [0, GRAVITY, 0, 0, 0, 0]).max() < 1e-12
    assert np.abs(solution.sensor("floor").values - [0, 0, GRAVITY, 0, 0, 0]).max() == 0.0


def test_imu_in_free_fall_reads_nothing_but_its_turning():
    model = dl.Model("thrown")
    ball = model.add_body(
        "ball",
        dl.Inertia.sphere(mass=1.0, radius=0.1),
        velocity=(1, 0, 3),
        angular_velocity=(0, 0, 2.0),
    )
    model.add_sensor(dl.IMU(ball, name="centre"))
    model.add_sensor(dl.IMU(ball.at(x=0.1), name="edge"))
    solution = dl.simulate(model, until=0.5, step=1e-2)
    assert np.abs(solution.sensor("centre").values[:, :3]).max() < 1e-12
    assert np.abs(solution.sensor("edge").values - [-0.4, 0, 0, 0, 0, 2.0]).max() < 1e-12


def test_imu_on_a_turntable_reads_w_squared_r():
    model, disc, _ = turntable(speed=3.0)
    model.add_sensor(dl.IMU(disc.at(x=0.4), name="imu"))
    tilt = 0.3
    model.add_sensor(dl.IMU(disc.at(x=0.4, rotation=("y", tilt)), name="tilted"))
    solution = dl.simulate(model, until=2.0, step=1e-2)
    assert np.abs(solution.sensor("imu").values - [-3.6, 0, GRAVITY, 0, 0, 3.0]).max() < 1e-10
    c, s = np.cos(tilt), np.sin(tilt)
    expected = [-3.6 * c - GRAVITY * s, 0, -3.6 * s + GRAVITY * c, -3.0 * s, 0, 3.0 * c]
    assert np.abs(solution.sensor("tilted").values - expected).max() < 1e-10


def test_imu_feels_angular_acceleration():
    model, disc, hinge = turntable(speed=0.0)
    model.add_force(dl.DirectDrive(hinge, command=0.25, name="motor"))  # 2 rad/s^2
    model.add_sensor(dl.IMU(disc.at(x=0.4), name="imu"))
    solution = dl.simulate(model, until=1.0, step=1e-2)
    shown = solution.sensor("imu")
    assert np.abs(shown["ay"] - 0.8).max() < 1e-10
    assert np.abs(shown["ax"] + 0.4 * (2.0 * solution.t) ** 2).max() < 1e-8


def test_imu_between_samples_follows_the_equations():
    model = dl.Model("pendulum")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    hinge = model.add_joint(dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge"))
    model.add_sensor(dl.IMU(rod.at(x=0.5), name="imu"))
    model.add_sensor(dl.ForceSensor(hinge, frame=rod, name="load"))
    fine = dl.simulate(model, until=1.0, step=1e-3)
    coarse = dl.simulate(model, until=1.0, step=1e-3, every=5)
    for name in ("imu", "load"):
        off = coarse.sensor(name, times=fine.t).values - fine.sensor(name).values
        assert np.abs(off).max() < 1e-8, name
    assert coarse.sensor("imu", times=0.5).values.shape == (1, 6)
    with pytest.raises(OptionError, match="lies outside"):
        coarse.sensor("imu", times=[2.0])


def test_pose_and_twist_agree_with_the_trajectory():
    model = dl.Model("thrown")
    box = model.add_body(
        "box",
        dl.Inertia.box(mass=1.0, size=(0.1, 0.2, 0.3)),
        velocity=(1, 2, 3),
        angular_velocity=(3.0, 0.2, -1.0),
    )
    other = model.add_body(
        "other",
        dl.Inertia.box(mass=1.0, size=(0.3, 0.2, 0.1)),
        position=(1, 0, 0),
        angular_velocity=(0.1, 2.0, 0.4),
    )
    turn = dl.Rotation.from_roll_pitch_yaw(0.4, -0.3, 1.2)
    frame, seen = box.at(0.1, 0.2, 0.3, rotation=turn), other.at(y=0.5, rotation=("x", 0.7))
    model.add_sensor(dl.PoseSensor(frame, name="pose"))
    model.add_sensor(dl.PoseSensor(frame, relative_to=seen, name="relative"))
    model.add_sensor(dl.TwistSensor(frame, name="twist"))
    model.add_sensor(dl.TwistSensor(frame, axes="body", name="own"))
    solution = dl.simulate(model, until=1.0, step=1e-2)
    p, R = solution.trajectory.place(model.sensors["pose"].frame)
    ps, Rs = solution.trajectory.place(model.sensors["relative"].relative_to)
    for name, place, rotation in (
        ("pose", p, R),
        ("relative", np.einsum("kji,kj->ki", Rs, p - ps), np.einsum("kji,kjl->kil", Rs, R)),
    ):
        shown = solution.sensor(name)
        assert np.abs(shown.values[:, :3] - place).max() < 1e-12
        q = shown.values[:, 3:]
        assert np.abs((q**2).sum(axis=1) - 1.0).max() < 1e-12
        assert np.abs(np.diff(q, axis=0)).max() < 0.1  # no jump of sign
        made = [dl.Rotation.from_quaternion(tuple(row)).matrix for row in q]
        assert np.abs(np.array(made) - rotation).max() < 1e-12
    speed, spin = solution.sensor("twist").values[:, :3], solution.sensor("twist").values[:, 3:]
    numeric = np.gradient(p, solution.t, axis=0, edge_order=2)
    assert np.abs(speed - numeric)[5:-5].max() < 2e-3
    own = solution.sensor("own").values
    assert np.abs(own[:, :3] - np.einsum("kji,kj->ki", R, speed)).max() < 1e-12
    assert np.abs(own[:, 3:] - np.einsum("kji,kj->ki", R, spin)).max() < 1e-12


def test_joint_sensor_counts_turns_and_stands_in_formulas():
    model, _, hinge = turntable(speed=0.0)
    encoder = model.add_sensor(dl.JointSensor(hinge, name="encoder"))
    command = 3.0 * (15.0 - encoder["angle"]) - 1.0 * encoder["speed"]
    model.add_force(dl.DirectDrive(hinge, command=command, name="motor"))
    solution = dl.simulate(model, until=20.0, step=1e-2)
    assert abs(solution["encoder.angle"][-1] - 15.0) < 1e-6
    assert np.array_equal(solution["encoder.speed"], solution[hinge.angle.dot])
    assert encoder.signals == ("angle", "speed")


def test_force_sensor_reads_the_reaction_and_effort_the_motor():
    model, _disc, hinge = turntable(speed=1.0)
    motor = model.add_force(dl.VelocityServo(hinge, kd=2.0, command=4.0, name="motor"))
    model.add_sensor(dl.ForceSensor(hinge, name="load"))
    model.add_sensor(
        dl.ForceSensor(hinge, on=model.world, about=model.world.at(x=1.0), name="ground")
    )
    model.add_sensor(dl.EffortSensor(motor, name="torque"))
    solution = dl.simulate(model, until=0.5, step=1e-2)
    assert np.abs(solution.sensor("load").values[:, :3] - [0, 0, GRAVITY]).max() < 1e-12
    ground = solution.sensor("ground").values
    assert np.abs(ground[:, :3] + [0, 0, GRAVITY]).max() < 1e-12
    assert np.abs(ground[:, 4] + GRAVITY).max() < 1e-12  # -9.81 N at x = -1 from there
    assert np.array_equal(solution["torque.effort"], solution["motor.effort"])
    assert abs(solution["torque.effort"][0] - 6.0) < 1e-12
    assert model.sensors["torque"].units == {"effort": "N m"}


def test_sensors_of_bodies_with_angles():
    model = dl.Model("turntable")
    disc = model.add_body(
        "disc",
        dl.Inertia.box(mass=1.0, size=(1, 1, 1)),
        orientation="roll-pitch-yaw",
        angular_velocity=(0, 0, 3.0),
    )
    model.add_joint(dl.Revolute(model.world, disc, axis="z", name="hinge"))
    model.add_sensor(dl.IMU(disc.at(x=0.4), name="imu"))
    model.add_sensor(dl.PoseSensor(disc.at(x=0.4), name="pose"))
    solution = dl.simulate(model, until=1.0, step=1e-2)
    assert np.abs(solution.sensor("imu").values - [-3.6, 0, GRAVITY, 0, 0, 3.0]).max() < 1e-9
    angle = 3.0 * solution.t
    expected = np.stack([0.4 * np.cos(angle), 0.4 * np.sin(angle), np.cos(angle / 2)], axis=1)
    assert np.abs(solution.sensor("pose").values[:, [0, 1, 3]] - expected).max() < 1e-9


def test_export_has_a_column_for_every_signal(tmp_path):
    model, disc, hinge = turntable()
    model.add_sensor(dl.IMU(disc.at(x=0.4), name="imu"))
    model.add_sensor(dl.JointSensor(hinge, name="encoder"))
    solution = dl.simulate(model, until=0.1, step=1e-2)
    with solution.export(tmp_path / "run.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert float(rows[-1]["imu.ax"]) == solution["imu.ax"][-1]
    assert float(rows[-1]["encoder.angle"]) == solution["encoder.angle"][-1]
    solution.save(tmp_path / "run.npz")
    again = dl.load_solution(tmp_path / "run.npz")
    assert np.array_equal(again.sensor("imu").values, solution.sensor("imu").values)


def test_sensors_go_through_files(tmp_path):
    from dalembert.importers.writing import save_model

    model, disc, hinge = turntable()
    motor = model.add_force(dl.DirectDrive(hinge, command=1.0, name="motor"))
    made = [
        dl.IMU(disc.at(x=0.4, rotation=("y", 0.3)), name="imu"),
        dl.JointSensor(hinge, name="encoder"),
        dl.PoseSensor(disc, relative_to=model.world.at(z=1.0), name="pose"),
        dl.TwistSensor(disc, axes="body", name="twist"),
        dl.ForceSensor(hinge, on=disc, frame=disc, about=disc, name="load"),
        dl.EffortSensor(motor, name="torque"),
    ]
    for sensor in made:
        model.add_sensor(sensor)
    again = dl.load(save_model(model, tmp_path / "m.yaml"))
    assert repr(again.sensors) == repr(model.sensors)
    first, second = (dl.simulate(m, until=0.2, step=1e-2) for m in (model, again))
    for name in model.sensors:
        assert np.array_equal(first.sensor(name).values, second.sensor(name).values), name
    text = (tmp_path / "m.yaml").read_text().replace("command: 1.0", "command: -encoder.speed")
    (tmp_path / "n.yaml").write_text(text)
    braked = dl.simulate(dl.load(tmp_path / "n.yaml"), until=0.2, step=1e-2)
    assert np.allclose(braked["motor.effort"], -braked["encoder.speed"], rtol=1e-14)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda m, d, h: dl.IMU("moon"), "there is no body 'moon'"),
        (lambda m, d, h: dl.JointSensor("elbow"), "there is no joint 'elbow'"),
        (lambda m, d, h: dl.JointSensor(h, coordinate="displacement"), "has no displacement"),
        (lambda m, d, h: dl.TwistSensor(d, axes="sideways"), "axes 'sideways' is unknown"),
        (lambda m, d, h: dl.EffortSensor("motor"), "there is no actuator 'motor'"),
        (lambda m, d, h: dl.ForceSensor(h, on="moon"), "there is no body 'moon'"),
        (lambda m, d, h: dl.IMU(d, name="hinge"), "there is a joint of that name"),
        (lambda m, d, h: 3.0, "is no sensor"),
    ],
)
def test_mistakes_are_told(make, said):
    model, disc, hinge = turntable()
    with pytest.raises(ModelError, match=said):
        model.add_sensor(make(model, disc, hinge))
    assert not model.sensors


def test_signals_that_are_no_formulas_and_unknown_ones():
    model, disc, _ = turntable()
    imu = model.add_sensor(dl.IMU(disc, name="imu"))
    with pytest.raises(ModelError, match="depends on accelerations"):
        imu["ax"]
    with pytest.raises(ModelError, match="there is no signal 'wq'"):
        imu["wq"]
    solution = dl.simulate(model, until=0.1, step=1e-2)
    with pytest.raises(OptionError, match="has no sensor 'gyro'"):
        solution.sensor("gyro")
    with pytest.raises(OptionError, match="has no signal 'q'"):
        solution.sensor("imu")["q"]
