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
from dalembert.collision.broad_phase import add_pair
from dalembert.collision.layout import Scene
from dalembert.numerics.vector import Vec3

LEAF = 4
"""Shapes of a leaf, at most."""

WORN = 1.2
READY = 4
"""`order_ready` of an order made for the tree."""


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
def tree_pairs(scene: Scene):
    """Note all pairs of bounds that overlap."""
    if scene.bounded_count < 2:
        return
    fits = scene.order_ready == READY
    if fits:
        fits = _fit(scene) <= WORN * scene.tree_size
    if not fits:
        _order(scene)
        scene.tree_size = _fit(scene)
    for leaf in range(1, scene.nodes):
        first, last = _range(scene, leaf)
        if 0 < last - first <= LEAF:
            for j in range(first, last):
                for k in range(j + 1, last):
                    _compare(scene, j, k)
            _descend(scene, leaf)


@kernel
def _range(scene: Scene, node):
    """First and last (exclusive) place in the order of a node."""
    return scene.ranges[2 * node], scene.ranges[2 * node + 1]


@kernel
def _descend(scene: Scene, leaf):
    """Compare the shapes of a leaf with all that come after them."""
    stack, mine = scene.stack, scene.node(leaf)
    first, last = _range(scene, leaf)
    stack[0] = 1
    height = 1
    while height > 0:
        height -= 1
        node = stack[height]
        node_first, node_last = _range(scene, node)
        if node_last <= last or not mine.overlaps(scene.node(node)):
            continue
        if node_last - node_first > LEAF:
            stack[height], stack[height + 1] = 2 * node + 1, 2 * node
            height += 2
        else:
            for j in range(first, last):
                if scene.in_order(j).overlaps(scene.node(node)):
                    for k in range(node_first, node_last):
                        _compare(scene, j, k)


@kernel
def _compare(scene: Scene, j, k):
    """Note the pair at two places of the order if their bounds overlap."""
    if scene.in_order(j).overlaps(scene.in_order(k)):
        add_pair(scene, scene.order[j], scene.order[k])


@kernel
def _fit(scene: Scene):
    """Boxes of all nodes; the sum of the edges of the leaves."""
    order = scene.order
    for k in range(len(order)):
        bounds, to = scene.bounds(order[k]), scene.in_order(k)
        to.low, to.high = bounds.low, bounds.high
    size = 0.0
    for node in range(scene.nodes - 1, 0, -1):
        first, last = _range(scene, node)
        if last > first:
            box = scene.node(node)
            if last - first > LEAF:
                _join(box, scene.node(2 * node), scene.node(2 * node + 1))
            else:
                _join(box, scene.in_order(first), scene.in_order(first))
                for k in range(first + 1, last):
                    _join(box, box, scene.in_order(k))
                edges = box.high - box.low
                size = size + edges.x + edges.y + edges.z
    return size


@kernel
def _join(to, p, q):
    """Smallest box about two."""
    a, b = p.low, q.low
    to.low = Vec3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z))
    a, b = p.high, q.high
    to.high = Vec3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z))


@kernel
def _order(scene: Scene):
    """Order the shapes: in every node, those of the lower half of its longest axis first."""
    order, shapes = scene.order, scene.bounded
    for k in range(len(order)):
        order[k] = shapes[k]
    for node in range(1, scene.nodes):
        first, last = _range(scene, node)
        if last - first > LEAF:
            _halve(scene, first, last, _longest(scene, first, last))
    scene.order_ready = READY


@kernel
def _middle(scene: Scene, place, axis):
    """Twice the middle of the bounds at a place of the order, along an axis."""
    bounds = scene.bounds(scene.order[place])
    return bounds.low.entry(axis) + bounds.high.entry(axis)


@kernel
def _longest(scene: Scene, first, last):
    """Axis along which the middles are spread most."""
    best, axis = -1.0, 0
    for m in range(3):
        low = high = _middle(scene, first, m)
        for k in range(first + 1, last):
            x = _middle(scene, k, m)
            low, high = min(low, x), max(high, x)
        if high - low > best:
            best, axis = high - low, m
    return axis


@kernel
def _halve(scene: Scene, first, last, axis):
    """Partial sort: nothing before the middle place is above anything behind it (Hoare 1961)."""
    order, middle = scene.order, (first + last) // 2
    low, high = first, last - 1
    while low < high:
        pivot = _middle(scene, (low + high) // 2, axis)
        i, j = low, high
        while i <= j:
            while _middle(scene, i, axis) < pivot:
                i += 1
            while _middle(scene, j, axis) > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return
