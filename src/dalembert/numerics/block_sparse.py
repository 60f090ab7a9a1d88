"""Block LDL^T along the body graph: A = L D L^T with 6 x 6 blocks.

Tables (`system.graph` makes them) say where blocks stand; the order of elimination and the fill are
fixed. Per body p eliminated, with the blocks A_ip below its diagonal block A_pp = U D U^T:

    A_ip <- L_ip = A_ip U^-T D^-1,       A_ij <- A_ij - L_ip D L_jp^T      for all i >= j below p.

The operations on blocks are those of `numerics.block`, called by address; blocks below the diagonal
stand transposed.
"""

from dalembert._jit import Signature, kernel, vector_view
from dalembert.numerics.block import (
    block_backward,
    block_below,
    block_factor,
    block_forward,
    block_subtract,
    block_subtract_transposed,
    block_update,
    block_update_diagonal,
)

FACTORING_BLOCK = Signature("block_factor", "a inverse", {})
PASSING_BELOW = Signature("block_below", "a diagonal inverse s", {})
UPDATING = Signature("block_update", "target left s", {})
SUBSTITUTING = Signature("block_forward", "x diagonal", {})
SUBTRACTING = Signature("block_subtract", "y block x", {})

OPERATIONS = (
    (block_factor, FACTORING_BLOCK, (36, 6)),
    (block_below, PASSING_BELOW, (36, 36, 6, 36)),
    (block_update, UPDATING, (36, 36, 36)),
    (block_update_diagonal, UPDATING, (36, 36, 36)),
    (block_forward, SUBSTITUTING, (6, 36)),
    (block_backward, SUBSTITUTING, (6, 36)),
    (block_subtract, SUBTRACTING, (6, 36, 6)),
    (block_subtract_transposed, SUBTRACTING, (6, 36, 6)),
)
"""Text, signature and lengths of the arguments; their addresses stand in this order."""

FACTOR, BELOW, UPDATE, UPDATE_DIAGONAL, FORWARD, BACKWARD, SUBTRACT, SUBTRACT_TRANSPOSED = range(8)

_factor = FACTORING_BLOCK.call
_below = PASSING_BELOW.call
_update = UPDATING.call
_substitute = SUBSTITUTING.call
_subtract = SUBTRACTING.call


@kernel
def sparse_factor(count, work, sizes, operations, columns, below, updates, A, inverse, scratch):
    """Factor in place. Returns -1, or the first body whose block has no positive pivots.

    A, inverse, scratch: starts of fields of `work`; operations, columns, below, updates: starts of
    tables in `sizes`.
    """
    for p in range(count):
        column = columns + 5 * p
        body = sizes[column]
        diagonal = vector_view(work, A + sizes[column + 1], 36)
        first, number, update = sizes[column + 2], sizes[column + 3], updates + sizes[column + 4]
        pivots = vector_view(work, inverse + 6 * body, 6)
        if _factor(sizes[operations + FACTOR], work, sizes, diagonal, pivots) != 0:
            return body
        for j in range(number):
            block = vector_view(work, A + sizes[below + 2 * (first + j) + 1], 36)
            s = vector_view(work, scratch + 36 * j, 36)
            _below(sizes[operations + BELOW], work, sizes, block, diagonal, pivots, s)
        for i in range(number):
            left = vector_view(work, A + sizes[below + 2 * (first + i) + 1], 36)
            for j in range(i + 1):
                target = vector_view(work, A + sizes[update], 36)
                s = vector_view(work, scratch + 36 * j, 36)
                operation = UPDATE_DIAGONAL if j == i else UPDATE
                _update(sizes[operations + operation], work, sizes, target, left, s)
                update += 1
    return -1


@kernel
def sparse_solve(count, work, sizes, operations, columns, below, A, inverse, x):
    """x <- A^-1 x with the factors of `sparse_factor`; x stands body by body."""
    forward, backward = sizes[operations + FORWARD], sizes[operations + BACKWARD]
    subtract = sizes[operations + SUBTRACT]
    transposed = sizes[operations + SUBTRACT_TRANSPOSED]
    for p in range(count):
        column = columns + 5 * p
        mine = x[6 * sizes[column] : 6 * sizes[column] + 6]
        first, number = sizes[column + 2], sizes[column + 3]
        _substitute(forward, work, sizes, mine, vector_view(work, A + sizes[column + 1], 36))
        for i in range(number):
            entry = below + 2 * (first + i)
            row = x[6 * sizes[entry] : 6 * sizes[entry] + 6]
            block = vector_view(work, A + sizes[entry + 1], 36)
            _subtract(subtract, work, sizes, row, block, mine)
    for back in range(count):
        column = columns + 5 * (count - 1 - back)
        place = 6 * sizes[column]
        mine = x[place : place + 6]
        first, number = sizes[column + 2], sizes[column + 3]
        for k in range(6):
            mine[k] *= work[inverse + place + k]
        for i in range(number):
            entry = below + 2 * (first + i)
            row = x[6 * sizes[entry] : 6 * sizes[entry] + 6]
            block = vector_view(work, A + sizes[entry + 1], 36)
            _subtract(transposed, work, sizes, mine, block, row)
        _substitute(backward, work, sizes, mine, vector_view(work, A + sizes[column + 1], 36))
