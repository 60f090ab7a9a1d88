"""H = A + J^T G J = L L^T of one island, in blocks of 6 x 6 along the graph of its nodes.

    column p:   L_pp L_pp^T = H_pp,    B_i = L_pp^-1 H_pi,    H_ij <- H_ij - B_i^T B_j

Diagonal blocks keep L_pp^-1; blocks below the diagonal stand transposed. H is positive definite for
every G >= 0, however many rows of J repeat others. G is CURVATURE: of a CONE (nn, n1, n2, 11, 12,
22) and what (1, n), (2, n), (2, 1) have beyond them; dim x dim of a ROLL; the diagonal of others.

With entries beyond the symmetric ones H = L U: the diagonal blocks keep L_pp^-1 and U_pp^-1, FACTOR
the blocks of U and FACTOR_LEFT those of L, transposed, at the same places.
"""

from dalembert._jit import kernel, packed_kernel
from dalembert.contact.blocks import block_at, island_blocks, island_cliques
from dalembert.contact.layout import (
    BELOW,
    BELOW_COUNT,
    CLIQUE,
    CLIQUE_A,
    CLIQUE_RECORD,
    COLUMN,
    COLUMN_COUNT,
    COLUMN_NODE,
    COLUMN_RECORD,
    CONE,
    CURVATURE,
    DIM,
    FACTOR,
    FACTOR_LEFT,
    FIRST_BELOW,
    FIRST_COLUMN,
    FIRST_NODE,
    FIRST_UPDATE,
    ISLAND,
    ISLAND_RECORD,
    JACOBIAN,
    JACOBIAN_A,
    JACOBIAN_B,
    KIND,
    MATRIX,
    MATRIX_START,
    MOST_ROWS,
    NODE,
    NODE_CLIQUE,
    NODE_COUNT,
    NODE_RECORD,
    NODE_SIZE,
    NODE_START,
    NODE_VECTOR,
    NODE_VELOCITIES,
    NODES,
    ROLL,
    ROW,
    RUN,
    SIZE,
    START,
    UPDATES,
)
from dalembert.contact.symbolic import PLACE, place_of_block, vector_of
from dalembert.numerics.six import (
    add_outer,
    add_outer_row,
    below,
    below_lower,
    below_upper,
    factor,
    factor_both,
    lower_times,
    more,
    put_six,
    scaled,
    six,
    subtract_six,
    times_block,
    transposed_block,
    update,
    upper_times,
)
from dalembert.numerics.small import vector

NEITHER, UPPER, LOWER = range(3)
"""Triangle that takes the entries of G beyond the symmetric ones."""


@kernel
def assemble(integers, numbers, island):
    """FACTOR of the island's columns holds H, from the symmetric part of G."""
    _assemble(integers, numbers, island, False)


@kernel
def assemble_both(integers, numbers, island):
    """FACTOR holds the upper triangle of H, FACTOR_LEFT the lower one."""
    _assemble(integers, numbers, island, True)


@kernel
def _assemble(integers, numbers, island, both):
    _inertia(integers, numbers, island, both)
    first, count = island_blocks(integers, island)
    for k in range(count):
        _add_block(integers, numbers, block_at(integers, integers[first + k]), both)


@kernel
def left_of(integers):
    """Shift from the offset of a block in FACTOR to that of its counterpart in FACTOR_LEFT."""
    return integers[FACTOR_LEFT] - integers[FACTOR] - 36 * integers[NODES]


@kernel
def _inertia(integers, numbers, island, both):
    """A, and zeros where nothing of A stands."""
    record, start = integers[ISLAND] + ISLAND_RECORD * island, integers[FACTOR]
    first = integers[record + FIRST_COLUMN]
    for k in range(first, first + integers[record + COLUMN_COUNT]):
        own = integers[COLUMN] + COLUMN_RECORD * k
        node = integers[NODE] + NODE_RECORD * integers[own + COLUMN_NODE]
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[node + NODE_CLIQUE]
        size, width = integers[at + SIZE], integers[node + NODE_VELOCITIES]
        offset = integers[node + NODE_START] - integers[at + START]
        A = integers[MATRIX] + integers[at + MATRIX_START] + (size + 1) * offset
        target = start + 36 * k
        if width == 6:
            for i in range(6):
                put_six(numbers, target + 6 * i, six(numbers, A + size * i))
        else:
            for i in range(6):
                for j in range(6):
                    t = 1.0 if i == j else 0.0
                    if i < width and j < width:
                        t = numbers[A + size * i + j]
                    numbers[target + 6 * i + j] = t
        target = start + 36 * (integers[NODES] + integers[own + FIRST_BELOW])
        for i in range(36 * integers[own + BELOW_COUNT]):
            numbers[target + i] = 0.0
        if both:
            target += left_of(integers)
            for i in range(36 * integers[own + BELOW_COUNT]):
                numbers[target + i] = 0.0
    cliques, count = island_cliques(integers, island)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[cliques + k]
        if integers[at + NODE_COUNT] > 1:
            _couplings(integers, numbers, at, 0)
            if both:
                _couplings(integers, numbers, at, left_of(integers))


@kernel
def _couplings(integers, numbers, at, shift):
    """Blocks of A between the nodes of one clique."""
    size, place = integers[at + SIZE], vector_of(integers, PLACE) + integers[at + FIRST_NODE]
    A = integers[MATRIX] + integers[at + MATRIX_START]
    for k in range(integers[at + NODE_COUNT]):
        for l in range(k):
            x, y = integers[place + k], integers[place + l]
            # Rows belong to the earlier place, columns to the later one.
            early, late = (k, l) if x < y else (l, k)
            rows = min(NODE_SIZE, size - NODE_SIZE * early)
            columns = min(NODE_SIZE, size - NODE_SIZE * late)
            first = A + size * NODE_SIZE * early + NODE_SIZE * late
            if _any(numbers, first, size, rows, columns):
                block = place_of_block(integers, max(x, y), min(x, y))
                target = integers[FACTOR] + shift + 36 * block
                for i in range(rows):
                    for j in range(columns):
                        numbers[target + 6 * i + j] = numbers[first + size * i + j]


@kernel
def _any(numbers, first, size, rows, columns):
    """Whether a part of A has entries."""
    for i in range(rows):
        for j in range(columns):
            if numbers[first + size * i + j] != 0.0:
                return True
    return False


@kernel
def _part(integers, at, node):
    """Where the columns of a node stand in J of a block: start, distance of rows, width."""
    record = integers[NODE] + NODE_RECORD * node
    clique = integers[record + NODE_CLIQUE]
    own = integers[CLIQUE] + CLIQUE_RECORD * clique
    side = JACOBIAN_A if clique == integers[at + CLIQUE_A] else JACOBIAN_B
    offset = integers[record + NODE_START] - integers[own + START]
    start = integers[JACOBIAN] + integers[at + side] + offset
    return start, integers[own + SIZE], integers[record + NODE_VELOCITIES]


@kernel
def _add_block(integers, numbers, at, both):
    """J^T G J of one block."""
    run, kind, dim = integers[at + RUN], integers[at + KIND], integers[at + DIM]
    G = integers[CURVATURE] + MOST_ROWS * integers[at + ROW]
    largest = 0.0
    for k in range(dim if kind < CONE else 6 if kind == CONE else dim * dim):
        largest += abs(numbers[G + k])
    if largest == 0.0:
        return
    count = integers[run]
    target = run + 1 + count
    for k in range(count):
        x = _part(integers, at, integers[run + 1 + k])
        for l in range(k, count):
            y = _part(integers, at, integers[run + 1 + l])
            code = integers[target]
            target += 1
            place = integers[FACTOR] + 36 * (code >> 1)
            left, right = (y, x) if code & 1 == 1 else (x, y)
            _add_product(numbers, place, left, right, kind, dim, G, UPPER if both else NEITHER)
            if both and k != l:
                left_place = place + left_of(integers)
                _add_product(numbers, left_place, left, right, kind, dim, G, LOWER)


@kernel
def _add_product(numbers, place, left, right, kind, dim, G, part):
    """Target += P^T G Q, or with G^T for the LOWER triangle."""
    if left[2] < 6 or right[2] < 6 or kind == ROLL:
        _add_loops(numbers, place, left, right, kind, dim, G, part)
    elif kind == CONE:
        column, row = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if part == UPPER:
            column = vector(numbers, G + 6)
        elif part == LOWER:
            row = vector(numbers, G + 6)
        _add_cone(numbers, place, left[0], left[1], right[0], right[1], G, column, row)
    else:
        for i in range(dim):
            if numbers[G + i] != 0.0:
                scaled_row = scaled(numbers[G + i], six(numbers, right[0] + right[1] * i))
                add_outer_row(numbers, place, left[0] + left[1] * i, scaled_row)


@packed_kernel
def _add_cone(numbers, target, left, left_stride, right, stride, G, column, row):
    """Target += P^T G Q with three rows each; `column` is added below the diagonal, `row` above."""
    a, b, c = six(numbers, right), six(numbers, right + stride), six(numbers, right + 2 * stride)
    nn, n1, n2, g11, g12, g22 = six(numbers, G)
    x = more(more(scaled(nn, a), n1 + row[0], b), n2 + row[1], c)
    y = more(more(scaled(n1 + column[0], a), g11, b), g12 + row[2], c)
    z = more(more(scaled(n2 + column[1], a), g12 + column[2], b), g22, c)
    add_outer(numbers, target, left, left_stride, x, y, z)


@kernel
def _entry(numbers, G, kind, dim, i, j, part):
    """G_ij of a block."""
    if kind == CONE:
        low, high = min(i, j), max(i, j)
        g = numbers[G + high + (low if low == 0 else low + 1)]
        return g + numbers[G + 5 + i + j] if i > j and part != NEITHER else g
    if kind == ROLL:
        return numbers[G + dim * i + j]
    return numbers[G + i] if i == j else 0.0


@kernel
def _add_loops(numbers, target, left, right, kind, dim, G, part):
    """Target += P^T G Q, of any shape."""
    for i in range(dim):
        for j in range(dim):
            row, column = (j, i) if part == LOWER else (i, j)
            g = _entry(numbers, G, kind, dim, row, column, part)
            if g != 0.0:
                for k in range(left[2]):
                    t = g * numbers[left[0] + left[1] * i + k]
                    if t != 0.0:
                        for l in range(right[2]):
                            q = numbers[right[0] + right[1] * j + l]
                            numbers[target + 6 * k + l] += t * q


@kernel
def factorise(integers, numbers, island):
    """H becomes its factor. False: H was not positive definite to rounding."""
    record, start = integers[ISLAND] + ISLAND_RECORD * island, integers[FACTOR]
    first, nodes, good = integers[record + FIRST_COLUMN], integers[NODES], True
    for k in range(first, first + integers[record + COLUMN_COUNT]):
        own = integers[COLUMN] + COLUMN_RECORD * k
        if not (factor(numbers, start + 36 * k) > 0.0):
            good = False
        count = integers[own + BELOW_COUNT]
        blocks = start + 36 * (nodes + integers[own + FIRST_BELOW])
        for n in range(count):
            below(numbers, blocks + 36 * n, start + 36 * k)
        target = integers[UPDATES] + integers[own + FIRST_UPDATE]
        for n in range(count):
            for m in range(n, count):
                place = start + 36 * integers[target]
                update(numbers, place, blocks + 36 * m, blocks + 36 * n)
                target += 1
    return good


@kernel
def factorise_both(integers, numbers, island):
    """H becomes the factors of H = L U. False: a diagonal block was singular."""
    record, start = integers[ISLAND] + ISLAND_RECORD * island, integers[FACTOR]
    first, nodes, good = integers[record + FIRST_COLUMN], integers[NODES], True
    shift = left_of(integers)
    for k in range(first, first + integers[record + COLUMN_COUNT]):
        own = integers[COLUMN] + COLUMN_RECORD * k
        if not (factor_both(numbers, start + 36 * k) > 1e-300):
            good = False
        count = integers[own + BELOW_COUNT]
        right = start + 36 * (nodes + integers[own + FIRST_BELOW])
        left = right + shift
        for n in range(count):
            below_lower(numbers, right + 36 * n, start + 36 * k)
            below_upper(numbers, left + 36 * n, start + 36 * k)
        target = integers[UPDATES] + integers[own + FIRST_UPDATE]
        for n in range(count):
            for m in range(n, count):
                place = start + 36 * integers[target]
                update(numbers, place, right + 36 * m, left + 36 * n)
                if m > n:
                    update(numbers, place + shift, left + 36 * m, right + 36 * n)
                target += 1
    return good


@kernel
def _gather(integers, numbers, first, end, x):
    """NODE_VECTOR, by places, from a vector over velocities."""
    y = integers[NODE_VECTOR]
    for k in range(first, end):
        node = integers[NODE] + NODE_RECORD * integers[integers[COLUMN] + COLUMN_RECORD * k]
        at, width = integers[node + NODE_START], integers[node + NODE_VELOCITIES]
        for i in range(6):
            numbers[y + 6 * k + i] = numbers[x + at + i] if i < width else 0.0


@kernel
def _scatter(integers, numbers, first, end, x):
    """A vector over velocities from NODE_VECTOR."""
    y = integers[NODE_VECTOR]
    for k in range(first, end):
        node = integers[NODE] + NODE_RECORD * integers[integers[COLUMN] + COLUMN_RECORD * k]
        at = integers[node + NODE_START]
        for i in range(integers[node + NODE_VELOCITIES]):
            numbers[x + at + i] = numbers[y + 6 * k + i]


@kernel
def solve_factored(integers, numbers, island, x):
    """x <- H^-1 x with the factors of `factorise`; x: offset of a vector over velocities."""
    _solve(integers, numbers, island, x, False)


@kernel
def solve_both(integers, numbers, island, x):
    """x <- H^-1 x with the factors of `factorise_both`."""
    _solve(integers, numbers, island, x, True)


@kernel
def _solve(integers, numbers, island, x, both):
    record, start = integers[ISLAND] + ISLAND_RECORD * island, integers[FACTOR]
    first, nodes, y = integers[record + FIRST_COLUMN], integers[NODES], integers[NODE_VECTOR]
    end = first + integers[record + COLUMN_COUNT]
    shift = left_of(integers) if both else 0
    _gather(integers, numbers, first, end, x)
    for k in range(first, end):
        own = integers[COLUMN] + COLUMN_RECORD * k
        t = six(numbers, y + 6 * k)
        if both:
            t = lower_times(numbers, start + 36 * k, t)
        else:
            t = times_block(numbers, start + 36 * k, t)
        put_six(numbers, y + 6 * k, t)
        entry = integers[own + FIRST_BELOW]
        for n in range(entry, entry + integers[own + BELOW_COUNT]):
            block = start + shift + 36 * (nodes + n)
            other = y + 6 * integers[integers[BELOW] + n]
            subtract_six(numbers, other, transposed_block(numbers, block, t))
    for k in range(end - 1, first - 1, -1):
        own = integers[COLUMN] + COLUMN_RECORD * k
        entry = integers[own + FIRST_BELOW]
        for n in range(entry, entry + integers[own + BELOW_COUNT]):
            row = six(numbers, y + 6 * integers[integers[BELOW] + n])
            subtract_six(numbers, y + 6 * k, times_block(numbers, start + 36 * (nodes + n), row))
        t = six(numbers, y + 6 * k)
        if both:
            t = upper_times(numbers, start + 36 * k, t)
        else:
            t = transposed_block(numbers, start + 36 * k, t)
        put_six(numbers, y + 6 * k, t)
    _scatter(integers, numbers, first, end, x)
