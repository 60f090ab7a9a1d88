"""Parts of a contact problem, for Python: cliques and blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Clique:
    """Velocities that A couples."""

    A: np.ndarray
    v_free: np.ndarray
    parent: np.ndarray
    v_before: np.ndarray


@dataclass
class Block:
    """Rows with one law: see the table of `contact.layout`."""

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
