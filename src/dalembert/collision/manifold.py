"""Choice of the four points that carry most where two shapes touch.

Candidates stand one after another: point, gap, key (an integer held as a float). `keep_four` moves
four of them to the front:

1. the deepest;
2. the one furthest from it;
3. the one furthest from the line through both;
4. the one that adds most area outside the triangle.

A later candidate takes the place of an earlier one only when it is better by `BETTER`: of points
that are equally good, as those of a box at rest, the same ones are kept from step to step.
"""

import math

from dalembert._jit import kernel, subroutine

MOST = 32
"""Candidates a pair function may gather before it calls `keep_four`."""

BETTER = 1e-4
"""Relative advantage that makes a point better than another."""


@kernel
def add_candidate(candidates, count, x, gap, key):
    """Note a candidate; of too many the four that matter so far are kept. How many there are."""
    if count == MOST:
        count = keep_four(candidates, count)
    candidates[count].put(x, gap, key)
    return count + 1


@subroutine
def keep_four(candidates, count):
    """Move the four to the front; how many there are (at most 4)."""
    if count <= 4:
        return count
    candidates.swap(0, _deepest(candidates, count))
    candidates.swap(1, _furthest(candidates, count))
    candidates.swap(2, _widest(candidates, count))
    candidates.swap(3, _outermost(candidates, count))
    return 4


@kernel
def _deepest(candidates, count):
    """The deepest."""
    x, extent = candidates[0].x, 0.0
    for k in range(1, count):
        d = candidates[k].x - x
        extent = max(extent, d.dot(d))
    extent = math.sqrt(extent)
    best = 0
    for k in range(1, count):
        if candidates[k].gap < candidates[best].gap - BETTER * extent:
            best = k
    return best


@kernel
def _furthest(candidates, count):
    """The one furthest from the first."""
    a = candidates[0].x
    best, value = 1, -1.0
    for k in range(1, count):
        d = candidates[k].x - a
        if d.dot(d) > value * (1.0 + BETTER):
            best, value = k, d.dot(d)
    return best


@kernel
def _widest(candidates, count):
    """The one furthest from the line through the first two."""
    a, b = candidates[0].x, candidates[1].x
    best, value = 2, -1.0
    for k in range(2, count):
        n = (b - a) % (candidates[k].x - a)
        if n.dot(n) > value * (1.0 + BETTER):
            best, value = k, n.dot(n)
    return best


@kernel
def _outermost(candidates, count):
    """The one that adds most area outside the triangle of the first three."""
    a, b, c = candidates[0].x, candidates[1].x, candidates[2].x
    normal = (b - a) % (c - a)
    best, value = 3, -1.0
    for k in range(3, count):
        x = candidates[k].x
        # how far outside the triangle abc, whose sides are seen along its normal
        new = max(
            -normal.dot((b - a) % (x - a)),
            -normal.dot((c - b) % (x - b)),
            -normal.dot((a - c) % (x - c)),
        )
        if new > value + BETTER * abs(value):
            best, value = k, new
    return best
