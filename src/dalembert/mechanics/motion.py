"""Accelerations and kinematics at one state, in the words every method uses.

Signs and sides (physics 1): M v' = Q + J^T lam, J v' = rhs_a, J v = -Phi_t.
"""

from dalembert._jit import kernel
from dalembert.mechanics.dense import CONTINUED_TOLERANCE, mass_checked, mass_factor, mass_solve
from dalembert.system.borders import OK, evaluate, factor, solve
from dalembert.system.layout import FORCE, NQ, NV, RHS_A, ROWS, vector


@kernel
def kinematic_map(sizes, q, u, qdot_out):
    """q' = N(q) u. Formula coordinates are their own velocities: N = 1."""
    for i in range(sizes[NQ]):
        qdot_out[i] = u[i]


@kernel
def displace(sizes, h, u, q):
    """q <- q + h N u, the configuration moved along a velocity."""
    for i in range(sizes[NQ]):
        q[i] = q[i] + h * u[i]


@kernel
def accelerate(work, sizes, t, q, v, vdot_out, lam_out):
    """M v' = Q + J^T lam, J v' = rhs_a at (t, q, v)."""
    return accelerate_within(work, sizes, t, q, v, CONTINUED_TOLERANCE, vdot_out, lam_out)


@kernel
def accelerate_within(work, sizes, t, q, v, tolerance, vdot_out, lam_out):
    """The same with a given rank tolerance."""
    evaluate(work, sizes, t, q, v)
    status = factor(work, sizes, tolerance)
    if status != OK:
        return status
    return solve(
        work,
        sizes,
        vector(work, sizes, FORCE, NV),
        vector(work, sizes, RHS_A, ROWS),
        vdot_out,
        lam_out,
    )


@kernel
def accelerate_freely(work, sizes, t, q, v, vdot_out):
    """M v' = Q: the system without its constraints."""
    evaluate(work, sizes, t, q, v)
    return free_solve(work, sizes, vdot_out)


@kernel
def free_solve(work, sizes, vdot_out):
    """v' = M^-1 Q from what was last evaluated."""
    force = vector(work, sizes, FORCE, NV)
    mass_factor(work, sizes)
    status = mass_checked(work, sizes)
    if status != OK:
        return status
    for k in range(sizes[NV]):
        vdot_out[k] = force[k]
    mass_solve(work, sizes, vdot_out)
    return OK
