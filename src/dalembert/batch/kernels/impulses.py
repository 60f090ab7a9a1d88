"""Steps with impulses, lane by lane: models with stops and limits.

A lane in which a stop is about to close goes on by the kernels of a run, in arrays of its own,
until one of its steps is smooth again (`contact.step.smooth`). As in a run the step before was a
smooth one: it is made once more, for what it leaves to the next.
"""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert.batch.kernels.layout import put_lane, take_lane, world_of
from dalembert.integration.loop.attempts import check_finite, try_step
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK, end_step, was_smooth
from dalembert.system.state_layout import State


@kernel
def plain_step(state: State, t, h, q, v):
    """One step of a run; a status."""
    status = try_step(state, t, h, q, v)
    if status == OK:
        status = end_step(state, t, h, q, v)
    return check_finite(state, q, v) if status == OK else status


@kernel
def put_controls_of(state: State, batch, world, step):
    """Write the controls of a step into a run."""
    plan, places = batch.plan, batch.control_places
    row = min(step, plan.control_rows - 1) * plan.controls
    for i in range(len(places) // 2):
        state.work[places[2 * i]] = batch.controls[world, row + places[2 * i + 1]]
    state.evaluated = 0


@kernel
def begin_run(state: State, batch, world):
    """A run of a world that has not begun, with its data."""
    copy(batch.work, state.work)
    copy(batch.sizes, state.sizes)
    for k in range(len(batch.given_places)):
        state.work[batch.given_places[k]] = batch.given[world, k]


@kernel
def put_angles(state: State, batch, q):
    """Turns of angles are those of the coordinates they follow."""
    for k in range(len(batch.angles)):
        follows = batch.angles[k]
        state.last_angles[k] = follows[1] * q[int(follows[0])] + follows[2]


@kernel
def step_lane(batch, room, block, lane, step, entering):
    """One step of one world by the kernels of a run, from where the step of its block began."""
    plan, lanes, q, v = batch.plan, batch.plan.lanes, room.lane_q, room.lane_v
    work, sizes, h = room.works[lane], room.sizes[lane], batch.plan.step
    world, t = world_of(plan, block, lane), plan.start + step * h
    if entering:
        first = room.q_before if step > 0 else room.q_old
        take_lane(first, lanes, lane, q)
        if room.owners[lane] != world:
            begin_run(work, sizes, batch, world)
            room.owners[lane] = world
        put_angles(work, sizes, batch, q)
        if step > 0:
            take_lane(room.v_before, lanes, lane, v)
            put_controls_of(work, sizes, batch, world, step - 1)
            status = plain_step(work, sizes, t - h, h, q, v)
            if status != OK:
                return status
    take_lane(room.q_old, lanes, lane, q)
    take_lane(room.v_old, lanes, lane, v)
    put_controls_of(work, sizes, batch, world, step)
    status = plain_step(work, sizes, t, h, q, v)
    if status == OK:
        put_lane(q, lanes, lane, room.q)
        put_lane(v, lanes, lane, room.v)
    return status


@kernel
def step_lanes(batch, room, block, step, entering, apart):
    """Steps of lanes that stops keep apart. Returns those that fail, and those still apart."""
    failing, still = 0, 0
    for lane in range(batch.plan.lanes):
        bit = 1 << lane
        if (entering | apart) & bit == 0:
            continue
        status = step_lane(batch, room, block, lane, step, entering & bit != 0)
        if status != OK:
            failing = failing | bit
        elif not was_smooth(room.works[lane], room.sizes[lane]):
            still = still | bit
    return failing, still
