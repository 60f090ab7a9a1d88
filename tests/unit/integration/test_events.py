"""Events: located on the continuous output, in order, in the wanted direction."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery
from tests.support.closed_form import pendulum_motion

import dalembert as dl
from dalembert.enforcement import METHODS
from dalembert.integration import INTEGRATORS
from dalembert.simulation.status import Status

EPS = np.finfo(float).eps


def fall(speed=0.0, height=1.0, gravity=2.0):
    """z = height + speed t - t^2: a parabola, which RK4 and the continuous output have exactly."""
    (z,) = dl.coordinates("z")
    model = dl.Model.from_lagrangian(
        kinetic=z.dot**2 / 2, potential=gravity * z, initial={z: height, z.dot: speed}
    )
    return model, z


def oscillator(frequency=1.0):
    """x = cos(w t)."""
    (x,) = dl.coordinates("x")
    return dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2, potential=frequency**2 * x**2 / 2, initial={x: 1.0}
    ), x


# -- terminal ------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [0.3, 0.25, 1e-2, None])
def test_a_terminal_event_ends_the_run_there(step):
    model, z = fall()
    solution = dl.simulate(
        model, until=5.0, step=step, events=[dl.Event(z, terminal=True, name="ground")]
    )
    assert solution.status is Status.EVENT
    assert "'ground'" in solution.message
    (event,) = solution.events
    assert event.name == "ground"
    assert event.t == pytest.approx(1.0, abs=1e-9 if step is None else 20 * EPS)
    assert event.q == pytest.approx([0.0], abs=1e-9 if step is None else 20 * EPS)
    assert event.v == pytest.approx([-2.0], abs=1e-8 if step is None else 40 * EPS)
    # The last sample is the event itself.
    assert solution.t[-1] == event.t
    assert np.array_equal(solution.q[-1], event.q)
    assert np.array_equal(solution.v[-1], event.v)
    assert np.all(np.diff(solution.t) > 0)


def test_a_terminal_event_is_a_sample_whatever_is_recorded():
    model, z = fall()
    events = [dl.Event(z, terminal=True)]
    thin = dl.simulate(model, until=5.0, step=1e-2, every=1000, events=events)
    assert thin.t == pytest.approx([0.0, 1.0], abs=20 * EPS)
    moments = dl.simulate(model, until=5.0, step=1e-2, times=[0.5, 0.75, 1.5, 2.0], events=events)
    assert list(moments.t) == [0.5, 0.75]  # nothing after the end
    assert moments.events[0].t == pytest.approx(1.0, abs=20 * EPS)


def test_what_comes_after_a_terminal_event_did_not_happen():
    model, z = fall()
    events = [
        dl.Event(z - 0.75, name="first"),
        dl.Event(z - 0.36, terminal=True, name="end"),
        dl.Event(z - 0.19, name="too late"),
    ]
    solution = dl.simulate(model, until=2.0, step=2.0, events=events)
    assert [e.name for e in solution.events] == ["first", "end"]
    assert solution.t[-1] == pytest.approx(0.8, abs=20 * EPS)


# -- direction -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("direction", "quarters"), [(0, (1, 3, 5, 7)), (-1, (1, 5)), (1, (3, 7))])
def test_direction(direction, quarters):
    model, x = oscillator()
    solution = dl.simulate(
        model, until=4 * np.pi, step=0.05, events=[dl.Event(x, direction=direction)]
    )
    expected = np.pi / 2 * np.array(quarters)
    # RK4 is late by h^4 t / 120 w^5.
    assert [e.t for e in solution.events] == pytest.approx(expected, abs=0.05**4 * 12.6 / 100)


def test_a_direction_that_does_not_occur():
    model, z = fall()
    solution = dl.simulate(model, until=2.0, step=0.1, events=[dl.Event(z, direction=1)])
    assert solution.events == ()
    assert solution.status is Status.OK


# -- several -------------------------------------------------------------------------------------


def test_several_in_one_step_come_in_their_order():
    # One step of 2 s passes all of them; given in another order, and one of velocity.
    model, z = fall()
    events = [
        dl.Event(z + 1.25, name="deep"),
        dl.Event(z - 0.75, name="high"),
        dl.Event(z, name="ground"),
        dl.Event(z.dot + 2.4, name="fast"),
        dl.Event(dl.time - 0.1, name="early"),
    ]
    solution = dl.simulate(model, until=2.0, step=2.0, events=events)
    assert [e.name for e in solution.events] == ["early", "high", "ground", "fast", "deep"]
    moments = [e.t for e in solution.events]
    assert moments == pytest.approx([0.1, 0.5, 1.0, 1.2, 1.5], abs=20 * EPS)
    for event in solution.events:
        assert event.q == pytest.approx([1.0 - event.t**2], abs=20 * EPS)
        assert event.v == pytest.approx([-2.0 * event.t], abs=40 * EPS)


def test_two_at_the_same_moment_are_both_recorded():
    model, z = fall()
    solution = dl.simulate(
        model, until=2.0, step=0.3, events=[dl.Event(z, name="a"), dl.Event(3 * z, name="b")]
    )
    assert sorted(e.name for e in solution.events) == ["a", "b"]


def test_more_than_there_is_room_for_at_first():
    model, x = oscillator(frequency=50.0)
    solution = dl.simulate(
        model, until=10.0, step=1e-3, events=[dl.Event(x), dl.Event(x.dot, name="turn")]
    )
    # cos(50 t) crosses zero 159 times in 10 s; so does its rate, its start at zero not counted.
    names = [e.name for e in solution.events]
    assert names.count("turn") == 159
    assert len(names) == 318
    moments = np.array([e.t for e in solution.events])
    assert np.all(np.diff(moments) > 0)
    assert np.diff(moments) == pytest.approx(np.pi / 100, abs=1e-5)


# -- at the borders ------------------------------------------------------------------------------


def test_a_value_of_zero_at_the_start_is_no_event():
    # Thrown up from the ground: the return is one, the start is not.
    model, z = fall(speed=2.0, height=0.0)
    solution = dl.simulate(model, until=5.0, step=0.3, events=[dl.Event(z, terminal=True)])
    assert [e.t for e in solution.events] == pytest.approx([2.0], abs=40 * EPS)


def test_leaving_zero_is_no_event_in_either_direction():
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, initial={x.dot: 1.0})
    for formula in (x, -x):
        assert dl.simulate(model, until=1.0, step=0.1, events=[dl.Event(formula)]).events == ()


def test_zero_at_the_end_of_a_step_is_one_event():
    # x = t - 1 vanishes at the end of the second step of 1/2, exactly.
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, initial={x: -1.0, x.dot: 1.0})
    solution = dl.simulate(
        model, until=2.0, step=0.5, integrator=dl.ExplicitEuler(), events=[dl.Event(x)]
    )
    assert [e.t for e in solution.events] == [1.0]


def test_an_event_at_the_very_end_is_found():
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, initial={x: -1.0, x.dot: 1.0})
    # Euler's sum of binary fractions is exact: x is 0 at the end of the last step and not before.
    solution = dl.simulate(
        model,
        until=1.0,
        step=0.25,
        integrator=dl.ExplicitEuler(),
        events=[dl.Event(x, terminal=True)],
    )
    assert solution.q[-1, 0] == 0.0
    assert solution.t[-1] == 1.0
    assert [e.t for e in solution.events] == [1.0]


def test_no_events_asked_for():
    model, _ = fall()
    assert dl.simulate(model, until=1.0, step=0.1).events == ()


def test_an_event_that_never_occurs():
    model, z = fall()
    solution = dl.simulate(model, until=1.0, step=0.1, events=[dl.Event(z - 10.0)])
    assert solution.events == ()
    assert solution.status is Status.OK
    assert solution.t[-1] == 1.0


# -- formulas ------------------------------------------------------------------------------------


def test_parameters_of_the_model_and_of_the_event():
    (z,) = dl.coordinates("z")
    (g,) = dl.parameters(g=2.0)
    (level,) = dl.parameters(level=0.75)
    model = dl.Model.from_lagrangian(kinetic=z.dot**2 / 2, potential=g * z, initial={z: 1.0})
    # The weight is a parameter of the model, the level of the event alone.
    events = [dl.Event(z - level, name="level"), dl.Event(g * dl.time - 1.0, name="weighted")]
    found = dl.simulate(model, until=2.0, step=0.1, events=events).events
    assert [(e.name, e.t) for e in found] == [
        ("level", pytest.approx(0.5, abs=20 * EPS)),
        ("weighted", pytest.approx(0.5, abs=20 * EPS)),
    ]
    other = dl.simulate(model, until=2.0, step=0.1, events=events, parameters={"g": 8.0}).events
    assert {e.name: e.t for e in other} == {
        "level": pytest.approx(0.25, abs=20 * EPS),
        "weighted": pytest.approx(0.125, abs=20 * EPS),
    }


def test_the_formula_is_the_name_of_a_nameless_event():
    model, z = fall()
    (event,) = dl.simulate(model, until=2.0, step=0.1, events=[dl.Event(z)]).events
    assert event.name == "z"


# -- every way of stepping -----------------------------------------------------------------------


def passages(method=None, integrator=None, step=None):
    """Moments at which the pendulum passes its lowest point, and the states there."""
    model = battery.PENDULUM.model()
    x, _ = model.coordinates
    solution = dl.simulate(
        model, until=2.0, step=step, method=method, integrator=integrator, events=[dl.Event(x)]
    )
    return solution.events


QUARTER = 0.5919604868940593
"""A quarter of the period, K(1/2) sqrt(l / g)."""


def test_the_quarter_period_is_that_of_the_closed_form():
    assert pendulum_motion(QUARTER)[0] == pytest.approx([0.0, -1.0], abs=10 * EPS)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_locates_events_to_its_order(name):
    method = dl.Penalty(1e7, 1e2) if name == "penalty" else METHODS[name]()
    order = min(METHODS[name].order or 1, 4)
    step = {1: 5e-4, 2: 2e-3, 4: 5e-3}[order] if name != "penalty" else 2e-4
    found = passages(method, step=step)
    # Global error: C h^p with C ~ omega^p |x| t, omega^2 = g; gains add their own.
    error = 5 * (step * np.sqrt(9.81)) ** order + (1e-4 if METHODS[name].drift == "bounded" else 0)
    assert [e.t for e in found] == pytest.approx([QUARTER, 3 * QUARTER], abs=error)
    for event in found:
        assert abs(event.q[0]) <= 1e-12 + 10 * error * (METHODS[name].drift == "machine")


@pytest.mark.parametrize("name", INTEGRATORS)
def test_every_integrator_locates_events_to_its_order(name):
    integrator = INTEGRATORS[name]()
    if integrator.adaptive:
        found, error = passages(integrator=integrator), 100 * integrator.rtol
    else:
        step = {1: 5e-4, 2: 2e-3, 4: 5e-3, 5: 1e-2}[integrator.order]
        found = passages(integrator=integrator, step=step)
        error = 5 * (step * np.sqrt(9.81)) ** integrator.order
    assert [e.t for e in found] == pytest.approx([QUARTER, 3 * QUARTER], abs=error)


def test_states_of_events_lie_on_the_constraints():
    for event in passages(step=1e-2):
        assert event.q @ event.q == pytest.approx(1.0, abs=1e-14)
        assert event.q @ event.v == pytest.approx(0.0, abs=1e-13)
