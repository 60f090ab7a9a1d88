"""Rows that yield are taken into A: for islands that are solved in contact space.

A servo, a damper or a spring is a row of one velocity with R > 0. As long as it is within its
bounds its law is linear, lam = -(J v + b) / R, and

    A' = A + J^T R^-1 J,      A' (v' - v*) = -J^T R^-1 (J v* + b)

are the inertia and the free velocity of an island without it. A' has the zeros of A, as each such
row adds to the diagonal alone. Whether the bounds were kept is seen afterwards (`unfold`).
"""

from dalembert._jit import kernel
from dalembert.contact.blocks import block_at, island_blocks, island_cliques
from dalembert.contact.cliques import factor_tree, from_root, solve_clique, to_root
from dalembert.contact.layout import (
    BIAS,
    BLOCK_WORK,
    BOX,
    CLIQUE,
    CLIQUE_A,
    CLIQUE_B,
    CLIQUE_RECORD,
    COMPLIANCE,
    DIM,
    EQ,
    FOLDED_START,
    JACOBIAN,
    JACOBIAN_A,
    KIND,
    LAM,
    LOWER,
    MATRIX,
    MATRIX_START,
    MOST_BLOCKS,
    ROW,
    SIZE,
    START,
    UPPER,
    V_FREE,
    V,
)
from dalembert.contact.report import velocity_work

FOLDED_FREE, DIAGONAL = 7, 8
"""Velocity vectors: v', the free velocity with these rows; A' - A."""


@kernel
def folded_at(integers, block):
    """Where it stands (in `numbers`) which velocity a folded row acts on, + 1; 0: not folded."""
    return integers[BLOCK_WORK] + integers[MOST_BLOCKS] + block


@kernel
def still_folded(integers, numbers, block):
    """Whether a block that was put off is folded: its impulse is within its bounds."""
    row = integers[block_at(integers, block) + ROW]
    lam = numbers[integers[LAM] + row]
    if numbers[integers[LOWER] + row] < lam and lam < numbers[integers[UPPER] + row]:
        return True
    numbers[folded_at(integers, block)] = 0.0
    return False


@kernel
def mark_folded(integers, numbers, block):
    """Whether a block is taken into A, and a note of it."""
    at, note = block_at(integers, block), folded_at(integers, block)
    numbers[note] = 0.0
    kind, row, clique = integers[at + KIND], integers[at + ROW], integers[at + CLIQUE_A]
    if integers[at + DIM] != 1 or clique < 0 or integers[at + CLIQUE_B] >= 0:
        return False
    if (kind != EQ and kind != BOX) or numbers[integers[COMPLIANCE] + row] <= 0.0:
        return False
    size = integers[integers[CLIQUE] + CLIQUE_RECORD * clique + SIZE]
    lam = numbers[integers[LAM] + row]
    if size == 6 or not (
        numbers[integers[LOWER] + row] < lam and lam < numbers[integers[UPPER] + row]
    ):
        return False
    j, found = integers[JACOBIAN] + integers[at + JACOBIAN_A], -1
    for k in range(size):
        if numbers[j + k] != 0.0:
            if found >= 0:
                return False
            found = k
    if found < 0:
        return False
    numbers[note] = found + 1.0
    return True


@kernel
def fold(integers, numbers, island, place):
    """L' of A' = L'^T L' from `place` on, and v'. Returns the end, or -1: not positive definite."""
    first, count = island_cliques(integers, island)
    free, more = velocity_work(integers, FOLDED_FREE), velocity_work(integers, DIAGONAL)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        size, start = integers[at + SIZE], integers[at + START]
        for i in range(start, start + size):
            numbers[free + i] = 0.0
            numbers[more + i] = 0.0
        if size != 6:
            integers[at + FOLDED_START] = place
            place += size * size
    blocks, number = island_blocks(integers, island)
    for k in range(number):
        block = integers[blocks + k]
        note = numbers[folded_at(integers, block)]
        if note > 0.0:
            at = block_at(integers, block)
            own = integers[CLIQUE] + CLIQUE_RECORD * integers[at + CLIQUE_A]
            i, row = int(note) - 1, integers[at + ROW]
            j = numbers[integers[JACOBIAN] + integers[at + JACOBIAN_A] + i]
            share = j / numbers[integers[COMPLIANCE] + row]
            i += integers[own + START]
            numbers[more + i] += share * j
            u = j * numbers[integers[V_FREE] + i] + numbers[integers[BIAS] + row]
            numbers[free + i] -= share * u
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        size, start, L = integers[at + SIZE], integers[at + START], integers[at + FOLDED_START]
        if size != 6:
            A = integers[MATRIX] + integers[at + MATRIX_START]
            if not factor_tree(numbers, integers, start, size, A, more + start, L):
                return -1
            to_root(integers, numbers, start, size, L, free + start)
            from_root(integers, numbers, start, size, L, free + start)
        for i in range(start, start + size):
            numbers[free + i] += numbers[integers[V_FREE] + i]
    return place


@kernel
def folded_solve(integers, numbers, clique, x):
    """x <- A'^-1 x of a clique."""
    at = integers[CLIQUE] + CLIQUE_RECORD * clique
    size, L = integers[at + SIZE], integers[at + FOLDED_START]
    if size == 6:
        solve_clique(integers, numbers, clique, x)
    else:
        to_root(integers, numbers, integers[at + START], size, L, x)
        from_root(integers, numbers, integers[at + START], size, L, x)


@kernel
def unfold(integers, numbers, island):
    """Impulses of the folded rows at v. False: one is beyond its bound, and v is no answer."""
    blocks, number = island_blocks(integers, island)
    within = True
    for k in range(number):
        block = integers[blocks + k]
        note = numbers[folded_at(integers, block)]
        if note > 0.0:
            at = block_at(integers, block)
            own = integers[CLIQUE] + CLIQUE_RECORD * integers[at + CLIQUE_A]
            i, row = int(note) - 1, integers[at + ROW]
            j = numbers[integers[JACOBIAN] + integers[at + JACOBIAN_A] + i]
            u = j * numbers[integers[V] + integers[own + START] + i] + numbers[integers[BIAS] + row]
            lam = -u / numbers[integers[COMPLIANCE] + row]
            # at a bound it is not folded again
            bound = min(max(lam, numbers[integers[LOWER] + row]), numbers[integers[UPPER] + row])
            within = within and bound == lam
            numbers[integers[LAM] + row] = bound
    return within
