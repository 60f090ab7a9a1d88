"""Unit quaternions as values: rotations, their exponential and logarithm."""

from __future__ import annotations

from dalembert import _traceable as math
from dalembert._jit import kernel
from dalembert._records import value
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3


@value
class Quaternion:
    """A rotation, or what is near one; its length does not matter to `rotation`."""

    w: float
    x: float
    y: float
    z: float

    @staticmethod
    def one():
        """No rotation."""
        return Quaternion(1.0, 0.0, 0.0, 0.0)

    @staticmethod
    def exponential(u):
        """Unit quaternion of a rotation vector."""
        half = 0.5 * math.sqrt(u.dot(u))
        # sin(x) / x = 1 - x^2 / 6 to the last digit below 1e-4.
        ratio = math.sin(half) / math.max(half, 1e-4)
        s = math.chosen(half > 1e-4, 0.5 * ratio, 0.5 - half * half / 12.0)
        return Quaternion(math.cos(half), s * u.x, s * u.y, s * u.z)

    def __matmul__(self, q):
        """Product: first q, then this rotation."""
        return Quaternion(
            self.w * q.w - self.x * q.x - self.y * q.y - self.z * q.z,
            self.w * q.x + self.x * q.w + self.y * q.z - self.z * q.y,
            self.w * q.y - self.x * q.z + self.y * q.w + self.z * q.x,
            self.w * q.z + self.x * q.y - self.y * q.x + self.z * q.w,
        )

    def __neg__(self):
        return Quaternion(-self.w, -self.x, -self.y, -self.z)

    def dot(self, q):
        """Scalar product of the four numbers."""
        return self.w * q.w + self.x * q.x + self.y * q.y + self.z * q.z

    def conjugate(self):
        """Quaternion of the opposite rotation."""
        return Quaternion(self.w, -self.x, -self.y, -self.z)

    def unit(self):
        """With length one."""
        s = 1.0 / math.sqrt(self.dot(self))
        return Quaternion(s * self.w, s * self.x, s * self.y, s * self.z)

    def rotation(self):
        """R as a matrix."""
        w, x, y, z = self.w, self.x, self.y, self.z
        s = 2.0 / (w * w + x * x + y * y + z * z)
        return Mat3(
            1.0 - s * (y * y + z * z),
            s * (x * y - w * z),
            s * (x * z + w * y),
            s * (x * y + w * z),
            1.0 - s * (x * x + z * z),
            s * (y * z - w * x),
            s * (x * z - w * y),
            s * (y * z + w * x),
            1.0 - s * (x * x + y * y),
        )

    def logarithm(self):
        """Rotation vector of a unit quaternion, the shorter way round."""
        w, x, y, z = self.w, self.x, self.y, self.z
        sine = math.sqrt(x * x + y * y + z * z)
        angle = 2.0 * math.atan2(sine, abs(w))
        s = angle / sine if sine > 1e-9 else 2.0
        if w < 0.0:
            s = -s
        return Vec3(s * x, s * y, s * z)


@kernel
def quaternion(x, at):
    """Four entries of an array as a quaternion."""
    return Quaternion(x[at], x[at + 1], x[at + 2], x[at + 3])


@kernel
def put_quaternion(x, at, p):
    """Store a quaternion."""
    x[at], x[at + 1], x[at + 2], x[at + 3] = p.w, p.x, p.y, p.z
