"""The cone x_0 >= |(x_1, x_2)| with its product, and the scaling of Nesterov and Todd (1997).

    x o y = (x . y, x_0 y_t + y_0 x_t),      det x = x_0^2 - |x_t|^2 > 0 inside

For r, y inside there is one symmetric W, a multiple of a hyperbolic rotation, with W r = W^-1 y:

    W = eta [w_0, w_t^T; w_t, 1 + w_t w_t^T / (1 + w_0)],       W^2 = eta^2 (2 w w^T - S)
    w = (y / sqrt(det y) + S r / sqrt(det r)) / (2 gamma),      eta^4 = det y / det r

with S = diag(1, -1, -1) and gamma such that det w = 1 (Andersen, Roos, Terlaky 2003). A scaling is
the tuple (w_0, w_1, w_2, eta); `turned_back` is that of W^-1.
"""

import math

from dalembert._jit import kernel


@kernel
def determinant(x):
    """det x, without cancellation near the boundary."""
    t = math.sqrt(x[1] * x[1] + x[2] * x[2])
    return (x[0] - t) * (x[0] + t)


@kernel
def scaling(r, y):
    """W of two points inside the cone; NaN elsewhere."""
    a, b = determinant(r), determinant(y)
    if not (a > 0.0 and b > 0.0):
        return math.nan, math.nan, math.nan, math.nan
    a, b = math.sqrt(a), math.sqrt(b)
    p, q = 1.0 / a, 1.0 / b
    inner = p * q * (r[0] * y[0] + r[1] * y[1] + r[2] * y[2])
    f = 0.5 / math.sqrt(0.5 * (1.0 + inner))
    return (
        f * (q * y[0] + p * r[0]),
        f * (q * y[1] - p * r[1]),
        f * (q * y[2] - p * r[2]),
        math.sqrt(b / a),
    )


@kernel
def turned_back(w):
    """The scaling W^-1."""
    return w[0], -w[1], -w[2], 1.0 / w[3]


@kernel
def scaled_by(w, x):
    """W x."""
    inner = w[1] * x[1] + w[2] * x[2]
    f = x[0] + inner / (1.0 + w[0])
    return (
        w[3] * (w[0] * x[0] + inner),
        w[3] * (x[1] + f * w[1]),
        w[3] * (x[2] + f * w[2]),
    )


@kernel
def square_of(w):
    """W^2 as (00, 01, 02, 11, 12, 22)."""
    f = w[3] * w[3]
    g = 2.0 * f
    # w_0^2 = 1 + |w_t|^2: 2 w_0^2 - 1 without cancellation
    return (
        f * (1.0 + 2.0 * (w[1] * w[1] + w[2] * w[2])),
        g * w[0] * w[1],
        g * w[0] * w[2],
        f + g * w[1] * w[1],
        g * w[1] * w[2],
        f + g * w[2] * w[2],
    )


@kernel
def circle(x, y):
    """x o y."""
    return (
        x[0] * y[0] + x[1] * y[1] + x[2] * y[2],
        x[0] * y[1] + y[0] * x[1],
        x[0] * y[2] + y[0] * x[2],
    )


@kernel
def divided(b, x):
    """d with x o d = b."""
    d = (x[0] * b[0] - x[1] * b[1] - x[2] * b[2]) / determinant(x)
    return d, (b[1] - d * x[1]) / x[0], (b[2] - d * x[2]) / x[0]


@kernel
def way_out(x, d):
    """Largest step from x inside along d that stays inside; infinite if every one does."""
    a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2]
    b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2]
    c = determinant(x)
    step = math.inf
    if d[0] < 0.0:
        step = -x[0] / d[0]
    root = b * b - a * c
    if root >= 0.0:
        q = -(b + math.sqrt(root)) if b >= 0.0 else -(b - math.sqrt(root))
        if a != 0.0 and q / a > 0.0:
            step = min(step, q / a)
        if q != 0.0 and c / q > 0.0:
            step = min(step, c / q)
    return step
