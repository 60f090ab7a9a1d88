"""Augmented-Lagrangian Newton (`newton`): the rigid laws as the limit of proximal ones.

Around impulses lam, with weights r = p w, every block answers the velocity u with an impulse

    gamma(u) = law(r lam - u, r + R),                                           (`solvers.proximal`)

and A (v - v*) - J^T gamma(J v + b) = 0 is solved for v by Newton's method with H = A + J^T G J,
G = -d gamma / du. Then lam <- gamma, and again: the softness goes as lam settles, and what remains
are the rigid laws. The method of multipliers for contact: Alart and Curnier (1991); with a cone and
a factorisation over velocities: Castro et al. (2022), whose SAP is one such problem with R fixed.

The law of a contact is taken in one of two ways.

* `_coupled`: Signorini's and Coulomb's laws themselves. H is not symmetric where contacts slide. It
  converges in a few steps, not always from afar: a step must reduce what is left of the momentum.
* `_convex`: the projection on the cone, with De Saxce's shift s = mu |u_t + R lam_t| held. Then
  gamma is the gradient of a convex function, and an exact line search goes down from anywhere. s
  follows after each subproblem, which converges slowly, or not at all, where mu^2 W_tt > W_nn and
  contacts slide.

p adapts: a subproblem that was not solved gets a larger one, one that was solved and helped little
a smaller one, but for a while none that has failed. 1 / p amplifies what is left of a subproblem
into lam: the best (v, lam) is kept, and returned to after a failure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dalembert._jit import kernel
from dalembert.contact.algebra.cholesky import (
    assemble,
    assemble_both,
    factorise,
    factorise_both,
    solve_both,
    solve_factored,
)
from dalembert.contact.algebra.prepare import move
from dalembert.contact.algebra.residuals import copy_rows, copy_velocities, keep, measure, take_back
from dalembert.contact.algebra.symbolic import READY, symbolic
from dalembert.contact.problem.layout import CONE, CONVERGED, OVERFLOW, ROLL, STALLED, Problem
from dalembert.contact.solvers.proximal import (
    add_velocities,
    advance,
    changes,
    gradient,
    hold_shifts,
    laws,
    search,
)
from dalembert.contact.solvers.solver import ContactSolver

BUDGET = 150
"""Factorisations by default."""

FIRST_P, NEAR_P, CLOSE_P, LEAST_P, LARGEST_P = 1e-1, 1e-2, 1e-5, 1e-6, 1.0

FAR, CLOSE = 1e-3, 1e-7
"""Residuals [m/s] above which p starts at FIRST_P, and at NEAR_P; below them there is little left
that a small p could amplify, and heavy on light needs one."""

COUPLED_STEPS, CONVEX_STEPS, HALVINGS = 12, 25, 5
"""Most factorisations of a subproblem, and halvings of a step."""

PATIENCE = 4
"""Subproblems without progress after which contacts are taken in the other of the two ways."""

MOST_TURNS = 4
"""Turns without progress after which nothing is left to try."""


@kernel
def _slides(problem: Problem, island):
    """Whether G has entries beyond the symmetric ones."""
    for block in problem.blocks_of(island):
        if block.kind == CONE:
            beyond = problem.cone_curvature(block).beyond
            if beyond.x != 0.0 or beyond.y != 0.0:
                return True
        elif block.kind == ROLL:
            G = block.square(problem.curvature)
            for i in range(1, block.dim):
                if G[i, 0] != 0.0:
                    return True
    return False


@kernel
def _convex(problem: Problem, island, p, target, most):
    """Newton's method for the convex subproblem. Returns (solved, factorisations)."""
    laws(problem, island, p, False)
    for used in range(most + 1):
        size, _ = gradient(problem, island)
        if size <= target:
            return True, used
        if used == most:
            break
        assemble(problem, island)
        factorise(problem, island)
        solve_factored(problem, island, problem.dv)
        search(problem, island, p)
    return False, most


@kernel
def _coupled(problem: Problem, island, p, target, most):
    """Newton's method for Coulomb's law itself around lam. Returns (solved, factorisations).

    There is no function to go down on: a step must reduce A^-1-weighted squares of what is left of
    the momentum, and is halved otherwise.
    """
    v, step = problem.v, problem.spare_v
    laws(problem, island, p, True)
    size, merit = gradient(problem, island)
    bad = 0
    for used in range(most):
        if size <= target:
            return True, used
        if _slides(problem, island):
            assemble_both(problem, island)
            factorise_both(problem, island)
            solve_both(problem, island, problem.dv)
        else:
            assemble(problem, island)
            factorise(problem, island)
            solve_factored(problem, island, problem.dv)
        copy_velocities(problem, island, problem.dv, step)
        changes(problem, island)
        now, length, new = 0.0, 1.0, merit
        for _ in range(HALVINGS):
            advance(problem, island, problem.u, length - now)
            add_velocities(problem, island, step, v, length - now)
            now = length
            laws(problem, island, p, True)
            size, new = gradient(problem, island)
            if new < merit:
                break
            length *= 0.5
        if not (new < 0.9 * merit):
            bad += 1
            if bad > 2 or not (new < math.inf):
                return False, used + 1
        merit = new
    return size <= target, most


@kernel
def newton(problem: Problem, island, tolerance, budget, residual):
    """From (v, lam), whose residual and u are known, at most `budget` factorisations.

    Leaves the best (v, lam) and returns its residual.
    """
    p = FIRST_P if residual > FAR else NEAR_P if residual > CLOSE else CLOSE_P
    best, last, coupled = residual, residual, True
    used, rounds, idle, turns, successes = 0, 0, 0, 0, 0
    floor = LEAST_P
    keep(problem, island)
    hold_shifts(problem, island)
    # A subproblem can be solved without a factorisation: both are counted.
    while used < budget and rounds < budget and not (best <= tolerance):
        rounds += 1
        target = max(0.05 * min(last, 0.1), 0.02 * tolerance)
        if coupled:
            most = min(COUPLED_STEPS, budget - used)
            solved, more = _coupled(problem, island, p, target, most)
        else:
            most = min(CONVEX_STEPS, budget - used)
            solved, more = _convex(problem, island, p, target, most)
        used += more
        copy_rows(problem, island, problem.gamma, problem.lam)
        move(problem, island)
        residual = measure(problem, island)
        island.iterations += 1
        idle += 1
        if residual < (0.9 if coupled else 0.7) * best:
            idle, turns = 0, 0
        if residual < best:
            best = residual
            keep(problem, island)
        if not solved:
            if coupled:
                floor, successes = min(3.0 * p, LARGEST_P), 0
            p = min(10.0 * p, LARGEST_P)
        else:
            successes += 1
            if successes == PATIENCE:
                floor, successes = max(0.1 * floor, LEAST_P), 0
            if residual > 0.2 * last:
                p = max(0.1 * p, floor if coupled else LEAST_P)
        if idle == PATIENCE:
            coupled, idle, turns, floor = not coupled, 0, turns + 1, LEAST_P
            if turns == MOST_TURNS:
                break
        if (idle == 0 or not solved) and not (residual <= 10.0 * best):
            take_back(problem, island)
            residual = measure(problem, island)
        last = residual
        hold_shifts(problem, island)
    take_back(problem, island)
    island.factorisations += used
    return best


@kernel
def newton_island(problem: Problem, island, tolerance, budget):
    """Nothing but this; `budget` factorisations, 0 for the usual number."""
    if symbolic(problem) != READY:
        return OVERFLOW
    move(problem, island)
    residual = measure(problem, island)
    if island.fill >= 0:
        most = budget if budget > 0 else BUDGET
        residual = newton(problem, island, tolerance, most, residual)
    island.residual = residual
    return CONVERGED if residual <= tolerance else STALLED


@dataclass(frozen=True)
class NewtonContact(ContactSolver):
    """Augmented Lagrangian: Newton's method around impulses that move to the rigid answer.

    Parameters
    ----------
    factorisations : int    of A + J^T G J, at most, in an island
    """

    factorisations: int = BUDGET

    solve_island = newton_island
    counts = "factorisations"
