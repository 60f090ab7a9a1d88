"""Worlds one after the other, by the kernels of a run."""

from __future__ import annotations

import math

from dalembert._jit import kernel
from dalembert._records import Integers, Numbers, value
from dalembert.batch.kernels.drive import put_controls
from dalembert.batch.kernels.impulses import begin_run, put_angles
from dalembert.batch.kernels.layout import ALL
from dalembert.batch.kernels.recording import record, stopped_lanes
from dalembert.integration.loop.attempts import take_step
from dalembert.integration.loop.clock import Clock, go_on, next_step
from dalembert.mechanics.winding import begin_winding, wind
from dalembert.numerics.vector import copy
from dalembert.system.borders import NEEDS_GENERAL, NEEDS_ROOM, OK, guard
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
    first_numbers: Numbers  # the clock before the first step
    first_counts: Integers
    work_parts: Integers  # (first, end) of what a run leaves behind in its arrays
    sizes_parts: Integers

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
def take_controls(batch, room, world, row, step):
    """Put the controls of a step into the first lane and into the run."""
    plan, lanes = batch.plan, batch.plan.lanes
    if plan.controls > 0:
        put_controls(batch, room, row, step)
        first = plan.given - plan.controls
        for i in range(len(world.places) // 2):
            k = world.places[2 * i + 1]
            world.state.work[world.places[2 * i]] = room.p[lanes * (first + k)]
        world.state.evaluated = 0


@kernel
def go_through(batch, room, world, row):
    """Steps of a world, a row of the tables, from where its clock is. Returns a status.

    Where there is more than one lane the tables have but this row.
    """
    state, clock, plan = world.state, world.clock, batch.plan
    if clock.done == 0:
        take_controls(batch, room, world, row, 0)
        show_state(batch, room, world)
        if plan.begins == 1:
            record(batch, room, row, 0, clock.t)
    for step in range(clock.done, plan.steps):
        if batch.ended[row] < 0:
            take_controls(batch, room, world, row, step)
            h = next_step(world.numbers, world.counts)
            status, h = take_step(state, clock, h, world.q, world.v)
            if status != OK:
                return status
            go_on(clock, h)
            wind(state, clock.t, clock.t - clock.last_t, world.q, world.v)
            show_state(batch, room, world)
            if plan.stops > 0 and stopped_lanes(batch, room, clock.t) & 1 == 1:
                batch.ended[row] = step + 1
        if (step + 1) % plan.every == 0:
            record(batch, room, row, (step + 1) // plan.every, clock.t)
    return OK


# -- world after world -----------------------------------------------------------------------------


@kernel
def copy_parts(source, target, parts):
    """Copy the parts of an array, each from its first entry to its end."""
    for k in range(0, len(parts), 2):
        copy(source[parts[k] : parts[k + 1]], target[parts[k] : parts[k + 1]])


@kernel
def begin_again(world, batch, row):
    """A run of a world that has not begun, in the arrays of another."""
    state = world.state
    if len(state.work) != len(batch.work) or len(state.sizes) != len(batch.sizes):
        # with more room, everything stands elsewhere
        begin_run(state, batch, row)
        return
    copy_parts(batch.work, state.work, world.work_parts)
    copy_parts(batch.sizes, state.sizes, world.sizes_parts)
    for k in range(len(batch.given_places)):
        state.work[batch.given_places[k]] = batch.given[row, k]


@kernel
def begin_world(batch, room, world, row):
    """Put a world where it begins, in a run that has not begun."""
    state, clock, plan = world.state, world.clock, batch.plan
    begin_again(world, batch, row)
    copy(world.first_numbers, world.numbers)
    for k in range(len(world.counts)):
        world.counts[k] = world.first_counts[k]
    for i in range(plan.nq):
        world.q[i] = batch.q0[row, i]
    for k in range(plan.nv):
        world.v[k] = batch.v0[row, k]
    for k in range(plan.given - plan.controls):
        room.p[k] = batch.given[row, k]
    put_angles(state, batch, world.q)
    begin_winding(state, clock.t, world.q, world.v)


@kernel
def end_world(batch, world, row, status):
    """Keep the state of a world, or forget what it has not come to."""
    plan, clock = batch.plan, world.clock
    if plan.keeps == 1:
        for i in range(plan.nq):
            batch.q0[row, i] = world.q[i]
        for k in range(plan.nv):
            batch.v0[row, k] = world.v[k]
    if status != OK:
        width = plan.signals if plan.signals > 0 else plan.nq + plan.nv
        out, first = batch.out[row], 0
        if plan.reduction == ALL:
            first = width * (clock.done // plan.every + 1)
        for i in range(first, len(out)):
            out[i] = math.nan


@kernel
def go_worlds(batch, room, world, statuses, row, last, begun):
    """Worlds from `row` up to `last`, one lane each. Returns (status, row), where one waits.

    `begun`: the first of them has begun, and goes on from where it is.
    """
    while row < last:
        if not begun:
            begin_world(batch, room, world, row)
        begun = False
        status = go_through(batch, room, world, row)
        if status == NEEDS_GENERAL or status == NEEDS_ROOM:
            return status, row
        statuses[row] = status
        end_world(batch, world, row, status)
        row += 1
    return OK, row
