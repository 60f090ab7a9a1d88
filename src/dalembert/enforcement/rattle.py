"""RATTLE: the symplectic constrained leapfrog.

    v_1/2 = v_n + h/2 M^-1 (Q_n + J_n^T lam),     q = q_n + h v_1/2,   lam from Phi(q) = 0
    v = v_1/2 + h/2 M^-1 (Q + J^T mu),            mu from J v = -Phi_t      (physics 5.11)

Andersen (1983). The position multiplier is found by iterating with the factors of J_n, so that
dependent rows and singular positions are treated as everywhere else. A force that depends on
velocity makes the second half implicit; it is iterated.

Second order, no drift of energy, exact constraints, for a constant mass matrix. Choose it for long
conservative runs in Cartesian or natural coordinates.
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import displace, free_solve, respond
from dalembert.mechanics.projection import ACCEPTABLE, largest, worst_ratio
from dalembert.system.borders import NO_CONVERGENCE, OK, STEPPING, evaluate, factor, residual
from dalembert.system.layout import (
    BOTTOM,
    CORRECTION,
    CORRECTION_LAM,
    FORCE_HAS_VELOCITY,
    HOLONOMIC,
    ITERATIONS,
    METHOD_SCRATCH,
    NQ,
    NV,
    PHI,
    PHI_DOT,
    ROW_TOLERANCE,
    ROWS,
    VDOT,
    scratch_vector,
    vector,
)

CAP = 60
"""Iterations for the position multiplier; each gains about a factor of the step."""


@border(STEPPING)
def advance(work, sizes, t, h, q, v):
    """Half kick, drift onto the constraints, half kick onto their velocities."""
    n = sizes[NV]
    a = vector(work, sizes, VDOT, NV)
    evaluate(work, sizes, t, q, v)
    status = free_solve(work, sizes, a)
    if status != OK:
        return status
    status = factor(work, sizes, FORCE_TOLERANCE)
    if status != OK:
        return status
    for k in range(n):
        v[k] += 0.5 * h * a[k]
    displace(sizes, h, v, q)
    status = shake(work, sizes, t + h, h, q, v)
    if status != OK:
        return status
    return kick(work, sizes, t + h, h, q, v, a)


@kernel
def shake(work, sizes, t, h, q, v):
    """Position multiplier: corrections d = M^-1 J_n^T x with J_n d = -Phi until Phi is rounding."""
    phi = vector(work, sizes, PHI, HOLONOMIC)
    tolerance = vector(work, sizes, ROW_TOLERANCE, ROWS)
    bottom = vector(work, sizes, BOTTOM, ROWS)
    d = vector(work, sizes, CORRECTION, NV)
    best = 1e300
    stalled = 0
    for _iteration in range(CAP):
        residual(work, sizes, t, q, v)
        ratio = worst_ratio(sizes[HOLONOMIC], phi, tolerance, largest(sizes[NQ], q))
        if ratio <= 1.0:
            return OK
        stalled = stalled + 1 if not ratio < 0.9 * best else 0
        best = min(best, ratio)
        if stalled == 4:
            break
        for i in range(sizes[ROWS]):
            bottom[i] = -phi[i] if i < sizes[HOLONOMIC] else 0.0
        respond(work, sizes, bottom, d, vector(work, sizes, CORRECTION_LAM, ROWS))
        displace(sizes, 1.0, d, q)
        # q moves by d = h^2/2 M^-1 J_n^T lam, the half-step velocity by d / h.
        for k in range(sizes[NV]):
            v[k] += d[k] / h
        sizes[ITERATIONS] += 1
    if ratio <= ACCEPTABLE:
        return OK
    return NO_CONVERGENCE


@kernel
def kick(work, sizes, t, h, q, v, a):
    """v <- v + h/2 M^-1 Q(q, v) + (what makes Phi' vanish), iterated for Q(v)."""
    n = sizes[NV]
    bottom = vector(work, sizes, BOTTOM, ROWS)
    d = vector(work, sizes, CORRECTION, NV)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    half = scratch_vector(work, sizes, METHOD_SCRATCH, 0, n)
    for k in range(n):
        half[k] = v[k]
    for _iteration in range(CAP):
        evaluate(work, sizes, t, q, v)
        status = free_solve(work, sizes, a)
        if status != OK:
            return status
        change = 0.0
        for k in range(n):
            d[k] = half[k] + 0.5 * h * a[k]
        # Phi' is linear in v: at the new velocity without multiplier
        for k in range(n):
            a[k] = d[k]
        residual(work, sizes, t, q, a)
        status = factor(work, sizes, FORCE_TOLERANCE)
        if status != OK:
            return status
        for i in range(sizes[ROWS]):
            bottom[i] = -phi_dot[i]
        respond(work, sizes, bottom, d, vector(work, sizes, CORRECTION_LAM, ROWS))
        for k in range(n):
            new = a[k] + d[k]
            change = max(change, abs(new - v[k]))
            v[k] = new
        if change <= 1e-14 * largest(n, v) or sizes[FORCE_HAS_VELOCITY] == 0:
            return OK
    return NO_CONVERGENCE


@dataclass(frozen=True)
class Rattle(Method):
    """Symplectic leapfrog with position and velocity multipliers."""

    levels = frozenset({"position", "velocity"})
    drift = "machine"
    order = 2
    velocity_rows = False
    advance = advance

    def scratch(self, nq: int, nv: int, holonomic: int, rows: int) -> int:
        return nv

    def refuse(self, system, integrator, step):
        if not system.mass_is_constant:
            return (
                "Rattle: the mass matrix depends on the coordinates, where the leapfrog is not "
                "symplectic and loses its order. Use Projection, or describe the system in "
                "Cartesian or natural coordinates."
            )
        return None
