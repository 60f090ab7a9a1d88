"""Friction against rolling and spinning under error control: errors within the tolerance.

Steps of impulses (`tests/golden/test_rolling_located.py` has located events). References are closed
forms of a ball of radius R and moment I = 2/5 m R^2 on a plane; a torque of rolling d N slows it by
d g R / (I / m + R^2), one of spinning s N by s m g / I, each until it rests.
"""

import numpy as np
import pytest

import dalembert as dl

G, R, MU, ARM, TWIST = 9.81, 0.1, 0.2, 5e-3, 3e-3
SLOWER = 5 / 7 * ARM * G / R
FALL = 0.1

each_tolerance = pytest.mark.parametrize("rtol", [1e-3, 1e-5, 1e-7])


def run(rtol, until, velocity=0.0, turning=(0.0, 0.0, 0.0), height=0.0, **material):
    skin = dl.Material(friction=MU, **material)
    model = dl.Model("ball", gravity=(0, 0, -G))
    model.add_shape(dl.Plane(), material=skin)
    inertia = dl.Inertia.sphere(1.0, radius=R)
    moving = {"velocity": (velocity, 0, 0), "angular_velocity": turning}
    ball = model.add_body("ball", inertia, position=(0, 0, R + height), **moving)
    model.add_shape(dl.Sphere(R), on=ball, material=skin)
    found = dl.simulate(model, until=until, mode="stepping", rtol=rtol, atol=rtol, progress=False)
    assert found.verdict.is_good
    return found


def rolled(time, speed):
    """Way of a ball that rolls, and rests in the end."""
    time = min(time, speed / SLOWER)
    return speed * time - SLOWER * time**2 / 2


@each_tolerance
@pytest.mark.parametrize("until", [1.0, 3.5])
def test_rolling_to_rest(until, rtol):
    found = run(rtol, until, 1.0, (0, 1 / R, 0), rolling=ARM)
    assert abs(found["ball.x"][-1] - rolled(until, 1.0)) <= rtol


@each_tolerance
def test_sliding_then_rolling(rtol):
    found = run(rtol, 1.0, 1.0, rolling=ARM)
    turning = (MU * G * R - ARM * G) / (2 / 5 * R**2)
    t = 1 / (MU * G + turning * R)
    expected = t - MU * G * t**2 / 2 + rolled(1 - t, 1 - MU * G * t)
    assert abs(found["ball.x"][-1] - expected) <= rtol


@each_tolerance
@pytest.mark.parametrize("until", [0.5, 2.0])
def test_spinning_to_rest(until, rtol):
    found = run(rtol, until, 0.0, (0, 0, 10.0), torsional=TWIST)
    slower = TWIST * G / (2 / 5 * R**2)
    assert abs(found["ball.wz"][-1] - max(0.0, 10.0 - slower * until)) <= rtol


@each_tolerance
def test_landing_without_restitution(rtol):
    """The impulse of the impact slows the rolling, as its force does."""
    found = run(rtol, 1.0, 1.0, (0, 1 / R, 0), FALL, rolling=ARM)
    t = np.sqrt(2 * FALL / G)
    expected = t + rolled(1 - t, 1 - SLOWER / G * np.sqrt(2 * G * FALL))
    assert abs(found["ball.x"][-1] - expected) <= rtol


@pytest.mark.parametrize("rtol", [1e-3, 1e-5, 1e-7])
@pytest.mark.parametrize(
    ("mu", "x0", "speed"), [(0.1, 0.5, 0.0), (0.4, 0.6, 0.0), (0.3, 0.16, 0.05)]
)
def test_friction_of_formulas_that_turns_about(mu, x0, speed, rtol):
    """A mass in a bowl of formulas: steps did not know where it turns about, 92 tolerances off."""
    x, y = dl.coordinates("x y")
    start = {"x": x0, "y": x0**2, "x.dot": speed, "y.dot": 2 * x0 * speed}
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2, potential=9.81 * y, initial=start
    )
    model.keep(y - x**2 >= 0, friction=mu, sliding=x, name="bowl")
    times = {"until": 1.0, "times": np.linspace(0.0, 1.0, 21), "progress": False}
    exact = dl.simulate(model, **times)
    stepped = dl.simulate(model, mode="stepping", rtol=rtol, **times)
    assert np.abs(stepped.q - exact.q).max() < 10 * rtol
