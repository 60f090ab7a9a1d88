"""Velocities that joints leave, at the end of a step with impulses.

Joints are held by the rows of where the step was looked at, J(q). A body that has turned by w h
since then has others, J(q+) v+ = O(h). What is missing is a part of the impulses of the step,

    J M^-1 J^T p = -Phi'(q+, v+),    v+ <- v+ + M^-1 J^T p,    lam <- lam + p / h,

and no small one: of a pendulum it is what turns its velocity.
"""

from dalembert._jit import apart, kernel
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import respond_exactly
from dalembert.mechanics.projection import MASS_NORM, correct_velocity, push
from dalembert.system.borders import OK, evaluate, factor, residual
from dalembert.system.state_layout import State


@apart(int)
def hold_joints(state: State, t, h, q, v):
    """Take Phi' out of v by impulses of the joints, which are counted among theirs."""
    note_parting(state, t, q, v)
    evaluate(state, t, q, v)
    status = factor(state, FORCE_TOLERANCE)
    if status != OK:
        return status
    residual(state, t, q, v)
    for i in range(state.rows):
        state.bottom[i] = -state.phi_dot[i]
    status = respond_exactly(state, state.bottom, state.correction, state.correction_lam)
    if status != OK:
        return status
    for i in range(state.rows):
        state.push_lam[i] = 0.0
    push(state, t, q, 1.0, state.correction, v)
    take_push(state, h)
    state.factored = 0
    status = correct_velocity(state, t, q, v, MASS_NORM)
    take_push(state, h)
    return status


@kernel
def take_push(state: State, h):
    """Impulses of a projection as forces of the step."""
    for i in range(state.rows):
        state.lam[i] += state.push_lam[i] / h


@kernel
def note_parting(state: State, t, q, v):
    """`parted`: the largest rate at which a step has left joints open, of a run."""
    residual(state, t, q, v)
    for i in range(state.rows):
        state.parted = max(state.parted, abs(state.phi_dot[i]) / state.row_size[i])
