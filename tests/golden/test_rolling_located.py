"""Resistance to rolling and to spinning between located events, against closed forms.

A ball of radius R and moment I = 2/5 m R^2 on a plane: a moment of rolling d N slows it by
5/7 d g / R, one of spinning s N by s m g / I, each until it rests; it holds up to tan(a) = d / R.
"""

import math

import numpy as np
import pytest

import dalembert as dl

G, R, MU, ARM, TWIST = 9.81, 0.1, 0.2, 5e-3, 3e-3
SLOWER = 5 / 7 * ARM * G / R


def ball(velocity=(0, 0, 0), turning=(0, 0, 0), height=0.0, gravity=(0, 0, -G), **material):
    skin = dl.Material(friction=MU, **material)
    model = dl.Model("ball", gravity=gravity)
    model.add_shape(dl.Plane(), material=skin, name="floor")
    moving = {"velocity": velocity, "angular_velocity": turning}
    body = model.add_body(
        "ball", dl.Inertia.sphere(1.0, radius=R), position=(0, 0, R + height), **moving
    )
    model.add_shape(dl.Sphere(R), on=body, material=skin, name="skin")
    return model


def run(model, until, **options):
    solution = dl.simulate(model, until=until, progress=False, **options)
    assert solution.verdict.is_good
    assert solution.log
    assert "stepping" not in {entry.kind for entry in solution.log}
    return solution


def moment(solution, kind, of):
    """The last moment of a kind, of the resistance to `of`."""
    return [e.t for e in solution.log if e.kind == kind and e.contact == f"floor - skin, {of}"][-1]


def rolled(time, speed):
    """Way of a ball that rolls, and rests in the end."""
    time = min(time, speed / SLOWER)
    return speed * time - SLOWER * time**2 / 2


def test_rolling_to_rest():
    solution = run(ball((0.6, 0.8, 0), (-8, 6, 0), rolling=ARM), 3.5)
    assert moment(solution, "stick", "rolling") == pytest.approx(1 / SLOWER, rel=1e-12)
    way = 0.5 / SLOWER
    end = [solution["ball.x"][-1], solution["ball.y"][-1]]
    np.testing.assert_allclose(end, [0.6 * way, 0.8 * way], rtol=1e-12)
    assert np.abs(solution.v[-1]).max() < 1e-12


def test_spinning_to_rest():
    solution = run(ball((1, 0, 0), (0, 1 / R, 10), rolling=ARM, torsional=TWIST), 2.0)
    slower = TWIST * G / (2 / 5 * R**2)
    assert moment(solution, "stick", "spin") == pytest.approx(10 / slower, rel=1e-12)
    assert solution["ball.x"][-1] == pytest.approx(rolled(2.0, 1.0), rel=1e-12)


def test_sliding_then_rolling():
    solution = run(ball((1, 0, 0), rolling=ARM), 1.0)
    turning = (MU * G * R - ARM * G) / (2 / 5 * R**2)
    t = 1 / (MU * G + turning * R)
    expected = t - MU * G * t**2 / 2 + rolled(1 - t, 1 - MU * G * t)
    assert solution["ball.x"][-1] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("slope", [0.0499, 0.0501, 0.1])
def test_rolling_begins_on_a_slope_beyond_the_arm_over_the_radius(slope):
    a = math.atan(slope)
    solution = run(ball(gravity=(G * math.sin(a), 0, -G * math.cos(a)), rolling=ARM), 1.0)
    speeds_up = 5 / 7 * G * (math.sin(a) - ARM / R * math.cos(a))
    expected = max(0.0, speeds_up) / 2
    assert solution["ball.x"][-1] == pytest.approx(expected, abs=1e-12)


def test_a_growing_force_overcomes_the_resistance():
    model = ball(rolling=ARM)
    model.add_force(dl.Force(model.bodies["ball"], (0.2 * dl.time, 0, 0)))
    solution = run(model, 4.0)
    begins = ARM * G / (0.2 * R)
    assert moment(solution, "slip", "rolling") == pytest.approx(begins, rel=1e-12)
    way = 5 / 7 * 0.2 * (4.0 - begins) ** 3 / 6
    assert solution["ball.x"][-1] == pytest.approx(way, rel=1e-9)


@pytest.mark.parametrize("law", ["newton", "poisson", "energetic"])
def test_every_bounce_slows_the_rolling_as_its_force_would(law):
    model = ball((1, 0, 0), (0, 1 / R, 0), 0.1, restitution=0.5, rolling=ARM)
    solution = run(model, 1.5, method=dl.ContactImpulse(restitution=law))
    down = math.sqrt(2 * G * 0.1)
    t, speed = down / G, 1.0
    x = speed * t
    while down > 1e-17:
        speed -= SLOWER / G * 1.5 * down
        down *= 0.5
        t += 2 * down / G
        x += speed * 2 * down / G
    assert solution["ball.x"][-1] == pytest.approx(x + rolled(1.5 - t, speed), abs=1e-12)


@pytest.mark.parametrize("rtol", [1e-3, 1e-4, 1e-5, 1e-6])
def test_steps_with_a_tolerance_meet_it_on_a_coin_that_wobbles(rtol):
    times = np.linspace(0.0, 1.0, 21)
    model = dl.catalog.load("spinning-coin")
    exact = run(model, 1.0, times=times, mode="events").q
    options = {"times": times, "mode": "stepping", "rtol": rtol, "progress": False}
    found = dl.simulate(model, until=1.0, **options).q
    assert np.abs(found - exact).max() < rtol


def test_a_run_goes_on_from_its_folder_while_it_rolls(tmp_path):
    model = ball((0.6, 0.8, 0), (-8, 6, 3), rolling=ARM, torsional=TWIST)
    whole = run(model, 2.0, save=str(tmp_path / "whole"))
    run(model, 0.3, save=str(tmp_path / "part"))
    longer = dl.resume(str(tmp_path / "part"), until=2.0, progress=False)
    np.testing.assert_allclose(longer.q[-1], whole.q[-1], atol=1e-12)
    assert [e.kind for e in longer.log] == [e.kind for e in whole.log]
