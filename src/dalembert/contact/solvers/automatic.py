"""The default solver (`auto`): the others in turns, as far as they help.

1. The residual of the warm start is below the tolerance: done.
2. A small island of trees: contact space, over impulses (`contact.solvers.dense.newton`).
3. The residual is large, or there is no warm start: sweeps of Gauss-Seidel, ten at a time, as long
   as they help much. They are kept if they at least halve the residual: at high ratios of masses
   they ruin a good start.
4. If the factor is not too large: a few steps of Newton, which are enough where little has changed;
   else the interior point method, whose work hardly depends on the problem, and Newton from there.
5. Sweeps again for what is left; the better of both is kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dalembert._jit import kernel
from dalembert.contact.algebra.prepare import complete_responses, move
from dalembert.contact.algebra.residuals import copy_rows, copy_velocities, keep, measure, take_back
from dalembert.contact.algebra.symbolic import READY, symbolic
from dalembert.contact.problem.layout import CONVERGED, EQ, FAILED, OVERFLOW, STALLED, Problem
from dalembert.contact.solvers.dense.newton import dense
from dalembert.contact.solvers.dense.response import moves_as_tree
from dalembert.contact.solvers.gauss_seidel import LONG_SWEEPS, local_inverses, sweeps
from dalembert.contact.solvers.interior import interior, is_inside
from dalembert.contact.solvers.interior_point import CROSSING
from dalembert.contact.solvers.newton import BUDGET, newton
from dalembert.contact.solvers.solver import ContactSolver

QUICK, QUICK_SWEEPS, MANY = 30, 40, 256
"""Budget up to which nothing is done after Newton (that of the profile "fast"), the sweeps of
islands that have no room for it, and the cliques of those that are not even ordered."""

TRIAL, LONG_TRIAL, FEW_BLOCKS = 6, 20, 100
"""Factorisations of Newton from the warm start, and with up to so many blocks.

Where the laws leave a choice, Newton stays near the last step and interior points do not."""

JOINTED_TRIAL, FEW_JOINTED = 40, 32
"""Factorisations and blocks where joints are among them: mechanisms jam, which leaves a choice."""

NEARLY = 1e-2
"""Part of the residual that is left when Newton gets as many again."""

COLD = 1e-2
"""Residual [m/s] above which sweeps are tried before Newton."""

LARGE_FILL, LEAST_BUDGET = 1000, 20
"""Blocks of the factor above which the budget shrinks, and to what.

A factorisation takes 0.3 ms with 1000 blocks, and grows with their square in a heap of spheres."""

ROUND, ROUNDS, LAST_SWEEPS = 10, 5, 300
"""Sweeps at a time, and times, before Newton; sweeps after it."""


@kernel
def _begun(problem: Problem, island):
    """Whether there is a warm start."""
    for block in problem.blocks_of(island):
        for i in range(block.row, block.end):
            if problem.lam[i] != 0.0:
                return True
    return False


@kernel
def _first_sweeps(problem: Problem, island, tolerance, residual):
    """Step 3. Leaves the better (v, lam) and U, and returns its residual."""
    keep(problem, island)
    complete_responses(problem, island)
    local_inverses(problem, island)
    before, now = residual, residual
    for _ in range(ROUNDS):
        now = sweeps(problem, island, tolerance, ROUND)
        if now <= tolerance or not (now <= 0.1 * before):
            break
        before = now
    if now <= 0.5 * residual:
        return now
    take_back(problem, island)
    return measure(problem, island)


@kernel
def _last_sweeps(problem: Problem, island, tolerance, residual, most):
    """Step 5."""
    keep(problem, island)
    complete_responses(problem, island)
    local_inverses(problem, island)
    now = sweeps(problem, island, tolerance, most)
    if now < residual:
        return now
    take_back(problem, island)
    return residual


@kernel
def _trial(problem: Problem, island):
    """Factorisations of Newton's trial."""
    if island.block_count <= FEW_JOINTED:
        for block in problem.blocks_of(island):
            if block.kind == EQ:
                return JOINTED_TRIAL
    return LONG_TRIAL if island.block_count <= FEW_BLOCKS else TRIAL


@kernel
def _factored(problem: Problem, island, tolerance, budget, residual):
    """Step 4: Newton; if that has not come far soon, the interior point method and Newton again.

    Leaves the best (v, lam) and U, and returns its residual.
    """
    before = island.factorisations
    some, start = budget, residual
    if start > CROSSING and is_inside(problem, island):
        some = min(budget, _trial(problem, island) if budget > QUICK else TRIAL)
    residual = newton(problem, island, tolerance, some, residual)
    if tolerance < residual <= NEARLY * start and some < budget:
        again = min(some, budget - some)
        residual = newton(problem, island, tolerance, again, residual)
    left = budget - island.factorisations + before
    if residual <= tolerance or some == budget or left <= 0:
        return residual
    lam, v = problem.kept_lam, problem.kept_v
    copy_rows(problem, island, problem.lam, lam)
    copy_velocities(problem, island, problem.v, v)
    other = interior(problem, island, max(tolerance, CROSSING), left)
    left = budget - island.factorisations + before
    if not (other <= tolerance) and other < math.inf and left > 0:
        other = newton(problem, island, tolerance, left, other)
    if other < residual:
        return other
    copy_rows(problem, island, lam, problem.lam)
    copy_velocities(problem, island, v, problem.v)
    return measure(problem, island)


@kernel
def auto_island(problem: Problem, island, tolerance, budget):
    """All steps; `budget` factorisations, 0 for the usual number."""
    budget = budget if budget > 0 else BUDGET
    quick, residual = budget <= QUICK, math.inf
    if not moves_as_tree(problem, island):
        # what rests may have its answer
        move(problem, island)
        residual = measure(problem, island)
        island.first_residual = residual
    if not (residual <= tolerance):
        residual = dense(problem, island, tolerance, residual)
    island.u_known = 1 if residual <= tolerance else 0
    if not (residual <= tolerance) and quick and island.clique_count > MANY:
        residual = _last_sweeps(problem, island, tolerance, residual, QUICK_SWEEPS)
    elif not (residual <= tolerance):
        if not (residual <= COLD) or not _begun(problem, island):
            residual = _first_sweeps(problem, island, tolerance, residual)
        if not (residual <= tolerance):
            if symbolic(problem) != READY:
                return OVERFLOW
            fill, last = island.fill, 0 if quick else LAST_SWEEPS
            if fill < 0 or (quick and fill > LARGE_FILL):
                last = QUICK_SWEEPS if quick else LONG_SWEEPS
            else:
                if fill > LARGE_FILL and budget > LEAST_BUDGET:
                    budget = max(LEAST_BUDGET, budget * LARGE_FILL // fill)
                residual = _factored(problem, island, tolerance, budget, residual)
            if not (residual <= tolerance) and last > 0:
                residual = _last_sweeps(problem, island, tolerance, residual, last)
    island.residual = residual
    if residual <= tolerance:
        return CONVERGED
    return STALLED if residual < math.inf else FAILED


@dataclass(frozen=True)
class AutomaticContact(ContactSolver):
    """Sweeps of Gauss-Seidel, Newton, interior points, and sweeps for what is left: the default.

    Parameters
    ----------
    factorisations : int    of A + J^T G J, at most, in an island
    """

    factorisations: int = BUDGET

    solve_island = auto_island
    counts = "factorisations"
