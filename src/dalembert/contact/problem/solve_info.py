"""Report of a solve, as Python is given it: of the whole problem, and of each island."""

from __future__ import annotations

from dataclasses import dataclass

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
