"""Report of a solve, for Python: the fields of `contact.report` with their names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.contact import layout
from dalembert.contact.scale import all_left, free_size
from dalembert.contact.solvers import SOLVERS

METHODS = tuple(SOLVERS)
"""Names of the solvers in the order of their codes."""

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
    """Status, work and residuals of a solve; units in `contact.report`."""

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


def info_of(integers: np.ndarray, numbers: np.ndarray) -> SolveInfo:
    """Read the report of a solved problem."""
    size, left = float(free_size(integers, numbers)), float(all_left(integers, numbers))
    start = int(integers[layout.INFO])
    x = numbers[start : start + layout.INFO_FLOATS]
    return SolveInfo(
        status=STATUSES[int(x[layout.INFO_STATUS])],
        residual=float(x[layout.INFO_RESIDUAL]),
        relative_residual=left / size if size > 0.0 else left,
        free_speed=size,
        r_momentum=float(x[layout.R_MOMENTUM]),
        r_penetration_velocity=float(x[layout.R_PENETRATION]),
        r_complementarity=float(x[layout.R_COMPLEMENTARITY]),
        r_cone=float(x[layout.R_CONE]),
        r_dissipation=float(x[layout.R_DISSIPATION]),
        r_bilateral=float(x[layout.R_BILATERAL]),
        contact_work=float(x[layout.CONTACT_WORK]),
        contacts=int(x[layout.CONTACTS]),
        sticking=int(x[layout.COUNT_STICKING]),
        sliding=int(x[layout.COUNT_SLIDING]),
        opening=int(x[layout.COUNT_OPEN]),
        iterations=int(x[layout.INFO_ITERATIONS]),
        factorisations=int(x[layout.INFO_FACTORISATIONS]),
        sweeps=int(x[layout.INFO_SWEEPS]),
        islands=tuple(_island(integers, numbers, i) for i in range(int(integers[layout.ISLANDS]))),
    )


def _island(integers: np.ndarray, numbers: np.ndarray, island: int) -> IslandInfo:
    at = int(integers[layout.ISLAND]) + layout.ISLAND_RECORD * island
    record = [int(x) for x in integers[at : at + layout.ISLAND_RECORD]]
    own = int(integers[layout.ISLAND_NUMBERS]) + layout.ISLAND_FLOATS * island
    return IslandInfo(
        status=STATUSES[record[layout.STATUS]],
        method=METHODS[record[layout.METHOD]],
        cliques=record[layout.CLIQUE_COUNT],
        blocks=record[layout.BLOCK_COUNT],
        iterations=record[layout.ITERATIONS],
        factorisations=record[layout.FACTORISATIONS],
        sweeps=record[layout.SWEEPS],
        residual=float(numbers[own + layout.RESIDUAL]),
        first_residual=float(numbers[own + layout.FIRST_RESIDUAL]),
        own_residual=float(numbers[own + layout.OWN_RESIDUAL]),
    )
