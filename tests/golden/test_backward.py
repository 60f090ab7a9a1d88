"""Backward differences with `IndexTwo`: closed forms, and linkages through singular positions.

Source: physics.md, sections 9.1 to 9.3 and 11, item 3. References: the closed forms of pendulum and
four-bar linkages, the 40-digit values of the slider-crank.
"""

import numpy as np
import pytest
from tests.golden import references
from tests.golden.test_bodies_governor import expected, governor, height
from tests.support.closed_form import pendulum_motion

import dalembert as dl
from dalembert.simulation.status import Status

pytestmark = pytest.mark.reference

LANDING = 0.714355529292960 / 400  # the 400th step ends in the singular position


def run(name, until, tolerance, method=None, **options):
    return dl.simulate(
        dl.catalog.load(name),
        until=until,
        method=method or dl.IndexTwo(),
        integrator=dl.BDF(rtol=tolerance, atol=tolerance),
        **options,
    )


def assert_holds(solution):
    """Rounding, which a direction that is nearly lost may divide by 1e-4 in the velocity."""
    assert solution.worst["phi"] <= 1e-13
    assert solution.worst["phi_dot"] <= 1e-11


def test_pendulum():
    moments = np.linspace(0.0, 20.0, 501)
    solution = run("pendulum", 20.0, 1e-9, times=moments)
    q, v = pendulum_motion(moments)
    # Errors of each step add up linearly in time, and early ones are carried on.
    most = solution.statistics["steps"] * 1e-9
    assert np.abs(solution.q - q).max() <= most
    assert np.abs(solution.v - v).max() <= 10 * most
    assert solution.worst["phi"] <= 1e-14
    assert solution.worst["phi_dot"] <= 1e-14


@pytest.mark.parametrize("method", [dl.IndexTwo(), dl.Projection()], ids=repr)
@pytest.mark.parametrize("until", [10.0, 100.0])
def test_four_bars_pass_their_singular_positions(until, method):
    # Two in each of 51 turns. Nearly at rest at the top, the linkage carries early errors on e-fold
    # in 0.3 s of each turn: they grow with the square of time.
    errors = []
    for tolerance in (1e-8, 1e-10):
        solution = run("four-bars", until, tolerance, method)
        assert solution.status is Status.OK
        if method == dl.IndexTwo():
            assert_holds(solution)
        errors.append(np.abs(solution["x3"] - references.four_bars(solution.t)).max())
    assert errors[1] <= 1e-6 * (until / 10.0) ** 2 * 5
    assert errors[1] < 0.15 * errors[0]


@pytest.mark.parametrize("method", [dl.IndexTwo(), dl.Projection()], ids=repr)
@pytest.mark.parametrize("name", ["four-bars", "slider-crank"])
def test_wherever_steps_land_the_run_goes_on(name, method):
    # Tolerances that differ a little make steps that end anywhere near singular positions.
    for tolerance in np.logspace(-5, -11, 40):
        solution = run(name, 6.0, tolerance, method, every=10_000, on_failure="return")
        assert solution.status is Status.OK, tolerance
        if name == "four-bars":
            off = solution["x3"][-1] - references.four_bars(solution.t)[-1]
            assert abs(off) <= 1e4 * tolerance  # some 1e3 steps, and what the top makes of them


@pytest.mark.parametrize("off", [0.0, *(10.0**-k for k in range(3, 14))])
def test_fixed_steps_land_on_the_singular_position(off):
    # BDF2 alone: the error of second order, 3e-3 after 5 s, whatever the landing.
    step = LANDING * (1.0 + off)
    solution = dl.simulate(dl.catalog.load("four-bars"), until=5.0, step=step, method=dl.IndexTwo())
    assert np.abs(solution["x3"] - references.four_bars(solution.t)).max() <= 4e-3
    assert_holds(solution)


@pytest.mark.parametrize(("until", "x"), [(10.0, 1.7657635110488), (100.0, -0.71743148638315)])
def test_slider_crank(until, x):
    solution = run("slider-crank", until, 1e-9)
    place = solution["x1"] + np.cos(solution["theta1"]) + np.cos(solution["theta2"])
    assert place[-1] == pytest.approx(x, abs=2e-6 * until / 10.0)
    assert_holds(solution)


def test_a_stiff_governor_takes_steps_of_its_slow_motion():
    # Its springs relax at 1e4 1/s: explicit steps are shorter than 3e-4 s, 33 000 in 10 s.
    moments = expected()[:, 0]
    for method in (dl.IndexTwo(), dl.Projection()):
        solution = dl.simulate(
            governor(welded=False),
            until=10.0,
            method=method,
            integrator=dl.BDF(rtol=1e-7, atol=1e-7),
            times=moments,
        )
        assert solution.statistics["steps"] < 2000
        assert np.abs(height(solution) - expected()[:, 3]).max() <= 1e-5
        assert solution.worst["phi"] <= 1e-12
