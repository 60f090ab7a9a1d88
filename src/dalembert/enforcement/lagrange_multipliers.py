"""Lagrange multipliers: the saddle-point system solved as it stands.

    [ M  -J^T ] [ v'  ]   [ Q     ]
    [ J   0   ] [ lam ] = [ rhs_a ]                                         (methods 2)

Choose it to see the textbook equation at work with independent rows. Dependent rows make the
matrix singular and are refused where they occur; there is no correction of drift.
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.motion import accelerate, kinematic_map
from dalembert.system.borders import RATING
from dalembert.system.state_layout import State


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """q' = N v; (v', lam) from the saddle-point matrix."""
    kinematic_map(state, q, v, qdot_out)
    return accelerate(state, t, q, v, vdot_out, lam_out)


@dataclass(frozen=True)
class LagrangeMultipliers(Method):
    """Accelerations and multipliers from the saddle-point (KKT) matrix.

    Choose it to see the textbook equation at work. Dependent rows are refused where they occur; the
    position drifts.
    """

    levels = frozenset({"acceleration"})
    drift = "grows"
    keeps_to_borders = True
    redundant = False
    form = "saddle"
    traceable = False
    rates = rates
