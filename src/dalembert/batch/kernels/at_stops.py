"""Worlds with stops driven through their steps: those that do the same are put into lanes together.

A world is smooth while nothing is near, and then takes steps at its stops, of second order and of
first (`contact.step.smooth`): three programs. In every step the worlds of a group are sorted by
what they do; each program has its lanes filled with worlds from anywhere in the group. A world
that none of them can do, as its guards fail, takes that step by the kernels of a run. What it did
before is done there once more, from what it remembered, so that the run knows what a run would.

A world of a group is a row: coordinates, velocities, and what it remembers (`batch.memory`). There
are three tables of rows, taken in turn: where a step ends, where it began, and one step earlier.
"""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert.batch.kernels.drive import note_ending, take_step
from dalembert.batch.kernels.impulses import begin_run, plain_step, put_angles, put_controls_of
from dalembert.batch.kernels.layout import FINAL, world_of
from dalembert.batch.kernels.recording import record, stopped_lanes
from dalembert.contact.run.record_layout import AWAY, PRESSED
from dalembert.contact.run.run_layout import contact_of
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK
from dalembert.system.state_layout import State

SMOOTH, FIRST, SECOND, ALONE, STILL = range(5)
"""Kinds of steps of a world: by one of the programs, by the kernels of a run, or nothing."""

NOTHING = -1.0
"""`near` of a world that has nothing to remember, as after a smooth step."""


@kernel
def kind_of(plan, near):
    """Kind of step of a world, by what it remembers."""
    if plan.smooth == 1 and near <= 1.0 * AWAY:
        return SMOOTH
    if plan.by_step == 1:
        return FIRST if near == 1.0 * PRESSED else SECOND
    return SECOND if plan.smooth == 1 else FIRST


# -- rows and lanes --------------------------------------------------------------------------------


@kernel
def row_at(room, step, w):
    """The row of a world after so many steps; the last three are there."""
    return room.rows[(step % 3) * len(room.kinds) + w]


@kernel
def begin_rows(batch, room, first, count):
    """Initial states of the worlds of a group; they remember nothing."""
    plan = batch.plan
    for w in range(count):
        row, world = row_at(room, 0, w), first + w
        for i in range(plan.nq):
            row[i] = batch.q0[world, i]
        for k in range(plan.nv):
            row[plan.nq + k] = batch.v0[world, k]
        row[plan.nq + plan.nv] = NOTHING


@kernel
def put_data(batch, room, lane, world, step):
    """Data and controls of a world, in a lane."""
    plan, lanes = batch.plan, batch.plan.lanes
    fixed = plan.given - plan.controls
    row = min(step, plan.control_rows - 1) * plan.controls
    for k in range(fixed):
        room.p[lanes * k + lane] = batch.given[world, k]
    for k in range(plan.controls):
        room.p[lanes * (fixed + k) + lane] = batch.controls[world, row + k]


@kernel
def put_row(batch, room, lane, row):
    """Coordinates and velocities, in a lane."""
    plan, lanes = batch.plan, batch.plan.lanes
    for i in range(plan.nq):
        room.q[lanes * i + lane] = row[i]
    for k in range(plan.nv):
        room.v[lanes * k + lane] = row[plan.nq + k]


@kernel
def put_memory(batch, room, lane, row):
    """Put the memory of a world into a lane."""
    plan, lanes, first = batch.plan, batch.plan.lanes, batch.plan.nq + batch.plan.nv
    known = row[first] != NOTHING
    for k in range(plan.memory):
        room.s[lanes * k + lane] = row[first + k] if known else 0.0


@kernel
def take_row(batch, room, lane, kind, row):
    """A row as a program has left it; after a smooth step there is nothing to remember."""
    plan, lanes = batch.plan, batch.plan.lanes
    for i in range(plan.nq):
        row[i] = room.q[lanes * i + lane]
    for k in range(plan.nv):
        row[plan.nq + k] = room.v[lanes * k + lane]
    first = plan.nq + plan.nv
    if kind == SMOOTH:
        row[first] = NOTHING
        return
    for k in range(plan.memory):
        row[first + k] = room.s[lanes * k + lane]


# -- steps -----------------------------------------------------------------------------------------


@kernel
def step_packet(batch, room, first, filled, kind, step):
    """One step of the worlds that are in the lanes, by one program."""
    plan = batch.plan
    begin, count = 0, plan.parts
    if kind == FIRST:
        begin, count = plan.first_start, plan.first_parts
    elif kind == SECOND:
        begin, count = plan.second_start, plan.second_parts
    for lane in range(plan.lanes):
        w = room.packet[min(lane, filled - 1)]
        row = row_at(room, step, w)
        put_row(batch, room, lane, row)
        put_data(batch, room, lane, first + w, step)
        if kind != SMOOTH:
            put_memory(batch, room, lane, row)
    t = plan.start + step * plan.step
    leaving = take_step(batch, room, begin, count, t, 0)
    for lane in range(filled):
        w = room.packet[lane]
        if (leaving >> lane) & 1 == 0:
            take_row(batch, room, lane, kind, row_at(room, step + 1, w))
        else:
            room.kinds[w] = SECOND if kind == SMOOTH else ALONE


@kernel
def step_kind(batch, room, first, count, kind, step):
    """One step of all worlds of a group that do the same."""
    filled, lanes = 0, batch.plan.lanes
    for w in range(count):
        if room.kinds[w] == kind:
            room.packet[filled] = w
            filled += 1
            if filled == lanes:
                step_packet(batch, room, first, filled, kind, step)
                filled = 0
    if filled > 0:
        step_packet(batch, room, first, filled, kind, step)


@kernel
def recall(state: State, plan, row):
    """Let a run remember what a row does."""
    run, first = contact_of(state), plan.nq + plan.nv
    known = row[first] != NOTHING
    run.near, run.last_step = int(row[first]) if known else AWAY, plan.step
    for k in range(plan.nv):
        run.last_push[k] = row[first + 1 + k] if known else 0.0
    for i in range(state.sides):
        impulse = row[first + 1 + plan.nv + i] if known else 0.0
        run.fixed_impulses[state.rows + i] = impulse


@kernel
def remember(state: State, plan, row):
    """Let a row remember what a run does after a step."""
    run, first = contact_of(state), plan.nq + plan.nv
    row[first] = 1.0 * run.near
    for k in range(plan.nv):
        row[first + 1 + k] = run.last_push[k]
    for i in range(state.sides):
        row[first + 1 + plan.nv + i] = run.fixed_impulses[state.rows + i]


@kernel
def put_state(plan, row, q, v):
    """Coordinates and velocities of a row."""
    for i in range(plan.nq):
        q[i] = row[i]
    for k in range(plan.nv):
        v[k] = row[plan.nq + k]


@kernel
def step_alone(batch, room, w, world, step):
    """One step of one world by the kernels of a run; a status."""
    plan, q, v = batch.plan, room.lane_q, room.lane_v
    work, sizes, h = room.works[0], room.sizes[0], batch.plan.step
    t, old, new = plan.start + step * h, row_at(room, step, w), row_at(room, step + 1, w)
    begin_run(work, sizes, batch, world)
    if step > 0:
        before = row_at(room, step - 1, w)
        put_state(plan, before, q, v)
        put_angles(work, sizes, batch, q)
        recall(work, sizes, plan, before)
        put_controls_of(work, sizes, batch, world, step - 1)
        status = plain_step(work, sizes, t - h, h, q, v)
        if status != OK:
            return status
        recall(work, sizes, plan, old)
        put_state(plan, old, q, v)
    else:
        put_state(plan, old, q, v)
        put_angles(work, sizes, batch, q)
    put_controls_of(work, sizes, batch, world, step)
    status = plain_step(work, sizes, t, h, q, v)
    if status == OK:
        for i in range(plan.nq):
            new[i] = q[i]
        for k in range(plan.nv):
            new[plan.nq + k] = v[k]
        remember(work, sizes, plan, new)
    return status


@kernel
def step_those_alone(batch, room, first, count, step):
    """One step of the worlds that no program could do; those that fail leave."""
    plan = batch.plan
    for w in range(count):
        if room.kinds[w] != ALONE:
            continue
        world, old = first + w, row_at(room, step, w)
        if step_alone(batch, room, w, world, step) != OK:
            batch.left[world] = step
            for i in range(plan.nq):
                batch.q_left[world, i] = old[i]
            for k in range(plan.nv):
                batch.v_left[world, k] = old[plan.nq + k]
            copy(old, row_at(room, step + 1, w))


@kernel
def step_group(batch, room, first, count, step):
    """One step of the worlds of a group."""
    plan = batch.plan
    for w in range(count):
        row = row_at(room, step, w)
        if batch.left[first + w] < 0 and batch.ended[first + w] < 0:
            room.kinds[w] = kind_of(plan, row[plan.nq + plan.nv])
        else:
            room.kinds[w] = STILL
            copy(row, row_at(room, step + 1, w))
    for kind in range(3):
        # what is not smooth after all is of second order
        step_kind(batch, room, first, count, (2 * kind) % 3, step)
    step_those_alone(batch, room, first, count, step)


# -- samples ---------------------------------------------------------------------------------------


@kernel
def see_block(batch, room, first, block, step):
    """States of the worlds of a block after so many steps, in the lanes."""
    plan = batch.plan
    for lane in range(plan.lanes):
        world = world_of(plan, block, lane)
        put_row(batch, room, lane, row_at(room, step, world - first))
        put_data(batch, room, lane, world, max(0, step - 1))


@kernel
def end_worlds(batch, room, block, step, t):
    """Note the worlds of a block for which a stop has become negative."""
    plan, ended = batch.plan, 0
    for lane in range(plan.lanes):
        world = world_of(plan, block, lane)
        if batch.ended[world] >= 0 or batch.left[world] >= 0:
            ended = ended | (1 << lane)
    ending = stopped_lanes(batch, room, t) & (ended ^ -1)
    if ending != 0:
        note_ending(batch, block, step, ending)


@kernel
def write_states(batch, room, first, count, step, sample):
    """A sample of the states of a group."""
    plan = batch.plan
    width = plan.nq + plan.nv
    begin = 0 if plan.reduction == FINAL else width * sample
    for w in range(count):
        row, out = row_at(room, step, w), batch.out[first + w]
        for i in range(width):
            out[begin + i] = row[i]


@kernel
def note_group(batch, room, first, count, step, sample):
    """Samples and stops of a group after so many steps; `sample` below 0: none is due."""
    plan, lanes = batch.plan, batch.plan.lanes
    t = plan.start + step * plan.step
    if plan.signals == 0 and sample >= 0:
        write_states(batch, room, first, count, step, sample)
    if plan.signals == 0 and plan.stops == 0:
        return
    for block in range(first // lanes, (first + count + lanes - 1) // lanes):
        see_block(batch, room, first, block, step)
        if plan.stops > 0 and step > 0:
            end_worlds(batch, room, block, step, t)
        if plan.signals > 0 and sample >= 0:
            record(batch, room, block, sample, t)


@kernel
def drive_group(batch, room, first, count):
    """All steps of a group of worlds; `first` begins a block."""
    plan, sample = batch.plan, 1
    begin_rows(batch, room, first, count)
    if plan.begins == 1:
        note_group(batch, room, first, count, 0, 0)
    for step in range(plan.steps):
        step_group(batch, room, first, count, step)
        due = (step + 1) % plan.every == 0
        if due or plan.stops > 0:
            note_group(batch, room, first, count, step + 1, sample if due else -1)
        if due:
            sample += 1
    if plan.keeps == 1:
        for w in range(count):
            if batch.left[first + w] < 0:
                row, world = row_at(room, plan.steps, w), first + w
                put_state(plan, row, batch.q0[world], batch.v0[world])


@kernel
def drive_groups(batch, room, first, last):
    """Blocks from `first` up to `last`, as many at a time as there are rows."""
    plan = batch.plan
    world, end = plan.lanes * first, min(plan.lanes * last, plan.worlds)
    while world < end:
        count = min(len(room.kinds), end - world)
        drive_group(batch, room, world, count)
        world += count
