"""Writing a contact problem into its arrays (`contact.layout`), in compiled code or not.

    begin(integers)                                          # empty; keeps capacities
    clique = add_clique(integers, size)                      # < 0: full, return OVERFLOW
        at = matrix_at(integers, clique)                     # numbers[at + size * i + j] = A_ij
        at = velocity_at(integers, V_FREE, clique)           # numbers[at + i] = v*_i
    block = add_block(integers, numbers, kind, dim, a, b)    # < 0: full, return OVERFLOW
        at = jacobian_a_at(integers, block)                  # numbers[at + size(a) * row + j]
        at = jacobian_b_at(integers, block)
        at = row_at(integers, BIAS, block)                   # numbers[at + row]
        at = mu_at(integers, block)                          # numbers[at : at + 3]
        set_key(integers, block, first, second)

Every clique is added before the first block. `add_block` fills everything but J with its default:
bias, R, mu, lam0 0, lo -inf, hi inf, length 1, key (0, 0). J must be written in full.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.layout import (
    BIAS,
    BLOCK,
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    BLOCK_RECORD,
    BLOCKS,
    CLIQUE,
    CLIQUE_A,
    CLIQUE_B,
    CLIQUE_RECORD,
    CLIQUES,
    COMPLIANCE,
    DIM,
    FACTORED,
    FULL,
    JACOBIAN_A,
    JACOBIAN_B,
    JACOBIAN_FLOATS,
    KEY,
    KEY_2,
    KIND,
    LAM0,
    LENGTH,
    LOWER,
    MATRIX_FLOATS,
    MATRIX_START,
    MOST_BLOCKS,
    MOST_CLIQUES,
    MOST_JACOBIAN,
    MOST_MATRIX,
    MOST_TOTAL_ROWS,
    MOST_VELOCITIES,
    OPEN,
    OVERFLOW,
    PARENT,
    ROW,
    ROWS,
    SIZE,
    START,
    STATE,
    UPPER,
    VELOCITIES,
    clique_size,
)


@kernel
def begin(integers):
    """No cliques and no blocks."""
    for slot in range(FULL):
        integers[slot] = 0
    integers[FACTORED] = 0


@kernel
def add_clique(integers, size):
    """Its index, or OVERFLOW. The caller writes A and v*."""
    clique, start = integers[CLIQUES], integers[VELOCITIES]
    matrix = integers[MATRIX_FLOATS]
    if clique >= integers[MOST_CLIQUES]:
        integers[FULL] = MOST_CLIQUES
        return OVERFLOW
    if start + size > integers[MOST_VELOCITIES]:
        integers[FULL] = MOST_VELOCITIES
        return OVERFLOW
    if matrix + size * size > integers[MOST_MATRIX]:
        integers[FULL] = MOST_MATRIX
        return OVERFLOW
    at = integers[CLIQUE] + CLIQUE_RECORD * clique
    integers[at + SIZE], integers[at + START], integers[at + MATRIX_START] = size, start, matrix
    for i in range(size):
        integers[integers[PARENT] + start + i] = i - 1
    integers[CLIQUES] = clique + 1
    integers[VELOCITIES] = start + size
    integers[MATRIX_FLOATS] = matrix + size * size
    return clique


@kernel
def add_block(integers, numbers, kind, dim, a, b):
    """Its index, or OVERFLOW. Everything but J gets its default."""
    block, row, floats = integers[BLOCKS], integers[ROWS], integers[JACOBIAN_FLOATS]
    size_a, size_b = clique_size(integers, a), clique_size(integers, b)
    if block >= integers[MOST_BLOCKS]:
        integers[FULL] = MOST_BLOCKS
        return OVERFLOW
    if row + dim > integers[MOST_TOTAL_ROWS]:
        integers[FULL] = MOST_TOTAL_ROWS
        return OVERFLOW
    if floats + dim * (size_a + size_b) > integers[MOST_JACOBIAN]:
        integers[FULL] = MOST_JACOBIAN
        return OVERFLOW
    at = integers[BLOCK] + BLOCK_RECORD * block
    integers[at + KIND], integers[at + DIM], integers[at + ROW] = kind, dim, row
    integers[at + CLIQUE_A], integers[at + CLIQUE_B] = a, b
    integers[at + JACOBIAN_A], integers[at + JACOBIAN_B] = floats, floats + dim * size_a
    integers[at + KEY], integers[at + KEY_2], integers[at + STATE] = 0, 0, OPEN
    for i in range(row, row + dim):
        numbers[integers[BIAS] + i] = 0.0
        numbers[integers[COMPLIANCE] + i] = 0.0
        numbers[integers[LOWER] + i] = -math.inf
        numbers[integers[UPPER] + i] = math.inf
        numbers[integers[LAM0] + i] = 0.0
    own = integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
    for i in range(BLOCK_FLOATS):
        numbers[own + i] = 0.0
    numbers[own + LENGTH] = 1.0
    integers[BLOCKS] = block + 1
    integers[ROWS] = row + dim
    integers[JACOBIAN_FLOATS] = floats + dim * (size_a + size_b)
    return block


@kernel
def set_key(integers, block, first, second):
    """The lasting identity of a block: (pair of shapes, pair of features)."""
    at = integers[BLOCK] + BLOCK_RECORD * block
    integers[at + KEY], integers[at + KEY_2] = first, second
