"""What is recorded, and when: all steps, every k-th, given moments, and a last partial step."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery
from tests.support.closed_form import pendulum_motion

import dalembert as dl
from dalembert import _jit
from dalembert.enforcement import METHODS
from dalembert.integration import INTEGRATORS

EPS = np.finfo(float).eps


def drifting():
    """x = t: one free particle, for counting steps."""
    (x,) = dl.coordinates("x")
    return dl.Model.from_lagrangian(kinetic=x.dot**2 / 2, initial={x.dot: 1.0})


# -- steps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("until", "step", "count"),
    [
        (1.0, 0.25, 4),
        (0.3, 0.1, 3),  # 0.3 / 0.1 is a little below 3
        (0.7, 0.1, 7),  # 0.7 / 0.1 is a little above
        (1.0, 0.3, 4),  # the last of 0.1
        (1.0, 1.0, 1),
        (1.0, 0.999, 2),
        (1e-9, 1e-10, 10),
        (1e9, 1e8, 10),
    ],
)
def test_steps_fill_the_run(until, step, count):
    solution = dl.simulate(drifting(), until=until, step=step)
    assert solution.statistics["steps"] == count
    assert len(solution.t) == count + 1
    assert solution.t[-1] == until
    assert np.array_equal(solution.t[:-1], np.arange(count) * step)
    assert solution.q[:, 0] == pytest.approx(solution.t, rel=8 * EPS)


def test_steps_count_from_the_start():
    solution = dl.simulate(drifting(), until=-1.0, start=-2.0, step=0.25)
    assert np.array_equal(solution.t, [-2.0, -1.75, -1.5, -1.25, -1.0])
    assert np.array_equal(solution.q[:, 0], [0.0, 0.25, 0.5, 0.75, 1.0])


@pytest.mark.parametrize("name", METHODS)
def test_a_last_partial_step_keeps_the_accuracy_of_a_method(name):
    method = METHODS[name]()
    step = {1: 1e-3, 2: 4e-3}.get(METHODS[name].order or 1, 1e-2)
    if not METHODS[name].levels:
        pytest.skip("replaces the constraint by springs: another motion")
    # A last step of a fifth, against a run that is a whole number of steps.
    count = round(0.8 / step)
    partial = battery.run(battery.PENDULUM.model(), method, (count + 0.2) * step, step)
    whole = battery.run(battery.PENDULUM.model(), method, (count + 1) * step, step)
    errors = [np.abs(s.q[-1] - pendulum_motion(s.t[-1])[0]).max() for s in (partial, whole)]
    assert partial.statistics["steps"] == count + 1
    assert errors[0] <= 2 * errors[1] + 1e-12


@pytest.mark.parametrize("name", [n for n, i in INTEGRATORS.items() if not i.adaptive])
def test_a_last_partial_step_keeps_the_accuracy_of_an_integrator(name):
    integrator = INTEGRATORS[name]()
    step = {1: 1e-3, 2: 4e-3, 4: 1e-2, 5: 2e-2}[integrator.order]
    count, errors = round(0.8 / step), []
    for length in (count + 0.2, count + 1):
        s = dl.simulate(
            battery.PENDULUM.model(), until=length * step, step=step, integrator=integrator
        )
        errors.append(np.abs(s.q[-1] - pendulum_motion(s.t[-1])[0]).max())
    assert errors[0] <= 2 * errors[1] + 1e-12


# -- every ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("every", [1, 3, 7, 10, 1000])
@pytest.mark.parametrize("integrator", [dl.RK4(), dl.DormandPrince(rtol=1e-6, atol=1e-6)], ids=repr)
def test_every_kth_step_and_the_last(every, integrator):
    model = battery.PENDULUM.model()
    options = {
        "until": 0.9,
        "integrator": integrator,
        "step": None if integrator.adaptive else 0.03,
    }
    full, thin = dl.simulate(model, **options), dl.simulate(model, every=every, **options)
    kept = sorted({*range(0, len(full.t), every), len(full.t) - 1})
    for name in ("t", "q", "v", "a", "lam", "phi", "phi_dot", "kinetic"):
        assert np.array_equal(getattr(full, name)[kept], getattr(thin, name)), name
    assert thin.statistics["every"] == every
    # The watch over violation misses nothing that is not recorded.
    assert thin.worst == full.worst


@pytest.mark.skipif(not _jit.COMPILED, reason="a quarter of a million steps")
def test_long_runs_are_thinned_by_themselves():
    solution = dl.simulate(drifting(), until=25.0, step=1e-4)
    assert solution.statistics["steps"] == 250_000
    assert solution.statistics["every"] == 3
    assert len(solution.t) == 250_000 // 3 + 2
    assert solution.t[-1] == 25.0


# -- times ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_moments_at_the_ends_of_steps_are_the_steps(name):
    model, method = battery.PENDULUM.model(), METHODS[name]()
    full = battery.run(model, method, 0.3, 1e-2)
    picked = battery.run(model, method, 0.3, 1e-2, times=full.t[[0, 3, 17, 30]])
    assert np.array_equal(picked.q, full.q[[0, 3, 17, 30]])
    assert np.array_equal(picked.v, full.v[[0, 3, 17, 30]])


@pytest.mark.parametrize(
    "times", [[0.0], [1.0], [0.0, 1.0], [0.05], [0.31, 0.32, 0.33, 0.34], np.linspace(0, 1, 101)]
)
def test_moments_are_recorded_as_asked(times):
    # z = 1 - t^2: the continuous output has it exactly.
    (z,) = dl.coordinates("z")
    model = dl.Model.from_lagrangian(kinetic=z.dot**2 / 2, potential=2 * z, initial={z: 1.0})
    solution = dl.simulate(model, until=1.0, step=0.1, times=times)
    assert np.array_equal(solution.t, times)
    assert solution.q[:, 0] == pytest.approx(1 - solution.t**2, abs=10 * EPS)
    assert solution.v[:, 0] == pytest.approx(-2 * solution.t, abs=20 * EPS)
    assert solution.a[:, 0] == pytest.approx(-2.0, abs=10 * EPS)


def test_many_moments_in_one_step():
    moments = np.linspace(0.0, 0.5, 300)
    solution = dl.simulate(
        battery.PENDULUM.model(), until=0.5, step=0.25, times=moments, integrator=dl.RK4()
    )
    assert np.array_equal(solution.t, moments)
    # (h omega)^4 of a step of a quarter of a second
    assert np.abs(solution.q - pendulum_motion(moments)[0]).max() <= (0.25 * 3.2) ** 4 / 30


@pytest.mark.parametrize("name", [n for n, m in METHODS.items() if m.drift == "machine"])
def test_moments_lie_on_the_constraints_where_the_steps_do(name):
    solution = battery.run(
        battery.PENDULUM.model(), METHODS[name](), 0.5, 1e-2, times=np.linspace(0.0, 0.5, 77)
    )
    assert max(battery.worst(solution).values()) <= battery.MACHINE


def test_the_run_does_not_end_at_the_last_moment():
    solution = dl.simulate(drifting(), until=1.0, step=0.1, times=[0.25])
    assert solution.statistics["steps"] == 10
    assert "t = 1 s" in solution.message


@pytest.mark.parametrize(
    "times", [[], [0.5, 0.4], [0.5, 0.5], [-0.1], [1.1], [np.nan], [[0.1, 0.2]], [np.inf]]
)
def test_bad_moments_are_refused(times):
    with pytest.raises(dl.errors.OptionError, match="times"):
        dl.simulate(drifting(), until=1.0, step=0.1, times=times)


# -- interpolation of a solution -----------------------------------------------------------------


def test_a_solution_is_interpolated_between_its_samples():
    solution = dl.simulate(battery.PENDULUM.model(), until=1.0, step=1e-2)
    for t in (0.0, 0.123, 0.5, 0.999, 1.0):
        q, v = solution.at(t)
        exact_q, exact_v = pendulum_motion(t)
        # Quintic through q, v, a at both ends: far below the error of the steps, (h w)^4 ~ 1e-6.
        assert q == pytest.approx(exact_q, abs=1e-6)
        assert v == pytest.approx(exact_v, abs=5e-6)
