"""Proximal alternating direction method of multipliers (`admm`), with one factorisation reused.

The impulses appear twice: x obeys the equations of motion, z the laws; y, a velocity, pulls them
together. With the block's scale w, a penalty rho and a small eta, one iteration is

    (W + R + (rho + eta) w) x  =  rho w z + eta w x + y - (J v* + b) - s e_n
    z  <-  P_K(x - y / (rho w)),        y  <-  y - rho w (x - z),        s  <-  mu |u_t + R x_t|

De Saxce's shift s makes the fixed point the exact law (Acary and Cadoux 2013; as ADMM: Carpentier,
Le Lidec, Montaut 2024). The matrix over rows is never formed: by Woodbury's identity

    H dv = J^T G r,    x = G (r - J dv),    H = A + J^T G J,    G = 1 / (R + (rho + eta) w),

with r the right-hand side, so that dependent rows do no harm. Bilateral rows have no z: there x
alone moves, with eta. rho changes by a factor of 3 when the distance of x from z and the motion of
z are more than 10 apart, looked at every tenth iteration, and only then H is factored anew.

Simple, and cheap for small islands with many right-hand sides; slow to many digits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dalembert._jit import kernel
from dalembert._memory import Part, over
from dalembert._records import Numbers, Place
from dalembert.contact.algebra.blocks import block_add_transposed, block_times
from dalembert.contact.algebra.cholesky import assemble, factorise, solve_factored
from dalembert.contact.algebra.prepare import move
from dalembert.contact.algebra.projections import Weights, bounded, cone, roll
from dalembert.contact.algebra.residuals import (
    block_velocity,
    copy_rows,
    friction_power,
    keep,
    measure,
    take_back,
)
from dalembert.contact.algebra.symbolic import READY, symbolic
from dalembert.contact.problem.layout import (
    BOX,
    CONE,
    CONVERGED,
    EQ,
    FAILED,
    OVERFLOW,
    ROLL,
    STALLED,
    Problem,
)
from dalembert.contact.solvers.solver import ContactSolver, positive
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import put_vec3, vec3

ETA = 1e-6
RATIO, FACTOR_OF_CHANGE, LOOK = 10.0, 3.0, 10
LEAST_PENALTY, LARGEST_PENALTY = 1e-8, 1e4


class Options(Place):
    """Parameters of the solver."""

    class numbers:
        penalty: float  # the first rho


class Rows(Part, of=Problem):
    """Vectors over rows."""

    free: Numbers = over("rows", room="most_rows")  # J v* + b
    x: Numbers = over("rows", room="most_rows")
    z: Numbers = over("rows", room="most_rows")
    y: Numbers = over("rows", room="most_rows")
    right: Numbers = over("rows", room="most_rows")  # the right-hand side


@kernel
def rows_of(problem: Problem):
    """Vectors of this method."""
    return Rows(problem, problem.solver_rows)


@kernel
def weight(block, i):
    """w of a row."""
    return block.w_angular if block.kind == ROLL and i >= 3 else block.w


@kernel
def yielding(problem: Problem, block, i, rho):
    """R + (rho + eta) w of a row, of which G is the reciprocal."""
    penalty = ETA if block.kind == EQ else rho + ETA
    return problem.compliance[block.row + i] + penalty * weight(block, i)


@kernel
def factor_with(problem: Problem, island, rho):
    """H = A + J^T G J, factored."""
    for block in problem.blocks_of(island):
        dim = block.dim
        if block.kind == CONE:
            a = 1.0 / yielding(problem, block, 0, rho)
            b = 1.0 / yielding(problem, block, 1, rho)
            c = 1.0 / yielding(problem, block, 2, rho)
            problem.cone_curvature(block).symmetric = Sym3(a, b, c, 0.0, 0.0, 0.0)
        elif block.kind == ROLL:
            full = block.square(problem.curvature)
            for i in range(dim):
                for j in range(dim):
                    full[i, j] = 0.0
                full[i, i] = 1.0 / yielding(problem, block, i, rho)
        else:
            G = block.room(problem.curvature)
            for i in range(dim):
                G[i] = 1.0 / yielding(problem, block, i, rho)
    assemble(problem, island)
    factorise(problem, island)


@kernel
def begin_at(problem: Problem, island):
    """x = z = lam, y = u + R lam + s e_n, at the present v; u is known."""
    own = rows_of(problem)
    copy_rows(problem, island, problem.lam, own.x)
    copy_rows(problem, island, problem.lam, own.z)
    for block in problem.blocks_of(island):
        block_velocity(problem, block, problem.v_free, own.free)
        u, y = block.of(problem.u), block.of(own.y)
        R, lam = block.of(problem.compliance), block.of(problem.lam)
        for i in range(block.dim):
            y[i] = 0.0 if block.kind == EQ else u[i] + R[i] * lam[i]
        block.shift = friction_power(block, u, R, lam) if block.kind >= CONE else 0.0
        y[0] += block.shift


@kernel
def obey_motion(problem: Problem, island, rho):
    """x from the equations of motion; u = J v + b there."""
    own = rows_of(problem)
    free, x, y, z, right = own.free, own.x, own.y, own.z, own.right
    u, dv = problem.u, problem.dv
    for clique in problem.cliques_of(island):
        for i in range(clique.start, clique.start + clique.size):
            dv[i] = 0.0
    for block in problem.blocks_of(island):
        penalty = 0.0 if block.kind == EQ else rho
        for i in range(block.dim):
            k, w = block.row + i, weight(block, i)
            r = penalty * w * z[k]
            r += ETA * w * x[k] + y[k]
            r -= free[k]
            if i == 0 and block.kind >= CONE:
                r -= block.shift
            right[k] = r
            # G r, for J^T, stands in x: its old value has been used.
            x[k] = r / yielding(problem, block, i, rho)
        block_add_transposed(problem, block, x, dv)
    solve_factored(problem, island, dv)
    for block in problem.blocks_of(island):
        block_times(problem, block, dv, u)
        for i in range(block.dim):
            k, moved = block.row + i, u[block.row + i]
            x[k] = (right[k] - moved) / yielding(problem, block, i, rho)
            u[k] = free[k] + moved


@kernel
def project(problem: Problem, block, rho, x, y, z):
    """z = P_K(x - y / (rho w)) of a block."""
    for i in range(block.dim):
        z[i] = rho * weight(block, i) * x[i] - y[i]
    c = rho * block.w
    if block.kind == CONE:
        put_vec3(z, 0, cone(vec3(z, 0), c, c, block.mu.sliding))
    elif block.kind == ROLL:
        q = rho * block.w_angular
        roll(z, Weights(c, c, q, q), block.mu, z)
    else:
        lower, upper = block.of(problem.lower), block.of(problem.upper)
        for i in range(block.dim):
            low = lower[i] if block.kind == BOX else 0.0
            high = upper[i] if block.kind == BOX else math.inf
            z[i] = bounded(z[i], c, low, high)


@kernel
def obey_law(problem: Problem, block, rho):
    """z, y, s of a block with a law. Returns how far x is from z, and how far z moved."""
    own = rows_of(problem)
    x, y, z, new = block.of(own.x), block.of(own.y), block.of(own.z), block.of(problem.spare)
    project(problem, block, rho, x, y, new)
    a, b = 0.0, 0.0
    for i in range(block.dim):
        w = weight(block, i)
        gap, step = w * (x[i] - new[i]), rho * w * (new[i] - z[i])
        y[i] -= rho * gap
        z[i] = new[i]
        a += gap * gap
        b += step * step
    if block.kind >= CONE:
        block.shift = friction_power(block, block.of(problem.u), block.of(problem.compliance), x)
    return math.sqrt(a), math.sqrt(b)


@kernel
def obey_laws(problem: Problem, island, rho):
    """z, y, s from x and u. Returns how far x is from z, and how far z moved, as velocities."""
    own = rows_of(problem)
    apart, moved = 0.0, 0.0
    for block in problem.blocks_of(island):
        if block.kind == EQ:
            x, z = block.of(own.x), block.of(own.z)
            for i in range(block.dim):
                moved = max(moved, abs(ETA * weight(block, i) * (x[i] - z[i])))
                z[i] = x[i]
        else:
            gap, step = obey_law(problem, block, rho)
            apart, moved = max(apart, gap), max(moved, step)
    return apart, moved


@kernel
def admm(problem: Problem, island, tolerance, budget):
    """One island; `budget` iterations. Leaves the best (v, lam)."""
    move(problem, island)
    if symbolic(problem) != READY:
        return OVERFLOW
    if island.fill < 0:
        island.residual = measure(problem, island)
        return FAILED
    best = measure(problem, island)
    keep(problem, island)
    begin_at(problem, island)
    rho, factored, done, factorisations = Options(problem.options, 0).penalty, 0.0, 0, 0
    while done < budget and not best <= tolerance:
        if rho != factored:
            factor_with(problem, island, rho)
            factored = rho
            factorisations += 1
        obey_motion(problem, island, rho)
        apart, moved = obey_laws(problem, island, rho)
        done += 1
        if max(apart, moved) <= tolerance or done % (2 * LOOK) == 0 or done == budget:
            copy_rows(problem, island, rows_of(problem).z, problem.lam)
            move(problem, island)
            left = measure(problem, island)
            if left < best:
                best = left
                keep(problem, island)
        if done % LOOK == 0:
            if apart > RATIO * moved:
                rho = min(FACTOR_OF_CHANGE * rho, LARGEST_PENALTY)
            elif moved > RATIO * apart:
                rho = max(rho / FACTOR_OF_CHANGE, LEAST_PENALTY)
    take_back(problem, island)
    island.iterations, island.factorisations = done, factorisations
    island.residual = measure(problem, island)
    return CONVERGED if best <= tolerance else STALLED


@dataclass(frozen=True)
class ADMM(ContactSolver):
    """Proximal alternating direction method of multipliers, one factorisation used many times.

    Parameters
    ----------
    iterations : int    at most
    penalty : float     of the first factorisation, relative to each block's own W
    """

    iterations: int = 5000
    penalty: float = 0.1

    solve_island = admm
    passes = Options
    counts = "iterations"

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "penalty", self.penalty)
