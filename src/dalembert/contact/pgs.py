"""Projected Gauss-Seidel on K = J A^-1 J^T, as lectures and games have it.

One sweep: first every bilateral row, then contacts, limits and motors, each row by itself,

    lam_i <- P(lam_i - (u_i + R_i lam_i) / (K_ii + R_i)),     u = J v + b,     v = v* + A^-1 J^T lam

with the newest values of all others, P clamping to [0, inf), [lo, hi] or nothing. K is not formed:
v carries it. The lecture's listing [B] 9 differs in three signs and indices that keep it from
converging (errata B5 to B7).

Friction has a variable beta whose row in the lecture's matrix has a **zero on the diagonal**, by
which Gauss-Seidel would divide. beta is therefore eliminated: after its normal row a contact's
tangent impulse is the one of most dissipation in the polygon mu lam_n P (`contact.polygon`). With
`SQUARE` each tangent row is clamped to +-mu lam_n by itself, the box variant.

The sweeps stop when no row moved by more than the tolerance, in velocity, and the residual of the
pyramid's law agrees. Stacks and large mass ratios need very many sweeps.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.layout import (
    BLOCK,
    BLOCK_COUNT,
    BLOCK_RECORD,
    BOX,
    CONE,
    CONVERGED,
    DIM,
    EQ,
    FIRST_BLOCK,
    ISLAND,
    ISLAND_BLOCKS,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_RECORD,
    ITERATIONS,
    KIND,
    LAM,
    LOWER,
    OPTIONS,
    OWN_RESIDUAL,
    ROLL,
    ROW,
    STALLED,
    SWEEPS,
    UPPER,
    mu_at,
)
from dalembert.contact.polygon import SQUARE, least_in_polygon
from dalembert.contact.prepare import move
from dalembert.contact.pyramid import CORNERS, pyramid_residual
from dalembert.contact.row_motion import diagonal, law_velocity, push_row

NEARLY_SINGULAR = 1e-12
"""Added to a tangent block, relative to its trace; the fixed point does not feel it."""


@kernel
def relax_row(integers, numbers, block, row, low, high):
    """One row, clamped. Returns how far it moved, as a velocity."""
    stiffness = diagonal(integers, numbers, block, row, row)
    if not stiffness > 0.0:
        return 0.0
    lam = numbers[integers[LAM] + integers[integers[BLOCK] + BLOCK_RECORD * block + ROW] + row]
    new = lam - law_velocity(integers, numbers, block, row) / stiffness
    change = min(max(new, low), high) - lam
    if change != 0.0:
        push_row(integers, numbers, block, row, change)
    return stiffness * abs(change)


@kernel
def relax_pair(integers, numbers, block, row, edges, bound):
    """Two rows that share a polygon of this radius."""
    if edges == SQUARE:
        moved = relax_row(integers, numbers, block, row, -bound, bound)
        return max(moved, relax_row(integers, numbers, block, row + 1, -bound, bound))
    b11 = diagonal(integers, numbers, block, row, row)
    b12 = diagonal(integers, numbers, block, row, row + 1)
    b22 = diagonal(integers, numbers, block, row + 1, row + 1)
    trace = b11 + b22
    if not trace > 0.0:
        return 0.0
    b11 += NEARLY_SINGULAR * trace
    b22 += NEARLY_SINGULAR * trace
    lam = integers[LAM] + integers[integers[BLOCK] + BLOCK_RECORD * block + ROW] + row
    x, y = numbers[lam], numbers[lam + 1]
    c1 = law_velocity(integers, numbers, block, row) - b11 * x - b12 * y
    c2 = law_velocity(integers, numbers, block, row + 1) - b12 * x - b22 * y
    px, py = least_in_polygon(edges, bound, b11, b12, b22, c1, c2)
    push_row(integers, numbers, block, row, px - x)
    push_row(integers, numbers, block, row + 1, py - y)
    return trace * max(abs(px - x), abs(py - y))


@kernel
def relax_contact(integers, numbers, block, edges):
    """The normal row, then friction with the new normal impulse."""
    at = integers[BLOCK] + BLOCK_RECORD * block
    normal, mu = integers[LAM] + integers[at + ROW], mu_at(integers, block)
    moved = relax_row(integers, numbers, block, 0, 0.0, math.inf)
    push = numbers[normal]
    pair = relax_pair(integers, numbers, block, 1, edges, numbers[mu] * push)
    moved = max(moved, pair)
    if integers[at + KIND] == ROLL:
        most = numbers[mu + 1] * push
        moved = max(moved, relax_row(integers, numbers, block, 3, -most, most))
        if integers[at + DIM] == 6:
            pair = relax_pair(integers, numbers, block, 4, edges, numbers[mu + 2] * push)
            moved = max(moved, pair)
    return moved


@kernel
def relax_block(integers, numbers, block, edges):
    """One block. Returns how far its rows moved."""
    at = integers[BLOCK] + BLOCK_RECORD * block
    kind, first = integers[at + KIND], integers[at + ROW]
    if kind == CONE or kind == ROLL:
        return relax_contact(integers, numbers, block, edges)
    moved = 0.0
    for i in range(integers[at + DIM]):
        low, high = -math.inf, math.inf
        if kind == BOX:
            low, high = numbers[integers[LOWER] + first + i], numbers[integers[UPPER] + first + i]
        elif kind != EQ:
            low = 0.0
        moved = max(moved, relax_row(integers, numbers, block, i, low, high))
    return moved


@kernel
def pgs(integers, numbers, island, tolerance, budget):
    """One island; `budget` sweeps."""
    edges = int(numbers[integers[OPTIONS] + CORNERS])
    own = integers[ISLAND] + ISLAND_RECORD * island
    first, count = (
        integers[ISLAND_BLOCKS] + integers[own + FIRST_BLOCK],
        integers[own + BLOCK_COUNT],
    )
    left = pyramid_residual(integers, numbers, island)
    sweeps = 0
    while left > tolerance and sweeps < budget:
        moved = 0.0
        for bilateral in range(2):
            for k in range(count):
                block = integers[first + k]
                kind = integers[integers[BLOCK] + BLOCK_RECORD * block + KIND]
                if (kind == EQ) == (bilateral == 0):
                    moved = max(moved, relax_block(integers, numbers, block, edges))
        sweeps += 1
        if not moved > tolerance or sweeps == budget:
            move(integers, numbers, island)  # without what many small pushes have rounded away
            left = pyramid_residual(integers, numbers, island)
    integers[own + SWEEPS] = sweeps
    integers[own + ITERATIONS] = sweeps
    numbers[integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island + OWN_RESIDUAL] = left
    return CONVERGED if left <= tolerance else STALLED
