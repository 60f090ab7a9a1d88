"""A look within a step changes nothing: to the bit the motion is that without output."""

from dalembert._jit import kernel
from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert.numerics.vector import copy
from dalembert.system.borders import advance
from dalembert.system.state_layout import State


class Before(Part, of=State):
    """Numbers that are put back after a look, and a state for the continuous output."""

    # of the solve of bodies
    row_weight: Numbers = over("rows")
    last_angles: Numbers = over("wound")
    dual_best: Numbers = over("dual_row_count")
    proximal_scale: float
    factorisations: float
    branch: float
    dropped: float
    least_dropped: float
    dual_off: float
    continued: float
    by_all: float
    # of the rates
    qdot: Numbers = over("nq")
    vdot: Numbers = over("nv")
    lam: Numbers = over("rows")
    last_vdot: Numbers = over("nv")
    before_last_vdot: Numbers = over("nv")
    last_times: Numbers = over("2")
    # the end of the step
    q: Numbers = over("nq")
    v: Numbers = over("nv")


def room_length(state: State) -> int:
    """Floats that a look needs besides."""
    counts = ("rows", "wound", "dual_row_count", "nq", "nv")
    return Before.length(**{name: getattr(state, name) for name in counts})


@kernel
def remember_solve(state: State, room):
    """Keep what the solve of bodies goes on from."""
    before = Before(state, room)
    if state.mechanism == 0:
        return
    copy(state.row_weight, before.row_weight)
    copy(state.last_angles, before.last_angles)
    copy(state.dual_best[: state.dual_row_count], before.dual_best)
    before.proximal_scale = state.proximal_scale
    before.factorisations, before.branch = state.factorisations, state.branch
    before.dropped, before.least_dropped = state.dropped, state.least_dropped
    before.dual_off, before.continued = state.dual_off, state.continued
    before.by_all = state.by_all


@kernel
def restore_solve(state: State, room):
    """Put it back."""
    before = Before(state, room)
    if state.mechanism == 0:
        return
    copy(before.row_weight, state.row_weight)
    copy(before.last_angles, state.last_angles)
    copy(before.dual_best, state.dual_best)
    state.proximal_scale = before.proximal_scale
    state.factorisations, state.branch = int(before.factorisations), int(before.branch)
    state.dropped, state.least_dropped = int(before.dropped), int(before.least_dropped)
    state.dual_off, state.continued = int(before.dual_off), int(before.continued)
    state.by_all = int(before.by_all)
    state.factored = 0


@kernel
def prepare_output(state: State, clock, q, v, room):
    """Make the continuous output of the last step ready; method and state do not notice."""
    before, known = Before(state, room), state.has_last
    copy(state.qdot, before.qdot)
    copy(state.vdot, before.vdot)
    copy(state.lam, before.lam)
    copy(state.last_vdot, before.last_vdot)
    copy(state.before_last_vdot, before.before_last_vdot)
    copy(state.last_times, before.last_times)
    copy(q, before.q)
    copy(v, before.v)
    t, h = clock.last_t, clock.last_h
    status = advance(state, clock.prepare_output, t, h, before.q, before.v)
    copy(before.qdot, state.qdot)
    copy(before.vdot, state.vdot)
    copy(before.lam, state.lam)
    copy(before.last_vdot, state.last_vdot)
    copy(before.before_last_vdot, state.before_last_vdot)
    copy(before.last_times, state.last_times)
    state.has_last = known
    return status
