"""Rates with proportional feedback of the residual on the position and the velocity level."""

from dalembert._jit import kernel
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import kinematic_map
from dalembert.system.borders import OK, evaluate, factor, respond, solve
from dalembert.system.layout import (
    BOTTOM,
    CORRECTION,
    CORRECTION_LAM,
    FORCE,
    HOLONOMIC,
    NV,
    PHI,
    PHI_DOT,
    RHS_A,
    ROWS,
    vector,
)


@kernel
def feedback_rates(work, sizes, t, gain, q, v, qdot_out, vdot_out, lam_out):
    """J u = -Phi_t - gain Phi, q' = N u;   J v' = rhs_a - gain Phi'."""
    evaluate(work, sizes, t, q, v)
    status = factor(work, sizes, FORCE_TOLERANCE)
    if status != OK:
        return status
    phi = vector(work, sizes, PHI, ROWS)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    rhs_a = vector(work, sizes, RHS_A, ROWS)
    bottom = vector(work, sizes, BOTTOM, ROWS)
    u = vector(work, sizes, CORRECTION, NV)
    for i in range(sizes[ROWS]):
        bottom[i] = -phi_dot[i]
        if i < sizes[HOLONOMIC]:
            bottom[i] = bottom[i] - gain * phi[i]
    respond(work, sizes, bottom, u, vector(work, sizes, CORRECTION_LAM, ROWS))
    for k in range(sizes[NV]):
        u[k] = v[k] + u[k]
    kinematic_map(sizes, q, u, qdot_out)
    for i in range(sizes[ROWS]):
        bottom[i] = rhs_a[i] - gain * phi_dot[i]
    return solve(work, sizes, vector(work, sizes, FORCE, NV), bottom, vdot_out, lam_out)
