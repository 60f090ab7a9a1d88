"""The unconstrained system, for methods that constrain after the step."""

from dalembert._jit import kernel
from dalembert.mechanics.motion import accelerate_freely, kinematic_map
from dalembert.system.borders import OK, residual
from dalembert.system.state_layout import State


@kernel
def free_rates(state: State, t, q, v, qdot_out, vdot_out, lam_out):
    """q' = N v, M v' = Q, no multipliers."""
    kinematic_map(state, q, v, qdot_out)
    for i in range(state.rows):
        lam_out[i] = 0.0
    return accelerate_freely(state, t, q, v, vdot_out)


@kernel
def hold_start(state: State, t, q, v):
    """Keep Phi(q_n, t_n) for the end of the step; the loop keeps q_n itself in START_Q."""
    residual(state, t, q, v)
    phi = state.phi
    held = state.held_phi
    for i in range(state.rows):
        held[i] = phi[i]
    return OK
