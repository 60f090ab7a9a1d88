"""Blocks of worlds driven through their steps.

A world whose guards fail leaves: it is noted with the step and its state there, and its lane is no
longer looked at. A world for which a stop becomes negative ends there: its state stays what it is.
"""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert.batch.kernels.impulses import step_lanes
from dalembert.batch.kernels.layout import BATCH, world_of
from dalembert.batch.kernels.recording import record, stopped_lanes
from dalembert.numerics.vector import copy

_call = BATCH.call


@kernel
def fill_block(batch, room, block):
    """Initial states and data of the worlds of a block."""
    plan, lanes = batch.plan, batch.plan.lanes
    for lane in range(lanes):
        world = world_of(plan, block, lane)
        for i in range(plan.nq):
            room.q[lanes * i + lane] = batch.q0[world, i]
        for k in range(plan.nv):
            room.v[lanes * k + lane] = batch.v0[world, k]
        for k in range(plan.given - plan.controls):
            room.p[lanes * k + lane] = batch.given[world, k]


@kernel
def put_controls(batch, room, block, step):
    """Controls of a step; the last ones given are held."""
    plan, lanes = batch.plan, batch.plan.lanes
    first = plan.given - plan.controls
    row = min(step, plan.control_rows - 1) * plan.controls
    for lane in range(lanes):
        world = world_of(plan, block, lane)
        for k in range(plan.controls):
            room.p[lanes * (first + k) + lane] = batch.controls[world, row + k]


@kernel
def call_part(batch, room, code, t):
    """Lanes whose guards fail, as bits."""
    lanes, h = batch.plan.lanes, batch.plan.step
    return _call(
        code.address,
        room.s,
        room.dummy,
        t + code.offset * h,
        h,
        room.q,
        room.v,
        room.p,
        room.s,
        room.s[lanes * code.x :],
        room.s[lanes * code.y :],
    )


@kernel
def take_step(batch, room, first, count, t, gone):
    """One step of a block by so many parts; lanes that leave, besides those gone, as bits."""
    away, asked = gone, 0
    for i in range(first, first + count):
        code = batch.code(i)
        if code.rest != 0 and asked == 0:
            continue
        for_whom = away ^ -1
        if code.rest == 1:
            for_whom = for_whom & asked
        failed = call_part(batch, room, code, t) & for_whom
        for _ in range(1, code.most):
            if failed == 0:
                break
            failed = call_part(batch, room, code, t) & for_whom
        if code.asks == 1:
            asked = failed
        else:
            away = away | failed
    return away & (gone ^ -1)


@kernel
def note_leaving(batch, room, block, step, leaving):
    """Note the worlds that leave, with the state at which the step began."""
    plan, lanes = batch.plan, batch.plan.lanes
    for lane in range(lanes):
        world = lanes * block + lane
        if (leaving >> lane) & 1 == 1 and world < plan.worlds:
            batch.left[world] = step
            for i in range(plan.nq):
                batch.q_left[world, i] = room.q_old[lanes * i + lane]
            for k in range(plan.nv):
                batch.v_left[world, k] = room.v_old[lanes * k + lane]


@kernel
def note_ending(batch, block, step, ending):
    """Note the worlds that end after so many steps."""
    plan, lanes = batch.plan, batch.plan.lanes
    for lane in range(lanes):
        world = lanes * block + lane
        if (ending >> lane) & 1 == 1 and world < plan.worlds:
            batch.ended[world] = step


@kernel
def hold_still(batch, room, ended):
    """Put worlds that have ended back to where they were."""
    plan, lanes = batch.plan, batch.plan.lanes
    for lane in range(lanes):
        if (ended >> lane) & 1 == 1:
            for i in range(plan.nq):
                room.q[lanes * i + lane] = room.q_old[lanes * i + lane]
            for k in range(plan.nv):
                room.v[lanes * k + lane] = room.v_old[lanes * k + lane]


@kernel
def keep_states(batch, room, block, gone):
    """Let the states at the end be the initial ones of what comes next."""
    plan, lanes = batch.plan, batch.plan.lanes
    for lane in range(min(lanes, plan.worlds - lanes * block)):
        if (gone >> lane) & 1 == 0:
            world = lanes * block + lane
            for i in range(plan.nq):
                batch.q0[world, i] = room.q[lanes * i + lane]
            for k in range(plan.nv):
                batch.v0[world, k] = room.v[lanes * k + lane]


@kernel
def frozen_lanes(batch, block):
    """Lanes of worlds that have ended before, as bits."""
    plan, found = batch.plan, 0
    for lane in range(plan.lanes):
        if batch.ended[world_of(plan, block, lane)] >= 0:
            found = found | (1 << lane)
    return found


@kernel
def drive_block(batch, room, block):
    """All steps of a block."""
    plan = batch.plan
    fill_block(batch, room, block)
    for lane in range(len(room.owners)):
        room.owners[lane] = -1
    gone, ended, apart, sample = 0, frozen_lanes(batch, block), 0, 1
    every_lane = (1 << plan.lanes) - 1
    if plan.controls > 0:
        put_controls(batch, room, block, 0)
    if plan.begins == 1:
        record(batch, room, block, 0, plan.start)
    for step in range(plan.steps):
        t = plan.start + step * plan.step
        if plan.controls > 0:
            put_controls(batch, room, block, step)
        if plan.hybrid == 1:
            copy(room.q_old, room.q_before)
            copy(room.v_old, room.v_before)
        copy(room.q, room.q_old)
        copy(room.v, room.v_old)
        leaving = take_step(batch, room, 0, plan.parts, t, gone | ended | apart)
        if plan.hybrid == 1 and leaving | apart != 0:
            leaving, apart = step_lanes(batch, room, block, step, leaving, apart & (ended ^ -1))
        if leaving != 0:
            note_leaving(batch, room, block, step, leaving)
            gone = gone | leaving
            if gone == every_lane:
                return
        if ended != 0:
            hold_still(batch, room, ended)
        if plan.stops > 0:
            ending = stopped_lanes(batch, room, t + plan.step) & ((ended | gone) ^ -1)
            if ending != 0:
                note_ending(batch, block, step + 1, ending)
                ended = ended | ending
        if (step + 1) % plan.every == 0:
            record(batch, room, block, sample, plan.start + (step + 1) * plan.step)
            sample += 1
    if plan.keeps == 1:
        keep_states(batch, room, block, gone)


@kernel
def drive(batch, room, first, last):
    """Blocks from `first` up to `last`."""
    for block in range(first, last):
        drive_block(batch, room, block)
