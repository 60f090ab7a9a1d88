"""Friction by the force that a joint carries: a guide on a slope, a pin, a crank that jams."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as dl
from dalembert.errors import ModelError, OptionError

G, MASS = 9.81, 2.0


def sled(mu, slope, speed=0.0, side=0.0):
    """A block in a guide that falls towards +x; `side` presses it against the guide."""
    model = dl.Model("sled", gravity=(G * np.sin(slope), side, -G * np.cos(slope)))
    block = model.add_body("block", dl.Inertia.box(MASS, size=(0.2, 0.2, 0.2)))
    guide = dl.Prismatic(model.world, block, axis="x", initial_speed=speed, name="guide")
    model.add_joint(guide)
    model.add_force(dl.JointFriction("guide", coefficient=mu, name="rubbing"))
    return model


@pytest.mark.parametrize(
    ("mu", "slope", "speed", "side"),
    [(0.2, 0.5, 0.0, 0.0), (0.2, 0.5, 0.0, 3.0), (0.6, 0.5, 0.0, 0.0), (1.2, 0.5, 2.0, 0.0)],
    ids=["slides", "is pressed", "sticks", "stops"],
)
def test_a_guide_on_a_slope(mu, slope, speed, side):
    run = dl.simulate(sled(mu, slope, speed, side), until=1.0, step=1e-3)
    push = np.hypot(G * np.cos(slope), side)
    a = G * np.sin(slope) - mu * push
    if speed == 0.0:
        wanted = max(a, 0.0)
        assert run["guide.displacement.dot"][-1] == pytest.approx(wanted, rel=1e-9, abs=1e-9)
    else:
        # the first order of drives: h v / 2
        assert run["guide.displacement"][-1] == pytest.approx(-(speed**2) / (2 * a), abs=2e-3)
        assert abs(run["guide.displacement.dot"][-1]) < 1e-9
    held = -mu * MASS * push if a > 0.0 else -MASS * G * np.sin(slope)
    assert run["rubbing.effort"][-1] == pytest.approx(held, rel=1e-8)
    assert np.linalg.norm(run.reaction("guide").force[-1][1:]) == pytest.approx(MASS * push)


def test_a_pin_slows_a_wheel():
    """mu r m g of torque against the turning of a wheel on a level axle."""
    model = dl.Model("wheel")
    wheel = model.add_body("wheel", dl.Inertia.cylinder(MASS, radius=0.3, length=0.05))
    axle = dl.Revolute(model.world, wheel, axis="y", initial_speed=10.0, name="axle")
    model.add_joint(axle)
    model.add_force(dl.JointFriction("axle", coefficient=0.1, radius=0.02, name="pin"))
    run = dl.simulate(model, until=1.0, step=1e-3)
    inertia = MASS * (3 * 0.3**2 + 0.05**2) / 12
    lost = 0.1 * 0.02 * MASS * G / inertia
    assert run["axle.angle.dot"][-1] == pytest.approx(10.0 - lost, rel=1e-9)


def crank(mu):
    """A slider-crank: the force in the guide changes with the position and the friction."""
    model = dl.Model("crank", gravity=(0, 0, 0))
    arm = model.add_body("arm", dl.Inertia.rod(1.0, length=0.2))
    rod = model.add_body("rod", dl.Inertia.rod(1.0, length=0.5))
    slider = model.add_body("slider", dl.Inertia.box(1.0, size=(0.1, 0.1, 0.1)))
    bearing = dl.Revolute(model.world, arm.at(x=-0.1), axis="y", initial_speed=-6.0, name="bearing")
    model.add_joint(bearing)
    model.add_joint(dl.Revolute(arm.at(x=0.1), rod.at(x=-0.25), axis="y", name="pin"))
    model.add_joint(dl.Spherical(rod.at(x=0.25), slider, name="eye"))
    model.add_joint(dl.Prismatic(model.world, slider, axis="x", name="guide"))
    if mu:
        model.add_force(dl.JointFriction("guide", coefficient=mu, name="rubbing"))
    return model


def test_a_slider_crank_obeys_the_law_in_every_step():
    run = dl.simulate(crank(0.3), until=0.5, step=5e-4)
    push = np.linalg.norm(run["guide.force"][:, :2], axis=1)
    rub, rate = run["rubbing.effort"], run["guide.displacement.dot"]
    moving = np.abs(rate) > 0.05
    moving[:3] = False
    # a step is solved to 1e-8 m/s: 3 kg times that, over its length, is what forces are off by
    off = rub[moving] + 0.3 * push[moving] * np.sign(rate[moving])
    assert np.abs(off).max() <= 3.0 * 1e-8 / 5e-4
    assert run.energy[-1] < 0.9 * run.energy[0]


def test_joint_coordinates_have_no_such_force():
    with pytest.raises(OptionError, match=r"force in joint 'guide'.*formulation='maximal'"):
        dl.simulate(sled(0.2, 0.5), until=0.1, step=1e-3, formulation="generalized")


def test_other_methods_tell_that_they_do_not_know_it():
    with pytest.warns(dl.errors.DoubtfulWarning, match=r"dry friction \(rubbing\)"):
        dl.simulate(sled(0.2, 0.5), until=0.1, step=1e-3, method=dl.Projection())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"coefficient": -0.1}, "coefficient is -0.1"),
        ({"coefficient": 0.1, "radius": 0.1}, "radius, which goes with"),
    ],
)
def test_what_cannot_be_meant(options, told):
    model = sled(0.2, 0.5)
    with pytest.raises(ModelError, match=told):
        model.add_force(dl.JointFriction("guide", **options))


def test_a_pin_has_a_radius():
    with pytest.raises(ModelError, match="no radius at which the pin rubs"):
        crank(0.0).add_force(dl.JointFriction("bearing", coefficient=0.1))


LENGTH, PIN = 0.5, 0.01
"""Of a pendulum; mu r of its pin  [m]."""


def pendulum(inertia):
    model = dl.Model("pendulum")
    body = model.add_body("body", inertia)
    model.add_joint(
        dl.Revolute(model.world, body.at(z=LENGTH), axis="y", initial=1.2, name="hinge")
    )
    model.add_force(dl.JointFriction("hinge", coefficient=0.2, radius=PIN / 0.2, name="pin"))
    return model


def swung(theta, until):
    """Angle and speed of the first swing: theta a = -m g l sin x + mu r |F|, F of a and x."""

    def slope(t, y):
        a = -MASS * G * LENGTH * np.sin(y[0]) / theta
        for _ in range(40):
            along = MASS * (LENGTH * y[1] ** 2 + G * np.cos(y[0]))
            force = np.hypot(along, MASS * (LENGTH * a + G * np.sin(y[0])))
            a = (-MASS * G * LENGTH * np.sin(y[0]) + PIN * force) / theta
        return [y[1], a]

    return solve_ivp(slope, (0.0, until), [1.2, 0.0], rtol=1e-11, atol=1e-12).y[:, -1]


@pytest.mark.parametrize("radius", [0.0, 0.1], ids=["point", "ball"])
def test_a_pendulum_on_a_pin(radius):
    """A point has no inertia of its own, and is lent none: it swung as if it had a thousandth."""
    inertia = dl.Inertia.sphere(MASS, radius=radius) if radius else dl.Inertia.point(MASS)
    theta = MASS * (LENGTH**2 + 0.4 * radius**2)
    wanted = swung(theta, 0.6)
    method = dl.ContactImpulse(order=2)
    run = dl.simulate(pendulum(inertia), until=0.6, step=2e-4, method=method)
    assert [run["hinge.angle"][-1], run["hinge.angle.dot"][-1]] == pytest.approx(wanted, abs=2e-6)
    usual = dl.simulate(pendulum(inertia), until=0.6)
    assert usual.verdict.is_good
    assert usual["hinge.angle"][-1] == pytest.approx(wanted[0], abs=1e-3)


@pytest.mark.parametrize("order", [1, 2])
def test_a_point_mass_is_as_heavy_as_it_is_in_steps_with_impulses(order):
    """Two points on hinges, a stop that is hit: maximal as in the coordinates of joints."""

    def run(formulation, step):
        model = dl.Model("points")
        upper, lower = (model.add_body(x, dl.Inertia.point(m)) for x, m in (("a", 2.0), ("b", 1.0)))
        hinge = dl.Revolute(model.world, upper.at(z=LENGTH), axis="y", initial=1.2, name="hinge")
        model.add_joint(hinge)
        model.add_joint(dl.Revolute(upper, lower.at(z=LENGTH), axis="y", initial=0.3, name="elbow"))
        model.set_limits("hinge", dl.Limits(-0.4, 2.0, restitution=0.5))
        method = dl.ContactImpulse(order=order, smooth=False)
        found = dl.simulate(model, until=0.8, step=step, method=method, formulation=formulation)
        return np.array([found["hinge.angle"][-1], found["elbow.angle"][-1]])

    wanted = run("generalized", 1e-4)
    error = np.abs(wanted - run("generalized", 2e-4)).max()
    assert run("maximal", 1e-4) == pytest.approx(wanted, abs=3 * error)
