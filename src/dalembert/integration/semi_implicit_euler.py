"""Semi-implicit (symplectic) Euler: the velocity first, the position with the new velocity.

v <- v + h v'(t, q, v),     q <- q + h N v
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert.integration.protocol import Integrator
from dalembert.system.borders import OK, STEPPING, rates
from dalembert.system.layout import LAM, NQ, NV, QDOT, ROWS, VDOT, vector


@border(STEPPING)
def advance(work, sizes, t, h, q, v):
    """The rate q' keeps the method's correction: q' + N (v_new - v_old)."""
    qdot = vector(work, sizes, QDOT, NQ)
    vdot = vector(work, sizes, VDOT, NV)
    status = rates(work, sizes, t, h, q, v, qdot, vdot, vector(work, sizes, LAM, ROWS))
    if status != OK:
        return status
    for k in range(sizes[NV]):
        q[k] += h * (qdot[k] + h * vdot[k])
        v[k] += h * vdot[k]
    return OK


@dataclass(frozen=True)
class SemiImplicitEuler(Integrator):
    """First order, symplectic for separable systems."""

    order = 1
    stages = 1
    stability = 2.0
    advance = advance

    def keeps_stable(self, step: float, a: float, b: float) -> bool:
        # The velocity sees the old position, the position the new velocity: 2 h a + h^2 b < 4.
        return 2 * step * a + step * step * b < 4
