"""W = J A^-1 J^T and q = J v* + b of a small island, written out: contact space.

    u = W x + q,        W = Y Y^T,   Y = J L^-1   for cliques along a tree,   A = L^T L

Y stands in RESPONSE (`prepare_rows`). A row of it has entries on the way of its bodies to the root
alone; these are listed. A free body has its A^-1, and W its J RESPONSE^T.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.blocks import block_at, island_blocks, island_cliques
from dalembert.contact.layout import (
    CLIQUE,
    CLIQUE_A,
    CLIQUE_RECORD,
    DIM,
    ISLAND,
    ISLAND_RECORD,
    ISLAND_VELOCITIES,
    JACOBIAN,
    JACOBIAN_A,
    KIND,
    RESPONSE,
    ROLL,
    SIZE,
    SPACE,
    SPACE_LIST,
    SPACE_RECORD,
    SPACE_ROWS,
    SPACE_VELOCITIES,
    SPAN_END_A,
    START,
    V_BEFORE,
    V_FREE,
)
from dalembert.contact.residuals import block_velocity, row_work
from dalembert.numerics.six import dot_six, six

# Integers of a block in contact space: its number, its first row there; of its two sides where the
# list of columns of Y begins, and how long it is; which of its rows are active.
SPACE_BLOCK, SPACE_ROW, FIRST_COLUMN, COLUMN_COUNT, ACTIVE = 0, 1, 2, 4, 6

SPACE_VECTORS = 16
"""Vectors over the rows that `contact.dense_step` works with."""

RESTING = 1e-3
"""Speed up to which an island is looked at before anything is done."""

FREE_U = 5
"""Row vector: q."""


@kernel
def space_at(integers, k):
    """Where the record of the k-th block in contact space starts."""
    return integers[SPACE_LIST] + SPACE_RECORD * k


@kernel
def _is_small_tree(integers, island):
    """Few velocities, and not all of them of free bodies."""
    if integers[integers[ISLAND] + ISLAND_RECORD * island + ISLAND_VELOCITIES] > SPACE_VELOCITIES:
        return False
    first, count = island_cliques(integers, island)
    for k in range(count):
        if integers[integers[CLIQUE] + CLIQUE_RECORD * integers[first + k] + SIZE] != 6:
            return True
    return False


@kernel
def moves_as_tree(integers, numbers, island):
    """Whether an island may be for here, and moves: its last impulses are then no answer."""
    if not _is_small_tree(integers, island):
        return False
    first, count = island_cliques(integers, island)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        before = integers[V_BEFORE] + integers[at + START]
        for i in range(before, before + integers[at + SIZE]):
            if abs(numbers[i]) > RESTING:
                return True
    return False


@kernel
def collect(integers, island):
    """List the blocks of an island. Returns how many, and their rows; -1: not for here.

    An island is for here if it has a clique of other than six velocities and few rows: free bodies
    have small blocks, and are better off with H.
    """
    if not _is_small_tree(integers, island):
        return -1, 0
    blocks, number = island_blocks(integers, island)
    rows = 0
    for k in range(number):
        block = integers[blocks + k]
        at = block_at(integers, block)
        if integers[at + KIND] == ROLL or rows + integers[at + DIM] > SPACE_ROWS:
            return -1, 0
        own = space_at(integers, k)
        integers[own + SPACE_BLOCK], integers[own + SPACE_ROW] = block, rows
        rows += integers[at + DIM]
    return number, rows


@apart(None)
def respond(integers, numbers, kept, rows):
    """W and q of the listed blocks."""
    columns = space_at(integers, kept)
    for k in range(kept):
        own = space_at(integers, k)
        at = block_at(integers, integers[own + SPACE_BLOCK])
        for side in range(2):
            clique = integers[at + CLIQUE_A + side]
            integers[own + COLUMN_COUNT + side] = 0
            if clique >= 0:
                size = integers[integers[CLIQUE] + CLIQUE_RECORD * clique + SIZE]
                if size != 6:
                    integers[own + FIRST_COLUMN + side] = columns
                    count = _columns(integers, numbers, at, side, size, columns)
                    integers[own + COLUMN_COUNT + side] = count
                    columns += count
        block_velocity(integers, numbers, at, integers[V_FREE], row_work(integers, FREE_U))
    for k in range(kept):
        for m in range(k + 1):
            _pair(integers, numbers, rows, k, m)


@kernel
def _columns(integers, numbers, at, side, size, columns):
    """List the columns of Y of one side of a block, last first. Returns how many."""
    dim, y = integers[at + DIM], integers[RESPONSE] + integers[at + JACOBIAN_A + side]
    count = 0
    for i in range(integers[at + SPAN_END_A + side] - 1, -1, -1):
        there = False
        for r in range(dim):
            there = there or numbers[y + size * r + i] != 0.0
        if there:
            integers[columns + count] = i
            count += 1
    return count


@kernel
def _pair(integers, numbers, rows, k, m):
    """W of two blocks, both places."""
    one, two = space_at(integers, k), space_at(integers, m)
    at, other = (
        block_at(integers, integers[one + SPACE_BLOCK]),
        block_at(integers, integers[two + SPACE_BLOCK]),
    )
    dim, wide = integers[at + DIM], integers[other + DIM]
    first, second = integers[one + SPACE_ROW], integers[two + SPACE_ROW]
    W = integers[SPACE] + rows * first + second
    for i in range(dim):
        for j in range(wide):
            numbers[W + rows * i + j] = 0.0
    for s in range(2):
        clique = integers[at + CLIQUE_A + s]
        for t in range(2):
            if clique >= 0 and integers[other + CLIQUE_A + t] == clique:
                size = integers[integers[CLIQUE] + CLIQUE_RECORD * clique + SIZE]
                if size == 6:
                    left = integers[JACOBIAN] + integers[at + JACOBIAN_A + s]
                    right = integers[RESPONSE] + integers[other + JACOBIAN_A + t]
                    for i in range(dim):
                        for j in range(wide):
                            part = dot_six(six(numbers, left + 6 * i), six(numbers, right + 6 * j))
                            numbers[W + rows * i + j] += part
                else:
                    _products(integers, numbers, rows, one, two, at, other, s, t, size, W)
    back = integers[SPACE] + rows * second + first
    for i in range(dim):
        for j in range(wide):
            numbers[back + rows * j + i] = numbers[W + rows * i + j]


@kernel
def _products(integers, numbers, rows, one, two, at, other, s, t, size, W):
    """W += Y Y^T of two blocks in one clique, over the columns of the one that has fewer."""
    dim, wide = integers[at + DIM], integers[other + DIM]
    y, z = (
        integers[RESPONSE] + integers[at + JACOBIAN_A + s],
        integers[RESPONSE] + integers[other + JACOBIAN_A + t],
    )
    count, columns = integers[one + COLUMN_COUNT + s], integers[one + FIRST_COLUMN + s]
    if integers[two + COLUMN_COUNT + t] < count:
        count, columns = integers[two + COLUMN_COUNT + t], integers[two + FIRST_COLUMN + t]
    if dim == 3 and wide == 3:
        a0, a1, a2 = 0.0, 0.0, 0.0
        b0, b1, b2 = 0.0, 0.0, 0.0
        c0, c1, c2 = 0.0, 0.0, 0.0
        for n in range(count):
            i = integers[columns + n]
            f, g, h = numbers[z + i], numbers[z + size + i], numbers[z + 2 * size + i]
            e = numbers[y + i]
            a0, a1, a2 = a0 + e * f, a1 + e * g, a2 + e * h
            e = numbers[y + size + i]
            b0, b1, b2 = b0 + e * f, b1 + e * g, b2 + e * h
            e = numbers[y + 2 * size + i]
            c0, c1, c2 = c0 + e * f, c1 + e * g, c2 + e * h
        _add_three(numbers, W, a0, a1, a2)
        _add_three(numbers, W + rows, b0, b1, b2)
        _add_three(numbers, W + 2 * rows, c0, c1, c2)
        return
    for i in range(dim):
        for j in range(wide):
            total = 0.0
            for n in range(count):
                c = integers[columns + n]
                total += numbers[y + size * i + c] * numbers[z + size * j + c]
            numbers[W + rows * i + j] += total


@kernel
def _add_three(numbers, at, a, b, c):
    numbers[at] += a
    numbers[at + 1] += b
    numbers[at + 2] += c
