"""The list of candidate pairs: two shapes in one integer, the smaller index in the upper half.

Whatever found them, and in whatever order, they are sorted before they are looked at: twice by
counting, first by the second shape, then by the first.

Pairs of one body, of groups and masks, and of the table of excluded pairs, which is sorted, are not
looked at.
"""

from dalembert._jit import kernel
from dalembert.collision.layout import Scene


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
