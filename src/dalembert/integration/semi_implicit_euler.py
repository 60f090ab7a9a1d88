"""Semi-implicit (symplectic) Euler: the velocity first, the position with the new velocity.

v <- v + h v'(t, q, v),     q <- q (+) h N v

Bodies take their gyroscopic torque implicitly, which keeps fast rotations bounded
(`mechanics.maximal`).
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert.integration.protocol import Integrator
from dalembert.mechanics.maximal import spin_implicitly
from dalembert.mechanics.motion import displace, velocity_of
from dalembert.system.borders import OK, STEPPING, rates
from dalembert.system.state_layout import State


class Room(Part, of=State):
    """Scratch."""

    ends: Numbers = over("6 * nq")
    u: Numbers = over("nv")  # velocity that the position follows


@border(STEPPING)
def advance(state: State, t, h, q, v):
    """The rate q' keeps the method's correction: q' + N (v_new - v_old)."""
    qdot, vdot = state.qdot, state.vdot
    status = rates(state, t, h, q, v, qdot, vdot, state.lam)
    if status != OK:
        return status
    if state.gyroscopic == 1:
        spin_implicitly(state, h, v, vdot)
    u = Room(state, state.integrator_scratch).u
    velocity_of(state, q, qdot, u)
    for k in range(state.nv):
        u[k] += h * vdot[k]
        v[k] += h * vdot[k]
    displace(state, h, u, q)
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
        return Room.length(nq=nq, nv=nv)

    def keeps_stable(self, step: float, a: float, b: float) -> bool:
        # The velocity sees the old position, the position the new velocity: 2 h a + h^2 b < 4.
        return 2 * step * a + step * step * b < 4
