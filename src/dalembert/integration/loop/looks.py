"""Looks at guards within a step: in a few places, and where one may be lower between two."""

from dalembert._jit import apart, kernel
from dalembert.contact.events.passing import clear_way, top_speed
from dalembert.contact.events.watch import guards
from dalembert.integration.loop.dips import (
    FLAT,
    beside,
    is_above,
    looks_before,
    may_dip,
    next_place,
    place_of,
    value_of,
)
from dalembert.integration.loop.output import output_at
from dalembert.integration.loop.phase_samples import close_output, open_output
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK


@kernel
def guards_within(course, s, q, v, out):
    """Guards at the fraction s of the last step; q, v: room for the state there."""
    state, clock = course.state, course.clock
    output_at(state, clock, s, q, v)
    return guards(state, clock.last_t + s * clock.last_h, clock.last_h, q, v, out)


LONGEST = 0.25
"""Largest part of a step between two looks of every step."""

LOOKS = 4096
"""Most looks within a step; what is thinner on both sides is not met."""


@kernel
def look_at(course, fractions, q, v, table, values):
    """Guards at several fractions of the last step and at its end, one a row.

    Where a guard may be negative between two of them, or shapes may pass through each other, it is
    looked more often; the first of those looks at which a guard is negative takes the place of the
    next row. `values`: guards at the start of the step.
    """
    state, clock = course.state, course.clock
    last, fastest, way = len(fractions), 0.0, 1e300
    status = open_output(course)
    for i in range(last):
        if status == OK:
            status = guards_within(course, fractions[i], q, v, table[i])
            fastest, way = max(fastest, top_speed(state)), min(way, clear_way(state))
    close_output(course)
    if status == OK:
        status = guards(state, clock.t, clock.last_h, course.q, course.v, table[last])
        fastest, way = max(fastest, top_speed(state)), min(way, clear_way(state))
    if status == OK and LONGEST * clock.last_h * fastest > way:
        status = look_often(course, clock.last_h * fastest, fractions, q, v, table)
        if status == OK and not is_crossed(table, last + 1):
            # forces of the end of the step again
            status = guards(state, clock.t, clock.last_h, course.q, course.v, table[last])
    if status == OK and may_dip_within(fractions, table, values):
        status = look_into_dips(course, fractions, q, v, table, values)
        if status == OK and not is_crossed(table, last + 1):
            status = guards(state, clock.t, clock.last_h, course.q, course.v, table[last])
    return status


@kernel
def is_crossed(table, rows):
    """Whether a guard is negative in one of the first rows."""
    for i in range(rows):
        for j in range(table.shape[1]):
            if table[i, j] < 0.0:
                return True
    return False


@apart(int)
def look_often(course, way, fractions, q, v, table):
    """Guards as often as shapes ask for that go a `way` in the step, up to the first negative."""
    last, room = len(fractions), table[len(fractions) + 1]
    status, s, i = open_output(course), 0.0, 0
    for _ in range(LOOKS):
        if status == OK:
            status = guards_within(course, s, q, v, room)
        if status != OK:
            break
        crossed = False
        for j in range(len(room)):
            crossed = crossed or room[j] < 0.0
        while i < last - 1 and fractions[i] < s:
            i += 1
        if crossed and s > 0.0:
            fractions[i] = s
            copy(room, table[i])
            break
        s += clear_way(course.state) / way
        if s >= 1.0:
            break
    close_output(course)
    return status


# -- between two looks -----------------------------------------------------------------------------

DEEPER = 40
"""Most looks for the lowest value of a guard between two looks."""


@kernel
def may_dip_within(fractions, table, values):
    """Whether a guard may be negative between two looks at which it is not."""
    count = looks_before(table)
    for j in range(table.shape[1]):
        for i in range(count):
            if may_dip(fractions, table, values, j, i, count):
                return True
    return False


@apart(int)
def look_into_dips(course, fractions, q, v, table, values):
    """Guards where one of them is lowest between two looks; a negative one stands in `table`."""
    status, count = open_output(course), looks_before(table)
    for j in range(table.shape[1]):
        i = 0
        while i < count and status == OK:
            if may_dip(fractions, table, values, j, i, count):
                status, s = look_for_lowest(course, j, i, count, fractions, q, v, table, values)
                if s > 0.0:
                    count = put_look(fractions, table, s)
            i += 1
    close_output(course)
    return status


@kernel
def put_look(fractions, table, s):
    """Put the look at s, in the last row, in the place of the next one; its number."""
    last, i = len(fractions), 0
    while i < last - 1 and fractions[i] < s:
        i += 1
    fractions[i] = s
    copy(table[last + 1], table[i])
    return i + 1


@kernel
def look_for_lowest(course, j, i, count, fractions, q, v, table, values):
    """Where guard j is negative beside look i, the lowest of all around; 0 where it is not.

    Looks close in upon the lowest one from the longer side. A guard that is convex within is
    positive where the lines through the three are.
    """
    last = count - 1
    b, fb = place_of(fractions, i), value_of(values, table, i, j)
    a, fa, c, fc = b, fb, b, fb
    if i > 0:
        a, fa = place_of(fractions, i - 1), value_of(values, table, i - 1, j)
    if i < last:
        c, fc = place_of(fractions, i + 1), value_of(values, table, i + 1, j)
    for k in range(DEEPER):
        if c - a <= FLAT:
            break
        if a < b and b < c:
            x = next_place(a, fa, b, fb, c, fc, k)
        else:
            x = beside(a, b, c)
        status = guards_within(course, x, q, v, table[len(fractions) + 1])
        if status != OK:
            return status, 0.0
        fx = table[len(fractions) + 1, j]
        if fx < 0.0:
            return OK, x
        if not (a < b and b < c) and fx >= fb:
            break  # it rises from there, or falls up to there
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
    return OK, 0.0
