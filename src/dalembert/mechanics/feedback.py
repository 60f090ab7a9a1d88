"""Rates with proportional feedback of the residual on the position and the velocity level."""

from dalembert._jit import kernel
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import kinematic_map
from dalembert.system.borders import OK, evaluate, factor, respond, solve
from dalembert.system.state_layout import State


@kernel
def feedback_rates(state: State, t, gain, q, v, qdot_out, vdot_out, lam_out):
    """J u = -Phi_t - gain Phi, q' = N u;   J v' = rhs_a - gain Phi'."""
    evaluate(state, t, q, v)
    status = factor(state, FORCE_TOLERANCE)
    if status != OK:
        return status
    phi = state.phi
    phi_dot = state.phi_dot
    rhs_a = state.rhs_a
    bottom = state.bottom
    u = state.correction
    for i in range(state.rows):
        bottom[i] = -phi_dot[i]
        if i < state.holonomic:
            bottom[i] = bottom[i] - gain * phi[i]
    respond(state, bottom, u, state.correction_lam)
    for k in range(state.nv):
        u[k] = v[k] + u[k]
    kinematic_map(state, q, u, qdot_out)
    for i in range(state.rows):
        bottom[i] = rhs_a[i] - gain * phi_dot[i]
    return solve(state, state.force, bottom, vdot_out, lam_out)
