"""A balanced tree of bounds, for many shapes or shapes of very different sizes.

Shapes stand in an order that is kept; the tree halves it: node k has the children 2 k and 2 k + 1,
and the part of the order that belongs to a node is the same for ever (`node_ranges`). Only the
boxes of the nodes are made anew in every call, from the leaves up. When they have become larger
than they were by `WORN`, the order is made anew as well: every node is split at the middle shape
along the axis its shapes are spread most on.

A leaf is compared with the part of the tree that comes after it.
"""

from __future__ import annotations

from dalembert._jit import apart, kernel
from dalembert.collision.layout import (
    BOUNDED,
    BOUNDED_AT,
    BOUNDS,
    BOUNDS_AT,
    NODES,
    NODES_AT,
    ORDER_AT,
    ORDER_READY,
    RANGES_AT,
    SORTED_AT,
    STACK_AT,
    TREE_SIZE,
)
from dalembert.collision.pair_list import add_pair

LEAF = 4
"""Shapes of a leaf, at most."""

WORN = 1.2
READY = 4
"""ORDER_READY of an order made for the tree."""


def node_ranges(count: int) -> list[int]:
    """First and last (exclusive) place in the order of every node, from node 0, which is none."""
    inner = 1
    while -(-count // inner) > LEAF:
        inner *= 2
    ranges = [0] * (4 * inner)
    ranges[2:4] = [0, count]
    for k in range(1, inner):
        first, last = ranges[2 * k], ranges[2 * k + 1]
        if last - first > LEAF:
            middle = (first + last) // 2
            ranges[4 * k : 4 * k + 4] = [first, middle, middle, last]
    return ranges


@apart(None)
def tree_pairs(integers, numbers):
    """Note all pairs of bounds that overlap."""
    count = integers[BOUNDED]
    if count < 2:
        return
    fits = integers[ORDER_READY] == READY
    if fits:
        fits = _fit(integers, numbers, count) <= WORN * numbers[TREE_SIZE]
    if not fits:
        _order(integers, numbers, count)
        numbers[TREE_SIZE] = _fit(integers, numbers, count)
    ranges, nodes, rows = integers[RANGES_AT], integers[NODES_AT], integers[SORTED_AT]
    for leaf in range(1, integers[NODES]):
        first, last = integers[ranges + 2 * leaf], integers[ranges + 2 * leaf + 1]
        if 0 < last - first <= LEAF:
            for j in range(first, last):
                for k in range(j + 1, last):
                    _compare(integers, numbers, rows, j, k)
            _descend(integers, numbers, leaf, first, last, ranges, nodes, rows)


@kernel
def _descend(integers, numbers, leaf, first, last, ranges, nodes, rows):
    """Compare the shapes of a leaf with all that come after them."""
    stack = integers[STACK_AT]
    mine = nodes + BOUNDS * leaf
    integers[stack] = 1
    height = 1
    while height > 0:
        height -= 1
        node = integers[stack + height]
        node_first, node_last = integers[ranges + 2 * node], integers[ranges + 2 * node + 1]
        if node_last <= last or not _overlap(numbers, mine, nodes + BOUNDS * node):
            continue
        if node_last - node_first > LEAF:
            integers[stack + height] = 2 * node + 1
            integers[stack + height + 1] = 2 * node
            height += 2
        else:
            for j in range(first, last):
                if _overlap(numbers, rows + BOUNDS * j, nodes + BOUNDS * node):
                    for k in range(node_first, node_last):
                        _compare(integers, numbers, rows, j, k)


@kernel
def _overlap(numbers, p, q):
    """Whether two boxes overlap."""
    return (
        numbers[p] <= numbers[q + 3]
        and numbers[q] <= numbers[p + 3]
        and numbers[p + 1] <= numbers[q + 4]
        and numbers[q + 1] <= numbers[p + 4]
        and numbers[p + 2] <= numbers[q + 5]
        and numbers[q + 2] <= numbers[p + 5]
    )


@kernel
def _compare(integers, numbers, rows, j, k):
    """Note the pair at two places of the order if their bounds overlap."""
    if _overlap(numbers, rows + BOUNDS * j, rows + BOUNDS * k):
        add_pair(integers, integers[integers[ORDER_AT] + j], integers[integers[ORDER_AT] + k])


@kernel
def _fit(integers, numbers, count):
    """Boxes of all nodes; the sum of the edges of the leaves."""
    ranges, nodes, rows = integers[RANGES_AT], integers[NODES_AT], integers[SORTED_AT]
    for k in range(count):
        at = integers[BOUNDS_AT] + BOUNDS * integers[integers[ORDER_AT] + k]
        for m in range(BOUNDS):
            numbers[rows + BOUNDS * k + m] = numbers[at + m]
    size = 0.0
    for node in range(integers[NODES] - 1, 0, -1):
        first, last = integers[ranges + 2 * node], integers[ranges + 2 * node + 1]
        if last > first:
            box = nodes + BOUNDS * node
            if last - first > LEAF:
                _join(numbers, box, box + BOUNDS * node, box + BOUNDS * (node + 1))
            else:
                at = rows + BOUNDS * first
                _join(numbers, box, at, at)
                for k in range(first + 1, last):
                    _join(numbers, box, box, rows + BOUNDS * k)
                for m in range(3):
                    size += numbers[box + 3 + m] - numbers[box + m]
    return size


@kernel
def _join(numbers, to, p, q):
    """Smallest box about two."""
    for m in range(3):
        numbers[to + m] = min(numbers[p + m], numbers[q + m])
        numbers[to + 3 + m] = max(numbers[p + 3 + m], numbers[q + 3 + m])


@kernel
def _order(integers, numbers, count):
    """Order the shapes: in every node, those of the lower half of its longest axis first."""
    order, ranges = integers[ORDER_AT], integers[RANGES_AT]
    for k in range(count):
        integers[order + k] = integers[integers[BOUNDED_AT] + k]
    for node in range(1, integers[NODES]):
        first, last = integers[ranges + 2 * node], integers[ranges + 2 * node + 1]
        if last - first > LEAF:
            axis = _longest(integers, numbers, order, first, last)
            _halve(integers, numbers, order, first, last, axis)
    integers[ORDER_READY] = READY


@kernel
def _middle(integers, numbers, place, axis):
    """Twice the middle of the bounds at a place of the order, along an axis."""
    at = integers[BOUNDS_AT] + BOUNDS * integers[place] + axis
    return numbers[at] + numbers[at + 3]


@kernel
def _longest(integers, numbers, order, first, last):
    """Axis along which the middles are spread most."""
    best, axis = -1.0, 0
    for m in range(3):
        low = high = _middle(integers, numbers, order + first, m)
        for k in range(first + 1, last):
            x = _middle(integers, numbers, order + k, m)
            low, high = min(low, x), max(high, x)
        if high - low > best:
            best, axis = high - low, m
    return axis


@kernel
def _halve(integers, numbers, order, first, last, axis):
    """Partial sort: nothing before the middle place is above anything behind it (Hoare 1961)."""
    middle = (first + last) // 2
    low, high = first, last - 1
    while low < high:
        pivot = _middle(integers, numbers, order + (low + high) // 2, axis)
        i, j = low, high
        while i <= j:
            while _middle(integers, numbers, order + i, axis) < pivot:
                i += 1
            while _middle(integers, numbers, order + j, axis) > pivot:
                j -= 1
            if i <= j:
                other = integers[order + i]
                integers[order + i] = integers[order + j]
                integers[order + j] = other
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return
