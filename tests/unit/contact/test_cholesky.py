"""Graph, ordering and factorisation of A + J^T G J, against full matrices."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.contact import scenes

from dalembert.contact import layout as L
from dalembert.contact.capacity import grown
from dalembert.contact.cholesky import (
    assemble,
    assemble_both,
    factorise,
    factorise_both,
    solve_both,
    solve_factored,
)
from dalembert.contact.prepare import prepare
from dalembert.contact.symbolic import READY, symbolic


def ordered(problem):
    """Arrays of a problem with everything before the first factorisation."""
    integers, numbers = problem.arrays()
    while True:
        assert prepare(integers, numbers) == 0
        if symbolic(integers, numbers) == READY:
            return integers, numbers
        integers, numbers = problem.arrays(grown(integers))


def random_curvature(rng, problem, integers, numbers, both):
    """Write G of every block; returns A + J^T G J."""
    H, J = problem.matrices()
    row = 0
    for block in problem.blocks:
        at, d = int(integers[L.CURVATURE]) + 6 * row, block.dim
        X = rng.normal(size=(d, d))
        G = X @ X.T
        if block.kind == "CONE":
            beyond = rng.normal(size=2)
            numbers[at : at + 8] = [*G[np.triu_indices(3)], *beyond]
            if both:
                G[1:, 0] += beyond
        elif block.kind == "ROLL":
            numbers[at : at + d * d] = G.ravel()
        else:
            G = np.diag(np.diag(G))
            numbers[at : at + d] = np.diag(G)
        H = H + J[row : row + d].T @ G @ J[row : row + d]
        row += d
    return H


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_solves_as_full_matrices_do(seed, both):
    rng = np.random.default_rng(seed)
    problem = scenes.random_problem(seed)
    integers, numbers = ordered(problem)
    H = random_curvature(rng, problem, integers, numbers, both)
    n, at = len(H), int(integers[L.VELOCITY_WORK])
    b = rng.normal(size=n)
    numbers[at : at + n] = b
    moved = np.zeros(n, dtype=bool)
    starts = np.cumsum([0, *(len(c.v_free) for c in problem.cliques)])
    for block in problem.blocks:
        for clique in (block.a, block.b):
            if clique >= 0:
                moved[starts[clique] : starts[clique + 1]] = True
    for island in range(int(integers[L.ISLANDS])):
        record = int(integers[L.ISLAND]) + L.ISLAND_RECORD * island
        if integers[record + L.BLOCK_COUNT] == 0:
            continue
        if both:
            assemble_both(integers, numbers, island)
            assert factorise_both(integers, numbers, island)
            solve_both(integers, numbers, island, at)
        else:
            assemble(integers, numbers, island)
            assert factorise(integers, numbers, island)
            solve_factored(integers, numbers, island, at)
    expected = np.linalg.solve(H, b)
    scale = np.finfo(float).eps * np.linalg.cond(H) * np.abs(expected).max()
    assert np.abs(numbers[at : at + n] - expected)[moved].max() < 50 * scale


@pytest.mark.parametrize("seed", range(6))
def test_delassus_of_blocks(seed):
    """The diagonal blocks of W, and w, from cliques of all sizes."""
    problem = scenes.random_problem(seed)
    integers, numbers = problem.arrays()
    prepare(integers, numbers)
    W, _ = problem.delassus()
    row = 0
    for k, block in enumerate(problem.blocks):
        at, d = int(integers[L.DELASSUS]) + 6 * row, block.dim
        expected = W[row : row + d, row : row + d]
        assert numbers[at : at + d * d].reshape(d, d) == pytest.approx(
            expected, rel=1e-10, abs=1e-12 * np.abs(expected).max()
        )
        own = int(integers[L.BLOCK_NUMBERS]) + L.BLOCK_FLOATS * k
        linear = 3 if block.kind == "ROLL" else d
        assert numbers[own + L.W] == pytest.approx(np.diag(expected)[:linear].mean(), rel=1e-10)
        row += d


def test_stack_has_no_fill():
    """The graph of a tower is a path: nothing but its own edges below the diagonal."""
    integers, _ = ordered(scenes.stack(30, 1.0))
    assert integers[L.FILL] == 29


def test_fill_of_a_wall_is_that_of_a_good_order():
    """A band from left to right would need about 5 * 50 blocks of fill beside the edges."""
    problem = scenes.wall(5, 10)
    integers, _ = ordered(problem)
    edges = len({(b.a, b.b) for b in problem.blocks if min(b.a, b.b) >= 0})
    assert edges <= integers[L.FILL] < 3 * edges


def test_order_is_kept_while_the_graph_stays():
    """And found again, the same, after another graph was there."""
    tower, other = scenes.stack(6), scenes.pyramid(3)
    integers, numbers = ordered(tower)

    def columns():
        return integers[integers[L.COLUMN] : integers[L.COLUMN] + L.COLUMN_RECORD * 6].copy()

    known, seen = columns(), []
    for problem in (tower, other, tower):
        problem.write(integers, numbers)
        prepare(integers, numbers)
        # What is not computed again stays spoilt.
        integers[integers[L.ORDER]] = -7
        assert symbolic(integers, numbers) == READY
        seen.append(integers[integers[L.ORDER]] == -7)
    assert seen == [True, False, False]
    assert (columns() == known).all()


def test_fill_limit_leaves_an_island_without_columns():
    problem = scenes.wall(4, 4)
    integers, numbers = problem.arrays()
    integers[L.FILL_LIMIT] = 5
    prepare(integers, numbers)
    assert symbolic(integers, numbers) == READY
    assert integers[integers[L.ISLAND] + L.ISLAND_FILL] == -1
