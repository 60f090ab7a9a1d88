"""Coefficients of Gauss and Radau IIA: nodes c, A, d = b A^-1, and the blocks of A.

Hairer & Wanner, Solving Ordinary Differential Equations II, tables IV.5.1, 5.2 and 5.6, in closed
form: rounding of A and d breaks quadratic invariants, in the same direction in every step. T and
its inverse serve Newton's method only. The number is the order.
"""

import math

import numpy as np


def blocks(A):
    """T, T^-1 and the eigenvalues of A, one row (a, b) of each block: real first, then pairs."""
    values, vectors = np.linalg.eig(A)
    order = [k for k in np.argsort(np.abs(values.imag)) if values[k].imag >= 0.0]
    columns = []
    for k in order:
        x = vectors[:, k]
        columns += [x.real, x.imag] if values[k].imag > 0.0 else [x.real]
    T = np.array(columns).T.copy()
    eigenvalues = np.array([[values[k].real, values[k].imag] for k in order])
    return T, np.linalg.inv(T), eigenvalues


R3, R6, R15 = math.sqrt(3), math.sqrt(6), math.sqrt(15)

# Gauss, two stages
C4 = np.array([1 / 2 - R3 / 6, 1 / 2 + R3 / 6])
A4 = np.array([[1 / 4, 1 / 4 - R3 / 6], [1 / 4 + R3 / 6, 1 / 4]])
D4 = np.array([-R3, R3])
T4, INVERSE4, EIGEN4 = blocks(A4)

# Radau IIA, three stages
C5 = np.array([(4 - R6) / 10, (4 + R6) / 10, 1.0])
A5 = np.array(
    [
        [(88 - 7 * R6) / 360, (296 - 169 * R6) / 1800, (-2 + 3 * R6) / 225],
        [(296 + 169 * R6) / 1800, (88 + 7 * R6) / 360, (-2 - 3 * R6) / 225],
        [(16 - R6) / 36, (16 + R6) / 36, 1 / 9],
    ]
)
D5 = np.array([0.0, 0.0, 1.0])
T5, INVERSE5, EIGEN5 = blocks(A5)

# Gauss, three stages
C6 = np.array([1 / 2 - R15 / 10, 1 / 2, 1 / 2 + R15 / 10])
A6 = np.array(
    [
        [5 / 36, 2 / 9 - R15 / 15, 5 / 36 - R15 / 30],
        [5 / 36 + R15 / 24, 2 / 9, 5 / 36 - R15 / 24],
        [5 / 36 + R15 / 30, 2 / 9 + R15 / 15, 5 / 36],
    ]
)
D6 = np.array([5 / 3, -4 / 3, 5 / 3])
T6, INVERSE6, EIGEN6 = blocks(A6)
