"""Random contact problems, kind ones and nasty ones: every solver is finite and truthful."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from tests.support import contact_oracle as oracle
from tests.support.contact_problems import Scene, given

from dalembert.contact.given.problem import ContactProblem, solve
from dalembert.contact.solvers.table import SOLVERS

LAWS = settings(max_examples=15, deadline=None, derandomize=True, database=None)


@st.composite
def scenes(draw):
    """Bodies of masses 1e-3 to 1e3, contacts anywhere, doubled, frictionless, sticky, or far."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    scene = Scene("drawn")
    bodies = draw(st.integers(1, 4))
    for _ in range(bodies):
        mass = 10 ** rng.uniform(-3, 3)
        scene.body(
            mass, mass * 10 ** rng.uniform(-3, 0) * rng.uniform(0.5, 1, 3), rng.uniform(-1, 1, 3),
            v=rng.standard_normal(3) * draw(st.sampled_from([0.0, 1.0, 30.0])),
            omega=rng.standard_normal(3),
        )  # fmt: skip
    for _ in range(draw(st.integers(0, 6))):
        b = int(rng.integers(bodies))
        a = int(rng.integers(-1, bodies))
        a = -1 if a == b else a
        p = scene.place[b] + rng.standard_normal(3) * draw(st.sampled_from([0.0, 0.3]))
        mu = draw(st.sampled_from([0.0, 0.3, 1.0, 50.0]))
        more = {"gap": draw(st.sampled_from([0.0, 0.02])), "R": draw(st.sampled_from([0.0, 0.1]))}
        roll = (0.02, 0.05) if draw(st.booleans()) else None
        for _ in range(draw(st.integers(1, 2))):
            scene.contact(a, b, p, rng.standard_normal(3), mu, roll=roll, **more)
    if bodies > 1 and draw(st.booleans()):
        for _ in range(draw(st.integers(1, 2))):
            scene.ball_joint(0, 1, (scene.place[0] + scene.place[1]) / 2)
    if draw(st.booleans()):
        limit = np.array([draw(st.sampled_from([0.0, 0.1]))])
        scene.axis_row(oracle.BOX, -1, 0, (1, 0, 0), bias=0.5, lo=-limit, hi=limit)
        scene.axis_row(oracle.UNI, -1, 0, (0, 1, 0), bias=-0.3)
    return scene.problem()


@pytest.mark.parametrize("name", SOLVERS)
@LAWS
@drawn(problem=scenes())
def test_every_answer_is_finite_and_tells_the_truth(name, problem):
    solver = SOLVERS[name]()
    if solver.refuse(frozenset(b.kind for b in given(problem).blocks)) is not None:
        return
    v, lam, info = solve(given(problem), solver)
    assert np.isfinite(v).all()
    assert np.isfinite(lam).all()
    size = max(1.0, np.abs(v).max(initial=0.0))
    left = oracle.residual(problem, v, lam)
    assert info.residual == pytest.approx(left, rel=1e-6, abs=1e-11 * size)
    assert oracle.momentum_error(problem, v, lam) <= 1e-9 * size
    shape = "cone" if solver.law != "pyramid" else solver.friction.edges
    assert oracle.outside(problem, lam, shape) <= 1e-9 * max(1.0, np.abs(lam).max(initial=0.0))


@LAWS
@drawn(problem=scenes())
def test_files_keep_problems(problem, tmp_path_factory):
    path = tmp_path_factory.mktemp("problem") / "kept.npz"
    given(problem).save(path)
    again = ContactProblem.load(path)
    v, lam, _ = solve(given(problem), "nsgs", budget=20)
    w, same, _ = solve(again, "nsgs", budget=20)
    assert np.array_equal(v, w)
    assert np.array_equal(lam, same)
