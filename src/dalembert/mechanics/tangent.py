"""Tangent matrices of bodies by differences, for implicit methods (`equations.Tangent`).

    K = d(M a - Q - J^T lam)/dq,  D = d(M a - Q - J^T lam)/dv,  Jdot = d(Phi')/dq

with a and lam read from `work`, q displaced in its tangent space. Only the convergence of Newton's
method depends on their digits, so one-sided differences with half the digits will do; reactions in
forces are held.
"""

from dalembert._jit import border, kernel
from dalembert.mechanics.incidence import pull
from dalembert.mechanics.maximal import mass_times
from dalembert.mechanics.motion import displace
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK, STATE, evaluate_held
from dalembert.system.state_layout import State

NUDGE = 1.5e-8
"""Displacement, square root of rounding  [m, rad, m/s, rad/s]."""


@kernel
def imbalance(state: State, t, q, v, out):
    """M a - Q - J^T lam at (t, q, v)."""
    evaluate_held(state, t, q, v)
    a, lam, force = state.vdot, state.lam, state.force
    if state.bodies > 0:
        mass_times(state, a, out)
        for k in range(state.nv):
            out[k] = force[k] - out[k]
        pull(state, lam, out)
        for k in range(state.nv):
            out[k] = -out[k]
        return
    M, J = state.mass, state.jacobian
    for k in range(state.nv):
        total = -force[k]
        for j in range(state.nv):
            total += M[k, j] * a[j]
        for i in range(state.rows):
            total -= J[i, k] * lam[i]
        out[k] = total


@border(STATE)
def tangent_bodies(state: State, t, q, v):
    """One column at a time; the last evaluation is that of the undisturbed state."""
    n, m, phi_dot = state.nv, state.rows, state.phi_dot
    K, D, Jdot = state.stiffness, state.damping, state.jacobian_dot
    base, moved, rate = state.rest_top, state.change_mass, state.rest_bottom
    step, place = state.change, state.tangent_q
    imbalance(state, t, q, v, base)
    for i in range(m):
        rate[i] = phi_dot[i]
    for k in range(n):
        step[k] = 0.0
    for k in range(n):
        copy(q, place)
        step[k] = 1.0
        displace(state, NUDGE, step, place)
        step[k] = 0.0
        imbalance(state, t, place, v, moved)
        for i in range(n):
            K[i, k] = (moved[i] - base[i]) / NUDGE
        for i in range(m):
            Jdot[i, k] = (phi_dot[i] - rate[i]) / NUDGE
    for k in range(n):
        kept = v[k]
        v[k] = kept + NUDGE
        imbalance(state, t, q, v, moved)
        v[k] = kept
        for i in range(n):
            D[i, k] = (moved[i] - base[i]) / NUDGE
    evaluate_held(state, t, q, v)
    return OK
