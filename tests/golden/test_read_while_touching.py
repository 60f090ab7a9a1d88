"""What is read of runs in which stops, contacts, servos and friction act: works, efforts, sensors.

Their forces are rows of the contact problem, and in no formula of a force element.
"""

import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dl
from dalembert.errors import DoubtfulWarning, ModelError, OptionError

G = 9.81
WAYS = ({}, {"step": 1e-3}, {"formulation": "maximal"})


def arm(*forces, speed=0.0, angle=0.0, limits=None):
    """A rod of a metre and a kilogram on a hinge, and forces in it."""
    model = dl.Model("arm")
    rod = model.add_body("rod", dl.Inertia.rod(mass=1.0, length=1.0))
    start = {"initial": angle, "initial_speed": speed}
    hinge = dl.Revolute(model.world, rod.at(x=-0.5), axis="y", name="hinge", **start)
    hinge = model.add_joint(hinge)
    for make in forces:
        model.add_force(make(hinge))
    if limits is not None:
        model.set_limits(hinge, limits)
    return model


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_work_through_impacts(way):
    """Two samples are one moment at an impact; the work was 1e19 J."""
    bounces = dl.Limits(-3.0, 1.0, restitution=0.6)
    model = arm(lambda hinge: dl.DirectDrive(hinge, command=1.5, name="motor"), limits=bounces)
    solution = dl.simulate(model, until=1.6, **way)
    turned = solution["hinge.angle"][-1] - solution["hinge.angle"][0]
    bound = 2e-3 if "step" in way else 1e-6  # an impact falls into a step
    assert solution.work("motor")[-1] == pytest.approx(1.5 * turned, rel=bound)
    assert turned > 0.9


@pytest.mark.parametrize("way", [{}, {"step": 1e-3}, {"mode": "stepping"}], ids=str)
def test_work_of_a_force_while_a_ball_bounces(way):
    """Steps that follow a tolerance are a thousand times shorter where something hits."""
    model = dl.Model("ball")
    surface = dl.Material(restitution=0.8, friction=0.0)
    model.add_shape(dl.Plane(), material=surface)
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1))
    model.add_shape(dl.Sphere(0.1), on=ball, material=surface)
    model.add_force(dl.Drag(ball, linear=0.5, name="drag"))
    model.add_force(dl.Force(ball, value=(1.0, 0, 0), name="wind"))
    solution = dl.simulate(model, until=1.5, **way)
    assert solution.work("wind")[-1] == pytest.approx(solution["ball.x"][-1], rel=1e-3)
    assert solution.work("drag")[-1] == pytest.approx(dragged(1.5), rel=2e-2)


def dragged(until):
    """Work of the drag, by the equations of the flight from bounce to bounce."""

    def rates(t, y):  # x', z, z', work
        return [1.0 - 0.5 * y[0], y[2], -G - 0.5 * y[2], -0.5 * (y[0] ** 2 + y[2] ** 2)]

    def lands(t, y):
        return y[1] - 0.1 if t > began + 1e-6 else 1.0

    lands.terminal, lands.direction = True, -1
    began, y = 0.0, np.array([0.0, 1.0, 0.0, 0.0])
    while began < until:
        flight = solve_ivp(rates, (began, until), y, "DOP853", rtol=1e-11, atol=1e-12, events=lands)
        began, y = flight.t[-1], flight.y[:, -1]
        y[2] *= -0.8 if flight.status == 1 else 1.0
    return y[3]


RUBBING = {
    "exact servo": lambda hinge: dl.VelocityServo(hinge, command=2.0, limits=9.0, name="it"),
    "geared servo": lambda hinge: dl.VelocityServo(
        hinge, command=2.0, gear=-2.0, name="it", kd=0.3
    ),
    "servo": lambda hinge: dl.PositionServo(
        hinge, kp=50.0, kd=5.0, gear=-3.0, command=1.0, limits=(-1.0, 2.0), name="it"
    ),
    "brake": lambda hinge: dl.Brake(hinge, torque=0.7, name="it"),
    "dry and viscous": lambda hinge: dl.JointFriction(hinge, dry=0.7, damping=0.1, name="it"),
    "stribeck": lambda hinge: dl.JointFriction(
        hinge, dry=0.5, static=0.9, stribeck=0.7, damping=0.1, name="it"
    ),
}


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("kind", RUBBING)
def test_work_of_what_acts_by_rows_is_the_energy_it_takes(kind, way):
    """It was zero, or that of the viscous part alone."""
    model = arm(RUBBING[kind], speed=2.0, limits=dl.Limits(-3.0, 3.0))
    model.add_sensor(dl.EffortSensor("it", name="cell"))
    solution = dl.simulate(model, until=0.3, **way)
    change = solution.energy[-1] - solution.energy[0]
    assert solution.work("it")[-1] == pytest.approx(change, rel=2e-2 if "step" in way else 1e-4)
    assert abs(change) > 0.1
    effort, speed = solution["it.effort"][1:], solution["hinge.angle.dot"][1:]
    assert solution.power("it")[1:] == pytest.approx(effort * speed, rel=1e-9, abs=1e-12)
    assert solution.sensor("cell")["effort"][1:] == pytest.approx(effort, rel=1e-12)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_the_effort_of_a_servo_is_behind_its_gear_where_stops_are(way):
    """It was the force before the gear: another size, and another sign."""
    model = arm(RUBBING["servo"], limits=dl.Limits(-3.0, 3.0))
    solution = dl.simulate(model, until=0.3, **way)
    angle, speed = solution["hinge.angle"], solution["hinge.angle.dot"]
    law = -3.0 * np.clip(50.0 * (1.0 + 3.0 * angle) + 15.0 * speed, -1.0, 2.0)
    assert solution["it.effort"][1:] == pytest.approx(law[1:], abs=0.05)
    assert np.abs(law).max() > 5.0


@pytest.mark.parametrize("way", [*WAYS, {"mode": "stepping"}, {"step": 1e-3, "every": 7}], ids=str)
def test_sensors_between_samples_feel_contact(way):
    """A box that slides and comes to rest: an IMU read free fall between samples."""
    mu, turned = 0.2, 0.3
    model = dl.Model("box")
    surface = dl.Material(friction=mu)
    model.add_shape(dl.Plane(), material=surface)
    start = {"position": (0, 0, 0.1), "rotation": ("z", turned), "velocity": (1, 0, 0)}
    box = model.add_body("box", dl.Inertia.box(2.0, size=(0.2, 0.2, 0.2)), **start)
    model.add_shape(dl.Box(0.2, 0.2, 0.2), on=box, material=surface)
    model.add_sensor(dl.IMU(box.at(x=0.1), name="imu"))
    solution = dl.simulate(model, until=1.0, **way)
    slides = (-mu * G * np.cos(turned), mu * G * np.sin(turned), G)
    read = solution.sensor("imu", times=[0.1234, 0.3, 0.77777]).values[:, :3]
    assert read[:2] == pytest.approx(np.array([slides, slides]), abs=1e-4)
    assert read[2] == pytest.approx([0.0, 0.0, G], abs=1e-6)
    assert solution.sampled(box.x.ddot, [0.1234, 0.77777]) == pytest.approx([-mu * G, 0], abs=1e-4)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_forces_between_samples_feel_a_stop(way):
    """The rod lies on its end, which carries it to the hinge: nothing but weight is left there."""
    model = arm(angle=0.3, limits=dl.Limits(-1.0, 0.5))
    model.add_sensor(dl.ForceSensor("hinge", name="load"))
    solution = dl.simulate(model, until=1.0, **way)
    load = solution.sensor("load", times=[0.87654]).values[0]
    assert load == pytest.approx([0, 0, G, 0, 0, 0], abs=1e-6)


def test_accelerations_between_samples_where_friction_slows():
    """Located: smooth between events, to the order of the samples around."""
    model = arm(lambda hinge: dl.JointFriction(hinge, dry=1.0), angle=0.3, speed=2.0)
    model.add_sensor(dl.IMU("rod", name="imu"))
    solution = dl.simulate(model, until=0.5)

    def rates(t, y):
        return [y[1], 3.0 * (0.5 * G * np.cos(y[0]) - np.sign(y[1]))]

    moments = 0.5 * (solution.t[5:-1] + solution.t[6:])
    exact = solve_ivp(rates, (0, 0.5), [0.3, 2.0], "DOP853", moments, rtol=1e-12, atol=1e-13).y
    speeding = 3.0 * (0.5 * G * np.cos(exact[0]) - np.sign(exact[1]))
    read = solution.sampled(model.joints["hinge"].angle.ddot, moments)
    assert read == pytest.approx(speeding, abs=1e-4 * np.abs(speeding).max())


@pytest.mark.parametrize("kind", ["exact servo", "brake", "dry and viscous"])
def test_an_effort_found_with_the_motion_is_no_input(kind):
    """A controller and a formula saw 0, or the viscous part."""
    model = arm(RUBBING[kind], lambda hinge: dl.DirectDrive(hinge, name="motor"), speed=2.0)
    cell = model.add_sensor(dl.EffortSensor("it", name="cell"))
    with pytest.raises(ModelError, match="sensor 'cell': 'effort' depends on acc"):
        cell["effort"]
    control = dl.Controller(lambda t, x: 0.0, rate=100.0, inputs=["cell"], outputs=["motor"])
    with pytest.raises(OptionError, match="'cell': its effort is found together with the motion"):
        dl.simulate(model, until=0.1, controllers=[control])


def test_sizing_tells_the_work_in_two_parts():
    """Driving and braking add up to the work, and means are those of the motion."""
    model = arm(lambda hinge: dl.DirectDrive(hinge, command=1.5 * dl.time, name="motor"))
    solution = dl.simulate(model, until=2.0)
    (drive,) = dl.sizing(solution).drives
    assert drive.driving + drive.braking == pytest.approx(drive.work, rel=1e-12)
    assert drive.rms_effort == pytest.approx(1.5 * np.sqrt(4.0 / 3.0), rel=1e-9)
    assert drive.braking < -0.1 < 0.1 < drive.driving


def test_controllers_feel_stops_at_events_and_are_told_in_steps():
    """The rod lies on its stop: an IMU shows its weight, not its fall."""
    seen = []

    def watch(t, x):
        seen.append(x.copy())
        return 0.0

    model = arm(
        lambda hinge: dl.DirectDrive(hinge, name="motor"), angle=0.3, limits=dl.Limits(-1.0, 0.5)
    )
    model.add_sensor(dl.IMU("rod", name="imu"))

    def run(**way):
        control = dl.Controller(watch, rate=100.0, inputs=["imu"], outputs=["motor"])
        return dl.simulate(model, until=1.0, controllers=[control], **way)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run()
    assert seen[-1][:3] == pytest.approx([-G * np.sin(0.5), 0.0, G * np.cos(0.5)], abs=1e-9)
    with pytest.warns(DoubtfulWarning, match="without limits of joints .hinge"):
        run(step=1e-3)


@pytest.mark.parametrize("options", [{}, {"limits": (-3.0, 3.0)}], ids=str)
def test_work_of_a_commanded_servo_in_steps_is_the_energy(options):
    """It was that of the formula, not of the row: off by a part in 25 at this step."""
    model = dl.Model("servo", gravity=(0, 0, 0))
    ball = model.add_body("ball", dl.Inertia.sphere(1.0, radius=0.1))
    model.add_joint(dl.Prismatic(model.world, ball, axis="x", initial=1.0, name="rail"))
    model.add_force(dl.PositionServo("rail", kp=20.0, kd=2.0, name="servo", **options))
    model.set_limits("rail", dl.Limits(-3, 3))
    wave = dl.Controller(lambda t, u: [np.sin(3 * t)], rate=10.0, inputs=[], outputs=["servo"])
    method = dl.ContactImpulse()
    run = dl.simulate(model, until=2.0, step=4e-3, method=method, controllers=[wave])
    assert run.work("servo") == pytest.approx(run.kinetic - run.kinetic[0], abs=1e-9)
