"""A problem of cliques and blocks solved from Python, at the scale of one.

The residual is measured again before anything is called converged. What `auto` has not solved of
contacts alone is solved over their impulses (`contact.solvers.delassus.solve`), from the best it
has found.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from dalembert.contact.given.choose import solve_by
from dalembert.contact.given.info import info_of
from dalembert.contact.given.scale import RELATIVE, Scale
from dalembert.contact.problem.capacity import grown
from dalembert.contact.problem.layout import OVERFLOW, SPACE_VELOCITIES
from dalembert.contact.problem.solve_info import SolveInfo
from dalembert.contact.solvers.automatic import AutomaticContact
from dalembert.contact.solvers.delassus.report import squared_maps
from dalembert.contact.solvers.delassus.rows import ROUNDING
from dalembert.contact.solvers.delassus.solve import works_on_delassus
from dalembert.contact.solvers.solver import ContactSolver

if TYPE_CHECKING:
    from dalembert.contact.given.problem import ContactProblem

Array = np.ndarray
Answer = tuple[Array, Array, SolveInfo]

OWN = -1.0
"""The tolerance of each island (`contact.solvers.solver.tolerance_of`)."""

MOST_ROWS = 2000
"""Rows up to which W is written out for what is left."""


def solve_cliques(
    problem: ContactProblem, solver: ContactSolver, tol: float | None, budget: int | None,
    least: bool,
) -> Answer:  # fmt: skip
    """Velocities, impulses and report of a solver; see `contact.given.problem.solve`."""
    problem.check()
    alone = _contacts_alone(problem)
    if alone and not least and _is_large(problem) and works_on_delassus(solver):
        return _over_impulses(problem, solver, tol, budget)
    limit = solver.budget() if budget is None else int(budget)
    v, lam, info, u = _solved(problem, solver, tol, limit, least)
    if tol is not None or solver.tolerance is not None or solver.law != "cone":
        return v, lam, info
    if not alone:
        return v, lam, info if info.relative_residual <= RELATIVE else _stalled(info)
    info = _by_collection(problem, u, lam, info)
    few = len(lam) <= MOST_ROWS and budget is None
    if info.status != "converged" and few and isinstance(solver, AutomaticContact) and not least:
        other = _over_impulses(problem, solver, tol, budget, lam)
        if other[2].relative_residual < info.relative_residual:
            return other
    return v, lam, info


def _over_impulses(
    problem: ContactProblem, solver: ContactSolver, tol: float | None, budget: int | None,
    lam: Array | None = None,
) -> Answer:  # fmt: skip
    """Contacts alone by W, from lam or the warm start."""
    A, J = problem.matrices()
    free = np.concatenate([clique.v_free for clique in problem.cliques])
    W = J @ np.linalg.solve(A, J.T)
    q = J @ free + np.concatenate([block.bias for block in problem.blocks])
    mu = np.array([block.mu[0] for block in problem.blocks])
    start = np.concatenate([block.lam0 for block in problem.blocks]) if lam is None else lam
    given = type(problem).from_delassus(0.5 * (W + W.T), q, mu, dimension=3, lam0=start)
    _, found, info = given.solved_by(solver, tol, budget, False)
    return free + np.linalg.solve(A, J.T @ found), found, info


def _solved(
    problem: ContactProblem, solver: ContactSolver, tol: float | None, limit: int, least: bool
) -> tuple[Array, Array, SolveInfo, Array]:
    """Velocities, impulses, report and u."""
    packed = problem.packed()
    while True:
        scale = Scale(packed, tol or solver.tolerance)
        if solve_by(solver, packed, OWN, limit, least) != OVERFLOW:
            break
        packed = problem.packed(grown(packed))
    scale.back(packed)
    info = info_of(packed)
    return packed.v.copy(), packed.lam.copy(), info, packed.u.copy()


def _is_large(problem: ContactProblem) -> bool:
    """Whether a clique is so large that W is the smaller matrix."""
    largest = max(len(clique.v_free) for clique in problem.cliques)
    return largest > SPACE_VELOCITIES and 3 * len(problem.blocks) <= MOST_ROWS


def _contacts_alone(problem: ContactProblem) -> bool:
    return bool(problem.blocks) and all(
        block.kind == "CONE" and not block.R.any() for block in problem.blocks
    )


def _stalled(info: SolveInfo) -> SolveInfo:
    return replace(info, status="stalled") if info.status == "converged" else info


def _by_collection(problem: ContactProblem, u: Array, lam: Array, info: SolveInfo) -> SolveInfo:
    """The report with the residual of collections, whose natural map has the weight one.

    It counts where it is more than the rounding of the impulses.
    """
    mu = np.array([block.mu[0] for block in problem.blocks])
    squares = squared_maps(u.reshape(-1, 3), lam.reshape(-1, 3), mu, np.ones(len(mu)))
    left = float(np.sqrt(squares.sum()))
    relative = info.relative_residual
    if left > ROUNDING * float(np.linalg.norm(lam)):
        relative = max(relative, left / (info.free_speed or 1.0))
    info = replace(info, relative_residual=relative)
    return info if relative <= RELATIVE else _stalled(info)
