"""The matrix H = M + J^T G J of bodies, assembled by blocks and factored (see `proximal`).

G = diag(1 / (p w_i)), w_i the size of row i of J M^-1 J^T and p a small number.
"""

from dalembert._jit import kernel
from dalembert.mechanics.maximal import turn_missing
from dalembert.numerics.block_sparse import BlockMatrix, sparse_factor, sparse_solve
from dalembert.numerics.spatial import motion
from dalembert.system.borders import NON_FINITE, NOT_POSITIVE_DEFINITE, OK
from dalembert.system.kinds import WEIGHING
from dalembert.system.state_layout import State

COARSEST_PROXIMAL = 1e-6
"""p beyond which a pivot that is not positive is the fault of the masses."""

_weigh = WEIGHING.call


# -- weights ---------------------------------------------------------------------------------------


@kernel
def weigh_rows(state: State, p):
    """g_i = 1 / (p w_i), w_i from the masses and typical inertias of the bodies."""
    g = state.row_weight
    for i in range(state.rows):
        g[i] = 0.0
    for e in range(state.pairs):
        pair = state.pair(e)
        if pair.a < state.bodies:
            add_sizes(state, pair.a, pair.block_a, pair.row, pair.count, g)
        if pair.b < state.bodies:
            add_sizes(state, pair.b, pair.block_b, pair.row, pair.count, g)
    for i in range(state.incidences):
        at = state.incidence(i)
        add_sizes(state, at.body, at.block, at.row, at.count, g)
    for i in range(state.rows):
        # A row that vanishes at a singular position weighs nothing.
        g[i] = 1.0 / (p * g[i]) if g[i] > 0.0 else 0.0


@kernel
def add_sizes(state: State, body, start, row, count, w):
    """w_i += |J_v|^2 / m + |J_w|^2 / theta for the rows of one block."""
    linear, angular = state.body_weight[2 * body], state.body_weight[2 * body + 1]
    block = state.block(start, count)
    for r in range(count):
        J = motion(block, 6 * r)
        w[row + r] += linear * J.linear.dot(J.linear)
        w[row + r] += angular * J.angular.dot(J.angular)


# -- the matrix ------------------------------------------------------------------------------------


@kernel
def matrix_of_bodies(state: State):
    """H by blocks: six rows a body."""
    inverse = state.proximal_inverse
    return BlockMatrix(
        state.sizes,
        state.column_table,
        state.below_table,
        state.update_table,
        state.bodies,
        state.proximal,
        inverse,
        inverse,  # rows are never taken out: what is left of them is nobody's concern
        inverse,
        state.block_scratch,
    )


@kernel
def assemble(state: State):
    """H = M + J^T G J, lower triangle."""
    H, g = state.proximal, state.row_weight
    for e in range(state.empty):
        clear_block(state, state.empty_start(e))
    place_masses(state)
    add_missing(state)
    for e in range(state.pairs):
        pair = state.pair(e)
        _weigh(
            pair.weight_code,
            *state,
            state.block(pair.block_a, pair.count),
            state.block(pair.block_b, pair.count),
            g[pair.row : pair.row + pair.count],
            H[pair.H_aa : pair.H_aa + 36],
            H[pair.H_ab : pair.H_ab + 36],
            H[pair.H_bb : pair.H_bb + 36],
        )
    for e in range(state.terms):
        add_term(state, state.term(e))


@kernel
def clear_block(state: State, start):
    """Zeros in a block of H."""
    H = state.proximal
    for k in range(start, start + 36):
        H[k] = 0.0


@kernel
def place_masses(state: State):
    """Diagonal blocks of H: the mass matrices of the bodies."""
    H = state.proximal
    for column in matrix_of_bodies(state):
        body, at = state.turned_body(column.row // 6), column.diagonal
        mass, theta = body.mass, body.theta
        clear_block(state, at)
        H[at], H[at + 7], H[at + 14] = mass, mass, mass
        H[at + 21], H[at + 28], H[at + 35] = theta.xx, theta.yy, theta.zz
        H[at + 27], H[at + 33], H[at + 34] = theta.xy, theta.xz, theta.yz


@kernel
def add_term(state: State, term):
    """Add the product of two blocks of J, weighted, to a block of H."""
    H, g = state.proximal, state.row_weight
    left, right = (
        state.block(term.column_block, term.count),
        state.block(term.row_block, term.count),
    )
    for r in range(term.count):
        for i in range(6):
            a = g[term.row + r] * left[6 * r + i]
            for k in range(6):
                H[term.block + 6 * i + k] += a * right[6 * r + k]


@kernel
def add_missing(state: State):
    """H gets an inertia about axes that have none; M keeps its own.

    The refinement has M in its residuals, so nothing but the way to the solution changes: what
    joints hold is found as before, and what no torque turns keeps turning.
    """
    turn_missing(state)
    H = state.proximal
    for i in range(state.massless):
        missing, at = state.missing_inertia(i).turned, state.massless_body(i).block + 21
        H[at] += missing.xx
        H[at + 6] += missing.yx
        H[at + 7] += missing.yy
        H[at + 12] += missing.zx
        H[at + 13] += missing.zy
        H[at + 14] += missing.zz


# -- factors ---------------------------------------------------------------------------------------


@kernel
def factor_assembled(state: State):
    """H = L D L^T in place; -1, or the first body without positive pivots."""
    row = sparse_factor(matrix_of_bodies(state))
    return row if row < 0 else row // 6


@kernel
def solve_assembled(state: State, x):
    """x <- H^-1 x."""
    sparse_solve(matrix_of_bodies(state), x)


@kernel
def factor_now(state: State, p):
    """Factor H of the last evaluated state, with a larger p where rounding leaves no pivot."""
    status = try_factor(state, p)
    while status == NOT_POSITIVE_DEFINITE and p < COARSEST_PROXIMAL:
        p *= 100.0
        status = try_factor(state, p)
    return status


@kernel
def try_factor(state: State, p):
    """Factor H with the given p."""
    # Rows of joints hardly change their size: a glance now and then will do.
    if state.terms > 0 or state.factorisations % 16 == 0 or state.proximal_scale != p:
        state.proximal_scale = p
        weigh_rows(state, p)
    assemble(state)
    state.factorisations += 1
    bad = factor_assembled(state)
    state.factored = 0
    if bad >= 0:
        return unsolvable(state, bad)
    state.factored = 1
    state.factored_time = state.evaluated_time
    return OK


@kernel
def factor_weighted(state: State):
    """Factor H of the last evaluated state with the weights that stand in `row_weight`.

    They are the stiffness of compliant rows (methods 5.3). The proximal form must not take these
    factors for its own.
    """
    assemble(state)
    state.factored = 0
    state.proximal_scale = 0.0
    bad = factor_assembled(state)
    return OK if bad < 0 else unsolvable(state, bad)


@kernel
def unsolvable(state: State, body):
    """Why the block of a body has no positive pivots."""
    state.failed_index = 6 * body + 3
    for k in range(6):
        inverse = state.proximal_inverse[6 * body + k]
        if inverse - inverse != 0.0 and inverse != inverse:
            return NON_FINITE
        if not inverse > 0.0:
            state.failed_index = 6 * body + k
            return NOT_POSITIVE_DEFINITE
    return NOT_POSITIVE_DEFINITE
