"""One island as a full matrix over its rows: J A^-1 J^T + R, bilateral rows eliminated.

Row by row in `width` = rows + 1 columns; the last one is q = J v* + b. Rows stand block by block in
the order of the island.
"""

from dalembert._jit import kernel
from dalembert.contact.layout import (
    BIAS,
    BLOCK,
    BLOCK_COUNT,
    BLOCK_RECORD,
    CLIQUE_A,
    CLIQUE_B,
    COMPLIANCE,
    DIM,
    FIRST_BLOCK,
    ISLAND,
    ISLAND_BLOCKS,
    ISLAND_RECORD,
    JACOBIAN,
    JACOBIAN_A,
    JACOBIAN_B,
    RESPONSE,
    ROW,
    V_FREE,
    clique_size,
    velocity_at,
)

RANK = 1e-11
"""A bilateral row whose pivot is below this fraction of its own diagonal repeats others."""


@kernel
def record_at(integers, island, k):
    """Where the record of the k-th block of an island stands."""
    own = integers[ISLAND] + ISLAND_RECORD * island
    block = integers[integers[ISLAND_BLOCKS] + integers[own + FIRST_BLOCK] + k]
    return integers[BLOCK] + BLOCK_RECORD * block


@kernel
def blocks_of(integers, island):
    """Number of blocks of an island."""
    return integers[integers[ISLAND] + ISLAND_RECORD * island + BLOCK_COUNT]


@kernel
def add_half(integers, numbers, one, start_one, dim_one, start_two, dim_two, at, width, W):
    """W[at...] += J_one (A^-1 J_two^T) through a clique that both touch."""
    size = clique_size(integers, one)
    for i in range(dim_one):
        for j in range(dim_two):
            left = integers[JACOBIAN] + start_one + size * i
            right = integers[RESPONSE] + start_two + size * j
            total = 0.0
            for k in range(size):
                total += numbers[left + k] * numbers[right + k]
            W[at + width * i + j] += total


@kernel
def dense_delassus(integers, numbers, island, rows, width, W):
    """W = J A^-1 J^T + R of an island, row by row in `width` columns, q = J v* + b in the last."""
    for i in range(rows * width):
        W[i] = 0.0
    count = blocks_of(integers, island)
    row = 0
    for k in range(count):
        at = record_at(integers, island, k)
        dim = integers[at + DIM]
        column = 0
        for m in range(count):
            other_at = record_at(integers, island, m)
            other_dim = integers[other_at + DIM]
            place = row * width + column
            for s in range(4):
                slot, start = CLIQUE_A, JACOBIAN_A
                if s % 2 == 1:
                    slot, start = CLIQUE_B, JACOBIAN_B
                other_slot, other_start = CLIQUE_A, JACOBIAN_A
                if s >= 2:
                    other_slot, other_start = CLIQUE_B, JACOBIAN_B
                one = integers[at + slot]
                if one >= 0 and one == integers[other_at + other_slot]:
                    begin, other_begin = integers[at + start], integers[other_at + other_start]
                    add_half(
                        integers, numbers, one, begin, dim, other_begin, other_dim, place, width, W
                    )
            column += other_dim
        for i in range(dim):
            own = integers[at + ROW] + i
            W[(row + i) * width + row + i] += numbers[integers[COMPLIANCE] + own]
            q = numbers[integers[BIAS] + own]
            for s in range(2):
                slot, start = CLIQUE_A, JACOBIAN_A
                if s == 1:
                    slot, start = CLIQUE_B, JACOBIAN_B
                clique = integers[at + slot]
                if clique >= 0:
                    size = clique_size(integers, clique)
                    j = integers[JACOBIAN] + integers[at + start] + size * i
                    v = velocity_at(integers, V_FREE, clique)
                    for c in range(size):
                        q += numbers[j + c] * numbers[v + c]
            W[(row + i) * width + rows] += q
        row += dim


@kernel
def sweep(rows, width, W, k):
    """Exchange impulse and velocity of row k (the sweep operator of statistics)."""
    inverse = 1.0 / W[k * width + k]
    for j in range(width):
        W[k * width + j] *= inverse
    for i in range(rows):
        factor = W[i * width + k]
        if i != k and factor != 0.0:
            for j in range(width):
                W[i * width + j] -= factor * W[k * width + j]
            W[i * width + k] = -factor * inverse
    W[k * width + k] = inverse


@kernel
def eliminate(rows, width, W, bilateral, scale):
    """Solve the marked rows for their impulses, the largest pivot first; 2 marks those solved.

    scale[i] : the diagonal as it was. A row that others imply keeps the impulse 0.
    """
    for _ in range(rows):
        best, k = RANK, -1
        for i in range(rows):
            if bilateral[i] == 1.0 and W[i * width + i] > best * scale[i]:
                best, k = W[i * width + i] / scale[i], i
        if k < 0:
            break
        sweep(rows, width, W, k)
        bilateral[k] = 2.0
