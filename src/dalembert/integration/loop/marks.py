"""Steps that end where what is prescribed in time turns about: error control would not see it.

Marks stand in pairs (t, w) by their moments: the extremum is at t, and w wide. A step over it that
is longer than half of that ends there; what it is worth error control sees then.
"""

from dalembert._jit import kernel
from dalembert.integration.loop.clock import next_step

LONGER = 0.5
"""Part of the width of an extremum that a step may be long without ending there."""

PASSED = 1e-3
"""Part of its width within which an extremum is where the step begins."""


@kernel
def first_behind(marks, t):
    """Index of the first mark behind a moment."""
    a, b = 0, len(marks) // 2
    while a < b:
        k = (a + b) // 2
        if marks[2 * k] > t:
            b = k
        else:
            a = k + 1
    return a


@kernel
def next_length(course):
    """Length of the next step, which leaps over no mark."""
    h = next_step(course.numbers, course.counts)
    marks, clock = course.marks, course.clock
    if len(marks) == 0 or clock.adaptive == 0:
        return h
    for k in range(first_behind(marks, clock.t), len(marks) // 2):
        left, width = marks[2 * k] - clock.t, marks[2 * k + 1]
        if left >= h:
            break
        if h > LONGER * width and left > PASSED * width:
            return left
    return h
