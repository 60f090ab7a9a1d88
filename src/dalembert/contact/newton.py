"""Augmented-Lagrangian Newton (`newton`): the rigid laws as the limit of proximal ones.

Around impulses lam, with weights r = p w, every block answers the velocity u with an impulse

    gamma(u) = law(r lam - u, r + R),                                       (`contact.projections`)

and A (v - v*) - J^T gamma(J v + b) = 0 is solved for v by Newton's method with H = A + J^T G J,
G = -d gamma / du. Then lam <- gamma, and again: the softness goes as lam settles, and what remains
are the rigid laws. The method of multipliers for contact: Alart and Curnier (1991); with a cone and
a factorisation over velocities: Castro et al. (2022), whose SAP is one such problem with R fixed.

The law of a contact is taken in one of two ways.

* `_coupled`: Signorini's and Coulomb's laws themselves. H is not symmetric where contacts slide. It
  converges in a few steps, not always from afar: a step must reduce what is left of the momentum.
* `_convex`: the projection on the cone, with De Saxce's shift s = mu |u_t| held. Then gamma is the
  gradient of a convex function, and an exact line search goes down from anywhere. s follows after
  each subproblem, which converges slowly, or not at all, where mu^2 W_tt > W_nn and contacts slide.

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
from dalembert.contact.cholesky import (
    assemble,
    assemble_both,
    factorise,
    factorise_both,
    solve_both,
    solve_factored,
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
    ROLL,
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
    coulomb_curvature,
    roll_coulomb,
    roll_curvature,
)
from dalembert.contact.report import velocity_work
from dalembert.contact.residuals import SPARE_ROWS, U, friction_power, measure, row_work
from dalembert.contact.symbolic import READY, symbolic
from dalembert.numerics.six import put_six
from dalembert.numerics.small import put_vector

GAMMA, DU, BEST_LAM = 1, 2, 3
"""Row vectors: answers of the proximal laws, J dv, the best impulses."""

GRADIENT, DV, BEST_V, INERTIA_DV, STEP = 2, 3, 4, 5, 6
"""Velocity vectors."""

FIRST_P, NEAR_P, LEAST_P, LARGEST_P = 1e-1, 1e-2, 1e-6, 1.0
FAR = 1e-3
"""Residual [m/s] above which p starts at FIRST_P."""
COUPLED_STEPS, CONVEX_STEPS, LINE_STEPS, HALVINGS = 12, 25, 25, 5
PATIENCE = 4
"""Subproblems without progress after which contacts are taken in the other of the two ways."""

MOST_TURNS = 4
"""Turns without progress after which nothing is left to try."""


@kernel
def laws(integers, numbers, island, p, coupled):
    """GAMMA and CURVATURE at U. Returns gamma . du."""
    first, count = island_blocks(integers, island)
    gamma, du = row_work(integers, GAMMA), row_work(integers, DU)
    total = 0.0
    for k in range(count):
        block = integers[first + k]
        at = block_at(integers, block)
        _law(integers, numbers, block, at, p, coupled)
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            total += numbers[gamma + i] * numbers[du + i]
    return total


@kernel
def _law(integers, numbers, block, at, p, coupled):
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
        else:
            shift = numbers[integers[BLOCK_WORK] + block]
            answer, curvature = cone_curvature((x - shift, y, z), c_n, c_t, mu)
        put_vector(numbers, gamma, answer)
        put_six(numbers, G, curvature)
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
    _changes(integers, numbers, island)
    return linear, quadratic, slope


@kernel
def _changes(integers, numbers, island):
    """DU = J dv."""
    first, count = island_blocks(integers, island)
    dv, du = velocity_work(integers, DV), row_work(integers, DU)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        block_times(integers, numbers, at, JACOBIAN, dv, du)


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
        f = linear + step * quadratic - laws(integers, numbers, island, p, False)
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
    _shift(integers, numbers, island, velocity_work(integers, DV), integers[V], now)
    return now


@kernel
def _shift(integers, numbers, island, x, y, step):
    """y += step x, of an island's velocities."""
    first, count = island_cliques(integers, island)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        for i in range(integers[at + START], integers[at + START] + integers[at + SIZE]):
            numbers[y + i] += step * numbers[x + i]


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
def _slides(integers, numbers, island):
    """Whether G has entries beyond the symmetric ones."""
    first, count = island_blocks(integers, island)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        if integers[at + KIND] == CONE:
            G = integers[CURVATURE] + MOST_ROWS * integers[at + ROW]
            if numbers[G + 6] != 0.0 or numbers[G + 7] != 0.0:
                return True
        elif integers[at + KIND] == ROLL:
            G, dim = integers[CURVATURE] + MOST_ROWS * integers[at + ROW], integers[at + DIM]
            for i in range(1, dim):
                if numbers[G + dim * i] != 0.0:
                    return True
    return False


@kernel
def _convex(integers, numbers, island, p, target, most):
    """Newton's method for the convex subproblem. Returns (solved, factorisations)."""
    laws(integers, numbers, island, p, False)
    for used in range(most + 1):
        size, _ = _gradient(integers, numbers, island)
        if size <= target:
            return True, used
        if used == most:
            break
        assemble(integers, numbers, island)
        factorise(integers, numbers, island)
        solve_factored(integers, numbers, island, velocity_work(integers, DV))
        _search(integers, numbers, island, p)
    return False, most


@kernel
def _coupled(integers, numbers, island, p, target, most):
    """Newton's method for Coulomb's law itself around lam. Returns (solved, factorisations).

    There is no function to go down on: a step must reduce A^-1-weighted squares of what is left of
    the momentum, and is halved otherwise.
    """
    v, step = integers[V], velocity_work(integers, STEP)
    laws(integers, numbers, island, p, True)
    size, merit = _gradient(integers, numbers, island)
    bad = 0
    for used in range(most):
        if size <= target:
            return True, used
        if _slides(integers, numbers, island):
            assemble_both(integers, numbers, island)
            factorise_both(integers, numbers, island)
            solve_both(integers, numbers, island, velocity_work(integers, DV))
        else:
            assemble(integers, numbers, island)
            factorise(integers, numbers, island)
            solve_factored(integers, numbers, island, velocity_work(integers, DV))
        copy_velocities(integers, numbers, island, velocity_work(integers, DV), step)
        _changes(integers, numbers, island)
        now, length, new = 0.0, 1.0, merit
        for _ in range(HALVINGS):
            _advance(integers, numbers, island, length - now)
            _shift(integers, numbers, island, step, v, length - now)
            now = length
            laws(integers, numbers, island, p, True)
            size, new = _gradient(integers, numbers, island)
            if new < merit:
                break
            length *= 0.5
        if not (new < 0.9 * merit):
            bad += 1
            if bad > 2 or not (new < math.inf):
                return False, used + 1
        merit = new
    return size <= target, most


@kernel
def newton(integers, numbers, island, tolerance, budget, residual):
    """From (v, lam), whose residual and U are known, at most `budget` factorisations.

    Leaves the best (v, lam) and returns its residual.
    """
    record = integers[ISLAND] + ISLAND_RECORD * island
    p = FIRST_P if residual > FAR else NEAR_P
    best, last, coupled = residual, residual, True
    used, rounds, idle, turns = 0, 0, 0, 0
    keep(integers, numbers, island)
    _shifts(integers, numbers, island)
    # A subproblem can be solved without a factorisation: both are counted.
    while used < budget and rounds < budget and not (best <= tolerance):
        rounds += 1
        target = max(0.05 * min(last, 0.1), 0.02 * tolerance)
        if coupled:
            most = min(COUPLED_STEPS, budget - used)
            solved, more = _coupled(integers, numbers, island, p, target, most)
        else:
            most = min(CONVEX_STEPS, budget - used)
            solved, more = _convex(integers, numbers, island, p, target, most)
        used += more
        copy_rows(integers, numbers, island, row_work(integers, GAMMA), integers[LAM])
        move(integers, numbers, island)
        residual = measure(integers, numbers, island)
        integers[record + ITERATIONS] += 1
        idle += 1
        if residual < 0.7 * best:
            idle, turns = 0, 0
        if residual < best:
            best = residual
            keep(integers, numbers, island)
        if not solved:
            p = min(10.0 * p, LARGEST_P)
        elif residual > 0.2 * last:
            p = max(0.1 * p, LEAST_P)
        if idle == PATIENCE:
            coupled, idle, turns = not coupled, 0, turns + 1
            if turns == MOST_TURNS:
                break
        if (idle == 0 or not solved) and not (residual <= 10.0 * best):
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
