"""RATTLE: the symplectic constrained leapfrog.

    v_1/2 = v_n + h/2 M^-1 (Q_n + J_n^T lam),     q = q_n + h v_1/2,   lam from Phi(q) = 0
    v = v_1/2 + h/2 M^-1 (Q + J^T mu),            mu from J v = -Phi_t      (physics 5.11)

Andersen (1983). The position multiplier is found by Newton steps with J(q) M^-1 J_n^T, solved by
orthogonal decomposition so that dependent rows and singular positions are legal. A force that
depends on velocity makes the second half implicit; it is iterated.

Rigid bodies are kicked in their momenta, L' = tau in world axes, and drift as free tops
(`mechanics.drift`), so that the scheme stays symplectic where the mass matrix turns with the body.

Second order, no drift of energy, exact constraints, for a constant mass matrix or bodies. Choose it
for long conservative runs in Cartesian or natural coordinates and of bodies.
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.dense import FORCE_TOLERANCE, mass_solve
from dalembert.mechanics.drift import drift
from dalembert.mechanics.gyroscopic import leave_out_gyroscopic
from dalembert.mechanics.maximal import mass_solve_bodies, mass_times, pull
from dalembert.mechanics.motion import displace, free_solve, respond_exactly
from dalembert.mechanics.projection import ACCEPTABLE, learn_rounding
from dalembert.mechanics.ratios import scale_of, worst_ratio
from dalembert.numerics.orthogonal import orthogonal_factor, orthogonal_solve
from dalembert.system.borders import (
    NO_CONVERGENCE,
    OK,
    STEPPING,
    evaluate,
    factor,
    normalise,
    residual,
    respond,
)
from dalembert.system.equations import depends
from dalembert.system.layout import (
    BODIES,
    BOTTOM,
    CORRECTION,
    CORRECTION_LAM,
    FORCE,
    FORCE_HAS_VELOCITY,
    ITERATIONS,
    JACOBIAN,
    METHOD_SCRATCH,
    NQ,
    NV,
    ORTHO_BETA,
    ORTHO_GAMMA,
    ORTHO_ORDER,
    ORTHO_R,
    PHI,
    PHI_DOT,
    RANK,
    ROW_SIZE,
    ROW_TOLERANCE,
    ROWS,
    SOLVE_B,
    SOLVE_S,
    VDOT,
    matrix,
    scratch_matrix,
    scratch_vector,
    vector,
)

CAP = 40
"""Newton steps for the position multiplier; three are usual."""

SQUARED_TOLERANCE = 1e-12
"""Rank tolerance of J M^-1 J_n^T, whose singular values are squares of those of a row."""


@border(STEPPING)
def advance(work, sizes, t, h, q, v):
    """Half kick, drift onto the constraints, half kick onto their velocities."""
    n = sizes[NV]
    a = vector(work, sizes, VDOT, NV)
    evaluate(work, sizes, t, q, v)
    if sizes[BODIES] > 0:
        status = fly(work, sizes, t + h, h, q, v)
        if status != OK:
            return status
        return kick(work, sizes, t + h, h, q, v, a)
    status = free_solve(work, sizes, a)
    if status != OK:
        return status
    directions(work, sizes)
    for k in range(n):
        v[k] += 0.5 * h * a[k]
    displace(sizes, h, v, q)
    status = shake(work, sizes, t + h, h, q, v)
    if status != OK:
        return status
    return kick(work, sizes, t + h, h, q, v, a)


@kernel
def fly(work, sizes, t, h, q, v):
    """Half kick, and the flight of bodies onto the constraints; t is its end.

    The impulse J_n^T lam is found by steps with J_n M^-1 J_n^T: simplified Newton, each gaining the
    digits of the rotation in a step.
    """
    n, m = sizes[NV], sizes[ROWS]
    force = vector(work, sizes, FORCE, NV)
    phi = vector(work, sizes, PHI, ROWS)
    tolerance = vector(work, sizes, ROW_TOLERANCE, ROWS)
    bottom = vector(work, sizes, BOTTOM, ROWS)
    lam = vector(work, sizes, CORRECTION_LAM, ROWS)
    momentum = scratch_vector(work, sizes, METHOD_SCRATCH, 0, n)
    start = scratch_vector(work, sizes, METHOD_SCRATCH, n, sizes[NQ])
    leave_out_gyroscopic(work, sizes, v, force)
    mass_times(work, sizes, v, momentum)
    for k in range(n):
        momentum[k] += 0.5 * h * force[k]
    for i in range(sizes[NQ]):
        start[i] = q[i]
    status = factor(work, sizes, FORCE_TOLERANCE)
    if status != OK:
        return status
    ratio = 1e300
    stalled = 0
    for _iteration in range(CAP):
        for i in range(sizes[NQ]):
            q[i] = start[i]
        drift(work, sizes, h, momentum, q)
        residual(work, sizes, t, q, v)
        before = ratio
        ratio = worst_ratio(m, phi, tolerance, 1.0)
        if ratio <= 1.0:
            break
        stalled = stalled + 1 if not ratio < 0.5 * before else 0
        if stalled == 3:
            learn_rounding(work, sizes, q)
            ratio = worst_ratio(m, phi, tolerance, 1.0)
            break
        for i in range(m):
            bottom[i] = -phi[i]
        respond(work, sizes, bottom, vector(work, sizes, CORRECTION, NV), lam)
        for i in range(m):
            lam[i] /= h
        pull(work, sizes, lam, momentum)
        sizes[ITERATIONS] += 1
    if not ratio <= ACCEPTABLE:
        return NO_CONVERGENCE
    normalise(sizes, q)
    evaluate(work, sizes, t, q, v)
    return mass_solve_bodies(work, sizes, momentum, v)


@kernel
def start_directions(work, sizes):
    """X: rows M^-1 J_n^T, the directions in which the constraint forces of q_n act."""
    return scratch_matrix(work, sizes, METHOD_SCRATCH, sizes[NV], sizes[ROWS], sizes[NV])


@kernel
def directions(work, sizes):
    """X from the last evaluated state; the mass matrix is factored already."""
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    X = start_directions(work, sizes)
    for i in range(sizes[ROWS]):
        for k in range(sizes[NV]):
            X[i, k] = J[i, k]
        mass_solve(work, sizes, X[i])


@kernel
def shake(work, sizes, t, h, q, v):
    """Position multiplier: d = -X^T x with (J X^T) x = Phi, until Phi is rounding.

    Rows and multipliers are scaled by the size of the rows, which may be written in any unit.
    """
    n, m = sizes[NV], sizes[ROWS]
    phi = vector(work, sizes, PHI, ROWS)
    tolerance = vector(work, sizes, ROW_TOLERANCE, ROWS)
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    X = start_directions(work, sizes)
    S = scratch_matrix(work, sizes, METHOD_SCRATCH, n + m * n, m, m)
    x = vector(work, sizes, BOTTOM, ROWS)
    order = vector(work, sizes, ORTHO_ORDER, ROWS)
    beta = vector(work, sizes, ORTHO_BETA, ROWS)
    R = matrix(work, sizes, ORTHO_R, ROWS, ROWS)
    gamma = vector(work, sizes, ORTHO_GAMMA, ROWS)
    size = vector(work, sizes, ROW_SIZE, ROWS)
    scaled_phi = vector(work, sizes, CORRECTION_LAM, ROWS)
    ratio = 1e300
    stalled = 0
    for _iteration in range(CAP):
        evaluate(work, sizes, t, q, v)
        before = ratio
        ratio = worst_ratio(m, phi, tolerance, 1.0)
        if ratio <= 1.0:
            return OK
        stalled = stalled + 1 if not ratio < 0.5 * before else 0
        if stalled == 3:
            learn_rounding(work, sizes, q)
            ratio = worst_ratio(m, phi, tolerance, 1.0)
            break
        for i in range(m):
            for j in range(m):
                total = 0.0
                for k in range(n):
                    total += J[i, k] * X[j, k]
                S[i, j] = total / (size[i] * size[j])
            scaled_phi[i] = phi[i] / size[i]
        rank, _seen = orthogonal_factor(m, m, S, SQUARED_TOLERANCE, 0.0, m, order, beta, R, gamma)
        sizes[RANK] = rank
        orthogonal_solve(
            m,
            m,
            rank,
            rank,
            S,
            order,
            beta,
            R,
            gamma,
            scaled_phi,
            x,
            vector(work, sizes, SOLVE_S, ROWS),
            x,
            vector(work, sizes, SOLVE_B, ROWS),
        )
        for k in range(n):
            d = 0.0
            for j in range(m):
                d -= X[j, k] * x[j] / size[j]
            q[k] += d
            # q moves by d = h^2/2 M^-1 J_n^T lam, the half-step velocity by d / h.
            v[k] += d / h
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
        leave_out_gyroscopic(work, sizes, v, vector(work, sizes, FORCE, NV))
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
        status = respond_exactly(work, sizes, bottom, d, vector(work, sizes, CORRECTION_LAM, ROWS))
        if status != OK:
            return status
        for k in range(n):
            new = a[k] + d[k]
            change = max(change, abs(new - v[k]))
            v[k] = new
        if change <= 1e-14 * scale_of(work, sizes, n, v) or sizes[FORCE_HAS_VELOCITY] == 0:
            return OK
    return NO_CONVERGENCE


@dataclass(frozen=True)
class Rattle(Method):
    """Symplectic leapfrog with position and velocity multipliers.

    Brings its own integrator, of second order; energy does not drift. Choose it for long
    conservative runs.
    """

    inverts_mass = True
    levels = frozenset({"position", "velocity"})
    drift = "machine"
    order = 2
    velocity_rows = False
    advance = advance

    def scratch(self, nq: int, nv: int, holonomic: int, rows: int) -> int:
        # Only bodies have fewer velocities than coordinates.
        return nv + (nq if nq > nv else rows * nv + rows * rows)

    def refuse(self, system, integrator, step):
        if system.mass_is_constant or (system.has_bodies and not system.is_tree):
            return None
        mass = () if system.is_tree else system.equations.mass
        entries = [entry for row in mass for entry in row]
        if system.is_tree or depends(entries, ("coordinate", "velocity")):
            return (
                "Rattle: the mass matrix depends on the coordinates, where the leapfrog is not "
                "symplectic and loses its order. Use Projection, or describe the system in "
                "Cartesian or natural coordinates."
            )
        return (
            "Rattle: the mass matrix depends on time, where the leapfrog loses its order. "
            "Use Projection."
        )
