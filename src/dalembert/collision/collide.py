"""Everything that touches: place the shapes, find candidate pairs, look at each.

    count = collide(integers, numbers, records, h, out_integers, out_numbers)

See `layout` for the arrays. The contacts are in order of the pairs, and do not depend on what is
kept between calls.
"""

from dalembert._jit import kernel
from dalembert.collision.bounds_tree import tree_pairs
from dalembert.collision.filters import HALF, LOWER
from dalembert.collision.grid import grid_pairs
from dalembert.collision.layout import (
    BOUNDED,
    BOUNDED_AT,
    BROAD_CHOICE,
    BROAD_GRID,
    BROAD_TREE,
    CONTACT_INTEGERS,
    CONTACT_NUMBERS,
    HORIZON,
    KIND,
    MARGIN_SPEED,
    NEEDED_CONTACTS,
    NEEDED_PAIRS,
    OVERFLOW,
    PAIR_CAPACITY,
    PAIRS,
    PAIRS_AT,
    PLANE,
    STEP_LENGTH,
    UNBOUNDED,
    UNBOUNDED_AT,
    UNPLACED,
    shape_integers,
)
from dalembert.collision.pair_list import add_pair, sort_pairs
from dalembert.collision.placing import margin_of, place_shapes, plane_near
from dalembert.collision.sweep import sweep
from dalembert.collision.swept import touch_pair


@kernel
def find_pairs(integers, numbers):
    """Candidate pairs, sorted; how many, or OVERFLOW."""
    integers[PAIRS] = 0
    for k in range(integers[UNBOUNDED]):
        shape = integers[integers[UNBOUNDED_AT] + k]
        is_plane = integers[shape_integers(integers, shape) + KIND] == PLANE
        for j in range(integers[BOUNDED]):
            other = integers[integers[BOUNDED_AT] + j]
            if not is_plane or plane_near(integers, numbers, shape, other):
                add_pair(integers, shape, other)
    if integers[BROAD_CHOICE] == BROAD_TREE:
        tree_pairs(integers, numbers)
    elif integers[BROAD_CHOICE] == BROAD_GRID:
        grid_pairs(integers, numbers)
    else:
        sweep(integers, numbers)
    integers[NEEDED_PAIRS] = integers[PAIRS]
    if integers[PAIRS] > integers[PAIR_CAPACITY]:
        return OVERFLOW
    sort_pairs(integers)
    return integers[PAIRS]


@kernel
def collide(integers, numbers, records, h, out_integers, out_numbers):
    """Contacts of all pairs; how many, OVERFLOW, or UNPLACED."""
    numbers[STEP_LENGTH] = h
    numbers[HORIZON] = numbers[MARGIN_SPEED] * h
    integers[NEEDED_CONTACTS] = 0
    if not place_shapes(integers, numbers, records):
        return UNPLACED
    pairs = find_pairs(integers, numbers)
    if pairs < 0:
        return OVERFLOW
    count = 0
    for k in range(pairs):
        code = integers[integers[PAIRS_AT] + k]
        a, b = code >> HALF, code & LOWER
        kind_a = integers[shape_integers(integers, a) + KIND]
        kind_b = integers[shape_integers(integers, b) + KIND]
        if kind_a > kind_b:
            a, b = b, a
        margin = margin_of(integers, numbers, a, b)
        count = touch_pair(integers, numbers, a, b, margin, out_integers, out_numbers, count)
    integers[NEEDED_CONTACTS] = count
    if CONTACT_INTEGERS * count > len(out_integers) or CONTACT_NUMBERS * count > len(out_numbers):
        return OVERFLOW
    return count


@kernel
def repeat_collide(times, integers, numbers, records, h, out_integers, out_numbers):
    """Call `collide` many times over, for measurements."""
    count = 0
    for _ in range(times):
        count = collide(integers, numbers, records, h, out_integers, out_numbers)
    return count
