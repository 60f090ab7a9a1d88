"""Explicit Euler: x <- x + h x'(t, x). With Braun-Goldfarb this is their eqs. 20-21.

Before a method that replaces the position by its velocity (`Method.order` 1) bodies take their
gyroscopic torque implicitly: what is left of this step is v* only.
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert.integration.protocol import Integrator
from dalembert.mechanics.maximal import spin_implicitly
from dalembert.system.borders import OK, STEPPING, rates
from dalembert.system.state_layout import State


@border(STEPPING)
def advance(state: State, t, h, q, v):
    """q <- q + h q', v <- v + h v'."""
    qdot, vdot = state.qdot, state.vdot
    status = rates(state, t, h, q, v, qdot, vdot, state.lam)
    if status != OK:
        return status
    if state.gyroscopic == 1:
        spin_implicitly(state, h, v, vdot)
    for i in range(state.nq):
        q[i] += h * qdot[i]
    for k in range(state.nv):
        v[k] += h * vdot[k]
    return OK


@dataclass(frozen=True)
class ExplicitEuler(Integrator):
    """First order, explicit.

    Choose it to see what a first-order step does; `RK4` costs four evaluations and is far better.
    """

    order = 1
    stages = 1
    stability = 2.0
    amplification = (1.0, 1.0)
    advance = advance
