"""Events whose formula changes its sign twice within a step, which its ends do not tell.

A cubic through both ends of a step is asked first; where it comes near to zero the continuous
output is looked at. A place where a formula has the other sign parts the step in two, and either
part is looked at for crossings. Where a formula swings within the step (`swings`) it is looked at
in many even parts, each as if it were a step.
"""

from dalembert._jit import apart, kernel
from dalembert.integration.loop.cubic import place_in
from dalembert.integration.loop.dips import (
    FLAT,
    beside,
    is_above,
    may_dip,
    next_place,
    place_of,
    value_of,
)
from dalembert.integration.loop.swinging import (
    BETWEEN,
    END,
    LOOKS,
    START,
    look_by_cubic,
    put_places,
    signed,
    swings,
)
from dalembert.numerics.vector import copy
from dalembert.system.borders import advance, guard, normalise

NEAR = 0.05
"""Part of its change within a step by which a formula may be away from zero where it is asked."""

DEEPER = 40
"""Most looks for the lowest value of a formula between two looks."""

TURNS = 4
"""Most places that part a step."""


@kernel
def come_near(course):
    """Whether a formula that has one sign at both ends of the step may have the other within."""
    state = course.state
    put_places(course.places, 0.0)
    look_by_cubic(course)
    # `event_values` is of the end of the step again, as it was
    for e in range(state.events):
        state.event_values[e] = unsigned(course, END, e)
    near = False
    for e in range(state.events):
        near = near or comes_near(course, e) or swings(course, e)
    return near


@kernel
def unsigned(course, row, e):
    """The value of a formula at a look."""
    return course.looks[row, e] if course.before[e] > 0.0 else -course.looks[row, e]


@kernel
def comes_near(course, e):
    """Whether formula e comes near to zero between two looks, by the cubic."""
    looks = course.looks
    start = abs(course.before[e])
    if start == 0.0 or not looks[END, e] > 0.0:
        return False
    least = most = start
    for i in range(LOOKS + 1):
        least, most = min(least, looks[i, e]), max(most, looks[i, e])
    if least <= 0.0:
        return True
    return least <= NEAR * (most - least) or dips(course, e, NEAR * (most - least))


@kernel
def dips(course, e, room):
    """Whether formula e may be below `room` between two looks at which it is not."""
    looks, first = course.looks, course.looks[START]
    for i in range(LOOKS + 1):
        looks[i, e] -= room
    first[e] = abs(course.before[e]) - room
    found = False
    for i in range(LOOKS + 2):
        found = found or may_dip(course.places, looks, first, e, i, LOOKS + 2)
    for i in range(LOOKS + 1):
        looks[i, e] += room
    return found


# -- the continuous output -------------------------------------------------------------------------


@kernel
def values_within(course, part, row, begin, width):
    """Signed values of formulas at a fraction of a part of the step, into a row of looks."""
    state, clock, s = course.state, course.clock, begin + part * width
    q, v = place_in(course.halfway, state)
    advance(state, clock.interpolate, s, clock.last_h, q, v)
    normalise(state, q)
    guard(state, state.guard, clock.last_t + s * clock.last_h, q, v)
    signed(course, row, state.events)


@apart(float)
def next_turn(course, low, after, begin, width):
    """First place behind `low` where a formula has another sign than at both ends; 1: none.

    `before`: values at `low`, `after`: at the end. Places are fractions of the part of the step
    that begins there and is so wide. Output is ready.
    """
    state, looks = course.state, course.looks
    put_places(course.places, low)
    for i in range(LOOKS):
        values_within(course, course.places[i], i, begin, width)
    copy(after, state.event_values)
    signed(course, END, state.events)
    turn = 1.0
    for e in range(state.events):
        if course.before[e] != 0.0 and looks[END, e] > 0.0:
            turn = min(turn, turn_of(course, e, low, begin, width))
    return turn


@kernel
def turn_of(course, e, low, begin, width):
    """First place behind `low` where formula e is found to be negative; 1: none."""
    looks, first = course.looks, course.looks[START]
    for i in range(LOOKS):
        if looks[i, e] < 0.0:
            return course.places[i]
    first[e] = abs(course.before[e])
    for i in range(LOOKS + 2):
        if may_dip(course.places, looks, first, e, i, LOOKS + 2):
            s = lowest(course, e, i, low, begin, width)
            if s > 0.0:
                return s
    return 1.0


@kernel
def lowest(course, e, i, low, begin, width):
    """Where formula e is negative beside look i, the lowest of all around; 0 where it is not."""
    looks, first, last = course.looks, course.looks[START], LOOKS + 1
    b, fb = place_from(course.places, i, low), value_of(first, looks, i, e)
    a, fa, c, fc = b, fb, b, fb
    if i > 0:
        a, fa = place_from(course.places, i - 1, low), value_of(first, looks, i - 1, e)
    if i < last:
        c, fc = place_of(course.places, i + 1), value_of(first, looks, i + 1, e)
    for k in range(DEEPER):
        if c - a <= FLAT:
            break
        x = next_place(a, fa, b, fb, c, fc, k) if a < b and b < c else beside(a, b, c)
        values_within(course, x, BETWEEN, begin, width)
        fx = looks[BETWEEN, e]
        if fx < 0.0:
            return x
        if not (a < b and b < c) and fx >= fb:
            break
        if fx < fb:
            if x < b:
                c, fc = b, fb
            else:
                a, fa = b, fb
            b, fb = x, fx
        elif x < b:
            a, fa = x, fx
        else:
            c, fc = x, fx
        if is_above(a, fa, b, fb, c, fc):
            break
    return 0.0


@kernel
def place_from(places, i, low):
    """The fraction of the step of a look, the first of which is at `low`."""
    return low if i == 0 else place_of(places, i)
