"""Candidate pairs: the list, sweep and prune, and a grid for many shapes of similar size.

Sweep and prune: bounds sorted along the axis they are spread most on. The order is kept from call
to call; little has changed, and sorting by insertion takes about as long as looking. The bounds are
then laid in that order, one after another, and every one is compared with those behind it until
they begin beyond its end (D. Baraff 1992; J. Cohen et al., I-COLLIDE 1995).

Pairs, whatever found them, and in whatever order, are sorted before they are looked at: twice by
counting, first by the second shape, then by the first.

Pairs of one body, of groups and masks, and of the table of excluded pairs, which is sorted, are not
looked at.

A grid: cells are as wide as the widest bounds, so that bounds overlap only if their lower corners
lie in the same cell or in neighbouring ones. Shapes are sorted by cell, x fastest, by counting;
three cells in a row are then one stretch of the order, and a shape is compared with five stretches:
the rest of its own and the next cell, and the rows that come after it,

    (y + 1, z), (y - 1, z + 1), (y, z + 1), (y + 1, z + 1).

A few shapes much larger than the rest (`large`, the ground for one) are compared with all others.
Shapes that are far apart share cells that are wider: there are never more than `cells_of` cells.
"""

from __future__ import annotations

from dalembert._jit import apart, kernel
from dalembert._records import value
from dalembert.collision.layout import Scene
from dalembert.numerics.vector import Vec3

# -- the list of candidate pairs -------------------------------------------------------------------


@kernel
def add_pair(scene: Scene, a, b):
    """Note a pair unless it is filtered out; without room it is only counted."""
    if wanted(scene, a, b):
        if scene.pairs < scene.pair_capacity:
            scene.pair_list[scene.pairs] = pair_code(a, b)
        scene.pairs += 1


@kernel
def sort_pairs(scene: Scene):
    """Sort by both shapes; the second half of the room is used on the way."""
    room = scene.pair_capacity
    first, second = scene.pair_list[0:room], scene.pair_list[room : 2 * room]
    _by_counting(scene, first, second, 0)
    _by_counting(scene, second, first, HALF)


@kernel
def _by_counting(scene: Scene, source, target, shift):
    """Stable sort by the half of the pairs that a shift brings down."""
    counts, shapes, pairs = scene.counting, scene.shapes, scene.pairs
    for k in range(shapes + 1):
        counts[k] = 0
    for k in range(pairs):
        counts[((source[k] >> shift) & LOWER) + 1] += 1
    for k in range(shapes):
        counts[k + 1] += counts[k]
    for k in range(pairs):
        shape = (source[k] >> shift) & LOWER
        target[counts[shape]] = source[k]
        counts[shape] += 1


# -- which pairs of shapes are not looked at: of one body, by groups and masks, by the table -------


HALF = 32
LOWER = (1 << HALF) - 1


@kernel
def pair_code(a, b):
    """Two shapes in one integer."""
    return (min(a, b) << HALF) | max(a, b)


@kernel
def wanted(scene: Scene, a, b):
    """Whether a pair may touch."""
    A, B = scene.shape(a), scene.shape(b)
    if A.body == B.body or A.group & B.mask == 0 or B.group & A.mask == 0:
        return False
    return scene.excluded_count == 0 or not _is_excluded(scene, pair_code(a, b))


@kernel
def _is_excluded(scene: Scene, code):
    """Whether a pair stands in the table, by halves."""
    table = scene.excluded
    first, last = 0, len(table)
    while first < last:
        middle = (first + last) // 2
        if table[middle] < code:
            first = middle + 1
        else:
            last = middle
    return first < len(table) and table[first] == code


# -- sweep and prune -------------------------------------------------------------------------------


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


# -- a grid of cells, for many shapes of similar size ----------------------------------------------


def cells_of(count: int) -> int:
    """Most cells of a grid of so many shapes."""
    return 4 * count + 64


@value
class Grid:
    """Cells: the corner they begin at, 1 / width, and how many there are along each axis."""

    origin: Vec3
    each: float
    nx: int
    ny: int
    nz: int

    @property
    def cells(self):
        """How many there are."""
        return self.nx * self.ny * self.nz

    def cell_at(self, x):
        """The cell that holds a point."""
        at = self.each * (x - self.origin)
        i, j, k = _cell(at.x, self.nx), _cell(at.y, self.ny), _cell(at.z, self.nz)
        return (k * self.ny + j) * self.nx + i

    def middle(self, cell, stretch):
        """Middle cell of one of the five stretches that a cell is compared with."""
        if stretch == 0:
            return cell
        if stretch == 1:
            return cell + self.nx
        return cell + self.nx * (self.ny + stretch - 3)


@kernel
def _cell(x, count):
    """Cell along an axis; the first for what is no number."""
    return int(x) + 1 if 0.0 <= x < count - 2.0 else 1


@apart(None)
def grid_pairs(scene: Scene):
    """Note all pairs of bounds that overlap."""
    # the large ones stand first in the list of those that are bounded
    shapes, large = scene.bounded, scene.large
    for j in range(large):
        for k in range(j + 1, len(shapes)):
            if scene.bounds(shapes[j]).overlaps(scene.bounds(shapes[k])):
                add_pair(scene, shapes[j], shapes[k])
    scene.order_ready = 0
    if len(shapes) - large > 1:
        small = shapes[large : len(shapes)]
        grid = _grid_over(scene, small)
        _sort_cells(scene, small, grid)
        _compare(scene, len(small), grid)


@kernel
def _grid_over(scene: Scene, shapes):
    """The grid that holds the lower corners of the bounds of shapes."""
    low = high = scene.bounds(shapes[0]).low
    width = 0.0
    for k in range(len(shapes)):
        bounds = scene.bounds(shapes[k])
        x, edges = bounds.low, bounds.high - bounds.low
        low = Vec3(min(low.x, x.x), min(low.y, x.y), min(low.z, x.z))
        high = Vec3(max(high.x, x.x), max(high.y, x.y), max(high.z, x.z))
        width = max(width, edges.x, edges.y, edges.z)
    # a little more than the widest, against rounding at the edge of a cell
    width = width * (1.0 + 1e-9) + 1e-300
    most, product, extent = float(scene.cells), 0.0, high - low
    for _ in range(2000):
        wide = extent / width
        product = (wide.x + 3.0) * (wide.y + 3.0) * (wide.z + 3.0)
        if product <= most:
            break
        width *= 1.26
    each = 1.0 / width
    # an empty layer all round: neighbours need no looking at the border
    if product <= most:
        nx, ny, nz = int(extent.x * each) + 3, int(extent.y * each) + 3, int(extent.z * each) + 3
        return Grid(low, each, nx, ny, nz)
    return Grid(low, each, 3, 3, 3)


@kernel
def _sort_cells(scene: Scene, shapes, grid):
    """Lay bounds and shapes in the order of their cells."""
    starts, cell_of, order, count = scene.cell_starts, scene.cell_of, scene.order, len(shapes)
    for k in range(grid.cells + 1):
        starts[k] = 0
    for k in range(count):
        cell = grid.cell_at(scene.bounds(shapes[k]).low)
        cell_of[k] = cell
        starts[cell] += 1
    total = 0
    for k in range(grid.cells + 1):
        total += starts[k]
        starts[k] = total
    for k in range(count - 1, -1, -1):
        cell = cell_of[k]
        place = starts[cell] - 1
        starts[cell] = place
        order[place] = shapes[k]
        bounds, to = scene.bounds(shapes[k]), scene.in_order(place)
        to.low, to.high = bounds.low, bounds.high
    # cells in the new order
    place = 0
    for cell in range(grid.cells):
        while place < starts[cell + 1]:
            cell_of[place] = cell
            place += 1


@kernel
def _compare(scene: Scene, count, grid):
    """Compare every shape with those of its five stretches."""
    starts, cell_of, order = scene.cell_starts, scene.cell_of, scene.order
    for k in range(count):
        mine = scene.in_order(k)
        low, high = mine.low, mine.high
        for stretch in range(5):
            middle = grid.middle(cell_of[k], stretch)
            first = starts[middle - 1] if stretch else k + 1
            for j in range(first, starts[middle + 2]):
                other = scene.in_order(j)
                # all six at once: one branch that is guessed wrong costs more than five comparisons
                if (
                    (other.low.x <= high.x)
                    & (low.x <= other.high.x)
                    & (other.low.y <= high.y)
                    & (low.y <= other.high.y)
                    & (other.low.z <= high.z)
                    & (low.z <= other.high.z)
                ):
                    add_pair(scene, order[k], order[j])
