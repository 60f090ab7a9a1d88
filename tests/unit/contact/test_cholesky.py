"""Graph, ordering and factorisation of A + J^T G J, against full matrices."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.unit.contact import scenes

from dalembert.contact.algebra.cholesky import (
    assemble,
    assemble_both,
    factorise,
    factorise_both,
    solve_both,
    solve_factored,
)
from dalembert.contact.algebra.prepare import prepare
from dalembert.contact.algebra.symbolic import READY, symbolic
from dalembert.contact.problem.capacity import Capacity, grown
from dalembert.contact.problem.record_layout import Column
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import Vec3


def ordered(problem, capacity=None):
    """The packed problem with everything before the first factorisation."""
    packed = problem.packed(capacity)
    while True:
        assert prepare(packed) == 0
        if symbolic(packed) == READY:
            return packed
        packed = problem.packed(grown(packed))


def random_curvature(rng, problem, arrays, both):
    """Write G of every block; returns A + J^T G J."""
    H, J = problem.matrices()
    row = 0
    for k, block in enumerate(problem.blocks):
        own, d = arrays.block(k), block.dim
        X = rng.normal(size=(d, d))
        G = X @ X.T
        if block.kind == "CONE":
            beyond = rng.normal(size=2)
            arrays.cone_curvature(own).symmetric = Sym3(*np.diag(G), G[0, 1], G[0, 2], G[1, 2])
            arrays.cone_curvature(own).beyond = Vec3(*beyond, 0.0)
            if both:
                G[1:, 0] += beyond
        elif block.kind == "ROLL":
            own.square(arrays.curvature)[:] = G
        else:
            G = np.diag(np.diag(G))
            own.room(arrays.curvature)[:d] = np.diag(G)
        H = H + J[row : row + d].T @ G @ J[row : row + d]
        row += d
    return H


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_solves_as_full_matrices_do(seed, both):
    rng = np.random.default_rng(seed)
    problem = scenes.random_problem(seed)
    arrays = ordered(problem)
    H = random_curvature(rng, problem, arrays, both)
    n, x = len(H), arrays.dv
    b = rng.normal(size=n)
    x[:] = b
    moved = np.zeros(n, dtype=bool)
    starts = np.cumsum([0, *(len(c.v_free) for c in problem.cliques)])
    for block in problem.blocks:
        for clique in (block.a, block.b):
            if clique >= 0:
                moved[starts[clique] : starts[clique + 1]] = True
    for i in range(arrays.islands):
        island = arrays.island(i)
        if island.block_count == 0:
            continue
        if both:
            assemble_both(arrays, island)
            assert factorise_both(arrays, island)
            solve_both(arrays, island, x)
        else:
            assemble(arrays, island)
            assert factorise(arrays, island)
            solve_factored(arrays, island, x)
    expected = np.linalg.solve(H, b)
    scale = np.finfo(float).eps * np.linalg.cond(H) * np.abs(expected).max()
    assert np.abs(x - expected)[moved].max() < 50 * scale


@pytest.mark.parametrize("seed", range(6))
def test_delassus_of_blocks(seed):
    """The diagonal blocks of W, and w, from cliques of all sizes."""
    problem = scenes.random_problem(seed)
    arrays = problem.packed()
    prepare(arrays)
    W, _ = problem.delassus()
    row = 0
    for k, block in enumerate(problem.blocks):
        own, d = arrays.block(k), block.dim
        expected = W[row : row + d, row : row + d]
        assert own.square(arrays.delassus) == pytest.approx(
            expected, rel=1e-10, abs=1e-12 * np.abs(expected).max()
        )
        linear = 3 if block.kind == "ROLL" else d
        assert own.w == pytest.approx(np.diag(expected)[:linear].mean(), rel=1e-10)
        row += d


def test_stack_has_no_fill():
    """The graph of a tower is a path: nothing but its own edges below the diagonal."""
    assert ordered(scenes.stack(30, 1.0)).fill == 29


def test_fill_of_a_wall_is_that_of_a_good_order():
    """A band from left to right would need about 5 * 50 blocks of fill beside the edges."""
    problem = scenes.wall(5, 10)
    edges = len({(b.a, b.b) for b in problem.blocks if min(b.a, b.b) >= 0})
    assert edges <= ordered(problem).fill < 3 * edges


def test_order_is_kept_while_the_graph_stays():
    """And found again, the same, after another graph was there."""
    tower, other = scenes.stack(6), scenes.pyramid(3)
    rooms = (dataclasses.astuple(problem.capacity()) for problem in (tower, other))
    arrays = ordered(tower, Capacity(*map(max, *rooms)))

    def columns():
        return arrays.column_table[: Column.entries("integers") * 6].copy()

    known, seen = columns(), []
    for problem in (tower, other, tower):
        problem.write(arrays)
        prepare(arrays)
        # What is not computed again stays spoilt.
        arrays.order[0] = -7
        assert symbolic(arrays) == READY
        seen.append(arrays.order[0] == -7)
    assert seen == [True, False, False]
    assert (columns() == known).all()


def test_fill_limit_leaves_an_island_without_columns():
    problem = scenes.wall(4, 4)
    arrays = problem.packed()
    arrays.fill_limit = 5
    prepare(arrays)
    assert symbolic(arrays) == READY
    assert arrays.island(0).fill == -1
