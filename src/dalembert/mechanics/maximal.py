"""Free rigid bodies in maximal coordinates, and what joints and forces do to them.

Per body: q = (centre of mass 3, unit quaternion 4), v = (velocity 3, angular velocity 3), all in
world components (equations 1):

    m v' = f,     Theta w' = tau - w x Theta w,     Theta = R Theta_b R^T.

The text of one body (`place`) becomes straight-line code; joints and forces bring theirs
(`system.kinds`); the kernels here only loop over the tables of the system.
"""

import functools
import math

from dalembert._jit import Signature, border, kernel, vector_view
from dalembert.system.borders import NON_FINITE, NOT_POSITIVE_DEFINITE, OK, STATE
from dalembert.system.kinds import ACTING, IMAGING, PULLING, ROWING, SEEING
from dalembert.system.layout import (
    ACTION_TABLE,
    ACTIONS,
    ANGLES,
    ANGLES_OF,
    BODIES,
    BODY_CONSTANTS,
    BODY_FORCE,
    BODY_INERTIA,
    BODY_RECORDS,
    CONSTANT,
    DENSE,
    ELEMENT_DATA,
    EVALUATED_TIME,
    FAILED_INDEX,
    FORCE,
    GRAVITY,
    HINGE_FLOATS,
    HINGE_FORETOLD,
    HINGE_NUMBERS,
    HINGE_RATE,
    HINGE_TIME,
    HINGES,
    INCIDENCE_TABLE,
    INCIDENCES,
    INERTIA,
    JACOBIAN,
    JACOBIAN_BLOCKS,
    LAST_ANGLES,
    MASS,
    MASSLESS,
    MASSLESS_TABLE,
    NQ,
    NV,
    PAIR_TABLE,
    PAIRS,
    PHI,
    PHI_DOT,
    PHI_T,
    PLACE_BODY,
    PLACED,
    RECORD,
    RHS_A,
    ROWS,
    SPARE,
    SPARE_INERTIA,
    SPECIFIC,
    SPECIFIC_ACTION,
    SPECIFIC_GUARD,
    SPECIFIC_RESIDUAL,
    SPECIFIC_SEE,
    TURNS_IN_ROWS,
    TURNS_TABLE,
    WORK,
    WOUND,
    WOUND_HINGES,
    matrix,
)
from dalembert.system.straight import Straight
from dalembert.system.tables import (
    ACTION_STRIDE,
    INCIDENCE_STRIDE,
    PAIR_STRIDE,
)

PLACING = Signature("place", "q v constants gravity record inertia force", {})

_place = PLACING.call
_rows = ROWING.call
_see = SEEING.call
_act = ACTING.call
_image = IMAGING.call
_pull = PULLING.call
_call_state = STATE.call

TURN = 2.0 * math.pi
FAST = 2.0
"""Angle within a step from which on it is foretold by its rate  [rad]."""


def place(q, v, constants, gravity, record, inertia, force):
    """Record of a body, its inertia in world axes, gravity and the gyroscopic torque on it.

    R follows from q / |q|: between the stages of an integrator a quaternion is not quite a unit.
    """
    w, x, y, z = q[3], q[4], q[5], q[6]
    s = 2.0 / (w * w + x * x + y * y + z * z)
    R = [
        [1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
        [s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)],
        [s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)],
    ]
    for i in range(3):
        record[i] = q[i]
        for j in range(3):
            record[3 + 3 * i + j] = R[i][j]
    for k in range(6):
        record[12 + k] = v[k]
    mass, xx, yy, zz, xy, xz, yz = (constants[k] for k in range(7))
    body = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    left = [[sum(R[i][k] * body[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    theta = [[None] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(i + 1):
            theta[i][j] = theta[j][i] = sum(left[i][k] * R[j][k] for k in range(3))
    for slot, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
        inertia[slot] = theta[i][j]
    inertia[6] = mass
    spin = [v[3], v[4], v[5]]
    momentum = [sum(theta[i][k] * spin[k] for k in range(3)) for i in range(3)]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        force[i] = mass * gravity[i]
        force[3 + i] = momentum[j] * spin[k] - momentum[k] * spin[j]


LENGTHS = (7, 6, CONSTANT, 3, RECORD, INERTIA, 6)
"""Of the arguments of `place`."""


@functools.cache
def placing_code():
    """`place` as straight-line code."""
    return Straight.trace(PLACING, place, dict(zip(PLACING.arguments, LENGTHS, strict=True)))


@kernel
def place_bodies(work, sizes, q, v):
    """Records, inertias and FORCE of all bodies."""
    gravity = vector_view(work, sizes[GRAVITY], 3)
    for b in range(sizes[BODIES]):
        _place(
            sizes[PLACE_BODY],
            work,
            sizes,
            q[7 * b : 7 * b + 7],
            v[6 * b : 6 * b + 6],
            vector_view(work, sizes[BODY_CONSTANTS] + CONSTANT * b, CONSTANT),
            gravity,
            vector_view(work, sizes[BODY_RECORDS] + RECORD * b, RECORD),
            vector_view(work, sizes[BODY_INERTIA] + INERTIA * b, INERTIA),
            vector_view(work, sizes[FORCE] + 6 * b, 6),
        )


@kernel
def count_turns(work, sizes, t, q, v):
    """Full turns of every angle that needs them: the angle nearest to the last one known.

    Where it turns fast, it is the one nearest to what the last step and its rate foretell.
    """
    if sizes[WOUND] == 0:
        return
    _call_state(sizes[ANGLES_OF], work, sizes, t, q, v)
    for k in range(sizes[WOUND]):
        raw, last = work[sizes[ANGLES] + k], work[sizes[LAST_ANGLES] + k]
        hinge = sizes[sizes[WOUND_HINGES] + k] if sizes[HINGES] > 0 else -1
        if hinge >= 0:
            at = sizes[HINGE_NUMBERS] + HINGE_FLOATS * hinge
            way = work[at + HINGE_RATE] * (t - work[sizes[HINGE_TIME]])
            if abs(way) > FAST:
                last = work[at + HINGE_FORETOLD] + way
        turns = TURN * round((last - raw) / TURN)
        work[sizes[LAST_ANGLES] + k] = raw + turns
        work[sizes[sizes[TURNS_TABLE] + k]] = turns


@kernel
def record_of(work, sizes, start):
    """Data of an element; how many there are is the element's affair."""
    at = sizes[ELEMENT_DATA] + start
    return vector_view(work, at, sizes[WORK] - at)


@border(STATE)
def evaluate_bodies(work, sizes, t, q, v):
    """Everything the model says at (t, q, v); J as blocks, one per row group and body."""
    work[sizes[EVALUATED_TIME]] = t
    place_bodies(work, sizes, q, v)
    count_turns(work, sizes, t, q, v)
    write_rows(work, sizes, t, q, v)
    act(work, sizes, t, q, v)
    if sizes[DENSE] == 1:
        scatter(work, sizes)
    return OK


@kernel
def write_rows(work, sizes, t, q, v):
    """PHI, PHI_DOT, PHI_T, RHS_A and the blocks of J of all rows, from the records."""
    records, blocks = sizes[BODY_RECORDS], sizes[JACOBIAN_BLOCKS]
    for e in range(sizes[PAIRS]):
        at = sizes[PAIR_TABLE] + PAIR_STRIDE * e
        row, count = sizes[at + 5], sizes[at + 6]
        _rows(
            sizes[at],
            work,
            sizes,
            t,
            vector_view(work, records + RECORD * sizes[at + 2], RECORD),
            vector_view(work, records + RECORD * sizes[at + 3], RECORD),
            record_of(work, sizes, sizes[at + 4]),
            vector_view(work, sizes[PHI] + row, count),
            vector_view(work, sizes[PHI_DOT] + row, count),
            vector_view(work, sizes[PHI_T] + row, count),
            vector_view(work, sizes[RHS_A] + row, count),
            vector_view(work, blocks + sizes[at + 7], 6 * count),
            vector_view(work, blocks + sizes[at + 8], 6 * count),
        )
    if sizes[SPECIFIC] != 0:
        _call_state(sizes[SPECIFIC], work, sizes, t, q, v)


@kernel
def act(work, sizes, t, q, v):
    """Add the forces of all force elements."""
    records = sizes[BODY_RECORDS]
    for e in range(sizes[ACTIONS]):
        at = sizes[ACTION_TABLE] + ACTION_STRIDE * e
        a, b = sizes[at + 1], sizes[at + 2]
        _act(
            sizes[at],
            work,
            sizes,
            t,
            vector_view(work, records + RECORD * a, RECORD),
            vector_view(work, records + RECORD * b, RECORD),
            record_of(work, sizes, sizes[at + 3]),
            body_part(work, sizes, BODY_FORCE, a),
            body_part(work, sizes, BODY_FORCE, b),
        )
    if sizes[SPECIFIC_ACTION] != 0:
        _call_state(sizes[SPECIFIC_ACTION], work, sizes, t, q, v)


@kernel
def body_part(work, sizes, field, body):
    """The six entries of a body in a field of velocities; a spare place for the world."""
    if body == sizes[PLACED]:
        return vector_view(work, sizes[SPARE], 6)
    return vector_view(work, sizes[field] + 6 * body, 6)


@border(STATE)
def residual_bodies(work, sizes, t, q, v):
    """PHI and PHI_DOT."""
    place_bodies(work, sizes, q, v)
    if sizes[TURNS_IN_ROWS] == 1:
        count_turns(work, sizes, t, q, v)
    see_rows(work, sizes, t, q, v)
    return OK


@kernel
def see_rows(work, sizes, t, q, v):
    """PHI and PHI_DOT of all rows, from the records."""
    records = sizes[BODY_RECORDS]
    for e in range(sizes[PAIRS]):
        at = sizes[PAIR_TABLE] + PAIR_STRIDE * e
        row, count = sizes[at + 5], sizes[at + 6]
        _see(
            sizes[at + 1],
            work,
            sizes,
            t,
            vector_view(work, records + RECORD * sizes[at + 2], RECORD),
            vector_view(work, records + RECORD * sizes[at + 3], RECORD),
            record_of(work, sizes, sizes[at + 4]),
            vector_view(work, sizes[PHI] + row, count),
            vector_view(work, sizes[PHI_DOT] + row, count),
        )
    if sizes[SPECIFIC_RESIDUAL] != 0:
        _call_state(sizes[SPECIFIC_RESIDUAL], work, sizes, t, q, v)


@kernel
def part(x, body, bodies, spare):
    """The six entries of a body in a vector of velocities; `spare` for the world."""
    if body == bodies:
        return spare
    return x[6 * body : 6 * body + 6]


@kernel
def image(work, sizes, x, out):
    """out = J x."""
    bodies, blocks = sizes[BODIES], sizes[JACOBIAN_BLOCKS]
    still = vector_view(work, sizes[SPARE], 6)
    for k in range(6):
        still[k] = 0.0
    for e in range(sizes[PAIRS]):
        at = sizes[PAIR_TABLE] + PAIR_STRIDE * e
        row, count = sizes[at + 5], sizes[at + 6]
        _image(
            sizes[at + 9],
            work,
            sizes,
            vector_view(work, blocks + sizes[at + 7], 6 * count),
            vector_view(work, blocks + sizes[at + 8], 6 * count),
            part(x, sizes[at + 2], bodies, still),
            part(x, sizes[at + 3], bodies, still),
            out[row : row + count],
        )
    for i in range(sizes[INCIDENCES]):
        at = sizes[INCIDENCE_TABLE] + INCIDENCE_STRIDE * i
        body, block, row, count = sizes[at], blocks + sizes[at + 1], sizes[at + 2], sizes[at + 3]
        first = sizes[at + 4] == 1
        for r in range(count):
            total = 0.0 if first else out[row + r]
            for k in range(6):
                total += work[block + 6 * r + k] * x[6 * body + k]
            out[row + r] = total


@kernel
def pull(work, sizes, lam, f):
    """f += J^T lam."""
    bodies, blocks = sizes[BODIES], sizes[JACOBIAN_BLOCKS]
    nobody = vector_view(work, sizes[SPARE], 6)
    for e in range(sizes[PAIRS]):
        at = sizes[PAIR_TABLE] + PAIR_STRIDE * e
        row, count = sizes[at + 5], sizes[at + 6]
        _pull(
            sizes[at + 10],
            work,
            sizes,
            vector_view(work, blocks + sizes[at + 7], 6 * count),
            vector_view(work, blocks + sizes[at + 8], 6 * count),
            lam[row : row + count],
            part(f, sizes[at + 2], bodies, nobody),
            part(f, sizes[at + 3], bodies, nobody),
        )
    for i in range(sizes[INCIDENCES]):
        at = sizes[INCIDENCE_TABLE] + INCIDENCE_STRIDE * i
        body, block, row, count = sizes[at], blocks + sizes[at + 1], sizes[at + 2], sizes[at + 3]
        for r in range(count):
            for k in range(6):
                f[6 * body + k] += work[block + 6 * r + k] * lam[row + r]


@kernel
def measure_evenly(work, sizes):
    """M <- 1: all velocities count alike, until the next evaluation."""
    for b in range(sizes[BODIES]):
        theta = vector_view(work, sizes[BODY_INERTIA] + INERTIA * b, INERTIA)
        for k in range(INERTIA):
            theta[k] = 0.0 if 3 <= k < 6 else 1.0


@kernel
def mass_times(work, sizes, x, out):
    """out = M x: m x for velocities, Theta x for angular velocities."""
    for b in range(sizes[BODIES]):
        theta = vector_view(work, sizes[BODY_INERTIA] + INERTIA * b, INERTIA)
        mass = theta[6]
        k = 6 * b
        out[k] = mass * x[k]
        out[k + 1] = mass * x[k + 1]
        out[k + 2] = mass * x[k + 2]
        out[k + 3] = theta[0] * x[k + 3] + theta[3] * x[k + 4] + theta[4] * x[k + 5]
        out[k + 4] = theta[3] * x[k + 3] + theta[1] * x[k + 4] + theta[5] * x[k + 5]
        out[k + 5] = theta[4] * x[k + 3] + theta[5] * x[k + 4] + theta[2] * x[k + 5]


@kernel
def turn_missing(work, sizes):
    """The inertias that bodies lack, from body to world axes: R X R^T."""
    for i in range(sizes[MASSLESS]):
        body = sizes[sizes[MASSLESS_TABLE] + 2 * i]
        R = vector_view(work, sizes[BODY_RECORDS] + RECORD * body + 3, 9)
        own = vector_view(work, sizes[SPARE_INERTIA] + 18 * i, 9)
        out = vector_view(work, sizes[SPARE_INERTIA] + 18 * i + 9, 9)
        for r in range(3):
            for c in range(3):
                total = 0.0
                for j in range(3):
                    for k in range(3):
                        total += R[3 * r + j] * own[3 * j + k] * R[3 * c + k]
                out[3 * r + c] = total


@kernel
def mass_solve_bodies(work, sizes, f, out):
    """out = M^-1 f; where a body has no inertia about an axis (a rod), f may not turn it there."""
    for b in range(sizes[BODIES]):
        k = 6 * b
        theta = vector_view(work, sizes[BODY_INERTIA] + INERTIA * b, INERTIA)
        for i in range(3):
            out[k + i] = f[k + i] / theta[6]
        if not inertia_solve(theta, f[k + 3 : k + 6], out[k + 3 : k + 6]):
            sizes[FAILED_INDEX] = k + 3
            if theta[0] - theta[0] == 0.0 and f[k + 3] - f[k + 3] == 0.0:
                return NOT_POSITIVE_DEFINITE
            sizes[FAILED_INDEX] += sizes[NQ]
            return NON_FINITE
    return OK


@kernel
def inertia_solve(t, f, out):
    """out = Theta^-1 f by the adjugate; False where Theta cannot answer to f.

    Along an axis without inertia the answer is taken to be zero, if f has no part there beyond
    rounding: 1e-9 of itself or of what turns the body by 1 rad/s^2 about its other axes.
    """
    xx, yy, zz, xy, xz, yz = t[0], t[1], t[2], t[3], t[4], t[5]
    c0, c1, c2 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    c3, c4, c5 = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    determinant = xx * c0 + xy * c1 + xz * c2
    trace = xx + yy + zz
    x, y, z = f[0], f[1], f[2]
    if not determinant > 1e-15 * trace * trace * trace:
        size = math.sqrt(x * x + y * y + z * z)
        if trace <= 1e-12 * t[6]:
            # A point mass.
            out[0] = out[1] = out[2] = 0.0
            return size <= 1e-9 * t[6]
        # The adjugate of a rod is a multiple of n n^T, n along the rod.
        nx, ny, nz = c0, c1, c2
        if c3 >= c0 and c3 >= c5:
            nx, ny, nz = c1, c3, c4
        elif c5 >= c0:
            nx, ny, nz = c2, c4, c5
        length = math.sqrt(nx * nx + ny * ny + nz * nz)
        if not length > 1e-9 * trace * trace:
            return False
        nx, ny, nz = nx / length, ny / length, nz / length
        along = nx * x + ny * y + nz * z
        if not abs(along) <= 1e-9 * (size + trace):
            return False
        x, y, z = x - along * nx, y - along * ny, z - along * nz
        xx, yy, zz = xx + trace * nx * nx, yy + trace * ny * ny, zz + trace * nz * nz
        xy, xz, yz = xy + trace * nx * ny, xz + trace * nx * nz, yz + trace * ny * nz
        c0, c1, c2 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
        c3, c4, c5 = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
        determinant = xx * c0 + xy * c1 + xz * c2
    out[0] = (c0 * x + c1 * y + c2 * z) / determinant
    out[1] = (c1 * x + c3 * y + c4 * z) / determinant
    out[2] = (c2 * x + c4 * y + c5 * z) / determinant
    return True


@border(STATE)
def guard_bodies(work, sizes, t, q, v):
    """Event functions, which read the records of the bodies."""
    place_bodies(work, sizes, q, v)
    count_turns(work, sizes, t, q, v)
    return _call_state(sizes[SPECIFIC_GUARD], work, sizes, t, q, v)


@border(STATE)
def see_bodies(work, sizes, t, q, v):
    """Inputs of controllers, which read the records of the bodies."""
    place_bodies(work, sizes, q, v)
    count_turns(work, sizes, t, q, v)
    return _call_state(sizes[SPECIFIC_SEE], work, sizes, t, q, v)


@kernel
def add_block(J, row, count, body, work, block):
    """One block of J into the full matrix."""
    for r in range(count):
        for k in range(6):
            J[row + r, 6 * body + k] = work[block + 6 * r + k]


@kernel
def scatter(work, sizes):
    """M and J as full matrices, for the methods that work on them."""
    n = sizes[NV]
    bodies, blocks = sizes[BODIES], sizes[JACOBIAN_BLOCKS]
    M = matrix(work, sizes, MASS, NV, NV)
    for i in range(n):
        for j in range(n):
            M[i, j] = 0.0
    for b in range(bodies):
        theta = vector_view(work, sizes[BODY_INERTIA] + INERTIA * b, INERTIA)
        k = 6 * b
        for i in range(3):
            M[k + i, k + i] = theta[6]
            M[k + 3 + i, k + 3 + i] = theta[i]
        M[k + 4, k + 3] = M[k + 3, k + 4] = theta[3]
        M[k + 5, k + 3] = M[k + 3, k + 5] = theta[4]
        M[k + 5, k + 4] = M[k + 4, k + 5] = theta[5]
    J = matrix(work, sizes, JACOBIAN, ROWS, NV)
    for e in range(sizes[PAIRS]):
        at = sizes[PAIR_TABLE] + PAIR_STRIDE * e
        for side in range(2):
            body = sizes[at + 2 + side]
            if body < bodies:
                block = blocks + sizes[at + 7 + side]
                add_block(J, sizes[at + 5], sizes[at + 6], body, work, block)
    for i in range(sizes[INCIDENCES]):
        at = sizes[INCIDENCE_TABLE] + INCIDENCE_STRIDE * i
        block = blocks + sizes[at + 1]
        add_block(J, sizes[at + 2], sizes[at + 3], sizes[at], work, block)
