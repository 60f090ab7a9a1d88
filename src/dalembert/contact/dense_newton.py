"""Newton's method in contact space, for islands of trees with few rows (`auto` begins with it).

The subproblem is that of `contact.newton` with Coulomb's law itself, but its unknowns are the
impulses x, and u = W x + q holds at every iterate: nothing is amplified by a small p, and whatever
has the residual that is wanted is an answer. So p is small from the start, and where the right rows
are active one step is enough; redundant rows share what is left by C = p w. While the rows that
are active stay the same and nothing slides, x is refined with the factor at hand.

What it does not solve in a few steps is left to the other solvers, from the best that was found.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.blocks import block_at
from dalembert.contact.dense_response import (
    ACTIVE,
    FREE_U,
    SPACE_BLOCK,
    SPACE_ROW,
    collect,
    respond,
    space_at,
)
from dalembert.contact.dense_step import (
    DX,
    RIGHT,
    E,
    X,
    assemble_active,
    classify,
    expand,
    factor_active,
    multiply,
    right_side,
    solve_active,
    space_vector,
    unknowns,
)
from dalembert.contact.dense_sweeps import space_sweeps
from dalembert.contact.gauss_seidel import local_inverses
from dalembert.contact.kept import BEST_LAM, copy_rows
from dalembert.contact.layout import (
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    BOX,
    COMPLIANCE,
    CONE,
    CURVATURE,
    DIM,
    FACTORISATIONS,
    FIRST_RESIDUAL,
    ISLAND,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_RECORD,
    ITERATIONS,
    KIND,
    LAM,
    LOWER,
    MOST_ROWS,
    MU,
    ROW,
    SWEEPS,
    UNI,
    UPPER,
)
from dalembert.contact.prepare import move
from dalembert.contact.proximal import GAMMA, block_law
from dalembert.contact.residuals import U, measure, natural_map, row_work

P, STEPS, PATIENCE = 1e-7, 16, 3
"""Weight of the proximal term over w; most steps; steps without progress after which it ends."""

ROUNDS, SWEPT = 6, 10
"""Most rounds of sweeps and Newton's method, and sweeps of each."""

LIMIT, AGAINST = 1.0 - 1e-6, 0.99
"""Part of the limit of friction from which on a contact may have been sliding, and cosine of the
angle between friction and the reverse of sliding up to which it was."""

TRIED, BEST_X = 6, 7
"""Row vectors: x, and the best of them."""


@kernel
def _gather(integers, numbers, kept, source, target):
    """From a vector over rows of the problem to one over those of contact space."""
    for k in range(kept):
        own = space_at(integers, k)
        at, to = block_at(integers, integers[own + SPACE_BLOCK]), target + integers[own + SPACE_ROW]
        row = source + integers[at + ROW]
        for i in range(integers[at + DIM]):
            numbers[to + i] = numbers[row + i]


@kernel
def _copy(integers, numbers, kept, source, target):
    """From one vector over rows to another, of the listed blocks."""
    for k in range(kept):
        at = block_at(integers, integers[space_at(integers, k) + SPACE_BLOCK])
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            numbers[target + i] = numbers[source + i]


@kernel
def _place(integers, numbers, kept, rows):
    """U = W x + q and TRIED = x, for x in contact space. Returns the residual."""
    x, wx = space_vector(integers, rows, X), space_vector(integers, rows, DX)
    u, q = row_work(integers, U), row_work(integers, FREE_U)
    tried = row_work(integers, TRIED)
    multiply(integers, numbers, rows, x, wx)
    worst = 0.0
    for k in range(kept):
        own = space_at(integers, k)
        block, first = integers[own + SPACE_BLOCK], integers[own + SPACE_ROW]
        at = block_at(integers, block)
        row = integers[at + ROW]
        for i in range(integers[at + DIM]):
            numbers[u + row + i] = numbers[wx + first + i] + numbers[q + row + i]
            numbers[tried + row + i] = numbers[x + first + i]
        r = natural_map(integers, numbers, block, u, tried)
        if not (r <= worst):
            worst = r if r > worst else math.inf
    return worst


@kernel
def _answers(integers, numbers, kept, rows, p):
    """GAMMA and G at U around LAM, e = gamma - x."""
    for k in range(kept):
        block = integers[space_at(integers, k) + SPACE_BLOCK]
        block_law(integers, numbers, block, block_at(integers, block), p, True)
    e, x = space_vector(integers, rows, E), space_vector(integers, rows, X)
    _gather(integers, numbers, kept, row_work(integers, GAMMA), e)
    for i in range(rows):
        numbers[e + i] -= numbers[x + i]


@kernel
def _foresee(integers, numbers, kept, rows):
    """GAMMA and G where the last answer, LAM, says that u will be; e as if u went there.

    A contact that pressed has u_n = 0, one that stuck u = 0: at the first u, that of a warm start,
    the law with a small p would see nothing but its errors. The law is linear from there:
    gamma(u) = gamma(u') + G (u' - u).
    """
    u, lam, soft = row_work(integers, U), integers[LAM], integers[COMPLIANCE]
    e, x = space_vector(integers, rows, E), space_vector(integers, rows, X)
    for k in range(kept):
        own = space_at(integers, k)
        block, first = integers[own + SPACE_BLOCK], integers[own + SPACE_ROW]
        at = block_at(integers, block)
        kind, dim, row = integers[at + KIND], integers[at + DIM], integers[at + ROW]
        a, b = row + lam, row + u
        away = e + first
        for i in range(dim):
            numbers[away + i] = 0.0
            there = True
            if kind == CONE:
                there = numbers[a] > 0.0 and (i == 0 or not _slid(integers, numbers, block, a, b))
            elif kind == UNI:
                there = numbers[a + i] > 0.0
            elif kind == BOX:
                low, high = numbers[integers[LOWER] + row + i], numbers[integers[UPPER] + row + i]
                there = low < numbers[a + i] and numbers[a + i] < high
            if there:
                now = -numbers[soft + row + i] * numbers[a + i]
                numbers[away + i] = now - numbers[b + i]
                numbers[b + i] = now
        block_law(integers, numbers, block, at, P, True)
        G, gamma = integers[CURVATURE] + MOST_ROWS * row, row_work(integers, GAMMA) + row
        if kind == CONE:
            s, t, v = numbers[away], numbers[away + 1], numbers[away + 2]
            y = numbers[gamma + 1] + numbers[G + 6] * s + numbers[G + 3] * t + numbers[G + 4] * v
            z = numbers[gamma + 2] + numbers[G + 7] * s + numbers[G + 4] * t + numbers[G + 5] * v
            numbers[away] = numbers[gamma] + numbers[G] * s
            numbers[away + 1], numbers[away + 2] = y, z
        else:
            for i in range(dim):
                numbers[away + i] = numbers[gamma + i] + numbers[G + i] * numbers[away + i]
    for i in range(rows):
        numbers[e + i] -= numbers[x + i]


@kernel
def _slid(integers, numbers, block, lam, u):
    """Whether a contact is at the limit of friction, and slides against it.

    At rest an impulse may be at the limit, too, and need not stay there.
    """
    mu = numbers[integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block + MU]
    s, t, x, y = numbers[lam + 1], numbers[lam + 2], numbers[u + 1], numbers[u + 2]
    friction, slip = math.sqrt(s * s + t * t), math.sqrt(x * x + y * y)
    return friction >= LIMIT * mu * numbers[lam] and s * x + t * y <= -AGAINST * friction * slip


@kernel
def _add(integers, numbers, rows):
    """x += dx."""
    x, dx = space_vector(integers, rows, X), space_vector(integers, rows, DX)
    for i in range(rows):
        numbers[x + i] += numbers[dx + i]


@kernel
def dense(integers, numbers, island, tolerance, residual):
    """From lam, whose residual is known or infinite. Leaves the better (v, lam), and U.

    Returns its residual.
    """
    lam, before = integers[LAM], row_work(integers, BEST_LAM)
    kept, rows = collect(integers, island)
    if kept < 0 and residual < math.inf:
        return residual
    copy_rows(integers, numbers, island, lam, before)
    if kept >= 0:
        respond(integers, numbers, kept, rows)
        _rounds(integers, numbers, island, tolerance, kept, rows)
        move(integers, numbers, island)
        now = measure(integers, numbers, island)
        if now < residual:
            return now
    copy_rows(integers, numbers, island, before, lam)
    move(integers, numbers, island)
    return measure(integers, numbers, island)


@apart(None)
def _rounds(integers, numbers, island, tolerance, kept, rows):
    """Newton's method, and sweeps where it needs a better start. The best x is left in LAM."""
    record = integers[ISLAND] + ISLAND_RECORD * island
    x, tried, best_x = (
        space_vector(integers, rows, X),
        row_work(integers, TRIED),
        row_work(integers, BEST_X),
    )
    _gather(integers, numbers, kept, integers[LAM], x)
    best = _place(integers, numbers, kept, rows)
    _copy(integers, numbers, kept, tried, best_x)
    numbers[integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island + FIRST_RESIDUAL] = best
    if best <= tolerance:
        return
    begun, swept = False, False
    for i in range(rows):
        begun = begun or numbers[x + i] != 0.0
    if begun:
        best = _iterate(integers, numbers, island, tolerance, kept, rows, best)
    for _ in range(ROUNDS):
        if best <= tolerance:
            break
        _copy(integers, numbers, kept, best_x, integers[LAM])
        _gather(integers, numbers, kept, best_x, x)
        _place(integers, numbers, kept, rows)
        if not swept:
            local_inverses(integers, numbers, island)
            swept = True
        done = space_sweeps(integers, numbers, kept, rows, SWEPT, tolerance)
        integers[record + SWEEPS] += done
        _gather(integers, numbers, kept, integers[LAM], x)
        now = _place(integers, numbers, kept, rows)
        before = best
        if now < best:
            best = now
            _copy(integers, numbers, kept, tried, best_x)
        best = _iterate(integers, numbers, island, tolerance, kept, rows, best)
        if not (best < 0.5 * before):
            break
    _copy(integers, numbers, kept, best_x, integers[LAM])
    _admit(integers, numbers, kept)


@kernel
def _iterate(integers, numbers, island, tolerance, kept, rows, best):
    """Newton's method from x, with U and LAM = x. Keeps the best; returns its residual."""
    record = integers[ISLAND] + ISLAND_RECORD * island
    lam, tried, best_x = integers[LAM], row_work(integers, TRIED), row_work(integers, BEST_X)
    for k in range(kept):
        integers[space_at(integers, k) + ACTIVE] = -1
    idle, factored = 0, False
    for step in range(STEPS):
        if best <= tolerance:
            break
        if step == 0:
            _foresee(integers, numbers, kept, rows)
        else:
            _answers(integers, numbers, kept, rows, P)
        changed, slides = classify(integers, numbers, kept)
        if not changed:
            # solved, with this p: around the answer
            _copy(integers, numbers, kept, tried, lam)
            _answers(integers, numbers, kept, rows, P)
            changed, slides = classify(integers, numbers, kept)
        m = unknowns(integers, numbers, kept, rows)
        if changed or slides or not factored:
            assemble_active(integers, numbers, rows, m, slides)
            factored = factor_active(integers, numbers, rows, m, slides)
            integers[record + FACTORISATIONS] += 1
            if not factored:
                break
        right_side(integers, numbers, rows, m)
        solve_active(integers, numbers, rows, m, slides, space_vector(integers, rows, RIGHT))
        expand(integers, numbers, rows, m)
        _add(integers, numbers, rows)
        now = _place(integers, numbers, kept, rows)
        integers[record + ITERATIONS] += 1
        idle += 1
        if now < best:
            if now < 0.9 * best:
                idle = 0
            best = now
            _copy(integers, numbers, kept, tried, best_x)
        if idle == PATIENCE or not (now < math.inf):
            break
    return best


@kernel
def _admit(integers, numbers, kept):
    """LAM into K, from which the last step may have left it by its error: its law at u = -R lam."""
    u, lam = row_work(integers, U), integers[LAM]
    for k in range(kept):
        block = integers[space_at(integers, k) + SPACE_BLOCK]
        at = block_at(integers, block)
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            numbers[u + i] = -numbers[integers[COMPLIANCE] + i] * numbers[lam + i]
        block_law(integers, numbers, block, at, P, True)
    _copy(integers, numbers, kept, row_work(integers, GAMMA), lam)
