"""Braun-Goldfarb: drift-free rates on both levels, corrections held over the step.

    q' = N [ v + R^-1 C^+ (-Phi_t - J v - Phi_n / h) ]
    v' =     a + R^-1 C^+ (rhs_a - J a - Phi'_n / h)

Braun & Goldfarb (2009), eq. 16; physics 5.2. Phi_n and Phi'_n are taken once, at the beginning of
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
from dalembert.system.layout import (
    BOTTOM,
    CORRECTION,
    CORRECTION_LAM,
    FORCE,
    HELD_PHI,
    HELD_PHI_DOT,
    HOLONOMIC,
    NV,
    PHI,
    PHI_DOT,
    RHS_A,
    ROWS,
    vector,
)


@border(STEPPING)
def begin_step(work, sizes, t, h, q, v):
    """Hold Phi_n / h and Phi'_n / h."""
    residual(work, sizes, t, q, v)
    phi = vector(work, sizes, PHI, ROWS)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    held_phi = vector(work, sizes, HELD_PHI, ROWS)
    held_phi_dot = vector(work, sizes, HELD_PHI_DOT, ROWS)
    for i in range(sizes[ROWS]):
        held_phi[i] = phi[i] / h if i < sizes[HOLONOMIC] else 0.0
        held_phi_dot[i] = phi_dot[i] / h
    return OK


@border(RATING)
def rates(work, sizes, t, h, q, v, qdot_out, vdot_out, lam_out):
    """Eq. 16 with the held corrections."""
    evaluate(work, sizes, t, q, v)
    status = factor(work, sizes, FORCE_TOLERANCE)
    if status != OK:
        return status
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    rhs_a = vector(work, sizes, RHS_A, ROWS)
    held_phi = vector(work, sizes, HELD_PHI, ROWS)
    held_phi_dot = vector(work, sizes, HELD_PHI_DOT, ROWS)
    bottom = vector(work, sizes, BOTTOM, ROWS)
    u = vector(work, sizes, CORRECTION, NV)
    # u = v + R^-1 C^+ (-Phi' - Phi_n / h)
    for i in range(sizes[ROWS]):
        bottom[i] = -phi_dot[i] - held_phi[i]
    respond(work, sizes, bottom, u, vector(work, sizes, CORRECTION_LAM, ROWS))
    for k in range(sizes[NV]):
        u[k] = v[k] + u[k]
    kinematic_map(sizes, q, u, qdot_out)
    # v' = a + R^-1 C^+ (rhs_a - J a - Phi'_n / h)
    for i in range(sizes[ROWS]):
        bottom[i] = rhs_a[i] - held_phi_dot[i]
    return solve(work, sizes, vector(work, sizes, FORCE, NV), bottom, vdot_out, lam_out)


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
