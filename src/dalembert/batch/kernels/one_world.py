"""One world at a time, by the kernels of a run."""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert._records import Integers, Numbers, value
from dalembert.batch.kernels.drive import put_controls
from dalembert.batch.kernels.recording import record, stopped_lanes
from dalembert.integration.loop.attempts import take_step
from dalembert.integration.loop.clock import Clock, go_on, next_step
from dalembert.mechanics.winding import wind
from dalembert.system.borders import OK, guard
from dalembert.system.state_layout import State


@value
class World:
    """One world: its run, its clock, its state, and (place, which control) in the run."""

    state: State
    numbers: Numbers  # of the clock
    counts: Integers
    q: Numbers
    v: Numbers
    places: Integers

    @property
    def clock(self):
        """Times and counts."""
        return Clock(self.numbers, 0, self.counts, 0)


@kernel
def show_state(batch, room, world):
    """Put the state of a world, and signals that have no code in lanes, into the first lane."""
    plan, lanes, state = batch.plan, batch.plan.lanes, world.state
    for i in range(plan.nq):
        room.q[lanes * i] = world.q[i]
    for k in range(plan.nv):
        room.v[lanes * k] = world.v[k]
    if plan.signal_code == 0 and plan.signals + plan.stops > 0:
        guard(state, state.guard, world.clock.t, world.q, world.v)
        for k in range(plan.signals + plan.stops):
            room.y[lanes * k] = state.event_values[k]


@kernel
def take_controls(batch, room, world, step):
    """Put the controls of a step into the first lane and into the run."""
    plan, lanes = batch.plan, batch.plan.lanes
    if plan.controls > 0:
        put_controls(batch, room, 0, step)
        first = plan.given - plan.controls
        for i in range(len(world.places) // 2):
            k = world.places[2 * i + 1]
            world.state.work[world.places[2 * i]] = room.p[lanes * (first + k)]
        world.state.evaluated = 0


@kernel
def go_through(batch, room, world):
    """Steps of a world from where its clock is. Returns a status at the step that failed."""
    state, clock, plan = world.state, world.clock, batch.plan
    if clock.done == 0:
        take_controls(batch, room, world, 0)
        show_state(batch, room, world)
        if plan.begins == 1:
            record(batch, room, 0, 0, clock.t)
    for step in range(clock.done, plan.steps):
        if batch.ended[0] < 0:
            take_controls(batch, room, world, step)
            h = next_step(world.numbers, world.counts)
            status, h = take_step(state, clock, h, world.q, world.v)
            if status != OK:
                return status
            go_on(clock, h)
            wind(state, clock.t, clock.t - clock.last_t, world.q, world.v)
            show_state(batch, room, world)
            if plan.stops > 0 and stopped_lanes(batch, room, clock.t) & 1 == 1:
                batch.ended[0] = step + 1
        if (step + 1) % plan.every == 0:
            record(batch, room, 0, (step + 1) // plan.every, clock.t)
    return OK
