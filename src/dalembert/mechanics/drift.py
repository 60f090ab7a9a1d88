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
from dalembert.system.state_layout import State


@kernel
def turn_about(q, h, d, ax, ay, az, lx, ly, lz):
    """q <- q exp(h d (l . pi) l), pi = R^T (ax, ay, az); l = (lx, ly, lz) in body axes."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    # l . R^T L = (R l) . L: the axis in the world, u = l + 2 (w (p x l) + p x (p x l))
    cx, cy, cz = y * lz - z * ly, z * lx - x * lz, x * ly - y * lx
    ux = lx + 2.0 * (w * cx + y * cz - z * cy)
    uy = ly + 2.0 * (w * cy + z * cx - x * cz)
    uz = lz + 2.0 * (w * cz + x * cy - y * cx)
    angle = 0.5 * h * d * (ux * ax + uy * ay + uz * az)
    size = math.sqrt(lx * lx + ly * ly + lz * lz)
    c, s = math.cos(angle * size), math.sin(angle * size) / size
    sx, sy, sz = s * lx, s * ly, s * lz
    q[0] = w * c - x * sx - y * sy - z * sz
    q[1] = x * c + w * sx + y * sz - z * sy
    q[2] = y * c + w * sy + z * sx - x * sz
    q[3] = z * c + w * sz + x * sy - y * sx


@kernel
def drift(state: State, h, momentum, q):
    """q after a free flight of length h; `momentum` has (m v, L) of each body, world axes."""
    for b in range(state.bodies):
        body = state.body(b)
        xx, yy, zz, xy, xz, yz = body.inertia
        i, k = 7 * b, 6 * b
        for j in range(3):
            q[i + j] += h * momentum[k + j] / body.mass
        # K by the adjugate, then K = L D L^T with unit columns (1, a, b), (0, 1, c), (0, 0, 1)
        c0, c1, c2 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
        scale = 1.0 / (xx * c0 + xy * c1 + xz * c2)
        first = scale * c0
        down, far = c1 / c0, c2 / c0
        second = scale * (xx * zz - xz * xz) - first * down * down
        across = (scale * (xy * xz - xx * yz) - first * down * far) / second
        third = scale * (xx * yy - xy * xy) - first * far * far - second * across * across
        x, y, z = momentum[k + 3], momentum[k + 4], momentum[k + 5]
        part = q[i + 3 : i + 7]
        turn_about(part, 0.5 * h, first, x, y, z, 1.0, down, far)
        turn_about(part, 0.5 * h, second, x, y, z, 0.0, 1.0, across)
        turn_about(part, h, third, x, y, z, 0.0, 0.0, 1.0)
        turn_about(part, 0.5 * h, second, x, y, z, 0.0, 1.0, across)
        turn_about(part, 0.5 * h, first, x, y, z, 1.0, down, far)
