"""Proximal alternating direction method of multipliers (`admm`), with one factorisation reused.

The impulses appear twice: x obeys the equations of motion, z the laws; y, a velocity, pulls them
together. With the block's scale w, a penalty rho and a small eta, one iteration is

    (W + R + (rho + eta) w) x  =  rho w z + eta w x + y - (J v* + b) - s e_n
    z  <-  P_K(x - y / (rho w)),        y  <-  y - rho w (x - z),        s  <-  mu |u_t|

De Saxce's shift s makes the fixed point the exact law (Acary and Cadoux 2013; as ADMM: Carpentier,
Le Lidec, Montaut 2024). The matrix over rows is never formed: by Woodbury's identity

    H dv = J^T G r,    x = G (r - J dv),    H = A + J^T G J,    G = 1 / (R + (rho + eta) w),

with r the right-hand side, so that dependent rows do no harm. Bilateral rows have no z: there x
alone moves, with eta. rho changes by a factor of 3 when the distance of x from z and the motion of
z are more than 10 apart, looked at every tenth iteration, and only then H is factored anew.

Simple, and cheap for small islands with many right-hand sides; slow to many digits.
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
from dalembert.contact.cholesky import assemble, factorise, solve_factored
from dalembert.contact.kept import copy_rows, keep, take_back
from dalembert.contact.layout import (
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    BLOCK_WORK,
    BOX,
    CLIQUE,
    CLIQUE_RECORD,
    COMPLIANCE,
    CONE,
    CONVERGED,
    CURVATURE,
    DIM,
    EQ,
    FACTORISATIONS,
    FAILED,
    ISLAND,
    ISLAND_FILL,
    ISLAND_RECORD,
    ITERATIONS,
    JACOBIAN,
    KIND,
    LAM,
    LOWER,
    MOST_ROWS,
    MU,
    OPTIONS,
    OVERFLOW,
    ROLL,
    ROW,
    SIZE,
    STALLED,
    START,
    UPPER,
    V_FREE,
    W_ANGULAR,
    W,
)
from dalembert.contact.prepare import move
from dalembert.contact.projections import bounded, cone, roll
from dalembert.contact.report import velocity_work
from dalembert.contact.residuals import (
    SPARE_ROWS,
    U,
    block_velocity,
    friction_power,
    measure,
    row_work,
)
from dalembert.contact.symbolic import READY, symbolic
from dalembert.numerics.small import put_vector

PENALTY = 0
"""Place among OPTIONS of the first rho."""

FREE, X, Z, Y, RIGHT = 4, 5, 6, 7, 8
"""Row vectors: J v* + b; x, z, y; the right-hand side."""

DV = 2
"""Velocity vector."""

ETA = 1e-6
RATIO, FACTOR_OF_CHANGE, LOOK = 10.0, 3.0, 10
LEAST_PENALTY, LARGEST_PENALTY = 1e-8, 1e4


@kernel
def weight(numbers, own, kind, i):
    """w of a row."""
    return numbers[own + W_ANGULAR] if kind == ROLL and i >= 3 else numbers[own + W]


@kernel
def yielding(numbers, integers, own, kind, row, i, rho):
    """R + (rho + eta) w of a row, of which G is the reciprocal."""
    penalty = ETA if kind == EQ else rho + ETA
    return numbers[integers[COMPLIANCE] + row + i] + penalty * weight(numbers, own, kind, i)


@kernel
def factor_with(integers, numbers, island, rho):
    """H = A + J^T G J, factored."""
    first, count = island_blocks(integers, island)
    for k in range(count):
        block = integers[first + k]
        at, own = block_at(integers, block), integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
        kind, dim, row = integers[at + KIND], integers[at + DIM], integers[at + ROW]
        G = integers[CURVATURE] + MOST_ROWS * row
        if kind == CONE:
            a = 1.0 / yielding(numbers, integers, own, kind, row, 0, rho)
            b = 1.0 / yielding(numbers, integers, own, kind, row, 1, rho)
            c = 1.0 / yielding(numbers, integers, own, kind, row, 2, rho)
            put_vector(numbers, G, (a, 0.0, 0.0))
            put_vector(numbers, G + 3, (b, 0.0, c))
        elif kind == ROLL:
            for i in range(dim * dim):
                numbers[G + i] = 0.0
            for i in range(dim):
                c = yielding(numbers, integers, own, kind, row, i, rho)
                numbers[G + (dim + 1) * i] = 1.0 / c
        else:
            for i in range(dim):
                numbers[G + i] = 1.0 / yielding(numbers, integers, own, kind, row, i, rho)
    assemble(integers, numbers, island)
    factorise(integers, numbers, island)


@kernel
def begin_at(integers, numbers, island):
    """x = z = lam, y = u + R lam + s e_n, at the present v; U is known."""
    copy_rows(integers, numbers, island, integers[LAM], row_work(integers, X))
    copy_rows(integers, numbers, island, integers[LAM], row_work(integers, Z))
    first, count = island_blocks(integers, island)
    for k in range(count):
        block = integers[first + k]
        at, own = block_at(integers, block), integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
        kind, dim, row = integers[at + KIND], integers[at + DIM], integers[at + ROW]
        block_velocity(integers, numbers, at, integers[V_FREE], row_work(integers, FREE))
        u, y = row_work(integers, U) + row, row_work(integers, Y) + row
        for i in range(dim):
            R = numbers[integers[COMPLIANCE] + row + i]
            numbers[y + i] = numbers[u + i] + R * numbers[integers[LAM] + row + i]
            if kind == EQ:
                numbers[y + i] = 0.0
        shift = 0.0
        if kind >= CONE:
            soft = integers[COMPLIANCE] + row
            shift = friction_power(numbers, u, soft, integers[LAM] + row, dim, own)
        numbers[integers[BLOCK_WORK] + block] = shift
        numbers[y] += shift


@kernel
def obey_motion(integers, numbers, island, rho):
    """x from the equations of motion; U = J v + b there."""
    right, dv = row_work(integers, RIGHT), velocity_work(integers, DV)
    free, x = row_work(integers, FREE), row_work(integers, X)
    cliques, number = island_cliques(integers, island)
    for k in range(number):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[cliques + k]
        for i in range(integers[at + START], integers[at + START] + integers[at + SIZE]):
            numbers[dv + i] = 0.0
    first, count = island_blocks(integers, island)
    for k in range(count):
        block = integers[first + k]
        at, own = block_at(integers, block), integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
        kind, row = integers[at + KIND], integers[at + ROW]
        penalty = 0.0 if kind == EQ else rho
        for i in range(integers[at + DIM]):
            w = weight(numbers, own, kind, i)
            r = penalty * w * numbers[row_work(integers, Z) + row + i]
            r += ETA * w * numbers[x + row + i] + numbers[row_work(integers, Y) + row + i]
            r -= numbers[free + row + i]
            if i == 0 and kind >= CONE:
                r -= numbers[integers[BLOCK_WORK] + block]
            numbers[right + row + i] = r
            # G r, for J^T, stands in x: its old value has been used.
            numbers[x + row + i] = r / yielding(numbers, integers, own, kind, row, i, rho)
        block_add_transposed(integers, numbers, at, JACOBIAN, x, dv)
    solve_factored(integers, numbers, island, dv)
    u = row_work(integers, U)
    for k in range(count):
        block = integers[first + k]
        at, own = block_at(integers, block), integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
        kind, row = integers[at + KIND], integers[at + ROW]
        block_times(integers, numbers, at, JACOBIAN, dv, u)
        for i in range(integers[at + DIM]):
            c = yielding(numbers, integers, own, kind, row, i, rho)
            moved = numbers[u + row + i]
            numbers[x + row + i] = (numbers[right + row + i] - moved) / c
            numbers[u + row + i] = numbers[free + row + i] + moved


@kernel
def project(integers, numbers, block, at, own, rho):
    """SPARE_ROWS = P_K(x - y / (rho w)) of a block."""
    kind, dim, row = integers[at + KIND], integers[at + DIM], integers[at + ROW]
    spare = row_work(integers, SPARE_ROWS) + row
    x, y = row_work(integers, X) + row, row_work(integers, Y) + row
    for i in range(dim):
        c = rho * weight(numbers, own, kind, i)
        numbers[spare + i] = c * numbers[x + i] - numbers[y + i]
    c = rho * numbers[own + W]
    if kind == CONE:
        target = (numbers[spare], numbers[spare + 1], numbers[spare + 2])
        put_vector(numbers, spare, cone(target, c, c, numbers[own + MU]))
    elif kind == ROLL:
        q, m = rho * numbers[own + W_ANGULAR], own + MU
        mu = (numbers[m], numbers[m + 1], numbers[m + 2])
        roll(numbers, spare, dim, c, (c, q, q), mu, numbers, spare)
    else:
        for i in range(dim):
            lower, upper = 0.0, math.inf
            if kind == BOX:
                lower = numbers[integers[LOWER] + row + i]
                upper = numbers[integers[UPPER] + row + i]
            numbers[spare + i] = bounded(numbers[spare + i], c, lower, upper)


@kernel
def obey_laws(integers, numbers, island, rho):
    """z, y, s from x and U. Returns how far x is from z, and how far z moved, as velocities."""
    first, count = island_blocks(integers, island)
    apart, moved = 0.0, 0.0
    for k in range(count):
        block = integers[first + k]
        at, own = block_at(integers, block), integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
        kind, dim, row = integers[at + KIND], integers[at + DIM], integers[at + ROW]
        x, z = row_work(integers, X) + row, row_work(integers, Z) + row
        if kind == EQ:
            for i in range(dim):
                step = ETA * weight(numbers, own, kind, i) * (numbers[x + i] - numbers[z + i])
                moved = max(moved, abs(step))
                numbers[z + i] = numbers[x + i]
            continue
        project(integers, numbers, block, at, own, rho)
        spare = row_work(integers, SPARE_ROWS) + row
        a, b = 0.0, 0.0
        for i in range(dim):
            w = weight(numbers, own, kind, i)
            gap = w * (numbers[x + i] - numbers[spare + i])
            step = rho * w * (numbers[spare + i] - numbers[z + i])
            numbers[row_work(integers, Y) + row + i] -= rho * gap
            numbers[z + i] = numbers[spare + i]
            a += gap * gap
            b += step * step
        apart, moved = max(apart, math.sqrt(a)), max(moved, math.sqrt(b))
        if kind >= CONE:
            u, soft = row_work(integers, U) + row, integers[COMPLIANCE] + row
            s = friction_power(numbers, u, soft, x, dim, own)
            numbers[integers[BLOCK_WORK] + block] = s
    return apart, moved


@kernel
def admm(integers, numbers, island, tolerance, budget):
    """One island; `budget` iterations. Leaves the best (v, lam)."""
    if symbolic(integers, numbers) != READY:
        return OVERFLOW
    record = integers[ISLAND] + ISLAND_RECORD * island
    if integers[record + ISLAND_FILL] < 0:
        return FAILED
    best = measure(integers, numbers, island)
    keep(integers, numbers, island)
    begin_at(integers, numbers, island)
    rho, factored, done, factorisations = numbers[integers[OPTIONS] + PENALTY], 0.0, 0, 0
    while done < budget and not best <= tolerance:
        if rho != factored:
            factor_with(integers, numbers, island, rho)
            factored = rho
            factorisations += 1
        obey_motion(integers, numbers, island, rho)
        apart, moved = obey_laws(integers, numbers, island, rho)
        done += 1
        if max(apart, moved) <= tolerance or done % (2 * LOOK) == 0 or done == budget:
            copy_rows(integers, numbers, island, row_work(integers, Z), integers[LAM])
            move(integers, numbers, island)
            left = measure(integers, numbers, island)
            if left < best:
                best = left
                keep(integers, numbers, island)
        if done % LOOK == 0:
            if apart > RATIO * moved:
                rho = min(FACTOR_OF_CHANGE * rho, LARGEST_PENALTY)
            elif moved > RATIO * apart:
                rho = max(rho / FACTOR_OF_CHANGE, LEAST_PENALTY)
    take_back(integers, numbers, island)
    integers[record + ITERATIONS] = done
    integers[record + FACTORISATIONS] = factorisations
    return CONVERGED if best <= tolerance else STALLED
