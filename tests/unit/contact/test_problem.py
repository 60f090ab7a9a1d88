"""The problem for Python: building, refusing, files, friction problems of collections."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.unit.contact import scenes

from dalembert.contact.given.delassus import natural_map, solve_delassus
from dalembert.contact.given.problem import ContactProblem, solve
from dalembert.contact.problem import layout as L
from dalembert.contact.problem.capacity import Capacity, allocate, grown
from dalembert.contact.problem.writing import add_clique, begin
from dalembert.errors import ModelError, OptionError

COLLECTION = Path(__file__).parents[4] / "shared/reference/data/friction_problems"


def same(a: ContactProblem, b: ContactProblem) -> bool:
    pairs = zip([*a.cliques, *a.blocks], [*b.cliques, *b.blocks], strict=True)
    return all(
        np.array_equal(value, vars(y)[name]) for x, y in pairs for name, value in vars(x).items()
    )


@pytest.mark.parametrize("seed", range(3))
def test_arrays_and_files_keep_everything(seed, tmp_path):
    problem = scenes.random_problem(seed)
    problem.blocks[0].key = (2**62 + 1, -5)
    assert same(ContactProblem.from_packed(problem.packed()), problem)
    problem.save(tmp_path / "problem.npz")
    again = ContactProblem.load(tmp_path / "problem.npz")
    assert same(again, problem)
    for x, y in zip(solve(again)[:2], solve(problem)[:2], strict=True):
        assert (x == y).all()


def test_room_grows_by_itself():
    """A capacity too small for anything ends in the same answer."""
    small = Capacity(*([1] * 9), 0)
    integers, numbers = allocate(small)
    problem = L.Problem(numbers, integers)
    begin(problem)
    assert add_clique(problem, 6) == L.OVERFLOW
    assert problem.full == L.VELOCITY_ROOM
    larger = grown(problem)
    assert larger.velocities > small.velocities
    assert larger.blocks == small.blocks


def test_delassus():
    problem = scenes.random_problem(4)
    A, J = problem.matrices()
    W, q = problem.delassus()
    assert pytest.approx(J @ np.linalg.inv(A) @ J.T, rel=1e-9, abs=1e-9) == W
    free = np.concatenate([c.v_free for c in problem.cliques])
    assert q == pytest.approx(J @ free + np.concatenate([b.bias for b in problem.blocks]))


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"kind": "CONES"}, OptionError, "choose one of"),
        ({"J_a": np.zeros((2, 6))}, ModelError, "too many or too few"),
        ({"J_a": np.zeros((3, 5))}, ModelError, "columns"),
        ({"mu": -0.1}, ModelError, "negative"),
        ({"mu": np.nan}, ModelError, "not finite"),
        ({"R": -1.0}, ModelError, "not negative"),
        ({"bias": np.inf}, ModelError, "finite"),
        ({"a": 1}, ModelError, "no clique 1"),
        ({"a": -1}, ModelError, "one side"),
        ({"J_b": np.zeros((3, 6)), "b": 0}, ModelError, "both sides"),
    ],
)
def test_refusals(change, error, words):
    problem = ContactProblem()
    problem.add_clique(np.eye(6), np.zeros(6))
    given = {"kind": "CONE", "J_a": np.eye(3, 6), "a": 0} | change
    with pytest.raises(error, match=words):
        problem.add_block(**given)
    assert problem.blocks == []


def test_refused_cliques():
    problem = ContactProblem()
    with pytest.raises(ModelError, match="square"):
        problem.add_clique(np.eye(5), np.zeros(6))
    with pytest.raises(ModelError, match="earlier one"):
        problem.add_clique(np.eye(2), np.zeros(2), parent=[1, -1])
    with pytest.raises(ModelError, match="NaN"):
        problem.add_clique(np.diag([1.0, np.nan]), np.zeros(2))


def collected(name):
    data = json.loads((COLLECTION / f"{name}.json").read_text())
    if "W" in data:
        W = np.array(data["W"])
    else:
        W, entries = np.zeros((data["m"],) * 2), data["W_coo"]
        values = entries[next(key for key in entries if key not in ("i", "j"))]
        W[entries["i"], entries["j"]] = values
    return W, np.ravel(data["q"]), np.ravel(data["mu"]), data["reference"]


@pytest.mark.reference
@pytest.mark.skipif(not COLLECTION.is_dir(), reason="the collection is not here")
@pytest.mark.parametrize("name", ["FC3D_Example1", "Rover11035", "Rover4396", "Rover1039"])
def test_small_friction_problems(name):
    W, q, mu, reference = collected(name)
    lam, u, left = solve_delassus(W, q, mu, tol=1e-12)
    assert left < 1e-10
    assert natural_map(W @ lam + q, lam, mu) / np.linalg.norm(q) < 1e-10
    assert u == pytest.approx(np.ravel(reference["u"]), abs=1e-9 * np.abs(q).max())


@pytest.mark.reference
@pytest.mark.skipif(not COLLECTION.is_dir(), reason="the collection is not here")
def test_stack_of_boxes_of_the_collection():
    """48 contacts, W of rank 72 of 144; the acceptance is 1e-6."""
    W, q, mu, _ = collected("FCLIB_BoxesStack_48")
    _, _, left = solve_delassus(W, q, mu, tol=1e-9)
    assert left < 1e-8


def test_impulses_that_have_run_away_are_no_answer():
    """Beside an impulse of 1e40 a velocity of 1 m/s is lost in the natural map."""
    problem = scenes.boxes([(0.0, 0.0, 0.5)], [(0.5, 0.5, 0.5)], [1.0], 0.5)
    lam = np.tile([1e40, 0.0, 0.0], 4)
    v = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    assert problem.residual(v, lam) > 1.0
