"""Every method with every integrator: it runs and is right, or it is refused with a sentence."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from tests.support import battery
from tests.support.battery import BODIES, PENDULUM, ROLLING_DISC, SLEIGH, TOWING_TANK

import dalembert as dl
from dalembert.enforcement import METHODS
from dalembert.integration import INTEGRATORS
from dalembert.simulation.status import Status

pytestmark = pytest.mark.share(2)

UNTIL, STEP = 0.8, 1e-3

NEAR = 2e-2
"""Twice what a first-order method may be off after 0.8 s: h |q''| t = 8e-3."""


@functools.cache
def exact(case, method):
    """The constrained motion, or that of a method which imposes no level but replaces the rows."""
    if METHODS[method].levels:
        return dl.simulate(case.model(), until=UNTIL)
    return dl.simulate(case.model(), until=UNTIL, method=case.method(method))


@pytest.mark.parametrize(
    "case", [PENDULUM, TOWING_TANK, SLEIGH, ROLLING_DISC, *BODIES], ids=lambda c: c.name
)
@pytest.mark.parametrize(("method", "integrator"), battery.combinations())
def test_runs_and_is_right_or_is_refused(method, integrator, case):
    chosen = None if integrator is None else INTEGRATORS[integrator]()
    fixed = chosen is None or not chosen.adaptive
    result = battery.attempt(
        case.model(),
        UNTIL,
        step=STEP if fixed else None,
        method=case.method(method),
        integrator=chosen,
    )
    refused = isinstance(result, dl.errors.RedundancyError) and not METHODS[method].redundant
    if refused or isinstance(result, dl.errors.OptionError):
        assert METHODS[method].__name__ in str(result)
        assert str(result).endswith(".")
        assert ". " in str(result)  # what is wrong, and what to do
        return
    assert not isinstance(result, dl.errors.DalembertError), result
    assert result.status is Status.OK
    assert result.t[-1] == UNTIL
    assert np.abs(result.q[-1] - exact(case, method).q[-1]).max() <= NEAR


@pytest.mark.parametrize(
    ("name", "integrator"),
    [
        (name, other)
        for name, kind in METHODS.items()
        for other in INTEGRATORS
        if kind().steps_itself(INTEGRATORS[other]())
        and not kind().goes_between(INTEGRATORS[other]())
    ],
)
def test_a_method_with_its_own_discretisation_takes_no_other(name, integrator):
    with pytest.raises(dl.errors.OptionError, match="own time discretisation"):
        dl.simulate(
            PENDULUM.model(),
            1.0,
            step=1e-2,
            method=METHODS[name](),
            integrator=INTEGRATORS[integrator](),
        )


@pytest.mark.parametrize("name", METHODS)
def test_a_method_without_any_step_says_what_is_missing_or_runs(name):
    result = battery.attempt(PENDULUM.model(), 0.1, method=METHODS[name]())
    if METHODS[name] is dl.ContactImpulse:  # the step is chosen, and the report says why
        assert result.status is Status.OK
        assert "step" in result.summary()
    elif METHODS[name].advance is not None:
        assert isinstance(result, dl.errors.OptionError)
        assert "step" in str(result)
    elif not isinstance(result, dl.errors.OptionError):
        assert result.status is Status.OK


# Gains that an explicit step cannot carry are refused before they diverge, and only those.


@pytest.mark.parametrize(
    "integrator", [dl.ExplicitEuler(), dl.SemiImplicitEuler(), dl.RK4()], ids=repr
)
@pytest.mark.parametrize(
    "method",
    [
        dl.Baumgarte(alpha=150.0, beta=150.0),
        dl.Baumgarte(alpha=150.0, beta=0.0),
        dl.Baumgarte(alpha=250.0, beta=250.0),
        dl.Baumgarte(alpha=1.0, beta=100.0),
        dl.BaumgarteVelocity(time_constant=1 / 150),
        dl.BaumgarteVelocity(time_constant=1 / 250),
    ],
    ids=repr,
)
def test_gains_beyond_stability_are_refused(method, integrator):
    # The roots lie at 1.5, 3 and 2.5 times -1/h and at nearly +-i/h. Explicit Euler is stable for
    # real ones up to 2 and for no imaginary ones, RK4 for real ones up to 2.78 and imaginary ones
    # up to 2.83, semi-implicit Euler with Baumgarte for 4 h alpha + (h beta)^2 < 4.
    result = battery.attempt(PENDULUM.model(), 3.0, step=1e-2, method=method, integrator=integrator)
    if isinstance(result, dl.errors.OptionError):
        assert "step" in str(result)
        return
    assert not isinstance(result, dl.errors.DalembertError), result
    assert result.worst["phi"] < 0.5


def test_an_implicit_step_carries_any_gain():
    # The implicit midpoint rule is stable on the whole negative axis.
    for method in (dl.Baumgarte(500.0, 500.0), dl.BaumgarteVelocity(0.002)):
        solution = dl.simulate(
            PENDULUM.model(), until=2.0, step=1e-2, method=method, integrator=dl.ImplicitMidpoint()
        )
        assert solution.worst["phi"] < 1e-2
