"""Interior point method for contact with friction: through the middle of the cones to the answer.

Impulses and sliding are kept strictly inside their cones, and complementarity is relaxed to a
multiple of the identity that goes to zero:

    A (v - v*) = J^T lam,    y = T (J v + b + R lam),    lam o y = tau e      (`contact.lorentz`)

T = [1, mu t^T; 0, 1], t the direction of sliding, makes y_n = u_n + mu |u_t|: De Saxce's form of
Coulomb's law (Acary, Armand, Nguyen, Shpakovych 2023). Newton's step of it, with the scaling of
Nesterov and Todd, predictor and corrector of Mehrotra (1992):

    (A + J^T G J) dv = -(A (v - v*) - J^T (lam + K k)),    dlam = K k - G J dv
    S = P^-1 W^-2 P^-1,   G = (S^-1 + T R)^-1 T,   K = (S^-1 + T R)^-1 S^-1,   P = diag(mu, 1, 1)

so that the matrix is the H of `contact.cholesky`. BOX and UNI have a dual for each of their bounds,
EQ the law R lam + u = 0 with a vanishing softness. The iteration needs no good start and counts
about ten steps, whatever the island is; where several distributions of impulses serve, it finds one
in the middle of them, from where `contact.newton` gains the last digits in a step or two.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.blocks import (
    block_add_transposed,
    block_at,
    island_blocks,
    island_cliques,
)
from dalembert.contact.cholesky import assemble_both, factorise_both, solve_both
from dalembert.contact.cliques import times_clique
from dalembert.contact.interior_rows import (
    DLAM,
    DY,
    DY_UPPER,
    Y_UPPER,
    Y,
    answer,
    begin,
    bounded_aim,
    bounded_curvature,
    bounded_duals,
    bounds,
    cone_of,
    is_cone,
    shifted,
    softened,
    softness,
    stiffness,
)
from dalembert.contact.kept import copy_velocities, keep, take_back
from dalembert.contact.layout import (
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    CLIQUE,
    CLIQUE_RECORD,
    CONE,
    CURVATURE,
    DIM,
    FACTORISATIONS,
    ISLAND,
    ISLAND_RECORD,
    ITERATIONS,
    JACOBIAN,
    KIND,
    LAM,
    MOST_ROWS,
    MU,
    ROLL,
    ROW,
    SIZE,
    V_FREE,
    V,
)
from dalembert.contact.layout import START as FIRST_VELOCITY
from dalembert.contact.lorentz import (
    circle,
    divided,
    scaled_by,
    scaling,
    square_of,
    turned_back,
    way_out,
)
from dalembert.contact.prepare import move
from dalembert.contact.proximal import (
    DU,
    DV,
    GAMMA,
    GRADIENT,
    add_velocities,
    changes,
    gradient,
)
from dalembert.contact.report import velocity_work
from dalembert.contact.residuals import measure, row_work
from dalembert.numerics.small import (
    add,
    product,
    put_vector,
    scale,
    sub,
    times,
    vector,
)

LEFT_OVER = 7
"""Velocity vector: what is left of the equation of a step."""

MOST_STEPS, SHORTEST, PATIENCE = 30, 1e-4, 3
"""Most steps; steps that are too short, and how many of them, or without progress, end it."""

BACK = 0.99
"""Part of the way out taken."""

LEAST_CENTRING = 1e-4
"""Least part of tau that is kept."""


@kernel
def is_inside(integers, island):
    """Whether every block of the island has a law this method treats."""
    first, count = island_blocks(integers, island)
    for k in range(count):
        if integers[block_at(integers, integers[first + k]) + KIND] == ROLL:
            return False
    return True


@kernel
def _curve(integers, numbers, island):
    """CURVATURE = G of every block."""
    first, count = island_blocks(integers, island)
    for k in range(count):
        block = integers[first + k]
        at = block_at(integers, block)
        row = integers[at + ROW]
        target = integers[CURVATURE] + MOST_ROWS * row
        if is_cone(integers, numbers, block, at):
            r, y, mu, _, R, t = cone_of(integers, numbers, block, at)
            w, T = scaling(r, y), shifted(t)
            if R[0] == 0.0 and R[1] == 0.0:
                g = product(stiffness(mu, square_of(turned_back(w))), T)
            else:
                g = product(softened(mu, square_of(w), T, R), T)
            # (nn, n1, n2, 11, 12, 22), then what (1, n), (2, n), (2, 1) have beyond that
            put_vector(numbers, target, (g[0], g[1], g[2]))
            put_vector(numbers, target + 3, (g[4], g[5], g[8]))
            put_vector(numbers, target + 6, (g[3] - g[1], g[6] - g[2], g[7] - g[5]))
        else:
            for i in range(integers[at + DIM]):
                numbers[target + i] = bounded_curvature(integers, numbers, block, at, i)
            if integers[at + KIND] == CONE:
                for i in range(1, 9):
                    numbers[target + i] = 0.0


@kernel
def _gap(integers, numbers, island, step):
    """Mean of lam . y after a step of DLAM, DY."""
    first, count = island_blocks(integers, island)
    y, upper = row_work(integers, Y), row_work(integers, Y_UPPER)
    dlam, dy, dupper = (
        row_work(integers, DLAM),
        row_work(integers, DY),
        row_work(integers, DY_UPPER),
    )
    total, degree = 0.0, 0
    for k in range(count):
        block = integers[first + k]
        at = block_at(integers, block)
        row = integers[at + ROW]
        lam = integers[LAM] + row
        if is_cone(integers, numbers, block, at):
            mu = numbers[integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block + MU]
            for i in range(3):
                f = mu if i == 0 else 1.0
                a = f * (numbers[lam + i] + step * numbers[dlam + row + i])
                total += a * (numbers[y + row + i] + step * numbers[dy + row + i])
            degree += 1
        else:
            for i in range(integers[at + DIM]):
                low, high = bounds(integers, numbers, at, i)
                if low < high:
                    a = numbers[lam + i] + step * numbers[dlam + row + i]
                    if low > -math.inf:
                        b = numbers[y + row + i] + step * numbers[dy + row + i]
                        total += (a - low) * b
                        degree += 1
                    if high < math.inf:
                        b = numbers[upper + row + i] + step * numbers[dupper + row + i]
                        total += (high - a) * b
                        degree += 1
    return total / degree if degree > 0 else 0.0


@kernel
def _aim(integers, numbers, island, tau, corrected):
    """GAMMA = lam + K k, for lam o y = tau e; `corrected` by the second order of DLAM, DY."""
    first, count = island_blocks(integers, island)
    gamma, dlam, dy = (
        row_work(integers, GAMMA),
        row_work(integers, DLAM),
        row_work(integers, DY),
    )
    for k in range(count):
        block = integers[first + k]
        at = block_at(integers, block)
        row = integers[at + ROW]
        lam = integers[LAM] + row
        if is_cone(integers, numbers, block, at):
            r, y, mu, x, R, t = cone_of(integers, numbers, block, at)
            w, T = scaling(r, y), shifted(t)
            back = turned_back(w)
            middle = scaled_by(w, r)
            wanted = scale(-1.0, circle(middle, middle))
            wanted = (wanted[0] + tau, wanted[1], wanted[2])
            if corrected:
                a, b = vector(numbers, dlam + row), vector(numbers, dy + row)
                a = (mu * a[0], a[1], a[2])
                wanted = sub(wanted, circle(scaled_by(w, a), scaled_by(back, b)))
            s = times(T, x)
            left = (y[0] - s[0] / mu, y[1] - s[1], y[2] - s[2])
            # W^-1 (d + W^-1 left) = W^-1 d + W^-2 left
            more = scaled_by(back, add(divided(wanted, middle), scaled_by(back, left)))
            more = (more[0] / mu, more[1], more[2])
            if not (R[0] == 0.0 and R[1] == 0.0):
                W2 = square_of(w)
                more = times(softened(mu, W2, T, R), times(softness(mu, W2), more))
            put_vector(numbers, gamma + row, add(vector(numbers, lam), more))
        else:
            for i in range(integers[at + DIM]):
                e, _, _ = bounded_aim(integers, numbers, at, i, tau, corrected)
                g = bounded_curvature(integers, numbers, block, at, i)
                numbers[gamma + row + i] = numbers[lam + i] + g * e


@kernel
def _follow(integers, numbers, island, tau, corrected):
    """DLAM, DY, DY_UPPER of the DU at hand. Returns the longest step that stays inside."""
    first, count = island_blocks(integers, island)
    gamma, du = row_work(integers, GAMMA), row_work(integers, DU)
    dlam, dy = row_work(integers, DLAM), row_work(integers, DY)
    longest = math.inf
    for k in range(count):
        block = integers[first + k]
        at = block_at(integers, block)
        row = integers[at + ROW]
        lam, G = integers[LAM] + row, integers[CURVATURE] + MOST_ROWS * row
        if is_cone(integers, numbers, block, at):
            r, y, mu, x, R, t = cone_of(integers, numbers, block, at)
            d = vector(numbers, du + row)
            step = sub(vector(numbers, gamma + row), vector(numbers, lam))
            step = sub(step, answer(numbers, G, d))
            x = (
                x[0] + d[0] + R[0] * step[0],
                x[1] + d[1] + R[1] * step[1],
                x[2] + d[2] + R[2] * step[2],
            )
            s = times(shifted(t), x)
            dual = (s[0] / mu - y[0], s[1] - y[1], s[2] - y[2])
            put_vector(numbers, dlam + row, step)
            put_vector(numbers, dy + row, dual)
            longest = min(longest, way_out(r, (mu * step[0], step[1], step[2])), way_out(y, dual))
        else:
            for i in range(integers[at + DIM]):
                change = numbers[gamma + row + i] - numbers[lam + i]
                g = bounded_curvature(integers, numbers, block, at, i)
                change -= g * numbers[du + row + i]
                _, a, b = bounded_aim(integers, numbers, at, i, tau, corrected)
                longest = min(longest, bounded_duals(integers, numbers, at, i, change, a, b))
    return longest


@kernel
def _go(integers, numbers, island, step):
    """lam, v and the duals take the step."""
    first, count = island_blocks(integers, island)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            numbers[integers[LAM] + i] += step * numbers[row_work(integers, DLAM) + i]
            numbers[row_work(integers, Y) + i] += step * numbers[row_work(integers, DY) + i]
            more = step * numbers[row_work(integers, DY_UPPER) + i]
            numbers[row_work(integers, Y_UPPER) + i] += more
    add_velocities(integers, numbers, island, velocity_work(integers, DV), integers[V], step)


@kernel
def _answers(integers, numbers, island):
    """DLAM = G du of every block."""
    first, count = island_blocks(integers, island)
    du, dlam = row_work(integers, DU), row_work(integers, DLAM)
    for k in range(count):
        block = integers[first + k]
        at = block_at(integers, block)
        row = integers[at + ROW]
        G = integers[CURVATURE] + MOST_ROWS * row
        if integers[at + KIND] == CONE:
            put_vector(numbers, dlam + row, answer(numbers, G, vector(numbers, du + row)))
        else:
            for i in range(integers[at + DIM]):
                numbers[dlam + row + i] = numbers[G + i] * numbers[du + row + i]


@kernel
def _refine(integers, numbers, island):
    """Solve once more for what is left of (A + J^T G J) dv = -gradient.

    G spans many powers of ten near the end; what the factorisation loses to that would appear in
    the impulses.
    """
    dv, y = velocity_work(integers, DV), velocity_work(integers, LEFT_OVER)
    first, count = island_cliques(integers, island)
    _answers(integers, numbers, island)
    for k in range(count):
        clique = integers[first + k]
        at = integers[CLIQUE] + CLIQUE_RECORD * clique
        start = integers[at + FIRST_VELOCITY]
        times_clique(integers, numbers, clique, dv + start, y + start)
        for i in range(start, start + integers[at + SIZE]):
            numbers[y + i] += numbers[velocity_work(integers, GRADIENT) + i]
    blocks, number = island_blocks(integers, island)
    for k in range(number):
        at = block_at(integers, integers[blocks + k])
        block_add_transposed(integers, numbers, at, JACOBIAN, row_work(integers, DLAM), y)
    solve_both(integers, numbers, island, y)
    add_velocities(integers, numbers, island, y, dv, -1.0)
    changes(integers, numbers, island)


@kernel
def _direction(integers, numbers, island, tau, corrected):
    """The step towards lam o y = tau e; returns how far it may go."""
    _aim(integers, numbers, island, tau, corrected)
    gradient(integers, numbers, island)
    solve_both(integers, numbers, island, velocity_work(integers, DV))
    changes(integers, numbers, island)
    _refine(integers, numbers, island)
    return _follow(integers, numbers, island, tau, corrected)


@apart(float)
def interior(integers, numbers, island, target, most):
    """From v* and the axes of the cones, until the residual is below `target` or `most` steps.

    Needs the symbolic factorisation. Leaves (v, lam) with v = v* + A^-1 J^T lam and U, of the best
    step where the last one was not finite; returns its residual.
    """
    record = integers[ISLAND] + ISLAND_RECORD * island
    copy_velocities(integers, numbers, island, integers[V_FREE], integers[V])
    residual = measure(integers, numbers, island)
    begin(integers, numbers, island)
    missing, idle, best, used = 1.0, 0, math.inf, 0
    for _ in range(min(most, MOST_STEPS)):
        residual = measure(integers, numbers, island)
        if residual <= target and missing <= 1e-9:
            break
        idle = 0 if residual < 0.7 * best else idle + 1
        if residual < best:
            best = residual
            keep(integers, numbers, island)
        if not (residual < math.inf) or (idle > PATIENCE and missing <= 1e-9):
            break
        _curve(integers, numbers, island)
        assemble_both(integers, numbers, island)
        used += 1
        if not factorise_both(integers, numbers, island):
            break
        now = _gap(integers, numbers, island, 0.0)
        longest = _direction(integers, numbers, island, 0.0, False)
        ahead = _gap(integers, numbers, island, min(1.0, longest))
        centring = min(max((ahead / now) ** 2, LEAST_CENTRING), 1.0) if now > 0.0 else 0.0
        longest = _direction(integers, numbers, island, centring * now, True)
        step = min(1.0, BACK * longest)
        if not step > SHORTEST:
            break
        _go(integers, numbers, island, step)
        missing *= 1.0 - step
    integers[record + FACTORISATIONS] += used
    integers[record + ITERATIONS] += used
    move(integers, numbers, island)
    residual = measure(integers, numbers, island)
    if not (residual < math.inf) and best < math.inf:
        take_back(integers, numbers, island)
        move(integers, numbers, island)
        residual = measure(integers, numbers, island)
    return residual
