"""Braun-Goldfarb: drift-free rates on both levels, corrections held over the step.

    q' = N [ v + R^-1 C^+ (-Phi_t - J v - Phi_n / h) ]
    v' =     a + R^-1 C^+ (rhs_a - J a - Phi'_n / h)

Braun & Goldfarb (2009), eq. 16; methods 4.5. Phi_n and Phi'_n are taken once, at the beginning of
the step, and kept in all stages; everything else is evaluated per stage. The paper is silent on
this. Stage states are only second-order accurate, so a correction Phi_stage / h would be of first
order: it would spoil the order of the integrator (see `braun_goldfarb_per_stage`).

The constraint level is the local error of the integrator, O(h^5) with RK4, independent of the
length of the run. Choose it with a small step; `Projection` holds rounding at any step.
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import kinematic_map
from dalembert.system.borders import (
    OK,
    RATING,
    STEPPING,
    evaluate,
    factor,
    residual,
    respond,
    solve,
)
from dalembert.system.state_layout import State


@border(STEPPING)
def begin_step(state: State, t, h, q, v):
    """Hold Phi_n / h and Phi'_n / h."""
    residual(state, t, q, v)
    for i in range(state.rows):
        state.held_phi[i] = state.phi[i] / h if i < state.holonomic else 0.0
        state.held_phi_dot[i] = state.phi_dot[i] / h
    return OK


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """Eq. 16 with the held corrections."""
    evaluate(state, t, q, v)
    status = factor(state, FORCE_TOLERANCE)
    if status != OK:
        return status
    bottom, u = state.bottom, state.correction
    # u = v + R^-1 C^+ (-Phi' - Phi_n / h)
    for i in range(state.rows):
        bottom[i] = -state.phi_dot[i] - state.held_phi[i]
    respond(state, bottom, u, state.correction_lam)
    for k in range(state.nv):
        u[k] = v[k] + u[k]
    kinematic_map(state, q, u, qdot_out)
    # v' = a + R^-1 C^+ (rhs_a - J a - Phi'_n / h)
    for i in range(state.rows):
        bottom[i] = state.rhs_a[i] - state.held_phi_dot[i]
    return solve(state, state.force, bottom, vdot_out, lam_out)


@dataclass(frozen=True)
class BraunGoldfarb(Method):
    """Drift-free corrections on position and velocity level, held over the step.

    Constraints are met to the local error of the integrator, however long the run is. Choose it
    with a small step; `Projection` holds rounding at any step.
    """

    levels = frozenset({"position", "velocity", "acceleration"})
    drift = "step"
    keeps_to_borders = True
    moves_rates = True
    rates = rates
    begin_step = begin_step
