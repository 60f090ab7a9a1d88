"""The cone x_0 >= |(x_1, x_2)| with its product, and the scaling of Nesterov and Todd (1997).

    x o y = (x . y, x_0 y_t + y_0 x_t),      det x = x_0^2 - |x_t|^2 > 0 inside

For r, y inside there is one symmetric W, a multiple of a hyperbolic rotation, with W r = W^-1 y:

    W = eta [w_0, w_t^T; w_t, 1 + w_t w_t^T / (1 + w_0)],       W^2 = eta^2 (2 w w^T - S)
    w = (y / sqrt(det y) + S r / sqrt(det r)) / (2 gamma),      eta^4 = det y / det r

with S = diag(1, -1, -1) and gamma such that det w = 1 (Andersen, Roos, Terlaky 2003).
"""

import math

from dalembert._jit import kernel
from dalembert._records import value
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import Vec3


@kernel
def determinant(x):
    """det x, without cancellation near the boundary."""
    t = math.sqrt(x.y * x.y + x.z * x.z)
    return (x.x - t) * (x.x + t)


@value
class Scaling:
    """W."""

    w: Vec3
    eta: float

    @staticmethod
    def of(r, y):
        """W of two points inside the cone; NaN elsewhere."""
        a, b = determinant(r), determinant(y)
        if not (a > 0.0 and b > 0.0):
            return Scaling(Vec3(math.nan, math.nan, math.nan), math.nan)
        a, b = math.sqrt(a), math.sqrt(b)
        p, q = 1.0 / a, 1.0 / b
        inner = p * q * r.dot(y)
        f = 0.5 / math.sqrt(0.5 * (1.0 + inner))
        w = Vec3(
            f * (q * y.x + p * r.x),
            f * (q * y.y - p * r.y),
            f * (q * y.z - p * r.z),
        )
        return Scaling(w, math.sqrt(b / a))

    @property
    def back(self):
        """W^-1."""
        return Scaling(Vec3(self.w.x, -self.w.y, -self.w.z), 1.0 / self.eta)

    def __matmul__(self, x):
        """W x."""
        w, eta = self.w, self.eta
        inner = w.y * x.y + w.z * x.z
        f = x.x + inner / (1.0 + w.x)
        return Vec3(eta * (w.x * x.x + inner), eta * (x.y + f * w.y), eta * (x.z + f * w.z))

    @property
    def squared(self):
        """W^2."""
        w, f = self.w, self.eta * self.eta
        g = 2.0 * f
        # w_0^2 = 1 + |w_t|^2: 2 w_0^2 - 1 without cancellation
        return Sym3(
            f * (1.0 + 2.0 * (w.y * w.y + w.z * w.z)),
            f + g * w.y * w.y,
            f + g * w.z * w.z,
            g * w.x * w.y,
            g * w.x * w.z,
            g * w.y * w.z,
        )


@kernel
def circle(x, y):
    """x o y."""
    return Vec3(x.dot(y), x.x * y.y + y.x * x.y, x.x * y.z + y.x * x.z)


@kernel
def divided(b, x):
    """d with x o d = b."""
    d = (x.x * b.x - x.y * b.y - x.z * b.z) / determinant(x)
    return Vec3(d, (b.y - d * x.y) / x.x, (b.z - d * x.z) / x.x)


@kernel
def way_out(x, d):
    """Largest step from x inside along d that stays inside; infinite if every one does."""
    a = d.x * d.x - d.y * d.y - d.z * d.z
    b = x.x * d.x - x.y * d.y - x.z * d.z
    c = determinant(x)
    step = math.inf
    if d.x < 0.0:
        step = -x.x / d.x
    root = b * b - a * c
    if root >= 0.0:
        q = -(b + math.sqrt(root)) if b >= 0.0 else -(b - math.sqrt(root))
        if a != 0.0 and q / a > 0.0:
            step = min(step, q / a)
        if q != 0.0 and c / q > 0.0:
            step = min(step, c / q)
    return step
