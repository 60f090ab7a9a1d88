"""Vectors of six and 6 x 6 blocks, written out: they compile to vector instructions.

A `Vec6` is a value; `Motion` and `Force` (`numerics.spatial`) are for those with a meaning. A
`Block6` is a place: 36 numbers of an array, row by row, changed where they stand. Blocks below the
diagonal of a factor L stand transposed, so that every product takes whole rows times a number.
"""

from __future__ import annotations

import math

from dalembert._jit import kernel
from dalembert._records import Place, packed, value

TINY = 1e-300
"""Pivot that rounding has eaten: it is reported, and kept from making NaN."""


@value
class Vec6:
    """Six numbers."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    @staticmethod
    def zero():
        """The vector that is nothing."""
        return Vec6(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    def __add__(self, y):
        return Vec6(
            self.a + y.a, self.b + y.b, self.c + y.c, self.d + y.d, self.e + y.e, self.f + y.f
        )

    def __sub__(self, y):
        return Vec6(
            self.a - y.a, self.b - y.b, self.c - y.c, self.d - y.d, self.e - y.e, self.f - y.f
        )

    def __neg__(self):
        return Vec6(-self.a, -self.b, -self.c, -self.d, -self.e, -self.f)

    def __rmul__(self, s):
        return Vec6(s * self.a, s * self.b, s * self.c, s * self.d, s * self.e, s * self.f)

    def dot(self, y):
        """Scalar product, as three sums of two: shorter than a chain of six."""
        return (
            (self.a * y.a + self.b * y.b)
            + (self.c * y.c + self.d * y.d)
            + (self.e * y.e + self.f * y.f)
        )


# -- to and from arrays ----------------------------------------------------------------------------


@kernel
def vec6(x, at):
    """Six entries of an array as a vector."""
    return Vec6(x[at], x[at + 1], x[at + 2], x[at + 3], x[at + 4], x[at + 5])


@kernel
def put_vec6(x, at, y):
    """Store a vector."""
    x[at], x[at + 1], x[at + 2], x[at + 3], x[at + 4], x[at + 5] = y


# -- blocks ----------------------------------------------------------------------------------------


class Block6(Place):
    """A 6 x 6 block: its rows."""

    class numbers:
        a: Vec6
        b: Vec6
        c: Vec6
        d: Vec6
        e: Vec6
        f: Vec6

    @packed
    def times(self, x):
        """B x."""
        return Vec6(
            self.a.dot(x), self.b.dot(x), self.c.dot(x), self.d.dot(x), self.e.dot(x), self.f.dot(x)
        )

    @packed
    def transposed_times(self, x):
        """B^T x."""
        first = x.a * self.a + x.b * self.b + x.c * self.c
        return first + x.d * self.d + x.e * self.e + x.f * self.f

    @packed
    def subtract_product(self, S, B):
        """Subtract S^T B."""
        a, b, c, d, e, f = B.a, B.b, B.c, B.d, B.e, B.f
        self.a = self.a - S.a.a * a - S.b.a * b - S.c.a * c - S.d.a * d - S.e.a * e - S.f.a * f
        self.b = self.b - S.a.b * a - S.b.b * b - S.c.b * c - S.d.b * d - S.e.b * e - S.f.b * f
        self.c = self.c - S.a.c * a - S.b.c * b - S.c.c * c - S.d.c * d - S.e.c * e - S.f.c * f
        self.d = self.d - S.a.d * a - S.b.d * b - S.c.d * c - S.d.d * d - S.e.d * e - S.f.d * f
        self.e = self.e - S.a.e * a - S.b.e * b - S.c.e * c - S.d.e * d - S.e.e * e - S.f.e * f
        self.f = self.f - S.a.f * a - S.b.f * b - S.c.f * c - S.d.f * d - S.e.f * e - S.f.f * f

    @packed
    def add_dyad(self, p, q):
        """Add p q^T."""
        self.a = self.a + p.a * q
        self.b = self.b + p.b * q
        self.c = self.c + p.c * q
        self.d = self.d + p.d * q
        self.e = self.e + p.e * q
        self.f = self.f + p.f * q

    @packed
    def add_dyads(self, p, q, r, s, t, u):
        """Add p q^T + r s^T + t u^T."""
        self.a = self.a + p.a * q + r.a * s + t.a * u
        self.b = self.b + p.b * q + r.b * s + t.b * u
        self.c = self.c + p.c * q + r.c * s + t.c * u
        self.d = self.d + p.d * q + r.d * s + t.d * u
        self.e = self.e + p.e * q + r.e * s + t.e * u
        self.f = self.f + p.f * q + r.f * s + t.f * u

    # -- A = L L^T ---------------------------------------------------------------------------------

    @packed
    def divide(self, X):
        """B <- L^-1 B: X holds L^-1 in its lower triangle (`invert_lower`)."""
        a, b, c, d, e, f = self.a, self.b, self.c, self.d, self.e, self.f
        self.a = X.a.a * a
        self.b = X.b.a * a + X.b.b * b
        self.c = X.c.a * a + X.c.b * b + X.c.c * c
        self.d = X.d.a * a + X.d.b * b + X.d.c * c + X.d.d * d
        self.e = X.e.a * a + X.e.b * b + X.e.c * c + X.e.d * d + X.e.e * e
        self.f = X.f.a * a + X.f.b * b + X.f.c * c + X.f.d * d + X.f.e * e + X.f.f * f

    # -- A = L U, ones on the diagonal of L --------------------------------------------------------

    @packed
    def divide_lower(self, X):
        """B <- L^-1 B: X holds both triangles (`invert_both`)."""
        a, b, c, d, e = self.a, self.b, self.c, self.d, self.e
        self.b = b + X.b.a * a
        self.c = c + X.c.a * a + X.c.b * b
        self.d = d + X.d.a * a + X.d.b * b + X.d.c * c
        self.e = e + X.e.a * a + X.e.b * b + X.e.c * c + X.e.d * d
        self.f = self.f + X.f.a * a + X.f.b * b + X.f.c * c + X.f.d * d + X.f.e * e

    @packed
    def divide_upper(self, X):
        """B <- U^-T B: X holds both triangles (`invert_both`)."""
        a, b, c, d, e, f = self.a, self.b, self.c, self.d, self.e, self.f
        self.a = X.a.a * a
        self.b = X.a.b * a + X.b.b * b
        self.c = X.a.c * a + X.b.c * b + X.c.c * c
        self.d = X.a.d * a + X.b.d * b + X.c.d * c + X.d.d * d
        self.e = X.a.e * a + X.b.e * b + X.c.e * c + X.d.e * d + X.e.e * e
        self.f = X.a.f * a + X.b.f * b + X.c.f * c + X.d.f * d + X.e.f * e + X.f.f * f

    def lower_times(self, x):
        """L^-1 x, of a block that `invert_both` has made."""
        B, C, D, E, F = self.b, self.c, self.d, self.e, self.f
        return Vec6(
            x.a,
            x.b + B.a * x.a,
            x.c + C.a * x.a + C.b * x.b,
            x.d + D.a * x.a + D.b * x.b + D.c * x.c,
            x.e + E.a * x.a + E.b * x.b + E.c * x.c + E.d * x.d,
            x.f + F.a * x.a + F.b * x.b + F.c * x.c + F.d * x.d + F.e * x.e,
        )

    def upper_times(self, x):
        """U^-1 x, of a block that `invert_both` has made."""
        A, B, C, D, E = self.a, self.b, self.c, self.d, self.e
        return Vec6(
            A.a * x.a + A.b * x.b + A.c * x.c + A.d * x.d + A.e * x.e + A.f * x.f,
            B.b * x.b + B.c * x.c + B.d * x.d + B.e * x.e + B.f * x.f,
            C.c * x.c + C.d * x.d + C.e * x.e + C.f * x.f,
            D.d * x.d + D.e * x.e + D.f * x.f,
            E.e * x.e + E.f * x.f,
            self.f.f * x.f,
        )


@kernel
def invert_lower(x, at):
    """A = L L^T in its lower triangle becomes L^-1, the upper one 0. Returns the least pivot.

    Columns of L first, then L^-1 by rows: X_ij = -1/L_ii sum_k L_ik X_kj.
    """
    least = math.inf
    for j in range(6):
        d = x[at + 7 * j]
        for k in range(j):
            d -= x[at + 6 * j + k] * x[at + 6 * j + k]
        least = d if d < least else least
        inverse = 1.0 / math.sqrt(d if d > TINY else TINY)
        x[at + 7 * j] = inverse
        for i in range(j + 1, 6):
            t = x[at + 6 * i + j]
            for k in range(j):
                t -= x[at + 6 * i + k] * x[at + 6 * j + k]
            x[at + 6 * i + j] = t * inverse
    for i in range(1, 6):
        for j in range(i):
            t = x[at + 6 * i + j] * x[at + 7 * j]
            for k in range(j + 1, i):
                t += x[at + 6 * i + k] * x[at + 6 * k + j]
            x[at + 6 * j + i] = -t * x[at + 7 * i]
        # Row i of L is needed until its row of the inverse is complete: it waits in the upper half.
        for j in range(i):
            x[at + 6 * i + j] = x[at + 6 * j + i]
            x[at + 6 * j + i] = 0.0
    return least


@kernel
def invert_both(x, at):
    """A = L U, the diagonal of L one: the triangles become those of L^-1 and U^-1.

    Returns the least pivot in size. Without exchange of rows: the two triangular inverses keep
    small what a single A^-1 would lose where the entries of A are of very different size.
    """
    least = math.inf
    for k in range(6):
        d = x[at + 7 * k]
        least = min(least, abs(d))
        d = 1.0 / (d if abs(d) > TINY else TINY)
        x[at + 7 * k] = d
        for i in range(k + 1, 6):
            t = x[at + 6 * i + k] * d
            x[at + 6 * i + k] = t
            for j in range(k + 1, 6):
                x[at + 6 * i + j] -= t * x[at + 6 * k + j]
    # L^-1 by rows: X_ij = -L_ij - sum_k L_ik X_kj; U^-1 by columns: X_ij = -sum_k X_ik U_kj X_jj.
    for i in range(1, 6):
        for j in range(i):
            t = x[at + 6 * i + j]
            for k in range(j + 1, i):
                t += x[at + 6 * i + k] * x[at + 6 * k + j]
            x[at + 6 * i + j] = -t
    for j in range(1, 6):
        for i in range(j):
            t = 0.0
            for k in range(i, j):
                t += x[at + 6 * i + k] * x[at + 6 * k + j]
            x[at + 6 * i + j] = -t * x[at + 7 * j]
    return least
