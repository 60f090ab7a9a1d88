"""A whole problem by a solver of islands: every island by itself, then the report.

Islands do not see one another, and nothing but the problem decides what is done. A solver has a
kernel of its own for whole problems, so that a run compiles the solver it uses and no other.
"""

from __future__ import annotations

from dalembert._jit import Kernel, kernel, name_around
from dalembert.contact.algebra.prepare import READY, prepare_rows
from dalembert.contact.algebra.residuals import report
from dalembert.contact.problem.layout import FAILED, OVERFLOW, Problem

SMALL, SMALL_TOLERANCE, LARGE_TOLERANCE = 32, 1e-8, 1e-6
"""Cliques of an island that is solved to the first tolerance; larger ones to the second."""


@kernel
def tolerance_of(island, tolerance):
    """The given one; below 0 that part of the island's own, with 0 by the size of the island."""
    if tolerance > 0.0:
        return tolerance
    if tolerance < 0.0:
        return -tolerance * island.tolerance
    return SMALL_TOLERANCE if island.clique_count <= SMALL else LARGE_TOLERANCE


def of_islands(name: str, code: int, solve_island: Kernel) -> Kernel:
    """The kernel of whole problems by a kernel of islands; `code` is told of every island."""

    def solve(problem: Problem, tolerance, budget):
        """Fill v, lam, info. Returns CONVERGED, STALLED, FAILED or OVERFLOW.

        tolerance [m/s]: see `tolerance_of`; budget: 0 takes the solver's own.
        """
        if prepare_rows(problem, True) != READY:
            problem.info.status = FAILED
            return FAILED
        for i in range(problem.islands):
            island = problem.island(i)
            if island.block_count > 0:
                aim = tolerance_of(island, tolerance)
                status = solve_island(problem, island, aim, budget)
                if status == OVERFLOW:
                    return OVERFLOW
                island.status, island.method = status, code
        return report(problem)

    name_around([solve_island], f"solve_by_{name}", solve)
    return kernel(solve)
