"""The constrained solve on a tree: M = L^T D L along it, W = J M^-1 J^T along the graph of loops.

    Y = J L^-1 D^-1/2,   W = Y Y^T,   W lam = bottom - Y y,   y = D^-1/2 L^-T top
    x = L^-1 D^-1/2 (y + Y^T lam)                                    (methods 2; Featherstone 2008,
                                                                      sec. 6.5, 8.3 and 8.4)

L keeps to the tree and Y to the ways from the ends of a loop to the world, so both cost what the
tree and the loops have, not what full matrices have. W is factored by blocks as that of bodies is
(`mechanics.dual`); near a singular position, and where rows turn out to depend on others after
all, the full matrices with their orthogonal decomposition and continuation do the stage.

Without loops the articulated-body algorithm solves with M in O(n).
"""

import math

from dalembert._jit import border, kernel
from dalembert.mechanics.all_rows import goes_on_with_all, is_better_by_all
from dalembert.mechanics.dense import BY_DUAL, FINE_TOLERANCE
from dalembert.mechanics.dual import clear_empty, count_weak, factor_rows, is_regular, solve_rows
from dalembert.mechanics.tree_aba import accelerate, articulate
from dalembert.mechanics.tree_crba import mass_entries
from dalembert.mechanics.tree_evaluate import fill_matrices
from dalembert.mechanics.tree_factor import factor_mass, from_root, to_root
from dalembert.system.borders import (
    FACTORING,
    NOT_POSITIVE_DEFINITE,
    OK,
    RESPONDING,
    SOLVING,
    predict,
)
from dalembert.system.loop_tables import loops_of, products_of
from dalembert.system.state_layout import State

_call_factor = FACTORING.call
_call_solve = SOLVING.call
_call_respond = RESPONDING.call


# -- without loops ---------------------------------------------------------------------------------


@border(FACTORING)
def factor_open(state: State, tolerance):
    """All is done in one go by `solve_open`."""
    state.rank = 0
    return OK


@border(SOLVING)
def solve_open(state: State, top, bottom, x_out, lam_out):
    """x = M^-1 (top + forces on the links of the last evaluated state)."""
    integers, room = state.tree_integers, state.tree_room
    status = articulate(integers, state.tree_numbers, room, state.tree_side, top)
    if status != OK:
        return status
    return accelerate(integers, room, top, x_out)


@border(RESPONDING)
def respond_open(state: State, bottom, x_out, lam_out):
    """Nothing asks for a correction."""
    for k in range(state.nv):
        x_out[k] = 0.0
    return OK


# -- factors ---------------------------------------------------------------------------------------


@kernel
def factor_inertia(state: State):
    """M = L^T D L in `tree_mass`, D^-1/2 in `tree_roots`."""
    M, roots, integers = state.tree_mass, state.tree_roots, state.tree_integers
    mass_entries(integers, state.tree_numbers, state.tree_room, M)
    status = factor_mass(integers, M)
    for k in range(state.nv):
        if not M[k, k] > 0.0:
            state.failed_index = k
            return NOT_POSITIVE_DEFINITE
        roots[k] = 1.0 / math.sqrt(M[k, k])
    return status


@kernel
def half_rows(state: State):
    """Y = J L^-1 D^-1/2 of the rows that take part."""
    loops = loops_of(state)
    J, Y, L, roots = state.tree_rows, state.tree_half, state.tree_mass, state.tree_roots
    for loop in loops:
        first, width, count = loop.start, loop.width, loop.taking_count
        for i in range(count):
            j = first + width * loops.taking(loop, i)
            for k in range(width):
                Y[first + width * i + k] = J[j + k]
        # All rows of a constraint take the same way: each entry of L is fetched once.
        for k in range(width - 1, -1, -1):
            own = loops.velocity(loop, k)
            dof, up = own.dof, own.above
            while up >= 0:
                above = loops.velocity(loop, up)
                entry = L[dof, above.dof]
                for i in range(count):
                    y = first + width * i
                    Y[y + up] -= entry * Y[y + k]
                up = above.above
            root = roots[dof]
            for i in range(count):
                Y[first + width * i + k] *= root


@kernel
def multiply_rows(state: State):
    """W = Y Y^T, block by block; on the diagonal the lower triangle only."""
    W, Y, products = state.dual, state.tree_half, products_of(state)
    clear_empty(state)
    for product in products:
        column, wide = product.column_start, product.column_width
        row, other, rows = product.row_start, product.row_width, product.row_count
        common, count = products.common(product), product.common_count
        for c in range(product.column_count):
            for r in range(c + 1 if product.is_diagonal == 1 else rows):
                total = 0.0
                for k in range(count):
                    left = Y[column + wide * c + common[2 * k]]
                    total += left * Y[row + other * r + common[2 * k + 1]]
                W[product.w + rows * c + r] = total


@border(FACTORING)
def factor_tree(state: State, tolerance):
    """Factor M and W, or the full matrices where a singular position is near."""
    if tolerance > FINE_TOLERANCE and state.dual_off == 0:
        if goes_on_with_all(state, tolerance):
            return OK
        status = factor_inertia(state)
        if status != OK:
            return status
        half_rows(state)
        multiply_rows(state)
        factor_rows(state)
        state.factorisations += 1
        regular = is_regular(state)
        if is_better_by_all(state, tolerance, regular):
            return OK
        count_weak(state)
        if regular:
            state.branch = BY_DUAL
            found = state.dual_row_count - state.dropped
            state.rank_max = max(state.rank_max, found)
            state.firm_rank = max(state.firm_rank, found)
            state.factored = 1
            state.factored_time = state.evaluated_time
            return OK
    fill_matrices(state)
    predict(state, state.evaluated_time)
    state.factored = 0
    return _call_factor(state.proximal_factor, *state, tolerance)


# -- solves ----------------------------------------------------------------------------------------


@kernel
def scale_by_roots(state: State, x):
    """x <- D^-1/2 x."""
    roots = state.tree_roots
    for k in range(state.nv):
        x[k] *= roots[k]


@kernel
def rows_times(state: State, y, b):
    """b -= Y y on the rows that take part."""
    Y, loops = state.tree_half, loops_of(state)
    for loop in loops:
        for i in range(loop.taking_count):
            row, half = loop.row + loops.taking(loop, i), loop.start + loop.width * i
            total = b[row]
            for k in range(loop.width):
                total -= Y[half + k] * y[loops.velocity(loop, k).dof]
            b[row] = total


@kernel
def add_rows(state: State, lam, y):
    """y += Y^T lam."""
    Y, loops = state.tree_half, loops_of(state)
    for loop in loops:
        for i in range(loop.taking_count):
            own, half = lam[loop.row + loops.taking(loop, i)], loop.start + loop.width * i
            for k in range(loop.width):
                y[loops.velocity(loop, k).dof] += Y[half + k] * own


@border(SOLVING)
def solve_tree(state: State, top, bottom, x_out, lam_out):
    """Forces."""
    if state.branch != BY_DUAL:
        return _call_solve(state.proximal_solve, *state, top, bottom, x_out, lam_out)
    for k in range(state.nv):
        x_out[k] = top[k]
    to_root(state.tree_integers, state.tree_mass, x_out)
    scale_by_roots(state, x_out)
    for i in range(state.rows):
        lam_out[i] = bottom[i]
    rows_times(state, x_out, lam_out)
    solve_rows(state, lam_out, lam_out)
    add_rows(state, lam_out, x_out)
    scale_by_roots(state, x_out)
    from_root(state.tree_integers, state.tree_mass, x_out)
    return OK


@border(RESPONDING)
def respond_tree(state: State, bottom, x_out, lam_out):
    """Corrections."""
    if state.branch != BY_DUAL:
        return _call_respond(state.proximal_respond, *state, bottom, x_out, lam_out)
    solve_rows(state, bottom, lam_out)
    for k in range(state.nv):
        x_out[k] = 0.0
    add_rows(state, lam_out, x_out)
    scale_by_roots(state, x_out)
    from_root(state.tree_integers, state.tree_mass, x_out)
    return OK
