"""Braun-Goldfarb on the velocity level alone: the step on the way to their method.

    q' = N v
    v' = a + R^-1 C^+ (rhs_a - J a - Phi'_n / h)

Braun & Goldfarb (2009), eq. 12; methods 4.6. Phi'_n is taken once, at the beginning of the step,
as in `braun_goldfarb`. The velocity keeps the local error of the integrator; the position, of which
nothing is fed back, sums up its own local errors and grows with time, linearly where
`UdwadiaKalaba` grows with its square.

Choose it to see what each of the two corrections of `BraunGoldfarb` is worth. Velocity
(nonholonomic) constraints have no other level: for them both are the same.
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import kinematic_map
from dalembert.system.borders import OK, RATING, STEPPING, evaluate, factor, residual, solve
from dalembert.system.state_layout import State


@border(STEPPING)
def begin_step(state: State, t, h, q, v):
    """Hold Phi'_n / h."""
    residual(state, t, q, v)
    for i in range(state.rows):
        state.held_phi_dot[i] = state.phi_dot[i] / h
    return OK


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """Eq. 12 with the held correction."""
    kinematic_map(state, q, v, qdot_out)
    evaluate(state, t, q, v)
    status = factor(state, FORCE_TOLERANCE)
    if status != OK:
        return status
    bottom = state.bottom
    for i in range(state.rows):
        bottom[i] = state.rhs_a[i] - state.held_phi_dot[i]
    return solve(state, state.force, bottom, vdot_out, lam_out)


@dataclass(frozen=True)
class BraunGoldfarbVelocity(Method):
    """Drift-free corrections on the velocity level only, held over the step.

    For comparison: positions drift in proportion to time. Use `BraunGoldfarb`.
    """

    levels = frozenset({"velocity", "acceleration"})
    drift = "grows"
    keeps_to_borders = True
    rates = rates
    begin_step = begin_step
