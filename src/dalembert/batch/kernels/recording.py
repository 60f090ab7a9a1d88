"""Samples of a block: states, signals, what they are reduced to; stops."""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert.batch.kernels.layout import ALL, BATCH, FINAL, LARGEST, LEAST

_call = BATCH.call


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
