"""The list of candidate pairs: two shapes in one integer, the smaller index in the upper half.

Whatever found them, and in whatever order, they are sorted before they are looked at: twice by
counting, first by the second shape, then by the first.
"""

from dalembert._jit import kernel
from dalembert.collision.filters import HALF, LOWER, wanted
from dalembert.collision.layout import (
    BROAD_SCRATCH_AT,
    PAIR_CAPACITY,
    PAIRS,
    PAIRS_AT,
    SHAPES,
)


@kernel
def add_pair(integers, a, b):
    """Note a pair unless it is filtered out; without room it is only counted."""
    if wanted(integers, a, b):
        count = integers[PAIRS]
        if count < integers[PAIR_CAPACITY]:
            integers[integers[PAIRS_AT] + count] = (min(a, b) << HALF) | max(a, b)
        integers[PAIRS] = count + 1


@kernel
def sort_pairs(integers):
    """Sort by both shapes; the second half of the room is used on the way."""
    first = integers[PAIRS_AT]
    second = first + integers[PAIR_CAPACITY]
    _by_counting(integers, first, second, 0)
    _by_counting(integers, second, first, HALF)


@kernel
def _by_counting(integers, source, target, shift):
    """Stable sort by the half of the pairs that a shift brings down."""
    counts, shapes, pairs = integers[BROAD_SCRATCH_AT], integers[SHAPES], integers[PAIRS]
    for k in range(shapes + 1):
        integers[counts + k] = 0
    for k in range(pairs):
        integers[counts + ((integers[source + k] >> shift) & LOWER) + 1] += 1
    for k in range(shapes):
        integers[counts + k + 1] += integers[counts + k]
    for k in range(pairs):
        code = integers[source + k]
        place = counts + ((code >> shift) & LOWER)
        integers[target + integers[place]] = code
        integers[place] += 1
