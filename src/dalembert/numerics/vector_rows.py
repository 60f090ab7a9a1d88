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
