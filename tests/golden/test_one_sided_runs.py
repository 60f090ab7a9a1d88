"""Brakes, dry friction, bounded drives, stops, cables and belts against closed forms.

Every law is linear over a step, so that time stepping meets it to rounding or to the solver's
tolerance; where the closed form is a motion, speeds are compared, which the scheme keeps exactly.
"""

import numpy as np
import pytest

import dalembert as dl

INERTIA = 0.5 * 2.0 * 0.1**2  # of the drum about its axis
TOLERANCE = 1e-7
"""Ten times the solver's tolerance [m/s], which counts angular rows in metres."""

formulations = pytest.mark.parametrize("formulation", ["maximal", "generalized"])


def drum(speed=0.0, torque=0.0):
    model = dl.Model("drum", gravity=(0, 0, 0))
    body = model.add_body("drum", dl.Inertia.cylinder(2.0, radius=0.1, length=0.3))
    joint = dl.Revolute(model.world, body, axis="z", initial_speed=speed, name="bearing")
    bearing = model.add_joint(joint)
    if torque:
        model.add_force(dl.Torque(body, about="z", value=torque))
    return model, bearing


def cart(speed=0.0, push=0.0):
    model = dl.Model("cart", gravity=(0, 0, 0))
    body = model.add_body("cart", dl.Inertia.box(2.0, size=(0.1, 0.1, 0.1)))
    slide = dl.Prismatic(model.world, body, axis="x", initial_speed=speed, name="slide")
    slide = model.add_joint(slide)
    if push:
        model.add_force(dl.Force(body, value=(push, 0, 0)))
    return model, slide


def run(model, formulation, until=1.0, step=0.01):
    method = dl.ContactImpulse()  # of itself where it is needed; servos alone are forces as well
    return dl.simulate(model, until=until, step=step, method=method, formulation=formulation)


@formulations
def test_a_brake_stops_a_drum_and_holds_it(formulation):
    model, bearing = drum(speed=3.0)
    model.add_force(dl.Brake(bearing, torque=0.05))
    speed = run(model, formulation)[bearing.angle.dot]
    t = 0.01 * np.arange(101)
    np.testing.assert_allclose(speed, np.maximum(3.0 - 0.05 / INERTIA * t, 0.0), atol=TOLERANCE)


@formulations
@pytest.mark.parametrize("excess", [-1e-6, 1e-6])
def test_dry_friction_breaks_away_at_its_torque(formulation, excess):
    model, bearing = drum(torque=0.4 * (1.0 + excess))
    model.add_force(dl.JointFriction(bearing, dry=0.4))
    speed = run(model, formulation)[bearing.angle.dot][-1]
    expected = max(0.4 * excess / INERTIA, 0.0)
    assert speed == pytest.approx(expected, abs=1e-2 * 0.4 * 1e-6 / INERTIA)


@formulations
def test_friction_falls_with_the_speed(formulation):
    law = {"dry": 0.2, "static": 0.4, "stribeck": 0.5}
    held, bearing = drum(torque=0.399)
    held.add_force(dl.JointFriction(bearing, **law))
    assert abs(run(held, formulation)[bearing.angle.dot][-1]) < TOLERANCE
    model, bearing = drum(torque=0.41, speed=0.1)
    model.add_force(dl.JointFriction(bearing, **law))
    speed = run(model, formulation, until=0.5, step=1e-3)[bearing.angle.dot]
    # the bound is that of the speed before the step: an explicit Euler step of the closed law
    s = speed[:-1]
    bound = 0.2 + 0.2 * np.exp(-((s / 0.5) ** 2))
    np.testing.assert_allclose(np.diff(speed), 1e-3 * (0.41 - bound) / INERTIA, atol=TOLERANCE)
    assert speed[-1] > 5.0


@formulations
def test_a_drive_pushes_with_its_limit_and_then_keeps_the_speed(formulation):
    model, bearing = drum()
    model.add_force(dl.VelocityServo(bearing, command=2.0, limits=0.05, name="motor"))
    speed = run(model, formulation)[bearing.angle.dot]
    t = 0.01 * np.arange(101)
    np.testing.assert_allclose(speed, np.minimum(0.05 / INERTIA * t, 2.0), atol=TOLERANCE)


@formulations
def test_stiff_servos_are_stable_and_as_soft_as_they_say(formulation):
    model, slide = cart(push=5.0)
    model.add_force(dl.PositionServo(slide, kp=1e6, kd=1e3, command=0.3, limits=1e4))
    place = run(model, formulation, until=2.0, step=0.02)[slide.displacement]
    assert place[-1] == pytest.approx(0.3 + 5.0 / 1e6, abs=1e-9)
    weak, slide = cart(push=5.0)
    weak.add_force(dl.PositionServo(slide, kp=1e6, command=0.3, limits=3.0))
    speed = run(weak, formulation)[slide.displacement.dot]
    # it pushes to +x with all it has until it is there
    assert speed[10] == pytest.approx((5.0 + 3.0) / 2.0 * 0.1, abs=TOLERANCE)


@formulations
@pytest.mark.parametrize("bounce", [0.0, 0.5, 1.0])
def test_a_limit_sends_back_by_its_restitution(formulation, bounce):
    model, slide = cart(speed=1.0)
    model.set_limits(slide, dl.Limits(-10.0, 0.255, restitution=bounce))
    found = run(model, formulation, until=0.5)
    assert found[slide.displacement.dot][-1] == pytest.approx(-bounce, abs=TOLERANCE)
    assert found[slide.displacement].max() <= 0.255 + 1e-8


@formulations
def test_a_soft_limit_gives_way_by_its_stiffness(formulation):
    model, slide = cart(push=5.0)
    model.set_limits(slide, dl.Limits(upper=0.1, stiffness=400.0, damping=40.0))
    place = run(model, formulation, until=4.0)[slide.displacement]
    assert place[-1] == pytest.approx(0.1 + 5.0 / 400.0, abs=1e-9)


def test_a_cable_over_a_ring_is_atwoods_machine():
    model = dl.Model("atwood")
    bodies = [
        model.add_body(name, dl.Inertia.sphere(mass, radius=0.1), position=(x, 0, -1))
        for name, mass, x in (("light", 1.0, -0.5), ("heavy", 3.0, 0.5))
    ]
    rings = [model.world.at(x=-0.5), model.world.at(x=0.5)]
    model.keep(dl.Cable(*bodies, length=3.0, through=rings, name="rope"))
    speed = run(model, "maximal", until=0.5)[bodies[1].z.dot]
    expected = -9.81 * (3.0 - 1.0) / (3.0 + 1.0) * 0.5
    assert speed[-1] == pytest.approx(expected, abs=TOLERANCE)


def test_a_belt_takes_a_box_along():
    model = dl.Model("belt")
    belt = dl.Material(friction=0.3, surface_velocity=(1.5, 2.0, 0))
    model.add_shape(dl.Plane(), material=belt)
    inertia = dl.Inertia.box(1.0, size=(0.4, 0.4, 0.02))
    box = model.add_body("box", inertia, position=(0, 0, 0.01))
    model.add_shape(dl.Box(0.4, 0.4, 0.02), on=box, material=dl.Material(friction=0.3))
    found = run(model, "maximal", until=1.2)
    speed = np.array([found[box.x.dot], found[box.y.dot]])
    along = np.array([0.6, 0.8])  # straight, whatever the axes
    t = 0.01 * np.arange(speed.shape[1])
    expected = np.minimum(0.3 * 9.81 * t, 2.5)
    np.testing.assert_allclose(along @ speed, expected, atol=2e-3)
    np.testing.assert_allclose(speed[:, -1], 2.5 * along, atol=1e-6)
