"""Udwadia-Kalaba: constrained accelerations by the pseudoinverse, without correction.

    v' = a + R^-1 C^+ (rhs_a - J a),    C = J R^-1,  M = R^T R,  a = M^-1 Q

Braun & Goldfarb (2009), eq. 17; methods 4.1. The form R^-1 C^+ replaces the matrix square root
M^-1/2 B^+ of Udwadia and Kalaba; both are the same operator.

Choose it as the baseline of a comparison: rows may be dependent, but the constraint is imposed on
the acceleration level only, and the position drifts with the square of time.
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import accelerate_within, kinematic_map
from dalembert.system.borders import RATING
from dalembert.system.state_layout import State


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """q' = N v; v' = a + R^-1 C^+ (rhs_a - J a)."""
    kinematic_map(state, q, v, qdot_out)
    return accelerate_within(state, t, q, v, FORCE_TOLERANCE, vdot_out, lam_out)


@dataclass(frozen=True)
class UdwadiaKalaba(Method):
    """Accelerations by the pseudoinverse; no correction of drift.

    Choose it as the baseline of a comparison: the position drifts with the square of time.
    """

    levels = frozenset({"acceleration"})
    drift = "grows"
    keeps_to_borders = True
    form = "orthogonal"
    traceable = False
    rates = rates
