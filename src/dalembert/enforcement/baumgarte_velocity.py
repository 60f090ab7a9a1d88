"""Baumgarte feedback on the velocity level.

    J u = -Phi_t - Phi / tau,   q' = N u;      J v' = rhs_a - Phi' / tau       (methods 4.4)

so that each level decays by itself: (Phi)' = -Phi / tau, (Phi')' = -Phi' / tau. The convention is a
time constant, as in Castro (2025), eq. 25 (which calls it tau and prints "proportional-derivative";
it is proportional only). With an impulse after the step instead of a rate it becomes
`VelocitySplitting`.

Choose it to study the influence of the gain; the step must resolve tau.
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert._memory import Part
from dalembert.enforcement.protocol import Method, require_positive
from dalembert.mechanics.feedback import feedback_rates
from dalembert.system.borders import RATING
from dalembert.system.state_layout import State


class Options(Part, of=State):
    """Options of the method."""

    gain: float  # 1 / tau


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """Feedback on both levels with the gain 1 / tau."""
    gain = Options(state, state.options).gain
    return feedback_rates(state, t, gain, q, v, qdot_out, vdot_out, lam_out)


@dataclass(frozen=True)
class BaumgarteVelocity(Method):
    """Phi' = -Phi / tau.

    Parameters
    ----------
    time_constant : float   tau, the decay time of a violation  [s]
    """

    time_constant: float = 0.02

    levels = frozenset({"position", "velocity", "acceleration"})
    drift = "bounded"
    keeps_to_borders = True
    moves_rates = True
    rates = rates

    def __post_init__(self) -> None:
        require_positive("BaumgarteVelocity", "time_constant", self.time_constant)

    def options(self) -> list[float]:
        return [1.0 / self.time_constant]

    def refuse(self, system, integrator, step):
        if step is None or step <= integrator.stability * self.time_constant:
            return None
        return (
            f"BaumgarteVelocity: a step of {step:g} s is longer than {integrator.stability} times "
            f"the time constant {self.time_constant:g} s, where {type(integrator).__name__} is "
            "unstable. Take a longer time constant or a smaller step."
        )
