"""Rows of neighbouring entries, in vector instructions."""

from dalembert._jit import packed_kernel


@packed_kernel
def add_scaled(y, s, x):
    """y += s x, four entries at a time."""
    count = len(y)
    whole = count - count % 4
    for k in range(0, whole, 4):
        a, b = y[k] + s * x[k], y[k + 1] + s * x[k + 1]
        c, d = y[k + 2] + s * x[k + 2], y[k + 3] + s * x[k + 3]
        y[k], y[k + 1], y[k + 2], y[k + 3] = a, b, c, d
    for k in range(whole, count):
        y[k] += s * x[k]


@packed_kernel
def add_scaled_whole(y, s, x):
    """y += s x, eight entries at a time, of which y has a whole number; x is no shorter."""
    for k in range(0, len(y), 8):
        a, b = y[k] + s * x[k], y[k + 1] + s * x[k + 1]
        c, d = y[k + 2] + s * x[k + 2], y[k + 3] + s * x[k + 3]
        e, f = y[k + 4] + s * x[k + 4], y[k + 5] + s * x[k + 5]
        g, h = y[k + 6] + s * x[k + 6], y[k + 7] + s * x[k + 7]
        y[k], y[k + 1], y[k + 2], y[k + 3] = a, b, c, d
        y[k + 4], y[k + 5], y[k + 6], y[k + 7] = e, f, g, h


@packed_kernel
def scale_whole(y, s):
    """y *= s, eight entries at a time, of which y has a whole number."""
    for k in range(0, len(y), 8):
        a, b, c, d = s * y[k], s * y[k + 1], s * y[k + 2], s * y[k + 3]
        e, f, g, h = s * y[k + 4], s * y[k + 5], s * y[k + 6], s * y[k + 7]
        y[k], y[k + 1], y[k + 2], y[k + 3] = a, b, c, d
        y[k + 4], y[k + 5], y[k + 6], y[k + 7] = e, f, g, h


@packed_kernel
def dot_whole(x, y):
    """x . y, of eight sums at a time; both have a whole number of eights."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    e, f, g, h = 0.0, 0.0, 0.0, 0.0
    for k in range(0, len(x), 8):
        a, b = a + x[k] * y[k], b + x[k + 1] * y[k + 1]
        c, d = c + x[k + 2] * y[k + 2], d + x[k + 3] * y[k + 3]
        e, f = e + x[k + 4] * y[k + 4], f + x[k + 5] * y[k + 5]
        g, h = g + x[k + 6] * y[k + 6], h + x[k + 7] * y[k + 7]
    return ((a + e) + (b + f)) + ((c + g) + (d + h))
