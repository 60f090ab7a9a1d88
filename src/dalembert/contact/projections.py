"""The laws of the blocks as projections.

With a weight c_k > 0 for every row, the impulse that minimises

    sum_k c_k (lam_k - z_k / c_k)^2 / 2       over lam in K

is called law(z, c). With c = 1 it is the projection of z on K; with c = p w + R and
z = p w lam_old - u it is the answer of a block to the velocity u (`contact.newton`); with c = w and
z = w lam - (u + R lam + Gamma) its difference from lam is the natural map (`contact.residuals`).
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


@kernel
def cone(z, c_n, c_t, mu):
    """Law of CONE."""
    s = math.sqrt(z[1] * z[1] + z[2] * z[2])
    if z[0] + mu * s <= 0.0:
        return 0.0, 0.0, 0.0
    if s * c_n <= mu * z[0] * c_t:
        return z[0] / c_n, z[1] / c_t, z[2] / c_t
    a = (z[0] + mu * s) / (c_n + mu * mu * c_t)
    f = mu * a / s
    return a, f * z[1], f * z[2]


@kernel
def cone_curvature(z, c_n, c_t, mu):
    """Law of CONE and its derivative (nn, n1, n2, 11, 12, 22)."""
    s = math.sqrt(z[1] * z[1] + z[2] * z[2])
    if z[0] + mu * s <= 0.0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if s * c_n <= mu * z[0] * c_t:
        q, k = 1.0 / c_n, 1.0 / c_t
        return (q * z[0], k * z[1], k * z[2]), (q, 0.0, 0.0, k, 0.0, k)
    q = 1.0 / (c_n + mu * mu * c_t)
    a = q * (z[0] + mu * s)
    x, y = z[1] / s, z[2] / s
    k, m = mu * a / s, mu * mu * q
    across = m - k
    return (
        (a, mu * a * x, mu * a * y),
        (q, mu * q * x, mu * q * y, m * x * x + k * y * y, across * x * y, m * y * y + k * x * x),
    )


@kernel
def coulomb_curvature(z, c_n, c_t, mu):
    """Signorini's and Coulomb's laws one after the other, and their derivative.

    (a, lam_t): a = max(0, z_n / c_n), lam_t = z_t / c_t shortened to mu a. It needs no shift by
    De Saxce's term, and is no gradient: beside the symmetric part (nn, n1, n2, 11, 12, 22) the
    derivative of lam_t by z_n is returned, which has no counterpart.
    """
    if z[0] <= 0.0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0)
    q, k = 1.0 / c_n, 1.0 / c_t
    a, s = q * z[0], math.sqrt(z[1] * z[1] + z[2] * z[2])
    if s <= c_t * mu * a:
        return (a, k * z[1], k * z[2]), (q, 0.0, 0.0, k, 0.0, k), (0.0, 0.0)
    x, y, k = z[1] / s, z[2] / s, mu * a / s
    symmetric = (q, 0.0, 0.0, k * y * y, -k * x * y, k * x * x)
    return (a, mu * a * x, mu * a * y), symmetric, (mu * q * x, mu * q * y)


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


@kernel
def _inside(s, c, mu, a):
    """Whether a pair of radius s / c needs no friction limit when the normal impulse is a."""
    return s <= c * mu * a


@kernel
def roll_normal(z_n, s, c_n, c, mu):
    """Normal impulse of ROLL and the flags (sliding, spin, rolling) of pairs at their limit.

    f(a) = c_n a - z_n - sum_k mu_k max(0, s_k - c_k mu_k a) is increasing and concave: Newton's
    method from the side where all pairs are at their limit needs at most four steps.
    """
    x, y, w = True, True, True
    if z_n + mu[0] * s[0] + mu[1] * s[1] + mu[2] * s[2] <= 0.0:
        return 0.0, (True, True, True)
    a = 0.0
    for _ in range(4):
        top, bottom = z_n, c_n
        if x:
            top, bottom = top + mu[0] * s[0], bottom + mu[0] * mu[0] * c[0]
        if y:
            top, bottom = top + mu[1] * s[1], bottom + mu[1] * mu[1] * c[1]
        if w:
            top, bottom = top + mu[2] * s[2], bottom + mu[2] * mu[2] * c[2]
        a = top / bottom
        x = x and not _inside(s[0], c[0], mu[0], a)
        y = y and not _inside(s[1], c[1], mu[1], a)
        w = w and not _inside(s[2], c[2], mu[2], a)
    return a, (x, y, w)


@kernel
def roll(z, z_at, dim, c_n, c, mu, out, at):
    """Law of ROLL: z from z[z_at], the impulse to out[at]."""
    z_n = z[z_at]
    sliding = math.sqrt(z[z_at + 1] * z[z_at + 1] + z[z_at + 2] * z[z_at + 2])
    spin = abs(z[z_at + 3])
    rolling = 0.0
    if dim > 4:
        rolling = math.sqrt(z[z_at + 4] * z[z_at + 4] + z[z_at + 5] * z[z_at + 5])
    a, (x, y, w) = roll_normal(z_n, (sliding, spin, rolling), c_n, c, mu)
    f = 1.0 / c[0]
    if x:
        f = mu[0] * a / sliding if sliding > 0.0 else 0.0
    g = 1.0 / c[1]
    if y:
        g = mu[1] * a / spin if spin > 0.0 else 0.0
    h = 1.0 / c[2]
    if w:
        h = mu[2] * a / rolling if rolling > 0.0 else 0.0
    out[at] = a
    out[at + 1] = f * z[z_at + 1]
    out[at + 2] = f * z[z_at + 2]
    out[at + 3] = g * z[z_at + 3]
    if dim > 4:
        out[at + 4] = h * z[z_at + 4]
        out[at + 5] = h * z[z_at + 5]


@apart(None)
def roll_curvature(z, z_at, dim, c_n, c, mu, out, at, G, G_at):
    """Law of ROLL and its derivative, dim x dim from G[G_at]."""
    roll(z, z_at, dim, c_n, c, mu, out, at)
    for k in range(dim * dim):
        G[G_at + k] = 0.0
    a = out[at]
    sliding = math.sqrt(z[z_at + 1] * z[z_at + 1] + z[z_at + 2] * z[z_at + 2])
    spin = abs(z[z_at + 3])
    rolling = 0.0
    if dim > 4:
        rolling = math.sqrt(z[z_at + 4] * z[z_at + 4] + z[z_at + 5] * z[z_at + 5])
    if a <= 0.0:
        return
    x = not _inside(sliding, c[0], mu[0], a) and sliding > 0.0
    y = not _inside(spin, c[1], mu[1], a) and spin > 0.0
    w = not _inside(rolling, c[2], mu[2], a) and rolling > 0.0
    # d = (1, mu_k t_k) over the pairs at their limit; q d d^T is the common part.
    bottom = c_n
    d1, d2, d3, d4, d5 = 0.0, 0.0, 0.0, 0.0, 0.0
    if x:
        bottom += mu[0] * mu[0] * c[0]
        d1, d2 = mu[0] * z[z_at + 1] / sliding, mu[0] * z[z_at + 2] / sliding
    if y:
        bottom += mu[1] * mu[1] * c[1]
        d3 = mu[1] * z[z_at + 3] / spin
    if w:
        bottom += mu[2] * mu[2] * c[2]
        d4, d5 = mu[2] * z[z_at + 4] / rolling, mu[2] * z[z_at + 5] / rolling
    q = 1.0 / bottom
    _add_row(G, G_at, dim, q, (1.0, d1, d2, d3, d4, d5))
    _add_row(G, G_at + dim, dim, q * d1, (1.0, d1, d2, d3, d4, d5))
    _add_row(G, G_at + 2 * dim, dim, q * d2, (1.0, d1, d2, d3, d4, d5))
    _add_row(G, G_at + 3 * dim, dim, q * d3, (1.0, d1, d2, d3, d4, d5))
    _add_pair(G, G_at, dim, 1, x, c[0], mu[0] * a, z[z_at + 1], z[z_at + 2], sliding)
    if not y:
        G[G_at + 3 * dim + 3] += 1.0 / c[1]
    if dim > 4:
        _add_row(G, G_at + 4 * dim, dim, q * d4, (1.0, d1, d2, d3, d4, d5))
        _add_row(G, G_at + 5 * dim, dim, q * d5, (1.0, d1, d2, d3, d4, d5))
        _add_pair(G, G_at, dim, 4, w, c[2], mu[2] * a, z[z_at + 4], z[z_at + 5], rolling)


@apart(None)
def roll_coulomb(z, z_at, dim, c_n, c, mu, out, at, G, G_at):
    """As `coulomb_curvature`, for ROLL: every pair is shortened to its mu a. G is not symmetric."""
    for k in range(dim * dim):
        G[G_at + k] = 0.0
    for k in range(dim):
        out[at + k] = 0.0
    if z[z_at] <= 0.0:
        return
    a = z[z_at] / c_n
    out[at], G[G_at] = a, 1.0 / c_n
    _shorten(z, z_at, dim, 1, True, c_n, c[0], mu[0], a, out, at, G, G_at)
    _shorten(z, z_at, dim, 3, False, c_n, c[1], mu[1], a, out, at, G, G_at)
    if dim > 4:
        _shorten(z, z_at, dim, 4, True, c_n, c[2], mu[2], a, out, at, G, G_at)


@kernel
def _shorten(z, z_at, dim, first, pair, c_n, c, mu, a, out, at, G, G_at):
    """One row, or a pair of rows, of `roll_coulomb`."""
    x = z[z_at + first]
    y = z[z_at + first + 1] if pair else 0.0
    s = math.sqrt(x * x + y * y)
    limited = s > c * mu * a
    f = mu * a / s if limited else 1.0 / c
    out[at + first] = f * x
    if limited:
        G[G_at + dim * first] = mu * x / (s * c_n)
    if pair:
        out[at + first + 1] = f * y
        if limited:
            G[G_at + dim * (first + 1)] = mu * y / (s * c_n)
        _add_pair(G, G_at, dim, first, limited, c, mu * a, x, y, s)
    elif not limited:
        G[G_at + (dim + 1) * first] = 1.0 / c


@kernel
def _add_row(G, at, dim, s, d):
    """Add s d to a row."""
    G[at] += s * d[0]
    G[at + 1] += s * d[1]
    G[at + 2] += s * d[2]
    G[at + 3] += s * d[3]
    if dim > 4:
        G[at + 4] += s * d[4]
        G[at + 5] += s * d[5]


@kernel
def _add_pair(G, G_at, dim, first, limited, c, most, x, y, s):
    """Two rows: 1 / c inside the limit, else most / s across the direction (x, y) / s."""
    at = G_at + (dim + 1) * first
    if limited:
        k = most / (s * s * s)
        G[at] += k * y * y
        G[at + 1] -= k * x * y
        G[at + dim] -= k * x * y
        G[at + dim + 1] += k * x * x
    else:
        G[at] += 1.0 / c
        G[at + dim + 1] += 1.0 / c
