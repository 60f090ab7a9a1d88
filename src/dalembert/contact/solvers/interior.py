"""Interior point method for contact with friction: through the middle of the cones to the answer.

Impulses and sliding are kept strictly inside their cones, and complementarity is relaxed to a
multiple of the identity that goes to zero:

    A (v - v*) = J^T lam,    y = T (J v + b + R lam),    lam o y = tau e      (`solvers.lorentz`)

T = [1, mu t^T; 0, 1], t the direction of sliding, makes y_n = u_n + mu |u_t|: De Saxce's form of
Coulomb's law (Acary, Armand, Nguyen, Shpakovych 2023). Newton's step of it, with the scaling of
Nesterov and Todd, predictor and corrector of Mehrotra (1992):

    (A + J^T G J) dv = -(A (v - v*) - J^T (lam + K k)),    dlam = K k - G J dv
    S = P^-1 W^-2 P^-1,   G = (S^-1 + T R)^-1 T,   K = (S^-1 + T R)^-1 S^-1,   P = diag(mu, 1, 1)

so that the matrix is the H of `contact.algebra.cholesky`. BOX and UNI have a dual for each of their
bounds, EQ the law R lam + u = 0 with a vanishing softness. The iteration needs no good start and
counts about ten steps, whatever the island is; where several distributions of impulses serve, it
finds one in the middle of them, from where `contact.solvers.newton` gains the last digits in a step
or two.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import block_add_transposed
from dalembert.contact.algebra.cholesky import assemble_both, factorise_both, solve_both
from dalembert.contact.algebra.clique_factors import times_clique
from dalembert.contact.algebra.prepare import move
from dalembert.contact.algebra.residuals import copy_velocities, keep, measure, take_back
from dalembert.contact.problem.layout import CONE, ROLL, Problem
from dalembert.contact.solvers.interior_rows import (
    answer,
    begin,
    bounded_aim,
    bounded_curvature,
    bounded_duals,
    bounds,
    cone_of,
    duals_of,
    is_cone,
    softness,
    stretched,
)
from dalembert.contact.solvers.lorentz import Scaling, circle, divided, way_out
from dalembert.contact.solvers.proximal import add_velocities, changes, gradient
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import Vec3, put_vec3, vec3

MOST_STEPS, SHORTEST, PATIENCE = 30, 1e-4, 3
"""Most steps; steps that are too short, and how many of them, or without progress, end it."""

BACK = 0.99
"""Part of the way out taken."""

LEAST_CENTRING = 1e-4
"""Least part of tau that is kept."""


@kernel
def is_inside(problem: Problem, island):
    """Whether every block of the island has a law this method treats."""
    for block in problem.blocks_of(island):
        if block.kind == ROLL:
            return False
    return True


@kernel
def _curve(problem: Problem, island):
    """Curvature G of every block."""
    for block in problem.blocks_of(island):
        if is_cone(block):
            it = cone_of(problem, block)
            W = Scaling.of(it.r, it.y)
            K = softness(1.0 / it.mu, W.back.squared) if it.is_rigid else it.softened(W.squared)
            g, G = K.times(it.T), problem.cone_curvature(block)
            G.symmetric = Sym3.upper(g)
            G.beyond = Vec3(g.yx - g.xy, g.zx - g.xz, g.zy - g.yz)
        elif block.kind == CONE:
            G = problem.cone_curvature(block)
            G.symmetric = Sym3(bounded_curvature(problem, block, 0), 0.0, 0.0, 0.0, 0.0, 0.0)
            G.beyond = Vec3.zero()
        else:
            diagonal = block.room(problem.curvature)
            for i in range(block.dim):
                diagonal[i] = bounded_curvature(problem, block, i)


@kernel
def _gap(problem: Problem, island, step):
    """Mean of lam . y after a step."""
    duals, total, degree = duals_of(problem), 0.0, 0
    for block in problem.blocks_of(island):
        lam, dlam = block.of(problem.lam), block.of(duals.dlam)
        y, dy = block.of(duals.y), block.of(duals.dy)
        upper, dupper = block.of(duals.y_upper), block.of(duals.dy_upper)
        if is_cone(block):
            for i in range(3):
                f = block.mu.sliding if i == 0 else 1.0
                total += f * (lam[i] + step * dlam[i]) * (y[i] + step * dy[i])
            degree += 1
        else:
            for i in range(block.dim):
                low, high = bounds(problem, block, i)
                if low < high:
                    a = lam[i] + step * dlam[i]
                    if low > -math.inf:
                        total += (a - low) * (y[i] + step * dy[i])
                        degree += 1
                    if high < math.inf:
                        total += (high - a) * (upper[i] + step * dupper[i])
                        degree += 1
    return total / degree if degree > 0 else 0.0


@kernel
def _aim(problem: Problem, island, tau, corrected):
    """gamma = lam + K k, for lam o y = tau e; `corrected` by the second order of the last step."""
    lam, gamma = problem.lam, problem.gamma
    for block in problem.blocks_of(island):
        if is_cone(block):
            k = _cone_aim(problem, block, tau, corrected)
            put_vec3(gamma, block.row, vec3(lam, block.row) + k)
        else:
            for i in range(block.dim):
                e, _, _ = bounded_aim(problem, block, i, tau, corrected)
                g = bounded_curvature(problem, block, i)
                gamma[block.row + i] = lam[block.row + i] + g * e


@kernel
def _cone_aim(problem: Problem, block, tau, corrected):
    """K k of a contact with friction."""
    duals, it = duals_of(problem), cone_of(problem, block)
    W = Scaling.of(it.r, it.y)
    back = W.back
    middle = W @ it.r
    wanted = -1.0 * circle(middle, middle)
    wanted = Vec3(wanted.x + tau, wanted.y, wanted.z)
    if corrected:
        a, b = stretched(it.mu, vec3(duals.dlam, block.row)), vec3(duals.dy, block.row)
        wanted = wanted - circle(W @ a, back @ b)
    s = it.T @ it.x
    left = Vec3(it.y.x - s.x / it.mu, it.y.y - s.y, it.y.z - s.z)
    # W^-1 (d + W^-1 left) = W^-1 d + W^-2 left
    k = back @ (divided(wanted, middle) + (back @ left))
    k = Vec3(k.x / it.mu, k.y, k.z)
    if not it.is_rigid:
        k = it.softened(W.squared) @ (softness(it.mu, W.squared) @ k)
    return k


@kernel
def _follow(problem: Problem, island, tau, corrected):
    """Steps of lam and the duals, of the du at hand. Returns the longest that stays inside."""
    lam, gamma, du = problem.lam, problem.gamma, problem.du
    longest = math.inf
    for block in problem.blocks_of(island):
        if is_cone(block):
            longest = min(longest, _cone_duals(problem, block))
        else:
            for i in range(block.dim):
                row = block.row + i
                change = gamma[row] - lam[row]
                change -= bounded_curvature(problem, block, i) * du[row]
                _, a, b = bounded_aim(problem, block, i, tau, corrected)
                longest = min(longest, bounded_duals(problem, block, i, change, a, b))
    return longest


@kernel
def _cone_duals(problem: Problem, block):
    """Steps of a contact with friction and of its dual, and how far they may go."""
    row, duals, it = block.row, duals_of(problem), cone_of(problem, block)
    d, R, mu = vec3(problem.du, row), it.R, it.mu
    step = vec3(problem.gamma, row) - vec3(problem.lam, row)
    step = step - answer(problem.cone_curvature(block), d)
    x = Vec3(
        it.x.x + d.x + R.x * step.x,
        it.x.y + d.y + R.y * step.y,
        it.x.z + d.z + R.z * step.z,
    )
    s = it.T @ x
    dual = Vec3(s.x / mu - it.y.x, s.y - it.y.y, s.z - it.y.z)
    put_vec3(duals.dlam, row, step)
    put_vec3(duals.dy, row, dual)
    return min(way_out(it.r, stretched(mu, step)), way_out(it.y, dual))


@kernel
def _go(problem: Problem, island, step):
    """lam, v and the duals take the step."""
    lam, duals = problem.lam, duals_of(problem)
    for block in problem.blocks_of(island):
        for i in range(block.row, block.end):
            lam[i] += step * duals.dlam[i]
            duals.y[i] += step * duals.dy[i]
            duals.y_upper[i] += step * duals.dy_upper[i]
    add_velocities(problem, island, problem.dv, problem.v, step)


@kernel
def _answers(problem: Problem, island):
    """dlam = G du of every block."""
    du, dlam = problem.du, duals_of(problem).dlam
    for block in problem.blocks_of(island):
        if block.kind == CONE:
            put_vec3(dlam, block.row, answer(problem.cone_curvature(block), vec3(du, block.row)))
        else:
            G = block.room(problem.curvature)
            for i in range(block.dim):
                dlam[block.row + i] = G[i] * du[block.row + i]


@kernel
def _refine(problem: Problem, island):
    """Solve once more for what is left of (A + J^T G J) dv = -gradient.

    G spans many powers of ten near the end; what the factorisation loses to that would appear in
    the impulses.
    """
    dv, y, g = problem.dv, problem.missing, problem.gradient
    _answers(problem, island)
    for clique in problem.cliques_of(island):
        times_clique(problem, clique, clique.of(dv), clique.of(y))
        for i in range(clique.start, clique.start + clique.size):
            y[i] += g[i]
    for block in problem.blocks_of(island):
        block_add_transposed(problem, block, duals_of(problem).dlam, y)
    solve_both(problem, island, y)
    add_velocities(problem, island, y, dv, -1.0)
    changes(problem, island)


@kernel
def _direction(problem: Problem, island, tau, corrected):
    """The step towards lam o y = tau e; returns how far it may go."""
    _aim(problem, island, tau, corrected)
    gradient(problem, island)
    solve_both(problem, island, problem.dv)
    changes(problem, island)
    _refine(problem, island)
    return _follow(problem, island, tau, corrected)


@apart(float)
def interior(problem: Problem, island, target, most):
    """From v* and the axes of the cones, until the residual is below `target` or `most` steps.

    Needs the symbolic factorisation. Leaves (v, lam) with v = v* + A^-1 J^T lam and u, of the best
    step where the last one was not finite; returns its residual.
    """
    copy_velocities(problem, island, problem.v_free, problem.v)
    residual = measure(problem, island)
    begin(problem, island)
    missing, idle, best, used = 1.0, 0, math.inf, 0
    for _ in range(min(most, MOST_STEPS)):
        residual = measure(problem, island)
        if residual <= target and missing <= 1e-9:
            break
        idle = 0 if residual < 0.7 * best else idle + 1
        if residual < best:
            best = residual
            keep(problem, island)
        if not (residual < math.inf) or (idle > PATIENCE and missing <= 1e-9):
            break
        _curve(problem, island)
        assemble_both(problem, island)
        used += 1
        if not factorise_both(problem, island):
            break
        now = _gap(problem, island, 0.0)
        longest = _direction(problem, island, 0.0, False)
        ahead = _gap(problem, island, min(1.0, longest))
        centring = min(max((ahead / now) ** 2, LEAST_CENTRING), 1.0) if now > 0.0 else 0.0
        longest = _direction(problem, island, centring * now, True)
        step = min(1.0, BACK * longest)
        if not step > SHORTEST:
            break
        _go(problem, island, step)
        missing *= 1.0 - step
    island.factorisations += used
    island.iterations += used
    move(problem, island)
    residual = measure(problem, island)
    if not (residual < math.inf) and best < math.inf:
        take_back(problem, island)
        move(problem, island)
        residual = measure(problem, island)
    return residual
