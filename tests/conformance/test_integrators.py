"""Every integrator of the table keeps the facts it states (integration/protocol.py).

The order is checked by tests/convergence. A new integrator is found through `INTEGRATORS`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from tests.support import battery
from tests.support.closed_form import pendulum_motion

import dalembert as dl
from dalembert import _jit
from dalembert.enforcement import Projection
from dalembert.integration import INTEGRATORS
from dalembert.system.borders import RATING
from dalembert.system.state_layout import State

FIXED = [n for n, i in INTEGRATORS.items() if not i.adaptive]
ADAPTIVE = [n for n, i in INTEGRATORS.items() if i.adaptive]


def integrators():
    """One of each, and both orders of those with two."""
    made = [kind() for kind in INTEGRATORS.values()]
    return [*made, dl.DormandPrince(order=5), dl.Gauss(order=6)]


def named(items):
    return pytest.mark.parametrize(
        "integrator", items, ids=lambda i: f"{type(i).__name__}{i.order}"
    )


def oscillator(stiffness, damping=0.0):
    (x,) = dl.coordinates("x")
    return dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2,
        potential=stiffness * x**2 / 2,
        forces={x: -damping * x.dot} if damping else None,
        initial={x: 1.0},
    )


# -- adaptive ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIXED)
def test_a_fixed_step_must_be_given(name):
    with pytest.raises(
        dl.errors.OptionError, match=f"{INTEGRATORS[name].__name__} needs a fixed step"
    ):
        dl.simulate(oscillator(1.0), until=1.0, integrator=INTEGRATORS[name]())


@pytest.mark.parametrize("name", ADAPTIVE)
def test_an_adaptive_step_must_not_be_given(name):
    with pytest.raises(dl.errors.OptionError, match="chooses its own step"):
        dl.simulate(oscillator(1.0), until=1.0, step=0.1, integrator=INTEGRATORS[name]())


@pytest.mark.parametrize("order", [5, 8])
@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize(
    "method", [dl.Projection(), dl.BraunGoldfarb(), dl.Partitioning()], ids=repr
)
def test_the_error_follows_the_tolerance(order, tolerance, method):
    # The tolerance bounds each step. A pendulum carries an early error on linearly in time, so that
    # after k steps the sum is at most of the order of k times the tolerance.
    integrator = dl.DormandPrince(order=order, rtol=tolerance, atol=tolerance)
    solution = dl.simulate(
        battery.PENDULUM.model(), until=2.0, method=method, integrator=integrator
    )
    q, v = pendulum_motion(solution.t)
    steps = solution.statistics["steps"]
    assert np.abs(solution.q - q).max() <= steps * tolerance
    assert np.abs(solution.v - v).max() <= 10 * steps * tolerance  # |v| is up to 4.4


@pytest.mark.parametrize("order", [5, 8])
def test_a_tighter_tolerance_costs_steps_and_gains_digits(order):
    errors, steps = [], []
    for tolerance in (1e-4, 1e-7, 1e-10):
        integrator = dl.DormandPrince(order=order, rtol=tolerance, atol=tolerance)
        solution = dl.simulate(battery.PENDULUM.model(), until=2.0, integrator=integrator)
        errors.append(np.abs(solution.q - pendulum_motion(solution.t)[0]).max())
        steps.append(solution.statistics["steps"])
    assert errors[0] > 30 * errors[1] > 900 * errors[2]
    assert steps[0] < steps[1] < steps[2]


# -- explicit ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIXED)
def test_only_implicit_steps_are_stable_beyond_the_frequency(name):
    # h omega = 10 on a damped oscillator: outside the region of every explicit scheme.
    step, omega = 1e-2, 1e3
    solution = dl.simulate(
        oscillator(omega**2, damping=omega / 10),
        until=2.0,
        step=step,
        integrator=INTEGRATORS[name](),
        on_failure="return",
    )
    bounded = bool(np.all(np.abs(solution.q) <= 1.0 + 1e-9))
    assert bounded == (not INTEGRATORS[name].explicit)


# -- stages --------------------------------------------------------------------------------------


def counted():
    """`Projection` whose rates count how often they are asked."""
    calls = [0]

    def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
        calls[0] += 1
        return Projection.rates.function(state, t, h, q, v, qdot_out, vdot_out, lam_out)

    @dataclass(frozen=True)
    class Counted(Projection):
        traceable = False

    Counted.rates = _jit.border(RATING)(rates)
    return Counted(), calls


@named(integrators())
def test_stages_are_the_evaluations_of_a_step(integrator):
    method, calls = counted()
    with _jit.interpreted():
        solution = dl.simulate(
            oscillator(1.0),
            until=0.5,
            step=None if integrator.adaptive else 0.1,
            method=method,
            integrator=integrator,
        )
    attempts = solution.statistics["steps"] + solution.statistics["rejected"]
    if integrator.explicit:
        assert calls[0] == attempts * integrator.stages
    assert solution.statistics["evaluations"] == calls[0]


# -- stability -----------------------------------------------------------------------------------


def final_size(integrator, a, b, step):
    """|x| after 300 steps of x'' + a x' + b x = 0 from x = 1, infinite when it left the numbers."""
    (x,) = dl.coordinates("x")
    model = dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2, potential=b * x**2 / 2, forces={x: -a * x.dot}, initial={x: 1.0}
    )
    end = dl.simulate(
        model, until=300 * step, step=step, integrator=integrator, every=300, on_failure="return"
    )
    return np.inf if end.status.failed else np.abs(end.q[-1]).max()


@pytest.mark.parametrize("name", FIXED)
@pytest.mark.parametrize("damping", [1e-3, 0.1, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("resolved", [0.1, 0.5, 0.9, 1.5, 1.95, 2.1, 2.7, 2.9, 5.0])
def test_what_is_called_stable_is_stable(name, damping, resolved):
    # x'' + 2 d w x' + w^2 x = 0 with h w = resolved: the roots of Baumgarte's equation.
    integrator, step = INTEGRATORS[name](), 1e-2
    w = resolved / step
    a, b = 2 * damping * w, w * w
    # A stable pair of roots may first grow by about their number times h w.
    stable = final_size(integrator, a, b, step) <= 10.0
    if integrator.keeps_stable(step, a, b):
        assert stable
    elif damping >= 1.0:
        # Real roots: the limit is exact. (Complex ones may be refused a little early.)
        assert not stable


@pytest.mark.parametrize("name", FIXED)
def test_implicit_integrators_have_no_limit(name):
    assert np.isinf(INTEGRATORS[name].stability) == (not INTEGRATORS[name].explicit)


# -- continuous output ---------------------------------------------------------------------------


def within(integrator, step):
    """Largest error of q and v inside the steps of a run of one second, and at their ends."""
    model = battery.PENDULUM.model()
    ends = np.arange(1, round(1.0 / step)) * step
    moments = np.stack([ends - 0.4 * step, ends], axis=1).ravel()
    if integrator.adaptive:
        loose = {"rtol": 1e6, "atol": 1e6, "first_step": step, "max_step": step}
        integrator, step = dl.DormandPrince(order=integrator.order, **loose), None
    solution = dl.simulate(
        model, until=1.0, step=step, method=dl.UdwadiaKalaba(), integrator=integrator, times=moments
    )
    q, v = pendulum_motion(solution.t)
    error = np.maximum(np.abs(solution.q - q).max(axis=1), np.abs(solution.v - v).max(axis=1))
    return error[0::2].max(), error[1::2].max()


OUTPUT_ORDER = {5: 4, 6: 5, 8: 7}
"""Order of the continuous output where it is below the step's own (Hairer, sections II.6): the
quintic of the fixed steps is of order 6 in q and 5 in v."""


@named([i for i in integrators() if not i.backward])  # tests/convergence/test_backward.py
def test_continuous_output_has_its_order(integrator):
    first = {1: 1e-2, 2: 2e-2, 4: 4e-2, 5: 5e-2, 6: 5e-2, 8: 0.1}[integrator.order]
    steps = first / 1.5 ** np.arange(5)
    steps = 1.0 / np.round(1.0 / steps)
    errors = [within(integrator, h)[0] for h in steps]
    claim = OUTPUT_ORDER.get(integrator.order, integrator.order)
    assert dl.observed_order(steps, errors) >= claim - 0.2


@named([i for i in integrators() if not i.adaptive])
def test_continuous_output_is_as_exact_as_the_steps(integrator):
    # Inside a step the output adds its own error: the scheme's q' differs from v by its local
    # error over h, at most of the size h^p v^(p) with v^(p) ~ omega^p |v|, omega^2 = g, |v| < 4.5.
    h = 1e-2
    inside, ends = within(integrator, h)
    assert inside <= 2 * ends + (h * np.sqrt(9.81)) ** integrator.order * 4.5


@pytest.mark.parametrize("order", [5, 8])
def test_continuous_output_keeps_the_tolerance(order):
    tolerance = 1e-8
    moments = np.linspace(0.0, 2.0, 333)
    solution = dl.simulate(
        battery.PENDULUM.model(),
        until=2.0,
        integrator=dl.DormandPrince(order=order, rtol=tolerance, atol=tolerance),
        times=moments,
    )
    q, _ = pendulum_motion(moments)
    # Output of lower order than the step: a few times the error of the steps themselves.
    assert np.abs(solution.q - q).max() <= 3 * solution.statistics["steps"] * tolerance
