"""Parts of a contact problem, for Python: cliques and blocks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dalembert.errors import MassMatrixError, ModelError


@dataclass
class Clique:
    """Velocities that A couples."""

    A: np.ndarray
    v_free: np.ndarray
    parent: np.ndarray
    v_before: np.ndarray


@dataclass
class Block:
    """Rows with one law: see the table of `contact.problem.layout`."""

    kind: str
    a: int
    b: int
    J_a: np.ndarray
    J_b: np.ndarray
    bias: np.ndarray
    R: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    mu: np.ndarray
    length: float
    key: tuple[int, int]
    lam0: np.ndarray

    @property
    def dim(self) -> int:
        """Number of rows."""
        return len(self.bias)


def require_sound(cliques: list[Clique], blocks: list[Block]) -> None:
    """Refuse numbers that have gone bad; every message says where."""
    for i, clique in enumerate(cliques):
        values = (clique.A, clique.v_free, clique.v_before)
        if not all(np.isfinite(x).all() for x in values):
            raise ModelError(f"clique {i}: A, v_free or v_before holds NaN or infinity.")
        try:
            np.linalg.cholesky(clique.A)
        except np.linalg.LinAlgError:
            raise MassMatrixError(
                f"clique {i}: A is not positive definite. Give every velocity a positive mass."
            ) from None
    for i, block in enumerate(blocks):
        where = f"block {i} ({block.kind})"
        for name in ("J_a", "J_b", "bias", "R", "mu", "lam0"):
            if not np.isfinite(getattr(block, name)).all():
                raise ModelError(f"{where}: {name} holds NaN or infinity.")
        if (block.R < 0.0).any() or (block.mu < 0.0).any():
            raise ModelError(f"{where}: R and mu must not be negative.")
        if not (block.lower <= block.upper).all():
            raise ModelError(f"{where}: lower is above upper, or one of them is NaN.")
        if not 0.0 < block.length < math.inf:
            raise ModelError(f"{where}: length = {block.length}; give a positive length in m.")
