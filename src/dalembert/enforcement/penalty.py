"""Explicit penalty: springs and dampers instead of constraints.

    M v' = Q - J^T (kp Phi + kd Phi')                                       (methods 5.4)

An explicit step needs h sqrt(kp rho) and h kd rho below about 2.8, rho the largest eigenvalue of
J M^-1 J^T; a load lam opens the constraint by lam / kp. Kept for comparison and for elements that
really are elastic. A velocity constraint has a damper only.
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert.enforcement.row_gains import Gain, RowGains, SpringMethod
from dalembert.mechanics.incidence import pull
from dalembert.mechanics.motion import free_solve, kinematic_map
from dalembert.system.borders import OK, RATING, STEPPING, evaluate, residual
from dalembert.system.state_layout import State


@kernel
def spring_forces(state: State, lam_out):
    """Lam = -(kp Phi + kd Phi') at the last evaluated state."""
    given = RowGains(state, state.method_scratch)
    for i in range(state.rows):
        lam_out[i] = -given.damping[i] * state.phi_dot[i]
        if i < state.holonomic:
            lam_out[i] = lam_out[i] - given.stiffness[i] * state.phi[i]


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """lam = -(kp Phi + kd Phi');  M v' = Q + J^T lam."""
    evaluate(state, t, q, v)
    kinematic_map(state, q, v, qdot_out)
    spring_forces(state, lam_out)
    if state.bodies > 0:
        pull(state, lam_out, state.force)
        return free_solve(state, vdot_out)
    for i in range(state.rows):
        for k in range(state.nv):
            state.force[k] = state.force[k] + state.jacobian[i, k] * lam_out[i]
    return free_solve(state, vdot_out)


@border(STEPPING)
def end_step(state: State, t, h, q, v):
    """Forces of the accepted state, for the record."""
    residual(state, t + h, q, v)
    spring_forces(state, state.lam)
    return OK


@dataclass(frozen=True)
class Penalty(SpringMethod):
    """Explicit spring-damper on every constraint row.

    Parameters
    ----------
    stiffness : float, or one a constraint   kp  [N/m or N m/rad]
    damping : float, or one a constraint     kd  [N s/m or N m s/rad]
        By name or in order, as of `Compliant`.
    """

    stiffness: Gain = 1e4
    damping: Gain = 1e2

    inverts_mass = True
    rates = rates
    end_step = end_step

    __hash__ = SpringMethod.__hash__
