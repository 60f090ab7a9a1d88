"""W = J A'^-1 J^T and q = J v' + b of a small island, written out: contact space.

    u = W x + q,        W = Y Y^T,   Y = J L'^-1   for cliques along a tree,   A' = L'^T L'

A' and v' are those of `contact.dense_fold`. A row of Y has entries on the way of its bodies to the
root alone; these are listed. Of a block Y stands column by column, so that its rows are worked on
together. A free body has its A^-1, and W its J RESPONSE^T.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.blocks import block_at, island_blocks, island_cliques
from dalembert.contact.dense_fold import FOLDED_FREE, fold, folded_at, still_folded
from dalembert.contact.layout import (
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    CLIQUE,
    CLIQUE_A,
    CLIQUE_RECORD,
    DIM,
    FOLDED_START,
    ISLAND,
    ISLAND_RECORD,
    ISLAND_VELOCITIES,
    JACOBIAN,
    JACOBIAN_A,
    KIND,
    PARENT,
    RESPONSE,
    ROLL,
    RUN_START,
    SIZE,
    SPACE,
    SPACE_LIST,
    SPACE_RECORD,
    SPACE_ROWS,
    SPACE_VELOCITIES,
    START,
    V_BEFORE,
    W,
)
from dalembert.contact.prepare import respond_block
from dalembert.contact.report import velocity_work
from dalembert.contact.residuals import block_velocity, row_work
from dalembert.numerics.six import dot_six, six

# Integers of a block in contact space: its number, its first row there; of its two sides where Y,
# and where the list of its columns begins, and how long it is; which of its rows are active.
SPACE_BLOCK, SPACE_ROW, FIRST_Y, FIRST_COLUMN, COLUMN_COUNT, ACTIVE = 0, 1, 2, 4, 6, 8

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
def collect(integers, numbers, island):
    """List the blocks of an island that stay. Returns how many, and their rows; -1: not for here.

    An island is for here if it has a clique of other than six velocities and few rows: free bodies
    have small blocks, and are better off with H.
    """
    if not _is_small_tree(integers, island):
        return -1, 0
    blocks, number = island_blocks(integers, island)
    kept, rows = 0, 0
    for k in range(number):
        block = integers[blocks + k]
        at = block_at(integers, block)
        if integers[at + KIND] == ROLL:
            return -1, 0
        put_off = numbers[integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block + W] == 0.0
        if not (put_off and still_folded(integers, numbers, block)):
            if rows + integers[at + DIM] > SPACE_ROWS:
                return -1, 0
            if put_off:
                respond_block(integers, numbers, block)
            numbers[folded_at(integers, block)] = 0.0
            own = space_at(integers, kept)
            integers[own + SPACE_BLOCK], integers[own + SPACE_ROW] = block, rows
            kept += 1
            rows += integers[at + DIM]
    return kept, rows


@apart(bool)
def respond(integers, numbers, island, kept, rows):
    """W and q of the listed blocks. False: A' is not positive definite."""
    place = integers[SPACE] + rows * (2 * rows + SPACE_VECTORS)
    place = fold(integers, numbers, island, place)
    if place < 0:
        return False
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
                    integers[own + FIRST_Y + side] = place
                    integers[own + FIRST_COLUMN + side] = columns
                    count = _half(integers, numbers, at, side, clique, place, columns)
                    integers[own + COLUMN_COUNT + side] = count
                    place += size * integers[at + DIM]
                    columns += count
        block_velocity(
            integers, numbers, at, velocity_work(integers, FOLDED_FREE), row_work(integers, FREE_U)
        )
    for k in range(kept):
        for m in range(k + 1):
            _pair(integers, numbers, rows, k, m)
    return True


@kernel
def _half(integers, numbers, at, side, clique, y, columns):
    """Y = J L'^-1 of one side of a block, and its columns, last first. Returns how many."""
    own = integers[CLIQUE] + CLIQUE_RECORD * clique
    size, dim, L = integers[own + SIZE], integers[at + DIM], integers[own + FOLDED_START]
    parents = integers[PARENT] + integers[own + START]
    starts = integers[RUN_START] + integers[own + START]
    j, count = integers[JACOBIAN] + integers[at + JACOBIAN_A + side], 0
    if dim == 3:
        for i in range(size):
            numbers[y + 3 * i] = numbers[j + i]
            numbers[y + 3 * i + 1] = numbers[j + size + i]
            numbers[y + 3 * i + 2] = numbers[j + 2 * size + i]
        for i in range(size - 1, -1, -1):
            a, b, c = numbers[y + 3 * i], numbers[y + 3 * i + 1], numbers[y + 3 * i + 2]
            if a != 0.0 or b != 0.0 or c != 0.0:
                integers[columns + count] = i
                count += 1
                d = numbers[L + (size + 1) * i]
                a, b, c = d * a, d * b, d * c
                numbers[y + 3 * i], numbers[y + 3 * i + 1], numbers[y + 3 * i + 2] = a, b, c
                k = integers[parents + i]
                while k >= 0:
                    start = integers[starts + k]
                    for n in range(start, k + 1):
                        d, to = numbers[L + size * i + n], y + 3 * n
                        numbers[to] -= d * a
                        numbers[to + 1] -= d * b
                        numbers[to + 2] -= d * c
                    k = integers[parents + start]
        return count
    for i in range(size):
        for r in range(dim):
            numbers[y + dim * i + r] = numbers[j + size * r + i]
    for i in range(size - 1, -1, -1):
        there = False
        for r in range(dim):
            there = there or numbers[y + dim * i + r] != 0.0
        if there:
            integers[columns + count] = i
            count += 1
            for r in range(dim):
                t = numbers[L + (size + 1) * i] * numbers[y + dim * i + r]
                numbers[y + dim * i + r] = t
                k = integers[parents + i]
                while k >= 0:
                    numbers[y + dim * k + r] -= numbers[L + size * i + k] * t
                    k = integers[parents + k]
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
                if integers[integers[CLIQUE] + CLIQUE_RECORD * clique + SIZE] == 6:
                    left = integers[JACOBIAN] + integers[at + JACOBIAN_A + s]
                    right = integers[RESPONSE] + integers[other + JACOBIAN_A + t]
                    for i in range(dim):
                        for j in range(wide):
                            part = dot_six(six(numbers, left + 6 * i), six(numbers, right + 6 * j))
                            numbers[W + rows * i + j] += part
                else:
                    _products(integers, numbers, rows, one, two, s, t, dim, wide, W)
    back = integers[SPACE] + rows * second + first
    for i in range(dim):
        for j in range(wide):
            numbers[back + rows * j + i] = numbers[W + rows * i + j]


@kernel
def _products(integers, numbers, rows, one, two, s, t, dim, wide, W):
    """W += Y Y^T of two blocks in one clique, over the columns of the one that has fewer."""
    y, z = integers[one + FIRST_Y + s], integers[two + FIRST_Y + t]
    count, columns = integers[one + COLUMN_COUNT + s], integers[one + FIRST_COLUMN + s]
    if integers[two + COLUMN_COUNT + t] < count:
        count, columns = integers[two + COLUMN_COUNT + t], integers[two + FIRST_COLUMN + t]
    if dim == 3 and wide == 3:
        a0, a1, a2 = 0.0, 0.0, 0.0
        b0, b1, b2 = 0.0, 0.0, 0.0
        c0, c1, c2 = 0.0, 0.0, 0.0
        for n in range(count):
            i = 3 * integers[columns + n]
            f, g, h = numbers[z + i], numbers[z + i + 1], numbers[z + i + 2]
            e = numbers[y + i]
            a0, a1, a2 = a0 + e * f, a1 + e * g, a2 + e * h
            e = numbers[y + i + 1]
            b0, b1, b2 = b0 + e * f, b1 + e * g, b2 + e * h
            e = numbers[y + i + 2]
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
                total += numbers[y + dim * c + i] * numbers[z + wide * c + j]
            numbers[W + rows * i + j] += total


@kernel
def _add_three(numbers, at, a, b, c):
    numbers[at] += a
    numbers[at + 1] += b
    numbers[at + 2] += c
