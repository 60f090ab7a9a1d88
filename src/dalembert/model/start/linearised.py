"""Rows of joints linearised at many states: residuals, blocks of J, forces of multipliers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Block:
    """Entries of J: those of I groups of c rows with one body each, at k states.

    rows : (I, c), bodies : (I,), entries : (I, k, c, 6)
    """

    rows: npt.NDArray[np.int64]
    bodies: npt.NDArray[np.int64]
    entries: Array


@dataclass(frozen=True)
class Linearised:
    """Rows at k states.

    Attributes
    ----------
    phi : (k, position rows)
    phi_dot : (k, rows)       phi' = J v + phi_t, or psi of a velocity row
    phi_t : (k, rows)         what of it does not come from v
    blocks : entries of J
    """

    phi: Array
    phi_dot: Array
    phi_t: Array
    blocks: list[Block]
    velocities: int

    def dense(self) -> Array:
        """J as full matrices, (k, rows, velocities)."""
        k, m = self.phi_dot.shape
        J = np.zeros((k, m, self.velocities))
        for block in self.blocks:
            for rows, body, entries in zip(block.rows, block.bodies, block.entries, strict=True):
                J[:, rows, 6 * body : 6 * body + 6] += entries
        return J

    def sparse(self) -> Any:
        """J of the first state as a sparse matrix by rows."""
        from scipy.sparse import csr_array

        parts = []
        for block in self.blocks:
            columns = 6 * block.bodies[:, None] + np.arange(6)
            shape = block.entries[:, 0].shape
            parts.append(
                (
                    np.broadcast_to(block.rows[:, :, None], shape).ravel(),
                    np.broadcast_to(columns[:, None, :], shape).ravel(),
                    block.entries[:, 0].ravel(),
                )
            )
        i, j, x = map(np.concatenate, zip(*parts, strict=True)) if parts else ([], [], [])
        return csr_array((x, (i, j)), shape=(self.phi_dot.shape[1], self.velocities))

    def wrenches(self, lam: Array) -> dict[int, Array]:
        """J^T lam by body, (k, 6): force, and torque about the centre of mass."""
        total: dict[int, Array] = {}
        for block in self.blocks:
            for rows, body, entries in zip(block.rows, block.bodies, block.entries, strict=True):
                pull = np.einsum("kcj,kc->kj", entries, lam[:, rows])
                total[int(body)] = total.get(int(body), 0.0) + pull
        return total
