"""Sliding that turns, in the process of `routh`, by power series.

With dp_n = |u_t| dt the equations of sliding are without a singularity,

    u_t' = r W_tn - mu W_tt u_t,   r = |u_t|,     u_n' = r W_nn - mu W_nt . u_t,
    p_n' = r,    p_t' = -mu u_t,

and what the law measures is m' = r u_n (work) or m' = r (impulse). Their series in t follow from
each other, with r^2 = u_t . u_t; sliding that ends does so as t goes to infinity, and its direction
settles on the way: `routh` then goes on along a line.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.impact.impact import ORDER
from dalembert.contact.impact.laws import ENERGETIC
from dalembert.numerics.vector import Vec3

ON, ENDED, AGAIN, LOST = 0, 1, 2, 3
"""How a piece ended: it goes on, its phase has ended, it is compressed again, it has no end."""

SMALL = 1e-17
"""Last terms of the series, over the first."""


@kernel
def slip_on(W, u, mu, law, expanding, owed, series):
    """A piece of sliding: how it ended, the measure of the law passed through, impulse, u."""
    h = expand_slip(W, u, mu, law, series)
    way, t = ON, h
    if not expanding:
        if value_at(series.n, h) >= 0.0:
            way, t = ENDED, root(series.n, 0.0, h)
    else:
        if series.n[0] <= 0.0 and series.n[1] <= 0.0:
            return AGAIN, 0.0, Vec3.zero(), u
        if value_at(series.n, h) <= 0.0:
            way, t = AGAIN, root(series.n, 0.0, h)
        if value_at(series.m, t) >= owed:
            way, t = ENDED, root(series.m, owed, t)
    dp = Vec3(sum_to(series.r, t), -mu * sum_to(series.a, t), -mu * sum_to(series.b, t))
    normal = value_at(series.n, t)
    if way == AGAIN or (way == ENDED and not expanding):
        normal = 0.0
    done = value_at(series.m, t)
    if law != ENERGETIC and not expanding:
        done = -done
    return way, done, dp, Vec3(normal, value_at(series.a, t), value_at(series.b, t))


@kernel
def expand_slip(W, u, mu, law, series):
    """Write the series at u; how far they hold."""
    r0 = math.hypot(u.y, u.z)
    a, b, r, n, m = series.a, series.b, series.r, series.n, series.m
    a[0], b[0], r[0], n[0], m[0] = u.y, u.z, r0, u.x, 0.0
    for k in range(ORDER):
        over = 1.0 / (k + 1)
        a[k + 1] = over * (r[k] * W.xy - mu * (W.yy * a[k] + W.yz * b[k]))
        b[k + 1] = over * (r[k] * W.xz - mu * (W.yz * a[k] + W.zz * b[k]))
        n[k + 1] = over * (r[k] * W.xx - mu * (W.xy * a[k] + W.xz * b[k]))
        product, square = 0.0, 0.0
        for i in range(k + 1):
            product += n[i] * r[k - i]
        for i in range(k + 2):
            square += a[i] * a[k + 1 - i] + b[i] * b[k + 1 - i]
        for i in range(1, k + 1):
            square -= r[i] * r[k + 1 - i]
        r[k + 1] = 0.5 * square / r0
        m[k + 1] = over * (product if law == ENERGETIC else r[k])
    rate = abs(W.xy) + abs(W.xz) + mu * (W.yy + W.zz)
    last = max(abs(a[ORDER]), abs(b[ORDER]), abs(r[ORDER]))
    before = max(abs(a[ORDER - 1]), abs(b[ORDER - 1]), abs(r[ORDER - 1]))
    h = 4.0 / rate
    if last > 0.0:
        h = min(h, (SMALL * r0 / last) ** (1.0 / ORDER))
    if before > 0.0:
        h = min(h, (SMALL * r0 / before) ** (1.0 / (ORDER - 1)))
    return h


@kernel
def value_at(series, t):
    """The value of a series."""
    total = 0.0
    for k in range(ORDER + 1):
        total = total * t + series[ORDER - k]
    return total


@kernel
def slope_at(series, t):
    """The derivative of a series."""
    total = 0.0
    for k in range(ORDER):
        total = total * t + (ORDER - k) * series[ORDER - k]
    return total


@kernel
def sum_to(series, t):
    """The integral of a series from 0 to t."""
    total = 0.0
    for k in range(ORDER + 1):
        total = total * t + series[ORDER - k] / (ORDER + 1 - k)
    return total * t


@kernel
def root(series, goal, h):
    """Where a series is at its goal, which it has passed at h: Newton's method in a bracket."""
    low, high, t = 0.0, h, 0.5 * h
    sign = 1.0 if value_at(series, h) >= goal else -1.0
    for _ in range(100):
        miss = sign * (value_at(series, t) - goal)
        if miss >= 0.0:
            high = t
        else:
            low = t
        slope = sign * slope_at(series, t)
        following = t - miss / slope if slope > 0.0 else low
        if not low < following < high:
            following = 0.5 * (low + high)
        if abs(following - t) <= 2e-16 * h:
            break
        t = following
    return t
