"""Impulses, velocities and residual of contacts given by W, q and mu, in one call."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.contact.given.problem import ContactProblem
from dalembert.contact.solvers.delassus.report import squared_maps


def solve_delassus(
    W: Any, q: Any, mu: Any, *, tol: float = 1e-10, method: str = "auto"
) -> tuple[np.ndarray, np.ndarray, float]:
    """Impulses, velocities u = W lam + q, and |lam - P_K(lam - u - mu |u_t| n)| / |q|.

    Parameters
    ----------
    W : matrix; three rows a contact, normal first
    q : velocities without impulses
    mu : coefficient of friction of every contact
    tol : what the last of the results shall be below
    """
    free = np.array(q, dtype=float).ravel()
    size = float(np.linalg.norm(free)) or 1.0
    problem = ContactProblem.from_delassus(W, free, mu, dimension=3)
    u, lam, _ = problem.solve(method, tol=tol * max(size, 1.0))
    return lam, u, natural_map(u, lam, mu) / size


def natural_map(u: np.ndarray, lam: np.ndarray, mu: Any) -> float:
    """|lam - P_K(lam - u - mu |u_t| n)| over all contacts."""
    count = len(u) // 3
    friction = np.broadcast_to(np.asarray(mu, float), count)
    left = squared_maps(u.reshape(-1, 3), lam.reshape(-1, 3), friction, np.ones(count))
    return float(np.sqrt(left.sum()))
