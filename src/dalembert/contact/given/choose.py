"""From a solver object to its kernel, for problems solved from Python."""

from __future__ import annotations

from dalembert.contact.problem.layout import CONVERGED, STALLED, Problem
from dalembert.contact.solvers.least_norm import finer, least_norm
from dalembert.contact.solvers.solver import ContactSolver
from dalembert.contact.solvers.table import kernel_of, name_of


def write_options(solver: ContactSolver, problem: Problem) -> None:
    """Parameters of the solver to where its kernel looks for them."""
    options = solver.options()
    problem.options[: len(options)] = options


def solve_by(
    solver: ContactSolver, problem: Problem, tolerance: float, budget: int, least: bool = False
) -> int:
    """Solve a problem, for impulses of least norm if asked for.

    The status is that of the kernel (`contact.solvers.solver`).
    """
    write_options(solver, problem)
    aim = finer(tolerance, problem.cliques) if least else tolerance
    status = int(kernel_of(name_of(solver))(problem, aim, budget))
    if least and status in (CONVERGED, STALLED):
        return int(least_norm(problem, tolerance))
    return status
