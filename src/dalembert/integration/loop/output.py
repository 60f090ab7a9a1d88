"""Within a step: events located and samples taken on the continuous output of the integrator."""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert._records import Integers, Matrix, Numbers, value
from dalembert.integration.loop.recording import finish_step, record
from dalembert.integration.loop.twice import TURNS, next_turn
from dalembert.integration.loop.unnoticed import (
    prepare_output,
    remember_solve,
    restore_solve,
)
from dalembert.mechanics.projection import MASS_NORM, project
from dalembert.mechanics.winding import angles_within
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK, advance, guard, normalise, was_smooth
from dalembert.system.state_layout import State

BISECTIONS = 60
"""Halvings of the step: the moment is then exact to rounding."""

NEVER = 2.0
"""A fraction of the step that does not occur."""

ROUNDING = 1e-12
"""Part of its value before a jump that a formula may be behind it and counts as zero."""


@value
class Events:
    """Scratch of a look, and room for events: moments, which, and states, one a row.

    `parts`: of the step, each of which is looked at by itself.
    """

    parts: int
    after: Numbers
    fractions: Numbers
    t: Numbers
    index: Integers
    q: Matrix
    v: Matrix


@kernel
def has_crossed(before, after, direction):
    """Whether an event function changed its sign in the wanted direction."""
    up = before < 0.0 and after >= 0.0
    down = before > 0.0 and after <= 0.0
    return (up and direction >= 0) or (down and direction <= 0)


@kernel
def output_at(state: State, clock, s, q_out, v_out):
    """Continuous output at the fraction s of the last step."""
    advance(state, clock.interpolate, s, clock.last_h, q_out, v_out)
    normalise(state, q_out)


@kernel
def state_within(state: State, clock, s, q_out, v_out):
    """State at the fraction s of the last step, from the continuous output."""
    output_at(state, clock, s, q_out, v_out)
    if clock.clean_samples == 1 or was_smooth(state):
        project(state, clock.last_t + s * clock.last_h, q_out, v_out, MASS_NORM, 10)


@kernel
def crossing(state: State, clock, e, before, low, high, q_out, v_out):
    """Fraction of the step at which event `e` changes sign, by bisection on the output."""
    values = state.event_values
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            break
        output_at(state, clock, middle, q_out, v_out)
        guard(state, state.guard, clock.last_t + middle * clock.last_h, q_out, v_out)
        if (values[e] < 0.0) == (before < 0.0) and values[e] != 0.0:
            low = middle
        else:
            high = middle
    return high


@kernel
def locate(course, events, low, high):
    """Fraction at which each event occurs in a part of the last step, NEVER where it does not."""
    state, clock, before, k = course.state, course.clock, course.before, course.clock.event_count
    fractions, after = events.fractions, events.after
    for e in range(state.events):
        fractions[e] = NEVER
        if has_crossed(before[e], after[e], course.kinds[e, 0]):
            fractions[e] = crossing(state, clock, e, before[e], low, high, events.q[k], events.v[k])
        before[e] = after[e]


@kernel
def earliest(n, fractions):
    """Index of the smallest fraction."""
    e = 0
    for i in range(n):
        if fractions[i] < fractions[e]:
            e = i
    return e


@kernel
def find_events(course, events):
    """Record the events of the last step in their order, up to the first terminal one.

    The values at the start of the step are brought up to date. A terminal event ends the step
    there: (q, v) and the time move to it.
    """
    clock = course.clock
    for i in range(events.parts):
        if clock.stopped == 0:
            find_in_part(course, events, i / events.parts, (i + 1) / events.parts)


@kernel
def find_in_part(course, events, begin, end):
    """Record the events between two fractions of the last step."""
    clock, width, low, turns = course.clock, end - begin, 0.0, 0
    while low < 1.0 and clock.stopped == 0:
        values_at(course, events, end)
        high = next_turn(course, low, events.after, begin, width) if turns < TURNS else 1.0
        if high < 1.0:
            values_at(course, events, begin + high * width)
        locate(course, events, begin + low * width, begin + high * width)
        record_events(course, events)
        low, turns = high, turns + 1


@kernel
def values_at(course, events, s):
    """Values of formulas at a fraction of the last step, into `events.after`."""
    state, clock, k = course.state, course.clock, course.clock.event_count
    if s < 1.0:
        output_at(state, clock, s, events.q[k], events.v[k])
        guard(state, state.guard, clock.last_t + s * clock.last_h, events.q[k], events.v[k])
    else:
        guard(state, state.guard, clock.t, course.q, course.v)
    copy(state.event_values, events.after)


@kernel
def record_events(course, events):
    """Record the events that were located, in their order, up to the first terminal one."""
    state, clock, fractions = course.state, course.clock, events.fractions
    while True:
        e = earliest(state.events, fractions)
        if fractions[e] >= NEVER:
            return
        k = clock.event_count
        events.t[k] = clock.last_t + fractions[e] * clock.last_h
        events.index[k] = e
        state_within(state, clock, fractions[e], events.q[k], events.v[k])
        clock.event_count = k + 1
        if course.kinds[e, 1] != 0:
            copy(events.q[k], course.q)
            copy(events.v[k], course.v)
            clock.t = events.t[k]
            clock.stopped = 1
            return
        fractions[e] = NEVER


@kernel
def across(course, events):
    """Record events whose formulas change their signs in a jump, up to the first terminal one.

    The state is that behind the jump. A value that is rounding beside the one before it is none.
    """
    state, clock, before = course.state, course.clock, course.before
    guard(state, state.guard, clock.t, course.q, course.v)
    copy(state.event_values, events.after)
    for e in range(state.events):
        value = events.after[e]
        if abs(value) <= ROUNDING * abs(before[e]):
            value = 0.0
        crossed = has_crossed(before[e], value, course.kinds[e, 0])
        before[e] = events.after[e]
        if crossed and clock.stopped == 0:
            k = clock.event_count
            events.t[k], events.index[k] = clock.t, e
            copy(course.q, events.q[k])
            copy(course.v, events.v[k])
            clock.event_count = k + 1
            clock.stopped = course.kinds[e, 1]


@kernel
def sample_times(course):
    """Samples at the asked moments up to now."""
    state, clock, samples = course.state, course.clock, course.samples
    t, h = clock.last_t, clock.last_h
    while clock.next_time < clock.times_count and course.times[clock.next_time] <= clock.t:
        moment = course.times[clock.next_time]
        k = clock.samples
        record(state, clock, moment, course.q, course.v, samples)
        if moment < t + h:
            state_within(state, clock, (moment - t) / h, samples.q[k], samples.v[k])
        angles_within(state, moment - t, samples.q[k], samples.v[k], samples.angle[k])
        clock.next_time += 1


@kernel
def look(course, events):
    """Events and asked moments within the last step, which is then finished.

    Events come first, since a terminal one shortens the step.
    """
    state = course.state
    remember_solve(state, course.room)
    status = prepare_output(state, course.clock, course.q, course.v, course.room)
    if status == OK and state.events > 0:
        find_events(course, events)
    if status == OK:
        sample_times(course)
    restore_solve(state, course.room)
    if status == OK:
        finish_step(state, course.numbers, course.counts, course.q, course.v, course.samples)
    return status


@kernel
def sample_step(course):
    """Asked moments within the last step, which is then finished."""
    state = course.state
    remember_solve(state, course.room)
    status = prepare_output(state, course.clock, course.q, course.v, course.room)
    if status == OK:
        sample_times(course)
    restore_solve(state, course.room)
    if status == OK:
        finish_step(state, course.numbers, course.counts, course.q, course.v, course.samples)
    return status
