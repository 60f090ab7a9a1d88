"""Newton's method for the stages of a step of collocation (Hairer & Wanner, II, section IV.8)."""

import math

from dalembert._jit import kernel
from dalembert.integration.collocation.scheme import FACTORED, LARGE, NO_MATRIX, WANTED
from dalembert.mechanics.residual_scale import scale_of
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.numerics.vector import copy
from dalembert.system.borders import NO_CONVERGENCE, OK, rates

CAP = 40
"""Newton steps allowed, renewals of the matrix included."""

NOISE = 1e-10
"""Relative change that counts as rounding once a renewed matrix brings no gain."""

ROUNDING = 4e-16
"""Relative change below which a stage is what it is."""

EPSILON = 2.2e-16

CLOSE = 1e-7
"""Relative change with which a step may pass next to a singular position; in k parts, k^2 times."""

AMPLIFIED = 30.0
"""Changes of that many times the estimated noise may be noise."""


# -- rates -----------------------------------------------------------------------------------------


@kernel
def place_stage(scheme, q, v, z):
    """x = x_n + z."""
    x, nq = scheme.own.x, scheme.state.nq
    for k in range(nq):
        x[k] = q[k] + z[k]
    for k in range(scheme.state.nv):
        x[nq + k] = v[k] + z[nq + k]
    return x


@kernel
def rates_at(scheme, t, whole, x, f):
    """f(t, x)."""
    nq = scheme.state.nq
    return rates(scheme.state, t, whole, x[:nq], x[nq:], f[:nq], f[nq:], scheme.state.lam)


@kernel
def rates_of_stages(scheme, stretch, q, v):
    """f of all stages."""
    stages, f, n = scheme.own.z, scheme.own.rates, scheme.n
    for i in range(scheme.stages):
        x = place_stage(scheme, q, v, stages[i * n : i * n + n])
        moment = stretch.t + scheme.C[i] * stretch.h
        status = rates_at(scheme, moment, stretch.whole, x, f[i * n : i * n + n])
        if status != OK:
            return status
    return OK


# -- the matrix ------------------------------------------------------------------------------------


@kernel
def difference_matrix(scheme, stretch, q, v):
    """F = df/dx at the middle stage by forward differences."""
    own, n, i = scheme.own, scheme.n, scheme.stages // 2
    F, z, f = own.F, own.z[i * n : i * n + n], own.rates[i * n : i * n + n]
    moved, moment = own.change[:n], stretch.t + scheme.C[i] * stretch.h
    for j in range(n):
        x = place_stage(scheme, q, v, z)
        width = 1e-7 * max(scheme.state.length, abs(x[j]))
        x[j] += width
        status = rates_at(scheme, moment, stretch.whole, x, moved)
        if status != OK:
            return status
        for k in range(n):
            F[k, j] = (moved[k] - f[k]) / width
    return OK


@kernel
def noise_of_rates(scheme, h, q, v):
    """Rounding of the state as the rates amplify it: eps h max_i sum_j |F_ij| |x_j|."""
    F, nq = scheme.own.F, scheme.state.nq
    worst = 0.0
    for i in range(scheme.n):
        total = 0.0
        for j in range(scheme.n):
            total += abs(F[i, j]) * (abs(q[j]) if j < nq else abs(v[j - nq]))
        worst = max(worst, total)
    return EPSILON * h * worst


@kernel
def factor_blocks(scheme, h):
    """LU of I - h mu F, and of the same in real numbers for each pair mu = a + i b."""
    own, n, F, eigen = scheme.own, scheme.n, scheme.own.F, scheme.eigen
    start = row = 0
    for block in range((scheme.stages + 1) // 2):
        a, b = h * eigen[block, 0], h * eigen[block, 1]
        size = n if b == 0.0 else 2 * n
        B = own.block(start, size)
        for i in range(n):
            for j in range(n):
                B[i, j] = -a * F[i, j]
                if b != 0.0:
                    B[i, n + j] = -b * F[i, j]
                    B[n + i, j] = b * F[i, j]
                    B[n + i, n + j] = -a * F[i, j]
        for i in range(size):
            B[i, i] += 1.0
        if lu_factor(size, B, 1e-18, own.pivots[row : row + size]) >= 0:
            return NO_CONVERGENCE
        start += size * size
        row += size
    return OK


@kernel
def solve_blocks(scheme, y):
    """y <- (I - h D (x) F)^-1 y, block by block."""
    own = scheme.own
    start = row = 0
    for block in range((scheme.stages + 1) // 2):
        size = scheme.n if scheme.eigen[block, 1] == 0.0 else 2 * scheme.n
        rows = own.pivots[row : row + size]
        lu_solve(size, own.block(start, size), rows, y[row : row + size])
        start += size * size
        row += size


@kernel
def renew(scheme, stretch, q, v):
    """F at the middle stage where it is wanted; its factors, for this step."""
    state, own, h = scheme.state, scheme.own, stretch.h
    if state.integrator_flag == NO_MATRIX:
        return OK
    if state.integrator_flag == WANTED:
        status = difference_matrix(scheme, stretch, q, v)
        if status != OK:
            return status
        state.integrator_flag = FACTORED
        own.step_of_factors = 0.0
    if abs(own.step_of_factors - h) > 1e-6 * h:
        status = factor_blocks(scheme, h)
        if status != OK:
            return status
        own.step_of_factors = h
        own.noise_of_rates = noise_of_rates(scheme, h, q, v)
    return OK


# -- iterations ------------------------------------------------------------------------------------


@kernel
def combine(s, n, B, x, y):
    """y <- (B (x) I) x."""
    for i in range(s):
        for k in range(n):
            y[i * n + k] = B[i, 0] * x[k]
        for j in range(1, s):
            for k in range(n):
                y[i * n + k] += B[i, j] * x[j * n + k]


@kernel
def improve(scheme, h):
    """Z <- Z + dZ from the rates, which are used up; -dZ stays in `change`. The largest |dZ|.

    dZ = -(T (x) I) (I - h D (x) F)^-1 (T^-1 (x) I) (Z - h (A (x) I) f), F = 0 where there is no
    matrix; infinite if not a number.
    """
    s, n, own = scheme.stages, scheme.n, scheme.own
    stages, f, W = own.z, own.rates, own.change
    combine(s, n, scheme.A, f, W)
    for k in range(s * n):
        W[k] = stages[k] - h * W[k]
    if scheme.state.integrator_flag != NO_MATRIX:
        combine(s, n, scheme.inverse, W, f)
        solve_blocks(scheme, f)
        combine(s, n, scheme.T, f, W)
    moved = 0.0
    for k in range(s * n):
        stages[k] -= W[k]
        moved = max(moved, abs(W[k]))
        if not abs(W[k]) < 1e300:
            return math.inf
    scheme.state.iterations += 1
    return moved


@kernel
def has_stalled(scheme, moved, before):
    """Whether a change is hardly smaller than the one before."""
    if scheme.state.integrator_flag != NO_MATRIX:
        return not moved < 0.3 * before
    return not moved < (0.1 if scheme.n <= LARGE else 1.0) * before


@kernel
def is_solved(scheme, moved, before, scale, renewals):
    """Whether it is done, or the next change would be below rounding, or there is no more gain."""
    noise, stalled = scheme.own.noise_of_rates, has_stalled(scheme, moved, before)
    target = max(ROUNDING * scale, 0.1 * noise)
    if moved <= target or (not stalled and before < 1e300 and moved * moved <= target * before):
        return True
    limit = NOISE * scale if renewals > 1 else max(1e-13 * scale, AMPLIFIED * noise)
    return stalled and moved <= limit


@kernel
def keep_before(scheme, is_close):
    """Undo the last change: next to a singular position the rates defy any matrix."""
    stages, W = scheme.own.z, scheme.own.change
    for k in range(len(stages)):
        stages[k] += W[k]
    if not is_close:
        return NO_CONVERGENCE
    scheme.own.rough = 1.0
    return OK


@kernel
def want_matrix(scheme, is_close):
    """Give up without a matrix; stages that are close will do if all else fails."""
    if is_close:
        scheme.own.fallback = 1.0
        copy(scheme.own.z, scheme.own.best)
    scheme.state.integrator_flag = WANTED if scheme.n <= LARGE else NO_MATRIX
    return NO_CONVERGENCE


@kernel
def solve_stages(scheme, stretch, q, v):
    """Newton's method for Z, from what it holds."""
    state = scheme.state
    scale = max(scale_of(state, state.nq, q), scale_of(state, state.nv, v))
    close = CLOSE * (stretch.whole / stretch.h) * (stretch.whole / stretch.h)
    near_before = state.near_count
    renewals = diverged = 0
    before = 1e300
    for _iteration in range(CAP):
        status = rates_of_stages(scheme, stretch, q, v)
        if status != OK:
            return status
        renewals += 1 if state.integrator_flag == WANTED else 0
        status = renew(scheme, stretch, q, v)
        if status != OK:
            return status
        moved = improve(scheme, stretch.h)
        if not moved < 1e300:
            return NO_CONVERGENCE
        if is_solved(scheme, moved, before, scale, renewals):
            return OK
        near, stalled = state.near_count > near_before, has_stalled(scheme, moved, before)
        if near and moved > before:
            return keep_before(scheme, not before > close * scale)
        if near and stalled and moved <= NOISE * scale:
            return OK
        if stalled and state.integrator_flag == NO_MATRIX:
            return want_matrix(scheme, near and moved <= close * scale)
        if stalled and not (near and renewals > 0):
            diverged += 1 if moved > before and renewals > 0 else 0
            state.integrator_flag = WANTED
            if diverged > 1:
                return NO_CONVERGENCE
        before = moved
    return NO_CONVERGENCE
