"""Generalized-alpha: second order with damping of unresolved frequencies.

    q = q_n + h v_n + h^2 ((1/2 - beta) a_n + beta a)
    v = v_n + h ((1 - gamma) a_n + gamma a)
    (1 - alpha_m) a + alpha_m a_n = (1 - alpha_f) v'(t, q, v) + alpha_f v'_n

Chung & Hulbert (1993), with a the acceleration-like variable of Arnold & Bruls (2007) and v' the
rates of the enforcement method, so that every method can be combined with it. rho is the spectral
radius at infinite frequency: 1 keeps all, 0 removes it in one step. On bodies q = q_n (+) h u, with
u = v_n + h ((1/2 - beta) a_n + beta a): rotations turn about the axis of u (Bruls & Cardona 2010).
"""

from __future__ import annotations

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert._memory import Part, over
from dalembert._records import Matrix, Numbers, value
from dalembert.errors import OptionError
from dalembert.integration.protocol import Integrator
from dalembert.mechanics.motion import displace
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.numerics.vector import copy
from dalembert.system.borders import NO_CONVERGENCE, OK, STEPPING, rates
from dalembert.system.state_layout import State

CAP = 40
"""Newton steps allowed, renewals of the matrix included."""

NOISE = 1e-10
"""Relative change that counts as rounding once a renewed matrix brings no gain."""


class Options(Part, of=State):
    """Options of the integrator."""

    spectral_radius: float  # at infinite frequency


class Room(Part, of=State):
    """Scratch, and what is kept from step to step."""

    ends: Numbers = over("6 * nq")
    A: Matrix = over("nv", "nv")  # dr/da, factored
    order: Numbers = over("nv")
    a: Numbers = over("nv")
    a_old: Numbers = over("nv")  # a_n
    f_old: Numbers = over("nv")  # v'_n
    r: Numbers = over("nv")
    r_moved: Numbers = over("nv")
    v: Numbers = over("nv")  # of the stage
    accepted: Numbers = over("nv")  # a of the last step,
    q: Numbers = over("nq")
    step_of_matrix: float
    has_accepted: float  # 1: if there is one


@value
class Coefficients:
    """The numbers of the method."""

    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float

    @staticmethod
    def of(rho):
        """Second order and most damping, for a spectral radius at infinite frequency."""
        alpha_m = (2.0 * rho - 1.0) / (rho + 1.0)
        alpha_f = rho / (rho + 1.0)
        gamma = 0.5 + alpha_f - alpha_m
        return Coefficients(alpha_m, alpha_f, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma)


@kernel
def coefficients(state: State):
    """The numbers of the method as it was chosen."""
    return Coefficients.of(Options(state, state.integrator_options).spectral_radius)


@kernel
def place_stage(state: State, h, q, v):
    """q and v of the stage, which belong to the acceleration a."""
    own, c = Room(state, state.integrator_scratch), coefficients(state)
    a, a_old, q_out, v_out = own.a, own.a_old, own.q, own.v
    if state.quaternions == 0:
        for k in range(state.nv):
            q_out[k] = q[k] + h * v[k] + h * h * ((0.5 - c.beta) * a_old[k] + c.beta * a[k])
    else:
        copy(q, q_out)
        for k in range(state.nv):
            v_out[k] = v[k] + h * ((0.5 - c.beta) * a_old[k] + c.beta * a[k])
        displace(state, h, v_out, q_out)
    for k in range(state.nv):
        v_out[k] = v[k] + h * ((1.0 - c.gamma) * a_old[k] + c.gamma * a[k])


@kernel
def defect(state: State, t, h, q, v, r):
    """r = (1 - alpha_m) a + alpha_m a_n - (1 - alpha_f) v' - alpha_f v'_n; v' stays in `vdot`."""
    own, c = Room(state, state.integrator_scratch), coefficients(state)
    a, a_old, f_old, vdot = own.a, own.a_old, own.f_old, state.vdot
    place_stage(state, h, q, v)
    status = rates(state, t + h, h, own.q, own.v, state.qdot, vdot, state.lam)
    for k in range(state.nv):
        r[k] = (1.0 - c.alpha_m) * a[k] + c.alpha_m * a_old[k]
        r[k] -= (1.0 - c.alpha_f) * vdot[k] + c.alpha_f * f_old[k]
    return status


@kernel
def difference_matrix(state: State, t, h, q, v):
    """A = dr/da by forward differences, factored."""
    own, n = Room(state, state.integrator_scratch), state.nv
    A, a, r, r_moved = own.A, own.a, own.r, own.r_moved
    for j in range(n):
        kept = a[j]
        # A width that moves the state by about 1e-7, as far as a allows.
        width = 1e-6 / h * max(state.length, abs(v[j]))
        a[j] = kept + width
        status = defect(state, t, h, q, v, r_moved)
        a[j] = kept
        if status != OK:
            return status
        for i in range(n):
            A[i, j] = (r_moved[i] - r[i]) / width
    return NO_CONVERGENCE if lu_factor(n, A, 1e-18, own.order) >= 0 else OK


@kernel
def improve(state: State, h, v):
    """a <- a - A^-1 r; the largest change, and the size of a."""
    own = Room(state, state.integrator_scratch)
    a, r = own.a, own.r
    lu_solve(state.nv, own.A, own.order, r)
    moved, scale = 0.0, state.length
    for k in range(state.nv):
        a[k] -= r[k]
        moved = max(moved, abs(r[k]))
        scale = max(scale, abs(a[k]), abs(v[k]) / h)
    state.iterations += 1
    return moved, scale


@kernel
def accept(state: State, h, q, v):
    """Take over the stage, and remember a."""
    own = Room(state, state.integrator_scratch)
    place_stage(state, h, q, v)
    copy(own.q, q)
    copy(own.v, v)
    copy(own.a, own.accepted)
    own.has_accepted = 1.0


@border(STEPPING)
def advance(state: State, t, h, q, v):
    """Newton for a; a_n and v'_n are the integrator's memory."""
    own = Room(state, state.integrator_scratch)
    # The rates at the accepted state: a method may have moved it since the last step.
    status = rates(state, t, h, q, v, state.qdot, own.f_old, state.lam)
    if status != OK:
        return status
    copy(own.accepted if own.has_accepted == 1.0 else own.f_old, own.a_old)
    copy(own.a_old, own.a)
    renewals = 0
    before = 1e300
    for _iteration in range(CAP):
        status = defect(state, t, h, q, v, own.r)
        if status != OK:
            return status
        if state.integrator_flag == 0 or abs(own.step_of_matrix - h) > 1e-6 * h:
            status = difference_matrix(state, t, h, q, v)
            if status != OK:
                return status
            state.integrator_flag = 1
            own.step_of_matrix = h
            renewals += 1
        moved, scale = improve(state, h, v)
        # Done, or no further gain: by rounding, which a stiff force amplifies.
        stalled = not moved < 0.3 * before
        limit = NOISE if renewals > 1 else 1e-12
        if moved <= 1e-15 * scale or (moved <= limit * scale and stalled):
            accept(state, h, q, v)
            return OK
        if stalled:
            state.integrator_flag = 0
        before = moved
    return NO_CONVERGENCE


@dataclass(frozen=True)
class GeneralizedAlpha(Integrator):
    """Second order with controlled damping.

    Parameters
    ----------
    spectral_radius : float   rho at infinite frequency, 0 (most damping) to 1 (none)
    """

    spectral_radius: float = 0.8

    order = 2
    explicit = False
    uses_matrices = True
    advance = advance

    def __post_init__(self) -> None:
        if not 0.0 <= self.spectral_radius <= 1.0:
            raise OptionError(
                f"GeneralizedAlpha: spectral_radius is {self.spectral_radius!r}. "
                "Give a number from 0 to 1."
            )

    def options(self, length: float) -> list[float]:
        return [self.spectral_radius]

    def scratch(self, nq: int, nv: int, rows: int) -> int:
        return Room.length(nq=nq, nv=nv)

    def refuse(self, method):
        name = type(method).__name__
        if method.moves_rates:
            return (
                f"{name} corrects q' separately from v, which generalized-alpha has no place for. "
                "Use Projection with generalized-alpha, or another integrator."
            )
        if method.order == 1:
            return (
                f"{name} takes v* from the unconstrained system and replaces the position "
                "afterwards; an implicit step gains nothing. Use SemiImplicitEuler or RK4."
            )
        return None
