"""Steps of a phase between located events: many in one call, or one, a look within it, its end.

`run_phase` goes on until a guard is crossed within a step, which is then not finished yet.
"""

from dalembert._jit import apart, kernel
from dalembert._records import value
from dalembert.contact.events.ending import fades, until_rest
from dalembert.contact.events.layout import Phase
from dalembert.contact.events.watch import aim, guards, has_opened, keep_forces, note_forces
from dalembert.contact.run.run_layout import contact_of
from dalembert.integration.loop.attempts import begin_again, take_step
from dalembert.integration.loop.chunk import CHUNK_KINDS, LOOK, MORE, has_room, look_needed
from dalembert.integration.loop.clock import feels_the_end, go_on
from dalembert.integration.loop.controllers import call_controllers
from dalembert.integration.loop.looks import guards_within, is_crossed, look_at
from dalembert.integration.loop.marks import next_length
from dalembert.integration.loop.phase_samples import (
    ROOM,
    sample_asked,
    sample_within,
    samples_needed,
)
from dalembert.integration.loop.recording import finish_step, record, watch
from dalembert.mechanics.winding import wind
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK
from dalembert.system.tolerance import tolerance_of


@kernel
def one_step(course, longest):
    """One step under error control, not longer than `longest`; it is not finished yet."""
    state, clock, q, v = course.state, course.clock, course.q, course.v
    state.evaluated = 0
    if len(course.controls) > 0:
        status = call_controllers(state, clock, q, v, course.controls)
        if status != OK:
            return status
    h = min(next_length(course), longest)
    status, h = held_step(state, clock, h, q, v)
    if status == OK:
        go_on(clock, h)
    return status


NOISE = 1e-11
"""Tolerance that is not made tighter: forces of contacts have noise below it."""


@kernel
def held_step(state, clock, h, q, v):
    """`take_step` with h of the tolerance where something touches: a second makes it (contact 20).

    Where nothing does a run is that of a model without contact.
    """
    allowed = tolerance_of(state)
    rtol, atol = allowed.rtol, allowed.atol
    if Phase(state, state.method_scratch).contacts > 0 and rtol > NOISE:
        part = min(1.0, max(h, NOISE / rtol))
        allowed.rtol, allowed.atol = part * rtol, part * atol
    status, h = take_step(state, clock, h, q, v)
    allowed.rtol, allowed.atol = rtol, atol
    return status, h


@kernel
def back(course):
    """Go back to the start of the last step."""
    clock = course.clock
    begin_again(course.state, course.q, course.v)
    clock.t = clock.last_t
    clock.done -= 1


@kernel
def step_of(course, h):
    """The last step once more, with another length."""
    clock, regular = course.clock, course.clock.step
    back(course)
    course.state.evaluated = 0
    status, h = held_step(course.state, clock, h, course.q, course.v)
    clock.step = regular
    if status == OK:
        go_on(clock, h)
    return status, h


# -- where a guard is crossed ----------------------------------------------------------------------

ITERATIONS, HALVINGS, RETAKES = 200, 40, 4
"""Looks for a root; for a place where a guard that begins with zero is positive; times that a step
is made to end at an event."""

JUMPS, FALLEN = 14, 1e-3
"""More times, each four times further, where a guard jumps: it has not come down to this part of
what it was."""

LATER = 1e-3
"""How much longer than foretold a step to an event may become: behind that may be another one."""


@kernel
def positive_within(course, j, a, b, q, v, out):
    """A place behind a at which guard j, zero there, is positive; the end b of its bracket.

    Returns status, place, value, b; the value is 0 where none is found.
    """
    x = b
    for _ in range(HALVINGS):
        x = a + 0.5 * (x - a)
        status = guards_within(course, x, q, v, out)
        if status != OK:
            return status, a, 0.0, b
        if out[j] > 0.0:
            return OK, x, out[j], b
        b = x
    return OK, a, 0.0, b


@value
class Bracket:
    """Fractions of a step, and a guard there."""

    a: float
    fa: float
    b: float
    fb: float


@kernel
def root_within(course, j, bracket, level, q, v, out):
    """Fraction of the last step at which guard j comes down to a level: Illinois, with bisection.

    fa > level >= fb at the ends. To the last digit: what a step of this length does is found by
    taking it. Returns a status and the fraction.
    """
    a, b = bracket.a, bracket.b
    fa, fb = bracket.fa - level, bracket.fb - level
    for k in range(ITERATIONS):
        if b - a <= 1e-16 + 2.3e-16 * abs(b):
            break
        x = 0.5 * (a + b)
        if k % 3 != 2:
            x = b - fb * (b - a) / (fb - fa)
        if not (a < x and x < b):
            x = 0.5 * (a + b)
            if not (a < x and x < b):
                break
        status = guards_within(course, x, q, v, out)
        if status != OK:
            return status, b
        fx = out[j] - level
        half = 0.5 if k % 3 == 1 else 1.0
        if fx > 0.0:
            a, fa, fb = x, fx, fb * half
        else:
            b, fb, fa = x, fx, fa * half
            if fx == 0.0:
                break
    return OK, b


@kernel
def locate(course, j, a, fa, b, fb, q, v, out):
    """Fraction of the last step at which guard j becomes zero, and its derivative by it there.

    Output is open. Returns status, fraction, derivative.
    """
    status, slope, s = OK, 0.0, b
    if not fa > 0.0:
        status, a, fa, s = positive_within(course, j, a, b, q, v, out)
        b, fb = s, min(fb, 0.0)
    if status == OK and fa > 0.0:
        status, s = root_within(course, j, Bracket(a, fa, b, fb), 0.0, q, v, out)
    if status == OK:
        d = 1e-4 * s
        status = guards_within(course, s, q, v, out)
        here = out[j]
        if status == OK:
            status = guards_within(course, s - d, q, v, out)
        slope = (here - out[j]) / d
    return status, s, slope


@kernel
def end_at(course, j, h, slope, level, force, out):
    """Take the last step anew so that it ends where guard j has a value; guards there into `out`.

    `slope` is its derivative by time, `force` what it was at the start of the step; 0: it is none.
    Where a force jumps, as at an edge, the step ends behind that. Returns a status, and 1 where it
    does end there: error control may want a shorter step, and the guard may still be far from its
    value.
    """
    clock, ahead = course.clock, 0.0
    for k in range(RETAKES + JUMPS):
        status, taken = step_of(course, h)
        if status != OK:
            return status, 0
        status = guards_now(course, max(clock.last_h, min(clock.step, 1e-2)), out)
        if status != OK:
            back(course)
            return status, 0
        if taken < h:
            return OK, 0
        change = (level - out[j]) / slope if slope < 0.0 else 0.0
        finest = 4e-16 * max(abs(clock.t), h)
        if abs(change) <= finest or k >= RETAKES - 1:
            if not (level == 0.0 and force > 0.0 and out[j] > FALLEN * force):
                break
            ahead = max(finest, 4.0 * ahead)
            h += ahead
            continue
        if level > 0.0 and abs(change) < 0.1 * h:
            break
        if change > LATER * h:
            return OK, 0  # output within the step foretold what is not there, or not yet
        if not h + change > 0.0:
            break
        h += change
    return OK, 1


@kernel
def guards_now(course, h, out):
    """Guards where the run is."""
    course.state.evaluated = 0
    return guards(course.state, course.clock.t, h, course.q, course.v, out)


@apart(bool)
def end_step(course, ahead, q, v, out):
    """Finish the last step with the forces of the last look; whether there is more to look at.

    ahead : time for which that look, at the end of the step, had shapes found
    q, v, out : room for a state within the step, and its guards
    """
    looks = look_needed(course)
    count = samples_needed(course, looks)
    if count > 0:
        sample_within(course, count, ahead, q, v, out)
    note_forces(course.state, course.v)
    if looks:
        return True
    finish_step(course.state, course.numbers, course.counts, course.q, course.v, course.samples)
    return False


@kernel
def keep_sample(course):
    """Record the state before an event, if it is not."""
    clock, samples = course.clock, course.samples
    if clock.samples == 0 or samples.t[clock.samples - 1] < clock.t:
        record(course.state, clock, clock.t, course.q, course.v, samples)


@kernel
def begin_again_here(course):
    """The first sample once more, with the forces of the phase that begins there."""
    clock = course.clock
    note_forces(course.state, course.v)
    if clock.times_count == 0 and clock.samples > 0:
        clock.samples -= 1
        record(course.state, clock, clock.t, course.q, course.v, course.samples)


@kernel
def end_at_event(course):
    """Finish a step that ends with an event: its state is a sample."""
    state, clock, samples = course.state, course.clock, course.samples
    note_forces(state, course.v)
    watch(state, course.numbers, course.counts, clock.t, course.q, course.v)
    wind(state, clock.t, clock.t - clock.last_t, course.q, course.v)
    if clock.times_count == 0:
        if clock.samples > 0 and samples.t[clock.samples - 1] == clock.t:
            clock.samples -= 1
        record(state, clock, clock.t, course.q, course.v, samples)


@kernel
def has_room_within(course):
    """Whether samples within a step find room, or the notes of them are as good as empty."""
    clock, run = course.clock, contact_of(course.state)
    if clock.times_count > 0 or clock.every > 1:
        return True
    if clock.samples + ROOM > len(course.samples.t):
        return False
    if run.logged_steps <= ROOM:
        return True
    notes = run.most_logged_contacts - run.logged_contacts
    return run.logged_steps + ROOM < run.most_logged_steps and notes >= ROOM * run.most_contacts


# -- many steps ------------------------------------------------------------------------------------

CROSSED, OPENED, FADED = 104, 105, 106
"""A guard is crossed within the last step; a contact that carries nothing has opened; sliding in
space is over at its end."""

PHASE_KINDS = f"{CHUNK_KINDS} double double[1] double[1] double[1] double[2] double[1]"
"""Kinds of the arguments of `run_phase`, which is compiled before there are any."""

FIRST = 0.125
"""Fraction of a step that is looked at first, where nothing tells of an earlier one."""

NEARLY = 0.98
"""Part of what is left of sliding in space that a step may take: past its end there is none."""

FAR = 1e-7
"""Gap, over the size of the smallest shape, from which on a contact is simply open."""


@apart(int)
def run_phase(course, steps, early, fractions, q, v, table, values):
    """At most `steps` steps. Returns OK at the end of the run, MORE, LOOK, CROSSED, ...

    `early`: time after which the first step is looked at first; `values`: guards where it begins;
    `table`: those within the last step, one a row, and room for another.
    """
    state, clock = course.state, course.clock
    last = len(fractions)
    for k in range(steps):
        if not (has_room(course) and has_room_within(course)):
            return MORE
        if clock.ending == 0 and feels_the_end(clock):
            clock.ending = 1  # as `run_chunk` does
            return MORE
        aim(state)
        status = one_step(course, NEARLY * until_rest(state))
        if status != OK:
            return status
        share = early / clock.last_h if k == 0 else 0.0
        fractions[0] = share if share > 0.0 and share < fractions[1] else FIRST
        status = look_at(course, fractions, q, v, table, values)
        if status != OK:
            back(course)
            return status
        if is_crossed(table, last + 1):
            return CROSSED
        copy(table[last], values)
        if end_step(course, clock.last_h, q, v, table[0]):
            if state.events > 0 or state.rates_general == 0:
                return LOOK
            contacts = Phase(state, state.method_scratch).contacts
            status = sample_asked(course, contacts, clock.last_h, q, v, table[0])
            if status != OK:
                back(course)
                return status
        keep_forces(state)  # behind all looks: a sample would else have others than none
        if clock.t >= clock.until:
            return OK
        if fades(state) >= 0:
            return FADED
        if has_opened(state, FAR):
            return OPENED
    return MORE
