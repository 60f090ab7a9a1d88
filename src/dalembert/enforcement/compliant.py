"""Implicit compliant constraints: a spring and damper on every row, taken at the end of the step.

    (M + h (h kp + kd) J^T J) v = M v* - h J^T (kp Phi_n + (h kp + kd) Phi_t)
    q = q_n (+) h N v,     lam = -(kp Phi_n + (h kp + kd) (J v + Phi_t))    (methods 5.3)

kp and kd may be those of each constraint, diagonal matrices then.

Castro (2025), section 5. Its eqs. 31-32 print the gains as h (kp + h kd) and leave out J^T; the
units decide (h kp and kd agree) and `docs/theory/errata.md` derives the form above. A velocity
constraint has a damper only.

Unconditionally stable, first order. Choose it for real compliance (a mount, a bushing) or as a
robust substitute for rigidity: beyond kp of about 1e8 nothing changes but the condition number.
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert.enforcement.row_gains import Gain, RowGains, SpringMethod
from dalembert.mechanics.dense import mass_checked, mass_solve
from dalembert.mechanics.incidence import image, pull
from dalembert.mechanics.maximal import mass_times
from dalembert.mechanics.motion import displace
from dalembert.mechanics.proximal_matrix import factor_weighted, solve_assembled
from dalembert.mechanics.unconstrained import free_rates, hold_start
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK, RATING, STEPPING, evaluate
from dalembert.system.state_layout import State

PASSES = 3
"""Solves along the body graph: the first, and two with what rounding has left."""


@border(STEPPING)
def begin_step(state: State, t, h, q, v):
    """Hold q_n and Phi_n."""
    return hold_start(state, t, q, v)


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """q' = N v, M v' = Q: the system without its constraints."""
    return free_rates(state, t, q, v, qdot_out, vdot_out, lam_out)


@border(STEPPING)
def end_step(state: State, t, h, q, v):
    """Implicit spring-damper impulse; written for the change w = v - v*."""
    evaluate(state, t + h, state.start_q, v)
    w = state.correction
    if state.bodies > 0:
        status = respond_along_graph(state, h, w)
    else:
        status = respond_in_full(state, h, w)
    if status != OK:
        return status
    for k in range(state.nv):
        v[k] += w[k]
    copy(state.start_q, q)
    displace(state, h, v, q)
    return OK


@kernel
def respond_along_graph(state: State, h, w):
    """w and lam of the last evaluated state; H along the body graph."""
    given, lam, load = RowGains(state, state.method_scratch), state.lam, state.bottom
    weight, rest, moved = state.row_weight, state.rest_top, state.rest_bottom
    for i in range(state.rows):
        stiff = given.stiffness[i]
        gain = h * stiff + given.damping[i]
        weight[i] = h * gain
        # -h (kp Phi_n + (h kp + kd) (J v* + Phi_t))
        load[i] = -h * (stiff * state.held_phi[i] + gain * state.phi_dot[i])
    status = factor_weighted(state)
    if status != OK:
        return status
    for k in range(state.nv):
        w[k] = 0.0
    for i in range(state.rows):
        moved[i] = 0.0
    for _pass in range(PASSES):
        # H dw = J^T (load - G J w) - M w
        mass_times(state, w, rest)
        for k in range(state.nv):
            rest[k] = -rest[k]
        for i in range(state.rows):
            lam[i] = load[i] - weight[i] * moved[i]
        pull(state, lam, rest)
        solve_assembled(state, rest)
        for k in range(state.nv):
            w[k] += rest[k]
        image(state, w, moved)
    for i in range(state.rows):
        lam[i] = (load[i] - weight[i] * moved[i]) / h
    return OK


@kernel
def respond_in_full(state: State, h, w):
    """w and lam of the last evaluated state; H as a full matrix."""
    given, M, J = RowGains(state, state.method_scratch), state.mass, state.jacobian
    load = state.bottom
    for i in range(state.rows):
        stiff = given.stiffness[i]
        gain = h * stiff + given.damping[i]
        # kp Phi_n + (h kp + kd) (J v* + Phi_t)
        load[i] = stiff * state.held_phi[i] + gain * state.phi_dot[i]
        # H = M + h (h kp + kd) J^T J, lower triangle
        for k in range(state.nv):
            for j in range(k + 1):
                M[k, j] += h * gain * J[i, k] * J[i, j]
    status = mass_checked(state)
    if status != OK:
        return status
    for k in range(state.nv):
        total = 0.0
        for i in range(state.rows):
            total -= h * J[i, k] * load[i]
        w[k] = total
    mass_solve(state, w)
    for i in range(state.rows):
        gain = h * given.stiffness[i] + given.damping[i]
        total = -load[i]
        for k in range(state.nv):
            total -= gain * J[i, k] * w[k]
        state.lam[i] = total
    return OK


@dataclass(frozen=True)
class Compliant(SpringMethod):
    """Implicit spring-damper on every constraint row.

    Parameters
    ----------
    stiffness : float, or one a constraint   kp, force per unit of the formula  [N/m or N m/rad]
    damping : float, or one a constraint     kd  [N s/m or N m s/rad]
        A dict says {name of a constraint, joint or row: value}, the others having the default; a
        sequence one value a constraint, in the order of `solution.constraint_slices`, or one a row.

    Examples
    --------
    >>> Compliant(stiffness={"mount": 2e5}, damping=50.0)
    Compliant(stiffness={'mount': 200000.0}, damping=50.0)
    """

    stiffness: Gain = 1e8
    damping: Gain = 1e4

    levels = frozenset({"velocity"})
    order = 1
    rates = rates
    begin_step = begin_step
    end_step = end_step

    __hash__ = SpringMethod.__hash__
