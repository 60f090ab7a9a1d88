"""The protocol of integrators: one border that moves (q, v) over a step, and its facts.

`advance(state, t, h, q, v)` calls the method's `rates` in its stages and leaves the new state in q,
v. An integrator with error control leaves the scaled error norm in `state.error`. After a step,
`interpolate_prepare` makes its continuous output ready and `interpolate` evaluates it.
"""

from __future__ import annotations

import cmath
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from dalembert._jit import Border, border, kernel
from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert.mechanics.motion import kinematic_map, quaternion_places, velocity_of
from dalembert.model.basics.unchanging import Settled
from dalembert.numerics.vector import copy
from dalembert.system.borders import OK, STEPPING, normalise, rates
from dalembert.system.state_layout import State


@dataclass(frozen=True)
class Integrator(Settled):
    """Base of all integrators."""

    order: ClassVar[int] = 1
    adaptive: ClassVar[bool] = False
    controls_impulses: ClassVar[bool] = False
    """Says by which tolerance steps with impulses are taken."""
    explicit: ClassVar[bool] = True
    stages: ClassVar[int] = 1
    """Evaluations of the rates in one step."""
    stability: ClassVar[float] = float("inf")
    """Largest h times (decay rate) of a stable step: the real stability interval."""
    backward: ClassVar[bool] = False
    """Replaces x' by c0 x + (history), which a method with a `backward` border solves with."""
    uses_matrices: ClassVar[bool] = False
    """Works on full matrices of the size of the state."""
    spins_implicitly: ClassVar[bool] = False
    """Bodies take their gyroscopic torque implicitly."""
    amplification: ClassVar[tuple[float, ...] | None] = None
    """Coefficients of R(z), by which a step multiplies a solution of x' = s x, z = h s; None where
    no step is too long."""

    @property
    def collocation(self) -> tuple[Any, Any, Any] | None:
        """Nodes c, matrix a and weights d of a step x + sum_i d_i Z_i, or None.

        Its increments are Z_i = h sum_j a_ij x'(t + c_j h, x + Z_j).
        """
        return None

    advance: ClassVar[Border]
    interpolate_prepare: ClassVar[Border]
    interpolate: ClassVar[Border]

    def keeps_stable(self, step: float, a: float, b: float) -> bool:
        """Whether x'' + a x' + b x = 0 stays bounded: |R(h s)| <= 1 for both roots s."""
        if self.amplification is None:
            return True
        root = cmath.sqrt(a * a / 4 - b)
        for s in (-a / 2 - root, -a / 2 + root):
            size = abs(sum(c * (step * s) ** k for k, c in enumerate(self.amplification)))
            if size > 1 + 1e-12:
                return False
        return True

    def options(self, length: float) -> list[float]:
        """Floats for `state.integrator_options`; `length` is the size of the coordinates."""
        return []

    def scratch(self, nq: int, nv: int, rows: int) -> int:
        """Floats of private workspace: the length of a `Room`, which begins with `Ends`."""
        return Ends.length(nq=nq)

    def finds_steps(self, method: Any) -> bool:
        """Whether steps with a method follow a tolerance."""
        return self.adaptive and (not method.steps_itself(self) or self.controls_impulses)

    def refuse(self, method: Any) -> str | None:
        """A sentence when this integrator cannot serve this method, else None."""
        return None

    def describe(self) -> str:
        """Name and parameters in one line."""
        values = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self))
        return f"{type(self).__name__}({values})"


class Ends(Part, of=State):
    """Both ends of a step, for the interpolation below."""

    q0: Numbers = over("nq")
    q0_dot: Numbers = over("nq")
    q0_ddot: Numbers = over("nq")
    q1: Numbers = over("nq")
    q1_dot: Numbers = over("nq")
    q1_ddot: Numbers = over("nq")


@border(STEPPING)
def hermite_prepare(state: State, t, h, q, v):
    """Continuous output of fixed-step integrators: q, q', q'' at both ends of the step.

    The step began with `start_q`, `start_v`; (q, v) is its end.
    """
    ends, q0, v0 = Ends(state, state.integrator_scratch), state.start_q, state.start_v
    qdot, vdot, lam = state.qdot, state.vdot, state.lam
    status = rates(state, t, h, q0, v0, qdot, vdot, lam)
    if status != OK:
        return status
    hermite_end(state, q0, v0, vdot, ends.q0, ends.q0_dot, ends.q0_ddot)
    status = rates(state, t + h, h, q, v, qdot, vdot, lam)
    hermite_end(state, q, v, vdot, ends.q1, ends.q1_dot, ends.q1_ddot)
    return status


@kernel
def hermite_end(state: State, q, v, vdot, q_out, dot_out, ddot_out):
    """q, q' and q'' at one end.

    q' = N(q) v; of a quaternion q'' = 1/2 (0, w') q - |w|^2 / 4 q.
    """
    copy(q, q_out)
    kinematic_map(state, q, v, dot_out)
    kinematic_map(state, q, vdot, ddot_out)
    for b in range(state.quaternions):
        i, k = quaternion_places(state, b)
        square = v[k] * v[k] + v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2]
        for j in range(4):
            ddot_out[i + j] -= 0.25 * square * q[i + j]


@border(STEPPING)
def hermite(state: State, t, h, q, v):
    """State at the fraction `t` of a step of length h: quintic in q, its derivative for v."""
    ends, qdot = Ends(state, state.integrator_scratch), state.qdot
    for k in range(state.nq):
        q[k], qdot[k] = quintic(
            t,
            h,
            ends.q0[k],
            ends.q0_dot[k],
            ends.q0_ddot[k],
            ends.q1[k],
            ends.q1_dot[k],
            ends.q1_ddot[k],
        )
    velocity_of(state, q, qdot, v)
    normalise(state, q)
    return OK


@kernel
def quintic(s, h, x0, v0, a0, x1, v1, a1):
    """Value and time derivative at s in [0, 1] of the quintic with given ends.

    x(s) = x0 + h v0 s + h^2 a0 s^2/2 + c3 s^3 + c4 s^4 + c5 s^5.
    """
    d = x1 - x0 - h * v0 - 0.5 * h * h * a0
    e = h * (v1 - v0) - h * h * a0
    f = h * h * (a1 - a0)
    c3 = 10.0 * d - 4.0 * e + 0.5 * f
    c4 = -15.0 * d + 7.0 * e - f
    c5 = 6.0 * d - 3.0 * e + 0.5 * f
    x = x0 + s * (h * v0 + s * (0.5 * h * h * a0 + s * (c3 + s * (c4 + s * c5))))
    slope = h * v0 + s * (h * h * a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))
    return x, slope / h


Integrator.interpolate_prepare = hermite_prepare
Integrator.interpolate = hermite
