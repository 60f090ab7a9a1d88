"""The constrained solve for rows of any rank, by complete orthogonal decomposition.

    C = J R^-1 with M = R^T R:    z = C^+ (bottom - J M^-1 top),    x = M^-1 top + R^-1 z,
    lam = (C^T)^+ z                                                          (methods 2)

It works on C, not on C C^T, which would square the condition number. x and J^T lam are unique; lam
is the multiplier of least length when rows are dependent. `automatic` takes the full-rank form
where the rows are well apart, and this one with continuation otherwise.

Continuation. On the way through a singular position the acceleration along a nearly lost direction
is (small) / (small): the quotient is finite, its digits are not. Dropping the direction, as the
pseudoinverse does, makes an error of order one there; keeping it amplifies noise by the square of
the condition number. The acceleration itself is continuous, so along these directions, and only
there, it is extrapolated from the last stages (decision 0003).

A direction that was weak from the start on, or stays so, is not on the way through: nothing tells
of it but its rows. Forces hold it down to `FINE_TOLERANCE`: noise, eps over the square of the
direction's size, is less than the force of order one that would be missing (decision 0003, rule
10).
"""

import math

from dalembert._jit import apart, border, kernel
from dalembert.mechanics.dense import (
    BY_ORTHOGONAL,
    BY_SCHUR,
    FINE_TOLERANCE,
    PATIENCE,
    WELL_APART,
    checked_rows,
    count_rank,
    delassus_factor,
    free_motion,
    least_share,
    no_force,
    solve_full_rank,
)
from dalembert.numerics.ldl import ldl_backward
from dalembert.numerics.orthogonal import (
    Orthogonal,
    orthogonal_factor,
    orthogonal_solve,
    triangularise,
)
from dalembert.system.borders import FACTORING, OK, RESPONDING, SOLVING
from dalembert.system.state_layout import State

NEAR = 0.03
"""Weakest direction of C over the strongest below which a position counts as nearly singular: the
noise of accelerations, eps over its square, is then above what a tight tolerance asks for."""


@kernel
def scaled_rows(state: State):
    """C = Y D^-1/2, rows scaled; the size of the largest one before its terms have cancelled."""
    Y, C, inverse = state.rows_y, state.ortho_c, state.mass_inverse
    scale, share = state.row_scale, state.row_share
    reference = 0.0
    for i in range(state.rows):
        size = 0.0
        for k in range(state.nv):
            C[i, k] = Y[i, k] * math.sqrt(inverse[k]) * scale[i]
            size += C[i, k] * C[i, k]
        if share[i] > 0.0:
            reference = max(reference, math.sqrt(size) / share[i])
    return reference


@kernel
def parts_of(state: State):
    """C and what belongs to its decomposition."""
    return Orthogonal(
        state.ortho_c, state.ortho_order, state.ortho_beta, state.ortho_r, state.ortho_gamma
    )


@kernel
def decompose(state: State, tolerance):
    """C decomposed orthogonally, from Y and D; the rank is counted."""
    decompose_rows(state, tolerance, scaled_rows(state))


@kernel
def decompose_rows(state: State, tolerance, reference):
    """C, as it was written, decomposed orthogonally; the rank is counted."""
    C = state.ortho_c
    rank, seen = orthogonal_factor(parts_of(state), tolerance, reference, state.rank_limit)
    state.branch = BY_ORTHOGONAL
    held, firm = state.rank_max, state.firm_rank
    count_rank(state, rank)
    # What forces never held is not nearly lost: it is not continued.
    state.seen_rank = min(seen, state.rank_max)
    if tolerance <= FINE_TOLERANCE:
        state.rank_max, state.firm_rank = held, firm
    state.held_rank = rank_held(state, max(reference, abs(C[0, 0]) if rank > 0 else 0.0))
    weakest = abs(C[rank - 1, rank - 1]) if rank > 0 else 0.0
    if rank > 0 and (state.seen_rank > rank or weakest < NEAR * abs(C[0, 0])):
        state.near_count += 1


@kernel
def rank_held(state: State, largest):
    """Directions that forces hold where none is on the way through a singular position."""
    C, held = state.ortho_c, state.rank
    while held < min(state.seen_rank, state.rank_limit):
        if not abs(C[held, held]) > FINE_TOLERANCE * largest:
            return held
        held += 1
    return held


@kernel
def predicted_part(state: State, y, last):
    """z of the predicted accelerations: D^1/2 L^T x less the free part D^-1/2 y."""
    L, inverse, before = state.mass_l, state.mass_inverse, state.predicted_vdot
    for k in range(state.nv):
        total = before[k]
        for i in range(k + 1, state.nv):
            total += L[i, k] * before[i]
        last[k] = total / math.sqrt(inverse[k]) - y[k] * math.sqrt(inverse[k])


@kernel
def orthogonal_response(state: State, top, bottom, continued, x_out, lam_out):
    """z = C^+ (bottom - J M^-1 top);  x = M^-1 top + L^-T D^-1/2 z;  lam = (C^T)^+ z.

    With `continued`, z along nearly lost directions is such that x is the predicted one there.
    """
    scale, inverse = state.row_scale, state.mass_inverse
    b, z, last = state.solve_b, state.solve_x, state.solve_last
    free_motion(state, top, bottom, x_out, b)
    for i in range(state.rows):
        b[i] = b[i] * scale[i]
    seen = state.rank
    if continued and state.has_last > 0:
        seen = state.seen_rank
        predicted_part(state, x_out, last)
    orthogonal_solve(parts_of(state), state.rank, seen, b, last, state.solve_s, z, lam_out)
    for i in range(state.rows):
        lam_out[i] = lam_out[i] * scale[i]
    for k in range(state.nv):
        x_out[k] = x_out[k] * inverse[k] + math.sqrt(inverse[k]) * z[k]
    ldl_backward(state.nv, state.mass_l, x_out)
    return OK


# -- any rank --------------------------------------------------------------------------------------


@border(FACTORING)
def factor_orthogonal(state: State, tolerance):
    """Factor C, whatever the margin of the rows."""
    status = checked_rows(state)
    if status == OK:
        decompose(state, tolerance)
    return status


@border(SOLVING)
def solve_orthogonal(state: State, top, bottom, x_out, lam_out):
    """Forces by the plain pseudoinverse."""
    return orthogonal_response(state, top, bottom, False, x_out, lam_out)


@border(RESPONDING)
def respond_orthogonal(state: State, bottom, x_out, lam_out):
    """Corrections by the plain pseudoinverse."""
    return orthogonal_response(state, no_force(state), bottom, False, x_out, lam_out)


# -- automatic -------------------------------------------------------------------------------------


@border(FACTORING)
def factor_automatic(state: State, tolerance):
    """By the Schur complement where rows are well apart, orthogonally otherwise."""
    status = checked_rows(state)
    if status != OK:
        return status
    independent = state.rows <= state.nv and state.rank_limit == state.rows
    if independent and least_share(state) ** 2 > WELL_APART:
        delassus_factor(state)
        if state.margin > WELL_APART:
            state.branch = BY_SCHUR
            count_rank(state, state.rows)
            return OK
    decompose(state, tolerance)
    return OK


@border(SOLVING)
def solve_automatic(state: State, top, bottom, x_out, lam_out):
    """Solve with whichever form the last factorisation took."""
    if state.branch == BY_SCHUR:
        state.continued = 0
        return solve_full_rank(state, top, bottom, x_out, lam_out)
    state.continued = state.continued + 1 if state.seen_rank > state.rank else 0
    going = state.continued <= PATIENCE
    if not going and state.seen_rank > state.held_rank:
        state.left_off += 1
    if state.held_rank > state.rank and state.has_last >= 0 and not is_passed(state):
        return held_response(state, top, bottom, going, x_out, lam_out)
    state.held_rank = state.rank
    return orthogonal_response(state, top, bottom, going, x_out, lam_out)


@kernel
def is_passed(state: State):
    """Whether nearly lost directions are on the way through a singular position.

    They were certain before, and are weak for a few stages; for many where error control makes
    them short.
    """
    if state.held_rank > state.firm_rank:
        return False
    if state.weak_for_good == 1:
        return False
    return state.continued <= PATIENCE or state.long_steps == 1


@apart(int)
def held_response(state: State, top, bottom, going, x_out, lam_out):
    """Forces along nearly lost directions, too; the factors are left as they were."""
    rank, parts = state.rank, parts_of(state)
    if state.held_rank < state.rows:
        triangularise(parts, state.held_rank)
    state.rank = state.held_rank
    status = orthogonal_response(state, top, bottom, going, x_out, lam_out)
    state.rank = rank
    triangularise(parts, rank)
    return status


@border(RESPONDING)
def respond_automatic(state: State, bottom, x_out, lam_out):
    """Corrections with whichever form the last factorisation took."""
    if state.branch == BY_SCHUR:
        return solve_full_rank(state, no_force(state), bottom, x_out, lam_out)
    return orthogonal_response(state, no_force(state), bottom, False, x_out, lam_out)
