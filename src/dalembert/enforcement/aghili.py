"""Aghili's projection: accelerations by a constraint inertia matrix, corrections by J^+.

    P = 1 - J^+ J,    (P M + mu (1 - P)) v' = P Q + mu J^+ rhs_a            (methods 5.6)
    lam = (J^T)^+ (M v' - Q)
    q <- q (+) N d,  d = -J^+ Phi,  until Phi is rounding;     v <- v - J^+ Phi'

Aghili (2005), "A unified approach for inverse and direct dynamics of constrained multibody systems
based on linear projection operator", whose M + P M - (P M)^T is replaced by the matrix above, with
the same solution and an equation for each of the two subspaces. mu is a mass: coordinates are
scaled by the roots of the diagonal of M, so that mu = 1 and lengths do not depend on units.

One formula whatever the rank of J: dependent rows and singular positions need no case of their own,
and the multipliers are those of least length. Corrections do not ask the masses, as with
`Projection(norm="euclidean")`. Choose it to compare; full matrices, as many operations as n^3.
"""

from dataclasses import dataclass

from dalembert._jit import border
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.motion import accelerate, kinematic_map
from dalembert.mechanics.projection import MASS_NORM, project
from dalembert.system.borders import RATING, STEPPING
from dalembert.system.state_layout import State

CAP = 10
"""Newton steps allowed after one step of the integrator; one or two are usual."""


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """q' = N v; (v', lam) by the constraint inertia matrix."""
    kinematic_map(state, q, v, qdot_out)
    return accelerate(state, t, q, v, vdot_out, lam_out)


@border(STEPPING)
def end_step(state: State, t, h, q, v):
    """Corrections of least length: `respond` of this form measures so."""
    return project(state, t + h, q, v, MASS_NORM, CAP)


@dataclass(frozen=True)
class Aghili(Method):
    """Accelerations by the projector onto the null space of J, corrections by its pseudoinverse.

    For comparison: one formula for rows of any rank, on full matrices.
    """

    levels = frozenset({"position", "velocity", "acceleration"})
    drift = "machine"
    keeps_to_borders = True
    uses_matrices = True
    form = "projector"
    traceable = False
    rates = rates
    end_step = end_step
