"""Baumgarte feedback on the acceleration level.

    J v' = rhs_a - 2 alpha Phi' - beta^2 Phi                                (methods 4.3)

so that Phi'' + 2 alpha Phi' + beta^2 Phi = 0. Two other conventions are in use, each with its own
constructor: `from_time_constant(epsilon)` has alpha = beta = 1 / epsilon (critical damping), and
`from_coefficients(a, b)` reads Phi'' + a Phi' + b Phi = 0. A velocity constraint psi = 0 gets
psi' = -alpha psi.

The gains are a compromise: small ones do not survive singular positions, large ones cost accuracy,
and an explicit integrator needs a step that resolves them (h alpha below 2.8 for RK4). Choose it
to compare with older codes.
"""

import math
from dataclasses import dataclass

from dalembert._jit import border
from dalembert._memory import Part
from dalembert.enforcement.protocol import Method, require_not_negative, require_positive
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import kinematic_map
from dalembert.system.borders import OK, RATING, evaluate, factor, solve
from dalembert.system.state_layout import State


class Options(Part, of=State):
    """Options of the method."""

    alpha: float
    beta: float


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """q' = N v;  J v' = rhs_a - 2 alpha Phi' - beta^2 Phi."""
    evaluate(state, t, q, v)
    status = factor(state, FORCE_TOLERANCE)
    if status != OK:
        return status
    kinematic_map(state, q, v, qdot_out)
    gains = Options(state, state.options)
    alpha, beta, phi, phi_dot = gains.alpha, gains.beta, state.phi, state.phi_dot
    for i in range(state.rows):
        if i < state.holonomic:
            state.bottom[i] = state.rhs_a[i] - 2.0 * alpha * phi_dot[i] - beta * beta * phi[i]
        else:
            state.bottom[i] = state.rhs_a[i] - alpha * phi_dot[i]
    return solve(state, state.force, state.bottom, vdot_out, lam_out)


@dataclass(frozen=True)
class Baumgarte(Method):
    """Phi'' + 2 alpha Phi' + beta^2 Phi = 0.

    Parameters
    ----------
    alpha : float   damping gain  [1/s]
    beta : float    frequency gain  [1/s]
    """

    alpha: float = 50.0
    beta: float = 50.0

    levels = frozenset({"acceleration"})
    drift = "bounded"
    keeps_to_borders = True
    rates = rates

    def __post_init__(self) -> None:
        require_positive("Baumgarte", "alpha", self.alpha)
        require_not_negative("Baumgarte", "beta", self.beta)

    @classmethod
    def from_time_constant(cls, epsilon: float) -> "Baumgarte":
        """Critically damped: alpha = beta = 1 / epsilon."""
        require_positive("Baumgarte", "epsilon", epsilon)
        return cls(alpha=1.0 / epsilon, beta=1.0 / epsilon)

    @classmethod
    def from_coefficients(cls, a: float, b: float) -> "Baumgarte":
        """Phi'' + a Phi' + b Phi = 0: alpha = a / 2, beta = sqrt(b)."""
        require_positive("Baumgarte", "a", a)
        require_not_negative("Baumgarte", "b", b)
        return cls(alpha=a / 2.0, beta=math.sqrt(b))

    def options(self) -> list[float]:
        return [self.alpha, self.beta]

    def refuse(self, system, integrator, step):
        if step is None or integrator.keeps_stable(step, 2 * self.alpha, self.beta**2):
            return None
        return (
            f"Baumgarte: with alpha = {self.alpha:g} 1/s and beta = {self.beta:g} 1/s a step of "
            f"{step:g} s of {type(integrator).__name__} is unstable. "
            "Take smaller gains or a smaller step."
        )
