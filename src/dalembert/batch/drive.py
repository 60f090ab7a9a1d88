"""Blocks of worlds driven through their steps, in compiled code.

A block is as many worlds as there are lanes: entry i of lane l stands at `lanes * i + l`. Worlds
come from and go to tables with a row each. A world whose guards fail leaves: it is noted with the
step and its state there, and its lane is no longer looked at. A world for which a stop becomes
negative ends there: its state stays what it is.

Models with stops and limits (`hybrid`): a lane in which one is about to close goes on by steps with
impulses, by the kernels of a run in arrays of its own, until one of these is smooth again. As in a
run, the step before was a smooth one: it is made once more, for what it leaves to the next.
"""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert._records import IntegerMatrix, Integers, Matrix, Numbers, Place, value
from dalembert.batch.step import BATCH
from dalembert.integration.loop.attempts import check_finite, try_step
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK, end_step, was_smooth
from dalembert.system.state_layout import State

_call = BATCH.call

ALL, FINAL, LEAST, LARGEST, MEAN = range(5)
"""What is kept of a signal: every sample, or one number."""


class Code(Place):
    """A part of a step, as the loop calls it."""

    class integers:
        address: int
        x: int  # entries of the scratch: where it reads,
        y: int  # and where it writes
        most: int  # calls until no lane is left; 0: one, and no lane comes back
        rest: int  # 1: for lanes that the part before has left over

    class numbers:
        offset: float  # its moment, in steps


class Plan(Place):
    """Counts and times of a batch."""

    class integers:
        lanes: int
        parts: int
        worlds: int
        steps: int
        every: int  # steps from sample to sample
        nq: int
        nv: int
        given: int  # entries of p
        controls: int  # of these, the last ones change with every step
        control_rows: int  # steps that have controls of their own
        signals: int  # 0: states are recorded
        stops: int  # formulas behind the signals that end a world when they are negative
        signal_code: int
        reduction: int
        keeps: int  # 1: states at the end become the initial ones
        hybrid: int  # 1: steps with impulses are made lane by lane

    class numbers:
        start: float
        step: float


CODE, CODE_NUMBERS = Code.entries("integers"), Code.entries("numbers")
PLAN, PLAN_NUMBERS = Plan.entries("integers"), Plan.entries("numbers")


@value
class Batch:
    """A batch: its plan, its parts, its worlds, and room for one block."""

    integers: Integers  # the plan, then the parts
    numbers: Numbers
    q0: Matrix  # a row for each world
    v0: Matrix
    given: Matrix
    controls: Matrix
    ended: Integers  # steps until a world ended, or -1
    left: Integers  # step at which a world left, or -1
    q_left: Matrix  # and its state there
    v_left: Matrix
    out: Matrix
    work: Numbers  # of a run that has not begun, for steps with impulses
    sizes: Integers
    given_places: Integers  # places of `work` of what is given,
    control_places: Integers  # (place, which control),
    angles: Matrix  # coordinate, sign and offset of angles whose turns are counted

    @property
    def plan(self):
        """Counts and times."""
        return Plan(self.integers, 0, self.numbers, 0)

    def code(self, i):
        """The i-th part of a step."""
        return Code(self.integers, PLAN + CODE * i, self.numbers, PLAN_NUMBERS + CODE_NUMBERS * i)


@value
class Block:
    """Room for one block; a part has `rest` for what it is handed."""

    q: Numbers
    v: Numbers
    p: Numbers
    s: Numbers
    q_old: Numbers
    v_old: Numbers
    y: Numbers  # signals
    dummy: Integers
    q_before: Numbers  # one step earlier
    v_before: Numbers
    works: Matrix  # runs of the lanes
    sizes: IntegerMatrix
    owners: Integers  # worlds that these are the runs of, or -1
    lane_q: Numbers
    lane_v: Numbers


@kernel
def world_of(plan, block, lane):
    """World of a lane; lanes beyond the last one repeat it."""
    return min(plan.lanes * block + lane, plan.worlds - 1)


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
def take_step(batch, room, t, gone):
    """One step of a block; lanes that leave, besides those that are gone, as bits."""
    plan, leaving, rest = batch.plan, 0, 0
    for i in range(plan.parts):
        code = batch.code(i)
        if code.rest == 1 and rest == 0:
            continue
        away = gone | leaving
        failed = call_part(batch, room, code, t)
        if code.most == 0:
            leaving = leaving | failed
            continue
        rest = failed & (away ^ -1)
        for _ in range(1, code.most):
            if rest == 0:
                break
            rest = call_part(batch, room, code, t) & (away ^ -1)
    return (leaving | rest) & (gone ^ -1)


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
def record_states(batch, room, block, sample):
    """Coordinates and velocities of a block."""
    plan, lanes = batch.plan, batch.plan.lanes
    width = plan.nq + plan.nv
    for lane in range(min(lanes, plan.worlds - lanes * block)):
        out = batch.out[lanes * block + lane]
        first = 0 if plan.reduction == FINAL else width * sample
        for i in range(plan.nq):
            out[first + i] = room.q[lanes * i + lane]
        first += plan.nq
        for k in range(plan.nv):
            out[first + k] = room.v[lanes * k + lane]


@kernel
def see_signals(batch, room, t):
    """Signals and stops of a block, in `y`; where they have no code they stand there already."""
    if batch.plan.signal_code == 0:
        return
    _call(
        batch.plan.signal_code,
        room.s,
        room.dummy,
        t,
        batch.plan.step,
        room.q,
        room.v,
        room.p,
        room.s,
        room.s,
        room.y,
    )


@kernel
def stopped_lanes(batch, room, t):
    """Lanes for which a stop is negative, as bits."""
    plan, lanes, found = batch.plan, batch.plan.lanes, 0
    see_signals(batch, room, t)
    for lane in range(lanes):
        for k in range(plan.signals, plan.signals + plan.stops):
            if room.y[lanes * k + lane] < 0.0:
                found = found | (1 << lane)
    return found


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
def record_signals(batch, room, block, sample, t):
    """Signals of a block, or what they are reduced to so far."""
    plan, lanes = batch.plan, batch.plan.lanes
    see_signals(batch, room, t)
    for lane in range(min(lanes, plan.worlds - lanes * block)):
        out = batch.out[lanes * block + lane]
        for k in range(plan.signals):
            put_signal(plan, out, k, sample, room.y[lanes * k + lane])


@kernel
def put_signal(plan, out, k, sample, x):
    """Keep one value of one signal."""
    if plan.reduction == ALL:
        out[plan.signals * sample + k] = x
    elif plan.reduction == FINAL or sample == 0:
        out[k] = x
    elif plan.reduction == LEAST:
        out[k] = x if not x >= out[k] else out[k]
    elif plan.reduction == LARGEST:
        out[k] = x if not x <= out[k] else out[k]
    else:
        out[k] += (x - out[k]) / (sample + 1)


@kernel
def record(batch, room, block, sample, t):
    """A sample of a block."""
    if batch.plan.signals == 0:
        record_states(batch, room, block, sample)
    else:
        record_signals(batch, room, block, sample, t)


# -- steps with impulses, lane by lane -------------------------------------------------------------


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
def take_lane(x, lanes, lane, out):
    """Entries of one lane."""
    for i in range(len(out)):
        out[i] = x[lanes * i + lane]


@kernel
def put_lane(x, lanes, lane, out):
    """Put entries into one lane."""
    for i in range(len(x)):
        out[lanes * i + lane] = x[i]


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


@kernel
def drive_block(batch, room, block):
    """All steps of a block."""
    plan = batch.plan
    fill_block(batch, room, block)
    for lane in range(len(room.owners)):
        room.owners[lane] = -1
    gone, ended, apart, every_lane, sample = 0, 0, 0, (1 << plan.lanes) - 1, 1
    if plan.controls > 0:
        put_controls(batch, room, block, 0)
    if plan.keeps == 0:
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
        leaving = take_step(batch, room, t, gone | ended | apart)
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
