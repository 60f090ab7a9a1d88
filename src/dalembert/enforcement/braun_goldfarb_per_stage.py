"""Braun-Goldfarb with the corrections re-evaluated in every stage; for comparison only.

    q' = N [ v + R^-1 C^+ (-Phi_t - J v - Phi / h) ]
    v' =     a + R^-1 C^+ (rhs_a - J a - Phi' / h)

The literal reading of Braun & Goldfarb (2009), eq. 16. Inside an explicit Runge-Kutta step the
stage residual is O(h^2), so the correction is O(h): constraints are met to O(h^2) only and the
motion to about second order (methods 4.5 has the figures). Use `BraunGoldfarb`.
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.feedback import feedback_rates
from dalembert.system.borders import RATING
from dalembert.system.state_layout import State


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """Feedback on both levels with the gain 1 / h."""
    return feedback_rates(state, t, 1.0 / h, q, v, qdot_out, vdot_out, lam_out)


@dataclass(frozen=True)
class BraunGoldfarbPerStage(Method):
    """The per-stage reading of eq. 16: second order, constraints O(h^2).

    For comparison only: use `BraunGoldfarb`.
    """

    levels = frozenset({"position", "velocity", "acceleration"})
    drift = "step"
    keeps_to_borders = True
    order = 2
    moves_rates = True
    rates_know_step = True
    rates = rates
