"""Backward differences have the orders 1 to 5 they claim, in their steps and in their output.

A run begins with order 1 and grows, so that orders are asked of steps that go on from points of the
closed form instead.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery
from tests.support.closed_form import pendulum_motion

import dalembert as dl
from dalembert.integration.backward.history import POINTS, Room
from dalembert.system import borders

UNTIL = 0.5
COUNTS = {1: 2000, 2: 400, 3: 160, 4: 100, 5: 60}
"""Coarsest number of steps: constants of low orders show early, rounding ends high ones."""


def begun(method, order, h):
    """A run of steps h of the pendulum, as if it had been going on at t = 0."""
    integrator = dl.BDF(rtol=1e9, atol=1e9, max_order=order)
    _, _, opened = battery.opened(battery.PENDULUM.model(), method, integrator)
    state = opened.state
    own = Room(state, state.integrator_scratch)
    for j in range(POINTS):
        own.times[j] = -(j + 1) * h
        own.X[j] = np.concatenate(pendulum_motion(-(j + 1) * h))
    own.known, own.order, own.next_order = float(POINTS), float(order), float(order)
    own.end[:], own.end_time, own.last_h = np.concatenate(pendulum_motion(0.0)), 0.0, h
    return state, own, integrator, opened


def errors(method, order, count):
    """Largest errors at the ends of steps and a third before them."""
    h = UNTIL / count
    state, own, integrator, _opened = begun(method, order, h)
    q, v = (x.copy() for x in pendulum_motion(0.0))
    ends = within = 0.0
    for i in range(count):
        t = i * h
        state.start_q[:], state.start_v[:] = q, v
        assert borders.STEPPING.call(state.advance, *state, t, h, q, v) == borders.OK
        assert own.order == order
        assert borders.end_step(state, t, h, q, v) == borders.OK
        exact = np.concatenate(pendulum_motion(t + h))
        ends = max(ends, np.abs(np.concatenate([q, v]) - exact).max())
        integrator.interpolate_prepare(*state, t, h, q, v)
        inside = np.zeros(2), np.zeros(2)
        integrator.interpolate(*state, 2 / 3, h, *inside)
        exact = np.concatenate(pendulum_motion(t + 2 * h / 3))
        within = max(within, np.abs(np.concatenate(inside) - exact).max())
    return ends, within


@pytest.mark.parametrize("order", COUNTS)
def test_observed_order(order):
    # Of `IndexTwo`: Newton's method for rates ends at a share of the tolerance, which is none here.
    counts = np.round(COUNTS[order] * 1.5 ** np.arange(4)).astype(int)
    found = np.array([errors(dl.IndexTwo(), order, int(count)) for count in counts])
    for series in found.T:
        assert dl.observed_order(UNTIL / counts, series) == pytest.approx(order, abs=0.2), found


@pytest.mark.parametrize(
    "method", [dl.IndexTwo(), dl.Projection(), dl.BraunGoldfarb()], ids=lambda m: type(m).__name__
)
def test_the_highest_order_shows_in_what_tolerances_cost(method):
    # Local errors are c h^6: a tolerance of 1/64 costs twice the steps. With order 1, 8 times.
    model, steps = battery.PENDULUM.model(), []
    for tolerance in (1e-6, 1e-6 / 64, 1e-6 / 64**2):
        integrator = dl.BDF(rtol=tolerance, atol=tolerance)
        solution = dl.simulate(model, until=10.0, method=method, integrator=integrator)
        steps.append(solution.statistics["steps"])
        q, v = pendulum_motion(solution.t)
        most = solution.statistics["steps"] * tolerance
        assert np.abs(solution.q - q).max() <= most
        assert np.abs(solution.v - v).max() <= 10 * most  # |v| is up to 4.4
    assert steps[1] / steps[0] == pytest.approx(2.0, rel=0.15)
    assert steps[2] / steps[1] == pytest.approx(2.0, rel=0.15)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_the_highest_order_can_be_limited(most):
    # A tolerance of 1/4^(k + 1) costs four times the steps.
    model, steps = battery.PENDULUM.model(), []
    for tolerance in (1e-5, 1e-5 / 4 ** (most + 1)):
        integrator = dl.BDF(rtol=tolerance, atol=tolerance, max_order=most)
        solution = dl.simulate(model, until=3.0, method=dl.IndexTwo(), integrator=integrator)
        steps.append(solution.statistics["steps"])
    assert steps[1] / steps[0] == pytest.approx(4.0, rel=0.15)
