"""The classical Runge-Kutta method of fourth order, fixed step.

k_s = f(t + c_s h, x + a_s h k_{s-1}),     x <- x + h/6 (k_1 + 2 k_2 + 2 k_3 + k_4)
"""

from dataclasses import dataclass

import numpy as np

from dalembert._jit import border
from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert.integration.protocol import Integrator
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK, STEPPING, rates
from dalembert.system.state_layout import State

C = np.array([0.0, 0.5, 0.5, 1.0])
"""Moments of the stages, in steps."""
A = np.array([0.0, 0.5, 0.5, 1.0, 0.0])
"""Way to each stage along the rate of the one before, in steps; there is none behind the last."""
WEIGHT = np.array([1.0, 2.0, 2.0, 1.0])


class Room(Part, of=State):
    """Scratch."""

    ends: Numbers = over("6 * nq")
    q: Numbers = over("nq")  # of the stage
    sum_q: Numbers = over("nq")
    v: Numbers = over("nv")
    sum_v: Numbers = over("nv")


@border(STEPPING)
def advance(state: State, t, h, q, v):
    """Four stages; the weighted sum is gathered as they come."""
    own, kq, kv = Room(state, state.integrator_scratch), state.qdot, state.vdot
    stage_q, stage_v, sum_q, sum_v = own.q, own.v, own.sum_q, own.sum_v
    copy(q, stage_q)
    copy(v, stage_v)
    for s in range(4):
        status = rates(state, t + C[s] * h, h, stage_q, stage_v, kq, kv, state.lam)
        if status != OK:
            return status
        way, weight = A[s + 1] * h, WEIGHT[s]
        for i in range(state.nq):
            sum_q[i] = kq[i] if s == 0 else sum_q[i] + weight * kq[i]
            stage_q[i] = q[i] + way * kq[i]
        for k in range(state.nv):
            sum_v[k] = kv[k] if s == 0 else sum_v[k] + weight * kv[k]
            stage_v[k] = v[k] + way * kv[k]
    sixth = h / 6.0
    for i in range(state.nq):
        q[i] += sixth * sum_q[i]
    for k in range(state.nv):
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
        return Room.length(nq=nq, nv=nv)
