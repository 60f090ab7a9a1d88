"""Steps: tried, judged by error control, taken."""

from dalembert._jit import kernel
from dalembert.integration.loop.undecided import look_at_sides
from dalembert.numerics.vector import copy
from dalembert.system.borders import (
    NO_CONVERGENCE,
    NON_FINITE,
    OK,
    STEP_TOO_SMALL,
    advance,
    begin_step,
    end_step,
)
from dalembert.system.state_layout import State
from dalembert.system.tolerance import judge_correction, tolerance_of

SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0
"""Usual constants of step control."""

LEAP = 0.1
"""Shortest step near a singular position, over the last regular one."""

TAME = 1e-5
"""Relative error up to which such a step may pass."""

STAYS = 8
"""Leaps in a row from which on a position is no way through: directions are weak for good."""

FALLS = 3.0
"""Power of the step with which an error falls that is not noise."""


@kernel
def first_not_finite(count, x):
    """Index of the first entry that is not a finite number, or -1."""
    for i in range(count):
        if not abs(x[i]) < 1e300:
            return i
    return -1


@kernel
def check_finite(state: State, q, v):
    """NON_FINITE with its index (velocities follow coordinates), or OK."""
    bad = first_not_finite(state.nq, q)
    if bad < 0:
        bad = first_not_finite(state.nv, v)
        if bad >= 0:
            bad += state.nq
    if bad >= 0:
        state.failed_index = bad
        return NON_FINITE
    return OK


@kernel
def begin_again(state: State, q, v):
    """Go back to where the step began; accelerations of stages beyond it foretell nothing there."""
    copy(state.start_q, q)
    copy(state.start_v, v)
    state.has_last = 0
    state.continued = 0


@kernel
def try_step(state: State, t, h, q, v):
    """begin_step, advance, and a look at the result; the start is kept."""
    copy(q, state.start_q)
    copy(v, state.start_v)
    state.step_factorisations = state.factorisations
    status = begin_step(state, t, h, q, v)
    if status != OK:
        return status
    status = advance(state, state.advance, t, h, q, v)
    if status != OK:
        return status
    return check_finite(state, q, v)


@kernel
def finish_attempt(state: State, t, h, q, v):
    """The method's end of the step, within the error control of an adaptive integrator.

    Steps with impulses are complete.
    """
    if state.end_step == 0 and state.contact_was_smooth != 0:
        return OK
    copy(q, state.after_q)
    status = end_step(state, t, h, q, v)
    if status == OK:
        judge_correction(state, state.after_q, q)
    return status


@kernel
def take_step(state: State, clock, h, q, v):
    """One accepted step: the method's end of it and a look at the result. Returns (status, h)."""
    near_before, left_before = state.near_count, state.left_off
    if clock.adaptive == 0:
        status, ended = try_step(state, clock.t, h, q, v), False
    else:
        status, h, ended = control_step(state, clock, h, q, v)
    # error control sees what is left off
    left = clock.adaptive == 0 and state.left_off > left_before
    near = left or state.near_count > near_before
    if status == OK and not ended:
        if near:
            copy(q, state.after_q)
        status = end_step(state, clock.t, h, q, v)
    if status == OK:
        status = check_finite(state, q, v)
    if status == OK and near:
        look_at_sides(state, clock, h, q, left)
    if status != OK:
        begin_again(state, q, v)
    return status, h


@kernel
def control_step(state: State, clock, h, q, v):
    """A step shortened until the error control is content. Returns (status, h, whether it ended).

    Near a singular position accelerations carry noise that no step can bring below a tight
    tolerance; following the error would lead the run into the singularity itself, where the branch
    is lost. There a step is not made shorter than LEAP times the last regular one. Where that is no
    way through, the error is followed down to noise (decision 0003, rule 2).

    A method that judges steps itself leaves the length of the next one in `next_step`.
    """
    t, rejected, longer, missed = clock.t, False, 0.0, 0.0
    while True:
        near_before = state.near_count
        status = try_step(state, t, h, q, v)
        if status == OK and state.error <= 1.0:
            status = finish_attempt(state, t, h, q, v)
        error, near = state.error, state.near_count > near_before
        if status == OK and error <= 1.0:
            wanted = state.next_step
            clock.step = wanted if wanted > 0.0 else h * grown(clock, error, rejected)
            if not near:  # a lucky short step between leaps is no measure of the next one
                clock.regular_step = max(h, SHRINK * clock.regular_step)
                state.leaps_in_row, state.weak_for_good = 0, 0
            return status, h, True
        # The error in units of the state, not of the tolerance.
        tame = status == OK and near and error * tolerance_of(state).rtol <= TAME
        leap = LEAP * clock.regular_step
        if tame and h <= 1.01 * leap and is_noise(state, h, error, longer, missed):
            note_leap(state)
            clock.step = h
            return status, h, False
        if status != OK and status != NON_FINITE and status != NO_CONVERGENCE:
            return status, h, True
        begin_again(state, q, v)
        rejected = True
        state.rejected += 1
        if status == OK:
            longer, missed = h, error
        if status == OK and 0.0 < state.next_step < h:
            h = state.next_step
        else:
            h *= shrunk(clock, status, error)
        if tame and state.weak_for_good == 0:
            h = max(h, leap)
        if not h > 1e-14 * max(abs(t), abs(clock.until)):
            # An iteration that fails at any step is not the error control's affair.
            return STEP_TOO_SMALL if status == OK else status, h, True


@kernel
def is_noise(state: State, h, error, longer, missed):
    """Whether the error of a short step near a singular position is put down to noise.

    On a way through it is; else where it has not fallen as errors do since the last attempt.
    """
    if state.weak_for_good == 0:
        return True
    return h < longer and error > missed * (h / longer) ** FALLS


@kernel
def note_leap(state: State):
    """Count a leap; many in a row are no way through."""
    state.leaps += 1
    state.leaps_in_row += 1
    if state.leaps_in_row >= STAYS and state.next_step == 0.0:
        state.weak_for_good = 1


@kernel
def grown(clock, error, rejected):
    """The next step over one that was accepted."""
    power = error ** (-1.0 / clock.error_order) if error > 0.0 else GROW
    factor = min(GROW, SAFETY * power)
    return min(1.0, factor) if rejected else factor


@kernel
def shrunk(clock, status, error):
    """The next attempt over one that was rejected."""
    if status == OK and error < 1e12:
        return max(SHRINK, SAFETY * error ** (-1.0 / clock.error_order))
    return SHRINK
