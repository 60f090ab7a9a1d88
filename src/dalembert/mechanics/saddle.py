"""The constrained solve by the saddle-point matrix itself, LU of [[M, -J^T], [J, 0]].

Every row and column is scaled to entries of order one: x = d x' with d_k = M_kk^-1/2, lam = e lam'
with e_i = 1 / |J_i d|. Masses and constraints may be given in any unit. A body may be without
inertia about an axis if the rows hold it there.
"""

import math

from dalembert._jit import border, kernel
from dalembert.mechanics.dense import count_rank, mass_checked, no_force
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.system.borders import FACTORING, OK, RANK_DEFICIENT, RESPONDING, SOLVING
from dalembert.system.state_layout import State


@kernel
def scales(state: State):
    """Write d and e."""
    M, J, scale, n = state.mass, state.jacobian, state.saddle_scale, state.nv
    for k in range(n):
        if state.bodies == 0:
            scale[k] = 1.0 / math.sqrt(M[k, k])
        else:
            scale[k] = math.sqrt(state.body_weight[k // 3])
    for i in range(state.rows):
        total = 0.0
        for k in range(n):
            total += J[i, k] * scale[k] * J[i, k] * scale[k]
        scale[n + i] = 1.0 / math.sqrt(total) if total > 0.0 else 1.0


@kernel
def saddle_matrix(state: State):
    """Write the scaled matrix."""
    M, J, K, scale, n = state.mass, state.jacobian, state.saddle, state.saddle_scale, state.nv
    for i in range(n):
        for j in range(i + 1):
            K[i, j] = scale[i] * M[i, j] * scale[j]
            K[j, i] = K[i, j]
    for i in range(state.rows):
        for k in range(n):
            K[n + i, k] = scale[n + i] * J[i, k] * scale[k]
            K[k, n + i] = -K[n + i, k]
        for j in range(state.rows):
            K[n + i, n + j] = 0.0


@border(FACTORING)
def factor_saddle(state: State, tolerance):
    """LU of the scaled matrix."""
    if state.bodies == 0:
        status = mass_checked(state)
        if status != OK:
            return status
    size = state.nv + state.rows
    scales(state)
    saddle_matrix(state)
    if lu_factor(size, state.saddle, 2.3e-16 * size, state.saddle_order) >= 0:
        return RANK_DEFICIENT
    count_rank(state, state.rows)
    return OK


@border(SOLVING)
def solve_saddle(state: State, top, bottom, x_out, lam_out):
    """(x, lam) from the factors of the saddle-point matrix."""
    x, scale, n = state.saddle_x, state.saddle_scale, state.nv
    for k in range(n):
        x[k] = scale[k] * top[k]
    for i in range(state.rows):
        x[n + i] = scale[n + i] * bottom[i]
    lu_solve(n + state.rows, state.saddle, state.saddle_order, x)
    for k in range(n):
        x_out[k] = scale[k] * x[k]
    for i in range(state.rows):
        lam_out[i] = scale[n + i] * x[n + i]
    return OK


@border(RESPONDING)
def respond_saddle(state: State, bottom, x_out, lam_out):
    """Corrections from the factors of the saddle-point matrix."""
    return solve_saddle(state, no_force(state), bottom, x_out, lam_out)
