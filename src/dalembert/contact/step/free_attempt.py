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
from dalembert.system.tolerance import judge_correction

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
    if status == OK and not state.error <= 1.0:
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
    if status == OK and state.error <= 1.0:
        normalise(state, q)
        copy(q, state.after_q)
        status = _call(state.smooth_end, *state, t, h, q, v)
        judge_correction(state, state.after_q, q)
    state.dense = dense
    return status
