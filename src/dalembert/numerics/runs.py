"""Rows of neighbouring entries of a flat array, in vector instructions."""

from dalembert._jit import packed_kernel


@packed_kernel
def add_scaled(numbers, y, s, x, count):
    """y += s x, four entries at a time."""
    whole = count - count % 4
    for k in range(0, whole, 4):
        a, b = numbers[y + k] + s * numbers[x + k], numbers[y + k + 1] + s * numbers[x + k + 1]
        c = numbers[y + k + 2] + s * numbers[x + k + 2]
        d = numbers[y + k + 3] + s * numbers[x + k + 3]
        numbers[y + k], numbers[y + k + 1] = a, b
        numbers[y + k + 2], numbers[y + k + 3] = c, d
    for k in range(whole, count):
        numbers[y + k] += s * numbers[x + k]
