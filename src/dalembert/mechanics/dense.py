"""The constrained solve with dense matrices.

    M x = top + J^T lam,    J x = bottom                                    (methods 2)

With M = L D L^T and rows Y = J L^-T (so that J M^-1 J^T = Y D^-1 Y^T =: W), in five forms, each
with borders factor, solve and respond (`mechanics.choose_solve` has their table):

* `full_rank`: W lam = bottom - J M^-1 top, no branch on a value: this text is also traced;
* `schur`: the same, refusing dependent rows;
* `orthogonal`, `automatic`: any rank (`mechanics.orthogonal`);
* `saddle`: the matrix [[M, -J^T], [J, 0]] itself, by LU (`mechanics.saddle`).

Here are the tolerances of all, and the first two.
"""

from dalembert._jit import apart, border, kernel
from dalembert._native import larger, smaller
from dalembert.numerics.ldl import first_bad_pivot, ldl_backward, ldl_factor, ldl_forward, ldl_solve
from dalembert.numerics.vector import copy
from dalembert.system.borders import (
    FACTORING,
    NEEDS_GENERAL,
    NON_FINITE,
    NOT_POSITIVE_DEFINITE,
    OK,
    RANK_DEFICIENT,
    RESPONDING,
    SOLVING,
)
from dalembert.system.state_layout import State

FORCE_TOLERANCE = 1e-6
"""Rank tolerance of forces, relative to the largest row of C (methods 2)."""

CONTINUED_TOLERANCE = 1e-5
"""Rank tolerance of forces where a projection follows: continuation errs little in a direction, and
the projection takes out what it errs (decision 0003)."""

PROJECTION_TOLERANCE = 1e-4
"""Rank tolerance of position and velocity corrections: nearly lost directions carry noise."""

FINE_TOLERANCE = 1e-7
"""Rank tolerance of a second attempt at a velocity that the first has left off. The rounding of the
position, eps, moves such a velocity by eps / 1e-7 of itself at most."""

WELL_APART = 1e-3
"""Smallest pivot of W over its largest diagonal for which the squared matrix W may be used: the
condition of C is then below about 30 and W loses no more than three digits."""

SCHUR_LIMIT = 1e-12
"""Same ratio below which the Schur form calls rows dependent (the square of FORCE_TOLERANCE)."""

PATIENCE = 8
"""Stages in a row that are continued: a passage takes one or two steps. A mechanism that stays near
a singular position is held (decision 0003, rule 10), in one it is taken at its word."""

BY_SCHUR, BY_ORTHOGONAL, BY_DUAL, BY_PROXIMAL = range(4)
"""Values of `branch`: what the last factors are factors of."""


# -- the mass matrix -------------------------------------------------------------------------------


@kernel
def mass_factor(state: State):
    """M = L D L^T, unchecked: this text is also traced."""
    ldl_factor(state.nv, state.mass, state.mass_l, state.mass_pivot, state.mass_inverse)


@apart(int)
def mass_checked(state: State):
    """M = L D L^T, or the status that says why there is none."""
    mass_factor(state)
    bad = first_bad_pivot(state.nv, state.mass, state.mass_pivot)
    if bad >= 0:
        state.failed_index = bad
        pivot = state.mass_pivot[bad]
        return NOT_POSITIVE_DEFINITE if pivot - pivot == 0.0 else NON_FINITE
    return OK


@kernel
def mass_solve(state: State, x):
    """x <- M^-1 x."""
    ldl_solve(state.nv, state.mass_l, state.mass_inverse, x)


# -- the rows --------------------------------------------------------------------------------------


@kernel
def reduced_rows(state: State):
    """Y = J L^-T, row by row."""
    J, L, Y = state.jacobian, state.mass_l, state.rows_y
    for i in range(state.rows):
        copy(J[i], Y[i])
        ldl_forward(state.nv, L, Y[i])


@kernel
def checked_rows(state: State):
    """M = L D L^T, checked, and Y."""
    status = mass_checked(state)
    if status == OK:
        reduced_rows(state)
    return status


@kernel
def delassus_factor(state: State):
    """W = Y D^-1 Y^T = L D L^T (other L, D); margin = smallest pivot over largest diagonal."""
    Y, inverse, W = state.rows_y, state.mass_inverse, state.delassus
    pivot, scale = state.delassus_pivot, state.row_scale
    for i in range(state.rows):
        for j in range(i + 1):
            total = 0.0
            for k in range(state.nv):
                total += Y[i, k] * inverse[k] * Y[j, k]
            W[i, j] = total
    ldl_factor(state.rows, W, state.delassus_l, pivot, state.delassus_inverse)
    state.margin = 1.0
    if state.rows > 0:
        smallest = pivot[0] * scale[0] * scale[0]
        largest = W[0, 0] * scale[0] * scale[0]
        for i in range(1, state.rows):
            smallest = smaller(smallest, pivot[i] * scale[i] * scale[i])
            largest = larger(largest, W[i, i] * scale[i] * scale[i])
        state.margin = smallest / largest


@kernel
def least_share(state: State):
    """Smallest part of a row that is left of its terms (`mechanics.tree_rows`)."""
    share = state.row_share
    least = 1.0
    for i in range(state.rows):
        least = min(least, share[i])
    return least


@kernel
def free_motion(state: State, top, bottom, y, b):
    """y = L^-1 top, b = bottom - J M^-1 top = bottom - Y D^-1 y."""
    Y, inverse = state.rows_y, state.mass_inverse
    for k in range(state.nv):
        y[k] = top[k]
    ldl_forward(state.nv, state.mass_l, y)
    for i in range(state.rows):
        total = bottom[i]
        for k in range(state.nv):
            total -= Y[i, k] * inverse[k] * y[k]
        b[i] = total


@kernel
def no_force(state: State):
    """A right-hand side of zeros."""
    top = state.top
    for k in range(state.nv):
        top[k] = 0.0
    return top


@kernel
def count_rank(state: State, rank):
    """Note the rank of this factorisation."""
    state.rank = rank
    state.rank_max = max(state.rank_max, rank)
    state.firm_rank = max(state.firm_rank, rank)


# -- full rank -------------------------------------------------------------------------------------


@border(FACTORING)
def factor_full_rank(state: State, tolerance):
    """Factor assuming independent rows; the margin tells how independent."""
    mass_factor(state)
    reduced_rows(state)
    delassus_factor(state)
    return OK


@border(SOLVING)
def solve_full_rank(state: State, top, bottom, x_out, lam_out):
    """W lam = bottom - J M^-1 top;  x = M^-1 (top + J^T lam)."""
    Y, inverse = state.rows_y, state.mass_inverse
    free_motion(state, top, bottom, x_out, lam_out)
    ldl_solve(state.rows, state.delassus_l, state.delassus_inverse, lam_out)
    # x = L^-T D^-1 (y + Y^T lam)
    for k in range(state.nv):
        total = x_out[k]
        for i in range(state.rows):
            total += Y[i, k] * lam_out[i]
        x_out[k] = total * inverse[k]
    ldl_backward(state.nv, state.mass_l, x_out)
    return OK


@border(RESPONDING)
def respond_full_rank(state: State, bottom, x_out, lam_out):
    """Corrections for independent rows."""
    return solve_full_rank(state, no_force(state), bottom, x_out, lam_out)


@border(FACTORING)
def factor_schur(state: State, tolerance):
    """`full_rank`, refusing a mass matrix or rows that do not allow it."""
    status = checked_rows(state)
    if status != OK:
        return status
    delassus_factor(state)
    state.branch = BY_SCHUR
    if state.rows > 0 and not state.margin > SCHUR_LIMIT:
        return RANK_DEFICIENT
    if least_share(state) ** 2 <= SCHUR_LIMIT:
        return RANK_DEFICIENT
    count_rank(state, state.rows)
    return OK


@border(FACTORING)
def factor_lean(state: State, tolerance):
    """`full_rank` where rows are well apart; elsewhere it asks for the form with all branches.

    A run whose rows never come near one another is spared the compilation of the others.
    """
    status = checked_rows(state)
    if status != OK:
        return status
    delassus_factor(state)
    if not state.margin > WELL_APART:
        return NEEDS_GENERAL
    state.branch = BY_SCHUR
    count_rank(state, state.rows)
    return OK
