"""Mobility: Gruebler's counts beside the true one (analysis 8.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.constrained import DEPENDENT
from dalembert.analysis.equations.point import Equations
from dalembert.model.start.planar_motion import plane_of

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Counts:
    """Freedoms by counting, and as they are.

    Attributes
    ----------
    gruebler : velocities less rows
    planar : 3 a body less what joints take within the plane; None where motion is in no plane
    mobility : velocities less the rank of the rows, at ordinary positions
    redundant : rows that repeat others
    """

    velocities: int
    rows: int
    rank: int
    gruebler: int
    planar: int | None
    mobility: int

    @property
    def redundant(self) -> int:
        """Rows less rank."""
        return self.rows - self.rank

    def sentences(self) -> list[str]:
        """In words."""
        found = [
            f"Gruebler's count is {self.velocities} velocities - {self.rows} rows ="
            f" {self.gruebler}; the mobility is {self.mobility}."
        ]
        if self.gruebler != self.mobility:
            found.append(
                f"The count is wrong by {self.mobility - self.gruebler}: so many rows repeat others"
                " because of how the parts are placed."
            )
        if self.planar is not None:
            agrees = "which agrees" if self.planar == self.mobility else "which does not agree"
            found.append(f"Counted within its plane it is {self.planar}, {agrees}.")
        return found


def counts(equations: Equations, J: Array, rank: int) -> Counts:
    """Counts at a place whose rank is that of ordinary ones."""
    m, n = J.shape
    return Counts(n, m, rank, n - m, _planar(equations, J), n - rank)


def _planar(equations: Equations, J: Array) -> int | None:
    model: Any = equations.model
    if not model.is_maximal:
        return None
    axis = plane_of(model.joints.values(), list(model.bodies))
    if axis < 0:
        return None
    across = [k for k in range(3) if k != axis]
    columns = [6 * b + k for b in range(len(model.bodies)) for k in (*across, 3 + axis)]
    taken = 0
    owners = np.array(equations.owners)
    for owner in dict.fromkeys(equations.owners):
        own = (J / equations.lengths)[owners == owner][:, columns]
        values = np.linalg.svd(own, compute_uv=False)
        taken += int((values > max(DEPENDENT, 1e-9 * values.max(initial=0.0))).sum())
    return len(columns) - taken
