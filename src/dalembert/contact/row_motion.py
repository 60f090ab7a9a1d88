"""Velocities of single rows of the problem of a step."""

from dalembert._jit import kernel
from dalembert.contact.layout import (
    BIAS,
    BLOCK,
    BLOCK_RECORD,
    CLIQUE_A,
    V_FREE,
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
def mean_velocity(p, x, block, row):
    """J (v* + v+) / 2."""
    return 0.5 * (row_times(p, x, block, row, V) + row_times(p, x, block, row, V_FREE))
