"""Report of a solved problem (`Info`), and the state of every block.

| field | unit | |
|---|---|---|
| residual | m/s | largest natural map |
| momentum | m/s | largest (A (v - v*) - J^T lam) / diagonal of A |
| penetration | m/s | largest -u_n of contacts and one-sided rows |
| complementarity | J | largest lam_n u_n |
| cone | N s | largest part of lam_t outside the cone |
| dissipation | J | largest lam_t . u_t + mu lam_n |u_t| |
| bilateral | m/s | largest u + R lam of EQ |
| held | | one-sided rows that act |
| contact_work | J | sum of lam . (u + u before) / 2 over contacts |
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import block_add_transposed, block_times
from dalembert.contact.algebra.cliques import times_clique
from dalembert.contact.algebra.residuals import block_velocity, island_velocities
from dalembert.contact.problem.layout import (
    CONE,
    CONVERGED,
    EQ,
    FAILED,
    HELD,
    OPEN,
    SLIDING,
    STICKING,
    UNI,
    Problem,
)

STILL = 1e-12
"""Speed of sliding [m/s] that rounding leaves where nothing slides."""

LOST = 3e8
"""Residual [m/s] that no mechanism has: a method that left it, or none at all, has run away."""


@kernel
def report(problem: Problem):
    """Fill `info` and the state of every block. Returns the worst status."""
    numbers, info = problem.info_numbers, problem.info
    for k in range(len(numbers)):
        numbers[k] = 0.0
    status = CONVERGED
    for i in range(problem.islands):
        island = problem.island(i)
        info.residual = max(info.residual, island.residual)
        if not (island.residual < LOST):
            island.status = FAILED
        status = max(status, island.status)
        info.iterations += island.iterations
        info.factorisations += island.factorisations
        info.sweeps += island.sweeps
        if island.u_known == 0:
            island_velocities(problem, island, problem.u)
        _momentum(problem, island)
        for block in problem.blocks_of(island):
            if block.kind < CONE:
                _rows(problem, block)
            else:
                _contact(problem, block)
    info.status = status
    return status


@kernel
def _momentum(problem: Problem, island):
    """A (v - v*) - J^T lam over the diagonal of A."""
    info, x, y = problem.info, problem.spare_v, problem.missing
    free, v = problem.v_free, problem.v
    for clique in problem.cliques_of(island):
        for i in range(clique.start, clique.start + clique.size):
            x[i] = free[i] - v[i]
        times_clique(problem, clique, clique.of(x), clique.of(y))
    for block in problem.blocks_of(island):
        block_add_transposed(problem, block, problem.lam, y)
    for clique in problem.cliques_of(island):
        A, left = problem.A(clique), clique.of(y)
        for i in range(clique.size):
            info.momentum = max(info.momentum, abs(left[i]) / A[i, i])


@kernel
def _rows(problem: Problem, block):
    """Report on an EQ, UNI or BOX."""
    info, kind, length, held = problem.info, block.kind, block.length, False
    u, lam, R = block.of(problem.u), block.of(problem.lam), block.of(problem.compliance)
    for i in range(block.dim):
        s = u[i] + R[i] * lam[i]
        if kind == EQ:
            info.bilateral = max(info.bilateral, length * abs(s))
        elif kind == UNI:
            info.penetration = max(info.penetration, -length * s)
            info.complementarity = max(info.complementarity, abs(lam[i] * s))
        held = held or lam[i] != 0.0
    block.state = HELD if held or kind == EQ else OPEN
    if held and kind != EQ:
        info.held += 1.0


@kernel
def _contact(problem: Problem, block):
    """Report on a CONE or ROLL."""
    info, mu = problem.info, block.mu.sliding
    u, lam, R = block.of(problem.u), block.of(problem.lam), block.of(problem.compliance)
    a, f, g = lam[0], lam[1], lam[2]
    s, x, y = u[0] + R[0] * a, u[1] + R[1] * f, u[2] + R[2] * g
    slip, friction = math.sqrt(x * x + y * y), math.sqrt(f * f + g * g)
    left = problem.island(block.island).residual
    info.penetration = max(info.penetration, -s)
    info.complementarity = max(info.complementarity, abs(a * s))
    info.cone = max(info.cone, friction - mu * a)
    info.dissipation = max(info.dissipation, abs(f * x + g * y + mu * a * slip))
    info.contacts += 1.0
    if a <= 0.0:
        block.state = OPEN
        info.open += 1.0
    elif mu > 0.0 and (friction < (1.0 - 1e-9) * mu * a or slip <= max(left, STILL)):
        # at the limit, but not moving beyond what is left of the laws: it is held
        block.state = STICKING
        info.sticking += 1.0
    else:
        block.state = SLIDING
        info.sliding += 1.0
    info.contact_work += _work(problem, block)


@kernel
def _work(problem: Problem, block):
    """lam . (u + u before) / 2 of a block; u is known."""
    block_times(problem, block, problem.v_before, problem.u_before)
    lam, u, before = block.of(problem.lam), block.of(problem.u), block.of(problem.u_before)
    done = 0.0
    for i in range(block.dim):
        done += lam[i] * 0.5 * (u[i] + before[i])
    return done


@apart(None)
def report_again(problem: Problem):
    """Momentum and work of contacts, of impulses that have changed since the problem was solved."""
    done, info = 0.0, problem.info
    for i in range(problem.blocks):
        block = problem.block(i)
        if block.kind >= CONE:
            block_velocity(problem, block, problem.v, problem.u)
            done += _work(problem, block)
    info.contact_work = done
    info.momentum = 0.0
    for i in range(problem.islands):
        _momentum(problem, problem.island(i))
