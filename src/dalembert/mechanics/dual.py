"""The constrained solve along the graph of constraints: block LDL^T of W = J M^-1 J^T.

    W lam = bottom - J M^-1 top,      x = M^-1 (top + J^T lam)                  (methods 2)

One factorisation and one solve, where the proximal form takes a larger one and two solves. Rows
that depend on others for good (a planar loop of hinges in space) leave a pivot of rounding: they
are taken out as they come up, and get no force (`system.dual_blocks`). Those found at the start are
left out of the tables; should a projection find that they do not follow from the others after all,
the proximal form takes over for the rest of the run (`dual_off`). A pivot that is small, or a
row lost that was not lost before, means a singular position is near: there the proximal form, with
its continuation, does the stage.

The multipliers are right but not the least ones where rows depend on one another; what is reported
is measured with the proximal form.
"""

from dalembert._jit import border, kernel
from dalembert.mechanics.all_rows import (
    goes_on_with_all,
    is_better_by_all,
    respond_by_all,
    solve_by_all,
)
from dalembert.mechanics.dense import (
    BY_DUAL,
    BY_ORTHOGONAL,
    BY_PROXIMAL,
    CONTINUED_TOLERANCE,
    FINE_TOLERANCE,
)
from dalembert.mechanics.incidence import image, pull
from dalembert.mechanics.maximal import mass_times, turn_missing
from dalembert.numerics.block_sparse import BlockMatrix, sparse_factor, sparse_solve
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import put_vec3, vec3
from dalembert.system.borders import FACTORING, OK, RESPONDING, SOLVING
from dalembert.system.dual_blocks import DEPENDENT, INVERTING, MASS_DIVIDING, MULTIPLYING
from dalembert.system.state_layout import State

NEAR, NEAR_IN_LONG_STEPS, FLOOR = 1e-6, 1e-8, 1e-7
"""Pivot of a row, over the largest it has had and over its diagonal entry, below which a singular
position is near. Between the stages of the long steps of error control the continuation
extrapolates far: there it is worth its error only where the pivot is all noise."""

WEAK = 1e-3
"""Pivot of a row, over the largest it has had, below which the error control must not follow the
noise of accelerations (decision 0003): sigma is then 0.03 of what it was."""

LIGHT = 1e-3
"""Part of the missing inertia that an axis without inertia gets here: M^-1 must exist. Further
passes, with the true M in their residual, take it out again."""

PASSES, EXACT = 6, 1e-12
"""How many there may be, and the change of x, over x, that ends them."""

_invert = INVERTING.call
_divide = MASS_DIVIDING.call
_multiply = MULTIPLYING.call
_call_factor = FACTORING.call
_call_solve = SOLVING.call
_call_respond = RESPONDING.call


# -- W and its factors -----------------------------------------------------------------------------


@kernel
def lend(state: State, part):
    """Add a part of the missing inertia to bodies that lack it."""
    for i in range(state.massless):
        body = state.turned_body(state.massless_body(i).body)
        body.theta = body.theta + part * Sym3.upper(state.missing_inertia(i).turned)


@kernel
def invert_masses(state: State):
    """M^-1 of every body; what is lent to it is taken back."""
    turn_missing(state)
    lend(state, LIGHT)
    for b in range(state.bodies):
        _invert(state.dual_invert, *state, state.inertia_of(b), state.inverse_of(b))
    lend(state, -LIGHT)


@kernel
def accelerate_bodies(state: State, f, out):
    """out = M^-1 f, or P (P^T M P)^-1 P^T f in a plane."""
    for b in range(state.bodies):
        inverse, k = state.inverse_body(b), 6 * b
        put_vec3(out, k, inverse.mass * vec3(f, k))
        put_vec3(out, k + 3, inverse.theta @ vec3(f, k + 3))
    if state.plane >= 0:
        for b in range(state.bodies):
            out[6 * b + state.plane] = 0.0


@kernel
def clear_empty(state: State):
    """Blocks of W that no product begins: they begin as zero."""
    W = state.dual
    for i in range(state.dual_empty_count):
        empty = state.empty_block(i)
        for k in range(empty.w, empty.w + empty.length):
            W[k] = 0.0


@kernel
def assemble_dual(state: State):
    """W = J M^-1 J^T, block by block."""
    J, Z, W = state.jacobian_blocks, state.dual_z, state.dual
    for i in range(state.dual_division_count):
        part = state.division(i)
        _divide(part.code, *state, J[part.j :], state.inverse_of(part.body), Z[part.z :])
    clear_empty(state)
    for i in range(state.dual_product_count):
        product = state.product(i)
        _multiply(product.code, *state, J[product.j :], Z[product.z :], W[product.w :])


@kernel
def matrix_of_rows(state: State):
    """W by blocks: the rows of a constraint."""
    return BlockMatrix(
        state.sizes,
        state.dual_columns,
        state.dual_below,
        state.dual_updates,
        state.dual_column_count,
        state.dual,
        state.dual_inverse,
        state.dual_whole,
        state.dual_ratio,
        state.dual_scratch,
    )


@kernel
def keep_diagonal(state: State, W):
    """The diagonal of W, as it would be if terms of J did not cancel (trees 5)."""
    share, whole = state.row_share, state.dual_whole
    for column in W:
        diagonal = W.diagonal_block(column)
        for i in range(column.count):
            left = share[state.row_of(column.row + i)]
            entry = diagonal[(column.count + 1) * i]
            whole[column.row + i] = entry / (left * left) if left > 0.0 else 1.0


@kernel
def factor_rows(state: State):
    """W = L D L^T in place."""
    W = matrix_of_rows(state)
    keep_diagonal(state, W)
    sparse_factor(W)


@kernel
def solve_rows(state: State, b, lam):
    """lam = W^-1 b on the rows that take part, zero on the others and on those taken out."""
    y = state.dual_lam
    for i in range(state.dual_row_count):
        y[i] = b[state.row_of(i)]
    sparse_solve(matrix_of_rows(state), y)
    if state.dual_row_count < state.rows:
        for i in range(state.rows):
            lam[i] = 0.0
    for i in range(state.dual_row_count):
        lam[state.row_of(i)] = y[i]


@kernel
def is_regular(state: State):
    """No pivot is small but not lost, and no more rows are lost than ever."""
    best = state.dual_best
    dropped = 0
    regular = True
    near = NEAR_IN_LONG_STEPS if state.long_steps == 1 else NEAR
    for i in range(state.dual_row_count):
        ratio = state.dual_ratio[i]
        best[i] = max(best[i], ratio)
        if not ratio > max(near * best[i], FLOOR):
            if ratio > DEPENDENT:
                regular = False
            dropped += 1
    if not regular:
        return False
    state.dropped = dropped
    state.least_dropped = min(dropped, state.least_dropped)
    return dropped == state.least_dropped


@kernel
def count_weak(state: State):
    """Count a stage in which a pivot was weak."""
    for i in range(state.dual_row_count):
        if state.dual_ratio[i] < WEAK * state.dual_best[i]:
            state.near_count += 1
            return


# -- borders ---------------------------------------------------------------------------------------


@border(FACTORING)
def factor_dual(state: State, tolerance):
    """Factor W, or H where a singular position is near or the finest is asked for."""
    if tolerance > FINE_TOLERANCE and state.dual_off == 0:
        if goes_on_with_all(state, tolerance):
            return OK
        invert_masses(state)
        assemble_dual(state)
        factor_rows(state)
        state.factorisations += 1
        regular = is_regular(state)
        if is_better_by_all(state, tolerance, regular):
            return OK
        count_weak(state)
        if regular:
            state.branch = BY_DUAL
            state.firm_rank = state.rows
            state.factored = 1
            state.factored_time = state.evaluated_time
            return OK
    state.branch = BY_PROXIMAL
    return _call_factor(state.proximal_factor, *state, tolerance)


@kernel
def answer(state: State, top, bottom, x, lam):
    """lam = W^-1 (bottom - J M^-1 top), x = M^-1 (top + J^T lam)."""
    f = state.dual_change
    accelerate_bodies(state, top, x)
    image(state, x, lam)
    for i in range(state.rows):
        lam[i] = bottom[i] - lam[i]
    solve_rows(state, lam, lam)
    for k in range(state.nv):
        f[k] = top[k]
    pull(state, lam, f)
    accelerate_bodies(state, f, x)


@border(SOLVING)
def solve_dual(state: State, top, bottom, x_out, lam_out):
    """Forces."""
    if state.branch == BY_PROXIMAL:
        return _call_solve(state.proximal_solve, *state, top, bottom, x_out, lam_out)
    if state.branch == BY_ORTHOGONAL:
        return solve_by_all(state, top, bottom, x_out, lam_out)
    answer(state, top, bottom, x_out, lam_out)
    if state.massless == 0:
        return OK
    for _ in range(PASSES):
        if improve(state, top, bottom, x_out, lam_out) <= EXACT:
            return OK
    # They do not end: a torque, perhaps, about an axis without inertia. The proximal form knows.
    status = _call_factor(state.proximal_factor, *state, CONTINUED_TOLERANCE)
    if status != OK:
        return status
    state.branch = BY_PROXIMAL
    return _call_solve(state.proximal_solve, *state, top, bottom, x_out, lam_out)


@kernel
def improve(state: State, top, bottom, x, lam):
    """A further pass with r = top + J^T lam - M x, s = bottom - J x; returns the change of x."""
    r, s, dx, dlam = state.dual_top, state.dual_bottom, state.change, state.dual_ratio
    mass_times(state, x, r)
    for k in range(state.nv):
        r[k] = top[k] - r[k]
    pull(state, lam, r)
    image(state, x, s)
    for i in range(state.rows):
        s[i] = bottom[i] - s[i]
    answer(state, r, s, dx, dlam)
    change = size = 0.0
    for k in range(state.nv):
        x[k] += dx[k]
        change = max(change, abs(dx[k]))
        size = max(size, abs(x[k]))
    for i in range(state.rows):
        lam[i] += dlam[i]
    return change / size if size > 0.0 else 0.0


@border(RESPONDING)
def respond_dual(state: State, bottom, x_out, lam_out):
    """Corrections."""
    if state.branch == BY_PROXIMAL:
        return _call_respond(state.proximal_respond, *state, bottom, x_out, lam_out)
    if state.branch == BY_ORTHOGONAL:
        return respond_by_all(state, bottom, x_out, lam_out)
    f = state.dual_change
    solve_rows(state, bottom, lam_out)
    for k in range(state.nv):
        f[k] = 0.0
    pull(state, lam_out, f)
    accelerate_bodies(state, f, x_out)
    return OK
