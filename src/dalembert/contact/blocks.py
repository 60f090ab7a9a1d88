"""Products with the rows of one block: J x, J^T f, and the same with the rows of J A^-1.

Of J only the columns between the first and the last that is not zero are touched (SPAN_START_A,
...; `contact.prepare`): the way of a contact through a tree. Free bodies have six, and code of
their own.
"""

from dalembert._jit import kernel, packed_kernel
from dalembert.contact.layout import (
    BLOCK,
    BLOCK_COUNT,
    BLOCK_RECORD,
    CLIQUE,
    CLIQUE_A,
    CLIQUE_B,
    CLIQUE_COUNT,
    CLIQUE_RECORD,
    DIM,
    FIRST_BLOCK,
    FIRST_CLIQUE,
    ISLAND,
    ISLAND_BLOCKS,
    ISLAND_CLIQUES,
    ISLAND_RECORD,
    JACOBIAN,
    JACOBIAN_A,
    JACOBIAN_B,
    ROW,
    SIZE,
    SPAN_END_A,
    SPAN_START_A,
    START,
)
from dalembert.numerics.runs import add_scaled
from dalembert.numerics.six import add_six, dot_six, more, scaled, six


@kernel
def island_blocks(integers, island):
    """Where the list of an island's blocks starts, and how many there are."""
    record = integers[ISLAND] + ISLAND_RECORD * island
    return integers[ISLAND_BLOCKS] + integers[record + FIRST_BLOCK], integers[record + BLOCK_COUNT]


@kernel
def island_cliques(integers, island):
    """Where the list of an island's cliques starts, and how many there are."""
    record = integers[ISLAND] + ISLAND_RECORD * island
    first = integers[ISLAND_CLIQUES] + integers[record + FIRST_CLIQUE]
    return first, integers[record + CLIQUE_COUNT]


@kernel
def block_at(integers, block):
    """Where the record of a block starts."""
    return integers[BLOCK] + BLOCK_RECORD * block


@packed_kernel
def _three_six(numbers, j, x):
    """Three rows of six times a vector."""
    a = six(numbers, x)
    return (
        dot_six(six(numbers, j), a),
        dot_six(six(numbers, j + 6), a),
        dot_six(six(numbers, j + 12), a),
    )


@packed_kernel
def _three_six_transposed(numbers, j, f, y):
    """Add three rows of six, each times a number."""
    t = scaled(f[0], six(numbers, j))
    t = more(t, f[1], six(numbers, j + 6))
    add_six(numbers, y, more(t, f[2], six(numbers, j + 12)))


@kernel
def _span(integers, at, side, source, size):
    """Columns of a side between which all entries are: of J known, of other rows all."""
    if source == JACOBIAN:
        return integers[at + SPAN_START_A + side], integers[at + SPAN_END_A + side]
    return 0, size


@kernel
def _times(numbers, j, dim, size, first, end, x, y):
    if dim == 3:
        # together, so that no sum waits for another
        a, b, c = 0.0, 0.0, 0.0
        for k in range(first, end):
            t, at = numbers[x + k], j + k
            a += numbers[at] * t
            b += numbers[at + size] * t
            c += numbers[at + 2 * size] * t
        numbers[y] += a
        numbers[y + 1] += b
        numbers[y + 2] += c
        return
    for i in range(dim):
        t = 0.0
        for k in range(first, end):
            t += numbers[j + size * i + k] * numbers[x + k]
        numbers[y + i] += t


@kernel
def _transposed(numbers, j, dim, size, first, end, f, y):
    for i in range(dim):
        t = numbers[f + i]
        if t != 0.0:
            add_scaled(numbers, y + first, t, j + size * i + first, end - first)


@kernel
def of_bodies(integers, at):
    """Nothing but cliques of six or the world."""
    a, b = integers[at + CLIQUE_A], integers[at + CLIQUE_B]
    return (a < 0 or integers[integers[CLIQUE] + CLIQUE_RECORD * a + SIZE] == 6) and (
        b < 0 or integers[integers[CLIQUE] + CLIQUE_RECORD * b + SIZE] == 6
    )


@kernel
def is_simple(integers, at):
    """Three rows, and nothing but cliques of six or the world."""
    return integers[at + DIM] == 3 and of_bodies(integers, at)


@kernel
def simple_times(integers, numbers, at, source, x):
    """(J x) of a block that `is_simple`; `source`: slot of JACOBIAN or RESPONSE."""
    a, b = integers[at + CLIQUE_A], integers[at + CLIQUE_B]
    u0, u1, u2 = 0.0, 0.0, 0.0
    if a >= 0:
        start = integers[integers[CLIQUE] + CLIQUE_RECORD * a + START]
        u0, u1, u2 = _three_six(numbers, integers[source] + integers[at + JACOBIAN_A], x + start)
    if b >= 0:
        start = integers[integers[CLIQUE] + CLIQUE_RECORD * b + START]
        t = _three_six(numbers, integers[source] + integers[at + JACOBIAN_B], x + start)
        u0, u1, u2 = u0 + t[0], u1 + t[1], u2 + t[2]
    return u0, u1, u2


@kernel
def simple_transposed(integers, numbers, at, source, f, y):
    """y += J^T f of a block that `is_simple`; f has three numbers."""
    a, b = integers[at + CLIQUE_A], integers[at + CLIQUE_B]
    if a >= 0:
        start = integers[integers[CLIQUE] + CLIQUE_RECORD * a + START]
        _three_six_transposed(numbers, integers[source] + integers[at + JACOBIAN_A], f, y + start)
    if b >= 0:
        start = integers[integers[CLIQUE] + CLIQUE_RECORD * b + START]
        _three_six_transposed(numbers, integers[source] + integers[at + JACOBIAN_B], f, y + start)


@kernel
def block_times(integers, numbers, at, source, x, y):
    """y[rows of the block] = J x; x, y: offsets of vectors over velocities and rows."""
    y += integers[at + ROW]
    if is_simple(integers, at):
        u = simple_times(integers, numbers, at, source, x)
        numbers[y], numbers[y + 1], numbers[y + 2] = u
        return
    a, b, dim = integers[at + CLIQUE_A], integers[at + CLIQUE_B], integers[at + DIM]
    for i in range(dim):
        numbers[y + i] = 0.0
    if a >= 0:
        own = integers[CLIQUE] + CLIQUE_RECORD * a
        j, size = integers[source] + integers[at + JACOBIAN_A], integers[own + SIZE]
        first, end = _span(integers, at, 0, source, size)
        _times(numbers, j, dim, size, first, end, x + integers[own + START], y)
    if b >= 0:
        own = integers[CLIQUE] + CLIQUE_RECORD * b
        j, size = integers[source] + integers[at + JACOBIAN_B], integers[own + SIZE]
        first, end = _span(integers, at, 1, source, size)
        _times(numbers, j, dim, size, first, end, x + integers[own + START], y)


@kernel
def block_add_transposed(integers, numbers, at, source, f, y):
    """y += J^T f[rows of the block]; f, y: offsets of vectors over rows and velocities."""
    f += integers[at + ROW]
    if is_simple(integers, at):
        g = (numbers[f], numbers[f + 1], numbers[f + 2])
        if g[0] != 0.0 or g[1] != 0.0 or g[2] != 0.0:
            simple_transposed(integers, numbers, at, source, g, y)
        return
    a, b, dim = integers[at + CLIQUE_A], integers[at + CLIQUE_B], integers[at + DIM]
    if a >= 0:
        own = integers[CLIQUE] + CLIQUE_RECORD * a
        j, size = integers[source] + integers[at + JACOBIAN_A], integers[own + SIZE]
        first, end = _span(integers, at, 0, source, size)
        _transposed(numbers, j, dim, size, first, end, f, y + integers[own + START])
    if b >= 0:
        own = integers[CLIQUE] + CLIQUE_RECORD * b
        j, size = integers[source] + integers[at + JACOBIAN_B], integers[own + SIZE]
        first, end = _span(integers, at, 1, source, size)
        _transposed(numbers, j, dim, size, first, end, f, y + integers[own + START])
