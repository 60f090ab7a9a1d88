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
