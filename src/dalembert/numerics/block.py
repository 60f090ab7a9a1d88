"""Operations on 6 x 6 blocks, written out: the text of the block factorisation's inner loops.

Plain Python over flat arrays, row by row. It runs on numbers, as the oracle, and on formulas, when
`system.straight` turns it into straight-line code that the compiler packs into vector
instructions: 216 multiplications in 24 ns, against 90 ns for the same text as compiled loops.

A diagonal block is A = U D U^T with ones on the diagonal of U. In place of U its inverse is kept:
solves become products, without a chain of divisions. Blocks below the diagonal stand transposed,
so that every product takes whole rows times a number.
"""

from typing import Any

SIDE = 6


def block_factor(a: Any, whole: Any, inverse: Any, ratio: Any) -> list[Any]:
    """`a` (its lower triangle) becomes U^-1 below and D on the diagonal, `inverse` gets D^-1.

    Returns the pivots, all of which must be positive; `whole` and `ratio` serve matrices that may
    lose rows.
    """
    u = [[a[6 * i + j] for j in range(i + 1)] for i in range(6)]
    scaled = [[0.0] * 6 for _ in range(6)]
    for j in range(6):
        for k in range(j):
            # scaled = U D
            scaled[j][k] = u[j][k]
            u[j][k] = scaled[j][k] * inverse[k]
        for k in range(j):
            u[j][j] = u[j][j] - scaled[j][k] * u[j][k]
        inverse[j] = 1.0 / u[j][j]
        for i in range(j + 1, 6):
            for k in range(j):
                u[i][j] = u[i][j] - u[i][k] * u[j][k]
    pivots = [u[j][j] for j in range(6)]
    # X = U^-1: X_ij = -U_ij - sum_{j<k<i} U_ik X_kj
    x = [[0.0] * 6 for _ in range(6)]
    for i in range(6):
        a[7 * i] = u[i][i]
        for j in range(i):
            total = -u[i][j]
            for k in range(j + 1, i):
                total = total - u[i][k] * x[k][j]
            x[i][j] = total
            a[6 * i + j] = total
    return pivots


def block_below(a: Any, diagonal: Any, inverse: Any, s: Any) -> None:
    """A block below a factored diagonal one: s = U^-1 A^T = D L^T, and `a` becomes L^T."""
    block = [a[k] for k in range(36)]
    for c in range(6):
        for r in range(6):
            total = block[6 * c + r]
            for k in range(c):
                total = total + diagonal[6 * c + k] * block[6 * k + r]
            s[6 * c + r] = total
            a[6 * c + r] = total * inverse[c]


def block_update(target: Any, left: Any, s: Any) -> None:
    """target -= (L_i D L_j^T)^T = s_j^T L_i^T."""
    for c in range(6):
        for r in range(6):
            total = target[6 * c + r]
            for k in range(6):
                total = total - s[6 * k + c] * left[6 * k + r]
            target[6 * c + r] = total


def block_update_diagonal(target: Any, left: Any, s: Any) -> None:
    """The lower triangle of target -= L D L^T."""
    for r in range(6):
        for c in range(r + 1):
            total = target[6 * r + c]
            for k in range(6):
                total = total - left[6 * k + r] * s[6 * k + c]
            target[6 * r + c] = total


def block_forward(x: Any, diagonal: Any) -> None:
    """x <- U^-1 x."""
    old = [x[k] for k in range(6)]
    for i in range(1, 6):
        total = old[i]
        for k in range(i):
            total = total + diagonal[6 * i + k] * old[k]
        x[i] = total


def block_backward(x: Any, diagonal: Any) -> None:
    """x <- U^-T x."""
    old = [x[k] for k in range(6)]
    for k in range(5):
        total = old[k]
        for i in range(k + 1, 6):
            total = total + diagonal[6 * i + k] * old[i]
        x[k] = total


def block_subtract(y: Any, block: Any, x: Any) -> None:
    """y -= L x, `block` being L^T."""
    for r in range(6):
        total = y[r]
        for k in range(6):
            total = total - block[6 * k + r] * x[k]
        y[r] = total


def block_subtract_transposed(y: Any, block: Any, x: Any) -> None:
    """y -= L^T x, `block` being L^T."""
    for k in range(6):
        total = y[k]
        for r in range(6):
            total = total - block[6 * k + r] * x[r]
        y[k] = total
