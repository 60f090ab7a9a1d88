"""The block factorisation along a body graph, against full matrices."""

import numpy as np
import pytest
from tests.support.lives import lives

from dalembert.numerics.block_sparse import BlockMatrix, sparse_factor, sparse_solve
from dalembert.system.body_blocks import body_tables
from dalembert.system.graph import eliminate

GRAPHS = {
    "one body": (1, []),
    "two apart": (2, []),
    "chain": (7, [(i, i + 1) for i in range(6)]),
    "ring": (6, [(i, (i + 1) % 6) for i in range(6)]),
    "star": (6, [(0, i) for i in range(1, 6)]),
    "grid": (
        9,
        [(3 * i + j, 3 * i + j + 1) for i in range(3) for j in range(2)]
        + [(3 * i + j, 3 * i + j + 3) for i in range(2) for j in range(3)],
    ),
    "clique of four": (5, [(0, 1, 2, 3), (3, 4)]),
}


def matrix(count, cliques, generator):
    n = 6 * count
    H = np.diag(generator.uniform(0.5, 2.0, n))
    for clique in cliques:
        columns = np.concatenate([np.arange(6 * b, 6 * b + 6) for b in clique])
        J = np.zeros((5, n))
        J[:, columns] = generator.standard_normal((5, len(columns)))
        H += 30.0 * J.T @ J
    return H


def packed(e, H):
    """The matrix in blocks, with its tables."""
    blocks = np.zeros(36 * e.blocks + 1)
    for (row, column), at in e.places.items():
        block = H[6 * row : 6 * row + 6, 6 * column : 6 * column + 6]
        blocks[at : at + 36] = (block if row == column else block.T).ravel()
    flat = [table.ravel() for table in body_tables(e).values()]
    starts = np.cumsum([0, *map(len, flat)])[:3]
    most = int(e.columns[:, 3].max(initial=0))
    per_row = (np.zeros(len(H)) for _ in range(3))
    return BlockMatrix(
        np.concatenate(flat), *starts, len(e.order), blocks, *per_row, np.zeros(36 * most + 1)
    )


@lives
@pytest.mark.parametrize("name", GRAPHS)
def test_solves(name, life):
    count, cliques = GRAPHS[name]
    generator = np.random.default_rng(5)
    H = matrix(count, cliques, generator)
    A = packed(eliminate(count, cliques), H)
    x = generator.standard_normal(6 * count)
    b = H @ x
    with life():
        assert sparse_factor(A) == -1
        sparse_solve(A, b)
    assert np.abs(b - x).max() <= 20 * np.finfo(float).eps * np.linalg.cond(H)


def test_names_the_body_without_a_positive_pivot():
    count, cliques = GRAPHS["chain"]
    H = matrix(count, cliques, np.random.default_rng(5))
    H[6 * 4 + 2, 6 * 4 + 2] = -1e6
    assert sparse_factor(packed(eliminate(count, cliques), H)) == 6 * 4


@pytest.mark.parametrize("length", [2, 10, 1000])
def test_chains_have_no_fill_and_rings_one_block_a_body(length):
    chain = eliminate(length, [(i, i + 1) for i in range(length - 1)])
    assert chain.blocks == 2 * length - 1
    ring = eliminate(length, [(i, (i + 1) % length) for i in range(length)])
    assert ring.blocks <= 3 * length


def test_fill_of_a_grid_stays_near_n_log_n():
    n = 20
    edges = [(n * i + j, n * i + j + 1) for i in range(n) for j in range(n - 1)]
    edges += [(n * i + j, n * i + j + n) for i in range(n - 1) for j in range(n)]
    assert eliminate(n * n, edges).blocks < 2 * n * n * np.log2(n * n)
