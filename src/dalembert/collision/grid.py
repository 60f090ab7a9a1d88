"""A grid of cells, for many shapes of similar size.

Cells are as wide as the widest bounds, so that bounds overlap only if their lower corners lie in
the same cell or in neighbouring ones. Shapes are sorted by cell, x fastest, by counting; three
cells in a row are then one stretch of the order, and a shape is compared with five stretches: the
rest of its own and the next cell, and the rows that come after it,

    (y + 1, z), (y - 1, z + 1), (y, z + 1), (y + 1, z + 1).

A few shapes much larger than the rest (`large`, the ground for one) are compared with all others.
Shapes that are far apart share cells that are wider: there are never more than `cells_of` cells.
"""

from __future__ import annotations

from dalembert._jit import apart, kernel
from dalembert._records import value
from dalembert.collision.layout import Scene
from dalembert.collision.pair_list import add_pair
from dalembert.numerics.vector import Vec3


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
        _sort(scene, small, grid)
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
def _sort(scene: Scene, shapes, grid):
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
