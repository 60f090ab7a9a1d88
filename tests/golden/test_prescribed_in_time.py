"""What time prescribes is not stepped over: pulses of forces, bumps of drives, stops that move.

Error control knows a force by the stages of a step alone, guards are looked at in five places of
one: where nothing else asks for short steps a pulse, or two crossings, fell between them, and the
run was called good.
"""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import dalembert as dl

G = 9.81


def _at_rest(force):
    """A mass of 1 kg at rest, free, with a force."""
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, coordinates=[x])
    model.add_force({x: force})
    return model


@pytest.mark.parametrize("width", [1.0, 1e-2, 1e-5])
def test_pulse_on_what_rests(width):
    model = _at_rest(7.0 * np.exp(-(((dl.time - 5.3) / width) ** 2)))
    solution = dl.simulate(model, until=11.0)
    expected = 7.0 * width * math.sqrt(math.pi)
    if width == 1.0:
        expected *= (math.erf(5.3) + math.erf(5.7)) / 2
    assert solution["x.dot"][-1] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("length", [0.5, 1e-3, 1e-6])
def test_force_for_a_while(length):
    while_on = (dl.time > 50.0) & (dl.time < 50.0 + length)
    solution = dl.simulate(_at_rest(dl.where(while_on, 3.0, 0.0)), until=100.0)
    assert solution["x.dot"][-1] == pytest.approx(3.0 * length, rel=1e-6, abs=1e-9)


def test_half_a_sine():
    s = (dl.time - 20.0) / 0.011
    push = dl.where((s > 0.0) & (s < 1.0), 100.0 * np.sin(math.pi * s), 0.0)
    solution = dl.simulate(_at_rest(push), until=60.0)
    assert solution["x.dot"][-1] == pytest.approx(100.0 * 0.011 * 2 / math.pi, rel=1e-7)


def test_bump_of_a_drive():
    model = dl.Model("cart and pendulum", gravity=(0, 0, -G))
    cart = model.add_body("cart", dl.Inertia.box(1, size=(0.1, 0.1, 0.1)))
    rod = model.add_body("rod", dl.Inertia.rod(mass=1, length=1, axis="z"))
    slide = model.add_joint(dl.Prismatic(model.world, cart, axis="x", name="slide"))
    model.add_joint(dl.Revolute(cart, rod.at(z=0.5), axis="y", name="hinge"))
    bump = 0.1 * np.exp(-(((dl.time - 5) / 0.02) ** 2))
    model.add_joint(dl.Motion(slide.displacement, bump, name="drive"))
    solution = dl.simulate(model, until=8.0)

    def rates(t, u):
        s = (t - 5) / 0.02
        pivot = 0.1 * math.exp(-(s**2)) * (4 * s**2 - 2) / 0.02**2
        return u[1], 1.5 * (math.cos(u[0]) * pivot - G * math.sin(u[0]))

    exact = solve_ivp(rates, (0, 8), (0, 0), method="DOP853", rtol=1e-12, atol=1e-13, max_step=2e-3)
    assert abs(exact.y[0, -1]) > 1e-4
    assert solution["hinge.angle"][-1] == pytest.approx(exact.y[0, -1], abs=1e-9)


def test_pulse_lifts_and_moves_what_rests():
    x, y = dl.coordinates("x y")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 + y.dot**2, potential=2 * G * y)
    pulse = np.exp(-(((dl.time - 5) / 0.05) ** 2))
    model.add_force({x: 30.0 * pulse})
    model.keep(y >= 0, friction=0.5, sliding=x, name="floor")
    log = dl.simulate(model, until=10.0).log
    assert [entry.kind for entry in log] == ["stick", "slip", "stick"]
    begins = 5 - 0.05 * math.sqrt(math.log(30.0 / G))
    assert log[1].t == pytest.approx(begins, abs=1e-9)


def _shaken(until, amplitude, rate, friction):
    """Speed and place of a block on a table that is shaken, from piece to piece."""

    def table(t):
        return amplitude * rate * math.cos(rate * t)

    t, v, x, way = 0.0, table(0.0), 0.0, 0.0
    hold, push = True, friction * G
    while t < until:
        grid = np.linspace(t, min(t + 2.0, until), 4001)[1:]
        if hold:

            def out(s):
                return push - abs(amplitude * rate**2 * math.sin(rate * s))
        else:

            def out(s, t=t, v=v, way=way):
                return way * (v - way * push * (s - t) - table(s))

        values = [out(s) for s in grid]
        found = [
            (a, b)
            for (a, u), (b, w) in itertools.pairwise(zip(grid, values, strict=True))
            if u > 0 >= w
        ]
        end = brentq(out, *found[0], xtol=1e-15) if found else float(grid[-1])
        if hold:
            x += amplitude * (math.sin(rate * end) - math.sin(rate * t))
            v = table(end)
        else:
            x, v = x + v * (end - t) - way * push * (end - t) ** 2 / 2, v - way * push * (end - t)
        t = end
        if found and hold:
            hold, way = False, 1.0 if math.sin(rate * t) > 0 else -1.0
        elif found:
            hold = abs(amplitude * rate**2 * math.sin(rate * t)) < push
            way = -way
    return x, v


def test_block_on_a_shaken_table():
    x, y = dl.coordinates("x y")
    amplitude, rate, friction = 0.05, 20.0, 0.3
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 + y.dot**2, potential=2 * G * y, initial={"x.dot": amplitude * rate}
    )
    model.keep(y >= 0, friction=friction, sliding=x - amplitude * np.sin(rate * dl.time))
    solution = dl.simulate(model, until=5.0)
    place, speed = _shaken(5.0, amplitude, rate, friction)
    assert solution["x"][-1] == pytest.approx(place, abs=1e-8)
    assert solution["x.dot"][-1] == pytest.approx(speed, abs=1e-8)


def test_stop_that_comes_and_goes():
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2, coordinates=[x], initial={x: 1.0, "x.dot": -0.3}
    )
    model.keep(x >= 0.2 * np.sin(40 * dl.time), restitution=0.5)
    log = dl.simulate(model, until=3.0).log
    t = np.linspace(0, 3, 300001)
    k = np.flatnonzero(1 - 0.3 * t <= 0.2 * np.sin(40 * t))[0]
    first = brentq(lambda s: 1 - 0.3 * s - 0.2 * math.sin(40 * s), t[k - 1], t[k], xtol=1e-15)
    assert log[0].kind == "impact"
    assert log[0].t == pytest.approx(first, abs=1e-10)


def test_event_of_time_alone():
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, coordinates=[x])
    event = dl.Event(np.sin(20 * dl.time) - 0.9, direction=1, name="up")
    solution = dl.simulate(model, until=5.0, events=[event])
    expected = (math.asin(0.9) + 2 * math.pi * np.arange(16)) / 20
    assert [entry.t for entry in solution.events] == pytest.approx(expected.tolist(), abs=1e-12)


def test_a_longer_run_begins_with_the_same_bits(tmp_path):
    model = _at_rest(7.0 * np.exp(-(((dl.time - 5.3) / 1e-3) ** 2)) + np.sin(30 * dl.time))
    how = dl.DormandPrince(first_step=1e-4)  # else a ten thousandth of the run
    short = dl.simulate(model, until=6.0, integrator=how, save=tmp_path / "run")
    longer = dl.resume(tmp_path / "run", until=20.0)
    whole = dl.simulate(model, until=20.0, integrator=how)
    assert short["x.dot"][-1] != 0
    assert np.array_equal(longer.t, whole.t)
    assert np.array_equal(longer.v, whole.v)


def test_session():
    session = dl.Session(
        _at_rest(7.0 * np.exp(-(((dl.time - 5.3) / 1e-2) ** 2))),
        integrator=dl.DormandPrince(),
    )
    for _ in range(10):
        session.advance(1.0)
    assert session.v[0] == pytest.approx(0.07 * math.sqrt(math.pi), rel=1e-8)


def test_what_is_too_fast_to_matter_takes_no_steps():
    solution = dl.simulate(_at_rest(1 + 1e-15 * np.sin(1e6 * dl.time)), until=10.0)
    assert solution["x.dot"][-1] == pytest.approx(10.0, rel=1e-11)
    assert solution.statistics["steps"] < 20_000
