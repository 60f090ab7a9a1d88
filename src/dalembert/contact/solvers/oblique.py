"""One contact alone, with a response W that need not be symmetric (see `single_contact`).

    u = W lam + q,   W = [w_nn, w_nt; w_tn, W_tt],     laws and unknown s of `single_contact`

    A = W_tt - w_tn w_nt / w_nn,    b = q_t - w_tn q_n / w_nn,    lam_t(s) = -(A + s I)^-1 b,
    lam_n(s) = -(q_n + w_nt . lam_t(s)) / w_nn,     f(s) = |lam_t(s)| - mu lam_n(s) = 0,    s > 0

A has no frame in which it is diagonal: (A + s I)^-1 is its adjugate over its determinant.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.solvers.single_contact import ITERATIONS, bracketed, inside_cone, on_cone
from dalembert.numerics.matrix import Mat3
from dalembert.numerics.vector import Vec3

SINGULAR = 1e-13
"""Determinant of a response, over the cube of its size, that has no inverse."""


@kernel
def oblique_slide(W, q, mu):
    """The impulse of a contact that slides."""
    i = 1.0 / W.xx
    n1, n2 = W.xy, W.xz
    a11, a12 = W.yy - W.yx * n1 * i, W.yz - W.yx * n2 * i
    a21, a22 = W.zy - W.zx * n1 * i, W.zz - W.zx * n2 * i
    b1, b2 = q.y - W.yx * q.x * i, q.z - W.zx * q.x * i
    base = -q.x * i
    low, high = 0.0, math.inf
    root = math.sqrt(b1 * b1 + b2 * b2)
    at = root / (mu * base) if mu * base > 0.0 else 0.0
    if not (0.0 < at < 1e300):
        at = max(abs(a11), abs(a22), 1e-300)
    l1, l2 = 0.0, 0.0
    for _ in range(ITERATIONS):
        c11, c22 = a11 + at, a22 + at
        d = c11 * c22 - a12 * a21
        d = 1.0 / d if d != 0.0 else 1e300
        l1, l2 = -(c22 * b1 - a12 * b2) * d, -(c11 * b2 - a21 * b1) * d
        r = math.sqrt(l1 * l1 + l2 * l2)
        n = base - (n1 * l1 + n2 * l2) * i
        f = r - mu * n
        if abs(f) <= 1e-16 * (r + mu * abs(n)) or high - low <= 4e-16 * at:
            break
        if f > 0.0:
            low = at
        else:
            high = at
        g1, g2 = -(c22 * l1 - a12 * l2) * d, -(c11 * l2 - a21 * l1) * d
        slope = (l1 * g1 + l2 * g2) / r + mu * (n1 * g1 + n2 * g2) * i if r > 0.0 else 0.0
        following = at - f / slope if slope < 0.0 else -1.0
        following = bracketed(following, at, low, high)
        if following == at:
            break
        at = following
    n = max(0.0, base - (n1 * l1 + n2 * l2) * i)
    return on_cone(n, l1, l2, mu)


@kernel
def oblique_contact(W, inverse, u, lam, mu):
    """The new impulse of a contact whose velocity is u at the impulse lam.

    An inverse of zeros: there is none, and the contact does not stick.
    """
    if inverse.xx != 0.0:
        stuck = lam - inverse @ u
        if inside_cone(stuck, mu):
            return stuck
    q = u - W @ lam
    if q.x >= 0.0:
        return Vec3.zero()
    if mu == 0.0:
        return Vec3(-q.x / W.xx, 0.0, 0.0)
    return oblique_slide(W, q, mu)


@kernel
def oblique_inverse(W, planar):
    """W^-1; zeros where W is singular, of its first two rows where it is planar."""
    if planar:
        d = W.xx * W.yy - W.xy * W.yx
        size = max(abs(W.xx), abs(W.yy))
        if not abs(d) > SINGULAR * size * size:
            return Mat3.zero()
        d = 1.0 / d
        return Mat3(d * W.yy, -d * W.xy, 0.0, -d * W.yx, d * W.xx, 0.0, 0.0, 0.0, 0.0)
    size = max(abs(W.xx), abs(W.yy), abs(W.zz))
    if not abs(W.determinant) > SINGULAR * size * size * size:
        return Mat3.zero()
    return W.inverse()
