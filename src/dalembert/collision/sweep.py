"""Sweep and prune: bounds sorted along the axis they are spread most on.

The order is kept from call to call; little has changed, and sorting by insertion takes about as
long as looking. The bounds are then laid in that order, one after another, and every one is
compared with those behind it until they begin beyond its end (D. Baraff 1992; J. Cohen et al.,
I-COLLIDE 1995).
"""

from dalembert._jit import kernel
from dalembert.collision.layout import Scene
from dalembert.collision.pair_list import add_pair
from dalembert.numerics.vector import Vec3

BETTER = 1.5
"""How much more the bounds must be spread along another axis before it is taken."""


@kernel
def sweep(scene: Scene):
    """Note all pairs of bounds that overlap."""
    count = scene.bounded_count
    if count < 2:
        return
    axis = _choose_axis(scene)
    _sort(scene, axis)
    _lay(scene, axis)
    order = scene.order
    for k in range(count):
        mine = scene.swept(k)
        end = mine.high
        low_1, high_1, low_2, high_2 = mine.low_1, mine.high_1, mine.low_2, mine.high_2
        for j in range(k + 1, count):
            other = scene.swept(j)
            if other.low > end:
                break
            if (
                other.low_1 <= high_1
                and low_1 <= other.high_1
                and other.low_2 <= high_2
                and low_2 <= other.high_2
            ):
                add_pair(scene, order[k], order[j])


@kernel
def _lay(scene: Scene, axis):
    """Lay the bounds in their order, the axis of the sweep first."""
    second, third = (axis + 1) % 3, (axis + 2) % 3
    order = scene.order
    for k in range(scene.bounded_count):
        bounds, to = scene.bounds(order[k]), scene.swept(k)
        low, high = bounds.low, bounds.high
        to.low, to.high = low.entry(axis), high.entry(axis)
        to.low_1, to.high_1 = low.entry(second), high.entry(second)
        to.low_2, to.high_2 = low.entry(third), high.entry(third)


@kernel
def _variance(scene: Scene):
    """How far the middles of the bounds are spread along the axes, times their number."""
    count, shapes = scene.bounded_count, scene.bounded
    total, square = Vec3.zero(), Vec3.zero()
    # from the first one on: squares of great distances from the origin would drown the rest
    origin = scene.bounds(shapes[0]).low
    for k in range(count):
        bounds = scene.bounds(shapes[k])
        x = 0.5 * (bounds.low + bounds.high) - origin
        total, square = total + x, square + x.scaled(x)
    return square - total.scaled(total) / count


@kernel
def _choose_axis(scene: Scene):
    """Axis of the greatest variance of the middles, the former one unless another is much better.

    `order_ready` holds the axis + 1 of the order that is kept; 0 when there is none.
    """
    variance = _variance(scene)
    former = scene.order_ready - 1
    best, value = 0, variance.x
    if variance.y > value:
        best, value = 1, variance.y
    if variance.z > value:
        best, value = 2, variance.z
    if 0 <= former < 3 and best != former and value <= BETTER * variance.entry(former):
        best = former
    if best != former:
        order, shapes = scene.order, scene.bounded
        for k in range(len(order)):
            order[k] = shapes[k]
    scene.order_ready = best + 1
    return best


@kernel
def _sort(scene: Scene, axis):
    """Sort the order by the lower ends, by insertion over shrinking gaps (D. Shell 1959)."""
    order, count = scene.order, scene.bounded_count
    gap = 1
    # an order that is nearly right needs the last pass only
    wrong = 0
    for k in range(1, count):
        if _lower_end(scene, order[k], axis) < _lower_end(scene, order[k - 1], axis):
            wrong += 1
    if 8 * wrong > count:
        while gap < count // 3:
            gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            shape = order[k]
            value = _lower_end(scene, shape, axis)
            j = k - gap
            while j >= 0 and _lower_end(scene, order[j], axis) > value:
                order[j + gap] = order[j]
                j -= gap
            order[j + gap] = shape
        gap = gap // 3


@kernel
def _lower_end(scene: Scene, shape, axis):
    """Where the bounds of a shape begin along an axis."""
    return scene.bounds(shape).low.entry(axis)
