"""Preparation for every solver: islands, factors of A, J A^-1, the diagonal blocks of W, v.

W_ii = J_i A^-1 J_i^T,      w_i = mean of its diagonal,      v = v* + A^-1 J^T lam
"""

from dalembert._jit import apart, kernel
from dalembert.contact.blocks import (
    block_add_transposed,
    block_at,
    is_simple,
    island_blocks,
    island_cliques,
)
from dalembert.contact.cliques import factor_clique, half_solve, other_half, solve_clique
from dalembert.contact.islands import find_islands
from dalembert.contact.layout import (
    BLOCK_COUNT,
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    BLOCKS,
    CLIQUE,
    CLIQUE_A,
    CLIQUE_RECORD,
    CLIQUES,
    DELASSUS,
    DIM,
    FACTORED,
    FAILED,
    FIRST_RESIDUAL,
    ISLAND,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_RECORD,
    ISLANDS,
    JACOBIAN,
    JACOBIAN_A,
    KIND,
    LAM,
    LAM0,
    MATRIX_FACTOR,
    MATRIX_START,
    MOST_ROWS,
    NODES,
    OWN_RESIDUAL,
    PARENT,
    RESIDUAL,
    RESPONDED,
    RESPONSE,
    ROLL,
    ROW,
    ROWS,
    RUN_START,
    SIZE,
    SPAN_END_A,
    SPAN_START_A,
    START,
    SUPPORTED,
    U_KNOWN,
    V_FREE,
    W_ANGULAR,
    V,
    W,
)
from dalembert.numerics.six import dot_six, put_six, six, transposed_block

READY = 0
"""Result of `prepare` when A is positive definite; otherwise FAILED."""


@kernel
def prepare(integers, numbers):
    """Islands, factors, responses; lam = lam0 and the v that belongs to it."""
    status = prepare_rows(integers, numbers, False)
    if status == READY:
        for island in range(integers[ISLANDS]):
            complete_responses(integers, numbers, island)
    return status


@kernel
def prepare_rows(integers, numbers, later):
    """As `prepare`, but the responses of cliques of other than six are only half done.

    RESPONSE then holds J L^-1 for them: enough for W. `complete_responses` does the rest. With
    `later` islands with blocks have no v.
    """
    find_islands(integers)
    integers[NODES], integers[SUPPORTED] = 0, 0
    if not factor_cliques(integers, numbers):
        return FAILED
    for i in range(integers[ROWS]):
        numbers[integers[LAM] + i] = numbers[integers[LAM0] + i]
    for block in range(integers[BLOCKS]):
        respond_block(integers, numbers, block)
    for island in range(integers[ISLANDS]):
        if not later or integers[integers[ISLAND] + ISLAND_RECORD * island + BLOCK_COUNT] == 0:
            move(integers, numbers, island)
        record = integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island
        numbers[record + RESIDUAL], numbers[record + FIRST_RESIDUAL] = 0.0, 0.0
        integers[integers[ISLAND] + ISLAND_RECORD * island + RESPONDED] = 0
        integers[integers[ISLAND] + ISLAND_RECORD * island + U_KNOWN] = 0
        numbers[record + OWN_RESIDUAL] = 0.0
    return READY


@kernel
def factor_cliques(integers, numbers):
    """MATRIX_FACTOR, unless it is known. False: A is not positive definite."""
    if integers[FACTORED] == 0:
        for clique in range(integers[CLIQUES]):
            if not factor_clique(integers, numbers, clique):
                return False
    return True


@kernel
def move(integers, numbers, island):
    """v = v* + A^-1 J^T lam."""
    v, start = integers[V], integers[V_FREE]
    first, count = island_cliques(integers, island)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        for i in range(integers[at + START], integers[at + START] + integers[at + SIZE]):
            numbers[v + i] = 0.0
    blocks, number = island_blocks(integers, island)
    for k in range(number):
        at = block_at(integers, integers[blocks + k])
        block_add_transposed(integers, numbers, at, JACOBIAN, integers[LAM], v)
    for k in range(count):
        clique = integers[first + k]
        at = integers[CLIQUE] + CLIQUE_RECORD * clique
        solve_clique(integers, numbers, clique, v + integers[at + START])
        for i in range(integers[at + START], integers[at + START] + integers[at + SIZE]):
            numbers[v + i] += numbers[start + i]


@kernel
def respond_block(integers, numbers, block):
    """RESPONSE, DELASSUS and w of a block."""
    at = block_at(integers, block)
    dim = integers[at + DIM]
    target = integers[DELASSUS] + MOST_ROWS * integers[at + ROW]
    for k in range(dim * dim):
        numbers[target + k] = 0.0
    for side in range(2):
        clique = integers[at + CLIQUE_A + side]
        if clique >= 0:
            own = integers[CLIQUE] + CLIQUE_RECORD * clique
            size = integers[own + SIZE]
            j = integers[JACOBIAN] + integers[at + JACOBIAN_A + side]
            y = integers[RESPONSE] + integers[at + JACOBIAN_A + side]
            integers[at + SPAN_START_A + side], integers[at + SPAN_END_A + side] = 0, size
            if size == 6:
                X = integers[MATRIX_FACTOR] + integers[own + MATRIX_START]
                for i in range(dim):
                    row = transposed_block(numbers, X, six(numbers, j + 6 * i))
                    put_six(numbers, y + 6 * i, row)
                    for k in range(i + 1):
                        t = dot_six(row, six(numbers, j + 6 * k))
                        numbers[target + dim * i + k] += t
            else:
                _respond_on_tree(integers, numbers, at, side, clique, target)
    for i in range(dim):
        for k in range(i):
            numbers[target + dim * k + i] = numbers[target + dim * i + k]
    _scale(integers, numbers, at, target, integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block)


@apart(None)
def _respond_on_tree(integers, numbers, at, side, clique, target):
    """J L^-1 of one side, its part of DELASSUS below the diagonal, and the span of J."""
    own = integers[CLIQUE] + CLIQUE_RECORD * clique
    size, dim = integers[own + SIZE], integers[at + DIM]
    j = integers[JACOBIAN] + integers[at + JACOBIAN_A + side]
    y = integers[RESPONSE] + integers[at + JACOBIAN_A + side]
    first, end = size, 0
    for i in range(dim):
        for k in range(size):
            t = numbers[j + size * i + k]
            numbers[y + size * i + k] = t
            if t != 0.0:
                first, end = min(first, k), max(end, k + 1)
    # a side may have no entry at all, as that of a drive on a joint that meets another's axis
    first = min(first, end)
    integers[at + SPAN_START_A + side], integers[at + SPAN_END_A + side] = first, end
    if dim == 3:
        _three_to_root(integers, numbers, own, end, y, target)
        return
    for i in range(dim):
        half_solve(integers, numbers, clique, y + size * i)
        for k in range(i + 1):
            t = 0.0
            for n in range(end):
                t += numbers[y + size * i + n] * numbers[y + size * k + n]
            numbers[target + dim * i + k] += t


@kernel
def _three_to_root(integers, numbers, own, end, y, target):
    """Solve as `half_solve` does for three rows together, and add their products to W."""
    size, L = integers[own + SIZE], integers[MATRIX_FACTOR] + integers[own + MATRIX_START]
    parents = integers[PARENT] + integers[own + START]
    starts = integers[RUN_START] + integers[own + START]
    s, t, u, v, w, z = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(end - 1, -1, -1):
        a, b, c = numbers[y + i], numbers[y + size + i], numbers[y + 2 * size + i]
        if a != 0.0 or b != 0.0 or c != 0.0:
            row = L + size * i
            a, b, c = numbers[row + i] * a, numbers[row + i] * b, numbers[row + i] * c
            numbers[y + i], numbers[y + size + i], numbers[y + 2 * size + i] = a, b, c
            s, t, u = s + a * a, t + b * a, u + b * b
            v, w, z = v + c * a, w + c * b, z + c * c
            k = integers[parents + i]
            while k >= 0:
                start = integers[starts + k]
                for n in range(start, k + 1):
                    d, to = numbers[row + n], y + n
                    numbers[to] -= d * a
                    numbers[to + size] -= d * b
                    numbers[to + 2 * size] -= d * c
                k = integers[parents + start]
    numbers[target] += s
    numbers[target + 3] += t
    numbers[target + 4] += u
    numbers[target + 6] += v
    numbers[target + 7] += w
    numbers[target + 8] += z


@kernel
def _scale(integers, numbers, at, target, own):
    """w of the block; 1 where nothing can move."""
    dim = integers[at + DIM]
    linear = 3 if integers[at + KIND] == ROLL else dim
    t = 0.0
    for i in range(linear):
        t += numbers[target + (dim + 1) * i]
    numbers[own + W] = t / linear if t > 0.0 else 1.0
    t = 0.0
    for i in range(linear, dim):
        t += numbers[target + (dim + 1) * i]
    numbers[own + W_ANGULAR] = t / (dim - linear) if t > 0.0 else numbers[own + W]


@kernel
def complete_responses(integers, numbers, island):
    """The second half of RESPONSE, for cliques of other than six velocities; once."""
    record = integers[ISLAND] + ISLAND_RECORD * island
    if integers[record + RESPONDED] == 1:
        return
    integers[record + RESPONDED] = 1
    first, count = island_blocks(integers, island)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        if not is_simple(integers, at):
            _complete(integers, numbers, at)


@kernel
def _complete(integers, numbers, at):
    for side in range(2):
        clique = integers[at + CLIQUE_A + side]
        if clique >= 0:
            size = integers[integers[CLIQUE] + CLIQUE_RECORD * clique + SIZE]
            if size != 6:
                y = integers[RESPONSE] + integers[at + JACOBIAN_A + side]
                for i in range(integers[at + DIM]):
                    other_half(integers, numbers, clique, y + size * i)
