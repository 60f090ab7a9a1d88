"""Coordinate projection: any integrator, then the nearest state on the constraints.

    delta = -W^-1 J^T (J W^-1 J^T)^+ Phi,   q <- q (+) N delta     until Phi is rounding
    v <- v - W^-1 J^T (J W^-1 J^T)^+ Phi'                                   (methods 5.2)

W = M measures the change by its kinetic energy (default), W = 1 by the coordinates. Castro (2025),
eqs. 18-24, prints M^-1 J_q^T, which has mismatched sizes as soon as q' is not v; in tangent space,
J = J_q N, it is right for all coordinates.

This is the default method: no gains, rounding on both levels at any step, the order of the
integrator kept, dependent rows and singular positions welcome.
"""

from dataclasses import dataclass
from typing import Literal

from dalembert._jit import Border, border
from dalembert.enforcement.protocol import Method
from dalembert.errors import OptionError
from dalembert.mechanics.motion import accelerate, kinematic_map
from dalembert.mechanics.projection import EUCLIDEAN_NORM, MASS_NORM, project
from dalembert.system.borders import OK, RATING, STEPPING, residual
from dalembert.system.state_layout import State

CAP = 10
"""Gauss-Newton steps allowed after one step of the integrator; one or two are usual."""


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """q' = N v; v' from the constrained equations."""
    kinematic_map(state, q, v, qdot_out)
    return accelerate(state, t, q, v, vdot_out, lam_out)


@border(STEPPING)
def end_step(state: State, t, h, q, v):
    """Project position and velocity."""
    return project(state, t + h, q, v, state.method_flag, CAP)


@border(STEPPING)
def end_unconstrained(state: State, t, h, q, v):
    """`end_step` where there is no row: bodies are where q and v have them."""
    state.projections += 1
    residual(state, t + h, q, v)
    state.seen = 1
    return OK


def end_of(rows: int) -> Border:
    """End of a step of this method: short, and soon compiled, where nothing is constrained."""
    return end_step if rows else end_unconstrained


@dataclass(frozen=True)
class Projection(Method):
    """Project each accepted step onto the constraints.

    Parameters
    ----------
    norm : "mass" or "euclidean"   how the correction is measured
    """

    norm: Literal["mass", "euclidean"] = "mass"

    levels = frozenset({"position", "velocity", "acceleration"})
    drift = "machine"
    keeps_to_borders = True
    rates = rates
    end_step = end_step

    def __post_init__(self) -> None:
        if self.norm not in ("mass", "euclidean"):
            raise OptionError(f"Projection: norm is {self.norm!r}. Give 'mass' or 'euclidean'.")

    def flag(self) -> int:
        return MASS_NORM if self.norm == "mass" else EUCLIDEAN_NORM
