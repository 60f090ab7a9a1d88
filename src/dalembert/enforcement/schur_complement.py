"""Schur complement: first the multipliers, then the accelerations ("JMJT").

    (J M^-1 J^T) lam = rhs_a - J M^-1 Q,    v' = M^-1 (Q + J^T lam)         (methods 2)

The cheapest form for independent rows. Dependent rows make J M^-1 J^T singular and are refused
where they occur; there is no correction of drift.
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.motion import accelerate, kinematic_map
from dalembert.system.borders import RATING
from dalembert.system.state_layout import State


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """q' = N v; lam from J M^-1 J^T, v' from lam."""
    kinematic_map(state, q, v, qdot_out)
    return accelerate(state, t, q, v, vdot_out, lam_out)


@dataclass(frozen=True)
class SchurComplement(Method):
    """Multipliers from J M^-1 J^T; no correction of drift.

    The cheapest form for independent rows; dependent ones are refused where they occur.
    """

    levels = frozenset({"acceleration"})
    drift = "grows"
    keeps_to_borders = True
    redundant = False
    inverts_mass = True
    form = "schur"
    rates = rates
