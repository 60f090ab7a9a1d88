"""Augmented-Lagrangian Newton (`newton`): the rigid laws as the limit of proximal ones.

Around impulses lam, with weights r = p w and De Saxce's shift s = mu |u_t| held, the impulses

    gamma(u) = law(r lam - u - s e_n, r + R)                                (`contact.projections`)

are the gradient of a convex function of u, so that v is the minimiser of a convex function with

    gradient  A (v - v*) - J^T gamma,        generalised Hessian  H = A + J^T G J.

Newton's method with an exact line search finds it; then lam <- gamma, s <- mu |u_t|, and again. The
softness of the proximal laws goes as lam settles: what remains are the rigid ones. The method of
multipliers for contact: Alart and Curnier (1991); with a cone and a factorisation over velocities:
Castro et al. (2022), whose SAP is one subproblem with fixed R; Lee et al. (2025).

p adapts: a subproblem that was not solved gets a larger one, one that was solved and helped little
a smaller one. 1 / p amplifies what is left of a subproblem into lam: the best (v, lam) is kept, and
returned to after a failure.
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
    CONVERGED,
    CURVATURE,
    DIM,
    EQ,
    FACTORISATIONS,
    ISLAND,
    ISLAND_FILL,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_RECORD,
    ITERATIONS,
    JACOBIAN,
    KIND,
    LAM,
    LOWER,
    MATRIX,
    MATRIX_START,
    MOST_ROWS,
    MU,
    OVERFLOW,
    RESIDUAL,
    ROW,
    SIZE,
    STALLED,
    START,
    UPPER,
    V_FREE,
    W_ANGULAR,
    V,
    W,
)
from dalembert.contact.prepare import move
from dalembert.contact.projections import (
    bounded,
    bounded_curvature,
    cone_curvature,
    roll_curvature,
)
from dalembert.contact.report import velocity_work
from dalembert.contact.residuals import SPARE_ROWS, U, friction_power, measure, row_work
from dalembert.contact.symbolic import READY, symbolic
from dalembert.numerics.six import put_six
from dalembert.numerics.small import put_vector

GAMMA, DU, BEST_LAM = 1, 2, 3
"""Row vectors: answers of the proximal laws, J dv, the best impulses."""

GRADIENT, DV, BEST_V, INERTIA_DV = 2, 3, 4, 5
"""Velocity vectors."""

FIRST_P, LEAST_P, LARGEST_P = 1e-2, 1e-6, 1.0
INNER_STEPS, LINE_STEPS = 12, 25


@kernel
def laws(integers, numbers, island, p):
    """GAMMA and CURVATURE at U. Returns gamma . du."""
    first, count = island_blocks(integers, island)
    gamma, du = row_work(integers, GAMMA), row_work(integers, DU)
    total = 0.0
    for k in range(count):
        block = integers[first + k]
        at = block_at(integers, block)
        _law(integers, numbers, block, at, p)
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            total += numbers[gamma + i] * numbers[du + i]
    return total


@kernel
def _law(integers, numbers, block, at, p):
    kind, dim, row = integers[at + KIND], integers[at + DIM], integers[at + ROW]
    own = integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
    lam, R, u = integers[LAM] + row, integers[COMPLIANCE] + row, row_work(integers, U) + row
    gamma, G = row_work(integers, GAMMA) + row, integers[CURVATURE] + MOST_ROWS * row
    r = p * numbers[own + W]
    if kind == CONE:
        z = (
            r * numbers[lam] - numbers[u] - numbers[integers[BLOCK_WORK] + block],
            r * numbers[lam + 1] - numbers[u + 1],
            r * numbers[lam + 2] - numbers[u + 2],
        )
        mu = numbers[own + MU]
        answer, curvature = cone_curvature(z, r + numbers[R], r + numbers[R + 1], mu)
        put_vector(numbers, gamma, answer)
        put_six(numbers, G, curvature)
        numbers[G + 6], numbers[G + 7] = 0.0, 0.0
    elif kind < CONE:
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
        numbers[spare] -= numbers[integers[BLOCK_WORK] + block]
        rolling = q + numbers[R + 4] if dim > 4 else q
        c3 = (r + numbers[R + 1], q + numbers[R + 3], rolling)
        m = own + MU
        mu3 = (numbers[m], numbers[m + 1], numbers[m + 2])
        roll_curvature(numbers, spare, dim, r + numbers[R], c3, mu3, numbers, gamma, numbers, G)


@kernel
def _shifts(integers, numbers, island):
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
def _gradient(integers, numbers, island):
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
    largest = 0.0
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        start, size = integers[at + START], integers[at + SIZE]
        A = integers[MATRIX] + integers[at + MATRIX_START]
        for i in range(size):
            t = numbers[g + start + i]
            numbers[x + start + i] = t
            largest = max(largest, abs(t) / numbers[A + (size + 1) * i])
            numbers[g + start + i] = -t
    return largest


@kernel
def _slopes(integers, numbers, island):
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
    blocks, number = island_blocks(integers, island)
    du = row_work(integers, DU)
    for k in range(number):
        at = block_at(integers, integers[blocks + k])
        block_times(integers, numbers, at, JACOBIAN, dv, du)
    return linear, quadratic, slope


@kernel
def _advance(integers, numbers, island, step):
    """U += step DU."""
    first, count = island_blocks(integers, island)
    u, du = row_work(integers, U), row_work(integers, DU)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            numbers[u + i] += step * numbers[du + i]


@kernel
def _search(integers, numbers, island, p):
    """Step along DV to the minimum of the convex function; U and GAMMA follow. Returns it."""
    linear, quadratic, start = _slopes(integers, numbers, island)
    step, low, high, at_low, at_high = 1.0, 0.0, -1.0, start, 0.0
    now = 0.0
    for k in range(LINE_STEPS):
        _advance(integers, numbers, island, step - now)
        now = step
        f = linear + step * quadratic - laws(integers, numbers, island, p)
        if abs(f) <= 0.05 * abs(start) or (k == 0 and f < 0.0):
            break
        if f < 0.0:
            low, at_low = step, f
        else:
            high, at_high = step, f
        if k % 3 == 2:
            step = 0.5 * (low + high)
        else:
            step = low - (high - low) * at_low / (at_high - at_low)
        width = 0.05 * (high - low)
        step = min(max(step, low + width), high - width)
    first, count = island_cliques(integers, island)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        for i in range(integers[at + START], integers[at + START] + integers[at + SIZE]):
            numbers[integers[V] + i] += now * numbers[velocity_work(integers, DV) + i]
    return now


@kernel
def copy_rows(integers, numbers, island, source, target):
    """Copy a vector over rows, of one island."""
    first, count = island_blocks(integers, island)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            numbers[target + i] = numbers[source + i]


@kernel
def copy_velocities(integers, numbers, island, source, target):
    """Copy a vector over velocities, of one island."""
    first, count = island_cliques(integers, island)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        for i in range(integers[at + START], integers[at + START] + integers[at + SIZE]):
            numbers[target + i] = numbers[source + i]


@kernel
def keep(integers, numbers, island):
    """Keep (v, lam) as the best so far."""
    copy_rows(integers, numbers, island, integers[LAM], row_work(integers, BEST_LAM))
    copy_velocities(integers, numbers, island, integers[V], velocity_work(integers, BEST_V))


@kernel
def take_back(integers, numbers, island):
    """Return to the best (v, lam)."""
    copy_rows(integers, numbers, island, row_work(integers, BEST_LAM), integers[LAM])
    copy_velocities(integers, numbers, island, velocity_work(integers, BEST_V), integers[V])


@kernel
def newton(integers, numbers, island, tolerance, budget, residual):
    """From (v, lam), whose residual and U are known, at most `budget` factorisations.

    Leaves the best (v, lam) and returns its residual.
    """
    record = integers[ISLAND] + ISLAND_RECORD * island
    best, last, p, used = residual, residual, FIRST_P, 0
    keep(integers, numbers, island)
    _shifts(integers, numbers, island)
    while used < budget and not (best <= tolerance):
        target = max(0.05 * min(last, 0.1), 0.02 * tolerance)
        solved = False
        laws(integers, numbers, island, p)
        for inner in range(INNER_STEPS + 1):
            if _gradient(integers, numbers, island) <= target:
                solved = True
                break
            if inner == INNER_STEPS or used >= budget:
                break
            assemble(integers, numbers, island)
            factorise(integers, numbers, island)
            used += 1
            solve_factored(integers, numbers, island, velocity_work(integers, DV))
            _search(integers, numbers, island, p)
        copy_rows(integers, numbers, island, row_work(integers, GAMMA), integers[LAM])
        move(integers, numbers, island)
        residual = measure(integers, numbers, island)
        integers[record + ITERATIONS] += 1
        if residual < best:
            best = residual
            keep(integers, numbers, island)
        if not solved:
            p = min(10.0 * p, LARGEST_P)
        elif residual > 0.2 * last:
            p = max(0.1 * p, LEAST_P)
        if not solved and not (residual <= 10.0 * best):
            take_back(integers, numbers, island)
            residual = measure(integers, numbers, island)
        last = residual
        _shifts(integers, numbers, island)
    take_back(integers, numbers, island)
    integers[record + FACTORISATIONS] += used
    return best


@kernel
def newton_island(integers, numbers, island, tolerance, budget):
    """The solver `newton`: nothing but this."""
    if symbolic(integers, numbers) != READY:
        return OVERFLOW
    residual = measure(integers, numbers, island)
    if integers[integers[ISLAND] + ISLAND_RECORD * island + ISLAND_FILL] >= 0:
        residual = newton(integers, numbers, island, tolerance, budget, residual)
    numbers[integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island + RESIDUAL] = residual
    return CONVERGED if residual <= tolerance else STALLED
