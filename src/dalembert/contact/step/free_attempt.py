"""A step in which nothing is near, of an integrator with error control.

As in `contact.step.smooth`, but the step may be rejected: `State.error` holds what the integrator
found. The loop then goes on as with the integrator alone, to the bit.
"""

from dalembert._jit import apart
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.step.smooth import (
    accept,
    closed_gaps,
    ends_open,
    gaps_at,
    is_finite,
    starts_open,
)
from dalembert.numerics.vector import copy
from dalembert.system.borders import NEEDS_GENERAL, NEEDS_ROOM, OK, STEPPING, normalise
from dalembert.system.state_layout import State

CORRECTION = 30.0
"""Correction of the position, over the tolerance, that becomes the error (`loop.attempts`)."""

_call = STEPPING.call


@apart(int)
def free_attempt(state: State, run: ContactRun, t, h, q, v):
    """From (t, q, v) to t + h if nothing is near: `smooth_now` says whether; else the start.

    With an error above 1 the step is none, and (q, v) is not where it began.
    """
    if not starts_open(state, run, t, h, q, v):
        return OK
    status = gaps_at(state, run, t, h, q, v)
    if status != OK or run.clear == 0:
        return status
    status = advance_with_error(state, t, h, q, v)
    if status == OK and not state.error[0] <= 1.0:
        run.smooth_now = 1
        return OK
    if status == OK and is_finite(state, q, v) and ends_open(state, run, t + h, h, q, v):
        status = gaps_at(state, run, t + h, h, q, v)
        if status == OK and closed_gaps(run) == 0:
            accept(state, run, h, v)
            return OK
    copy(state.start_q, q)
    copy(state.start_v, v)
    run.clear = 0
    # failures are left to the step with impulses
    return status if status == NEEDS_GENERAL or status == NEEDS_ROOM else OK


@apart(int)
def advance_with_error(state: State, t, h, q, v):
    """The step of the integrator and, where its error is small, of the projection."""
    dense = state.dense
    if state.on_tree:
        state.dense = 0  # along the tree, without full matrices
    status = _call(state.smooth_advance, *state, t, h, q, v)
    if status == OK and state.error[0] <= 1.0:
        normalise(state, q)
        before, rtol, atol = state.after_q, state.integrator_options[0], state.integrator_options[1]
        copy(q, before)
        status = _call(state.smooth_end, *state, t, h, q, v)
        worst = 0.0
        for i in range(state.nq):
            worst = max(worst, abs(q[i] - before[i]) / (atol + rtol * abs(q[i])))
        if worst > CORRECTION:
            state.error[0] = worst
    state.dense = dense
    return status
