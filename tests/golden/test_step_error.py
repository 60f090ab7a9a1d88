"""The error that a run with a fixed step tells of itself is above the true one, and not far."""

import numpy as np
import pytest
from tests.element_fuzz import Judge
from tests.support.random_elements import random_elements

import dalembert as dl

RATE, DAMPING = 400.0, 0.1


def beside():
    """A heavy mass that moves slowly, and a light one that swings 400 times faster and dies out."""
    x, y = dl.coordinates("x y")
    return dl.Model.from_lagrangian(
        kinetic=0.5 * x.dot**2 + 0.5e-4 * y.dot**2,
        forces={x: -x, y: -1e-4 * (RATE**2 * y + 2 * DAMPING * RATE * y.dot)},
        initial={x: 1.0, y: 0.02},
    )


def true_error(solution):
    """Largest error of velocities over the largest velocity."""
    own = RATE * np.sqrt(1 - DAMPING**2)
    x, y = (
        -np.sin(solution.t),
        -0.02 * RATE**2 / own * np.exp(-DAMPING * RATE * solution.t) * (np.sin(own * solution.t)),
    )
    off = np.abs(solution.v - np.stack([x, y], axis=1)).max()
    return off / np.abs(solution.v).max()


@pytest.mark.parametrize("step", [5e-3, 2.5e-3])
def test_a_part_that_swings_too_fast_for_the_step_is_told(step):
    """The model states no potential: no energy says so."""
    solution = dl.simulate(beside(), until=0.5, step=step)
    assert true_error(solution) > 0.04
    assert solution.verdict.word == "doubtful"
    (reason,) = solution.verdict.reasons
    assert reason.rule == "steps"
    finer = float(reason.remedy.removeprefix("Try step=").removesuffix("."))
    better = dl.simulate(beside(), until=0.5, step=finer)
    assert true_error(better) < 0.1 * true_error(solution)


def test_a_step_that_is_fine_is_good_and_says_how_fine():
    told, true = [], []
    for step in (4e-4, 2e-4, 1e-4):
        solution = dl.simulate(beside(), until=0.5, step=step)
        assert solution.verdict.is_good
        told.append(solution.report()["step_error"])
        true.append(true_error(solution))
    assert np.all(np.array(told) > np.array(true) / 1.5)
    assert np.all(np.array(told) < 20 * np.array(true))
    assert np.log2(told[1] / told[2]) == pytest.approx(4.0, abs=0.5)


@pytest.mark.parametrize(
    "method", [dl.Projection(), dl.UdwadiaKalaba(), dl.BraunGoldfarb()], ids=str
)
@pytest.mark.parametrize("integrator", [dl.RK4(), dl.ImplicitMidpoint(), dl.Gauss()])
def test_it_is_a_bound_for_any_method(method, integrator):
    model = dl.catalog.load("slider-crank")
    reference = dl.simulate(model, until=1.0, step=5e-4)
    for step in (1e-2, 5e-3):
        solution = dl.simulate(model, until=1.0, step=step, method=method, integrator=integrator)
        v = reference.v[:: round(step / 5e-4)]
        true = np.abs(solution.v - v).max() / np.abs(v).max()
        assert true / 1.5 < solution.report()["step_error"] < 100 * true


@pytest.mark.parametrize("steps", [256, 512])
def test_a_mechanism_with_a_light_fast_body(steps):
    """Half of the motion was off, and the run was called good."""
    motion = Judge(random_elements(536)).run(steps, formulation="maximal")
    assert "steps" in [reason.rule for reason in motion.solution.verdict.reasons]


@pytest.mark.parametrize("options", [{"every": 5}, {"times": [0.0, 0.2, 0.5]}], ids=str)
@pytest.mark.parametrize("step", [5e-3, 1e-3])
def test_what_is_told_does_not_depend_on_the_samples(step, options, tmp_path):
    """Coarse steps of which few were recorded were called good."""
    every = dl.simulate(beside(), until=0.5, step=step)
    some = dl.simulate(beside(), until=0.5, step=step, **options)
    kept = dl.simulate(beside(), until=0.5, step=step, save=tmp_path / "run", **options)
    told = [run.report()["step_error"] for run in (every, some, kept, dl.load(tmp_path / "run"))]
    assert told[1:] == pytest.approx([told[1]] * 3, rel=1e-6)
    assert told[1] == pytest.approx(told[0], rel=0.3)
    assert some.verdict.word == every.verdict.word
    assert np.all(some.q == every.q[np.isin(every.t, some.t)])


def test_stretches_stand_for_a_long_run():
    """A swing that dies out slowly, in 5000 steps; 113 stretches of nine states are looked at."""
    x = dl.coordinates("x")[0]
    model = dl.Model.from_lagrangian(
        kinetic=0.5 * x.dot**2, forces={x: -x - 0.02 * x.dot}, initial={x: 1.0}
    )
    every, some = (dl.simulate(model, until=1000.0, step=0.2, every=n) for n in (1, 100))
    told = [run.report()["step_error"] for run in (every, some)]
    assert told[1] == pytest.approx(told[0], rel=0.1)


@pytest.mark.parametrize("formulation", ["maximal", "generalized"])
def test_samples_of_bodies(formulation):
    model = dl.catalog.load("slider-crank-bodies")
    options = {"until": 2.0, "step": 2e-2, "formulation": formulation}
    every, some = (dl.simulate(model, **options, **one) for one in ({}, {"every": 25}))
    told = [run.report()["step_error"] for run in (every, some)]
    assert told[1] == pytest.approx(told[0], rel=0.3)


def test_angles_of_hinges_are_counted_in_the_stretches():
    """A torsion spring wound by more than a turn; nothing else tells its torque."""
    model = dl.Model("spring", gravity=(0, 0, 0))
    wheel = model.add_body("wheel", dl.Inertia.cylinder(1.0, radius=0.1, length=0.1, axis="y"))
    hinge = model.add_joint(dl.Revolute(model.world, wheel, axis="y", name="hinge"))
    model.add_force(dl.TorsionSpring(hinge, stiffness=1.0))
    for formulation in ("maximal", "generalized"):
        options = {"initial": {"hinge.angle": 20.0}, "formulation": formulation}
        every, some = (
            dl.simulate(model, until=2.0, step=2e-3, every=n, **options) for n in (1, 50)
        )
        told = [run.report()["step_error"] for run in (every, some)]
        assert told[0] / 2 < told[1] < 2 * told[0]


def test_nothing_is_told_where_it_cannot_be():
    model = dl.catalog.load("pendulum")
    assert dl.simulate(model, until=1.0).report()["step_error"] is None
    assert dl.simulate(model, until=5e-3, step=1e-3).report()["step_error"] is None
    for options in ({"every": 2}, {"times": [0.0, 5e-3]}):
        told = dl.simulate(model, until=5e-3, step=1e-3, **options).report()
        assert told["step_error"] is None
