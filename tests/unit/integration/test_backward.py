"""Backward differences: their options, their start, and what they make of jumps and noise."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery
from tests.support.closed_form import pendulum_motion

import dalembert as dl
from dalembert.integration.backward.history import Room, leading, polynomial
from dalembert.integration.backward.step import error_constant
from dalembert.simulation.hybrid.make_run import make_run
from dalembert.simulation.prepare.prepare import Wanted, prepare


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rtol": 0.0}, "rtol is 0.0. Give a positive number"),
        ({"rtol": None}, "rtol is None"),
        ({"rtol": "small"}, "rtol is 'small'"),
        ({"rtol": 1e-15}, "below rounding"),
        ({"atol": -1.0}, "atol is -1.0"),
        ({"atol": float("nan")}, "atol is nan"),
        ({"max_order": 6}, "max_order is 6. Give a whole number from 1 to 5"),
        ({"max_order": 0}, "max_order is 0"),
        ({"max_order": 2.5}, "max_order is 2.5"),
        ({"max_order": True}, "max_order is True"),
        ({"first_step": 0.0}, "first_step is 0.0. Give a positive time"),
        ({"max_step": -1.0}, "max_step is -1.0. Give a positive time"),
        ({"max_step": float("nan")}, "max_step is nan"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(given, said):
    with pytest.raises(dl.errors.OptionError, match=said):
        dl.BDF(**given)


def test_a_given_step_is_refused():
    with pytest.raises(dl.errors.OptionError, match="BDF chooses its own step"):
        dl.simulate(
            battery.PENDULUM.model(), 1.0, step=0.1, method=dl.IndexTwo(), integrator=dl.BDF()
        )


@pytest.mark.parametrize(
    "method", [dl.BraunGoldfarbPerStage(), dl.VelocitySplitting(), dl.Rattle()], ids=repr
)
def test_methods_it_cannot_serve_are_refused(method):
    with pytest.raises(dl.errors.OptionError, match=type(method).__name__):
        dl.simulate(battery.PENDULUM.model(), 1.0, method=method, integrator=dl.BDF())


def begun(method=None, **options):
    """A run of the pendulum that has not begun, and its history."""
    integrator = dl.BDF(**options)
    model = battery.PENDULUM.model()
    setup = prepare(model, Wanted(method or dl.IndexTwo(), integrator, None))
    run = make_run(setup, start=0.0, until=50.0, every=None, times=None, events=())
    run.warm()
    return run, Room(run.state, run.state.integrator_scratch)


def test_the_order_rises_to_five_and_stays():
    run, own = begun(rtol=1e-8)
    seen = []
    for _ in range(60):
        run.chunk(1)
        seen.append(int(own.order))
    assert seen[0] == 1
    assert max(seen) == 5
    assert np.mean(np.array(seen[20:]) == 5) > 0.9


def test_a_state_that_jumps_begins_a_new_history():
    run, own = begun(rtol=1e-6)
    run.chunk(40)
    assert own.order > 2
    run.v *= 1.5  # a blow, tangential as the velocity is
    run.chunk(1)
    assert own.known == 1.0
    assert own.order == 1
    run.chunk(60)
    energy = 0.5 * run.v @ run.v + 9.81 * run.q[1]
    before = energy
    run.chunk(60)
    assert 0.5 * run.v @ run.v + 9.81 * run.q[1] == pytest.approx(before, abs=1e-3)


def test_weights_are_those_of_the_polynomial():
    _run, own = begun()
    own.times[:] = -np.array([0.0, 0.1, 0.25, 0.3, 0.5, 0.9, 1.0])
    polynomial(own, 0, 4, 0.2)
    for power in range(4):
        values = np.asarray(own.times[:4]) ** power
        assert own.weights[:4] @ values == pytest.approx(0.2**power)
        slope = power * 0.2 ** max(0, power - 1)
        assert own.slopes[:4] @ values == pytest.approx(slope, abs=1e-13)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_errors_of_equal_steps_are_those_of_the_textbook(order):
    # C of the error -C h^(k+1) x^(k+1) of the formula of order k: 1 / (k + 1).
    _run, own = begun()
    own.times[:] = -0.1 * np.arange(7)
    assert leading(order) == pytest.approx(sum(1 / j for j in range(1, order + 1)))
    assert error_constant(own, order, 0.1, 0.1) == pytest.approx(1 / (order + 1))


def test_output_between_steps_keeps_the_tolerance():
    moments = np.linspace(0.0, 3.0, 333)
    for method in (dl.IndexTwo(), dl.Projection()):
        solution = dl.simulate(
            battery.PENDULUM.model(),
            until=3.0,
            times=moments,
            method=method,
            integrator=dl.BDF(rtol=1e-8, atol=1e-8),
        )
        q, v = pendulum_motion(moments)
        assert np.abs(solution.q - q).max() <= 3 * solution.statistics["steps"] * 1e-8
        assert np.abs(solution.v - v).max() <= 30 * solution.statistics["steps"] * 1e-8


def test_output_does_not_change_the_motion():
    options = {"until": 2.0, "method": dl.IndexTwo(), "integrator": dl.BDF()}
    plain = dl.simulate(battery.FOUR_BARS.model(), **options)
    looked = dl.simulate(battery.FOUR_BARS.model(), times=np.linspace(0.0, 2.0, 777), **options)
    assert np.array_equal(plain.q[-1], looked.q[-1])
    assert np.array_equal(plain.v[-1], looked.v[-1])


def stiff_oscillator(rate):
    """x follows cos t with a fast relaxation, and a slow oscillator beside it."""
    x, y = dl.coordinates("x y")
    return dl.Model.from_lagrangian(
        kinetic=(x.dot**2 + y.dot**2) / 2,
        potential=rate**2 * (x - y) ** 2 / 2 + y**2 / 2,
        forces={x: -2 * rate * (x.dot - y.dot), y: -2 * rate * (y.dot - x.dot)},
        initial={x: 1.0, y: 1.0},
    )


@pytest.mark.parametrize("method", [dl.IndexTwo(), dl.Projection()], ids=repr)
def test_steps_do_not_follow_a_fast_relaxation(method):
    # Both masses move as one: (m1 + m2) y'' = -y up to 1 / rate^2.
    rate, counts = 1e4, []
    for stiffness in (10.0, rate):
        solution = dl.simulate(
            stiff_oscillator(stiffness), until=10.0, method=method, integrator=dl.BDF(rtol=1e-7)
        )
        counts.append(solution.statistics["steps"])
    assert solution["y"][-1] == pytest.approx(np.cos(10.0 / np.sqrt(2.0)), abs=1e-4)
    assert counts[1] < 2 * counts[0]


def test_dependent_rows_are_solved_with():
    once = battery.HINGED_BAR.model()
    twice = battery.doubled(battery.HINGED_BAR.model())
    ends = [
        dl.simulate(model, until=0.5, method=dl.IndexTwo(), integrator=dl.BDF(rtol=1e-8)).q[-1]
        for model in (once, twice)
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)
