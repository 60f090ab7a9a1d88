"""Newton's method for a step: by the method's own equations, or with differences of its rates.

A method with a `backward` border solves c0 x + past = x' together with its constraints (methods
6.3). Of any other the rates f are taken: c0 x + past = f(t, x), with the matrix c0 - F, F by
differences, kept until it stops contracting. The matrix affects the number of iterations only.
"""

from dalembert._jit import kernel
from dalembert.integration.backward.history import Room
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.numerics.vector import copy
from dalembert.system.borders import NO_CONVERGENCE, OK, rates, solve_backward
from dalembert.system.state_layout import State
from dalembert.system.tolerance import tolerance_of

CAP = 10
"""Newton steps allowed, renewals of the matrix included."""

ENOUGH = 1e-3
"""Change, over the tolerance of the step, that the next one may still make."""

CLOSE = 1e-7
"""Relative change with which a step may end next to a singular position, where rates are noise."""

NO_MATRIX, KEPT, NEW = range(3)
"""Values of `integrator_flag`: there is no F; one of another state; one of this step."""


@kernel
def change_over_tolerance(state: State, own, change):
    """Mean square root of a change, each component over its tolerance."""
    n, allowed, total = state.nq + state.nv, tolerance_of(state), 0.0
    for i in range(n):
        part = change[i] / allowed.of(max(abs(own.x[i]), abs(own.X[0, i])))
        total += part * part
    return (total / n) ** 0.5 if n > 0 else 0.0


@kernel
def defect(state: State, own, t, h, c0, r):
    """r = c0 x + past - f(t, x)."""
    nq, x = state.nq, own.x
    status = rates(state, t, h, x[:nq], x[nq:], r[:nq], r[nq:], state.lam)
    for i in range(nq + state.nv):
        r[i] = c0 * x[i] + own.past[i] - r[i]
    return status


@kernel
def difference_matrix(state: State, own, t, h, c0):
    """F = df/dx by forward differences; r holds the defect at x."""
    n, x = state.nq + state.nv, own.x
    for j in range(n):
        kept = x[j]
        width = 1e-7 * max(state.length, abs(kept))
        x[j] = kept + width
        status = defect(state, own, t, h, c0, own.r_moved)
        moved = x[j] - kept
        x[j] = kept
        if status != OK:
            return status
        for i in range(n):
            own.F[i, j] = (own.r[i] - own.r_moved[i]) / width
        own.F[j, j] += c0 * moved / width
    state.integrator_flag = NEW
    own.c0_of_factors = 0.0
    return OK


@kernel
def factor_matrix(state: State, own, c0):
    """LU of c0 - F."""
    n = state.nq + state.nv
    for i in range(n):
        for j in range(n):
            own.A[i, j] = -own.F[i, j]
        own.A[i, i] += c0
    if lu_factor(n, own.A, 1e-18, own.pivots) >= 0:
        return NO_CONVERGENCE
    own.c0_of_factors = c0
    return OK


@kernel
def make_matrix(state: State, own, t, h, c0):
    """Factors of c0 - F; F where there is none."""
    if state.integrator_flag == NO_MATRIX:
        status = difference_matrix(state, own, t, h, c0)
        if status != OK:
            return status
    if abs(own.c0_of_factors - c0) > 1e-10 * c0:
        return factor_matrix(state, own, c0)
    return OK


@kernel
def solve_rates(state: State, own, t, h, c0):
    """x of c0 x + past = f(t, x), from the x there is."""
    if state.integrator_flag == NEW:
        state.integrator_flag = KEPT
    near_before = state.near_count
    before = 1e300
    for _iteration in range(CAP):
        status = defect(state, own, t, h, c0, own.r)
        if status != OK:
            return status
        status = make_matrix(state, own, t, h, c0)
        if status != OK:
            return status
        lu_solve(state.nq + state.nv, own.A, own.pivots, own.r)
        for i in range(state.nq + state.nv):
            own.x[i] -= own.r[i]
        state.iterations += 1
        moved = change_over_tolerance(state, own, own.r)
        if not moved < 1e300:
            state.integrator_flag = NO_MATRIX
            return NO_CONVERGENCE
        rate = moved / before if before < 1e300 else 0.5
        if moved <= ENOUGH or (rate < 0.5 and moved * rate <= ENOUGH * (1.0 - rate)):
            return OK
        if rate > 0.5:
            if state.near_count > near_before and moved * tolerance_of(state).rtol <= CLOSE:
                return OK
            if state.integrator_flag == NEW and rate > 1.0:
                state.integrator_flag = NO_MATRIX
                return NO_CONVERGENCE
            if state.integrator_flag == KEPT:
                state.integrator_flag = NO_MATRIX
        before = moved
    state.integrator_flag = NO_MATRIX
    return NO_CONVERGENCE


@kernel
def solve_step(state: State, t, h, c0, q, v):
    """State at t with x' = c0 x + past, from the one foretold, in (q, v)."""
    own, nq = Room(state, state.integrator_scratch), state.nq
    if state.backward != 0:
        copy(own.foretold[:nq], q)
        copy(own.foretold[nq:], v)
        return solve_backward(state, t, 1.0 / c0, own.past[:nq], own.past[nq:], q, v)
    copy(own.foretold, own.x)
    status = solve_rates(state, own, t, h, c0)
    copy(own.x[:nq], q)
    copy(own.x[nq:], v)
    return status
