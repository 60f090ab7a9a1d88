"""From a solver object (`contact.solvers`) to its kernel, for problems solved from Python."""

from __future__ import annotations

from typing import Any

from dalembert.contact import optional
from dalembert.contact.automatic import solve_problem
from dalembert.contact.layout import CLIQUES, CONVERGED, OPTIONS, STALLED
from dalembert.contact.least_norm import finer, least_norm
from dalembert.contact.solvers import (
    ADMM,
    ContactSolver,
    ConvexContact,
    Lemke,
    ProjectedGaussSeidel,
)

_WHOLE: dict[int, Any] = {
    ADMM.code: optional.solve_admm,
    ConvexContact.code: optional.solve_convex,
    Lemke.code: optional.solve_lemke,
    ProjectedGaussSeidel.code: optional.solve_pgs,
}
"""Kernels of whole problems other than `solve_problem`."""


def write_options(solver: ContactSolver, integers: Any, numbers: Any) -> None:
    """Parameters of the solver to where its kernel looks for them."""
    start, options = int(integers[OPTIONS]), solver.options()
    numbers[start : start + len(options)] = options


def solve_by(
    solver: ContactSolver,
    integers: Any,
    numbers: Any,
    tolerance: float,
    budget: int,
    least: bool = False,
) -> int:
    """Solve what the arrays hold, for impulses of least norm if asked for.

    The status is that of `solve_problem`.
    """
    write_options(solver, integers, numbers)
    whole = _WHOLE.get(solver.code)
    aim = finer(tolerance, int(integers[CLIQUES])) if least else tolerance
    if whole is None:
        status = int(solve_problem(integers, numbers, solver.code, aim, budget))
    else:
        status = int(whole(integers, numbers, aim, budget))
    if least and status in (CONVERGED, STALLED):
        return int(least_norm(integers, numbers, tolerance))
    return status
