"""Vectors of six and blocks of 6 x 6, written out: they compile to vector instructions.

A block B is 36 numbers of an array, row by row. Blocks below the diagonal of a factor L stand
transposed, so that every product takes whole rows times a number.
"""

from __future__ import annotations

import math

from dalembert._jit import kernel, packed_kernel
from dalembert._records import value


@value
class Six:
    """Six numbers, such as the velocities of a body."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def __add__(self, y):
        return Six(
            self.a + y.a, self.b + y.b, self.c + y.c, self.d + y.d, self.e + y.e, self.f + y.f
        )

    def __sub__(self, y):
        return Six(
            self.a - y.a, self.b - y.b, self.c - y.c, self.d - y.d, self.e - y.e, self.f - y.f
        )

    def __rmul__(self, s):
        return Six(s * self.a, s * self.b, s * self.c, s * self.d, s * self.e, s * self.f)

    def dot(self, y):
        """Scalar product, as three sums of two: the order is fixed, and shorter than a chain."""
        return (
            (self.a * y.a + self.b * y.b)
            + (self.c * y.c + self.d * y.d)
            + (self.e * y.e + self.f * y.f)
        )


@kernel
def six(x, at):
    """Six entries of an array."""
    return Six(x[at], x[at + 1], x[at + 2], x[at + 3], x[at + 4], x[at + 5])


@kernel
def put_six(x, at, y):
    """Store six entries."""
    x[at], x[at + 1], x[at + 2] = y.a, y.b, y.c
    x[at + 3], x[at + 4], x[at + 5] = y.d, y.e, y.f


@kernel
def add_six(x, at, y):
    """Add to six entries."""
    x[at] += y.a
    x[at + 1] += y.b
    x[at + 2] += y.c
    x[at + 3] += y.d
    x[at + 4] += y.e
    x[at + 5] += y.f


@kernel
def subtract_six(x, at, y):
    """Subtract from six entries."""
    x[at] -= y.a
    x[at + 1] -= y.b
    x[at + 2] -= y.c
    x[at + 3] -= y.d
    x[at + 4] -= y.e
    x[at + 5] -= y.f


# -- products --------------------------------------------------------------------------------------


@packed_kernel
def times_block(B, y):
    """B y."""
    return Six(
        six(B, 0).dot(y),
        six(B, 6).dot(y),
        six(B, 12).dot(y),
        six(B, 18).dot(y),
        six(B, 24).dot(y),
        six(B, 30).dot(y),
    )


@packed_kernel
def transposed_block(B, y):
    """B^T y."""
    t = y.a * six(B, 0)
    t = t + y.b * six(B, 6)
    t = t + y.c * six(B, 12)
    t = t + y.d * six(B, 18)
    t = t + y.e * six(B, 24)
    return t + y.f * six(B, 30)


@kernel
def _update_row(T, at, S, k, rows):
    t = six(T, at)
    t = t - S[k] * rows[0]
    t = t - S[k + 6] * rows[1]
    t = t - S[k + 12] * rows[2]
    t = t - S[k + 18] * rows[3]
    t = t - S[k + 24] * rows[4]
    put_six(T, at, t - S[k + 30] * rows[5])


@packed_kernel
def update(T, B, S):
    """T -= S^T B."""
    rows = six(B, 0), six(B, 6), six(B, 12), six(B, 18), six(B, 24), six(B, 30)
    _update_row(T, 0, S, 0, rows)
    _update_row(T, 6, S, 1, rows)
    _update_row(T, 12, S, 2, rows)
    _update_row(T, 18, S, 3, rows)
    _update_row(T, 24, S, 4, rows)
    _update_row(T, 30, S, 5, rows)


@packed_kernel
def add_outer(T, p, q, r, x, y, z):
    """T += p x^T + q y^T + r z^T; p, q and r are six entries of arrays."""
    for k in range(6):
        t = six(T, 6 * k)
        t = t + p[k] * x
        t = t + q[k] * y
        put_six(T, 6 * k, t + r[k] * z)


@packed_kernel
def add_outer_row(T, p, x):
    """T += p x^T; p is six entries of an array."""
    for k in range(6):
        put_six(T, 6 * k, six(T, 6 * k) + p[k] * x)


# -- symmetric factors -----------------------------------------------------------------------------


@kernel
def factor(X):
    """A = L L^T in its lower triangle becomes L^-1, the upper one 0. Returns the least pivot.

    Columns of L first, then L^-1 by rows: X_ij = -1/L_ii sum_k L_ik X_kj.
    """
    least = math.inf
    for j in range(6):
        d = X[7 * j]
        for k in range(j):
            d -= X[6 * j + k] * X[6 * j + k]
        least = d if d < least else least
        # A pivot that rounding has eaten is reported, and kept from making NaN.
        inverse = 1.0 / math.sqrt(d if d > 1e-300 else 1e-300)
        X[7 * j] = inverse
        for i in range(j + 1, 6):
            t = X[6 * i + j]
            for k in range(j):
                t -= X[6 * i + k] * X[6 * j + k]
            X[6 * i + j] = t * inverse
    for i in range(1, 6):
        for j in range(i):
            t = X[6 * i + j] * X[7 * j]
            for k in range(j + 1, i):
                t += X[6 * i + k] * X[6 * k + j]
            X[6 * j + i] = -t * X[7 * i]
        # Row i of L is needed until its row of the inverse is complete: it waits in the upper half.
        for j in range(i):
            X[6 * i + j] = X[6 * j + i]
            X[6 * j + i] = 0.0
    return least


@packed_kernel
def below(B, X):
    """B <- L^-1 B: X is the block with L^-1 in its lower triangle."""
    b0, b1, b2 = six(B, 0), six(B, 6), six(B, 12)
    b3, b4, b5 = six(B, 18), six(B, 24), six(B, 30)
    put_six(B, 0, X[0] * b0)
    put_six(B, 6, X[6] * b0 + X[7] * b1)
    put_six(B, 12, X[12] * b0 + X[13] * b1 + X[14] * b2)
    put_six(B, 18, X[18] * b0 + X[19] * b1 + X[20] * b2 + X[21] * b3)
    put_six(B, 24, X[24] * b0 + X[25] * b1 + X[26] * b2 + X[27] * b3 + X[28] * b4)
    t = X[30] * b0 + X[31] * b1 + X[32] * b2
    put_six(B, 30, t + X[33] * b3 + X[34] * b4 + X[35] * b5)


# -- others ----------------------------------------------------------------------------------------


@kernel
def factor_both(X):
    """A = L U, the diagonal of L one: the triangles become those of L^-1 and U^-1.

    Returns the least pivot in size. Without exchange of rows: the two triangular inverses keep
    small what a single A^-1 would lose where the entries of A are of very different size.
    """
    least = math.inf
    for k in range(6):
        d = X[7 * k]
        least = min(least, abs(d))
        # A pivot that rounding has eaten is reported, and kept from making NaN.
        d = 1.0 / (d if abs(d) > 1e-300 else 1e-300)
        X[7 * k] = d
        for i in range(k + 1, 6):
            t = X[6 * i + k] * d
            X[6 * i + k] = t
            for j in range(k + 1, 6):
                X[6 * i + j] -= t * X[6 * k + j]
    # L^-1 by rows: X_ij = -L_ij - sum_k L_ik X_kj; U^-1 by columns: X_ij = -sum_k X_ik U_kj X_jj.
    for i in range(1, 6):
        for j in range(i):
            t = X[6 * i + j]
            for k in range(j + 1, i):
                t += X[6 * i + k] * X[6 * k + j]
            X[6 * i + j] = -t
    for j in range(1, 6):
        for i in range(j):
            t = 0.0
            for k in range(i, j):
                t += X[6 * i + k] * X[6 * k + j]
            X[6 * i + j] = -t * X[7 * j]
    return least


@packed_kernel
def below_lower(B, X):
    """B <- L^-1 B: X is the block `factor_both` has made."""
    b0, b1, b2 = six(B, 0), six(B, 6), six(B, 12)
    b3, b4, b5 = six(B, 18), six(B, 24), six(B, 30)
    put_six(B, 6, b1 + X[6] * b0)
    put_six(B, 12, b2 + X[12] * b0 + X[13] * b1)
    put_six(B, 18, b3 + X[18] * b0 + X[19] * b1 + X[20] * b2)
    put_six(B, 24, b4 + X[24] * b0 + X[25] * b1 + X[26] * b2 + X[27] * b3)
    put_six(B, 30, b5 + X[30] * b0 + X[31] * b1 + X[32] * b2 + X[33] * b3 + X[34] * b4)


@packed_kernel
def below_upper(B, X):
    """B <- U^-T B: X is the block `factor_both` has made."""
    b0, b1, b2 = six(B, 0), six(B, 6), six(B, 12)
    b3, b4, b5 = six(B, 18), six(B, 24), six(B, 30)
    put_six(B, 0, X[0] * b0)
    put_six(B, 6, X[1] * b0 + X[7] * b1)
    put_six(B, 12, X[2] * b0 + X[8] * b1 + X[14] * b2)
    put_six(B, 18, X[3] * b0 + X[9] * b1 + X[15] * b2 + X[21] * b3)
    put_six(B, 24, X[4] * b0 + X[10] * b1 + X[16] * b2 + X[22] * b3 + X[28] * b4)
    t = X[5] * b0 + X[11] * b1 + X[17] * b2
    put_six(B, 30, t + X[23] * b3 + X[29] * b4 + X[35] * b5)


@kernel
def lower_times(X, y):
    """L^-1 y, of a block `factor_both` has made."""
    return Six(
        y.a,
        y.b + X[6] * y.a,
        y.c + X[12] * y.a + X[13] * y.b,
        y.d + X[18] * y.a + X[19] * y.b + X[20] * y.c,
        y.e + X[24] * y.a + X[25] * y.b + X[26] * y.c + X[27] * y.d,
        y.f + X[30] * y.a + X[31] * y.b + X[32] * y.c + X[33] * y.d + X[34] * y.e,
    )


@kernel
def upper_times(X, y):
    """U^-1 y, of a block `factor_both` has made."""
    return Six(
        X[0] * y.a + X[1] * y.b + X[2] * y.c + X[3] * y.d + X[4] * y.e + X[5] * y.f,
        X[7] * y.b + X[8] * y.c + X[9] * y.d + X[10] * y.e + X[11] * y.f,
        X[14] * y.c + X[15] * y.d + X[16] * y.e + X[17] * y.f,
        X[21] * y.d + X[22] * y.e + X[23] * y.f,
        X[28] * y.e + X[29] * y.f,
        X[35] * y.f,
    )
