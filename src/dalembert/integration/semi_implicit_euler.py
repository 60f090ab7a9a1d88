"""Semi-implicit (symplectic) Euler: the velocity first, the position with the new velocity.

v <- v + h v'(t, q, v),     q <- q (+) h N v

Bodies take their gyroscopic torque implicitly, which keeps fast rotations bounded
(`mechanics.gyroscopic`).
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert.integration.protocol import Integrator, hermite_scratch
from dalembert.mechanics.gyroscopic import spin_implicitly
from dalembert.mechanics.motion import displace, velocity_of
from dalembert.system.borders import OK, STEPPING, rates
from dalembert.system.layout import (
    GYROSCOPIC,
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
    """The rate q' keeps the method's correction: q' + N (v_new - v_old)."""
    qdot = vector(work, sizes, QDOT, NQ)
    vdot = vector(work, sizes, VDOT, NV)
    status = rates(work, sizes, t, h, q, v, qdot, vdot, vector(work, sizes, LAM, ROWS))
    if status != OK:
        return status
    if sizes[GYROSCOPIC] == 1:
        spin_implicitly(work, sizes, h, v, vdot)
    u = scratch_vector(work, sizes, INTEGRATOR_SCRATCH, 6 * max(sizes[NQ], sizes[NV]), sizes[NV])
    velocity_of(work, sizes, q, qdot, u)
    for k in range(sizes[NV]):
        u[k] += h * vdot[k]
        v[k] += h * vdot[k]
    displace(work, sizes, h, u, q)
    return OK


@dataclass(frozen=True)
class SemiImplicitEuler(Integrator):
    """First order, symplectic for separable systems.

    Choose it for many small steps where energy should stay bounded, as games and some peers do.
    """

    order = 1
    stages = 1
    stability = 2.0
    spins_implicitly = True
    advance = advance

    def scratch(self, nq: int, nv: int, rows: int) -> int:
        return hermite_scratch(nq, nv) + nv

    def keeps_stable(self, step: float, a: float, b: float) -> bool:
        # The velocity sees the old position, the position the new velocity: 2 h a + h^2 b < 4.
        return 2 * step * a + step * step * b < 4
