"""The subproblem of `contact.newton`: answers of the blocks, what is left of the momentum, steps.

    gamma(u) = law(p w lam - u, p w + R),      A (v - v*) - J^T gamma(J v + b)

GAMMA and CURVATURE belong to the velocities U, which follow v along a step without new products.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.blocks import (
    block_add_transposed,
    block_at,
    block_times,
    island_blocks,
    island_cliques,
)
from dalembert.contact.cliques import times_clique
from dalembert.contact.layout import (
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    BLOCK_WORK,
    BOX,
    CLIQUE,
    CLIQUE_RECORD,
    COMPLIANCE,
    CONE,
    CURVATURE,
    DIM,
    EQ,
    JACOBIAN,
    KIND,
    LAM,
    LOWER,
    MATRIX,
    MATRIX_START,
    MOST_ROWS,
    MU,
    ROW,
    SIZE,
    START,
    UPPER,
    V_FREE,
    W_ANGULAR,
    V,
    W,
)
from dalembert.contact.projections import (
    bounded,
    bounded_curvature,
    cone_curvature,
    coulomb_curvature,
    roll_coulomb,
    roll_curvature,
)
from dalembert.contact.report import velocity_work
from dalembert.contact.residuals import SPARE_ROWS, U, friction_power, row_work
from dalembert.numerics.six import put_six
from dalembert.numerics.small import put_vector

GAMMA, DU = 1, 2
"""Row vectors: answers of the proximal laws, J dv."""

GRADIENT, DV, INERTIA_DV = 2, 3, 5
"""Velocity vectors: the gradient, minus it or the step, A times the step."""

SOFTNESS = 1e-8
"""Proximal weight of bilateral rows over w: their law has no kink that a small one could miss."""

LINE_STEPS = 25
"""Most evaluations of a line search."""


@kernel
def laws(integers, numbers, island, p, coupled):
    """GAMMA and CURVATURE at U. Returns gamma . du."""
    first, count = island_blocks(integers, island)
    gamma, du = row_work(integers, GAMMA), row_work(integers, DU)
    total = 0.0
    for k in range(count):
        block = integers[first + k]
        at = block_at(integers, block)
        block_law(integers, numbers, block, at, p, coupled)
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            total += numbers[gamma + i] * numbers[du + i]
    return total


@kernel
def block_law(integers, numbers, block, at, p, coupled):
    """GAMMA and CURVATURE of one block."""
    kind, dim, row = integers[at + KIND], integers[at + DIM], integers[at + ROW]
    own = integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
    lam, R, u = integers[LAM] + row, integers[COMPLIANCE] + row, row_work(integers, U) + row
    gamma, G = row_work(integers, GAMMA) + row, integers[CURVATURE] + MOST_ROWS * row
    r = p * numbers[own + W]
    if kind == CONE:
        x, y, z = numbers[lam], numbers[lam + 1], numbers[lam + 2]
        x = r * x - numbers[u]
        y, z = r * y - numbers[u + 1], r * z - numbers[u + 2]
        mu, c_n, c_t = numbers[own + MU], r + numbers[R], r + numbers[R + 1]
        if coupled:
            answer, curvature, beyond = coulomb_curvature((x, y, z), c_n, c_t, mu)
            numbers[G + 6], numbers[G + 7] = beyond
            numbers[G + 8] = 0.0
        else:
            shift = numbers[integers[BLOCK_WORK] + block]
            answer, curvature = cone_curvature((x - shift, y, z), c_n, c_t, mu)
        put_vector(numbers, gamma, answer)
        put_six(numbers, G, curvature)
    elif kind < CONE:
        if kind == EQ:
            r = min(r, SOFTNESS * numbers[own + W])
        for i in range(dim):
            c, z_i = r + numbers[R + i], r * numbers[lam + i] - numbers[u + i]
            lower, upper = -math.inf, math.inf
            if kind == BOX:
                lower = numbers[integers[LOWER] + row + i]
                upper = numbers[integers[UPPER] + row + i]
            elif kind != EQ:
                lower = 0.0
            numbers[gamma + i] = bounded(z_i, c, lower, upper)
            numbers[G + i] = bounded_curvature(z_i, c, lower, upper)
    else:
        spare, q = row_work(integers, SPARE_ROWS) + row, p * numbers[own + W_ANGULAR]
        for i in range(dim):
            weight = r if i < 3 else q
            numbers[spare + i] = weight * numbers[lam + i] - numbers[u + i]
        rolling = q + numbers[R + 4] if dim > 4 else q
        c3, c_n = (r + numbers[R + 1], q + numbers[R + 3], rolling), r + numbers[R]
        m = own + MU
        mu3 = (numbers[m], numbers[m + 1], numbers[m + 2])
        if coupled:
            roll_coulomb(numbers, spare, dim, c_n, c3, mu3, numbers, gamma, numbers, G)
        else:
            numbers[spare] -= numbers[integers[BLOCK_WORK] + block]
            roll_curvature(numbers, spare, dim, c_n, c3, mu3, numbers, gamma, numbers, G)


@kernel
def hold_shifts(integers, numbers, island):
    """s = mu |u_t + R lam_t| of every contact."""
    first, count = island_blocks(integers, island)
    for k in range(count):
        block = integers[first + k]
        at = block_at(integers, block)
        if integers[at + KIND] >= CONE:
            own = integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
            u = row_work(integers, U) + integers[at + ROW]
            R, lam = integers[COMPLIANCE] + integers[at + ROW], integers[LAM] + integers[at + ROW]
            s = friction_power(numbers, u, R, lam, integers[at + DIM], own)
            numbers[integers[BLOCK_WORK] + block] = s


@kernel
def gradient(integers, numbers, island):
    """GRADIENT = A (v - v*) - J^T gamma, from -GRADIENT in DV. Returns its size as a velocity."""
    g, x = velocity_work(integers, GRADIENT), velocity_work(integers, DV)
    first, count = island_cliques(integers, island)
    for k in range(count):
        clique = integers[first + k]
        at = integers[CLIQUE] + CLIQUE_RECORD * clique
        start = integers[at + START]
        for i in range(start, start + integers[at + SIZE]):
            numbers[x + i] = numbers[integers[V_FREE] + i] - numbers[integers[V] + i]
        times_clique(integers, numbers, clique, x + start, g + start)
    blocks, number = island_blocks(integers, island)
    gamma = row_work(integers, GAMMA)
    for k in range(number):
        at = block_at(integers, integers[blocks + k])
        block_add_transposed(integers, numbers, at, JACOBIAN, gamma, g)
    largest, total = 0.0, 0.0
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        start, size = integers[at + START], integers[at + SIZE]
        A = integers[MATRIX] + integers[at + MATRIX_START]
        for i in range(size):
            t = numbers[g + start + i]
            numbers[x + start + i] = t
            r = t / numbers[A + (size + 1) * i]
            largest = max(largest, abs(r))
            total += r * t
            numbers[g + start + i] = -t
    return largest, total


@kernel
def slopes(integers, numbers, island):
    """(dv . A (v - v*), dv . A dv, dv . gradient), and DU = J dv."""
    dv, y = velocity_work(integers, DV), velocity_work(integers, INERTIA_DV)
    first, count = island_cliques(integers, island)
    linear, quadratic, slope = 0.0, 0.0, 0.0
    for k in range(count):
        clique = integers[first + k]
        at = integers[CLIQUE] + CLIQUE_RECORD * clique
        start = integers[at + START]
        times_clique(integers, numbers, clique, dv + start, y + start)
        for i in range(start, start + integers[at + SIZE]):
            moved = numbers[integers[V] + i] - numbers[integers[V_FREE] + i]
            linear += numbers[y + i] * moved
            quadratic += numbers[y + i] * numbers[dv + i]
            slope += numbers[velocity_work(integers, GRADIENT) + i] * numbers[dv + i]
    changes(integers, numbers, island)
    return linear, quadratic, slope


@kernel
def changes(integers, numbers, island):
    """DU = J dv."""
    first, count = island_blocks(integers, island)
    dv, du = velocity_work(integers, DV), row_work(integers, DU)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        block_times(integers, numbers, at, JACOBIAN, dv, du)


@kernel
def advance(integers, numbers, island, x, step):
    """x += step DU, of an island's rows; x: place of a row vector."""
    first, count = island_blocks(integers, island)
    du = row_work(integers, DU)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            numbers[x + i] += step * numbers[du + i]


@kernel
def search(integers, numbers, island, p):
    """Step along DV to the minimum of the convex function; U and GAMMA follow. Returns it."""
    linear, quadratic, start = slopes(integers, numbers, island)
    step, low, high, at_low, at_high = 1.0, 0.0, -1.0, start, 0.0
    now = 0.0
    for k in range(LINE_STEPS):
        advance(integers, numbers, island, row_work(integers, U), step - now)
        now = step
        f = linear + step * quadratic - laws(integers, numbers, island, p, False)
        if abs(f) <= 0.05 * abs(start) or (k == 0 and f < 0.0):
            break
        if f < 0.0:
            low, at_low = step, f
        else:
            high, at_high = step, f
        step = between(k, low, high, at_low, at_high)
    add_velocities(integers, numbers, island, velocity_work(integers, DV), integers[V], now)
    return now


@kernel
def between(k, low, high, at_low, at_high):
    """Where to look next for the zero of a slope, negative at low: by a secant, or half way."""
    if k % 3 == 2:
        step = 0.5 * (low + high)
    else:
        step = low - (high - low) * at_low / (at_high - at_low)
    width = 0.05 * (high - low)
    return min(max(step, low + width), high - width)


@kernel
def add_velocities(integers, numbers, island, x, y, step):
    """y += step x, of an island's velocities."""
    first, count = island_cliques(integers, island)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        for i in range(integers[at + START], integers[at + START] + integers[at + SIZE]):
            numbers[y + i] += step * numbers[x + i]
