"""The constrained solve with dense matrices.

    M x = top + J^T lam,    J x = bottom                                    (methods 2)

With M = L D L^T and rows Y = J L^-T (so that J M^-1 J^T = Y D^-1 Y^T =: W), in five forms, each
with borders factor, solve and respond:

* `full_rank`: W lam = bottom - J M^-1 top, no branch on a value: this text is also traced;
* `schur`: the same, refusing dependent rows;
* `orthogonal`: C = Y D^-1/2 by complete orthogonal decomposition, any rank;
* `automatic`: `full_rank` where the rows are well apart, `orthogonal` with continuation otherwise;
* `saddle`: the matrix [[M, -J^T], [J, 0]] itself, by LU.

The orthogonal form works on C, not on C C^T, which would square the condition number. x and
J^T lam are unique; lam is the multiplier of least length when rows are dependent.

Continuation. On the way through a singular position the acceleration along a nearly lost direction
is (small) / (small): the quotient is finite, its digits are not. Dropping the direction, as the
pseudoinverse does, makes an error of order one there; keeping it amplifies noise by the square of
the condition number. The acceleration itself is continuous, so along these directions, and only
there, it is extrapolated from the last stages (decision 0003).
"""

import math

from dalembert._jit import border, kernel, larger, smaller
from dalembert.numerics.ldl import first_bad_pivot, ldl_backward, ldl_factor, ldl_forward, ldl_solve
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.numerics.orthogonal import orthogonal_factor, orthogonal_solve
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
from dalembert.system.layout import (
    BODIES,
    BODY_WEIGHT,
    BRANCH,
    CONTINUED,
    DELASSUS,
    DELASSUS_INVERSE,
    DELASSUS_L,
    DELASSUS_PIVOT,
    FACTOR,
    FAILED_INDEX,
    HAS_LAST,
    JACOBIAN,
    MARGIN,
    MASS,
    MASS_INVERSE,
    MASS_L,
    MASS_PIVOT,
    NEAR_COUNT,
    NV,
    ONE,
    ORTHO_BETA,
    ORTHO_C,
    ORTHO_GAMMA,
    ORTHO_ORDER,
    ORTHO_R,
    PREDICTED_VDOT,
    RANK,
    RANK_LIMIT,
    RANK_MAX,
    RESPOND,
    ROW_SCALE,
    ROW_SHARE,
    ROWS,
    ROWS_Y,
    SADDLE,
    SADDLE_ORDER,
    SADDLE_SCALE,
    SADDLE_X,
    SEEN_RANK,
    SOLVE,
    SOLVE_B,
    SOLVE_LAST,
    SOLVE_S,
    SOLVE_X,
    TOP,
    matrix,
    scratch_matrix,
    scratch_vector,
    vector,
)

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

NEAR = 0.03
"""Weakest direction of C over the strongest below which a position counts as nearly singular: the
noise of accelerations, eps over its square, is then above what a tight tolerance asks for."""

SCHUR_LIMIT = 1e-12
"""Same ratio below which the Schur form calls rows dependent (the square of FORCE_TOLERANCE)."""

PATIENCE = 8
"""Stages in a row that are continued: a passage takes one or two steps. A mechanism that stays in a
singular position is taken at its word."""

BY_SCHUR, BY_ORTHOGONAL = 0, 1


@kernel
def mass_factor(work, sizes):
    """M = L D L^T, unchecked: this text is also traced."""
    M = matrix(work, sizes, MASS, NV, NV)
    L = matrix(work, sizes, MASS_L, NV, NV)
    pivot = vector(work, sizes, MASS_PIVOT, NV)
    inverse = vector(work, sizes, MASS_INVERSE, NV)
    ldl_factor(sizes[NV], M, L, pivot, inverse)


@kernel
def mass_checked(work, sizes):
    """M = L D L^T, or the status that says why there is none."""
    mass_factor(work, sizes)
    bad = first_bad_pivot(
        sizes[NV], matrix(work, sizes, MASS, NV, NV), vector(work, sizes, MASS_PIVOT, NV)
    )
    if bad >= 0:
        sizes[FAILED_INDEX] = bad
        pivot = vector(work, sizes, MASS_PIVOT, NV)[bad]
        return NOT_POSITIVE_DEFINITE if pivot - pivot == 0.0 else NON_FINITE
    return OK


@kernel
def mass_solve(work, sizes, x):
    """x <- M^-1 x."""
    ldl_solve(
        sizes[NV],
        matrix(work, sizes, MASS_L, NV, NV),
        vector(work, sizes, MASS_INVERSE, NV),
        x,
    )


@kernel
def reduced_rows(work, sizes):
    """Y = J L^-T, row by row."""
    n, m = sizes[NV], sizes[ROWS]
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    L = matrix(work, sizes, MASS_L, NV, NV)
    Y = matrix(work, sizes, ROWS_Y, ROWS, NV)
    for i in range(m):
        for k in range(n):
            Y[i, k] = J[i, k]
        ldl_forward(n, L, Y[i])


@kernel
def checked_rows(work, sizes):
    """M = L D L^T, checked, and Y."""
    status = mass_checked(work, sizes)
    if status == OK:
        reduced_rows(work, sizes)
    return status


@kernel
def delassus_factor(work, sizes):
    """W = Y D^-1 Y^T = L D L^T (other L, D); MARGIN = smallest pivot over largest diagonal."""
    n, m = sizes[NV], sizes[ROWS]
    Y = matrix(work, sizes, ROWS_Y, ROWS, NV)
    inverse = vector(work, sizes, MASS_INVERSE, NV)
    scale = vector(work, sizes, ROW_SCALE, ROWS)
    W = matrix(work, sizes, DELASSUS, ROWS, ROWS)
    for i in range(m):
        for j in range(i + 1):
            total = 0.0
            for k in range(n):
                total += Y[i, k] * inverse[k] * Y[j, k]
            W[i, j] = total
    L = matrix(work, sizes, DELASSUS_L, ROWS, ROWS)
    pivot = vector(work, sizes, DELASSUS_PIVOT, ROWS)
    ldl_factor(m, W, L, pivot, vector(work, sizes, DELASSUS_INVERSE, ROWS))
    margin = vector(work, sizes, MARGIN, ONE)
    margin[0] = 1.0
    if m > 0:
        smallest = pivot[0] * scale[0] * scale[0]
        largest = W[0, 0] * scale[0] * scale[0]
        for i in range(1, m):
            smallest = smaller(smallest, pivot[i] * scale[i] * scale[i])
            largest = larger(largest, W[i, i] * scale[i] * scale[i])
        margin[0] = smallest / largest


@kernel
def least_share(work, sizes):
    """Smallest part of a row that is left of its terms (`mechanics.tree_rows`)."""
    share = vector(work, sizes, ROW_SHARE, ROWS)
    least = 1.0
    for i in range(sizes[ROWS]):
        least = min(least, share[i])
    return least


@border(FACTORING)
def factor_full_rank(work, sizes, tolerance):
    """Factor assuming independent rows; MARGIN tells how independent."""
    mass_factor(work, sizes)
    reduced_rows(work, sizes)
    delassus_factor(work, sizes)
    return OK


@border(SOLVING)
def solve_full_rank(work, sizes, top, bottom, x_out, lam_out):
    """W lam = bottom - J M^-1 top;  x = M^-1 (top + J^T lam)."""
    n, m = sizes[NV], sizes[ROWS]
    L = matrix(work, sizes, MASS_L, NV, NV)
    inverse = vector(work, sizes, MASS_INVERSE, NV)
    Y = matrix(work, sizes, ROWS_Y, ROWS, NV)
    # y = L^-1 top, so that J M^-1 top = Y D^-1 y
    for k in range(n):
        x_out[k] = top[k]
    ldl_forward(n, L, x_out)
    for i in range(m):
        total = bottom[i]
        for k in range(n):
            total -= Y[i, k] * inverse[k] * x_out[k]
        lam_out[i] = total
    ldl_solve(
        m,
        matrix(work, sizes, DELASSUS_L, ROWS, ROWS),
        vector(work, sizes, DELASSUS_INVERSE, ROWS),
        lam_out,
    )
    # x = L^-T D^-1 (y + Y^T lam)
    for k in range(n):
        total = x_out[k]
        for i in range(m):
            total += Y[i, k] * lam_out[i]
        x_out[k] = total * inverse[k]
    ldl_backward(n, L, x_out)
    return OK


@kernel
def count_rank(sizes, rank):
    """Note the rank of this factorisation."""
    sizes[RANK] = rank
    sizes[RANK_MAX] = max(sizes[RANK_MAX], rank)


@border(FACTORING)
def factor_schur(work, sizes, tolerance):
    """`full_rank`, refusing a mass matrix or rows that do not allow it."""
    status = checked_rows(work, sizes)
    if status != OK:
        return status
    delassus_factor(work, sizes)
    sizes[BRANCH] = BY_SCHUR
    if sizes[ROWS] > 0 and not vector(work, sizes, MARGIN, ONE)[0] > SCHUR_LIMIT:
        return RANK_DEFICIENT
    if least_share(work, sizes) ** 2 <= SCHUR_LIMIT:
        return RANK_DEFICIENT
    count_rank(sizes, sizes[ROWS])
    return OK


@border(FACTORING)
def factor_lean(work, sizes, tolerance):
    """`full_rank` where rows are well apart; elsewhere it asks for the form with all branches.

    A run whose rows never come near one another is spared the compilation of the others.
    """
    status = checked_rows(work, sizes)
    if status != OK:
        return status
    delassus_factor(work, sizes)
    if not vector(work, sizes, MARGIN, ONE)[0] > WELL_APART:
        return NEEDS_GENERAL
    sizes[BRANCH] = BY_SCHUR
    count_rank(sizes, sizes[ROWS])
    return OK


@border(FACTORING)
def factor_orthogonal(work, sizes, tolerance):
    """C = Y D^-1/2 (rows scaled) decomposed orthogonally; the rank is counted."""
    status = checked_rows(work, sizes)
    if status != OK:
        return status
    orthogonal_part(work, sizes, tolerance)
    return OK


@kernel
def orthogonal_part(work, sizes, tolerance):
    """The decomposition itself, from Y and D."""
    n, m = sizes[NV], sizes[ROWS]
    Y = matrix(work, sizes, ROWS_Y, ROWS, NV)
    inverse = vector(work, sizes, MASS_INVERSE, NV)
    scale = vector(work, sizes, ROW_SCALE, ROWS)
    share = vector(work, sizes, ROW_SHARE, ROWS)
    C = matrix(work, sizes, ORTHO_C, ROWS, NV)
    reference = 0.0
    for i in range(m):
        size = 0.0
        for k in range(n):
            C[i, k] = Y[i, k] * math.sqrt(inverse[k]) * scale[i]
            size += C[i, k] * C[i, k]
        if share[i] > 0.0:
            reference = max(reference, math.sqrt(size) / share[i])
    rank, seen = orthogonal_factor(
        m,
        n,
        C,
        tolerance,
        reference,
        sizes[RANK_LIMIT],
        vector(work, sizes, ORTHO_ORDER, ROWS),
        vector(work, sizes, ORTHO_BETA, ROWS),
        matrix(work, sizes, ORTHO_R, ROWS, ROWS),
        vector(work, sizes, ORTHO_GAMMA, ROWS),
    )
    sizes[BRANCH] = BY_ORTHOGONAL
    held = sizes[RANK_MAX]
    count_rank(sizes, rank)
    # What forces never held is not nearly lost: it is not continued.
    sizes[SEEN_RANK] = min(seen, sizes[RANK_MAX])
    if tolerance <= FINE_TOLERANCE:
        sizes[RANK_MAX] = held
    weakest = abs(C[rank - 1, rank - 1]) if rank > 0 else 0.0
    if rank > 0 and (sizes[SEEN_RANK] > rank or weakest < NEAR * abs(C[0, 0])):
        sizes[NEAR_COUNT] += 1


@kernel
def orthogonal_response(work, sizes, top, bottom, continued, x_out, lam_out):
    """z = C^+ (bottom - J M^-1 top);  x = M^-1 top + L^-T D^-1/2 z;  lam = (C^T)^+ z.

    With `continued`, z along nearly lost directions is such that x is the predicted one there.
    """
    n, m = sizes[NV], sizes[ROWS]
    L = matrix(work, sizes, MASS_L, NV, NV)
    inverse = vector(work, sizes, MASS_INVERSE, NV)
    Y = matrix(work, sizes, ROWS_Y, ROWS, NV)
    scale = vector(work, sizes, ROW_SCALE, ROWS)
    b = vector(work, sizes, SOLVE_B, ROWS)
    z = vector(work, sizes, SOLVE_X, NV)
    for k in range(n):
        x_out[k] = top[k]
    ldl_forward(n, L, x_out)
    for i in range(m):
        total = bottom[i]
        for k in range(n):
            total -= Y[i, k] * inverse[k] * x_out[k]
        b[i] = total * scale[i]
    last = vector(work, sizes, SOLVE_LAST, NV)
    seen = sizes[RANK]
    if continued and sizes[HAS_LAST] > 0:
        seen = sizes[SEEN_RANK]
        before = vector(work, sizes, PREDICTED_VDOT, NV)
        # D^1/2 L^T x as predicted, less the free part D^-1/2 y
        for k in range(n):
            total = before[k]
            for i in range(k + 1, n):
                total += L[i, k] * before[i]
            last[k] = total / math.sqrt(inverse[k]) - x_out[k] * math.sqrt(inverse[k])
    orthogonal_solve(
        m,
        n,
        sizes[RANK],
        seen,
        matrix(work, sizes, ORTHO_C, ROWS, NV),
        vector(work, sizes, ORTHO_ORDER, ROWS),
        vector(work, sizes, ORTHO_BETA, ROWS),
        matrix(work, sizes, ORTHO_R, ROWS, ROWS),
        vector(work, sizes, ORTHO_GAMMA, ROWS),
        b,
        last,
        vector(work, sizes, SOLVE_S, ROWS),
        z,
        lam_out,
    )
    for i in range(m):
        lam_out[i] = lam_out[i] * scale[i]
    for k in range(n):
        x_out[k] = x_out[k] * inverse[k] + math.sqrt(inverse[k]) * z[k]
    ldl_backward(n, L, x_out)
    return OK


@border(SOLVING)
def solve_orthogonal(work, sizes, top, bottom, x_out, lam_out):
    """Forces by the plain pseudoinverse."""
    return orthogonal_response(work, sizes, top, bottom, False, x_out, lam_out)


@kernel
def no_force(work, sizes):
    """A right-hand side of zeros."""
    top = vector(work, sizes, TOP, NV)
    for k in range(sizes[NV]):
        top[k] = 0.0
    return top


@border(RESPONDING)
def respond_orthogonal(work, sizes, bottom, x_out, lam_out):
    """Corrections by the plain pseudoinverse."""
    return orthogonal_response(work, sizes, no_force(work, sizes), bottom, False, x_out, lam_out)


@border(RESPONDING)
def respond_full_rank(work, sizes, bottom, x_out, lam_out):
    """Corrections for independent rows."""
    return solve_full_rank(work, sizes, no_force(work, sizes), bottom, x_out, lam_out)


@border(FACTORING)
def factor_automatic(work, sizes, tolerance):
    """By the Schur complement where rows are well apart, orthogonally otherwise."""
    status = checked_rows(work, sizes)
    if status != OK:
        return status
    independent = sizes[ROWS] <= sizes[NV] and sizes[RANK_LIMIT] == sizes[ROWS]
    if independent and least_share(work, sizes) ** 2 > WELL_APART:
        delassus_factor(work, sizes)
        if vector(work, sizes, MARGIN, ONE)[0] > WELL_APART:
            sizes[BRANCH] = BY_SCHUR
            count_rank(sizes, sizes[ROWS])
            return OK
    orthogonal_part(work, sizes, tolerance)
    return OK


@border(SOLVING)
def solve_automatic(work, sizes, top, bottom, x_out, lam_out):
    """Solve with whichever form the last factorisation took."""
    if sizes[BRANCH] == BY_SCHUR:
        sizes[CONTINUED] = 0
        return solve_full_rank(work, sizes, top, bottom, x_out, lam_out)
    sizes[CONTINUED] = sizes[CONTINUED] + 1 if sizes[SEEN_RANK] > sizes[RANK] else 0
    going = sizes[CONTINUED] <= PATIENCE
    return orthogonal_response(work, sizes, top, bottom, going, x_out, lam_out)


@border(RESPONDING)
def respond_automatic(work, sizes, bottom, x_out, lam_out):
    """Corrections with whichever form the last factorisation took."""
    top = no_force(work, sizes)
    if sizes[BRANCH] == BY_SCHUR:
        return solve_full_rank(work, sizes, top, bottom, x_out, lam_out)
    return orthogonal_response(work, sizes, top, bottom, False, x_out, lam_out)


@border(FACTORING)
def factor_saddle(work, sizes, tolerance):
    """LU of [[M, -J^T], [J, 0]], every row and column scaled to entries of order one.

    x = d x' with d_k = M_kk^-1/2, lam = e lam' with e_i = 1 / |J_i d|: masses and constraints may
    be given in any unit. A body may be without inertia about an axis if the rows hold it there.
    """
    n, m = sizes[NV], sizes[ROWS]
    M = matrix(work, sizes, MASS, NV, NV)
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    if sizes[BODIES] == 0:
        status = mass_checked(work, sizes)
        if status != OK:
            return status
    K = scratch_matrix(work, sizes, SADDLE, 0, n + m, n + m)
    scale = scratch_vector(work, sizes, SADDLE_SCALE, 0, n + m)
    for k in range(n):
        if sizes[BODIES] == 0:
            scale[k] = 1.0 / math.sqrt(M[k, k])
        else:
            scale[k] = math.sqrt(work[sizes[BODY_WEIGHT] + k // 3])
    for i in range(m):
        total = 0.0
        for k in range(n):
            total += J[i, k] * scale[k] * J[i, k] * scale[k]
        scale[n + i] = 1.0 / math.sqrt(total) if total > 0.0 else 1.0
    for i in range(n):
        for j in range(i + 1):
            K[i, j] = scale[i] * M[i, j] * scale[j]
            K[j, i] = K[i, j]
    for i in range(m):
        for k in range(n):
            K[n + i, k] = scale[n + i] * J[i, k] * scale[k]
            K[k, n + i] = -K[n + i, k]
        for j in range(m):
            K[n + i, n + j] = 0.0
    order = scratch_vector(work, sizes, SADDLE_ORDER, 0, n + m)
    if lu_factor(n + m, K, 2.3e-16 * (n + m), order) >= 0:
        return RANK_DEFICIENT
    count_rank(sizes, m)
    return OK


@border(SOLVING)
def solve_saddle(work, sizes, top, bottom, x_out, lam_out):
    """(x, lam) from the factors of the saddle-point matrix."""
    n, m = sizes[NV], sizes[ROWS]
    K = scratch_matrix(work, sizes, SADDLE, 0, n + m, n + m)
    x = scratch_vector(work, sizes, SADDLE_X, 0, n + m)
    scale = scratch_vector(work, sizes, SADDLE_SCALE, 0, n + m)
    for k in range(n):
        x[k] = scale[k] * top[k]
    for i in range(m):
        x[n + i] = scale[n + i] * bottom[i]
    lu_solve(n + m, K, scratch_vector(work, sizes, SADDLE_ORDER, 0, n + m), x)
    for k in range(n):
        x_out[k] = scale[k] * x[k]
    for i in range(m):
        lam_out[i] = scale[n + i] * x[n + i]
    return OK


@border(RESPONDING)
def respond_saddle(work, sizes, bottom, x_out, lam_out):
    """Corrections from the factors of the saddle-point matrix."""
    return solve_saddle(work, sizes, no_force(work, sizes), bottom, x_out, lam_out)


FORMS = {
    "automatic": (factor_automatic, solve_automatic, respond_automatic),
    "schur": (factor_schur, solve_full_rank, respond_full_rank),
    "orthogonal": (factor_orthogonal, solve_orthogonal, respond_orthogonal),
    "saddle": (factor_saddle, solve_saddle, respond_saddle),
}
"""Name of a form -> its three borders: factor, solve, respond."""


def install_lean(sizes):
    """Put the borders for corrections in place that serve until rows come near one another."""
    sizes[FACTOR], sizes[RESPOND] = factor_lean.address, respond_full_rank.address


def install(form, sizes):
    """Put the borders of a form in place."""
    for slot, part in zip((FACTOR, SOLVE, RESPOND), FORMS[form], strict=True):
        sizes[slot] = part.address
