"""Modes of a linear model: eigenvalues, frequencies, damping, shapes (analysis 3.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from numpy.typing import NDArray

from dalembert.analysis.linear.reduce import Reduced
from dalembert.numerics.one_thread import one_thread

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

SYMMETRIC = 1e-10
"""Share of a matrix that may be unsymmetric, or of damping beside stiffness, to count as none."""

NOTHING = 1e-13
"""Singular value, over the largest, that is rounding; entries over those of a row or column."""


@dataclass(frozen=True, eq=False)
class Mode:
    """A motion  x = real(shape exp(eigenvalue t)).

    Attributes
    ----------
    eigenvalue : complex  [1/s]
    shape : (states,) complex, its largest coordinate 1
    """

    eigenvalue: complex
    shape: Complex
    states: tuple[str, ...]

    @property
    def frequency(self) -> np.float64:
        """Angular frequency of the motion, |imaginary part|  [rad/s]."""
        return np.float64(abs(self.eigenvalue.imag))

    @property
    def natural(self) -> np.float64:
        """Size of the eigenvalue: the frequency without damping  [rad/s]."""
        return np.float64(abs(self.eigenvalue))

    @property
    def damping(self) -> np.float64:
        """Damping ratio, -real part over size; negative where it grows, 0 at eigenvalue 0."""
        return np.float64(-self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else 0.0)

    @property
    def growth(self) -> np.float64:
        """Real part of the eigenvalue: how fast it grows  [1/s]."""
        return np.float64(self.eigenvalue.real)

    def __repr__(self) -> str:
        largest = self.states[int(np.argmax(np.abs(self.shape[: len(self.shape) // 2 or 1])))]
        value = self.eigenvalue
        return f"Mode({value.real:.6g} {value.imag:+.6g}j 1/s, mostly {largest})"


@one_thread()
def eigen(A: Array, near: Reduced) -> tuple[Complex, Complex]:
    """All eigenvalues and shapes of a linear model.

    Where nothing damps and the stiffness is symmetric, M x'' + K x = 0 is solved: small frequencies
    beside large ones keep their digits.
    """
    n = len(near.mass)
    if n and len(A) == 2 * n and _is_conservative(near):
        mass, stiffness = ((x + x.T) / 2.0 for x in (near.mass, near.stiffness))
        squares, shapes = la.eigh(stiffness, mass)
        roots = np.sqrt(-squares.astype(complex))
        values = np.concatenate([roots, -roots])
        both = np.concatenate([shapes, shapes], axis=1)
        return values, np.concatenate([both, both * values])
    if not len(A):
        return np.zeros(0, dtype=complex), np.zeros((0, 0), dtype=complex)
    balanced, T = la.matrix_balance(_without_rounding(A), permute=False)
    values, vectors = _deflated(balanced)
    return values, T @ vectors


def _without_rounding(A: Array) -> Array:
    """A with zeros for entries that are rounding: balanced, they would be made large."""
    size = np.abs(A)
    least = NOTHING * np.maximum(size.max(axis=1)[:, None], size.max(axis=0))
    return np.where(size > least, A, 0.0)


def _deflated(A: Array) -> tuple[Complex, Complex]:
    """Eigenvalues and vectors, those of value 0 split off exactly before the others are computed.

    In an orthonormal basis (N, P) that begins with the null space, A = [[0, N^T A P], [0, P^T A P]]
    (analysis 3.3): a chain of zeros, such as a place that nothing holds, stays one.
    """
    if not len(A):
        return np.zeros(0, dtype=complex), np.zeros((0, 0), dtype=complex)
    _, sizes, Vt = np.linalg.svd(A)
    null = sizes <= NOTHING * max(1.0, float(sizes[0]))
    if not null.any():
        values, vectors = la.eig(A)
        return values, vectors
    N, P = Vt[null].T, Vt[~null].T
    values, y = _deflated(P.T @ A @ P)
    across = N.T @ A @ P @ y
    z = np.where(values != 0.0, across / np.where(values != 0.0, values, 1.0), 0.0)
    zeros = np.zeros(N.shape[1], dtype=complex)
    return np.concatenate([zeros, values]), np.concatenate([N + 0j, P @ y + N @ z], axis=1)


def _is_conservative(near: Reduced) -> bool:
    K, D, M = near.stiffness, near.damping, near.mass
    scale = np.abs(K).max(initial=0.0)
    if np.abs(K - K.T).max(initial=0.0) > SYMMETRIC * scale:
        return False
    if np.abs(near.Fx).max(initial=0.0) > 0.0 or np.abs(near.Fw - np.eye(len(M))).max() > SYMMETRIC:
        return False
    return bool(np.abs(D).max() <= 1e-14 * np.sqrt(scale * np.abs(M).max()))


def modes_of(A: Array, near: Reduced, states: tuple[str, ...]) -> list[Mode]:
    """One mode for each real eigenvalue and pair of conjugates; slow ones first."""
    values, vectors = eigen(A, near)
    size = max(1.0, float(np.abs(values).max(initial=0.0)))
    found = []
    for value, vector in zip(values, vectors.T, strict=True):
        if value.imag < -1e-14 * size:
            continue  # the other of a pair
        k = int(np.argmax(np.abs(vector[: max(1, len(near.Fx))])))
        found.append(Mode(complex(value), vector / (vector[k] or 1.0), states))
    return sorted(found, key=lambda m: (round(abs(m.eigenvalue.imag), 9), m.eigenvalue.real))
