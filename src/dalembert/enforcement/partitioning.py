"""Coordinate partitioning: integrate the independent coordinates, solve for the others.

At the start of each step complete pivoting of J picks as many dependent coordinates w as there are
independent rows; in every stage

    Phi(u, w, t) = 0 by Newton for w,     J_w w' = -J_u u' - Phi_t          (physics 5.8)

Wehage & Haug (1982). Rows that pivoting finds dependent are left out: the others imply them.
Exact to rounding; the choice degenerates at a singular position and a step that lands there fails.

On bodies the choice is among velocities. A dependent rotation about the world axis e_i moves the
quaternion by 1/2 (0, e_i) q_n, the q_n of the start of the step in all its stages: directions that
do not change are coordinates of a fixed plane, and those left alone are independent coordinates.
(Turning about e_i itself would move the independent ones too, by the curvature of the rotations,
and cost an order.)
"""

from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import accelerate_within, kinematic_map, quaternion_places
from dalembert.mechanics.projection import ACCEPTABLE, learn_rounding
from dalembert.mechanics.ratios import worst_ratio
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.system.borders import (
    NO_CONVERGENCE,
    OK,
    RATING,
    STEPPING,
    evaluate,
    normalise,
)
from dalembert.system.layout import (
    HOLONOMIC,
    JACOBIAN,
    MEMORY,
    METHOD_SCRATCH,
    NQ,
    NV,
    PHI,
    PHI_DOT,
    QUATERNIONS,
    ROW_SIZE,
    ROW_TOLERANCE,
    ROWS,
    matrix,
    scratch_matrix,
    scratch_vector,
    vector,
)

CAP = 20
"""Newton steps for the dependent coordinates."""


@kernel
def choose(m, n, B, row_order_out, column_order_out):
    """Complete pivoting of B (m x n, destroyed): independent rows and dependent columns first."""
    for i in range(m):
        row_order_out[i] = i
    for k in range(n):
        column_order_out[k] = k
    first = 0.0
    rank = 0
    for step in range(min(m, n)):
        best, best_row, best_column = 0.0, step, step
        for i in range(step, m):
            for k in range(step, n):
                if abs(B[i, k]) > best:
                    best, best_row, best_column = abs(B[i, k]), i, k
        if step == 0:
            first = best
        if not best > FORCE_TOLERANCE * first:
            break
        for k in range(n):
            swap = B[step, k]
            B[step, k] = B[best_row, k]
            B[best_row, k] = swap
        for i in range(m):
            swap = B[i, step]
            B[i, step] = B[i, best_column]
            B[i, best_column] = swap
        swap = row_order_out[step]
        row_order_out[step] = row_order_out[best_row]
        row_order_out[best_row] = swap
        swap = column_order_out[step]
        column_order_out[step] = column_order_out[best_column]
        column_order_out[best_column] = swap
        for i in range(step + 1, m):
            factor = B[i, step] / B[step, step]
            for k in range(step, n):
                B[i, k] -= factor * B[step, k]
        rank += 1
    return rank


@kernel
def row_order(work, sizes):
    """Rows in pivot order."""
    return scratch_vector(work, sizes, METHOD_SCRATCH, 0, sizes[ROWS])


@kernel
def column_order(work, sizes):
    """Coordinates in pivot order: the dependent ones first."""
    return scratch_vector(work, sizes, METHOD_SCRATCH, sizes[ROWS], sizes[NV])


@border(STEPPING)
def begin_step(work, sizes, t, h, q, v):
    """Choose the partition at the accepted state; MEMORY holds the number of dependents."""
    m, n = sizes[ROWS], sizes[NV]
    evaluate(work, sizes, t, q, v)
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    B = scratch_matrix(work, sizes, METHOD_SCRATCH, m + n, m, n)
    size = vector(work, sizes, ROW_SIZE, ROWS)
    for i in range(m):
        for k in range(n):
            B[i, k] = J[i, k] / size[i]
    sizes[MEMORY] = choose(m, n, B, row_order(work, sizes), column_order(work, sizes))
    if sizes[QUATERNIONS] > 0:
        start = plane(work, sizes)
        for i in range(sizes[NQ]):
            start[i] = q[i]
    return OK


@kernel
def plane(work, sizes):
    """q_n, whose quaternions span the directions in which dependent rotations move (bodies)."""
    m, n = sizes[ROWS], sizes[NV]
    base = m + n + m * n + m * m + 2 * m
    return scratch_vector(work, sizes, METHOD_SCRATCH, base, sizes[NQ])


@kernel
def coordinate_of(sizes, column):
    """Coordinate of a velocity and -1; of an angular one its quaternion and first velocity."""
    more = 0
    for b in range(sizes[QUATERNIONS]):
        i, k = quaternion_places(sizes, b)
        if column < k:
            break
        if column < k + 3:
            return i, k
        more += 1
    return column + more, -1


@kernel
def entry(work, sizes, J, row, column, q):
    """Derivative of Phi along a dependent coordinate.

    A motion of the quaternion by 1/2 (0, e_i) q_n turns the body by Im((0, e_i) p), p = q_n q* /
    |q|^2, which is p_0 e_i + e_i x (p_1, p_2, p_3).
    """
    place, first = coordinate_of(sizes, column)
    if first < 0:
        return J[row, column]
    i = column - first
    start = plane(work, sizes)[place : place + 4]
    w, x, y, z = q[place], -q[place + 1], -q[place + 2], -q[place + 3]
    scale = 1.0 / (w * w + x * x + y * y + z * z)
    a, c, d, e = start[0], start[1], start[2], start[3]
    p0 = scale * (a * w - c * x - d * y - e * z)
    p1 = scale * (a * x + c * w + d * z - e * y)
    p2 = scale * (a * y + d * w + e * x - c * z)
    p3 = scale * (a * z + e * w + c * y - d * x)
    jx, jy, jz = J[row, first], J[row, first + 1], J[row, first + 2]
    if i == 0:
        return p0 * jx - p3 * jy + p2 * jz
    if i == 1:
        return p3 * jx + p0 * jy - p1 * jz
    return -p2 * jx + p1 * jy + p0 * jz


@kernel
def move(work, sizes, column, amount, q):
    """Move q along a dependent coordinate."""
    place, first = coordinate_of(sizes, column)
    if first < 0:
        q[place] += amount
        return
    axis = column - first
    start = plane(work, sizes)[place : place + 4]
    s = 0.5 * amount
    # (0, e_i) q_n, the axes i, j, k in cyclic order
    i, j, k = 1 + axis % 3, 1 + (axis + 1) % 3, 1 + (axis + 2) % 3
    q[place] -= s * start[i]
    q[place + i] += s * start[0]
    q[place + j] -= s * start[k]
    q[place + k] += s * start[j]


@kernel
def factor_coordinates(work, sizes, q, Jw, order):
    """dPhi/dw at the last evaluated state, every row over its size, factored."""
    r = sizes[MEMORY]
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    rows, columns = row_order(work, sizes), column_order(work, sizes)
    size = vector(work, sizes, ROW_SIZE, ROWS)
    for i in range(r):
        for k in range(r):
            row = int(rows[i])
            Jw[i, k] = entry(work, sizes, J, row, int(columns[k]), q) / size[row]
    return lu_factor(r, Jw, 1e-14, order)


@kernel
def factor_dependent(work, sizes, Jw, order):
    """J_w of the last evaluated state, every row over its size, factored."""
    r = sizes[MEMORY]
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    rows, columns = row_order(work, sizes), column_order(work, sizes)
    size = vector(work, sizes, ROW_SIZE, ROWS)
    for i in range(r):
        for k in range(r):
            Jw[i, k] = J[int(rows[i]), int(columns[k])] / size[int(rows[i])]
    return lu_factor(r, Jw, 1e-14, order)


@kernel
def solve_dependent(work, sizes, t, q, v):
    """Move the dependent coordinates and velocities onto the constraints."""
    m, n, r = sizes[ROWS], sizes[NV], sizes[MEMORY]
    base = m + n + m * n
    Jw = scratch_matrix(work, sizes, METHOD_SCRATCH, base, r, r)
    order = scratch_vector(work, sizes, METHOD_SCRATCH, base + m * m, r)
    x = scratch_vector(work, sizes, METHOD_SCRATCH, base + m * m + m, r)
    rows, columns = row_order(work, sizes), column_order(work, sizes)
    phi = vector(work, sizes, PHI, HOLONOMIC)
    phi_dot = vector(work, sizes, PHI_DOT, ROWS)
    tolerance = vector(work, sizes, ROW_TOLERANCE, ROWS)
    size = vector(work, sizes, ROW_SIZE, ROWS)
    before = 1e300
    for _iteration in range(CAP):
        evaluate(work, sizes, t, q, v)
        ratio = worst_ratio(sizes[HOLONOMIC], phi, tolerance, 1.0)
        if not ratio < 0.5 * before:
            learn_rounding(work, sizes, q)
            ratio = worst_ratio(sizes[HOLONOMIC], phi, tolerance, 1.0)
        if ratio <= 1.0 or (ratio <= ACCEPTABLE and not ratio < 0.5 * before):
            break
        before = ratio
        if factor_coordinates(work, sizes, q, Jw, order) >= 0:
            return NO_CONVERGENCE
        for i in range(r):
            x[i] = -phi[int(rows[i])] / size[int(rows[i])]
        lu_solve(r, Jw, order, x)
        for k in range(r):
            move(work, sizes, int(columns[k]), x[k], q)
    if not ratio <= ACCEPTABLE:
        return NO_CONVERGENCE
    if factor_dependent(work, sizes, Jw, order) >= 0:
        return NO_CONVERGENCE
    # J_w dw' = -(J v + Phi_t)
    for i in range(r):
        x[i] = -phi_dot[int(rows[i])] / size[int(rows[i])]
    lu_solve(r, Jw, order, x)
    for k in range(r):
        v[int(columns[k])] += x[k]
    return OK


@border(RATING)
def rates(work, sizes, t, h, q, v, qdot_out, vdot_out, lam_out):
    """Put the stage on the constraints, then the constrained equations."""
    status = solve_dependent(work, sizes, t, q, v)
    if status != OK:
        return status
    kinematic_map(sizes, q, v, qdot_out)
    return accelerate_within(work, sizes, t, q, v, FORCE_TOLERANCE, vdot_out, lam_out)


@border(STEPPING)
def end_step(work, sizes, t, h, q, v):
    """Put the accepted state on the constraints."""
    status = solve_dependent(work, sizes, t + h, q, v)
    normalise(sizes, q)
    return status


@dataclass(frozen=True)
class Partitioning(Method):
    """Independent coordinates integrated, dependent ones solved for in every stage.

    Constraints are met to rounding; a step that lands in a singular position fails.
    """

    uses_matrices = True
    levels = frozenset({"position", "velocity", "acceleration"})
    drift = "machine"
    velocity_rows = False
    traceable = False
    rates = rates
    begin_step = begin_step
    end_step = end_step

    def refuse(self, system, integrator, step):
        if not integrator.explicit:
            return (
                f"Partitioning moves every stage onto the constraints, which the iteration of "
                f"{type(integrator).__name__} does not expect. Use an explicit integrator."
            )
        return None

    def scratch(self, nq: int, nv: int, holonomic: int, rows: int) -> int:
        return rows + nv + rows * nv + rows * rows + 2 * rows + nq
