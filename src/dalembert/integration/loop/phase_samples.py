"""Samples within a step of a phase between located events, with the forces of their moments."""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.events.watch import guards, note_forces
from dalembert.contact.run.run_layout import contact_of
from dalembert.integration.loop.output import find_events, sample_step, state_within
from dalembert.integration.loop.recording import finish_step, record
from dalembert.integration.loop.unnoticed import prepare_output, remember_solve, restore_solve
from dalembert.mechanics.winding import angles_within
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK

INNER = 15
"""Samples within a step, at most."""

ROOM = INNER + 3
"""Samples of a step and of an event at its end."""

BENT = 1e-3
"""Distance of the motion from straight lines between samples, over the size of the mechanism."""


@apart(int)
def open_output(course):
    """Make the continuous output of the last step ready."""
    remember_solve(course.state, course.room)
    return prepare_output(course.state, course.clock, course.q, course.v, course.room)


@apart(None)
def close_output(course):
    """Put back what looking has changed."""
    restore_solve(course.state, course.room)


@kernel
def samples_needed(course, looks):
    """How many samples a step needs within it: a ball that bounces is in the air in between.

    With a constant acceleration the motion is h |v1 - v0| / 8 off a straight line halfway.
    """
    clock, state, run = course.clock, course.state, contact_of(course.state)
    if clock.times_count > 0 or clock.every > 1:
        return 0
    if looks:
        for e in range(state.events):
            if course.kinds[e, 1] != 0:
                return 0  # the step may end before
    room = min(len(course.samples.t) - clock.samples, run.most_logged_steps - run.logged_steps)
    notes = run.most_logged_contacts - run.logged_contacts
    if notes < ROOM * run.most_contacts:
        return 0
    bent = 0.0
    for k in range(state.nv):
        bent = max(bent, abs(course.v[k] - state.start_v[k]))
    bent *= 0.125 * clock.last_h / (BENT * state.length)
    count = INNER if bent > (1.0 + INNER) * (1.0 + INNER) else int(math.sqrt(bent))
    return min(count, room - ROOM + INNER)


@kernel
def sample_within(course, count, ahead, q, v, out):
    """Samples at even fractions of the last step; the last look is then that at its end again.

    `ahead`: time for which that look had shapes found.
    """
    state, clock, samples = course.state, course.clock, course.samples
    status = open_output(course)
    for i in range(count):
        if status == OK:
            k, s = clock.samples, (i + 1.0) / (count + 1.0)
            t = clock.last_t + s * clock.last_h
            state_within(state, clock, s, q, v)
            status = guards(state, t, clock.last_h, q, v, out)
        if status == OK:
            note_forces(state, v)
            record(state, clock, t, q, v, samples)
            angles_within(state, s * clock.last_h, q, v, samples.angle[k])
    close_output(course)
    guards(state, clock.t, ahead, course.q, course.v, out)


@apart(int)
def look_with_forces(course, events, ahead, q, v, out):
    """`output.look` in a phase with contacts: asked moments have forces of their own.

    `ahead`: as of `sample_within`.
    """
    status = open_output(course)
    if status == OK and course.state.events > 0:
        find_events(course, events)
    return finish_with_forces(course, status, ahead, q, v, out)


@apart(int)
def sample_asked(course, contacts, ahead, q, v, out):
    """Asked moments within the last step, which is then finished; there are no events."""
    if contacts == 0:
        return sample_step(course)
    return finish_with_forces(course, open_output(course), ahead, q, v, out)


@kernel
def finish_with_forces(course, status, ahead, q, v, out):
    """Finish the last step, whose output is open, with samples at the asked moments in it."""
    state, clock = course.state, course.clock
    while status == OK and clock.next_time < clock.times_count:
        moment = course.times[clock.next_time]
        if moment > clock.t:
            break
        sample_with_forces(course, moment, q, v, out)
    close_output(course)
    if status == OK:
        guards(state, clock.t, ahead, course.q, course.v, out)
        note_forces(state, course.v)
        finish_step(state, course.numbers, course.counts, course.q, course.v, course.samples)
    return status


@kernel
def sample_with_forces(course, moment, q, v, out):
    """A sample at a moment of the last step."""
    state, clock, samples, k = course.state, course.clock, course.samples, course.clock.samples
    passed = moment - clock.last_t
    copy(course.q, q)
    copy(course.v, v)
    if moment < clock.last_t + clock.last_h:
        state_within(state, clock, passed / clock.last_h, q, v)
    if guards(state, moment, clock.last_h, q, v, out) == OK:
        note_forces(state, v)
    record(state, clock, moment, q, v, samples)
    angles_within(state, passed, q, v, samples.angle[k])
    clock.next_time += 1
