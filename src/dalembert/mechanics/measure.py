"""What is reported of a state beyond q and v: accelerations, multipliers, violation, rank."""

from dalembert._jit import kernel
from dalembert.mechanics.motion import accelerate
from dalembert.system.borders import OK
from dalembert.system.layout import HOLONOMIC, NV, PHI, PHI_DOT, RANK, ROWS, VDOT, LAM, vector


@kernel
def measure(work, sizes, t, q, v, a_out, lam_out, phi_out, phi_dot_out, rank_out):
    """Fill the rows of the outputs for the samples (t_k, q_k, v_k).

    A sample at which the equations cannot be solved gets NaN accelerations and rank -1.
    """
    a = vector(work, sizes, VDOT, NV)
    lam = vector(work, sizes, LAM, ROWS)
    phi = vector(work, sizes, PHI, HOLONOMIC)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    for s in range(t.shape[0]):
        status = accelerate(work, sizes, t[s], q[s], v[s], a, lam)
        good = status == OK
        rank_out[s] = sizes[RANK] if good else -1
        for k in range(sizes[NV]):
            a_out[s, k] = a[k] if good else float("nan")
        for i in range(sizes[ROWS]):
            lam_out[s, i] = lam[i] if good else float("nan")
            phi_dot_out[s, i] = phi_dot[i]
        for i in range(sizes[HOLONOMIC]):
            phi_out[s, i] = phi[i]
