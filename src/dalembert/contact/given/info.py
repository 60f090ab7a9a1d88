"""Report of a solve, for Python: the fields of `contact.algebra.residuals` with their names."""

from __future__ import annotations

from dalembert.contact.given.scale import all_left, free_size
from dalembert.contact.problem.layout import Problem
from dalembert.contact.problem.record_layout import Island
from dalembert.contact.problem.solve_info import STATUSES, IslandInfo, SolveInfo
from dalembert.contact.solvers.table import SOLVERS


def info_of(problem: Problem) -> SolveInfo:
    """Read the report of a solved problem."""
    size, left = float(free_size(problem)), float(all_left(problem))
    found = problem.info
    return SolveInfo(
        status=STATUSES[int(found.status)],
        residual=float(found.residual),
        relative_residual=left / size if size > 0.0 else left,
        free_speed=size,
        r_momentum=float(found.momentum),
        r_penetration_velocity=float(found.penetration),
        r_complementarity=float(found.complementarity),
        r_cone=float(found.cone),
        r_dissipation=float(found.dissipation),
        r_bilateral=float(found.bilateral),
        contact_work=float(found.contact_work),
        contacts=int(found.contacts),
        sticking=int(found.sticking),
        sliding=int(found.sliding),
        opening=int(found.open),
        iterations=int(found.iterations),
        factorisations=int(found.factorisations),
        sweeps=int(found.sweeps),
        islands=tuple(_island(problem.island(i)) for i in range(problem.islands)),
    )


def _island(island: Island) -> IslandInfo:
    return IslandInfo(
        status=STATUSES[island.status],
        method=[*SOLVERS][island.method],
        cliques=island.clique_count,
        blocks=island.block_count,
        iterations=island.iterations,
        factorisations=island.factorisations,
        sweeps=island.sweeps,
        residual=float(island.residual),
        first_residual=float(island.first_residual),
        own_residual=float(island.own_residual),
    )
