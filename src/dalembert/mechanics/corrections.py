"""Corrections of positions and velocities by the last factors (methods 5.2).

position:  delta = -M^-1 J^T (J M^-1 J^T)^+ Phi
velocity:  delta = -M^-1 J^T (J M^-1 J^T)^+ Phi'
"""

from dalembert._jit import kernel
from dalembert.system.borders import respond
from dalembert.system.state_layout import State


@kernel
def correction_of_place(state: State):
    """The displacement that takes out Phi; rows of velocities are left as they are."""
    phi, bottom = state.phi, state.bottom
    for i in range(state.rows):
        bottom[i] = -phi[i] if i < state.holonomic else 0.0
    respond(state, bottom, state.correction, state.correction_lam)
    return state.correction


@kernel
def correction_of_speed(state: State):
    """The change of velocity that takes out Phi'."""
    phi_dot, bottom = state.phi_dot, state.bottom
    for i in range(state.rows):
        bottom[i] = -phi_dot[i]
    respond(state, bottom, state.correction, state.correction_lam)
    return state.correction
