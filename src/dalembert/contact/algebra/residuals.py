"""How far an answer is from the laws: the natural map in m/s, and what else is reported.

    r_i = length w | lam - P_K(lam - (u + R lam + Gamma) / w) |,    for EQ |u + R lam| length

It is zero if and only if the law of the block holds exactly. Gamma is De Saxce's term, for CONE and
ROLL the largest power friction can have per unit of normal impulse, (mu |s_t| + ..., 0, ...) with
the sliding s = u + R lam.

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

The best (v, lam) of an island is kept while others are tried. Solvers of friction have no function
to descend on, and may leave an answer behind that was better.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import block_add_transposed, block_times
from dalembert.contact.algebra.clique_factors import times_clique
from dalembert.contact.algebra.projections import Weights, bounded, cone, roll
from dalembert.contact.problem.layout import (
    BOX,
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
from dalembert.numerics.vector import Vec3, vec3

ROUNDING = 2.0**-52
"""Part of an impulse that a difference of impulses cannot tell."""


@kernel
def block_velocity(problem: Problem, block, v, u):
    """u = J v + b of a block; v and u are vectors over velocities and rows."""
    block_times(problem, block, v, u)
    bias = problem.bias
    for i in range(block.row, block.end):
        u[i] += bias[i]


@kernel
def friction_power(block, u, R, lam):
    """De Saxce's term of a CONE or ROLL; u, R and lam are those of its rows.

    Sliding is s = u + R lam: of a compliant tangent u alone contains the stretching of its spring.
    """
    mu = block.mu
    x, y = u[1] + R[1] * lam[1], u[2] + R[2] * lam[2]
    t = mu.sliding * math.sqrt(x * x + y * y)
    if block.dim > 3:
        t += mu.spinning * abs(u[3] + R[3] * lam[3])
    if block.dim > 4:
        x, y = u[4] + R[4] * lam[4], u[5] + R[5] * lam[5]
        t += mu.rolling * math.sqrt(x * x + y * y)
    return t


@kernel
def natural_map(problem: Problem, block, u, lam):
    """Residual of a block [m/s]; u and lam are vectors over rows.

    It is a difference of impulses, and never less than their rounding: u is lost beside impulses
    that have run away, and they would pass for an answer.
    """
    u, lam, R = block.of(u), block.of(lam), block.of(problem.compliance)
    if block.kind == CONE:
        return _cone_map(block, u, R, lam)
    if block.kind < CONE:
        return _bounded_map(problem, block, u, R, lam)
    return _roll_map(problem, block, u, R, lam)


@kernel
def _cone_map(block, u, R, lam):
    w, mu = block.w, block.mu.sliding
    shift = friction_power(block, u, R, lam)
    a, b, c = lam[0], lam[1], lam[2]
    z = Vec3(
        w * a - (u[0] + R[0] * a + shift),
        w * b - (u[1] + R[1] * b),
        w * c - (u[2] + R[2] * c),
    )
    off = vec3(lam, 0) - cone(z, w, w, mu)
    least = ROUNDING * (abs(a) + abs(b) + abs(c))
    return block.length * w * max(math.sqrt(off.dot(off)), least)


@kernel
def _bounded_map(problem: Problem, block, u, R, lam):
    w, kind, t = block.w, block.kind, 0.0
    lower, upper = block.of(problem.lower), block.of(problem.upper)
    for i in range(block.dim):
        s = u[i] + R[i] * lam[i]
        # w = 0: a row within its bounds that has been put off (`contact.algebra.prepare`)
        if kind != EQ and w > 0.0:
            low = lower[i] if kind == BOX else 0.0
            high = upper[i] if kind == BOX else math.inf
            s = lam[i] - bounded(w * lam[i] - s, w, low, high)
            s = w * max(abs(s), ROUNDING * abs(lam[i]))
        t += s * s
    return block.length * math.sqrt(t)


@apart(float)
def _roll_map(problem: Problem, block, u, R, lam):
    w, angular, t = block.w, block.w_angular, 0.0
    z = block.of(problem.spare)
    for i in range(block.dim):
        c = w if i < 3 else angular
        z[i] = c * lam[i] - (u[i] + R[i] * lam[i])
    z[0] -= friction_power(block, u, R, lam)
    roll(z, Weights(w, w, angular, angular), block.mu, z)
    for i in range(block.dim):
        s = max(abs(lam[i] - z[i]), ROUNDING * abs(lam[i]))
        s *= w if i < 3 else angular * block.length
        t += s * s
    return math.sqrt(t)


@kernel
def island_residual(problem: Problem, island, u, lam):
    """Largest residual of an island's blocks. NaN anywhere gives infinity."""
    worst = 0.0
    for block in problem.blocks_of(island):
        r = natural_map(problem, block, u, lam)
        if not (r <= worst):
            worst = r if r > worst else math.inf
    return worst


@kernel
def island_velocities(problem: Problem, island, u):
    """u = J v + b of an island's blocks."""
    v = problem.v
    for block in problem.blocks_of(island):
        block_velocity(problem, block, v, u)


@kernel
def measure(problem: Problem, island):
    """Fill `u` and return the residual of `lam` and `v`."""
    island_velocities(problem, island, problem.u)
    return island_residual(problem, island, problem.u, problem.lam)


# -- report of a solved problem (`Info`), and the state of every block -----------------------------


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
        if problem.unreported == 0:
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


# -- the best (v, lam) of an island, kept while a solver tries others ------------------------------


@kernel
def copy_rows(problem: Problem, island, source, target):
    """Copy a vector over rows, of one island."""
    for block in problem.blocks_of(island):
        for i in range(block.row, block.end):
            target[i] = source[i]


@kernel
def copy_velocities(problem: Problem, island, source, target):
    """Copy a vector over velocities, of one island."""
    for clique in problem.cliques_of(island):
        for i in range(clique.start, clique.start + clique.size):
            target[i] = source[i]


@kernel
def keep(problem: Problem, island):
    """Keep (v, lam) as the best so far."""
    copy_rows(problem, island, problem.lam, problem.best_lam)
    copy_velocities(problem, island, problem.v, problem.best_v)


@kernel
def take_back(problem: Problem, island):
    """Return to the best (v, lam)."""
    copy_rows(problem, island, problem.best_lam, problem.lam)
    copy_velocities(problem, island, problem.best_v, problem.v)
