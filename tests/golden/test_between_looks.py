"""What touches only between two looks within a step is met: long steps of free flight see little.

Guards are looked at in five places of a step. A ball that grazes a ceiling, a post or another ball
was clear of them at each, went through, and the run was called good.
"""

import math

import numpy as np
import pytest

import dalembert as dl

G = 9.81


def first(solution, kind="impact"):
    return next(entry.t for entry in solution.log if entry.kind == kind)


def flying(potential, **initial):
    x, y = dl.coordinates("x y")
    start = {"x.dot": initial.pop("vx"), "y.dot": initial.pop("vy", 0.0), **initial}
    kinetic = (x.dot**2 + y.dot**2) / 2
    given = {"kinetic": kinetic, "coordinates": [x, y], "initial": start}
    return dl.Model.from_lagrangian(potential=potential * y, **given), x, y


@pytest.mark.parametrize("beyond", [1e-1, 1e-2, 1e-4, 1e-6])
def test_ball_that_grazes_a_ceiling(beyond):
    model, _, y = flying(G, x=0.0, y=0.0, vx=1.0, vy=math.sqrt(2 * G))
    model.keep(y <= 1 - beyond, restitution=0.5)
    t = (math.sqrt(2 * G) - math.sqrt(2 * G * beyond)) / G
    assert first(dl.simulate(model, until=0.8)) == pytest.approx(t, abs=1e-11)


@pytest.mark.parametrize("radius", [0.1, 1e-2, 1e-4])
def test_point_that_meets_a_post(radius):
    model, x, y = flying(0.0, x=-1.0, y=0.0, vx=1.3)
    model.keep(x**2 + y**2 >= radius**2, restitution=1.0)
    solution = dl.simulate(model, until=3.0)
    assert first(solution) == pytest.approx((1 - radius) / 1.3, abs=1e-12)
    assert solution["x.dot"][-1] == pytest.approx(-1.3, abs=1e-9)


@pytest.mark.parametrize("beyond", [1e-1, 1e-3, 1e-4])
def test_balls_that_graze(beyond):
    model = dl.Model("two balls", gravity=(0, 0, 0))
    glass = dl.Material(friction=0, restitution=1)
    high = 0.2 * (1 - beyond)
    inertia = dl.Inertia.sphere(1, radius=0.1)
    a = model.add_body("a", inertia, position=(-1, 0, high), velocity=(1, 0, 0))
    b = model.add_body("b", inertia)
    for body in (a, b):
        model.add_shape(dl.Sphere(0.1), on=body, material=glass)
    t = 1 - math.sqrt(0.04 - high**2)
    assert first(dl.simulate(model, until=2.0)) == pytest.approx(t, abs=1e-12)


@pytest.mark.parametrize("beyond", [1e-2, 1e-4])
def test_friction_that_holds_but_for_a_moment(beyond):
    x, y, z = dl.coordinates("x y z")
    stiffness, mu = 10.0, 0.4
    reach = mu * G * (1 + beyond) / stiffness
    model = dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2 + z.dot**2) / 2,
        potential=G * z + stiffness * (y - x) ** 2 / 2,
        initial={"y.dot": reach * math.sqrt(stiffness)},
    )
    model.keep(z >= 0, friction=mu, sliding=x)
    t = math.asin(1 / (1 + beyond)) / math.sqrt(stiffness)
    assert first(dl.simulate(model, until=1.0), "slip") == pytest.approx(t, abs=1e-10)


@pytest.mark.parametrize("beyond", [1e-4, 1e-6])
def test_oscillator_that_reaches_its_stop(beyond):
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2, potential=x**2 / 2, coordinates=[x], initial={"x.dot": 1.0}
    )
    model.keep(x <= 1 - beyond, restitution=0.5)
    # near its turn a place that is off by 1e-12 is off by 1e-12 / sqrt(2 beyond) in time
    room = 1e-12 / math.sqrt(2 * beyond)
    assert first(dl.simulate(model, until=3.0)) == pytest.approx(math.asin(1 - beyond), abs=room)


def test_clear_flight_has_no_event():
    model, _, y = flying(G, x=0.0, y=0.0, vx=1.0, vy=math.sqrt(2 * G))
    model.keep(y <= 1 + 1e-9, restitution=0.5)
    solution = dl.simulate(model, until=0.8)
    assert not solution.log
    assert np.max(solution["y"]) <= 1.0 + 1e-12
