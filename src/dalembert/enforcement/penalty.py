"""Explicit penalty: springs and dampers instead of constraints.

    M v' = Q - J^T (kp Phi + kd Phi')                                       (physics 5.7)

An explicit step needs h sqrt(kp rho) and h kd rho below about 2.8, rho the largest eigenvalue of
J M^-1 J^T; a load lam opens the constraint by lam / kp. Kept for comparison and for elements that
really are elastic. A velocity constraint has a damper only.
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert.enforcement.protocol import Method, require_not_negative, require_positive
from dalembert.mechanics.maximal import pull
from dalembert.mechanics.motion import free_solve, kinematic_map
from dalembert.system.borders import OK, RATING, STEPPING, evaluate, residual
from dalembert.system.layout import (
    BODIES,
    FORCE,
    HOLONOMIC,
    JACOBIAN,
    LAM,
    NV,
    OPTIONS,
    OPTIONS_LENGTH,
    PHI,
    PHI_DOT,
    ROWS,
    matrix,
    vector,
)


@kernel
def spring_forces(work, sizes, lam_out):
    """Lam = -(kp Phi + kd Phi') at the last evaluated state."""
    options = vector(work, sizes, OPTIONS, OPTIONS_LENGTH)
    phi = vector(work, sizes, PHI, ROWS)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    for i in range(sizes[ROWS]):
        lam_out[i] = -options[1] * phi_dot[i]
        if i < sizes[HOLONOMIC]:
            lam_out[i] = lam_out[i] - options[0] * phi[i]


@border(RATING)
def rates(work, sizes, t, h, q, v, qdot_out, vdot_out, lam_out):
    """lam = -(kp Phi + kd Phi');  M v' = Q + J^T lam."""
    evaluate(work, sizes, t, q, v)
    kinematic_map(sizes, q, v, qdot_out)
    spring_forces(work, sizes, lam_out)
    force = vector(work, sizes, FORCE, NV)
    if sizes[BODIES] > 0:
        pull(work, sizes, lam_out, force)
        return free_solve(work, sizes, vdot_out)
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    for i in range(sizes[ROWS]):
        for k in range(sizes[NV]):
            force[k] = force[k] + J[i, k] * lam_out[i]
    return free_solve(work, sizes, vdot_out)


@border(STEPPING)
def end_step(work, sizes, t, h, q, v):
    """The forces of the accepted state, for the record."""
    residual(work, sizes, t + h, q, v)
    spring_forces(work, sizes, vector(work, sizes, LAM, ROWS))
    return OK


@dataclass(frozen=True)
class Penalty(Method):
    """Explicit spring-damper on every constraint row.

    Parameters
    ----------
    stiffness : float   kp  [N/m or N m/rad]
    damping : float     kd  [N s/m or N m s/rad]
    """

    stiffness: float = 1e4
    damping: float = 1e2

    inverts_mass = True
    drift = "bounded"
    own_multipliers = True
    traceable = False
    rates = rates
    end_step = end_step

    def __post_init__(self) -> None:
        require_positive("Penalty", "stiffness", self.stiffness)
        require_not_negative("Penalty", "damping", self.damping)

    def options(self) -> list[float]:
        return [self.stiffness, self.damping]
