"""Event formulas that swing within a step: how many parts of it show every crossing.

What a formula is between looks is foretold by a polynomial through them. Where it is not what was
foretold it swings, and the step is looked at in parts, twice as many each time, until cubics
through their ends foretell what it is within them. Looks are at irregular places: what swings just
as often as it is looked at seems to rest.
"""

from dalembert._jit import apart, kernel
from dalembert.integration.loop.cubic import guard_at, open_cubic
from dalembert.system.borders import guard

LOOKS = 5
"""Looks within a step, besides its ends: an early one, at the quarters, a late one."""

END, BETWEEN, START = LOOKS, LOOKS + 1, LOOKS + 2
"""Rows of values behind those of the looks: at the end of the step, somewhere between two looks, at
its start; `ROWS` of them all."""

ROWS = LOOKS + 3

EARLY, LATE = 0.118, 0.893
"""Places of the first and the last; what a formula is there the others foretell."""

GOLDEN = 0.6180339887498949
"""Places within parts at which a formula is foretold are its multiples, less whole ones."""

OFF = 0.05
"""Part of its change by which a formula may be off what was foretold."""

AWAY = 2.0
"""A formula that is farther from zero than so many times its change crosses nothing."""

FEWEST, MOST = 8, 16384
"""Parts of a step in which a formula swings, at most."""

JUMP, EARLIEST = 3, 32
"""Places beside a jump that are not foretold, however many parts there are; from how many parts on
no more of them are a jump."""


@kernel
def put_places(places, low):
    """Places to look at from `low` to the end of the step."""
    part = EARLY
    for i in range(LOOKS):
        places[i] = low + part * (1.0 - low)
        part = LATE if i == LOOKS - 2 else 0.25 * (i + 1)


@kernel
def signed(course, row, count):
    """Values of formulas in a row of looks, positive where they are as at the start."""
    values = course.state.event_values
    for e in range(count):
        course.looks[row, e] = values[e] if course.before[e] > 0.0 else -values[e]


@kernel
def look_by_cubic(course):
    """Signed values of formulas at the places and at the end, into rows of looks."""
    state = course.state
    open_cubic(state, course.halfway, course.q, course.v)
    signed(course, END, state.events)
    for i in range(LOOKS):
        guard_at(course, course.places[i])
        signed(course, i, state.events)


@kernel
def foretold(course, e, f0, s):
    """Quartic through both ends and the quarters of a step, at s."""
    looks, u = course.looks, 4.0 * s
    a, b, c, d = u - 1.0, u - 2.0, u - 3.0, u - 4.0
    f1, f2, f3, f4 = looks[1, e], looks[2, e], looks[3, e], looks[END, e]
    ends = f0 * a * b * c * d / 24.0 + f4 * u * a * b * c / 24.0
    return ends - f1 * u * b * c * d / 6.0 + f2 * u * a * c * d / 4.0 - f3 * u * a * b * d / 6.0


@kernel
def swings(course, e):
    """Whether formula e is not what its looks foretell, by values in the rows of looks."""
    looks, f0 = course.looks, abs(course.before[e])
    least = most = f0
    for i in range(LOOKS + 1):
        least, most = min(least, looks[i, e]), max(most, looks[i, e])
    change = most - least
    if least > AWAY * change or most < -AWAY * change:
        return False
    early = abs(foretold(course, e, f0, EARLY) - looks[0, e])
    late = abs(foretold(course, e, f0, LATE) - looks[LOOKS - 1, e])
    return max(early, late) > OFF * change


@kernel
def foretold_within(f0, f1, f2, f3, u):
    """Cubic through the ends of three parts, at `u` of the middle one."""
    a, b, c = u + 1.0, u - 1.0, u - 2.0
    return (
        -f0 * u * b * c / 6.0 + f1 * a * b * c / 2.0 - f2 * a * u * c / 2.0 + f3 * a * u * b / 6.0
    )


@apart(int)
def parts_of_step(course, most):
    """Even parts of the last step, at most so many, that show how its event formulas swing.

    The state is that at its end, as are `event_values`.
    """
    state = course.state
    put_places(course.places, 0.0)
    guard_at_end(course)
    look_by_cubic(course)
    swung = False
    for e in range(state.events):
        swung = swung or swings(course, e)
    parts, left = FEWEST, not_foretold(course, FEWEST)
    if left == 0 and not swung:
        parts = 1
    while left > 0 and parts < most:
        parts *= 2
        left = not_foretold(course, parts)
        if left <= JUMP * state.events and parts >= EARLIEST:
            left = 0
    guard_at_end(course)
    return parts


@kernel
def guard_at_end(course):
    """Event formulas at the end of the last step."""
    guard(course.state, course.state.guard, course.clock.t, course.q, course.v)


@kernel
def not_foretold(course, parts):
    """Parts of the step in which a formula is not what the ends of those around foretell."""
    state, looks, left = course.state, course.looks, 0
    least, most = BETWEEN, START  # rows that nobody needs now
    for i in range(parts + 1):
        guard_at(course, i / parts)
        for e in range(state.events):
            looks[i % 4, e] = state.event_values[e]
            if i == 0:
                looks[least, e] = looks[most, e] = state.event_values[e]
        widen(course, least, most)
        if i >= 3:
            u = 0.1 + 0.8 * (GOLDEN * i - int(GOLDEN * i))
            guard_at(course, (i - 2 + u) / parts)
            widen(course, least, most)
            for e in range(state.events):
                change = looks[most, e] - looks[least, e]
                near = looks[least, e] <= AWAY * change and looks[most, e] >= -AWAY * change
                a, b = looks[(i - 3) % 4, e], looks[(i - 2) % 4, e]
                told = foretold_within(a, b, looks[(i - 1) % 4, e], looks[i % 4, e], u)
                if near and abs(told - state.event_values[e]) > OFF * change:
                    left += 1
    return left


@kernel
def widen(course, least, most):
    """Keep the least and the most of each formula so far."""
    looks, values = course.looks, course.state.event_values
    for e in range(course.state.events):
        looks[least, e] = min(looks[least, e], values[e])
        looks[most, e] = max(looks[most, e], values[e])
