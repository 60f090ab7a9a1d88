"""Velocities that fit constraints which engage, and speeds that are set.

    M (v+ - v0) = J^T p + S^T r,    J v+ + phi_t = 0,    S v+ = S v0                  (contact 20)

v0 has the speeds that are set; S are their entries. Without them it is an impact without
restitution: the change has the least kinetic energy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dalembert.errors import InconsistentError
from dalembert.model.core.model import Model
from dalembert.simulation.prepare.carried_turns import Turned
from dalembert.simulation.prepare.equations_at import Equations, equations_at

CONTRADICTION = 1e-8
"""Part of the largest speed by which rows may be missed."""


@dataclass(frozen=True)
class Jump:
    """Velocities after an impact, impulses of all rows, and the equations where it happened."""

    v: np.ndarray
    impulse: np.ndarray
    at: Equations


def jump(
    model: Model,
    t: float,
    q: np.ndarray,
    v: np.ndarray,
    held: Sequence[int] = (),
    turned: Turned | None = None,
) -> Jump:
    """The velocities that fit all constraints of the model; entries `held` stay what they are."""
    at = equations_at(model, t, q, v, turned)
    n, m = len(v), len(at.phi_dot)
    S = np.eye(n)[list(held)]
    rows = np.vstack([at.J, S])
    wanted = np.concatenate([-at.phi_dot, np.zeros(len(S))])
    if not np.any(wanted):
        return Jump(v.copy(), np.zeros(m), at)
    W = rows @ np.linalg.lstsq(at.M, rows.T, rcond=None)[0]
    p = np.linalg.lstsq(W, wanted, rcond=1e-12)[0]
    change = np.linalg.lstsq(at.M, rows.T @ p, rcond=None)[0]
    missed = float(np.max(np.abs(rows @ change - wanted), initial=0.0))
    if missed > CONTRADICTION * max(1.0, float(np.max(np.abs(v), initial=0.0))):
        raise InconsistentError(
            f"the constraints do not leave the speeds that are set: {missed:.3g} is missed. Set"
            " others, or release what holds them."
        )
    return Jump(v + change, p[:m], at)
