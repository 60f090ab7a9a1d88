"""One row of a block at a time: its velocity, and what an impulse on it does.

u = J v + b,    s = u + R lam,    lam += x:  v += A^-1 J^T x
"""

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
    jacobian_a_at,
    jacobian_b_at,
    row_at,
    velocity_at,
)


@kernel
def row_times(p, x, block, row, field):
    """J times a vector over velocities, of a row of a block."""
    record = p[BLOCK] + BLOCK_RECORD * block
    total = 0.0
    for side in range(2):
        clique = p[record + CLIQUE_A + side]
        if clique >= 0:
            size = clique_size(p, clique)
            at = jacobian_a_at(p, block) if side == 0 else jacobian_b_at(p, block)
            start = velocity_at(p, field, clique)
            for k in range(size):
                total += x[at + size * row + k] * x[start + k]
    return total


@kernel
def row_velocity(p, x, block, row):
    """u = J v + b."""
    return x[row_at(p, BIAS, block) + row] + row_times(p, x, block, row, V)


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
def law_velocity(integers, numbers, block, row):
    """s = u + R lam of one row of a block, which its law is about."""
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
