"""Vectors of three entries as values: in compiled code three registers.

a + b, a - b, -a, s * a    as written
a % b                      a x b, the cross product
a.dot(b)                   a . b
"""

from __future__ import annotations

from dalembert import _traceable as math
from dalembert._jit import kernel
from dalembert._records import value
from dalembert._traceable import max, min


@value
class Vec3:
    """A vector of space."""

    x: float
    y: float
    z: float

    @staticmethod
    def zero():
        """The vector that is nothing."""
        return Vec3(0.0, 0.0, 0.0)

    def __add__(self, b):
        return Vec3(self.x + b.x, self.y + b.y, self.z + b.z)

    def __sub__(self, b):
        return Vec3(self.x - b.x, self.y - b.y, self.z - b.z)

    def __neg__(self):
        return Vec3(-self.x, -self.y, -self.z)

    def __rmul__(self, s):
        return Vec3(s * self.x, s * self.y, s * self.z)

    def __truediv__(self, s):
        return Vec3(self.x / s, self.y / s, self.z / s)

    def __mod__(self, b):
        """Cross product."""
        return Vec3(
            self.y * b.z - self.z * b.y,
            self.z * b.x - self.x * b.z,
            self.x * b.y - self.y * b.x,
        )

    def dot(self, b):
        """Scalar product."""
        return self.x * b.x + self.y * b.y + self.z * b.z

    @property
    def size(self):
        """Length."""
        return math.sqrt(self.dot(self))

    @property
    def largest(self):
        """Maximum norm."""
        return max(abs(self.x), max(abs(self.y), abs(self.z)))

    @property
    def extent(self):
        """Sum norm: |a . b| <= a.extent b.largest, and so for the entries of a x b."""
        return abs(self.x) + abs(self.y) + abs(self.z)

    @property
    def least(self):
        """The smallest entry."""
        return min(self.x, self.y, self.z)

    @property
    def absolute(self):
        """Sizes of the entries."""
        return Vec3(abs(self.x), abs(self.y), abs(self.z))

    @staticmethod
    def along(k, s):
        """The vector s e_k, e_k one of the three axes."""
        return Vec3(s if k == 0 else 0.0, s if k == 1 else 0.0, s if k == 2 else 0.0)

    def entry(self, k):
        """One of the three numbers; `k` may vary."""
        return self.x if k == 0 else (self.y if k == 1 else self.z)

    def scaled(self, b):
        """Entry by entry a_i b_i."""
        return Vec3(self.x * b.x, self.y * b.y, self.z * b.z)


@kernel
def vec3(x, at):
    """Three entries of an array as a vector."""
    return Vec3(x[at], x[at + 1], x[at + 2])


@kernel
def put_vec3(x, at, a):
    """Store a vector."""
    x[at], x[at + 1], x[at + 2] = a.x, a.y, a.z


# -- entries of arrays: copies, and matrices of which one triangle is kept -------------------------


@kernel
def copy(x, out):
    """Write all entries of x to the first ones of `out`."""
    for i in range(len(x)):
        out[i] = x[i]


@kernel
def symmetric(A, i, j):
    """A_ij of a symmetric matrix whose lower triangle is kept."""
    return A[i, j] if j <= i else A[j, i]
