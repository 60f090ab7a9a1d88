"""Report of a solve, for Python: the fields of `contact.algebra.residuals` with their names."""

from __future__ import annotations

from dataclasses import dataclass

from dalembert.contact.given.scale import all_left, free_size
from dalembert.contact.problem.layout import Problem
from dalembert.contact.problem.record_layout import Island
from dalembert.contact.solvers.table import SOLVERS

STATUSES = ("converged", "stalled", "failed")


@dataclass(frozen=True)
class IslandInfo:
    """One island: bodies connected by blocks."""

    status: str
    method: str
    cliques: int
    blocks: int
    iterations: int
    factorisations: int
    sweeps: int
    residual: float
    first_residual: float
    """Residual of the warm start."""
    own_residual: float
    """Residual of the solver's own law where that is a pyramid or regularised, else 0."""


@dataclass(frozen=True)
class SolveInfo:
    """Status, work and residuals of a solve; units in `contact.algebra.residuals`."""

    status: str
    """converged, stalled (the residual is above the tolerance) or failed (A or a number is bad)."""
    residual: float
    """Largest natural map of a block [m/s]."""
    relative_residual: float
    """Root of the sum of its squares over the blocks, over |q|, the velocities without impulses."""
    free_speed: float
    """|q| [m/s], angular rows times their length."""
    r_momentum: float
    r_penetration_velocity: float
    r_complementarity: float
    r_cone: float
    r_dissipation: float
    r_bilateral: float
    contact_work: float
    contacts: int
    sticking: int
    sliding: int
    opening: int
    iterations: int
    factorisations: int
    sweeps: int
    islands: tuple[IslandInfo, ...]


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
