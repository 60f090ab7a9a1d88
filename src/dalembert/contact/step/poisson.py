"""Poisson's law of impacts: compression, and the expansion that gives part of it back.

After Glocker and Pfeiffer (1995). With F = h A^-1 Q, what forces add to v in the step,

    compression:  from v- + F/2, e = 0;  impulses lam_c
    expansion:    from there and F/2, with  lam_n >= e lam_cn  perpendicular to  u_n >= 0,
                  friction within mu lam_n of the whole of it

The impact is in the middle of the step: what forces do after it is not given back. A ball in free
fall has v+ = -e (v- + F/2) + F/2, for e = 1 the velocity it came with, and what only rests is
pressed by F/2 in both phases and does not move.

**Friction.** With lam_n = e lam_cn + x_n the bound is that of a cone with its tip cut off,
mu (e lam_cn + x_n): the sum of a cone, mu x_n, and of a disc, mu e lam_cn. Two blocks with the same
tangents are just that, as friction of both is against the same sliding. The disc is a CONE (or a
ROLL) whose normal row does not move and has a spring: R lam_n - R e lam_cn = 0. No solver has to
know of it.

**Energy.** T is convex in the impulses of the expansion, and u is its gradient. At its answer
u_n (lam_n - e lam_cn) = 0, and u_t is such that no friction within its bound has less T. With one e
everywhere e lam_c is within all bounds, hence

    T(v+) <= T(e lam_c) = T(v-) + (1 + e) (lam_c . u_c - (1 - e)/2 lam_c . W lam_c) <= T(v-),

as lam_c . u_c <= 0, friction and all.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.prepare import move
from dalembert.contact.problem.layout import (
    BIAS,
    BLOCK,
    BLOCK_COUNT,
    BLOCK_FLOATS,
    BLOCK_ISLAND,
    BLOCK_NUMBERS,
    BLOCK_RECORD,
    BLOCKS,
    BOX,
    CLIQUE,
    CLIQUE_A,
    CLIQUE_B,
    CLIQUE_ISLAND,
    CLIQUE_RECORD,
    CLIQUES,
    COMPLIANCE,
    CONE,
    CONTACTS,
    COUNT_OPEN,
    COUNT_SLIDING,
    COUNT_STICKING,
    DIM,
    INFO,
    ISLAND,
    ISLAND_RECORD,
    ISLAND_ROWS,
    ISLANDS,
    JACOBIAN,
    JACOBIAN_A,
    JACOBIAN_FLOATS,
    KEY,
    KIND,
    LAM,
    LAM0,
    LENGTH,
    LOWER,
    OPEN,
    OVERFLOW,
    ROW,
    ROWS,
    STATE,
    STICKING,
    UPPER,
    V_BEFORE,
    V_FREE,
    Problem,
    V,
    W,
    clique_size,
    mu_at,
    row_at,
    velocity_at,
)
from dalembert.contact.problem.writing import add_block
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import BOUNCE, ContactRun, contact_at
from dalembert.system.borders import NEEDS_ROOM, OK, STEPPING
from dalembert.system.layout import CONTACT_SOLVE, SIDE_PHI_T
from dalembert.system.state_layout import State

_solve = STEPPING.call


@kernel
def side_of(run: ContactRun, block):
    """The one-sided row of a block that is none of a contact; -1 for joints."""
    integers = run.sizes
    k = block - integers[memory.FIXED_BLOCKS] + integers[memory.SIDE_BLOCKS]
    return integers[integers[memory.SIDE_KEPT] + k] if k >= 0 else -1


@kernel
def bounce_of(state: State, run: ContactRun, block):
    """Restitution of a block that is an impact in this step; 0 otherwise."""
    integers = run.sizes
    numbers = run.work
    k = block - integers[memory.FIXED_BLOCKS]
    if k >= 0:
        return max(0.0, numbers[contact_at(run, k) + BOUNCE])
    row = side_of(run, block)
    return max(0.0, numbers[integers[memory.SIDE_BOUNCE] + row]) if row >= 0 else 0.0


@kernel
def redone_at(run: ContactRun, island):
    """Where it stands whether the impacts of an island are made by Poisson's law."""
    integers = run.sizes
    return integers[memory.REDONE] + island


@kernel
def is_redone(run: ContactRun, island):
    """Whether they are."""
    numbers = run.work
    return numbers[redone_at(run, island)] > 0.0


@kernel
def block_redone(run: ContactRun, problem: Problem, block):
    """Whether the impacts of a block's island are."""
    p = problem.sizes
    return is_redone(run, p[p[BLOCK] + BLOCK_RECORD * block + BLOCK_ISLAND])


@apart(int)
def two_phases(state: State, run: ContactRun, problem: Problem, t, h, q, v, part):
    """Compression and expansion of the islands chosen; LAM is their sum.

    `part`: of e, 1, or 0 for an impact without expansion. V_FREE is as before.
    """
    status = compress(state, run, problem, t, h, q, v)
    if status != OK:
        put_free(run, problem, 1.0)
        return status
    return expand(state, run, problem, t, h, q, v, part)


@kernel
def put_free(run: ContactRun, problem: Problem, share):
    """V_FREE of the islands chosen: `share` of the way from v- to v*."""
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    for clique in range(p[CLIQUES]):
        if is_redone(run, p[p[CLIQUE] + CLIQUE_RECORD * clique + CLIQUE_ISLAND]):
            at, before = (
                velocity_at(problem, V_FREE, clique),
                velocity_at(problem, V_BEFORE, clique),
            )
            kept = integers[memory.KEPT_FREE] + at - p[V_FREE]
            for i in range(clique_size(problem, clique)):
                x[at + i] = numbers[kept + i]
                if share < 1.0:
                    x[at + i] = x[before + i] + share * (numbers[kept + i] - x[before + i])


@kernel
def compress(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """The impact without restitution, with the first half of what forces do."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    put_free(run, problem, 0.5)
    for block in range(p[BLOCKS]):
        first, dim = row_at(problem, LAM, block) - p[LAM], p[p[BLOCK] + BLOCK_RECORD * block + DIM]
        if not block_redone(run, problem, block):
            # solved already
            for i in range(first, first + dim):
                x[p[LAM0] + i] = numbers[integers[memory.KEPT_LAM] + i]
        elif bounce_of(state, run, block) > 0.0:
            moving = 0.0
            if block < integers[memory.FIXED_BLOCKS]:
                moving = work[sizes[SIDE_PHI_T] + side_of(run, block)]
            x[p[BIAS] + first] = moving
    return _solve(sizes[CONTACT_SOLVE], work, sizes, t, h, q, v)


@kernel
def expand(state: State, run: ContactRun, problem: Problem, t, h, q, v, part):
    """Give back, and let the rest find what keeps the laws."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    total, blocks, rows = integers[memory.COMPRESSION], p[BLOCKS], p[ROWS]
    floats = p[JACOBIAN_FLOATS]
    for block in range(blocks):
        if block_redone(run, problem, block):
            first, dim = (
                row_at(problem, LAM, block) - p[LAM],
                p[p[BLOCK] + BLOCK_RECORD * block + DIM],
            )
            x[p[LAM] + first] *= 1.0 + part * bounce_of(state, run, block)
            for i in range(first, first + dim):
                numbers[total + i], x[p[LAM0] + i] = x[p[LAM] + i], 0.0
    put_free(run, problem, 1.0)
    for island in range(p[ISLANDS]):
        if is_redone(run, island):
            move(problem, problem.island(island))
    for clique in range(p[CLIQUES]):
        if is_redone(run, p[p[CLIQUE] + CLIQUE_RECORD * clique + CLIQUE_ISLAND]):
            at, to = velocity_at(problem, V, clique), velocity_at(problem, V_FREE, clique)
            for i in range(clique_size(problem, clique)):
                x[to + i] = x[at + i]
    shift_laws(run, problem, 1.0)
    status = OK
    for k in range(integers[memory.CONTACTS]):
        e = part * numbers[contact_at(run, k) + BOUNCE]
        block = integers[memory.FIXED_BLOCKS] + k
        if e > 0.0 and block_redone(run, problem, block):
            share = e / (1.0 + e) * numbers[total + row_at(problem, LAM, block) - p[LAM]]
            if share > 0.0 and add_disc(problem, block, share) == OVERFLOW:
                status = NEEDS_ROOM
    if status == OK:
        status = _solve(sizes[CONTACT_SOLVE], work, sizes, t, h, q, v)
    if status == OK:
        take_discs(run, problem, blocks)
    p[BLOCKS], p[ROWS], p[JACOBIAN_FLOATS] = blocks, rows, floats
    shift_laws(run, problem, -1.0)
    put_free(run, problem, 1.0)
    if status != OK:
        return status
    for block in range(blocks):
        if block_redone(run, problem, block):
            first, dim = (
                row_at(problem, LAM, block) - p[LAM],
                p[p[BLOCK] + BLOCK_RECORD * block + DIM],
            )
            for i in range(first, first + dim):
                x[p[LAM] + i] += numbers[total + i]
    for island in range(p[ISLANDS]):
        if is_redone(run, island):
            move(problem, problem.island(island))
    return OK


@kernel
def shift_laws(run: ContactRun, problem: Problem, sign):
    """Bounds and compliances are of whole impulses: what was applied already counts."""
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    for block in range(p[BLOCKS]):
        if block_redone(run, problem, block):
            record = p[BLOCK] + BLOCK_RECORD * block
            first = row_at(problem, LAM, block) - p[LAM]
            for r in range(first, first + p[record + DIM]):
                done = sign * numbers[integers[memory.COMPRESSION] + r]
                x[p[BIAS] + r] += x[p[COMPLIANCE] + r] * done
                if p[record + KIND] == BOX:
                    x[p[LOWER] + r] -= done
                    x[p[UPPER] + r] -= done


# -- friction of what is given back ----------------------------------------------------------------


@kernel
def add_disc(problem: Problem, block, push):
    """Friction of a known normal impulse as a block of its own; KEY: of which block it is.

    None where there is no friction, nor where it is a spring: that has all of its force from
    compression.
    """
    p = problem.sizes
    x = problem.work
    record = p[BLOCK] + BLOCK_RECORD * block
    dim, soft = p[record + DIM], row_at(problem, COMPLIANCE, block)
    if p[record + KIND] < CONE or x[soft + 1] > 0.0:
        return OK
    a, b = p[record + CLIQUE_A], p[record + CLIQUE_B]
    disc = add_block(problem, p[record + KIND], dim, a, b)
    if disc == OVERFLOW:
        return OVERFLOW
    own, from_ = p[BLOCK] + BLOCK_RECORD * disc, p[BLOCK_NUMBERS] + BLOCK_FLOATS * block
    p[own + KEY] = block
    for side in range(2):
        size = clique_size(problem, p[record + CLIQUE_A + side])
        to = p[JACOBIAN] + p[own + JACOBIAN_A + side]
        at = p[JACOBIAN] + p[record + JACOBIAN_A + side]
        for i in range(size):
            x[to + i] = 0.0
        for i in range(size, dim * size):
            x[to + i] = x[at + i]
    for i in range(3):
        x[mu_at(problem, disc) + i] = x[mu_at(problem, block) + i]
    x[p[BLOCK_NUMBERS] + BLOCK_FLOATS * disc + LENGTH] = x[from_ + LENGTH]
    for r in range(1, dim):
        x[row_at(problem, BIAS, disc) + r] = x[row_at(problem, BIAS, block) + r]
    x[row_at(problem, COMPLIANCE, disc)] = x[from_ + W]
    x[row_at(problem, BIAS, disc)] = -x[from_ + W] * push
    x[row_at(problem, LAM0, disc)] = push
    return disc


@kernel
def take_discs(run: ContactRun, problem: Problem, blocks):
    """Add friction of discs to that of their contacts, and take them out of what is reported."""
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    total, info = integers[memory.COMPRESSION], p[INFO]
    for disc in range(blocks, p[BLOCKS]):
        own = p[BLOCK] + BLOCK_RECORD * disc
        first = row_at(problem, LAM, p[own + KEY]) - p[LAM]
        for r in range(1, p[own + DIM]):
            numbers[total + first + r] += x[p[LAM] + p[own + ROW] + r]
        record = p[ISLAND] + ISLAND_RECORD * p[own + BLOCK_ISLAND]
        # they are the last in their islands
        p[record + BLOCK_COUNT] -= 1
        p[record + ISLAND_ROWS] -= p[own + DIM]
        x[info + CONTACTS] -= 1.0
        state = p[own + STATE]
        if state == OPEN:
            x[info + COUNT_OPEN] -= 1.0
        elif state == STICKING:
            x[info + COUNT_STICKING] -= 1.0
        else:
            x[info + COUNT_SLIDING] -= 1.0
