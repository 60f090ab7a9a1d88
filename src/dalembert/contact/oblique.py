"""One contact alone, with a response W that need not be symmetric (`contact.local` has the others).

    u = W lam + q,   W = [w_nn, w_nt; w_tn, W_tt],     the laws and the unknown s of `contact.local`

    A = W_tt - w_tn w_nt / w_nn,    b = q_t - w_tn q_n / w_nn,    lam_t(s) = -(A + s I)^-1 b,
    lam_n(s) = -(q_n + w_nt . lam_t(s)) / w_nn,     f(s) = |lam_t(s)| - mu lam_n(s) = 0,    s > 0

A has no frame in which it is diagonal: (A + s I)^-1 is its adjugate over its determinant.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.local import ITERATIONS, bracketed, on_cone

SINGULAR = 1e-13
"""Determinant of a response, over the cube of its size, that has no inverse."""


@kernel
def oblique_slide(W, q, mu):
    """The impulse of a contact that slides; W by its rows."""
    i = 1.0 / W[0]
    n1, n2 = W[1], W[2]
    a11, a12 = W[4] - W[3] * n1 * i, W[5] - W[3] * n2 * i
    a21, a22 = W[7] - W[6] * n1 * i, W[8] - W[6] * n2 * i
    b1, b2 = q[1] - W[3] * q[0] * i, q[2] - W[6] * q[0] * i
    base = -q[0] * i
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
    l1, l2 = on_cone(n, l1, l2, mu)
    return n, l1, l2


@kernel
def oblique_contact(W, inverse, u, lam, mu):
    """The new impulse of a contact whose velocity is u at the impulse lam; matrices by rows.

    An inverse of zeros: there is none, and the contact does not stick.
    """
    if inverse[0] != 0.0:
        a = lam[0] - (inverse[0] * u[0] + inverse[1] * u[1] + inverse[2] * u[2])
        b = lam[1] - (inverse[3] * u[0] + inverse[4] * u[1] + inverse[5] * u[2])
        c = lam[2] - (inverse[6] * u[0] + inverse[7] * u[1] + inverse[8] * u[2])
        if a >= 0.0 and b * b + c * c <= mu * mu * a * a:
            return a, b, c
    q = (
        u[0] - (W[0] * lam[0] + W[1] * lam[1] + W[2] * lam[2]),
        u[1] - (W[3] * lam[0] + W[4] * lam[1] + W[5] * lam[2]),
        u[2] - (W[6] * lam[0] + W[7] * lam[1] + W[8] * lam[2]),
    )
    if q[0] >= 0.0:
        return 0.0, 0.0, 0.0
    if mu == 0.0:
        return -q[0] / W[0], 0.0, 0.0
    return oblique_slide(W, q, mu)


@kernel
def oblique_inverse(W, planar):
    """W^-1 by its rows; zeros where W is singular, of its first two rows where it is planar."""
    if planar:
        d = W[0] * W[4] - W[1] * W[3]
        size = max(abs(W[0]), abs(W[4]))
        if not abs(d) > SINGULAR * size * size:
            return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        d = 1.0 / d
        return d * W[4], -d * W[1], 0.0, -d * W[3], d * W[0], 0.0, 0.0, 0.0, 0.0
    a, b = W[4] * W[8] - W[5] * W[7], W[5] * W[6] - W[3] * W[8]
    c = W[3] * W[7] - W[4] * W[6]
    d = W[0] * a + W[1] * b + W[2] * c
    size = max(abs(W[0]), abs(W[4]), abs(W[8]))
    if not abs(d) > SINGULAR * size * size * size:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    d = 1.0 / d
    return (
        d * a,
        d * (W[2] * W[7] - W[1] * W[8]),
        d * (W[1] * W[5] - W[2] * W[4]),
        d * b,
        d * (W[0] * W[8] - W[2] * W[6]),
        d * (W[2] * W[3] - W[0] * W[5]),
        d * c,
        d * (W[1] * W[6] - W[0] * W[7]),
        d * (W[0] * W[4] - W[1] * W[3]),
    )
