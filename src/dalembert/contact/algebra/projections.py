"""The laws of the blocks as projections.

With a weight c_k > 0 for every row, the impulse that minimises

    sum_k c_k (lam_k - z_k / c_k)^2 / 2       over lam in K

is called law(z, c). With c = 1 it is the projection of z on K; with c = p w + R and z = p w lam_old
- u it is the answer of a block to the velocity u (`contact.solvers.newton`); with c = w and z = w
lam - (u + R lam + Gamma) its difference from lam is the natural map (`contact.algebra.residuals`).
`*_curvature` is G = d law / d z, symmetric and positive semidefinite, an element of the generalised
Jacobian where the law has a kink.

    CONE    mu s <= -z_n                 0                            s = |z_t|, t = z_t / s
            s / c_t <= mu z_n / c_n      (z_n / c_n, z_t / c_t)
            otherwise                    (a, mu a t),   a = (z_n + mu s) / (c_n + mu^2 c_t)

The polar test stands first: with mu = 0 the other order lets (-1, 0, 0) through. ROLL has three
such pairs (sliding, spin, rolling) with one common a, found by dropping the pairs that are inside.
"""

import math

from dalembert._jit import apart, kernel
from dalembert._records import value
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import Vec3


@value
class Weights:
    """c of the rows of a contact: the normal, and the pairs of a ROLL."""

    normal: float
    sliding: float
    spinning: float
    rolling: float


@value
class Pairs:
    """Sizes |z_k| of the pairs of a ROLL."""

    sliding: float
    spinning: float
    rolling: float

    @staticmethod
    def of(z):
        """Pairs of the four or six rows z."""
        rolling = math.sqrt(z[4] * z[4] + z[5] * z[5]) if len(z) > 4 else 0.0
        return Pairs(math.sqrt(z[1] * z[1] + z[2] * z[2]), abs(z[3]), rolling)


@kernel
def cone(z, c_n, c_t, mu):
    """Law of CONE."""
    s = math.sqrt(z.y * z.y + z.z * z.z)
    if z.x + mu * s <= 0.0:
        return Vec3.zero()
    if s * c_n <= mu * z.x * c_t:
        return Vec3(z.x / c_n, z.y / c_t, z.z / c_t)
    a = (z.x + mu * s) / (c_n + mu * mu * c_t)
    f = mu * a / s
    return Vec3(a, f * z.y, f * z.z)


@kernel
def cone_curvature(z, c_n, c_t, mu):
    """Law of CONE and its derivative."""
    s = math.sqrt(z.y * z.y + z.z * z.z)
    if z.x + mu * s <= 0.0:
        return Vec3.zero(), Sym3.diagonal(0.0)
    if s * c_n <= mu * z.x * c_t:
        q, k = 1.0 / c_n, 1.0 / c_t
        return Vec3(q * z.x, k * z.y, k * z.z), Sym3(q, k, k, 0.0, 0.0, 0.0)
    q = 1.0 / (c_n + mu * mu * c_t)
    a = q * (z.x + mu * s)
    x, y = z.y / s, z.z / s
    k, m = mu * a / s, mu * mu * q
    return (
        Vec3(a, mu * a * x, mu * a * y),
        Sym3(
            q,
            m * x * x + k * y * y,
            m * y * y + k * x * x,
            mu * q * x,
            mu * q * y,
            (m - k) * x * y,
        ),
    )


@kernel
def coulomb_curvature(z, c_n, c_t, mu):
    """Signorini's and Coulomb's laws one after the other, and their derivative.

    (a, lam_t): a = max(0, z_n / c_n), lam_t = z_t / c_t shortened to mu a. It needs no shift by
    De Saxce's term, and is no gradient: beside the symmetric part the derivative of lam_t by z_n
    is returned, which has no counterpart.
    """
    if z.x <= 0.0:
        return Vec3.zero(), Sym3.diagonal(0.0), (0.0, 0.0)
    q, k = 1.0 / c_n, 1.0 / c_t
    a, s = q * z.x, math.sqrt(z.y * z.y + z.z * z.z)
    if s <= c_t * mu * a:
        return Vec3(a, k * z.y, k * z.z), Sym3(q, k, k, 0.0, 0.0, 0.0), (0.0, 0.0)
    x, y, k = z.y / s, z.z / s, mu * a / s
    symmetric = Sym3(q, k * y * y, k * x * x, 0.0, 0.0, -k * x * y)
    return Vec3(a, mu * a * x, mu * a * y), symmetric, (mu * q * x, mu * q * y)


@kernel
def bounded(z, c, lower, upper):
    """Law of BOX, of one row: lower <= lam <= upper. UNI has lower = 0, EQ no bounds."""
    y = z / c
    if y < lower:
        return lower
    if y > upper:
        return upper
    return y


@kernel
def bounded_curvature(z, c, lower, upper):
    """Derivative of `bounded`."""
    y = z / c
    return 1.0 / c if lower < y < upper else 0.0


# -- rolling ---------------------------------------------------------------------------------------


@kernel
def _inside(s, c, mu, a):
    """Whether a pair of radius s / c needs no friction limit when the normal impulse is a."""
    return s <= c * mu * a


@kernel
def _square(mu, c):
    """mu^2 c."""
    return mu * mu * c


@kernel
def roll_normal(z_n, s, c, mu):
    """Normal impulse of ROLL and the flags (sliding, spin, rolling) of pairs at their limit.

    f(a) = c_n a - z_n - sum_k mu_k max(0, s_k - c_k mu_k a) is increasing and concave: Newton's
    method from the side where all pairs are at their limit needs at most four steps.
    """
    x, y, w = True, True, True
    if z_n + mu.sliding * s.sliding + mu.spinning * s.spinning + mu.rolling * s.rolling <= 0.0:
        return 0.0, (True, True, True)
    a = 0.0
    for _ in range(4):
        top, bottom = z_n, c.normal
        if x:
            top, bottom = top + mu.sliding * s.sliding, bottom + _square(mu.sliding, c.sliding)
        if y:
            top, bottom = top + mu.spinning * s.spinning, bottom + _square(mu.spinning, c.spinning)
        if w:
            top, bottom = top + mu.rolling * s.rolling, bottom + _square(mu.rolling, c.rolling)
        a = top / bottom
        x = x and not _inside(s.sliding, c.sliding, mu.sliding, a)
        y = y and not _inside(s.spinning, c.spinning, mu.spinning, a)
        w = w and not _inside(s.rolling, c.rolling, mu.rolling, a)
    return a, (x, y, w)


@kernel
def _share(limited, most, s, c):
    """Factor of a pair of size s: 1 / c inside its limit, else what shortens it to `most`."""
    if limited:
        return most / s if s > 0.0 else 0.0
    return 1.0 / c


@kernel
def roll(z, c, mu, lam):
    """Law of ROLL: lam of z, four or six rows; they may be the same array."""
    s = Pairs.of(z)
    a, (x, y, w) = roll_normal(z[0], s, c, mu)
    f = _share(x, mu.sliding * a, s.sliding, c.sliding)
    g = _share(y, mu.spinning * a, s.spinning, c.spinning)
    h = _share(w, mu.rolling * a, s.rolling, c.rolling)
    lam[0] = a
    lam[1] = f * z[1]
    lam[2] = f * z[2]
    lam[3] = g * z[3]
    if len(z) > 4:
        lam[4] = h * z[4]
        lam[5] = h * z[5]


@apart(None)
def roll_curvature(z, c, mu, lam, G):
    """Law of ROLL and its derivative G."""
    roll(z, c, mu, lam)
    dim = len(z)
    for i in range(dim):
        for k in range(dim):
            G[i, k] = 0.0
    a, s = lam[0], Pairs.of(z)
    if a <= 0.0:
        return
    x = not _inside(s.sliding, c.sliding, mu.sliding, a) and s.sliding > 0.0
    y = not _inside(s.spinning, c.spinning, mu.spinning, a) and s.spinning > 0.0
    w = not _inside(s.rolling, c.rolling, mu.rolling, a) and s.rolling > 0.0
    # d = (1, mu_k t_k) over the pairs at their limit; q d d^T is the common part.
    bottom = c.normal
    d1, d2, d3, d4, d5 = 0.0, 0.0, 0.0, 0.0, 0.0
    if x:
        bottom += _square(mu.sliding, c.sliding)
        d1, d2 = mu.sliding * z[1] / s.sliding, mu.sliding * z[2] / s.sliding
    if y:
        bottom += _square(mu.spinning, c.spinning)
        d3 = mu.spinning * z[3] / s.spinning
    if w:
        bottom += _square(mu.rolling, c.rolling)
        d4, d5 = mu.rolling * z[4] / s.rolling, mu.rolling * z[5] / s.rolling
    q, d = 1.0 / bottom, (1.0, d1, d2, d3, d4, d5)
    _add_row(G[0], q, d)
    _add_row(G[1], q * d1, d)
    _add_row(G[2], q * d2, d)
    _add_row(G[3], q * d3, d)
    _add_pair(G, 1, x, c.sliding, mu.sliding * a, z[1], z[2], s.sliding)
    if not y:
        G[3, 3] += 1.0 / c.spinning
    if dim > 4:
        _add_row(G[4], q * d4, d)
        _add_row(G[5], q * d5, d)
        _add_pair(G, 4, w, c.rolling, mu.rolling * a, z[4], z[5], s.rolling)


@apart(None)
def roll_coulomb(z, c, mu, lam, G):
    """As `coulomb_curvature`, for ROLL: every pair is shortened to its mu a. G is not symmetric."""
    dim = len(z)
    for i in range(dim):
        lam[i] = 0.0
        for k in range(dim):
            G[i, k] = 0.0
    if z[0] <= 0.0:
        return
    a, slope = z[0] / c.normal, 1.0 / c.normal
    lam[0], G[0, 0] = a, slope
    _shorten_pair(z, 1, c.normal, c.sliding, mu.sliding, lam, G)
    _shorten_row(z, 3, c.normal, c.spinning, mu.spinning, lam, G)
    if dim > 4:
        _shorten_pair(z, 4, c.normal, c.rolling, mu.rolling, lam, G)


@kernel
def _shorten_row(z, i, c_n, c, mu, lam, G):
    """One row of `roll_coulomb`."""
    x, a = z[i], lam[0]
    s = math.sqrt(x * x)
    if s > c * mu * a:
        lam[i] = mu * a / s * x
        G[i, 0] = mu * x / (s * c_n)
    else:
        lam[i] = 1.0 / c * x
        G[i, i] = 1.0 / c


@kernel
def _shorten_pair(z, i, c_n, c, mu, lam, G):
    """A pair of rows of `roll_coulomb`."""
    x, y, a = z[i], z[i + 1], lam[0]
    s = math.sqrt(x * x + y * y)
    limited = s > c * mu * a
    f = mu * a / s if limited else 1.0 / c
    lam[i], lam[i + 1] = f * x, f * y
    if limited:
        G[i, 0], G[i + 1, 0] = mu * x / (s * c_n), mu * y / (s * c_n)
    _add_pair(G, i, limited, c, mu * a, x, y, s)


@kernel
def _add_row(row, s, d):
    """Add s d to a row."""
    row[0] += s * d[0]
    row[1] += s * d[1]
    row[2] += s * d[2]
    row[3] += s * d[3]
    if len(row) > 4:
        row[4] += s * d[4]
        row[5] += s * d[5]


@kernel
def _add_pair(G, i, limited, c, most, x, y, s):
    """Two rows: 1 / c inside the limit, else most / s across the direction (x, y) / s."""
    if limited:
        k = most / (s * s * s)
        G[i, i] += k * y * y
        G[i, i + 1] -= k * x * y
        G[i + 1, i] -= k * x * y
        G[i + 1, i + 1] += k * x * x
    else:
        G[i, i] += 1.0 / c
        G[i + 1, i + 1] += 1.0 / c
