"""RATTLE: the symplectic constrained leapfrog.

    v_1/2 = v_n + h/2 M^-1 (Q_n + J_n^T lam),     q = q_n + h v_1/2,   lam from Phi(q) = 0
    v = v_1/2 + h/2 M^-1 (Q + J^T mu),            mu from J v = -Phi_t      (methods 6.4)

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
from dalembert._memory import Part, over
from dalembert._records import Matrix, Numbers
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.dense import FORCE_TOLERANCE, mass_solve
from dalembert.mechanics.drift import drift
from dalembert.mechanics.incidence import pull
from dalembert.mechanics.maximal import leave_out_gyroscopic, mass_solve_bodies, mass_times
from dalembert.mechanics.motion import displace, free_solve, respond_exactly
from dalembert.mechanics.projection import ACCEPTABLE, learn_rounding
from dalembert.mechanics.residual_scale import place_ratio, scale_of
from dalembert.numerics.orthogonal import Orthogonal, orthogonal_factor, orthogonal_solve
from dalembert.numerics.vector import copy
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
from dalembert.system.state_layout import State

CAP = 40
"""Newton steps for the position multiplier; three are usual."""

EXACT, ROUNDED = 1e-14, 1e-11
"""Last change of a velocity by the iteration for Q(v), relative: below the first it is done, below
the second where no iteration gains any more, which is rounding of the constraint forces."""

SQUARED_TOLERANCE = 1e-12
"""Rank tolerance of J M^-1 J_n^T, whose singular values are squares of those of a row."""


class Flight(Part, of=State):
    """Scratch of bodies."""

    momentum: Numbers = over("nv")
    origin: Numbers = over("nq")  # q_n


class Shake(Part, of=State):
    """Scratch of formula coordinates."""

    half: Numbers = over("nv")  # v_1/2
    X: Matrix = over("rows", "nv")  # M^-1 J_n^T: directions of the constraint forces of q_n
    S: Matrix = over("rows", "rows")  # J X^T


@border(STEPPING)
def advance(state: State, t, h, q, v):
    """Half kick, drift onto the constraints, half kick onto their velocities."""
    evaluate(state, t, q, v)
    if state.bodies > 0:
        status = fly(state, t + h, h, q, v)
    else:
        status = leap(state, t + h, h, q, v)
    if status != OK:
        return status
    return kick(state, t + h, h, q, v, state.vdot)


@kernel
def leap(state: State, t, h, q, v):
    """Half kick, and the drift of formula coordinates onto the constraints; t is its end."""
    own, a = Shake(state, state.method_scratch), state.vdot
    status = free_solve(state, a)
    if status != OK:
        return status
    for i in range(state.rows):
        copy(state.jacobian[i], own.X[i])
        mass_solve(state, own.X[i])
    for k in range(state.nv):
        v[k] += 0.5 * h * a[k]
    displace(state, h, v, q)
    return shake(state, t, h, q, v)


@kernel
def fly(state: State, t, h, q, v):
    """Half kick, and the flight of bodies onto the constraints; t is its end.

    The impulse J_n^T lam is found by steps with J_n M^-1 J_n^T: simplified Newton, each gaining the
    digits of the rotation in a step.
    """
    own, phi, lam = Flight(state, state.method_scratch), state.phi, state.correction_lam
    leave_out_gyroscopic(state, v, state.force)
    mass_times(state, v, own.momentum)
    for k in range(state.nv):
        own.momentum[k] += 0.5 * h * state.force[k]
    copy(q, own.origin)
    status = factor(state, FORCE_TOLERANCE)
    if status != OK:
        return status
    ratio = 1e300
    stalled = 0
    for _iteration in range(CAP):
        copy(own.origin, q)
        drift(state, h, own.momentum, q)
        residual(state, t, q, v)
        before = ratio
        ratio = place_ratio(state)
        if ratio <= 1.0:
            break
        stalled = stalled + 1 if not ratio < 0.5 * before else 0
        if stalled == 3:
            learn_rounding(*state, q)
            ratio = place_ratio(state)
            break
        for i in range(state.rows):
            state.bottom[i] = -phi[i]
        respond(state, state.bottom, state.correction, lam)
        for i in range(state.rows):
            lam[i] /= h
        pull(state, lam, own.momentum)
        state.iterations += 1
    if not ratio <= ACCEPTABLE:
        return NO_CONVERGENCE
    normalise(state, q)
    evaluate(state, t, q, v)
    return mass_solve_bodies(state, own.momentum, v)


@kernel
def shake(state: State, t, h, q, v):
    """Position multiplier: d = -X^T x with (J X^T) x = Phi, until Phi is rounding.

    Rows and multipliers are scaled by the size of the rows, which may be written in any unit.
    """
    X, x, size = Shake(state, state.method_scratch).X, state.bottom, state.row_size
    ratio = 1e300
    stalled = 0
    for _iteration in range(CAP):
        evaluate(state, t, q, v)
        before = ratio
        ratio = place_ratio(state)
        if ratio <= 1.0:
            return OK
        stalled = stalled + 1 if not ratio < 0.5 * before else 0
        if stalled == 3:
            learn_rounding(*state, q)
            ratio = place_ratio(state)
            break
        solve_scaled(state)
        for k in range(state.nv):
            d = 0.0
            for j in range(state.rows):
                d -= X[j, k] * x[j] / size[j]
            q[k] += d
            # q moves by d = h^2/2 M^-1 J_n^T lam, the half-step velocity by d / h.
            v[k] += d / h
        state.iterations += 1
    if ratio <= ACCEPTABLE:
        return OK
    return NO_CONVERGENCE


@kernel
def solve_scaled(state: State):
    """x of (J X^T) x = Phi in `bottom`, times the sizes of the rows."""
    own, m, J, size = Shake(state, state.method_scratch), state.rows, state.jacobian, state.row_size
    S, X, x, scaled_phi = own.S, own.X, state.bottom, state.correction_lam
    parts = Orthogonal(S, state.ortho_order, state.ortho_beta, state.ortho_r, state.ortho_gamma)
    for i in range(m):
        for j in range(m):
            total = 0.0
            for k in range(state.nv):
                total += J[i, k] * X[j, k]
            S[i, j] = total / (size[i] * size[j])
        scaled_phi[i] = state.phi[i] / size[i]
    rank, _seen = orthogonal_factor(parts, SQUARED_TOLERANCE, 0.0, m)
    state.rank = rank
    orthogonal_solve(parts, rank, rank, scaled_phi, x, state.solve_s, x, state.solve_b)


@kernel
def kick(state: State, t, h, q, v, a):
    """v <- v + h/2 M^-1 Q(q, v) + (what makes Phi' vanish), iterated for Q(v)."""
    half, d = Shake(state, state.method_scratch).half, state.correction
    copy(v, half)
    before = 1e300
    for _iteration in range(CAP):
        evaluate(state, t, q, v)
        leave_out_gyroscopic(state, v, state.force)
        status = free_solve(state, a)
        if status != OK:
            return status
        # Phi' is linear in v: at the new velocity without multiplier
        for k in range(state.nv):
            a[k] = half[k] + 0.5 * h * a[k]
        residual(state, t, q, a)
        status = factor(state, FORCE_TOLERANCE)
        if status != OK:
            return status
        for i in range(state.rows):
            state.bottom[i] = -state.phi_dot[i]
        status = respond_exactly(state, state.bottom, d, state.correction_lam)
        if status != OK:
            return status
        change = 0.0
        for k in range(state.nv):
            new = a[k] + d[k]
            change = max(change, abs(new - v[k]))
            v[k] = new
        scale = scale_of(state, state.nv, v)
        rounded = change <= ROUNDED * scale and not change < 0.5 * before
        if change <= EXACT * scale or rounded or state.force_has_velocity == 0:
            return OK
        before = change
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
