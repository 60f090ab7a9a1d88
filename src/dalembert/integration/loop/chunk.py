"""Many steps in one call."""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert._records import IntegerMatrix, Integers, Matrix, Numbers, value
from dalembert.integration.loop.attempts import take_step
from dalembert.integration.loop.clock import Clock, feels_the_end, go_on
from dalembert.integration.loop.controllers import Controls, call_controllers
from dalembert.integration.loop.marks import next_length
from dalembert.integration.loop.output import has_crossed, sample_step
from dalembert.integration.loop.recording import Samples, Trace, finish_step, trace_state
from dalembert.integration.loop.twice import come_near
from dalembert.system.borders import OK, guard, log_is_full
from dalembert.system.state_layout import State

MORE, LOOK = 100, 101
"""The chunk is over, the run is not; or: look within the last step."""


@value
class Course:
    """A run: its state, its clock, what is looked for, and where results go."""

    state: State
    numbers: Numbers  # of the clock
    counts: Integers
    q: Numbers
    v: Numbers
    times: Numbers  # asked moments
    kinds: IntegerMatrix  # of events: direction, whether one is terminal
    before: Numbers  # event functions at the start of the step
    controls: Controls
    samples: Samples
    room: Numbers  # what a look puts back (`unnoticed.Before`)
    places: Numbers  # looks at events within a step, their values, and room for a state there
    looks: Matrix
    halfway: Numbers
    marks: Numbers  # where what time prescribes turns about, and how wide that is
    trace: Trace  # states behind one another

    @property
    def clock(self):
        """Times and counts."""
        return Clock(self.numbers, 0, self.counts, 0)


CHUNK_KINDS = "dalembert.integration.loop.chunk:Course i64"
"""Kinds of the arguments of `run_chunk`, which is compiled before there are any."""


@kernel
def look_needed(course):
    """True when an event or a moment to record lies within the last step."""
    state, clock, before = course.state, course.clock, course.before
    if clock.next_time < clock.times_count and course.times[clock.next_time] <= clock.t:
        return True
    if state.events > 0:
        values = state.event_values
        guard(state, state.guard, clock.t, course.q, course.v)
        for e in range(state.events):
            if has_crossed(before[e], values[e], course.kinds[e, 0]):
                return True
        if come_near(course):
            return True
        for e in range(state.events):
            before[e] = values[e]
    return False


@kernel
def has_room(course):
    """Whether another step finds room for what it notes."""
    clock, controls = course.clock, course.controls
    if clock.samples >= len(course.samples.t) or log_is_full(course.state):
        return False
    return len(controls) == 0 or clock.logged < len(controls.log_t)


@kernel
def run_chunk(course, steps):
    """At most `steps` steps. Returns OK at the end of the run, MORE, LOOK or a failure."""
    state, clock, q, v = course.state, course.clock, course.q, course.v
    # Anything may have been changed between two calls.
    state.evaluated = 0
    for _ in range(steps):
        if not has_room(course):
            return MORE
        if clock.ending == 0 and feels_the_end(clock):
            # From here on a run to another end would be another run: time to remember the state.
            clock.ending = 1
            return MORE
        if len(course.controls) > 0:
            status = call_controllers(state, clock, q, v, course.controls)
            if status != OK:
                return status
        trace_state(state, clock, q, v, course.trace)
        status, h = take_step(state, clock, next_length(course), q, v)
        if status != OK:
            return status
        go_on(clock, h)
        if look_needed(course):
            return LOOK
        finish_step(state, course.numbers, course.counts, q, v, course.samples)
        if clock.t >= clock.until:
            return OK
    return MORE


@kernel
def run_sampling(course, steps):
    """`run_chunk` of a run that records asked moments and watches no events."""
    clock = course.clock
    done = clock.done
    while True:
        status = run_chunk(course, steps - (clock.done - done))
        if status != LOOK:
            return status
        status = sample_step(course)
        if status != OK:
            return status
        if clock.t >= clock.until:
            return OK
        if clock.done - done >= steps:
            return MORE
