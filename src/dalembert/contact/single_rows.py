"""One row of a block at a time: its velocity, and the push of an impulse on it."""

from dalembert._jit import kernel
from dalembert.contact.layout import (
    BIAS,
    BLOCK,
    BLOCK_RECORD,
    CLIQUE_A,
    CLIQUE_B,
    COMPLIANCE,
    DELASSUS,
    DIM,
    JACOBIAN,
    JACOBIAN_A,
    JACOBIAN_B,
    LAM,
    MOST_ROWS,
    RESPONSE,
    ROW,
    V,
    clique_size,
    velocity_at,
)


@kernel
def half_velocity(integers, numbers, clique, start, row):
    """J_row v of one side."""
    total = 0.0
    if clique >= 0:
        size = clique_size(integers, clique)
        j, v = integers[JACOBIAN] + start + size * row, velocity_at(integers, V, clique)
        for k in range(size):
            total += numbers[j + k] * numbers[v + k]
    return total


@kernel
def row_velocity(integers, numbers, block, row):
    """u + R lam of one row of a block at the present v and lam."""
    at = integers[BLOCK] + BLOCK_RECORD * block
    own = integers[at + ROW] + row
    u = numbers[integers[BIAS] + own]
    u += numbers[integers[COMPLIANCE] + own] * numbers[integers[LAM] + own]
    u += half_velocity(integers, numbers, integers[at + CLIQUE_A], integers[at + JACOBIAN_A], row)
    u += half_velocity(integers, numbers, integers[at + CLIQUE_B], integers[at + JACOBIAN_B], row)
    return u


@kernel
def push_half(integers, numbers, clique, start, row, change):
    """v += (A^-1 J^T)_row change on one side."""
    if clique >= 0:
        size = clique_size(integers, clique)
        y, v = integers[RESPONSE] + start + size * row, velocity_at(integers, V, clique)
        for k in range(size):
            numbers[v + k] += numbers[y + k] * change


@kernel
def push_row(integers, numbers, block, row, change):
    """lam_row += change, and what v does."""
    at = integers[BLOCK] + BLOCK_RECORD * block
    numbers[integers[LAM] + integers[at + ROW] + row] += change
    a, b = integers[at + CLIQUE_A], integers[at + CLIQUE_B]
    push_half(integers, numbers, a, integers[at + JACOBIAN_A], row, change)
    push_half(integers, numbers, b, integers[at + JACOBIAN_B], row, change)


@kernel
def diagonal(integers, numbers, block, row, column):
    """Entry of J A^-1 J^T + R of a block."""
    at = integers[BLOCK] + BLOCK_RECORD * block
    first = integers[at + ROW]
    entry = numbers[integers[DELASSUS] + MOST_ROWS * first + integers[at + DIM] * row + column]
    if row == column:
        entry += numbers[integers[COMPLIANCE] + first + row]
    return entry
