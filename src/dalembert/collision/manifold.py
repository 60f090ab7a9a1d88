"""Choice of the four points that carry most where two shapes touch.

Candidates stand one after another in a scratch array, `CANDIDATE` floats each: point 3, gap, key
(an integer held as a float). `keep_four` moves four of them to the front:

1. the deepest;
2. the one furthest from it;
3. the one furthest from the line through both;
4. the one that adds most area outside the triangle.

A later candidate takes the place of an earlier one only when it is better by `BETTER`: of points
that are equally good, as those of a box at rest, the same ones are kept from step to step.
"""

import math

from dalembert._jit import kernel, subroutine
from dalembert.numerics.small import cross, dot, sub, vector

CANDIDATE = 5
MOST = 32
"""Candidates a pair function may gather before it calls `keep_four`."""

BETTER = 1e-4
"""Relative advantage that makes a point better than another."""


@subroutine
def keep_four(points, count):
    """Move the four to the front; how many there are (at most 4)."""
    if count <= 4:
        return count
    extent = 0.0
    x0 = vector(points, 0)
    for k in range(1, count):
        d = sub(vector(points, CANDIDATE * k), x0)
        extent = max(extent, dot(d, d))
    extent = math.sqrt(extent)
    best = 0
    for k in range(1, count):
        if points[CANDIDATE * k + 3] < points[CANDIDATE * best + 3] - BETTER * extent:
            best = k
    _swap(points, 0, best)
    a = vector(points, 0)
    best, value = 1, -1.0
    for k in range(1, count):
        d = sub(vector(points, CANDIDATE * k), a)
        new = dot(d, d)
        if new > value * (1.0 + BETTER):
            best, value = k, new
    _swap(points, 1, best)
    b = vector(points, CANDIDATE)
    best, value = 2, -1.0
    normal = (0.0, 0.0, 0.0)
    for k in range(2, count):
        n = cross(sub(b, a), sub(vector(points, CANDIDATE * k), a))
        new = dot(n, n)
        if new > value * (1.0 + BETTER):
            best, value = k, new
            normal = n
    _swap(points, 2, best)
    c = vector(points, 2 * CANDIDATE)
    best, value = 3, -1.0
    for k in range(3, count):
        x = vector(points, CANDIDATE * k)
        # how far outside the triangle abc, whose sides are seen along its normal
        new = max(
            -dot(normal, cross(sub(b, a), sub(x, a))),
            -dot(normal, cross(sub(c, b), sub(x, b))),
            -dot(normal, cross(sub(a, c), sub(x, c))),
        )
        if new > value + BETTER * abs(value):
            best, value = k, new
    _swap(points, 3, best)
    return 4


@kernel
def _swap(points, i, j):
    """Exchange two candidates."""
    if i != j:
        for k in range(CANDIDATE):
            other = points[CANDIDATE * i + k]
            points[CANDIDATE * i + k] = points[CANDIDATE * j + k]
            points[CANDIDATE * j + k] = other
