"""The classical Runge-Kutta method of fourth order, fixed step.

x <- x + h/6 (k1 + 2 k2 + 2 k3 + k4)
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert.integration.protocol import Integrator, hermite_scratch
from dalembert.system.borders import OK, STEPPING, rates
from dalembert.system.layout import (
    INTEGRATOR_SCRATCH,
    LAM,
    NQ,
    NV,
    QDOT,
    ROWS,
    VDOT,
    scratch_vector,
    vector,
)


@border(STEPPING)
def advance(work, sizes, t, h, q, v):
    """Four stages; the weighted sum is gathered as they come."""
    nq, nv = sizes[NQ], sizes[NV]
    start = 6 * max(nq, nv)
    stage_q = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start, nq)
    sum_q = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + nq, nq)
    stage_v = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 2 * nq, nv)
    sum_v = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, start + 2 * nq + nv, nv)
    kq = vector(work, sizes, QDOT, NQ)
    kv = vector(work, sizes, VDOT, NV)
    lam = vector(work, sizes, LAM, ROWS)
    for i in range(nq):
        stage_q[i] = q[i]
    for k in range(nv):
        stage_v[k] = v[k]
    for stage in range(4):
        time = t if stage == 0 else (t + h if stage == 3 else t + 0.5 * h)
        status = rates(work, sizes, time, h, stage_q, stage_v, kq, kv, lam)
        if status != OK:
            return status
        # weight of this stage in the sum, and length of the step to the next stage
        weight = 1.0 if stage == 0 or stage == 3 else 2.0
        length = h if stage == 2 else 0.5 * h
        if stage == 0:
            for i in range(nq):
                sum_q[i] = kq[i]
                stage_q[i] = q[i] + length * kq[i]
            for k in range(nv):
                sum_v[k] = kv[k]
                stage_v[k] = v[k] + length * kv[k]
        else:
            for i in range(nq):
                sum_q[i] += weight * kq[i]
                stage_q[i] = q[i] + length * kq[i]
            for k in range(nv):
                sum_v[k] += weight * kv[k]
                stage_v[k] = v[k] + length * kv[k]
    sixth = h / 6.0
    for i in range(nq):
        q[i] += sixth * sum_q[i]
    for k in range(nv):
        v[k] += sixth * sum_v[k]
    return OK


@dataclass(frozen=True)
class RK4(Integrator):
    """Classical fourth-order Runge-Kutta, fixed step.

    The default with a step. Its step [s] must resolve the fastest motion.
    """

    order = 4
    stages = 4
    stability = 2.78
    amplification = (1.0, 1.0, 1 / 2, 1 / 6, 1 / 24)
    advance = advance

    def scratch(self, nq: int, nv: int, rows: int) -> int:
        return hermite_scratch(nq, nv) + 2 * (nq + nv)
