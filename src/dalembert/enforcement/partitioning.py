"""Coordinate partitioning: integrate the independent coordinates, solve for the others.

At the start of each step complete pivoting of J picks as many dependent coordinates w as there are
independent rows; in every stage

    Phi(u, w, t) = 0 by Newton for w,     J_w w' = -J_u u' - Phi_t          (methods 6.1)

Wehage & Haug (1982). Rows that pivoting finds dependent are left out: the others imply them.
Exact to rounding; the choice degenerates at a singular position and a step that lands there fails.

On bodies the choice is among velocities. A dependent rotation about the world axis e_i moves the
quaternion by 1/2 (0, e_i) q_n, the q_n of the start of the step in all its stages: directions that
do not change are coordinates of a fixed plane, and those left alone are independent coordinates.
(Turning about e_i itself would move the independent ones too, by the curvature of the rotations,
and cost an order.)
"""

import math
from dataclasses import dataclass

from dalembert._jit import border, kernel
from dalembert._memory import Part, over
from dalembert._records import Matrix, Numbers
from dalembert.enforcement.protocol import Method
from dalembert.mechanics.dense import FORCE_TOLERANCE
from dalembert.mechanics.motion import accelerate_within, kinematic_map, quaternion_places
from dalembert.mechanics.projection import ACCEPTABLE, learn_rounding
from dalembert.mechanics.residual_scale import place_ratio
from dalembert.numerics.lu import lu_factor, lu_solve
from dalembert.numerics.vector import copy
from dalembert.system.borders import (
    NO_CONVERGENCE,
    OK,
    RATING,
    STEPPING,
    evaluate,
    normalise,
)
from dalembert.system.state_layout import State

CAP = 20
"""Newton steps for the dependent coordinates."""


class Room(Part, of=State):
    """Scratch of the method."""

    row_order: Numbers = over("rows")  # of the pivots: independent rows first
    column_order: Numbers = over("nv")  # dependent velocities first
    B: Matrix = over("rows", "nv")
    Jw: Matrix = over("rows", "rows")
    order: Numbers = over("rows")  # of the pivots of Jw
    x: Numbers = over("rows")
    origin: Numbers = over("nq")  # q_n; its quaternions span where dependent rotations move


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
        best, row, column = 0.0, step, step
        for i in range(step, m):
            for k in range(step, n):
                if abs(B[i, k]) > best:
                    best, row, column = abs(B[i, k]), i, k
        if step == 0:
            first = best
        if not best > FORCE_TOLERANCE * first:
            break
        for k in range(n):
            B[step, k], B[row, k] = B[row, k], B[step, k]
        for i in range(m):
            B[i, step], B[i, column] = B[i, column], B[i, step]
        swap(row_order_out, step, row)
        swap(column_order_out, step, column)
        for i in range(step + 1, m):
            factor = B[i, step] / B[step, step]
            for k in range(step, n):
                B[i, k] -= factor * B[step, k]
        rank += 1
    return rank


@kernel
def swap(x, i, k):
    """Exchange two entries."""
    x[i], x[k] = x[k], x[i]


@kernel
def unit_of(state: State, column):
    """Length that makes the angular velocity of a large body a speed, its radius of gyration; or 1.

    Without it metres and radians would be compared: of large bodies all that is dependent would be
    rotations, and these have a range of a radian.
    """
    if state.bodies == 0 or column % 6 < 3:
        return 1.0
    body = state.turned_body(column // 6)
    spread = body.theta.xx + body.theta.yy + body.theta.zz
    if not (body.mass > 0.0 and spread > 0.0):
        return 1.0
    # small bodies: what turns them stays independent, their places follow
    return max(math.sqrt(0.5 * spread / body.mass), 1.0)


@border(STEPPING)
def begin_step(state: State, t, h, q, v):
    """Choose the partition at the accepted state; `memory` holds the number of dependents."""
    own, m, n = Room(state, state.method_scratch), state.rows, state.nv
    evaluate(state, t, q, v)
    for k in range(n):
        unit = unit_of(state, k)
        for i in range(m):
            own.B[i, k] = state.jacobian[i, k] / (state.row_size[i] * unit)
    state.memory = choose(m, n, own.B, own.row_order, own.column_order)
    if state.quaternions > 0:
        copy(q, own.origin)
    return OK


@kernel
def coordinate_of(state: State, column):
    """Coordinate of a velocity and -1; of an angular one its quaternion and first velocity."""
    more = 0
    for b in range(state.quaternions):
        i, k = quaternion_places(state, b)
        if column < k:
            break
        if column < k + 3:
            return i, k
        more += 1
    return column + more, -1


@kernel
def entry(state: State, row, column, q):
    """Derivative of Phi along a dependent coordinate.

    A motion of the quaternion by 1/2 (0, e_i) q_n turns the body by Im((0, e_i) p), p = q_n q* /
    |q|^2, which is p_0 e_i + e_i x (p_1, p_2, p_3).
    """
    J = state.jacobian
    place, first = coordinate_of(state, column)
    if first < 0:
        return J[row, column]
    i = column - first
    start = Room(state, state.method_scratch).origin[place : place + 4]
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
def move(state: State, column, amount, q):
    """Move q along a dependent coordinate."""
    place, first = coordinate_of(state, column)
    if first < 0:
        q[place] += amount
        return
    axis = column - first
    start = Room(state, state.method_scratch).origin[place : place + 4]
    s = 0.5 * amount
    # (0, e_i) q_n, the axes i, j, k in cyclic order
    i, j, k = 1 + axis % 3, 1 + (axis + 1) % 3, 1 + (axis + 2) % 3
    q[place] -= s * start[i]
    q[place + i] += s * start[0]
    q[place + j] -= s * start[k]
    q[place + k] += s * start[j]


@kernel
def factor_coordinates(state: State, q):
    """Factor dPhi/dw of the last evaluated state, rows over their sizes; -1, or where it fails."""
    own, r = Room(state, state.method_scratch), state.memory
    for i in range(r):
        row = int(own.row_order[i])
        for k in range(r):
            own.Jw[i, k] = entry(state, row, int(own.column_order[k]), q) / state.row_size[row]
    return lu_factor(r, own.Jw, 1e-14, own.order)


@kernel
def factor_velocities(state: State):
    """Factor J_w of the last evaluated state, rows over their sizes; -1, or where it fails."""
    own, r = Room(state, state.method_scratch), state.memory
    for i in range(r):
        row = int(own.row_order[i])
        for k in range(r):
            own.Jw[i, k] = state.jacobian[row, int(own.column_order[k])] / state.row_size[row]
    return lu_factor(r, own.Jw, 1e-14, own.order)


@kernel
def respond_dependent(state: State, residuals):
    """x of Jw x = -residuals, every row over its size; Jw is factored."""
    own, r = Room(state, state.method_scratch), state.memory
    for i in range(r):
        row = int(own.row_order[i])
        own.x[i] = -residuals[row] / state.row_size[row]
    lu_solve(r, own.Jw, own.order, own.x)


@kernel
def solve_dependent(state: State, t, q, v):
    """Move the dependent coordinates and velocities onto the constraints."""
    own, r = Room(state, state.method_scratch), state.memory
    before = 1e300
    for _iteration in range(CAP):
        evaluate(state, t, q, v)
        ratio = place_ratio(state)
        if not ratio < 0.5 * before:
            learn_rounding(*state, q)
            ratio = place_ratio(state)
        if ratio <= 1.0 or (ratio <= ACCEPTABLE and not ratio < 0.5 * before):
            break
        before = ratio
        if factor_coordinates(state, q) >= 0:
            return NO_CONVERGENCE
        respond_dependent(state, state.phi)
        for k in range(r):
            move(state, int(own.column_order[k]), own.x[k], q)
    if not ratio <= ACCEPTABLE:
        return NO_CONVERGENCE
    if factor_velocities(state) >= 0:
        return NO_CONVERGENCE
    # J_w dw' = -(J v + Phi_t)
    respond_dependent(state, state.phi_dot)
    for k in range(r):
        v[int(own.column_order[k])] += own.x[k]
    return OK


@border(RATING)
def rates(state: State, t, h, q, v, qdot_out, vdot_out, lam_out):
    """Put the stage on the constraints, then the constrained equations."""
    status = solve_dependent(state, t, q, v)
    if status != OK:
        return status
    kinematic_map(state, q, v, qdot_out)
    return accelerate_within(state, t, q, v, FORCE_TOLERANCE, vdot_out, lam_out)


@border(STEPPING)
def end_step(state: State, t, h, q, v):
    """Put the accepted state on the constraints."""
    status = solve_dependent(state, t + h, q, v)
    normalise(state, q)
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
        return Room.length(nq=nq, nv=nv, holonomic=holonomic, rows=rows)
