"""Contacts given by u = W lam + q alone, as collections of friction problems have them.

Their W may be unsymmetric in the sixth digit. The symmetric part is W = J J^T with A = 1
(`ContactProblem.from_delassus`); the skew part K is a small correction of q, found by repetition:

    lam_k from W_sym and q + K lam_{k-1}        converges like (|K| / |W|)^k.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.contact.problem import ContactProblem, solve

REPETITIONS = 8
"""Most solves; four digits are gained by each where W is symmetric to four digits."""


def solve_delassus(
    W: Any, q: Any, mu: Any, *, tol: float = 1e-10, method: str = "auto"
) -> tuple[np.ndarray, np.ndarray, float]:
    """Impulses, velocities u = W lam + q, and |lam - P_K(lam - u - mu |u_t| n)| / |q|.

    Parameters
    ----------
    W : matrix, positive semidefinite; three rows a contact, normal first
    q : velocities without impulses
    mu : coefficient of friction of every contact
    tol : what the last of the results shall be below
    """
    full, free = np.array(W, dtype=float), np.array(q, dtype=float).ravel()
    skew = 0.5 * (full - full.T)
    problem = ContactProblem.from_delassus(full, free, mu)
    size = float(np.linalg.norm(free)) or 1.0
    lam, best = np.zeros_like(free), (np.zeros_like(free), np.inf)
    # The residual of the solvers is weighted by w, that of the collections is not.
    inner = 0.01 * tol * size * min(1.0, float(np.diag(full).min()))
    for _ in range(REPETITIONS):
        bias = (free + skew @ lam).reshape(-1, 3)
        starts = lam.reshape(-1, 3)
        problem.blocks = [
            replace(block, bias=b, lam0=start)
            for block, b, start in zip(problem.blocks, bias, starts, strict=True)
        ]
        _, lam, _ = solve(problem, method, tol=max(inner, 1e-15), budget=500)
        left = natural_map(full @ lam + free, lam, mu) / size
        if left < best[1]:
            best = (lam, left)
        if left <= tol:
            break
    return best[0], full @ best[0] + free, best[1]


def natural_map(u: np.ndarray, lam: np.ndarray, mu: Any) -> float:
    """|lam - P_K(lam - u - mu |u_t| n)| over all contacts."""
    friction = np.broadcast_to(np.asarray(mu, float), len(u) // 3)
    y = (lam - u).reshape(-1, 3).copy()
    slip = np.hypot(u[1::3], u[2::3])
    y[:, 0] -= friction * slip
    s = np.hypot(y[:, 1], y[:, 2])
    a = (y[:, 0] + friction * s) / (1 + friction**2)
    polar, inside = friction * s <= -y[:, 0], s <= friction * y[:, 0]
    factor = np.divide(friction * a, s, out=np.zeros_like(s), where=s > 0)
    projected = np.column_stack([a, factor * y[:, 1], factor * y[:, 2]])
    projected[inside] = y[inside]
    projected[polar] = 0.0
    return float(np.linalg.norm(lam.reshape(-1, 3) - projected))
