"""The adaptive step: bounds, tolerances, rejections, and what happens when it cannot go on."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support import battery

import dalembert as dl

EPS = np.finfo(float).eps

each_order = pytest.mark.parametrize("order", [5, 8])


def particle(force, **start):
    """x'' = force(x, x', t)."""
    (x,) = dl.coordinates("x")
    initial = {x: start.get("x", 0.0), x.dot: start.get("v", 0.0)}
    return dl.Model.from_lagrangian(
        kinetic=x.dot**2 / 2, forces={x: force(x)}, coordinates=[x], initial=initial
    )


# -- bounds --------------------------------------------------------------------------------------


@each_order
def test_first_and_largest_step_are_obeyed(order):
    integrator = dl.DormandPrince(order=order, rtol=1e-3, atol=1e-3, first_step=1e-3, max_step=0.02)
    solution = dl.simulate(battery.PENDULUM.model(), until=0.5, integrator=integrator)
    steps = np.diff(solution.t)
    assert steps[0] == pytest.approx(1e-3, rel=1e-12)
    assert steps.max() <= 0.02 * (1 + 4 * EPS)
    assert np.isclose(steps, 0.02).sum() > 10


@each_order
def test_steps_grow_at_most_tenfold_and_end_without_a_crumb(order):
    integrator = dl.DormandPrince(order=order, rtol=1e-6, atol=1e-6)
    solution = dl.simulate(battery.PENDULUM.model(), until=3.0, integrator=integrator)
    steps = np.diff(solution.t)
    assert solution.t[-1] == 3.0
    assert np.all(steps[1:] <= 10 * steps[:-1] * (1 + 1e-9))
    assert steps[-1] >= 0.2 * steps[-2]  # what is left is shared between two steps
    assert solution.statistics["steps"] == len(steps)


@each_order
def test_a_first_step_that_is_far_too_long_is_rejected(order):
    model = particle(lambda x: -1e4 * x, x=1.0)
    integrator = dl.DormandPrince(order=order, first_step=0.5, rtol=1e-8, atol=1e-8)
    solution = dl.simulate(model, until=0.5, integrator=integrator)
    assert solution.statistics["rejected"] >= 2
    assert solution.q[-1, 0] == pytest.approx(np.cos(50.0), abs=1e-5)


def test_evaluations_count_rejected_steps_too():
    model = particle(lambda x: -1e4 * x, x=1.0)
    for order, stages in ((5, 7), (8, 12)):
        integrator = dl.DormandPrince(order=order, first_step=0.1)
        s = dl.simulate(model, until=0.1, integrator=integrator).statistics
        # Beyond the stages: what the output and the method ask for, a few in each step.
        least = stages * (s["steps"] + s["rejected"])
        assert least <= s["evaluations"] <= least + 4 * s["steps"] + 10


# -- tolerances ----------------------------------------------------------------------------------


@each_order
def test_the_relative_tolerance_follows_the_size(order):
    # x = A cos(t): with a negligible absolute tolerance, the steps do not depend on A.
    counts = set()
    for amplitude in (1e-6, 1.0, 1e6):
        integrator = dl.DormandPrince(order=order, rtol=1e-7, atol=1e-30, first_step=1e-2)
        model = particle(lambda x: -x, x=amplitude, v=amplitude)
        solution = dl.simulate(model, until=10.0, integrator=integrator)
        t = 10.0
        exact = amplitude * (np.cos(t) + np.sin(t))
        assert solution.q[-1, 0] == pytest.approx(exact, abs=1e-5 * amplitude)
        counts.add(solution.statistics["steps"])
    assert max(counts) - min(counts) <= 1


@each_order
def test_the_absolute_tolerance_lets_small_motion_pass(order):
    model = particle(lambda x: -x, x=1e-6)
    loose = dl.simulate(model, until=10.0, integrator=dl.DormandPrince(order=order, atol=1e-4))
    tight = dl.simulate(model, until=10.0, integrator=dl.DormandPrince(order=order, atol=1e-14))
    assert loose.statistics["steps"] < tight.statistics["steps"] / 2
    assert tight.q[-1, 0] == pytest.approx(1e-6 * np.cos(10.0), abs=1e-12)


@each_order
def test_a_jump_in_the_force_is_stepped_over_with_care(order):
    # A constant push from t = 1 on: x = (t - 1)^2 / 2 afterwards.
    model = particle(lambda x: dl.where(dl.time < 1.0, 0.0 * x, 1.0 + 0.0 * x))
    integrator = dl.DormandPrince(order=order, rtol=1e-9, atol=1e-9)
    solution = dl.simulate(model, until=3.0, integrator=integrator)
    assert solution.q[-1, 0] == pytest.approx(2.0, abs=1e-7)
    assert solution.statistics["rejected"] > 3
    assert np.diff(solution.t).min() < 1e-3 < np.diff(solution.t).max()


@each_order
def test_a_motion_at_rest_costs_few_steps(order):
    solution = dl.simulate(
        particle(lambda x: 0.0 * x), until=1e6, integrator=dl.DormandPrince(order=order)
    )
    assert solution.statistics["steps"] < 30
    assert np.array_equal(solution.q[-1], [0.0])


@each_order
@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
@pytest.mark.parametrize("welds", [1, 3])
def test_a_mechanism_that_cannot_move_runs(order, formulation, welds):
    # In coordinates of its freedoms it has none: the mean of no errors is 0, not 0/0.
    model = dl.Model("post", gravity=(0.0, 0.0, -9.81))
    post = model.add_body("post", dl.Inertia(2.0, (0.1, 0.2, 0.3)), position=(0.4, 0.0, 0.0))
    for k in range(welds):
        ends = model.world.at(0.1, 0.2, 0.3), post.at(-0.3, 0.2, 0.3)
        model.add_joint(dl.Fixed(*ends, name=f"weld{k}"))
    integrator = dl.DormandPrince(order=order)
    solution = dl.simulate(model, until=10.0, formulation=formulation, integrator=integrator)
    assert solution.t[-1] == 10.0
    assert solution.statistics["steps"] < 30
    assert np.abs(solution.v).max() < 1e-12
    weld = sum(solution.reaction(f"weld{k}").force[-1] for k in range(welds))
    assert np.abs(weld) == pytest.approx([0.0, 0.0, 2.0 * 9.81], abs=1e-9)


@each_order
@pytest.mark.parametrize("angle", [1.0, 0.1, 1e-2, 1e-3])
def test_rows_that_are_always_nearly_dependent_do_not_loosen_the_control(order, angle):
    # Near a singular position a step may be accepted beyond its tolerance (a leap). A model whose
    # rows are at a small angle all the time is not near one: its error follows the tolerance.
    x, y, z = q = dl.coordinates("x y z")
    wave = 0.3 * np.sin(3 * x)
    model = dl.Model.from_lagrangian(
        coordinates=list(q),
        kinetic=(x.dot**2 + y.dot**2 + z.dot**2) / 2,
        potential=9.81 * z + 2 * x**2,
        constraints=[y + z - wave, (1 + angle) * y + z - wave],
        initial={x: 1.0, y: 0.0, z: 0.3 * np.sin(3.0)},
    )
    exact = dl.simulate(model, until=2.0, step=2e-4).q[-1]
    integrator = dl.DormandPrince(order=order, rtol=1e-8, atol=1e-8)
    solution = dl.simulate(model, until=2.0, integrator=integrator)
    assert solution.statistics["leaps"] == 0
    assert np.abs(solution.q[-1] - exact).max() <= solution.statistics["steps"] * 1e-8


# -- when it cannot go on -------------------------------------------------------------------------


@each_order
def test_a_trial_that_leaves_the_domain_is_shortened(order):
    # A force 4 / sqrt(x) turns the particle back at x = 9/16; a trial of 1 s with v = -2 reaches
    # x < 0 in its stages, where the root is not a number.
    model = particle(lambda x: 4 / np.sqrt(x), x=1.0, v=-2.0)
    integrator = dl.DormandPrince(order=order, first_step=1.0, rtol=1e-8, atol=1e-8)
    solution = dl.simulate(model, until=1.0, integrator=integrator)
    assert solution.statistics["rejected"] >= 1
    assert solution.q.min() == pytest.approx(9 / 16, abs=0.05)
    fine = dl.simulate(model, until=1.0, step=1e-4)
    assert solution.q[-1] == pytest.approx(fine.q[-1], abs=1e-6)


@each_order
def test_a_singularity_ends_the_run_with_what_was_computed(order):
    # x'' = 6 x^2 with x = 1 / (1 - t)^2: infinite at t = 1.
    model = particle(lambda x: 6 * x**2, x=1.0, v=2.0)
    with pytest.raises(dl.errors.SimulationError) as error:
        dl.simulate(model, until=2.0, integrator=dl.DormandPrince(order=order))
    assert isinstance(error.value, (dl.errors.StepSizeError, dl.errors.NonFiniteError))
    solution = error.value.solution
    assert 0.99 < solution.t[-1] <= 1.0 + 1e-6
    early = solution.t < 0.9
    exact = 1 / (1 - solution.t[early]) ** 2
    assert solution.q[early, 0] == pytest.approx(exact, rel=1e-6)
    returned = dl.simulate(
        model, until=2.0, integrator=dl.DormandPrince(order=order), on_failure="return"
    )
    assert returned.status.failed
    assert np.array_equal(returned.q, solution.q)


@pytest.mark.parametrize(
    "options",
    [
        {"order": 4},
        {"rtol": 0.0},
        {"atol": -1.0},
        {"rtol": 1e-16},
        {"first_step": 0.0},
        {"max_step": 0.0},
        {"max_step": -1.0},
        {"rtol": float("nan")},
    ],
)
def test_bad_options_are_refused(options):
    with pytest.raises(dl.errors.OptionError, match=next(iter(options))):
        dl.DormandPrince(**options)
