"""What is reported of contacts given by W: the fields of `contact.report` from impulses alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dalembert.contact.delassus_active import Array
from dalembert.contact.info import IslandInfo, SolveInfo
from dalembert.contact.report import STILL


@dataclass(frozen=True)
class Work:
    """What a solver has done."""

    method: str
    sweeps: int = 0
    factorisations: int = 0


def largest_map(u: Array, lam: Array, mu: Array, weight: Array) -> float:
    """Largest natural map of a contact [m/s]; u, lam: one contact a row, weight: its w."""
    return float(np.sqrt(squared_maps(u, lam, mu, weight)).max(initial=0.0))


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
    u: Array, lam: Array, mu: Array, weight: Array, status: str, lefts: tuple[float, float, float],
    work: Work,
) -> SolveInfo:  # fmt: skip
    """All fields; `lefts`: what is left, what the start has left, and |q|."""
    left, first, size = lefts
    largest = largest_map(u, lam, mu, weight)
    slip = np.sqrt((u[:, 1:] ** 2).sum(axis=1))
    friction = np.sqrt((lam[:, 1:] ** 2).sum(axis=1))
    limit = mu * lam[:, 0]
    power = (lam[:, 1:] * u[:, 1:]).sum(axis=1)
    is_open = lam[:, 0] <= 0.0
    held = (mu > 0.0) & ((friction < (1.0 - 1e-9) * limit) | (slip <= max(largest, STILL)))
    sticking, opening = int((held & ~is_open).sum()), int(is_open.sum())
    island = IslandInfo(
        status=status, method=work.method, cliques=0, blocks=len(mu),
        iterations=work.factorisations, factorisations=work.factorisations, sweeps=work.sweeps,
        residual=largest, first_residual=first, own_residual=0.0,
    )  # fmt: skip
    return SolveInfo(
        status=status,
        residual=largest,
        relative_residual=left / (size or 1.0),
        free_speed=size,
        r_momentum=0.0,
        r_penetration_velocity=float(np.max(-u[:, 0], initial=0.0)),
        r_complementarity=float(np.abs(lam[:, 0] * u[:, 0]).max(initial=0.0)),
        r_cone=float(np.max(friction - limit, initial=0.0)),
        r_dissipation=float(np.abs(power + limit * slip).max(initial=0.0)),
        r_bilateral=0.0,
        contact_work=0.5 * float((lam * u).sum()),
        contacts=len(mu),
        sticking=sticking,
        sliding=len(mu) - sticking - opening,
        opening=opening,
        iterations=work.factorisations,
        factorisations=work.factorisations,
        sweeps=work.sweeps,
        islands=(island,) if len(mu) else (),
    )
