"""Velocity-level splitting: an unconstrained step, then an impulse.

    v* from any integrator of M v' = Q: RK4, or an implicit one where Q is stiff
    (J M^-1 J^T) Lam = -(J v* + Phi_t + Phi_n / tau_s),   v = v* + M^-1 J^T Lam
    q = q_n (+) h N v                                                       (methods 5.1)

Castro (2025), eqs. 9-12 and 26 (eq. 12 prints J M J^T; the mass matrix must be inverted). M and J
belong to q_n, Phi_t to the end of the step. tau_s = h corrects the whole violation in one step,
no tau_s leaves it; stable for h / tau_s < 2.

First order, whatever produced v*. Choose it for real time and as the forerunner of contact; the
multipliers reported are impulses divided by the step; of rows that imply one another, those that
are kept carry it all.
"""

from dataclasses import dataclass
from typing import Literal

from dalembert._jit import border
from dalembert._memory import Part
from dalembert.enforcement.protocol import Method, require_positive
from dalembert.errors import OptionError
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import displace, respond_exactly
from dalembert.mechanics.unconstrained import free_rates, hold_start
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK, RATING, STEPPING, evaluate, factor
from dalembert.system.state_layout import State

FIXED_TIME, STEP_TIME = 0, 1


class Options(Part, of=State):
    """Options of the method."""

    gain: float  # 1 / tau_s, unless that is the step


@border(STEPPING)
def begin_step(state: State, t, h, q, v):
    """Hold q_n and Phi_n."""
    return hold_start(state, t, q, v)


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """q' = N v, M v' = Q: the system without its constraints."""
    return free_rates(state, t, q, v, qdot_out, vdot_out, lam_out)


@border(STEPPING)
def end_step(state: State, t, h, q, v):
    """Impulse at q_n on the velocity v* the integrator left, then the position from it."""
    evaluate(state, t + h, state.start_q, v)
    status = factor(state, FORCE_TOLERANCE)
    if status != OK:
        return status
    gain = Options(state, state.options).gain
    if state.method_flag == STEP_TIME:
        gain = 1.0 / h
    bottom, change, lam = state.bottom, state.correction, state.lam
    for i in range(state.rows):
        bottom[i] = -state.phi_dot[i]
        if i < state.holonomic:
            bottom[i] -= gain * state.held_phi[i]
    status = respond_exactly(state, bottom, change, lam)
    if status != OK:
        return status
    for k in range(state.nv):
        v[k] += change[k]
    copy(state.start_q, q)
    displace(state, h, v, q)
    for i in range(state.rows):
        lam[i] = lam[i] / h
    return OK


@dataclass(frozen=True)
class VelocitySplitting(Method):
    """Unconstrained step, then an impulse on the velocity.

    Parameters
    ----------
    time_constant : "step", None or float
        tau_s: the step itself (the whole violation in one step), no correction, or a time  [s]
    """

    time_constant: float | Literal["step"] | None = "step"

    levels = frozenset({"velocity"})
    drift = "step"
    order = 1
    own_multipliers = True
    traceable = False
    rates = rates
    begin_step = begin_step
    end_step = end_step

    def __post_init__(self) -> None:
        if isinstance(self.time_constant, str):
            if self.time_constant != "step":
                raise OptionError(
                    f"VelocitySplitting: time_constant is {self.time_constant!r}. "
                    "Give 'step', None or a time in seconds."
                )
        elif self.time_constant is not None:
            require_positive("VelocitySplitting", "time_constant", self.time_constant)

    def options(self) -> list[float]:
        given = isinstance(self.time_constant, (int, float))
        return [1.0 / self.time_constant if given else 0.0]  # type: ignore[operator]

    def flag(self) -> int:
        return STEP_TIME if self.time_constant == "step" else FIXED_TIME

    def refuse(self, system, integrator, step):
        given = isinstance(self.time_constant, (int, float))
        if given and step is not None and step >= 2.0 * self.time_constant:
            return (
                f"VelocitySplitting: step {step:g} s is not below twice the time constant "
                f"{self.time_constant:g} s, the limit of stability. Take a smaller step."
            )
        return None
