"""Sweep and prune: bounds sorted along the axis they are spread most on.

The order is kept from call to call; little has changed, and sorting by insertion takes about as
long as looking. The bounds are then laid in that order, one after another, and every one is
compared with those behind it until they begin beyond its end (D. Baraff 1992; J. Cohen et al.,
I-COLLIDE 1995).
"""

from dalembert._jit import kernel
from dalembert.collision.layout import (
    BOUNDED,
    BOUNDED_AT,
    BOUNDS,
    BOUNDS_AT,
    ORDER_AT,
    ORDER_READY,
    SORTED_AT,
)
from dalembert.collision.pair_list import add_pair

BETTER = 1.5
"""How much more the bounds must be spread along another axis before it is taken."""


@kernel
def sweep(integers, numbers):
    """Note all pairs of bounds that overlap."""
    count = integers[BOUNDED]
    if count < 2:
        return
    axis = _choose_axis(integers, numbers, count)
    _sort(integers, numbers, count, axis)
    order, rows = integers[ORDER_AT], integers[SORTED_AT]
    second, third = (axis + 1) % 3, (axis + 2) % 3
    for k in range(count):
        at = integers[BOUNDS_AT] + BOUNDS * integers[order + k]
        to = rows + BOUNDS * k
        numbers[to], numbers[to + 1] = numbers[at + axis], numbers[at + 3 + axis]
        numbers[to + 2], numbers[to + 3] = numbers[at + second], numbers[at + 3 + second]
        numbers[to + 4], numbers[to + 5] = numbers[at + third], numbers[at + 3 + third]
    for k in range(count):
        mine = rows + BOUNDS * k
        end = numbers[mine + 1]
        low1, high1 = numbers[mine + 2], numbers[mine + 3]
        low2, high2 = numbers[mine + 4], numbers[mine + 5]
        for j in range(k + 1, count):
            other = rows + BOUNDS * j
            if numbers[other] > end:
                break
            if (
                numbers[other + 2] <= high1
                and low1 <= numbers[other + 3]
                and numbers[other + 4] <= high2
                and low2 <= numbers[other + 5]
            ):
                add_pair(integers, integers[order + k], integers[order + j])


@kernel
def _choose_axis(integers, numbers, count):
    """Axis of the greatest variance of the middles, the former one unless another is much better.

    ORDER_READY holds the axis + 1 of the order that is kept; 0 when there is none.
    """
    sx = sy = sz = xx = yy = zz = 0.0
    # from the first one on: squares of great distances from the origin would drown the rest
    at = integers[BOUNDS_AT] + BOUNDS * integers[integers[BOUNDED_AT]]
    ox, oy, oz = numbers[at], numbers[at + 1], numbers[at + 2]
    for k in range(count):
        at = integers[BOUNDS_AT] + BOUNDS * integers[integers[BOUNDED_AT] + k]
        x = 0.5 * (numbers[at] + numbers[at + 3]) - ox
        y = 0.5 * (numbers[at + 1] + numbers[at + 4]) - oy
        z = 0.5 * (numbers[at + 2] + numbers[at + 5]) - oz
        sx, sy, sz = sx + x, sy + y, sz + z
        xx, yy, zz = xx + x * x, yy + y * y, zz + z * z
    vx, vy, vz = xx - sx * sx / count, yy - sy * sy / count, zz - sz * sz / count
    former = integers[ORDER_READY] - 1
    best, value = 0, vx
    if vy > value:
        best, value = 1, vy
    if vz > value:
        best, value = 2, vz
    if 0 <= former < 3 and best != former:
        kept = vx if former == 0 else (vy if former == 1 else vz)
        if value <= BETTER * kept:
            best = former
    if best != former:
        for k in range(count):
            integers[integers[ORDER_AT] + k] = integers[integers[BOUNDED_AT] + k]
    integers[ORDER_READY] = best + 1
    return best


@kernel
def _sort(integers, numbers, count, axis):
    """Sort the order by the lower ends, by insertion over shrinking gaps (D. Shell 1959)."""
    order, bounds = integers[ORDER_AT], integers[BOUNDS_AT] + axis
    gap = 1
    # an order that is nearly right needs the last pass only
    wrong = 0
    for k in range(1, count):
        before = numbers[bounds + BOUNDS * integers[order + k - 1]]
        if numbers[bounds + BOUNDS * integers[order + k]] < before:
            wrong += 1
    if 8 * wrong > count:
        while gap < count // 3:
            gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            shape = integers[order + k]
            value = numbers[bounds + BOUNDS * shape]
            j = k - gap
            while j >= 0 and numbers[bounds + BOUNDS * integers[order + j]] > value:
                integers[order + j + gap] = integers[order + j]
                j -= gap
            integers[order + j + gap] = shape
        gap = gap // 3
