"""How far an answer is from the laws: the natural map in m/s, and what else is reported.

    r_i = length w | lam - P_K(lam - (u + R lam + Gamma) / w) |,    for EQ |u + R lam| length

It is zero if and only if the law of the block holds exactly. Gamma is De Saxce's term, for CONE and
ROLL the largest power friction can have per unit of normal impulse, (mu |s_t| + ..., 0, ...) with
the sliding s = u + R lam.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.blocks import block_at, block_times, island_blocks
from dalembert.contact.layout import (
    BIAS,
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    BOX,
    COMPLIANCE,
    CONE,
    DIM,
    EQ,
    JACOBIAN,
    KIND,
    LAM,
    LENGTH,
    LOWER,
    MOST_TOTAL_ROWS,
    MU,
    ROW,
    ROW_WORK,
    UPPER,
    W_ANGULAR,
    V,
    W,
)
from dalembert.contact.projections import bounded, cone, roll

U, SPARE_ROWS = 0, 15
"""Row vectors: the velocities u; one to calculate with."""


@kernel
def row_work(integers, k):
    """Where the k-th row vector starts in `numbers`."""
    return integers[ROW_WORK] + k * integers[MOST_TOTAL_ROWS]


@kernel
def block_velocity(integers, numbers, at, x, u):
    """u = J x + b of a block; x, u: offsets of vectors over velocities and rows."""
    block_times(integers, numbers, at, JACOBIAN, x, u)
    row = integers[at + ROW]
    for i in range(row, row + integers[at + DIM]):
        numbers[u + i] += numbers[integers[BIAS] + i]


@kernel
def friction_power(numbers, u, R, lam, dim, own):
    """De Saxce's term of a CONE or ROLL; u, R, lam at offsets of its first row.

    Sliding is s = u + R lam: of a compliant tangent u alone contains the stretching of its spring.
    """
    x = numbers[u + 1] + numbers[R + 1] * numbers[lam + 1]
    y = numbers[u + 2] + numbers[R + 2] * numbers[lam + 2]
    t = numbers[own + MU] * math.sqrt(x * x + y * y)
    if dim > 3:
        t += numbers[own + MU + 1] * abs(numbers[u + 3] + numbers[R + 3] * numbers[lam + 3])
    if dim > 4:
        x = numbers[u + 4] + numbers[R + 4] * numbers[lam + 4]
        y = numbers[u + 5] + numbers[R + 5] * numbers[lam + 5]
        t += numbers[own + MU + 2] * math.sqrt(x * x + y * y)
    return t


@kernel
def natural_map(integers, numbers, block, u, lam):
    """Residual of a block [m/s]; u, lam: offsets of vectors over rows."""
    at, own = block_at(integers, block), integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
    kind, dim, row = integers[at + KIND], integers[at + DIM], integers[at + ROW]
    w, length = numbers[own + W], numbers[own + LENGTH]
    R = integers[COMPLIANCE] + row
    u, lam = u + row, lam + row
    if kind == CONE:
        shift = friction_power(numbers, u, R, lam, 3, own)
        a, b, c = numbers[lam], numbers[lam + 1], numbers[lam + 2]
        y = (
            w * a - (numbers[u] + numbers[R] * a + shift),
            w * b - (numbers[u + 1] + numbers[R + 1] * b),
            w * c - (numbers[u + 2] + numbers[R + 2] * c),
        )
        g = cone(y, w, w, numbers[own + MU])
        a, b, c = a - g[0], b - g[1], c - g[2]
        return length * w * math.sqrt(a * a + b * b + c * c)
    t = 0.0
    if kind < CONE:
        for i in range(dim):
            s = numbers[u + i] + numbers[R + i] * numbers[lam + i]
            # w = 0: a row within its bounds that has been put off (`contact.prepare`)
            if kind != EQ and w > 0.0:
                lower = numbers[integers[LOWER] + row + i] if kind == BOX else 0.0
                upper = numbers[integers[UPPER] + row + i] if kind == BOX else math.inf
                z = w * numbers[lam + i] - s
                s = w * (numbers[lam + i] - bounded(z, w, lower, upper))
            t += s * s
        return length * math.sqrt(t)
    spare = row_work(integers, SPARE_ROWS) + row
    angular = numbers[own + W_ANGULAR]
    shift = friction_power(numbers, u, R, lam, dim, own)
    for i in range(dim):
        c = w if i < 3 else angular
        z = c * numbers[lam + i] - (numbers[u + i] + numbers[R + i] * numbers[lam + i])
        numbers[spare + i] = z - shift if i == 0 else z
    m = own + MU
    mu = (numbers[m], numbers[m + 1], numbers[m + 2])
    roll(numbers, spare, dim, w, (w, angular, angular), mu, numbers, spare)
    for i in range(dim):
        s = numbers[lam + i] - numbers[spare + i]
        s *= w if i < 3 else angular * length
        t += s * s
    return math.sqrt(t)


@kernel
def island_residual(integers, numbers, island, u, lam):
    """Largest residual of an island's blocks. NaN anywhere gives infinity."""
    first, count = island_blocks(integers, island)
    worst = 0.0
    for k in range(count):
        r = natural_map(integers, numbers, integers[first + k], u, lam)
        if not (r <= worst):
            worst = r if r > worst else math.inf
    return worst


@kernel
def island_velocities(integers, numbers, island, u):
    """u = J v + b of an island's blocks."""
    first, count = island_blocks(integers, island)
    for k in range(count):
        block_velocity(integers, numbers, block_at(integers, integers[first + k]), integers[V], u)


@kernel
def measure(integers, numbers, island):
    """Fill U and return the residual of LAM and V."""
    u = row_work(integers, U)
    island_velocities(integers, numbers, island, u)
    return island_residual(integers, numbers, island, u, integers[LAM])
