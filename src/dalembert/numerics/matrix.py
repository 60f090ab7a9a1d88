"""3 x 3 matrices as values, any and symmetric: in compiled code nine or six registers.

A + B, s * A               as written
A @ a, A @ B               products
"""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert._records import value
from dalembert.numerics.vector import Vec3, vec3


@value
class Mat3:
    """A 3 x 3 matrix; xy stands in the first row and second column."""

    xx: float
    xy: float
    xz: float
    yx: float
    yy: float
    yz: float
    zx: float
    zy: float
    zz: float

    @staticmethod
    def zero():
        """The matrix that is nothing."""
        return Mat3(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    @staticmethod
    def unit():
        """The matrix 1."""
        return Mat3(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)

    @staticmethod
    def of_columns(x, y, z):
        """The matrix [x y z]."""
        return Mat3(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z)

    @staticmethod
    def of_rows(x, y, z):
        """The matrix [x y z]^T."""
        return Mat3(x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z)

    @property
    def x(self):
        """First column: of a rotation, the axis x of the turned frame."""
        return Vec3(self.xx, self.yx, self.zx)

    @property
    def y(self):
        """Second column."""
        return Vec3(self.xy, self.yy, self.zy)

    @property
    def z(self):
        """Third column."""
        return Vec3(self.xz, self.yz, self.zz)

    @property
    def row_x(self):
        """First row."""
        return Vec3(self.xx, self.xy, self.xz)

    @property
    def row_y(self):
        """Second row."""
        return Vec3(self.yx, self.yy, self.yz)

    @property
    def row_z(self):
        """Third row."""
        return Vec3(self.zx, self.zy, self.zz)

    @property
    def transposed(self):
        """A^T."""
        return Mat3.of_rows(self.x, self.y, self.z)

    @property
    def absolute(self):
        """Sizes of the entries."""
        return Mat3.of_rows(self.row_x.absolute, self.row_y.absolute, self.row_z.absolute)

    def row(self, i):
        """One of the rows; `i` may vary."""
        return Vec3(self.x.entry(i), self.y.entry(i), self.z.entry(i))

    def __add__(self, b):
        return Mat3.of_rows(self.row_x + b.row_x, self.row_y + b.row_y, self.row_z + b.row_z)

    def __matmul__(self, a):
        """Image of a vector."""
        return Vec3(self.row_x.dot(a), self.row_y.dot(a), self.row_z.dot(a))

    def transposed_times(self, a):
        """A^T a."""
        return Vec3(self.x.dot(a), self.y.dot(a), self.z.dot(a))

    def times(self, b):
        """A B of two matrices."""
        return Mat3.of_columns(self @ b.x, self @ b.y, self @ b.z)

    def between(self, a, b):
        """a^T A b, one product after the other."""
        return (
            0.0
            + a.x * self.xx * b.x
            + a.x * self.xy * b.y
            + a.x * self.xz * b.z
            + a.y * self.yx * b.x
            + a.y * self.yy * b.y
            + a.y * self.yz * b.z
            + a.z * self.zx * b.x
            + a.z * self.zy * b.y
            + a.z * self.zz * b.z
        )

    def solve(self, f):
        """A^-1 f, by Cramer's rule."""
        x = self.yy * self.zz - self.yz * self.zy
        y = self.yz * self.zx - self.yx * self.zz
        z = self.yx * self.zy - self.yy * self.zx
        s = 1.0 / (self.xx * x + self.xy * y + self.xz * z)
        return Vec3(
            s
            * (
                x * f.x
                + (self.xz * self.zy - self.xy * self.zz) * f.y
                + (self.xy * self.yz - self.xz * self.yy) * f.z
            ),
            s
            * (
                y * f.x
                + (self.xx * self.zz - self.xz * self.zx) * f.y
                + (self.xz * self.yx - self.xx * self.yz) * f.z
            ),
            s
            * (
                z * f.x
                + (self.xy * self.zx - self.xx * self.zy) * f.y
                + (self.xx * self.yy - self.xy * self.yx) * f.z
            ),
        )

    def transposed_product(self, b):
        """A^T B of two matrices."""
        return Mat3.of_columns(
            self.transposed_times(b.x), self.transposed_times(b.y), self.transposed_times(b.z)
        )

    def turned_by(self, R):
        """R A R^T."""
        x, y, z = R.row_x, R.row_y, R.row_z
        return Mat3(
            self.between(x, x),
            self.between(x, y),
            self.between(x, z),
            self.between(y, x),
            self.between(y, y),
            self.between(y, z),
            self.between(z, x),
            self.between(z, y),
            self.between(z, z),
        )

    @property
    def determinant(self):
        """Along the first row."""
        x = self.yy * self.zz - self.yz * self.zy
        y = self.yz * self.zx - self.yx * self.zz
        z = self.yx * self.zy - self.yy * self.zx
        return self.xx * x + self.xy * y + self.xz * z

    def inverse(self):
        """Inverse by cofactors."""
        x = self.yy * self.zz - self.yz * self.zy
        y = self.yz * self.zx - self.yx * self.zz
        z = self.yx * self.zy - self.yy * self.zx
        f = 1.0 / (self.xx * x + self.xy * y + self.xz * z)
        return Mat3(
            f * x,
            f * (self.xz * self.zy - self.xy * self.zz),
            f * (self.xy * self.yz - self.xz * self.yy),
            f * y,
            f * (self.xx * self.zz - self.xz * self.zx),
            f * (self.xz * self.yx - self.xx * self.yz),
            f * z,
            f * (self.xy * self.zx - self.xx * self.zy),
            f * (self.xx * self.yy - self.xy * self.yx),
        )

    def less_dyad(self, a, b):
        """A - a b^T."""
        return Mat3(
            self.xx - a.x * b.x,
            self.xy - a.x * b.y,
            self.xz - a.x * b.z,
            self.yx - a.y * b.x,
            self.yy - a.y * b.y,
            self.yz - a.y * b.z,
            self.zx - a.z * b.x,
            self.zy - a.z * b.y,
            self.zz - a.z * b.z,
        )

    def about_x(self, s, c):
        """A Rx, of sine and cosine of the angle."""
        return Mat3(
            self.xx,
            self.xy * c + self.xz * s,
            self.xz * c - self.xy * s,
            self.yx,
            self.yy * c + self.yz * s,
            self.yz * c - self.yy * s,
            self.zx,
            self.zy * c + self.zz * s,
            self.zz * c - self.zy * s,
        )

    def about_y(self, s, c):
        """A Ry, of sine and cosine of the angle."""
        return Mat3(
            self.xx * c - self.xz * s,
            self.xy,
            self.xz * c + self.xx * s,
            self.yx * c - self.yz * s,
            self.yy,
            self.yz * c + self.yx * s,
            self.zx * c - self.zz * s,
            self.zy,
            self.zz * c + self.zx * s,
        )

    def about_z(self, s, c):
        """A Rz, of sine and cosine of the angle."""
        return Mat3(
            self.xx * c + self.xy * s,
            self.xy * c - self.xx * s,
            self.xz,
            self.yx * c + self.yy * s,
            self.yy * c - self.yx * s,
            self.yz,
            self.zx * c + self.zy * s,
            self.zy * c - self.zx * s,
            self.zz,
        )


@value
class Sym3:
    """A symmetric 3 x 3 matrix."""

    xx: float
    yy: float
    zz: float
    xy: float
    xz: float
    yz: float

    @staticmethod
    def diagonal(m):
        """The matrix m 1."""
        return Sym3(m, m, m, 0.0, 0.0, 0.0)

    @staticmethod
    def upper(A):
        """A symmetric matrix by its upper triangle."""
        return Sym3(A.xx, A.yy, A.zz, A.xy, A.xz, A.yz)

    @property
    def x(self):
        """First row and column."""
        return Vec3(self.xx, self.xy, self.xz)

    @property
    def y(self):
        """Second row and column."""
        return Vec3(self.xy, self.yy, self.yz)

    @property
    def z(self):
        """Third row and column."""
        return Vec3(self.xz, self.yz, self.zz)

    def __add__(self, b):
        return Sym3(
            self.xx + b.xx,
            self.yy + b.yy,
            self.zz + b.zz,
            self.xy + b.xy,
            self.xz + b.xz,
            self.yz + b.yz,
        )

    def __rmul__(self, s):
        return Sym3(s * self.xx, s * self.yy, s * self.zz, s * self.xy, s * self.xz, s * self.yz)

    def __matmul__(self, a):
        """Image of a vector."""
        return Vec3(self.x.dot(a), self.y.dot(a), self.z.dot(a))

    def less_square(self, a, b):
        """S - a b^T, where b is a multiple of a."""
        return Sym3(
            self.xx - a.x * b.x,
            self.yy - a.y * b.y,
            self.zz - a.z * b.z,
            self.xy - a.x * b.y,
            self.xz - a.x * b.z,
            self.yz - a.y * b.z,
        )

    def turned_by(self, R):
        """R S R^T."""
        x, y, z = R.row_x, R.row_y, R.row_z
        a, b, c = self @ x, self @ y, self @ z
        return Sym3(x.dot(a), y.dot(b), z.dot(c), y.dot(a), z.dot(a), z.dot(b))

    @property
    def trace(self):
        """Sum of the diagonal."""
        return self.xx + self.yy + self.zz

    def plus_square(self, m, n):
        """S + m n n^T."""
        return Sym3(
            self.xx + m * n.x * n.x,
            self.yy + m * n.y * n.y,
            self.zz + m * n.z * n.z,
            self.xy + m * n.x * n.y,
            self.xz + m * n.x * n.z,
            self.yz + m * n.y * n.z,
        )

    def adjugate(self):
        """Cofactors, det(S) S^-1, and the determinant: every 3 x 3 inverse is made of them."""
        a = self.yy * self.zz - self.yz * self.yz
        b = self.xz * self.yz - self.xy * self.zz
        c = self.xy * self.yz - self.xz * self.yy
        determinant = self.xx * a + self.xy * b + self.xz * c
        d = self.xx * self.zz - self.xz * self.xz
        e = self.xy * self.xz - self.xx * self.yz
        f = self.xx * self.yy - self.xy * self.xy
        return Sym3(a, d, f, b, c, e), determinant

    def inverse(self):
        """S^-1 of a positive definite matrix, and its determinant."""
        cofactors, determinant = self.adjugate()
        return (1.0 / determinant) * cofactors, determinant

    def solve(self, a):
        """S^-1 a."""
        cofactors, determinant = self.adjugate()
        return (1.0 / determinant) * (cofactors @ a)


@kernel
def mat3(x, at):
    """Nine entries of an array as a matrix, row by row."""
    return Mat3.of_rows(vec3(x, at), vec3(x, at + 3), vec3(x, at + 6))
