"""Newton's method in contact space, for islands of trees with few rows (`auto` begins with it).

The subproblem is that of `contact.solvers.newton` with Coulomb's law itself, but its unknowns are
the impulses x, and u = W x + q holds at every iterate: nothing is amplified by a small p, and
whatever has the residual that is wanted is an answer. So p is small from the start, and where the
right rows are active one step is enough; redundant rows share what is left by C = p w. While the
rows that are active stay the same and nothing slides, x is refined with the factor at hand.

What it does not solve in a few steps is left to the other solvers, from the best that was found.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.prepare import move
from dalembert.contact.algebra.residuals import copy_rows, measure, natural_map
from dalembert.contact.algebra.space import space_of
from dalembert.contact.problem.layout import BOX, CONE, UNI, Problem
from dalembert.contact.solvers.dense.response import (
    collect,
    respond,
    space_block,
    tried_of,
)
from dalembert.contact.solvers.dense.step import (
    assemble_active,
    classify,
    expand,
    factor_active,
    multiply,
    right_side,
    solve_active,
    unknowns,
)
from dalembert.contact.solvers.dense.sweeps import space_sweeps
from dalembert.contact.solvers.gauss_seidel import local_inverses
from dalembert.contact.solvers.proximal import block_law

P, STEPS, PATIENCE = 1e-7, 16, 3
"""Weight of the proximal term over w; most steps; steps without progress after which it ends."""

ROUNDS, SWEPT = 6, 10
"""Most rounds of sweeps and Newton's method, and sweeps of each."""

LIMIT, AGAINST = 1.0 - 1e-6, 0.99
"""Part of the limit of friction from which on a contact may have been sliding, and cosine of the
angle between friction and the reverse of sliding up to which it was."""


@kernel
def _gather(problem: Problem, source, target):
    """From a vector over rows of the problem to one over those of contact space."""
    for k in range(problem.space_blocks):
        own = space_block(problem, k)
        block = problem.block(own.number)
        for i in range(block.dim):
            target[own.row + i] = source[block.row + i]


@kernel
def _copy(problem: Problem, source, target):
    """From one vector over rows to another, of the listed blocks."""
    for k in range(problem.space_blocks):
        block = problem.block(space_block(problem, k).number)
        for i in range(block.row, block.end):
            target[i] = source[i]


@kernel
def _place(problem: Problem):
    """u = W x + q, and x by rows of the problem, for x in contact space. Returns the residual."""
    space, tried, u = space_of(problem), tried_of(problem), problem.u
    multiply(space.W, space.x, space.dx)
    x, wx, q, out = space.x, space.dx, tried.free_u, tried.x
    worst = 0.0
    for k in range(problem.space_blocks):
        own = space_block(problem, k)
        block = problem.block(own.number)
        for i in range(block.dim):
            u[block.row + i] = wx[own.row + i] + q[block.row + i]
            out[block.row + i] = x[own.row + i]
        r = natural_map(problem, block, u, out)
        if not (r <= worst):
            worst = r if r > worst else math.inf
    return worst


@kernel
def _answers(problem: Problem):
    """gamma and G at u around lam, e = gamma - x."""
    for k in range(problem.space_blocks):
        block_law(problem, problem.block(space_block(problem, k).number), P, True)
    space = space_of(problem)
    e, x = space.e, space.x
    _gather(problem, problem.gamma, e)
    for i in range(len(e)):
        e[i] -= x[i]


@kernel
def _foresee(problem: Problem):
    """gamma and G where the last answer, lam, says that u will be; e as if u went there.

    A contact that pressed has u_n = 0, one that stuck u = 0: at the first u, that of a warm start,
    the law with a small p would see nothing but its errors. The law is linear from there:
    gamma(u) = gamma(u') + G (u' - u).
    """
    space = space_of(problem)
    e, x = space.e, space.x
    for k in range(problem.space_blocks):
        own = space_block(problem, k)
        block = problem.block(own.number)
        away = e[own.row : own.row + block.dim]
        _go_there(problem, block, away)
        block_law(problem, block, P, True)
        gamma = block.of(problem.gamma)
        if block.kind == CONE:
            G = problem.cone_curvature(block)
            S, beyond = G.symmetric, G.beyond
            s, t, v = away[0], away[1], away[2]
            away[0] = gamma[0] + S.xx * s
            away[1] = gamma[1] + beyond.x * s + S.yy * t + S.yz * v
            away[2] = gamma[2] + beyond.y * s + S.yz * t + S.zz * v
        else:
            diagonal = block.room(problem.curvature)
            for i in range(block.dim):
                away[i] = gamma[i] + diagonal[i] * away[i]
    for i in range(len(e)):
        e[i] -= x[i]


@kernel
def _go_there(problem: Problem, block, away):
    """u of a block goes where lam says that it will be; `away` is how far."""
    kind, lam, u = block.kind, block.of(problem.lam), block.of(problem.u)
    for i in range(block.dim):
        away[i] = 0.0
        there = True
        if kind == CONE:
            there = lam[0] > 0.0 and (i == 0 or not _slid(block.mu.sliding, lam, u))
        elif kind == UNI:
            there = lam[i] > 0.0
        elif kind == BOX:
            there = problem.lower[block.row + i] < lam[i]
            there = there and lam[i] < problem.upper[block.row + i]
        if there:
            now = -problem.compliance[block.row + i] * lam[i]
            away[i] = now - u[i]
            u[i] = now


@kernel
def _slid(mu, lam, u):
    """Whether a contact is at the limit of friction, and slides against it.

    At rest an impulse may be at the limit, too, and need not stay there.
    """
    friction = math.sqrt(lam[1] * lam[1] + lam[2] * lam[2])
    slip = math.sqrt(u[1] * u[1] + u[2] * u[2])
    if friction < LIMIT * mu * lam[0]:
        return False
    return lam[1] * u[1] + lam[2] * u[2] <= -AGAINST * friction * slip


@kernel
def dense(problem: Problem, island, tolerance, residual):
    """From lam, whose residual is known or infinite. Leaves the better (v, lam), and u.

    Returns its residual.
    """
    small = collect(problem, island)
    if not small and residual < math.inf:
        return residual
    copy_rows(problem, island, problem.lam, problem.best_lam)
    if small:
        respond(problem)
        _rounds(problem, island, tolerance)
        move(problem, island)
        now = measure(problem, island)
        if now < residual:
            return now
    copy_rows(problem, island, problem.best_lam, problem.lam)
    move(problem, island)
    return measure(problem, island)


@apart(None)
def _rounds(problem: Problem, island, tolerance):
    """Newton's method, and sweeps where it needs a better start. The best x is left in lam."""
    x, tried, lam = space_of(problem).x, tried_of(problem), problem.lam
    _gather(problem, lam, x)
    best = _place(problem)
    _copy(problem, tried.x, tried.best_x)
    island.first_residual = best
    if best <= tolerance:
        return
    begun, swept = False, False
    for i in range(len(x)):
        begun = begun or x[i] != 0.0
    if begun:
        best = _iterate(problem, island, tolerance, best)
    for _ in range(ROUNDS):
        if best <= tolerance:
            break
        _copy(problem, tried.best_x, lam)
        _gather(problem, tried.best_x, x)
        _place(problem)
        if not swept:
            local_inverses(problem, island)
            swept = True
        island.sweeps += space_sweeps(problem, SWEPT, tolerance)
        _gather(problem, lam, x)
        now = _place(problem)
        before = best
        if now < best:
            best = now
            _copy(problem, tried.x, tried.best_x)
        best = _iterate(problem, island, tolerance, best)
        if not (best < 0.5 * before):
            break
    _copy(problem, tried.best_x, lam)
    _admit(problem)


@kernel
def _iterate(problem: Problem, island, tolerance, best):
    """Newton's method from x, with u and lam = x. Keeps the best; returns its residual."""
    tried, space = tried_of(problem), space_of(problem)
    for k in range(problem.space_blocks):
        space_block(problem, k).active = -1
    idle, factored = 0, False
    for step in range(STEPS):
        if best <= tolerance:
            break
        if step == 0:
            _foresee(problem)
        else:
            _answers(problem)
        changed, slides = classify(problem)
        if not changed:
            # solved, with this p: around the answer
            _copy(problem, tried.x, problem.lam)
            _answers(problem)
            changed, slides = classify(problem)
        m = unknowns(problem)
        right_side(problem, m)
        if changed or slides or not factored:
            assemble_active(problem, m, slides)
            factored = factor_active(problem, m, slides)
            island.factorisations += 1
            if not factored:
                break
        solve_active(problem, m, slides)
        expand(problem, m)
        x, dx = space.x, space.dx
        for i in range(len(x)):
            x[i] += dx[i]
        now = _place(problem)
        island.iterations += 1
        idle += 1
        if now < best:
            if now < 0.9 * best:
                idle = 0
            best = now
            _copy(problem, tried.x, tried.best_x)
        if idle == PATIENCE or not (now < math.inf):
            break
    return best


@kernel
def _admit(problem: Problem):
    """lam into K, from which the last step may have left it by its error: its law at u = -R lam."""
    u, lam, R = problem.u, problem.lam, problem.compliance
    for k in range(problem.space_blocks):
        block = problem.block(space_block(problem, k).number)
        for i in range(block.row, block.end):
            u[i] = -R[i] * lam[i]
        block_law(problem, block, P, True)
    _copy(problem, problem.gamma, lam)
