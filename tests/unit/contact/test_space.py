"""Contact space of a single tree: all rows turned together; eights of numbers; what is kept."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.contact import scenes

from dalembert.contact.algebra.prepare import complete_responses, move, prepare_rows
from dalembert.contact.algebra.space import space_of
from dalembert.numerics.vector_rows import add_scaled_whole, dot_whole, scale_whole


def full(problem):
    """A, J, v* and the rows of each block."""
    A, J = problem.matrices()
    return A, J, np.concatenate([c.v_free for c in problem.cliques])


def test_all_rows_of_a_tree_are_turned_together():
    problem = scenes.humanoid()
    arrays = problem.packed()
    assert prepare_rows(arrays, True) == 0
    assert arrays.one_tree == 1
    A, J, free = full(problem)
    W = J @ np.linalg.solve(A, J.T)
    size = 50 * np.abs(W).max() * np.linalg.cond(A) * np.finfo(float).eps
    rows = arrays.space_rows
    found = space_of.function(arrays).W
    assert arrays.space_wide % 8 == 0 <= arrays.space_wide - rows < 8
    assert np.abs(found[:, :rows] - W).max() < size
    assert not found[:, rows:].any()
    for k in range(arrays.blocks):
        block = arrays.block(k)
        own = slice(block.row, block.end)
        assert np.array_equal(block.square(arrays.delassus), found[own, own])
        assert block.w == pytest.approx(np.trace(W[own, own]) / block.dim, rel=1e-9)
    lam = np.random.default_rng(1).normal(size=rows)
    arrays.lam[:] = lam
    move(arrays, arrays.island(0))
    expected = free + np.linalg.solve(A, J.T @ lam)
    assert arrays.v == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())
    complete_responses(arrays, arrays.island(0))
    whole = np.linalg.solve(A, J.T).T
    for k in range(arrays.blocks):
        block = arrays.block(k)
        Y = arrays.Y_a(block) if block.clique_a >= 0 else arrays.Y_b(block)
        assert np.abs(Y - whole[block.row : block.end]).max() < 1e-9 * np.abs(whole).max()


def test_several_cliques_are_turned_block_by_block():
    arrays = scenes.grasp().packed()
    assert prepare_rows(arrays, True) == 0
    assert arrays.cliques > 1
    assert arrays.one_tree == 0


def test_a_prepared_problem_is_not_prepared_again():
    arrays = scenes.humanoid().packed()
    assert prepare_rows(arrays, True) == 0
    W = space_of.function(arrays).W.copy()
    arrays.prepared = arrays.one_tree
    arrays.matrix[:] = np.nan  # would be seen by whoever factors it
    arrays.lam0[:] = 1.0
    assert prepare_rows(arrays, True) == 0
    assert np.array_equal(space_of.function(arrays).W, W)
    assert (arrays.lam == 1.0).all()
    arrays.prepared = 0
    assert prepare_rows(arrays, True) != 0


@pytest.mark.parametrize("count", [8, 24])
def test_whole_rows(count):
    x, y = np.random.default_rng(2).normal(size=(2, count))
    expected = y + 0.3 * x
    assert dot_whole(x, y) == pytest.approx(x @ y, abs=1e-14 * count)
    add_scaled_whole(y, 0.3, x)
    assert y == pytest.approx(expected, abs=1e-15)
    scale_whole(y, 2.0)
    assert y == pytest.approx(2.0 * expected, abs=1e-15)
