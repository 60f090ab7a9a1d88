"""Which pairs of shapes are not looked at: of one body, by groups and masks, by the table.

A pair is one integer, the smaller index in the upper half; the table of excluded pairs is sorted.
"""

from dalembert._jit import kernel
from dalembert.collision.layout import Scene

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
