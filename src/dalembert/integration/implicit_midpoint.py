"""Implicit midpoint rule: x_m = x + h/2 x'(t + h/2, x_m), then x <- 2 x_m - x.

Second order, symplectic, stable for any step on stable problems. The midpoint is found by
simplified Newton steps with a difference matrix of the rates, kept from step to step and renewed
when they stop contracting; the matrix affects the number of iterations only, not the result.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert._jit import border, kernel
from dalembert._memory import Part, over
from dalembert._records import Matrix, Numbers
from dalembert.integration.protocol import Integrator
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.system.borders import NO_CONVERGENCE, OK, STEPPING, rates
from dalembert.system.state_layout import State

CAP = 40
"""Newton steps allowed, renewals of the matrix included."""

NOISE = 1e-10
"""Relative change that counts as rounding once a renewed matrix brings no gain."""


class Room(Part, of=State):
    """Scratch, and what is kept from step to step."""

    ends: Numbers = over("6 * nq")
    A: Matrix = over("nq + nv", "nq + nv")  # dr/dx, factored
    order: Numbers = over("nq + nv")
    x: Numbers = over("nq + nv")  # the midpoint
    r: Numbers = over("nq + nv")
    r_moved: Numbers = over("nq + nv")
    step_of_matrix: float


@kernel
def stage_defect(state: State, t, h, q, v, x, r):
    """r = x - (q, v) - h/2 x'(t + h/2, x)."""
    nq, qdot, vdot = state.nq, state.qdot, state.vdot
    status = rates(state, t + 0.5 * h, h, x[:nq], x[nq:], qdot, vdot, state.lam)
    for i in range(nq):
        r[i] = x[i] - q[i] - 0.5 * h * qdot[i]
    for k in range(state.nv):
        r[nq + k] = x[nq + k] - v[k] - 0.5 * h * vdot[k]
    return status


@kernel
def difference_matrix(state: State, t, h, q, v):
    """A = dr/dx by forward differences, factored."""
    own, n = Room(state, state.integrator_scratch), state.nq + state.nv
    A, x, r, r_moved = own.A, own.x, own.r, own.r_moved
    for j in range(n):
        kept = x[j]
        width = 1e-7 * max(state.length, abs(kept))
        x[j] = kept + width
        status = stage_defect(state, t, h, q, v, x, r_moved)
        x[j] = kept
        if status != OK:
            return status
        for i in range(n):
            A[i, j] = (r_moved[i] - r[i]) / width
    return NO_CONVERGENCE if lu_factor(n, A, 1e-18, own.order) >= 0 else OK


@kernel
def begin_at(state: State, q, v, x):
    """x = (q, v); the size of its largest entry."""
    # From the state itself: on a stiff problem the explicit prediction is far off.
    scale = state.length
    for i in range(state.nq):
        x[i] = q[i]
        scale = max(scale, abs(q[i]))
    for k in range(state.nv):
        x[state.nq + k] = v[k]
        scale = max(scale, abs(v[k]))
    return scale


@border(STEPPING)
def advance(state: State, t, h, q, v):
    """Solve for the midpoint, step over it."""
    own, n = Room(state, state.integrator_scratch), state.nq + state.nv
    x, r = own.x, own.r
    scale = begin_at(state, q, v, x)
    renewals = 0
    before = 1e300
    for _iteration in range(CAP):
        status = stage_defect(state, t, h, q, v, x, r)
        if status != OK:
            return status
        if state.integrator_flag == 0 or abs(own.step_of_matrix - h) > 1e-6 * h:
            status = difference_matrix(state, t, h, q, v)
            if status != OK:
                return status
            state.integrator_flag = 1
            own.step_of_matrix = h
            renewals += 1
        lu_solve(n, own.A, own.order, r)
        moved = 0.0
        for i in range(n):
            x[i] -= r[i]
            moved = max(moved, abs(r[i]))
        state.iterations += 1
        # Done, or no further gain: by rounding, which a stiff force amplifies.
        stalled = not moved < 0.3 * before
        limit = NOISE if renewals > 1 else 1e-13
        if moved <= 4e-16 * scale or (moved <= limit * scale and stalled):
            for i in range(state.nq):
                q[i] = 2.0 * x[i] - q[i]
            for k in range(state.nv):
                v[k] = 2.0 * x[state.nq + k] - v[k]
            return OK
        if stalled:
            state.integrator_flag = 0
        before = moved
    return NO_CONVERGENCE


@dataclass(frozen=True)
class ImplicitMidpoint(Integrator):
    """Second order, symplectic, implicit.

    Stable for any step on stable problems. Choose it for stiff and for long conservative runs.
    """

    order = 2
    explicit = False
    uses_matrices = True
    advance = advance

    @property
    def collocation(self) -> tuple[Any, Any, Any]:
        return np.array([0.5]), np.array([[0.5]]), np.array([2.0])

    def scratch(self, nq: int, nv: int, rows: int) -> int:
        return Room.length(nq=nq, nv=nv)
