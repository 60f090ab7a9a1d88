"""Interior points by themselves (`interior`), with Newton's method for the last digits."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dalembert._jit import kernel
from dalembert.contact.algebra.prepare import move
from dalembert.contact.algebra.residuals import copy_rows, copy_velocities, measure
from dalembert.contact.algebra.symbolic import READY, symbolic
from dalembert.contact.problem.layout import CONVERGED, FAILED, OVERFLOW, STALLED, Problem
from dalembert.contact.solvers.interior import interior
from dalembert.contact.solvers.newton import BUDGET, newton
from dalembert.contact.solvers.solver import ALL_KINDS, ContactSolver

CROSSING = 1e-6
"""Residual [m/s] down to which interior points go."""


@kernel
def interior_island(problem: Problem, island, tolerance, budget):
    """Newton gains the last digits; `budget` factorisations, 0 for the usual number."""
    if symbolic(problem) != READY:
        return OVERFLOW
    move(problem, island)
    most, start = budget if budget > 0 else BUDGET, measure(problem, island)
    residual, lam, v = start, problem.kept_lam, problem.kept_v
    if island.fill >= 0:
        copy_rows(problem, island, problem.lam, lam)
        copy_velocities(problem, island, problem.v, v)
        residual = interior(problem, island, max(tolerance, CROSSING), most)
        left = most - island.factorisations
        if not (residual <= tolerance) and residual < math.inf and left > 0:
            residual = newton(problem, island, tolerance, left, residual)
        if not (residual <= start):
            copy_rows(problem, island, lam, problem.lam)
            copy_velocities(problem, island, v, problem.v)
            residual = measure(problem, island)
    island.residual = residual
    if residual <= tolerance:
        return CONVERGED
    return STALLED if residual < math.inf else FAILED


@dataclass(frozen=True)
class InteriorPoint(ContactSolver):
    """Primal-dual interior points on the cones, with Newton's method for the last digits.

    Parameters
    ----------
    factorisations : int    of A + J^T G J, at most, in an island
    """

    factorisations: int = BUDGET

    solve_island = interior_island
    counts = "factorisations"
    kinds = ALL_KINDS - {"ROLL"}
    warm_start = False
