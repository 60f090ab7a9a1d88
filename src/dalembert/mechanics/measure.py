"""Measures of a state beyond q and v: accelerations, multipliers, violation, rank."""

from dalembert._jit import kernel
from dalembert.system.borders import NEEDS_GENERAL, OK, rates, residual
from dalembert.system.state_layout import State


@kernel
def measure(
    state: State, first, t, q, v, places, held, a_out, lam_out, phi_out, phi_dot_out, rank_out
):
    """Fill the rows of the outputs for the samples (t_k, q_k, v_k) from `first` on.

    A sample at which the equations cannot be solved gets NaN accelerations and rank -1. Returns the
    number of samples done; fewer than all when the general rates are needed. `held` are commands
    of controllers at the samples, `places` where in `work` they belong.
    """
    qdot = state.qdot
    a = state.vdot
    lam = state.lam
    phi = state.phi
    phi_dot = state.phi_dot
    for s in range(first, t.shape[0]):
        for p in range(places.shape[0]):
            state.work[places[p, 0]] = held[s, places[p, 1]]
        state.rank = state.rows
        status = rates(state, t[s], 1.0, q[s], v[s], qdot, a, lam)
        if status == NEEDS_GENERAL:
            return s
        good = status == OK
        rank_out[s] = state.rank if good else -1
        for k in range(state.nv):
            a_out[s, k] = a[k] if good else float("nan")
        residual(state, t[s], q[s], v[s])
        for i in range(state.rows):
            lam_out[s, i] = lam[i] if good else float("nan")
            phi_dot_out[s, i] = phi_dot[i]
        for i in range(state.holonomic):
            phi_out[s, i] = phi[i]
    return t.shape[0]


@kernel
def violations(state: State, t, q, v, places, held, phi_out, phi_dot_out):
    """Fill the rows of the outputs with the residuals of the constraints at the samples."""
    phi = state.phi
    phi_dot = state.phi_dot
    for s in range(t.shape[0]):
        for p in range(places.shape[0]):
            state.work[places[p, 0]] = held[s, places[p, 1]]
        residual(state, t[s], q[s], v[s])
        for i in range(state.rows):
            phi_dot_out[s, i] = phi_dot[i]
        for i in range(state.holonomic):
            phi_out[s, i] = phi[i]
