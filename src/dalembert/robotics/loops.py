"""Loops of a tree: rows of the joints that close them, and drives that share the work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.errors import ModelError
from dalembert.model.core.model import Model
from dalembert.model.start.linearised import Linearised
from dalembert.model.start.rows_numpy import Rows

Array = npt.NDArray[np.float64]

DEPENDENT = 1e-9
"""Singular value, over the largest, below which rows are dependent."""

MISSED = 1e-8
"""Part of the needed force that drives may miss by rounding."""


class Loops:
    """The rows of loop joints and constraints over the state of the bodies."""

    def __init__(self, model: Model, joints: Sequence[Any]) -> None:
        self._rows = Rows(model, joints)
        self.count = self._rows.count

    def at(self, t: float, q: Array, v: Array) -> Linearised:
        """Residuals and J over velocities of bodies."""
        return self._rows.at(t, q, v)

    def least_drive(self, J: Array, needed: Array, driven: npt.NDArray[np.bool_]) -> Array:
        """tau of least length, zero where not driven, with tau + J^T lam = needed for some lam.

        On the motions N that the loops allow (J N = 0) the loops do no work: N^T tau = N^T needed.
        """
        free = null_space(J)
        tau = np.zeros(len(needed))
        wanted = free.T @ needed
        tau[driven] = np.linalg.lstsq(free[driven].T, wanted, rcond=DEPENDENT)[0]
        missed = np.abs(free.T @ tau - wanted).max(initial=0.0)
        if missed > MISSED * max(1.0, np.abs(needed).max(initial=0.0)):
            rank = int(np.linalg.matrix_rank(free[driven], tol=DEPENDENT)) if driven.any() else 0
            raise ModelError(
                f"inverse dynamics: the actuated joints drive {rank} of {free.shape[1]} freedoms, "
                "and the motion needs a force in the others. Name further joints in `actuated`."
            )
        return tau


def null_space(J: Array) -> Array:
    """Orthonormal columns N with J N = 0."""
    if J.size == 0:
        return np.eye(J.shape[1])
    _, values, rows = np.linalg.svd(J)
    rank = int((values > DEPENDENT * values.max(initial=1e-300)).sum())
    return np.asarray(rows[rank:].T)
