"""Impulses of least norm: the share of every contact where the laws leave it open.

Rows that depend on each other (four legs of a table, a hinge made twice) can share out the same
momentum in many ways, at the same velocities. With v, and what is open, sliding and sticking by it,

    minimise  |lam|^2 / 2     subject to   J^T lam = J^T lam_0,    lam in F(v),

has one solution: it does not depend on the warm start, and has the symmetries of the problem. F(v)
are the impulses that keep the laws at v: of what is open 0, of a sliding contact the ray against
its sliding, of a sticking one the cone, of motors at a bound this bound, of compliant rows their
force. lam_0, the solver's answer, is in it. A torque counts by its length, as in the residual.

The dual problem has the size of the velocities. With z = J y, lam = P_F(z), it is the minimum of
the convex function |z|^2 / 2 - |z - P_F(z)|^2 / 2 - y . J^T lam_0, its gradient J^T (lam - lam_0):
Newton's method with (eps A + J^T D J), D = dP_F, and an exact line search. eps A makes it regular,
costs a few more steps, and does not change the answer.
"""

from dalembert._jit import kernel
from dalembert.contact.algebra.blocks import block_add_transposed, block_times
from dalembert.contact.algebra.cholesky import assemble, factorise, solve_factored
from dalembert.contact.algebra.prepare import move
from dalembert.contact.algebra.residuals import copy_rows, keep, measure, report, take_back
from dalembert.contact.algebra.symbolic import READY, symbolic
from dalembert.contact.problem.layout import CONE, CONVERGED, OVERFLOW, Problem
from dalembert.contact.solvers.least_norm_set import admit, admitted_of, project
from dalembert.contact.solvers.proximal import LINE_STEPS, advance, between
from dalembert.contact.solvers.solver import SMALL, SMALL_TOLERANCE, tolerance_of

STEPS, SOFT = 40, 1e-6
"""Most factorisations of an island; eps over the mean of w."""

NEAR = 0.5
"""Part of the tolerance: velocities up to here count as zero, so that the residual stays below."""

EXACT, ENOUGH = 1e-14, 0.1
"""Rest of the momentum: of W lam_0 at the end, and of the tolerance at most. Rays that
should be parallel and are to rounding carry it no better."""


@kernel
def least_norm(problem: Problem, tolerance):
    """lam of a solved problem becomes that of least norm, island by island. Returns the status.

    tolerance [m/s]: to be kept, ten times that of the solve (`finer`); 0 takes that of the size of
    each island.
    """
    for i in range(problem.islands):
        island = problem.island(i)
        if island.block_count > 1:
            if symbolic(problem) != READY:
                return OVERFLOW
            aim = tolerance_of(island, tolerance)
            if island.fill >= 0:
                _share(problem, island, aim)
            if island.residual <= aim:
                island.status = CONVERGED
    return report(problem)


@kernel
def finer(tolerance, cliques):
    """Tolerance of a solve that `least_norm` follows: what is open and what slides must be told."""
    if tolerance != 0.0:
        return 0.1 * tolerance
    return 0.1 * SMALL_TOLERANCE if cliques <= SMALL else 0.0


@kernel
def _share(problem: Problem, island, tolerance):
    """One island. What was there stays where it cannot be found, or keeps the laws less well."""
    left = measure(problem, island)
    island.residual = left
    if not left <= tolerance:
        return
    keep(problem, island)
    near = max(left, NEAR * tolerance)
    scale = admit(problem, island, near)
    if _newton(problem, island, scale, ENOUGH * tolerance):
        copy_rows(problem, island, problem.gamma, problem.lam)
        move(problem, island)
        now = measure(problem, island)
        if now <= tolerance:
            island.residual = now
            return
    take_back(problem, island)


@kernel
def _left(problem: Problem, island):
    """dv = J^T (lam_0 - gamma). Returns its size as a velocity, and that of W lam_0."""
    x, gamma, before, off = problem.dv, problem.gamma, problem.best_lam, problem.u
    for clique in problem.cliques_of(island):
        for i in range(clique.start, clique.start + clique.size):
            x[i] = 0.0
    largest, size = 0.0, 0.0
    for block in problem.blocks_of(island):
        for i in range(block.row, block.end):
            off[i] = before[i] - gamma[i]
            size = max(size, block.w * abs(before[i]))
        block_add_transposed(problem, block, off, x)
    for clique in problem.cliques_of(island):
        A, own = problem.A(clique), clique.of(x)
        for i in range(clique.size):
            largest = max(largest, abs(own[i]) / A[i, i])
    return largest, size


@kernel
def _newton(problem: Problem, island, scale, enough):
    """gamma of least norm. Returns whether it carries the momentum."""
    z, du, dy = admitted_of(problem).z, problem.du, problem.dv
    for block in problem.blocks_of(island):
        for i in range(block.row, block.end):
            z[i], du[i] = 0.0, 0.0
    stiff = 1.0 / (SOFT * scale)
    project(problem, island, True)
    left, size = _left(problem, island)
    for _ in range(STEPS):
        if left <= EXACT * size:
            return True
        # (A + J^T D J / eps) (eps dy) = J^T (lam_0 - gamma)
        for block in problem.blocks_of(island):
            _stiffen(problem, block, stiff)
        assemble(problem, island)
        if not factorise(problem, island):
            return False
        solve_factored(problem, island, dy)
        for block in problem.blocks_of(island):
            block_times(problem, block, dy, du)
            for i in range(block.row, block.end):
                du[i] *= stiff
        length, before = _search(problem, island), left
        left, size = _left(problem, island)
        if min(left, before) <= enough and not (left < 0.1 * before):
            if left > before:
                advance(problem, island, admitted_of(problem).z, -length)
                project(problem, island, False)
            return True
    return left <= enough


@kernel
def _stiffen(problem: Problem, block, factor):
    """Curvature of a block times a factor."""
    dim, kind = block.dim, block.kind
    G = block.room(problem.curvature)
    floats = dim if kind < CONE else (6 if kind == CONE else dim * dim)
    for i in range(floats):
        G[i] *= factor


@kernel
def _search(problem: Problem, island):
    """z += s du with the s of the least dual function; gamma and curvature follow. Returns s."""
    start = project(problem, island, False)
    step, low, high, at_low, at_high, now = 1.0, 0.0, -1.0, start, 0.0, 0.0
    for k in range(LINE_STEPS):
        advance(problem, island, admitted_of(problem).z, step - now)
        now = step
        f = project(problem, island, False)
        if abs(f) <= 0.05 * abs(start):
            return now
        if f < 0.0:
            low, at_low = step, f
            if high < 0.0:
                # farther only where the slope has hardly changed
                if k > 3 or f > 0.5 * start:
                    return now
                step *= 2.0
                continue
        else:
            high, at_high = step, f
        step = between(k, low, high, at_low, at_high)
    return now
