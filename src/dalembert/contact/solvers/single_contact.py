"""One contact alone: Signorini and Coulomb, exactly.

    u = W lam + q,   0 <= lam_n  |  u_n >= 0,   |lam_t| <= mu lam_n,   lam_t = -mu lam_n u_t / |u_t|

with W symmetric positive definite, its rows (n, t1, t2). Three cases: it sticks (lam = -W^-1 q
inside the cone), it is open (q_n >= 0), or it slides. Sliding: lam_n eliminated, with

    A = W_tt - W_tn W_nt / W_nn,    b = q_t - W_tn q_n / W_nn,    lam_t(s) = -(A + s I)^-1 b,
    lam_n(s) = -(q_n + W_nt lam_t(s)) / W_nn,     f(s) = |lam_t(s)| - mu lam_n(s) = 0,    s > 0,

u_t = -s lam_t. f(0) > 0 where it cannot stick, f < 0 for large s: there is a root in every case, in
those of Painleve as well. It is sought in the frame in which A is diagonal, by Newton's method
inside a bracket.
"""

import math

from dalembert._jit import kernel
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import Vec3

ITERATIONS = 80
"""Most steps: Newton needs few, and bisection over all doubles less than this."""


@kernel
def bracketed(following, at, low, high):
    """The next s: Newton's where it lies between `low` and `high`, else one that halves them."""
    if low < following < high:
        return following
    if high == math.inf:
        return 8.0 * at
    if low == 0.0:
        return 0.125 * at if at == high else 0.5 * (low + high)
    return math.sqrt(low * high) if high > 8.0 * low else 0.5 * (low + high)


@kernel
def on_cone(n, l1, l2, mu):
    """The impulse with friction at its limit, to the last digit."""
    r = math.sqrt(l1 * l1 + l2 * l2)
    f = mu * n / r if r > 0.0 else 0.0
    return Vec3(n, f * l1, f * l2)


@kernel
def slide(W, q, mu):
    """The impulse of a contact that slides."""
    i = 1.0 / W.xx
    n1, n2 = W.xy, W.xz
    a11, a12, a22 = W.yy - n1 * n1 * i, W.yz - n1 * n2 * i, W.zz - n2 * n2 * i
    b1, b2 = q.y - n1 * q.x * i, q.z - n2 * q.x * i
    # Diagonal frame of A by one rotation.
    c, s = 1.0, 0.0
    if a12 != 0.0:
        half = 0.5 * (a22 - a11) / a12
        t = 1.0 / (abs(half) + math.sqrt(1.0 + half * half))
        t = t if half >= 0.0 else -t
        c = 1.0 / math.sqrt(1.0 + t * t)
        s = t * c
        a11, a22 = a11 - t * a12, a22 + t * a12
    a11, a22 = max(a11, 0.0), max(a22, 0.0)
    x, y = c * b1 - s * b2, s * b1 + c * b2
    d1, d2 = (c * n1 - s * n2) * i, (s * n1 + c * n2) * i
    base = -q.x * i

    low, high = 0.0, math.inf
    size = max(a11, a22)
    # lam_t is at most |b| / s: beyond this s the contact is well inside its cone.
    root = math.sqrt(x * x + y * y)
    reach = mu * base
    at = root / reach if reach > 0.0 else size
    if not (0.0 < at < 1e300):
        at = size if size > 0.0 else 1.0
    l1, l2 = 0.0, 0.0
    for _ in range(ITERATIONS):
        e1, e2 = 1.0 / (a11 + at), 1.0 / (a22 + at)
        l1, l2 = -x * e1, -y * e2
        r = math.sqrt(l1 * l1 + l2 * l2)
        n = base - d1 * l1 - d2 * l2
        f = r - mu * n
        if abs(f) <= 1e-16 * (r + mu * abs(n)) or high - low <= 4e-16 * at:
            break
        if f > 0.0:
            low = at
        else:
            high = at
        # d lam_t / ds = -(A + s)^-1 lam_t.
        g1, g2 = -l1 * e1, -l2 * e2
        slope = (l1 * g1 + l2 * g2) / r + mu * (d1 * g1 + d2 * g2) if r > 0.0 else 0.0
        following = at - f / slope if slope < 0.0 else -1.0
        # |lam_t| behaves like 1 / (s + a): Newton on the reciprocals where both are positive.
        if n > 0.0 and slope < 0.0:
            p = 1.0 / r
            rate = -(l1 * g1 + l2 * g2) * p * p * p - (d1 * g1 + d2 * g2) / (mu * n * n)
            if rate > 0.0:
                following = at - (p - 1.0 / (mu * n)) / rate
        following = bracketed(following, at, low, high)
        if following == at:
            break
        at = following
    n = max(0.0, base - d1 * l1 - d2 * l2)
    lam = on_cone(n, l1, l2, mu)
    return Vec3(n, c * lam.y + s * lam.z, c * lam.z - s * lam.y)


@kernel
def contact(W, inverse, u, lam, mu):
    """The new impulse of a contact whose velocity is u at the impulse lam.

    Compliance is included in W and in u.
    """
    stuck = lam - inverse @ u
    if inside_cone(stuck, mu):
        return stuck
    q = u - W @ lam
    if q.x >= 0.0:
        return Vec3.zero()
    if mu == 0.0:
        return Vec3(-q.x / W.xx, 0.0, 0.0)
    return slide(W, q, mu)


@kernel
def inside_cone(lam, mu):
    """Whether |lam_t| <= mu lam_n."""
    return lam.x >= 0.0 and lam.y * lam.y + lam.z * lam.z <= mu * mu * lam.x * lam.x


@kernel
def inverse_of(W):
    """W^-1 by L D L^T; directions without a response get none."""
    least = 1e-14 * (W.xx + W.yy + W.zz)
    i = 1.0 / W.xx if W.xx > least else 0.0
    x, y = W.xy * i, W.xz * i
    d = W.yy - x * W.xy
    j = 1.0 / d if d > least else 0.0
    m = W.yz - x * W.xz
    z = m * j
    d = W.zz - y * W.xz - z * m
    k = 1.0 / d if d > least else 0.0
    # L^-1 has the rows (1), (-x, 1), (p, -z, 1); W^-1 = L^-T D^-1 L^-1.
    p = z * x - y
    return Sym3(i + x * x * j + p * p * k, j + z * z * k, k, -x * j - p * z * k, p * k, -z * k)
