"""Report of contacts given by W: the fields of `contact.algebra.residuals` from impulses alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.contact.problem.solve_info import IslandInfo, SolveInfo
from dalembert.contact.solvers.delassus.active import Array


@dataclass(frozen=True)
class Work:
    """Work that a solver has done."""

    method: str
    sweeps: int = 0
    factorisations: int = 0


def squared_maps(u: Array, lam: Array, mu: Array, weight: Array) -> Array:
    """w^2 |lam - P_K(lam - (u + mu |u_t| n) / w)|^2 of every contact."""
    w = weight[:, None]
    z = w * lam - u
    z[:, 0] -= mu * np.sqrt((u[:, 1:] ** 2).sum(axis=1))
    s = np.sqrt((z[:, 1:] ** 2).sum(axis=1))
    a = (z[:, 0] + mu * s) / (1.0 + mu**2)
    factor = np.divide(mu * a, s, out=np.zeros_like(s), where=s > 0.0)
    nearest = np.column_stack([a, factor[:, None] * z[:, 1:]])
    inside, polar = s <= mu * z[:, 0], z[:, 0] + mu * s <= 0.0
    nearest[inside] = z[inside]
    nearest[polar] = 0.0
    squares: Array = ((w * lam - nearest) ** 2).sum(axis=1)
    return squares


def report(
    figures: tuple[Any, ...], status: str, lefts: tuple[float, float, float], work: Work, count: int
) -> SolveInfo:
    """All fields; `lefts`: what is left, what the start has left, and |q|."""
    left, first, size = lefts
    largest, approach, complementarity, cone, dissipation, power, sticking, opening = figures
    island = IslandInfo(
        status=status, method=work.method, cliques=0, blocks=count,
        iterations=work.factorisations, factorisations=work.factorisations, sweeps=work.sweeps,
        residual=largest, first_residual=first, own_residual=0.0,
    )  # fmt: skip
    return SolveInfo(
        status=status,
        residual=largest,
        relative_residual=left / (size or 1.0),
        free_speed=size,
        r_momentum=0.0,
        r_penetration_velocity=approach,
        r_complementarity=complementarity,
        r_cone=cone,
        r_dissipation=dissipation,
        r_bilateral=0.0,
        contact_work=power,
        contacts=count,
        sticking=sticking,
        sliding=count - sticking - opening,
        opening=opening,
        iterations=work.factorisations,
        factorisations=work.factorisations,
        sweeps=work.sweeps,
        islands=(island,) if count else (),
    )
