"""Tables of the factorisation of H = M + J^T G J: six rows a body, along the body graph.

The code of its blocks (`numerics.block`) is the same for every model. `numerics.block_sparse` goes
through the tables.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dalembert._once import once
from dalembert.numerics import block
from dalembert.numerics.block_sparse import (
    FACTORING_BLOCK,
    PASSING_BELOW,
    SUBSTITUTING,
    SUBTRACTING,
    UPDATING,
)
from dalembert.system.graph import BLOCK, Elimination
from dalembert.system.straight import Straight

LENGTHS = {"whole": 6, "inverse": 6, "ratio": 6, "x": 6, "y": 6}
"""Lengths of arguments that are no blocks."""

OPERATIONS = (
    (block.block_factor, FACTORING_BLOCK),
    (block.block_below, PASSING_BELOW),
    (block.block_update, UPDATING),
    (block.block_update_diagonal, UPDATING),
    (block.block_forward, SUBSTITUTING),
    (block.block_backward, SUBSTITUTING),
    (block.block_subtract, SUBTRACTING),
    (block.block_subtract_transposed, SUBTRACTING),
)


@once
def block_operations() -> tuple[Straight, ...]:
    """Code of `OPERATIONS`."""
    return tuple(
        Straight.trace(signature, text, {a: LENGTHS.get(a, BLOCK) for a in signature.arguments})
        for text, signature in OPERATIONS
    )


def body_tables(e: Elimination) -> dict[str, npt.NDArray[np.int64]]:
    """Columns, blocks below and updates by name, as `numerics.block_sparse` has them."""
    factor, below, update, diagonal, forward, backward, subtract, transposed = (
        code.address for code in block_operations()
    )
    body, place, first, number, first_update = e.columns.T
    columns = np.empty((len(e.columns), 9), dtype=np.int64)
    columns[:, :6] = np.transpose([6 * body, np.full_like(body, 6), place, *e.columns.T[2:]])
    columns[:, 6:] = factor, forward, backward
    # which one of its column a block below is
    index = np.arange(len(e.below)) - np.repeat(first, number)
    below_table = np.empty((len(e.below), 7), dtype=np.int64)
    below_table[:, :4] = np.transpose(
        [6 * e.below[:, 0], np.full_like(index, 6), e.below[:, 1], BLOCK * index]
    )
    below_table[:, 4:] = below, subtract, transposed
    updates = np.transpose([e.updates, np.full_like(e.updates, update)])
    # of the pairs (i, j <= i) those with j = i
    updates[np.repeat(first_update, number) + index * (index + 3) // 2, 1] = diagonal
    return {"column_table": columns, "below_table": below_table, "update_table": updates}
