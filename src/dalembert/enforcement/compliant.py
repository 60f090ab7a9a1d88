"""Implicit compliant constraints: a spring and damper on every row, taken at the end of the step.

    (M + h (h kp + kd) J^T J) v = M v* - h J^T (kp Phi_n + (h kp + kd) Phi_t)
    q = q_n (+) h N v,     lam = -(kp Phi_n + (h kp + kd) (J v + Phi_t))    (physics 5.6)

Castro (2025), section 5. Its eqs. 31-32 print the gains as h (kp + h kd) and leave out J^T; the
units decide (h kp and kd agree) and `docs/theory/errata.md` derives the form above. A velocity
constraint has a damper only.

Unconditionally stable, first order. Choose it for real compliance (a mount, a bushing) or as a
robust substitute for rigidity: beyond kp of about 1e8 nothing changes but the condition number.
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert.enforcement.protocol import Method, require_not_negative, require_positive
from dalembert.mechanics.dense import mass_checked, mass_solve
from dalembert.mechanics.free import free_rates, hold_start
from dalembert.mechanics.maximal import image, mass_times, pull
from dalembert.mechanics.motion import displace
from dalembert.mechanics.weighted import factor_weighted, solve_weighted
from dalembert.system.borders import OK, RATING, STEPPING, evaluate
from dalembert.system.layout import (
    BODIES,
    BOTTOM,
    CORRECTION,
    HELD_PHI,
    HOLONOMIC,
    JACOBIAN,
    LAM,
    MASS,
    NQ,
    NV,
    OPTIONS,
    OPTIONS_LENGTH,
    PHI_DOT,
    REST_BOTTOM,
    REST_TOP,
    ROW_WEIGHT,
    ROWS,
    START_Q,
    matrix,
    vector,
)

PASSES = 3
"""Solves along the body graph: the first, and two with what rounding has left."""


@border(STEPPING)
def begin_step(work, sizes, t, h, q, v):
    """Hold q_n and Phi_n."""
    return hold_start(work, sizes, t, q, v)


@border(RATING)
def rates(work, sizes, t, h, q, v, qdot_out, vdot_out, lam_out):
    """The unconstrained system."""
    return free_rates(work, sizes, t, q, v, qdot_out, vdot_out, lam_out)


@border(STEPPING)
def end_step(work, sizes, t, h, q, v):
    """Implicit spring-damper impulse; written for the change w = v - v*."""
    start = vector(work, sizes, START_Q, NQ)
    evaluate(work, sizes, t + h, start, v)
    w = vector(work, sizes, CORRECTION, NV)
    if sizes[BODIES] > 0:
        status = respond_along_graph(work, sizes, h, w)
    else:
        status = respond_in_full(work, sizes, h, w)
    if status != OK:
        return status
    for k in range(sizes[NV]):
        v[k] += w[k]
    for i in range(sizes[NQ]):
        q[i] = start[i]
    displace(sizes, h, v, q)
    return OK


@kernel
def respond_along_graph(work, sizes, h, w):
    """w and lam of the last evaluated state; H along the body graph."""
    n, m = sizes[NV], sizes[ROWS]
    options = vector(work, sizes, OPTIONS, OPTIONS_LENGTH)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    held = vector(work, sizes, HELD_PHI, ROWS)
    weight = vector(work, sizes, ROW_WEIGHT, ROWS)
    load = vector(work, sizes, BOTTOM, ROWS)
    moved = vector(work, sizes, REST_BOTTOM, ROWS)
    lam = vector(work, sizes, LAM, ROWS)
    for i in range(m):
        stiff = options[0] if i < sizes[HOLONOMIC] else 0.0
        gain = h * stiff + options[1]
        weight[i] = h * gain
        # -h (kp Phi_n + (h kp + kd) (J v* + Phi_t))
        load[i] = -h * (stiff * held[i] + gain * phi_dot[i])
    status = factor_weighted(work, sizes)
    if status != OK:
        return status
    rest = vector(work, sizes, REST_TOP, NV)
    for k in range(n):
        w[k] = 0.0
    for i in range(m):
        moved[i] = 0.0
    for _pass in range(PASSES):
        # H dw = J^T (load - G J w) - M w
        mass_times(work, sizes, w, rest)
        for k in range(n):
            rest[k] = -rest[k]
        for i in range(m):
            lam[i] = load[i] - weight[i] * moved[i]
        pull(work, sizes, lam, rest)
        solve_weighted(work, sizes, rest)
        for k in range(n):
            w[k] += rest[k]
        image(work, sizes, w, moved)
    for i in range(m):
        lam[i] = (load[i] - weight[i] * moved[i]) / h
    return OK


@kernel
def respond_in_full(work, sizes, h, w):
    """The same with full matrices."""
    n, m = sizes[NV], sizes[ROWS]
    options = vector(work, sizes, OPTIONS, OPTIONS_LENGTH)
    kp, kd = options[0], options[1]
    M = matrix(work, sizes, MASS, NV, NV)
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    held = vector(work, sizes, HELD_PHI, ROWS)
    load = vector(work, sizes, BOTTOM, ROWS)
    lam = vector(work, sizes, LAM, ROWS)
    for i in range(m):
        stiff = kp if i < sizes[HOLONOMIC] else 0.0
        gain = h * stiff + kd
        # kp Phi_n + (h kp + kd) (J v* + Phi_t)
        load[i] = stiff * held[i] + gain * phi_dot[i]
        # H = M + h (h kp + kd) J^T J, lower triangle
        for k in range(n):
            for j in range(k + 1):
                M[k, j] += h * gain * J[i, k] * J[i, j]
    status = mass_checked(work, sizes)
    if status != OK:
        return status
    for k in range(n):
        total = 0.0
        for i in range(m):
            total -= h * J[i, k] * load[i]
        w[k] = total
    mass_solve(work, sizes, w)
    for i in range(m):
        gain = (h * kp if i < sizes[HOLONOMIC] else 0.0) + kd
        total = -load[i]
        for k in range(n):
            total -= gain * J[i, k] * w[k]
        lam[i] = total
    return OK


@dataclass(frozen=True)
class Compliant(Method):
    """Implicit spring-damper on every constraint row.

    Parameters
    ----------
    stiffness : float   kp, force per unit of the formula  [N/m or N m/rad]
    damping : float     kd  [N s/m or N m s/rad]
    """

    stiffness: float = 1e8
    damping: float = 1e4

    levels = frozenset({"velocity"})
    drift = "bounded"
    order = 1
    own_multipliers = True
    traceable = False
    rates = rates
    begin_step = begin_step
    end_step = end_step

    def __post_init__(self) -> None:
        require_positive("Compliant", "stiffness", self.stiffness)
        require_not_negative("Compliant", "damping", self.damping)

    def options(self) -> list[float]:
        return [self.stiffness, self.damping]
