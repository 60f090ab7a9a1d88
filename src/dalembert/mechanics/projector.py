"""The constrained solve by the projector onto the null space of J and a constraint inertia matrix.

    C = E J D,    P = 1 - C^+ C,    M_c = P D M D + (1 - P)
    M_c y = P D top + C^+ E bottom,    x = D y,    lam = E (C^T)^+ (D M x - D top)     (methods 5.6)

P takes J^T lam out of the equations of motion; the rows give back what else it takes out. M_c is
regular whatever the rank of J. D = diag(M_kk^-1/2) and the scales E of the rows make lengths of
coordinates in any unit comparable.

Corrections are those of least length, C^+ alone: they do not ask M at all.
"""

import math

from dalembert._jit import border, kernel
from dalembert.mechanics.dense import mass_checked
from dalembert.mechanics.orthogonal import decompose_rows, parts_of
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.numerics.orthogonal import null_part, orthogonal_solve, transposed_solve
from dalembert.numerics.vector import symmetric
from dalembert.system.borders import FACTORING, NOT_POSITIVE_DEFINITE, OK, RESPONDING, SOLVING
from dalembert.system.state_layout import State


@kernel
def write_scales(state: State):
    """D, first entries of `saddle_scale`."""
    M, d = state.mass, state.saddle_scale
    for k in range(state.nv):
        if state.bodies == 0:
            d[k] = 1.0 / math.sqrt(M[k, k])
        else:
            d[k] = math.sqrt(state.body_weight[k // 3])


@kernel
def write_rows(state: State):
    """C = E J D; the size of its largest row before its terms have cancelled."""
    J, C, d = state.jacobian, state.ortho_c, state.saddle_scale
    reference = 0.0
    for i in range(state.rows):
        size = 0.0
        for k in range(state.nv):
            C[i, k] = state.row_scale[i] * J[i, k] * d[k]
            size += C[i, k] * C[i, k]
        if state.row_share[i] > 0.0:
            reference = max(reference, math.sqrt(size) / state.row_share[i])
    return reference


@kernel
def constraint_inertia(state: State):
    """M_c = P D M D + (1 - P), column by column: P (D M D e_k - e_k) + e_k."""
    M, Mc, d, x, n = state.mass, state.saddle, state.saddle_scale, state.saddle_x, state.nv
    for k in range(n):
        for i in range(n):
            x[i] = d[i] * symmetric(M, i, k) * d[k]
        x[k] -= 1.0
        null_part(parts_of(state), state.rank, x)
        x[k] += 1.0
        for i in range(n):
            Mc[i, k] = x[i]


@border(FACTORING)
def factor_projector(state: State, tolerance):
    """C decomposed, LU of M_c."""
    if state.bodies == 0:
        status = mass_checked(state)
        if status != OK:
            return status
    write_scales(state)
    decompose_rows(state, tolerance, write_rows(state))
    constraint_inertia(state)
    if lu_factor(state.nv, state.saddle, 2.3e-16 * state.nv, state.saddle_order) >= 0:
        return NOT_POSITIVE_DEFINITE
    return OK


@border(SOLVING)
def solve_projector(state: State, top, bottom, x_out, lam_out):
    """M_c y = P D top + C^+ E bottom; the multipliers from what is left over of the forces."""
    M, d, y, n = state.mass, state.saddle_scale, state.saddle_x, state.nv
    respond_projector(state, bottom, x_out, lam_out)
    for k in range(n):
        y[k] = d[k] * top[k]
    null_part(parts_of(state), state.rank, y)
    for k in range(n):
        y[k] += x_out[k] / d[k]
    lu_solve(n, state.saddle, state.saddle_order, y)
    for k in range(n):
        x_out[k] = d[k] * y[k]
    for k in range(n):
        total = -top[k]
        for j in range(n):
            total += symmetric(M, k, j) * x_out[j]
        y[k] = d[k] * total
    transposed_solve(parts_of(state), state.rank, y, state.solve_s, lam_out)
    for i in range(state.rows):
        lam_out[i] = lam_out[i] * state.row_scale[i]
    return OK


@border(RESPONDING)
def respond_projector(state: State, bottom, x_out, lam_out):
    """x = D C^+ E bottom, of least length; lam = E (C C^T)^+ E bottom."""
    scale, b, z = state.row_scale, state.solve_b, state.solve_x
    for i in range(state.rows):
        b[i] = scale[i] * bottom[i]
    parts, rank = parts_of(state), state.rank
    orthogonal_solve(parts, rank, rank, b, state.solve_last, state.solve_s, z, lam_out)
    for k in range(state.nv):
        x_out[k] = state.saddle_scale[k] * z[k]
    for i in range(state.rows):
        lam_out[i] = lam_out[i] * scale[i]
    return OK
