"""Which pairs of shapes are not looked at: of one body, by groups and masks, by the table.

A pair is one integer, the smaller index in the upper half; the table of excluded pairs is sorted.
"""

from dalembert._jit import kernel
from dalembert.collision.layout import (
    BODY,
    EXCLUDED,
    EXCLUDED_AT,
    GROUP,
    MASK,
    shape_integers,
)

HALF = 32
LOWER = (1 << HALF) - 1


@kernel
def wanted(integers, a, b):
    """Whether a pair may touch."""
    p, q = shape_integers(integers, a), shape_integers(integers, b)
    body_a, body_b = integers[p + BODY], integers[q + BODY]
    if body_a == body_b:
        return False
    if integers[p + GROUP] & integers[q + MASK] == 0:
        return False
    if integers[q + GROUP] & integers[p + MASK] == 0:
        return False
    count = integers[EXCLUDED]
    if count == 0:
        return True
    code = (min(a, b) << HALF) | max(a, b)
    # by halves: the table is sorted
    first, last = integers[EXCLUDED_AT], integers[EXCLUDED_AT] + count
    while first < last:
        middle = (first + last) // 2
        if integers[middle] < code:
            first = middle + 1
        else:
            last = middle
    return not (first < integers[EXCLUDED_AT] + count and integers[first] == code)
