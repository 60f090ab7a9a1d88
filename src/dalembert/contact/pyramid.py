"""The law of the friction pyramid, and what a solution leaves of it.

Signorini's law for the normal impulse; the tangent impulse dissipates most in the polygon
mu lam_n P (`contact.polygon`). Its natural map, in velocity units as that of the cone, is

    w | lam_n - max(0, lam_n - s_n / w),  lam_t - P_{mu lam_n P}(lam_t - s_t / w) |,  s = u + R lam.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.layout import (
    BLOCK,
    BLOCK_COUNT,
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    BLOCK_RECORD,
    CONE,
    DIM,
    EQ,
    FIRST_BLOCK,
    ISLAND,
    ISLAND_BLOCKS,
    ISLAND_RECORD,
    KIND,
    LAM,
    LENGTH,
    LOWER,
    MU,
    OPTIONS,
    ROLL,
    ROW,
    UNI,
    UPPER,
    W_ANGULAR,
    W,
)
from dalembert.contact.polygon import nearest_in_polygon
from dalembert.contact.row_motion import law_velocity

CORNERS = 0
"""Place among OPTIONS of the number of directions of the pyramid; `polygon.SQUARE` for a box."""


@kernel
def flat_pair(integers, numbers, block, row, w, edges, bound):
    """Square of w |lam - P(lam - s / w)| of two rows that share a polygon."""
    lam = integers[LAM] + integers[integers[BLOCK] + BLOCK_RECORD * block + ROW] + row
    x, y = numbers[lam], numbers[lam + 1]
    s = law_velocity(integers, numbers, block, row)
    t = law_velocity(integers, numbers, block, row + 1)
    px, py = nearest_in_polygon(edges, bound, x - s / w, y - t / w)
    return w * w * ((x - px) * (x - px) + (y - py) * (y - py))


@kernel
def clipped_row(integers, numbers, block, row, w, low, high):
    """w (lam - clip(lam - s / w)) of one row."""
    lam = numbers[integers[LAM] + integers[integers[BLOCK] + BLOCK_RECORD * block + ROW] + row]
    s = law_velocity(integers, numbers, block, row)
    return w * (lam - min(max(lam - s / w, low), high))


@kernel
def pyramid_block(integers, numbers, block, edges):
    """Natural map of one block, length included."""
    at = integers[BLOCK] + BLOCK_RECORD * block
    own = integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
    kind, dim, first = integers[at + KIND], integers[at + DIM], integers[at + ROW]
    w, length = numbers[own + W], numbers[own + LENGTH]
    total = 0.0
    if kind == CONE or kind == ROLL:
        bound = max(numbers[integers[LAM] + first], 0.0)
        r = clipped_row(integers, numbers, block, 0, w, 0.0, math.inf)
        total = r * r
        total += flat_pair(integers, numbers, block, 1, w, edges, numbers[own + MU] * bound)
        if kind == ROLL:
            turning, most = numbers[own + W_ANGULAR], numbers[own + MU + 1] * bound
            r = length * clipped_row(integers, numbers, block, 3, turning, -most, most)
            total += r * r
            if dim == 6:
                most = numbers[own + MU + 2] * bound
                pair = flat_pair(integers, numbers, block, 4, turning, edges, most)
                total += length * length * pair
            return math.sqrt(total)
    else:
        for i in range(dim):
            if kind == EQ:
                r = law_velocity(integers, numbers, block, i)
            elif kind == UNI:
                r = clipped_row(integers, numbers, block, i, w, 0.0, math.inf)
            else:
                low = numbers[integers[LOWER] + first + i]
                r = clipped_row(
                    integers, numbers, block, i, w, low, numbers[integers[UPPER] + first + i]
                )
            total += r * r
    return length * math.sqrt(total)


@kernel
def pyramid_residual(integers, numbers, island):
    """The largest natural map of an island's blocks, in m/s, with the pyramid of the options."""
    edges = int(numbers[integers[OPTIONS] + CORNERS])
    own = integers[ISLAND] + ISLAND_RECORD * island
    worst = 0.0
    for k in range(integers[own + BLOCK_COUNT]):
        block = integers[integers[ISLAND_BLOCKS] + integers[own + FIRST_BLOCK] + k]
        worst = max(worst, pyramid_block(integers, numbers, block, edges))
    return worst
