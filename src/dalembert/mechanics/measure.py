"""What is reported of a state beyond q and v: accelerations, multipliers, violation, rank."""

from dalembert._jit import kernel
from dalembert.system.borders import NEEDS_GENERAL, OK, rates, residual
from dalembert.system.layout import (
    HOLONOMIC,
    LAM,
    NQ,
    NV,
    PHI,
    PHI_DOT,
    QDOT,
    RANK,
    ROWS,
    VDOT,
    vector,
)


@kernel
def measure(
    work, sizes, first, t, q, v, places, held, a_out, lam_out, phi_out, phi_dot_out, rank_out
):
    """Fill the rows of the outputs for the samples (t_k, q_k, v_k) from `first` on.

    A sample at which the equations cannot be solved gets NaN accelerations and rank -1. Returns the
    number of samples done; fewer than all when the general rates are needed. `held` are commands
    of controllers at the samples, `places` where in `work` they belong.
    """
    qdot = vector(work, sizes, QDOT, NQ)
    a = vector(work, sizes, VDOT, NV)
    lam = vector(work, sizes, LAM, ROWS)
    phi = vector(work, sizes, PHI, HOLONOMIC)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    for s in range(first, t.shape[0]):
        for p in range(places.shape[0]):
            work[places[p, 0]] = held[s, places[p, 1]]
        sizes[RANK] = sizes[ROWS]
        status = rates(work, sizes, t[s], 1.0, q[s], v[s], qdot, a, lam)
        if status == NEEDS_GENERAL:
            return s
        good = status == OK
        rank_out[s] = sizes[RANK] if good else -1
        for k in range(sizes[NV]):
            a_out[s, k] = a[k] if good else float("nan")
        residual(work, sizes, t[s], q[s], v[s])
        for i in range(sizes[ROWS]):
            lam_out[s, i] = lam[i] if good else float("nan")
            phi_dot_out[s, i] = phi_dot[i]
        for i in range(sizes[HOLONOMIC]):
            phi_out[s, i] = phi[i]
    return t.shape[0]


@kernel
def violations(work, sizes, t, q, v, places, held, phi_out, phi_dot_out):
    """Fill the rows of the outputs with the residuals of the constraints at the samples."""
    phi = vector(work, sizes, PHI, HOLONOMIC)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    for s in range(t.shape[0]):
        for p in range(places.shape[0]):
            work[places[p, 0]] = held[s, places[p, 1]]
        residual(work, sizes, t[s], q[s], v[s])
        for i in range(sizes[ROWS]):
            phi_dot_out[s, i] = phi_dot[i]
        for i in range(sizes[HOLONOMIC]):
            phi_out[s, i] = phi[i]
