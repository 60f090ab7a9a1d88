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

WIDTH = ORDER + 1
Y, R, N, M = WIDTH, 2 * WIDTH, 3 * WIDTH, 4 * WIDTH
"""Where the series of u_t2, r, u_n and m begin; that of u_t1 is the first."""

SMALL = 1e-17
"""Last terms of the series, over the first."""


@kernel
def slip_on(W, u, mu, law, expanding, owed, series):
    """A piece of sliding: how it ended, the measure of the law passed through, impulse, u."""
    h = expand_slip(W, u, mu, law, series)
    way, t = ON, h
    if not expanding:
        if value_at(series, N, h) >= 0.0:
            way, t = ENDED, root(series, N, 0.0, h)
    else:
        if series[N] <= 0.0 and series[N + 1] <= 0.0:
            return AGAIN, 0.0, Vec3.zero(), u
        if value_at(series, N, h) <= 0.0:
            way, t = AGAIN, root(series, N, 0.0, h)
        if value_at(series, M, t) >= owed:
            way, t = ENDED, root(series, M, owed, t)
    dp = Vec3(sum_to(series, R, t), -mu * sum_to(series, 0, t), -mu * sum_to(series, Y, t))
    normal = value_at(series, N, t)
    if way == AGAIN or (way == ENDED and not expanding):
        normal = 0.0
    done = value_at(series, M, t)
    if law != ENERGETIC and not expanding:
        done = -done
    return way, done, dp, Vec3(normal, value_at(series, 0, t), value_at(series, Y, t))


@kernel
def expand_slip(W, u, mu, law, series):
    """Write the series at u; how far they hold."""
    r0 = math.hypot(u.y, u.z)
    series[0], series[Y], series[R], series[N], series[M] = u.y, u.z, r0, u.x, 0.0
    for k in range(ORDER):
        x, y, r, over = series[k], series[Y + k], series[R + k], 1.0 / (k + 1)
        series[k + 1] = over * (r * W.xy - mu * (W.yy * x + W.yz * y))
        series[Y + k + 1] = over * (r * W.xz - mu * (W.yz * x + W.zz * y))
        series[N + k + 1] = over * (r * W.xx - mu * (W.xy * x + W.xz * y))
        product, square = 0.0, 0.0
        for i in range(k + 1):
            product += series[N + i] * series[R + k - i]
        for i in range(k + 2):
            a, b = series[i] * series[k + 1 - i], series[Y + i] * series[Y + k + 1 - i]
            square += a + b
        for i in range(1, k + 1):
            square -= series[R + i] * series[R + k + 1 - i]
        series[R + k + 1] = 0.5 * square / r0
        series[M + k + 1] = over * (product if law == ENERGETIC else r)
    rate = abs(W.xy) + abs(W.xz) + mu * (W.yy + W.zz)
    last = max(abs(series[ORDER]), abs(series[Y + ORDER]), abs(series[R + ORDER]))
    before = max(abs(series[ORDER - 1]), abs(series[Y + ORDER - 1]), abs(series[R + ORDER - 1]))
    h = 4.0 / rate
    if last > 0.0:
        h = min(h, (SMALL * r0 / last) ** (1.0 / ORDER))
    if before > 0.0:
        h = min(h, (SMALL * r0 / before) ** (1.0 / (ORDER - 1)))
    return h


@kernel
def value_at(series, at, t):
    """The value of a series."""
    total = 0.0
    for k in range(WIDTH):
        total = total * t + series[at + ORDER - k]
    return total


@kernel
def slope_at(series, at, t):
    """The derivative of a series."""
    total = 0.0
    for k in range(ORDER):
        total = total * t + (ORDER - k) * series[at + ORDER - k]
    return total


@kernel
def sum_to(series, at, t):
    """The integral of a series from 0 to t."""
    total = 0.0
    for k in range(WIDTH):
        total = total * t + series[at + ORDER - k] / (WIDTH - k)
    return total * t


@kernel
def root(series, at, goal, h):
    """Where a series is at its goal, which it has passed at h: Newton's method in a bracket."""
    low, high, t = 0.0, h, 0.5 * h
    sign = 1.0 if value_at(series, at, h) >= goal else -1.0
    for _ in range(100):
        miss = sign * (value_at(series, at, t) - goal)
        if miss >= 0.0:
            high = t
        else:
            low = t
        slope = sign * slope_at(series, at, t)
        following = t - miss / slope if slope > 0.0 else low
        if not low < following < high:
            following = 0.5 * (low + high)
        if abs(following - t) <= 2e-16 * h:
            break
        t = following
    return t
