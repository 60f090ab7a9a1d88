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
from dalembert.contact.problem.layout import BOX, CONE, OPEN, OVERFLOW, STICKING, Problem
from dalembert.contact.problem.writing import add_block
from dalembert.contact.run.run_layout import ContactRun
from dalembert.system.borders import NEEDS_ROOM, OK, solve_contact
from dalembert.system.state_layout import State


@apart(int)
def two_phases(state: State, run: ContactRun, problem: Problem, t, h, q, v, part):
    """Compression and expansion of the islands chosen; lam is their sum.

    `part`: of e, 1, or 0 for an impact without expansion. v* is as before.
    """
    status = compress(state, run, problem, t, h, q, v)
    if status != OK:
        put_free(run, problem, 1.0)
        return status
    return expand(state, run, problem, t, h, q, v, part)


@kernel
def put_free(run: ContactRun, problem: Problem, share):
    """v* of the islands chosen: `share` of the way from v- to v*."""
    free, before, kept = problem.v_free, problem.v_before, run.kept_free
    for c in range(problem.cliques):
        clique = problem.clique(c)
        if run.redone[clique.island] > 0.0:
            for i in range(clique.start, clique.start + clique.size):
                free[i] = kept[i]
                if share < 1.0:
                    free[i] = before[i] + share * (kept[i] - before[i])


@kernel
def compress(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """The impact without restitution, with the first half of what forces do."""
    put_free(run, problem, 0.5)
    for number in range(problem.blocks):
        block = problem.block(number)
        if not run.redone[block.island] > 0.0:
            # solved already
            for i in range(block.row, block.end):
                problem.lam0[i] = run.kept_lam[i]
        elif run.bounce_of(number) > 0.0:
            moving = 0.0
            if number < run.fixed_blocks:
                moving = state.side_phi_t[run.side_of_block(number)]
            problem.bias[block.row] = moving
    return solve_contact(state, t, h, q, v)


@kernel
def expand(state: State, run: ContactRun, problem: Problem, t, h, q, v, part):
    """Give back, and let the rest find what keeps the laws."""
    blocks, rows, floats = problem.blocks, problem.rows, problem.jacobian_floats
    give_back(run, problem, part)
    shift_laws(run, problem, 1.0)
    status = add_discs(run, problem, part)
    if status == OK:
        status = solve_contact(state, t, h, q, v)
    if status == OK:
        take_discs(run, problem, blocks)
    problem.blocks, problem.rows, problem.jacobian_floats = blocks, rows, floats
    shift_laws(run, problem, -1.0)
    put_free(run, problem, 1.0)
    if status != OK:
        return status
    for number in range(blocks):
        block = problem.block(number)
        if run.redone[block.island] > 0.0:
            for i in range(block.row, block.end):
                problem.lam[i] += run.compression[i]
    move_chosen(run, problem)
    return OK


@kernel
def give_back(run: ContactRun, problem: Problem, part):
    """Begin the expansion: lam_n (1 + e) of the compression is given, and v* is what it makes."""
    lam, given = problem.lam, run.compression
    for number in range(problem.blocks):
        block = problem.block(number)
        if run.redone[block.island] > 0.0:
            lam[block.row] *= 1.0 + part * run.bounce_of(number)
            for i in range(block.row, block.end):
                given[i], problem.lam0[i] = lam[i], 0.0
    put_free(run, problem, 1.0)
    move_chosen(run, problem)
    for c in range(problem.cliques):
        clique = problem.clique(c)
        if run.redone[clique.island] > 0.0:
            for i in range(clique.start, clique.start + clique.size):
                problem.v_free[i] = problem.v[i]


@kernel
def move_chosen(run: ContactRun, problem: Problem):
    """v = v* + A^-1 J^T lam of the islands chosen."""
    for i in range(problem.islands):
        if run.redone[i] > 0.0:
            move(problem, problem.island(i))


@kernel
def shift_laws(run: ContactRun, problem: Problem, sign):
    """Bounds and compliances are of whole impulses: what was applied already counts."""
    for number in range(problem.blocks):
        block = problem.block(number)
        if run.redone[block.island] > 0.0:
            for r in range(block.row, block.end):
                done = sign * run.compression[r]
                problem.bias[r] += problem.compliance[r] * done
                if block.kind == BOX:
                    problem.lower[r] -= done
                    problem.upper[r] -= done


# -- friction of what is given back ----------------------------------------------------------------


@kernel
def add_discs(run: ContactRun, problem: Problem, part):
    """Discs of all contacts that give something back."""
    status = OK
    for number in range(run.side_block(0), run.contact_block(run.contacts)):
        e = part * run.bounce_of(number)
        block = problem.block(number)
        if e > 0.0 and run.redone[block.island] > 0.0:
            share = e / (1.0 + e) * run.compression[block.row]
            if share > 0.0 and add_disc(problem, number, share) == OVERFLOW:
                status = NEEDS_ROOM
    return status


@kernel
def add_disc(problem: Problem, number, push):
    """Friction of a known normal impulse as a block of its own; `key`: of which block it is.

    None where there is no friction, nor where it is a spring: that has all of its force from
    compression.
    """
    block = problem.block(number)
    if block.kind < CONE or problem.compliance[block.row + 1] > 0.0:
        return OK
    added = add_block(problem, block.kind, block.dim, block.clique_a, block.clique_b)
    if added == OVERFLOW:
        return OVERFLOW
    disc = problem.block(added)
    disc.key, disc.mu, disc.length = number, block.mu, block.length
    if block.clique_a >= 0:
        copy_tangents(problem.J_a(block), problem.J_a(disc))
    if block.clique_b >= 0:
        copy_tangents(problem.J_b(block), problem.J_b(disc))
    for r in range(1, block.dim):
        problem.bias[disc.row + r] = problem.bias[block.row + r]
        problem.compliance[disc.row + r] = problem.compliance[block.row + r]
    problem.compliance[disc.row] = block.w
    problem.bias[disc.row] = -block.w * push
    problem.lam0[disc.row] = push
    return added


@kernel
def copy_tangents(J, to):
    """Rows of a block but for the normal, which does not move."""
    for k in range(J.shape[1]):
        to[0, k] = 0.0
    for r in range(1, J.shape[0]):
        for k in range(J.shape[1]):
            to[r, k] = J[r, k]


@kernel
def take_discs(run: ContactRun, problem: Problem, blocks):
    """Add friction of discs to that of their contacts, and take them out of what is reported."""
    info = problem.info
    for number in range(blocks, problem.blocks):
        disc = problem.block(number)
        first = problem.block(disc.key).row
        for r in range(1, disc.dim):
            run.compression[first + r] += problem.lam[disc.row + r]
        # they are the last in their islands
        island = problem.island(disc.island)
        island.block_count -= 1
        island.rows -= disc.dim
        info.contacts -= 1.0
        if disc.state == OPEN:
            info.open -= 1.0
        elif disc.state == STICKING:
            info.sticking -= 1.0
        else:
            info.sliding -= 1.0
