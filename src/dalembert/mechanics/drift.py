"""Free flight of rigid bodies with given momenta: the drift of a symplectic splitting.

The energy of rotation is a sum of squares in body axes,

    T = 1/2 pi^T K pi = sum_i 1/2 d_i (l_i . pi)^2,      K = Theta_b^-1 = sum_i d_i l_i l_i^T,

pi = R^T L the momentum in body axes. Each square alone turns the body about the fixed axis l_i at
the rate d_i (l_i . pi), which does not change on the way. Turning about 1, 2, 3, 2, 1 by h/2, h/2,
h, h/2, h/2 is symmetric, symplectic and of second order, and L in world axes stays what it is:
Dullweber, Leimkuhler & McLachlan (1997), there for principal axes; l_i are the columns of the
triangular factor of K, so that none are needed.
"""

import math

from dalembert._jit import kernel
from dalembert.numerics.quaternion import Quaternion, put_quaternion, quaternion
from dalembert.numerics.vector import Vec3, vec3
from dalembert.system.state_layout import State


@kernel
def turned_about(p, h, d, L, l):
    """p exp(h d (l . pi) l), pi = R^T L; the axis l is in body axes."""
    # l . R^T L = (R l) . L: the axis in the world, u = l + 2 (w (p x l) + p x (p x l))
    v = Vec3(p.x, p.y, p.z)
    c = v % l
    u = Vec3(
        l.x + 2.0 * (p.w * c.x + p.y * c.z - p.z * c.y),
        l.y + 2.0 * (p.w * c.y + p.z * c.x - p.x * c.z),
        l.z + 2.0 * (p.w * c.z + p.x * c.y - p.y * c.x),
    )
    angle, size = 0.5 * h * d * u.dot(L), l.size
    cosine, s = math.cos(angle * size), (math.sin(angle * size) / size) * l
    return Quaternion(
        p.w * cosine - p.x * s.x - p.y * s.y - p.z * s.z,
        p.x * cosine + p.w * s.x + p.y * s.z - p.z * s.y,
        p.y * cosine + p.w * s.y + p.z * s.x - p.x * s.z,
        p.z * cosine + p.w * s.z + p.x * s.y - p.y * s.x,
    )


@kernel
def drift(state: State, h, momentum, q):
    """q after a free flight of length h; `momentum` has (m v, L) of each body, world axes."""
    for b in range(state.bodies):
        body, i, k = state.body(b), 7 * b, 6 * b
        for j in range(3):
            q[i + j] += h * momentum[k + j] / body.mass
        # K by the adjugate, then K = L D L^T with unit columns (1, a, b), (0, 1, c), (0, 0, 1)
        C, determinant = body.inertia.adjugate()
        scale = 1.0 / determinant
        first = scale * C.xx
        down, far = C.xy / C.xx, C.xz / C.xx
        second = scale * C.yy - first * down * down
        across = (scale * C.yz - first * down * far) / second
        third = scale * C.zz - first * far * far - second * across * across
        L, p = vec3(momentum, k + 3), quaternion(q, i + 3)
        x, y, z = Vec3(1.0, down, far), Vec3(0.0, 1.0, across), Vec3(0.0, 0.0, 1.0)
        p = turned_about(p, 0.5 * h, first, L, x)
        p = turned_about(p, 0.5 * h, second, L, y)
        p = turned_about(p, h, third, L, z)
        p = turned_about(p, 0.5 * h, second, L, y)
        put_quaternion(q, i + 3, turned_about(p, 0.5 * h, first, L, x))
