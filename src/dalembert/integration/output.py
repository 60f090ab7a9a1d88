"""Within a step: events located and samples taken on the continuous output of the integrator."""

from dalembert._jit import kernel
from dalembert.contact.memory import was_smooth
from dalembert.integration.loop import (
    CLEAN_SAMPLES,
    EVENT_COUNT,
    INTERPOLATE,
    LAST_H,
    LAST_T,
    NEXT_TIME,
    SAMPLES,
    STOPPED,
    TIMES_COUNT,
    T,
    copy_state,
    has_crossed,
    record,
)
from dalembert.mechanics.projection import MASS_NORM, project
from dalembert.mechanics.winding import angles_within
from dalembert.system.borders import advance, guard, normalise
from dalembert.system.layout import EVENT_VALUES, EVENTS, GUARD, vector

BISECTIONS = 60
"""Halvings of the step: the moment is then exact to rounding."""

NEVER = 2.0
"""A fraction of the step that does not occur."""


@kernel
def state_within(work, sizes, count, t, h, s, q_out, v_out):
    """State at the fraction s of the last step, from the continuous output."""
    advance(count[INTERPOLATE], work, sizes, s, h, q_out, v_out)
    normalise(work, sizes, q_out)
    if count[CLEAN_SAMPLES] == 1 or was_smooth(sizes):
        project(work, sizes, t + s * h, q_out, v_out, MASS_NORM, 10)


@kernel
def crossing(work, sizes, count, t, h, e, before, q_out, v_out):
    """Fraction of the step at which event `e` changes sign, by bisection on the output."""
    values = vector(work, sizes, EVENT_VALUES, EVENTS)
    low, high = 0.0, 1.0
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            break
        advance(count[INTERPOLATE], work, sizes, middle, h, q_out, v_out)
        normalise(work, sizes, q_out)
        guard(work, sizes, sizes[GUARD], t + middle * h, q_out, v_out)
        if (values[e] < 0.0) == (before < 0.0) and values[e] != 0.0:
            low = middle
        else:
            high = middle
    return high


@kernel
def locate(work, sizes, clock, count, kinds, before, fractions, values, q_out, v_out):
    """Fraction of the last step at which each event occurs, NEVER where it does not."""
    t, h = clock[LAST_T], clock[LAST_H]
    for e in range(sizes[EVENTS]):
        fractions[e] = NEVER
        if has_crossed(before[e], values[e], kinds[e, 0]):
            fractions[e] = crossing(work, sizes, count, t, h, e, before[e], q_out, v_out)
        before[e] = values[e]


@kernel
def earliest(n, fractions):
    """Index of the smallest fraction."""
    e = 0
    for i in range(n):
        if fractions[i] < fractions[e]:
            e = i
    return e


@kernel
def find_events(
    work, sizes, clock, count, q, v, kinds, before, after, fractions, e_t, e_index, e_q, e_v
):
    """Record the events of the last step in their order, up to the first terminal one.

    `kinds` has a row per event: direction, terminal. `before` holds the values at the start of the
    step and is brought up to date. A terminal event ends the step there: (q, v) and T move to it.
    """
    values = vector(work, sizes, EVENT_VALUES, EVENTS)
    n = sizes[EVENTS]
    t, h = clock[LAST_T], clock[LAST_H]
    guard(work, sizes, sizes[GUARD], clock[T], q, v)
    for e in range(n):
        after[e] = values[e]
    k = count[EVENT_COUNT]
    locate(work, sizes, clock, count, kinds, before, fractions, after, e_q[k], e_v[k])
    while True:
        e = earliest(n, fractions)
        if fractions[e] >= NEVER:
            return
        k = count[EVENT_COUNT]
        e_t[k] = t + fractions[e] * h
        e_index[k] = e
        state_within(work, sizes, count, t, h, fractions[e], e_q[k], e_v[k])
        count[EVENT_COUNT] = k + 1
        if kinds[e, 1] != 0:
            copy_state(sizes, e_q[k], e_v[k], q, v)
            clock[T] = e_t[k]
            count[STOPPED] = 1
            return
        fractions[e] = NEVER


@kernel
def sample_times(work, sizes, clock, count, q, v, times, t_out, q_out, v_out, lam_out, angle_out):
    """Samples at the asked moments up to T."""
    t, h = clock[LAST_T], clock[LAST_H]
    while count[NEXT_TIME] < count[TIMES_COUNT] and times[count[NEXT_TIME]] <= clock[T]:
        moment = times[count[NEXT_TIME]]
        k = count[SAMPLES]
        record(work, sizes, count, moment, q, v, t_out, q_out, v_out, lam_out, angle_out)
        if moment < t + h:
            state_within(work, sizes, count, t, h, (moment - t) / h, q_out[k], v_out[k])
        angles_within(work, sizes, moment - t, q_out[k], v_out[k], angle_out[k])
        count[NEXT_TIME] += 1


@kernel
def look(
    work,
    sizes,
    clock,
    count,
    q,
    v,
    times,
    kinds,
    before,
    after,
    fractions,
    e_t,
    e_index,
    e_q,
    e_v,
    t_out,
    q_out,
    v_out,
    lam_out,
    angle_out,
):
    """Everything within the last step: events first, since a terminal one shortens it.

    The continuous output must have been prepared.
    """
    if sizes[EVENTS] > 0:
        find_events(
            work, sizes, clock, count, q, v, kinds, before, after, fractions, e_t, e_index, e_q, e_v
        )
    sample_times(work, sizes, clock, count, q, v, times, t_out, q_out, v_out, lam_out, angle_out)
