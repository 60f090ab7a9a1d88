"""The subproblem of `newton`: answers of the blocks, what is left of the momentum, steps.

    gamma(u) = law(p w lam - u, p w + R),      A (v - v*) - J^T gamma(J v + b)

`gamma` and `curvature` belong to the velocities `u`, which follow v along a step without new
products.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import block_add_transposed, block_times
from dalembert.contact.algebra.clique_factors import times_clique
from dalembert.contact.algebra.projections import (
    Weights,
    bounded,
    bounded_curvature,
    cone_curvature,
    coulomb_curvature,
    roll_coulomb,
    roll_curvature,
)
from dalembert.contact.algebra.residuals import friction_power
from dalembert.contact.problem.layout import BOX, CONE, EQ, Problem
from dalembert.numerics.vector import Vec3, put_vec3, vec3

SOFTNESS = 1e-8
"""Proximal weight of bilateral rows over w: their law has no kink that a small one could miss."""

LINE_STEPS = 25
"""Most evaluations of a line search."""


@kernel
def laws(problem: Problem, island, p, coupled):
    """Answers gamma and curvatures at u. Returns gamma . du."""
    gamma, du = problem.gamma, problem.du
    total = 0.0
    for block in problem.blocks_of(island):
        block_law(problem, block, p, coupled)
        for i in range(block.row, block.end):
            total += gamma[i] * du[i]
    return total


@kernel
def block_law(problem: Problem, block, p, coupled):
    """Answer gamma and curvature of one block."""
    if block.kind == CONE:
        _cone_law(problem, block, p, coupled)
    elif block.kind < CONE:
        _bounded_law(problem, block, p)
    else:
        _roll_law(problem, block, p, coupled)


@kernel
def _cone_law(problem: Problem, block, p, coupled):
    R, G = block.of(problem.compliance), problem.cone_curvature(block)
    r, mu = p * block.w, block.mu.sliding
    z = r * vec3(problem.lam, block.row) - vec3(problem.u, block.row)
    if coupled:
        answer, curvature, beyond = coulomb_curvature(z, r + R[0], r + R[1], mu)
        G.beyond = Vec3(beyond[0], beyond[1], 0.0)
    else:
        shifted = Vec3(z.x - block.shift, z.y, z.z)
        answer, curvature = cone_curvature(shifted, r + R[0], r + R[1], mu)
    put_vec3(problem.gamma, block.row, answer)
    G.symmetric = curvature


@apart(None)
def _bounded_law(problem: Problem, block, p):
    kind, r = block.kind, p * block.w
    lam, R, u = block.of(problem.lam), block.of(problem.compliance), block.of(problem.u)
    gamma, G = block.of(problem.gamma), block.room(problem.curvature)
    lower, upper = block.of(problem.lower), block.of(problem.upper)
    if kind == EQ:
        r = min(r, SOFTNESS * block.w)
    for i in range(block.dim):
        c, z = r + R[i], r * lam[i] - u[i]
        low, high = -math.inf, math.inf
        if kind == BOX:
            low, high = lower[i], upper[i]
        elif kind != EQ:
            low = 0.0
        gamma[i] = bounded(z, c, low, high)
        G[i] = bounded_curvature(z, c, low, high)


@apart(None)
def _roll_law(problem: Problem, block, p, coupled):
    dim, r, q = block.dim, p * block.w, p * block.w_angular
    lam, R, u = block.of(problem.lam), block.of(problem.compliance), block.of(problem.u)
    gamma, G, z = block.of(problem.gamma), block.square(problem.curvature), block.of(problem.spare)
    for i in range(dim):
        weight = r if i < 3 else q
        z[i] = weight * lam[i] - u[i]
    c = Weights(r + R[0], r + R[1], q + R[3], q + R[4] if dim > 4 else q)
    if coupled:
        roll_coulomb(z, c, block.mu, gamma, G)
    else:
        z[0] -= block.shift
        roll_curvature(z, c, block.mu, gamma, G)


@kernel
def hold_shifts(problem: Problem, island):
    """s = mu |u_t + R lam_t| of every contact."""
    for block in problem.blocks_of(island):
        if block.kind >= CONE:
            u, R, lam = block.of(problem.u), block.of(problem.compliance), block.of(problem.lam)
            block.shift = friction_power(block, u, R, lam)


@kernel
def gradient(problem: Problem, island):
    """The gradient A (v - v*) - J^T gamma, and minus it in dv.

    Returns its size as a velocity, and its square by the diagonal of A.
    """
    g, x, free, v = problem.gradient, problem.dv, problem.v_free, problem.v
    for clique in problem.cliques_of(island):
        for i in range(clique.start, clique.start + clique.size):
            x[i] = free[i] - v[i]
        times_clique(problem, clique, clique.of(x), clique.of(g))
    for block in problem.blocks_of(island):
        block_add_transposed(problem, block, problem.gamma, g)
    largest, total = 0.0, 0.0
    for clique in problem.cliques_of(island):
        A, own, down = problem.A(clique), clique.of(g), clique.of(x)
        for i in range(clique.size):
            t = own[i]
            down[i] = t
            r = t / A[i, i]
            largest = max(largest, abs(r))
            total += r * t
            own[i] = -t
    return largest, total


@kernel
def slopes(problem: Problem, island):
    """(dv . A (v - v*), dv . A dv, dv . gradient), and du = J dv."""
    dv, y, g = problem.dv, problem.inertia_dv, problem.gradient
    v, free = problem.v, problem.v_free
    linear, quadratic, slope = 0.0, 0.0, 0.0
    for clique in problem.cliques_of(island):
        times_clique(problem, clique, clique.of(dv), clique.of(y))
        for i in range(clique.start, clique.start + clique.size):
            moved = v[i] - free[i]
            linear += y[i] * moved
            quadratic += y[i] * dv[i]
            slope += g[i] * dv[i]
    changes(problem, island)
    return linear, quadratic, slope


@kernel
def changes(problem: Problem, island):
    """du = J dv."""
    for block in problem.blocks_of(island):
        block_times(problem, block, problem.dv, problem.du)


@kernel
def advance(problem: Problem, island, x, step):
    """x += step du, of an island's rows."""
    du = problem.du
    for block in problem.blocks_of(island):
        for i in range(block.row, block.end):
            x[i] += step * du[i]


@kernel
def search(problem: Problem, island, p):
    """Step along dv to the minimum of the convex function; u and gamma follow. Returns it."""
    linear, quadratic, start = slopes(problem, island)
    step, low, high, at_low, at_high = 1.0, 0.0, -1.0, start, 0.0
    now = 0.0
    for k in range(LINE_STEPS):
        advance(problem, island, problem.u, step - now)
        now = step
        f = linear + step * quadratic - laws(problem, island, p, False)
        if abs(f) <= 0.05 * abs(start) or (k == 0 and f < 0.0):
            break
        if f < 0.0:
            low, at_low = step, f
        else:
            high, at_high = step, f
        step = between(k, low, high, at_low, at_high)
    add_velocities(problem, island, problem.dv, problem.v, now)
    return now


@kernel
def between(k, low, high, at_low, at_high):
    """Where to look next for the zero of a slope, negative at low: by a secant, or half way."""
    if k % 3 == 2:
        step = 0.5 * (low + high)
    else:
        step = low - (high - low) * at_low / (at_high - at_low)
    width = 0.05 * (high - low)
    return min(max(step, low + width), high - width)


@kernel
def add_velocities(problem: Problem, island, x, y, step):
    """y += step x, of an island's velocities."""
    for clique in problem.cliques_of(island):
        for i in range(clique.start, clique.start + clique.size):
            y[i] += step * x[i]
