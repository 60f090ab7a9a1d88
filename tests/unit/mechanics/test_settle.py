"""Loops on a tree: both levels corrected at once, with factors of the step's start."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.support.lives import lives

import dalembert as dl
from dalembert.mechanics.motion import displace, is_evaluated
from dalembert.mechanics.projection import (
    MASS_NORM,
    has_factors_of_step,
    project_position,
    project_velocity,
)
from dalembert.mechanics.residual_scale import place_ratio, speed_ratio
from dalembert.mechanics.settle import settle
from dalembert.mechanics.tree_kinematics import NEARBY, sine_and_cosine
from dalembert.simulation.results import to_solution
from dalembert.system.borders import OK, evaluate, factor, residual
from dalembert.system.state_layout import State
from dalembert.system.tables import RECORD

EPS = np.finfo(float).eps
STEP = 1e-3


@pytest.fixture
def begun(monkeypatch):
    """A step of the leg has its factors: `work`, `sizes`, the state at its start."""
    runs, own = [], to_solution.solution

    def kept(setup, run, *rest):
        runs.append(run)
        return own(setup, run, *rest)

    monkeypatch.setattr(to_solution, "solution", kept)

    def begin(life):
        with life():
            model = dl.catalog.load("cassie-leg", driven=False)
            dl.simulate(
                model,
                until=20 * STEP,
                step=STEP,
                formulation="generalized",
                integrator=dl.SemiImplicitEuler(),
                method=dl.Projection(),
                progress=False,
            )
            run = runs[-1]
            work, sizes, q, v = run.work, run.sizes, run.q.copy(), run.v.copy()
            State(work, sizes).step_factorisations = State(work, sizes).factorisations
            evaluate(work, sizes, 0.0, q, v)
            assert factor(work, sizes, 1e-5) == OK
        return work, sizes, q, v

    return begin


def moved(work, sizes, q, v, far):
    """Along the motion and a little off both levels."""
    q, v = q.copy(), v.copy()
    displace(work, sizes, far, v, q)
    displace(work, sizes, far**2, np.cos(np.arange(len(v))), q)
    return q, v + far * np.sin(1.0 + np.arange(len(v)))


@lives
def test_the_end_is_that_of_one_level_after_the_other(begun, life):
    work, sizes, q, v = begun(life)
    with life():
        together = moved(work, sizes, q, v, STEP)
        assert settle(work, sizes, STEP, *together)
        assert max(place_ratio(work, sizes), speed_ratio(work, sizes, together[1])) <= 1.0
        apart = moved(work, sizes, q, v, STEP)
        assert has_factors_of_step(work, sizes, MASS_NORM)
        assert project_position(work, sizes, STEP, *apart, MASS_NORM, 10) == OK
        assert project_velocity(work, sizes, STEP, *apart, MASS_NORM) == OK
    assert together[0] == pytest.approx(apart[0], abs=1e3 * EPS)
    assert together[1] == pytest.approx(apart[1], abs=1e4 * EPS * np.abs(v).max())


@lives
def test_factors_that_mislead_are_given_up(begun, life):
    work, sizes, q, v = begun(life)
    with life():
        q, v = moved(work, sizes, q, v, 0.7)
        residual(work, sizes, STEP, q, v)
        before = max(place_ratio(work, sizes), speed_ratio(work, sizes, v))
        assert not settle(work, sizes, STEP, q, v)
        assert not has_factors_of_step(work, sizes, MASS_NORM)
        residual(work, sizes, STEP, q, v)
        assert max(place_ratio(work, sizes), speed_ratio(work, sizes, v)) <= before


@lives
def test_the_last_look_is_an_evaluation_that_is_found_again(begun, life):
    work, sizes, q, v = begun(life)
    state = State(work, sizes)

    def written():
        return [state.force.copy(), state.rhs_a.copy()]

    with life():
        q, v = moved(work, sizes, q, v, STEP)
        assert settle(work, sizes, STEP, q, v)
        assert is_evaluated(work, sizes, STEP, q, v)
        found = written()
        assert not is_evaluated(work, sizes, 2 * STEP, q, v)
        assert not is_evaluated(work, sizes, STEP, q, v + EPS)
        evaluate(work, sizes, STEP, q, v)
        assert State(work, sizes).evaluated == 0
        for mine, fresh in zip(found, written(), strict=True):
            assert np.array_equal(mine, fresh)
        assert settle(work, sizes, STEP, *moved(work, sizes, q, v, 1e-9))
        residual(work, sizes, STEP, q, v)
        assert not is_evaluated(work, sizes, STEP, q, v)


@lives
def test_sines_near_the_last_ones(life):
    generator = np.random.default_rng(3)
    for _ in range(200):
        angle, d = 20 * generator.standard_normal(), 1.5 * NEARBY * generator.uniform(-1, 1)
        with life():
            found = sine_and_cosine(angle + d, angle, math.sin(angle), math.cos(angle))
        exact = math.sin(angle + d), math.cos(angle + d)
        assert found == pytest.approx(exact, abs=2 * EPS + EPS * abs(angle))


def test_contacts_find_every_body_where_a_look_was(monkeypatch):
    runs, own = [], to_solution.solution
    both = lambda *given: runs.append(given[1]) or own(*given)  # noqa: E731
    monkeypatch.setattr(to_solution, "solution", both)
    model = dl.catalog.load("chain-on-ground", count=4)
    dl.simulate(model, until=0.02, step=5e-3, formulation="generalized", progress=False)
    work, sizes, q, v = runs[-1].work, runs[-1].sizes, runs[-1].q.copy(), runs[-1].v.copy()
    state = State(work, sizes)
    records = state.body_records[: RECORD * state.placed]
    displace(work, sizes, 0.1, 1.0 + v, q)
    residual(work, sizes, 0.0, q, v)
    looked = records.copy()
    evaluate(work, sizes, 0.0, q, v)
    assert looked == pytest.approx(records, abs=100 * EPS * (1.0 + np.abs(q).max()))
