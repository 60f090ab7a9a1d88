"""The unconstrained system, for methods that constrain after the step."""

from dalembert._jit import kernel
from dalembert.mechanics.motion import accelerate_freely, kinematic_map
from dalembert.system.borders import OK, residual
from dalembert.system.layout import HELD_PHI, PHI, ROWS, vector


@kernel
def free_rates(work, sizes, t, q, v, qdot_out, vdot_out, lam_out):
    """q' = N v, M v' = Q, no multipliers."""
    kinematic_map(sizes, q, v, qdot_out)
    for i in range(sizes[ROWS]):
        lam_out[i] = 0.0
    return accelerate_freely(work, sizes, t, q, v, vdot_out)


@kernel
def hold_start(work, sizes, t, q, v):
    """Keep Phi(q_n, t_n) for the end of the step; the loop keeps q_n itself in START_Q."""
    residual(work, sizes, t, q, v)
    phi = vector(work, sizes, PHI, ROWS)
    held = vector(work, sizes, HELD_PHI, ROWS)
    for i in range(sizes[ROWS]):
        held[i] = phi[i]
    return OK
