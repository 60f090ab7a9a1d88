"""A grid of cells, for many shapes of similar size.

Cells are as wide as the widest bounds, so that bounds overlap only if their lower corners lie in
the same cell or in neighbouring ones. Shapes are sorted by cell, x fastest, by counting; three
cells in a row are then one stretch of the order, and a shape is compared with five stretches: the
rest of its own and the next cell, and the rows that come after it,

    (y + 1, z), (y - 1, z + 1), (y, z + 1), (y + 1, z + 1).

A few shapes much larger than the rest (`LARGE`, the ground for one) are compared with all others.
Shapes that are far apart share cells that are wider: there are never more than `cells_of` cells.
"""

from __future__ import annotations

from dalembert._jit import apart, kernel
from dalembert.collision.layout import (
    BOUNDED,
    BOUNDED_AT,
    BOUNDS,
    BOUNDS_AT,
    CELLS,
    CELLS_AT,
    LARGE,
    ORDER_AT,
    ORDER_READY,
    SORTED_AT,
    STACK_AT,
)
from dalembert.collision.pair_list import add_pair


def cells_of(count: int) -> int:
    """Most cells of a grid of so many shapes."""
    return 4 * count + 64


@apart(None)
def grid_pairs(integers, numbers):
    """Note all pairs of bounds that overlap."""
    count, large = integers[BOUNDED], integers[LARGE]
    # the large ones stand first in the list of those that are bounded
    shapes = integers[BOUNDED_AT]
    for j in range(large):
        at = integers[BOUNDS_AT] + BOUNDS * integers[shapes + j]
        for k in range(j + 1, count):
            if _overlap(numbers, at, integers[BOUNDS_AT] + BOUNDS * integers[shapes + k]):
                add_pair(integers, integers[shapes + j], integers[shapes + k])
    integers[ORDER_READY] = 0
    if count - large > 1:
        nx, ny, nz = _sort(integers, numbers, shapes + large, count - large)
        _compare(integers, numbers, count - large, nx, ny, nz)


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
def _cell(x, count):
    """Cell along an axis; the first for what is no number."""
    return int(x) + 1 if 0.0 <= x < count - 2.0 else 1


@kernel
def _sort(integers, numbers, shapes, count):
    """Lay bounds and shapes in the order of their cells; the numbers of cells."""
    bounds = integers[BOUNDS_AT]
    at = bounds + BOUNDS * integers[shapes]
    x0, y0, z0 = numbers[at], numbers[at + 1], numbers[at + 2]
    x1, y1, z1 = x0, y0, z0
    width = 0.0
    for k in range(count):
        at = bounds + BOUNDS * integers[shapes + k]
        x, y, z = numbers[at], numbers[at + 1], numbers[at + 2]
        x0, y0, z0 = min(x0, x), min(y0, y), min(z0, z)
        x1, y1, z1 = max(x1, x), max(y1, y), max(z1, z)
        width = max(width, numbers[at + 3] - x, numbers[at + 4] - y, numbers[at + 5] - z)
    # a little more than the widest, against rounding at the edge of a cell
    width = width * (1.0 + 1e-9) + 1e-300
    most, product = float(integers[CELLS]), 0.0
    for _ in range(2000):
        product = ((x1 - x0) / width + 3.0) * ((y1 - y0) / width + 3.0) * ((z1 - z0) / width + 3.0)
        if product <= most:
            break
        width *= 1.26
    each = 1.0 / width
    # an empty layer all round: neighbours need no looking at the border
    nx = ny = nz = 3
    if product <= most:
        nx = int((x1 - x0) * each) + 3
        ny = int((y1 - y0) * each) + 3
        nz = int((z1 - z0) * each) + 3
    starts, cell_of = integers[CELLS_AT], integers[STACK_AT]
    for k in range(nx * ny * nz + 1):
        integers[starts + k] = 0
    for k in range(count):
        at = bounds + BOUNDS * integers[shapes + k]
        i = _cell((numbers[at] - x0) * each, nx)
        j = _cell((numbers[at + 1] - y0) * each, ny)
        m = _cell((numbers[at + 2] - z0) * each, nz)
        cell = (m * ny + j) * nx + i
        integers[cell_of + k] = cell
        integers[starts + cell] += 1
    total = 0
    for k in range(nx * ny * nz + 1):
        total += integers[starts + k]
        integers[starts + k] = total
    order, rows = integers[ORDER_AT], integers[SORTED_AT]
    for k in range(count):
        back = count - 1 - k
        cell = starts + integers[cell_of + back]
        place = integers[cell] - 1
        integers[cell] = place
        shape = integers[shapes + back]
        integers[order + place] = shape
        at, to = bounds + BOUNDS * shape, rows + BOUNDS * place
        for m in range(BOUNDS):
            numbers[to + m] = numbers[at + m]
    # cells in the new order
    place = 0
    for cell in range(nx * ny * nz):
        while place < integers[starts + cell + 1]:
            integers[cell_of + place] = cell
            place += 1
    return nx, ny, nz


@kernel
def _compare(integers, numbers, count, nx, ny, nz):
    """Compare every shape with those of its five stretches."""
    starts, cell_of, rows = integers[CELLS_AT], integers[STACK_AT], integers[SORTED_AT]
    order = integers[ORDER_AT]
    for k in range(count):
        cell = integers[cell_of + k]
        mine = rows + BOUNDS * k
        x0, y0, z0 = numbers[mine], numbers[mine + 1], numbers[mine + 2]
        x1, y1, z1 = numbers[mine + 3], numbers[mine + 4], numbers[mine + 5]
        for stretch in range(5):
            middle = cell
            if stretch == 1:
                middle = cell + nx
            elif stretch > 1:
                middle = cell + nx * (ny + stretch - 3)
            first = integers[starts + middle - 1] if stretch else k + 1
            last = integers[starts + middle + 2]
            for j in range(first, last):
                other = rows + BOUNDS * j
                # all six at once: one branch that is guessed wrong costs more than five comparisons
                if (
                    (numbers[other] <= x1)
                    & (x0 <= numbers[other + 3])
                    & (numbers[other + 1] <= y1)
                    & (y0 <= numbers[other + 4])
                    & (numbers[other + 2] <= z1)
                    & (z0 <= numbers[other + 5])
                ):
                    add_pair(integers, integers[order + k], integers[order + j])
