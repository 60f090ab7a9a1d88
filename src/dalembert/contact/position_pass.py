"""Joints closed and surfaces apart after a step: positions are moved, velocities never.

    minimise |dq|_A   subject to   J dq = -Phi,   J_n dq >= -phi_n - slop         (contact.md 11)

It is the same problem with v* = 0: joints and constraints as EQ, rigid contacts and stops as UNI.
Gaps follow from the two points of the surfaces that met, carried along by their bodies. A rigid
contact is pushed out when it is deeper than the slop, at a limited speed, and then to half of it;
a stop all the way, as the slop is a length and phi of a stop may be an angle. Nothing goes out of
proportion for it (`contact.leverage`). A step of second order moves half its length before it
looks: what it has gone too far by that, it goes back at once.
"""

from dalembert._jit import apart, kernel
from dalembert.collision import layout as found
from dalembert.contact import memory
from dalembert.contact.assemble import (
    add_cliques,
    add_constraints,
    complete_inertias,
    take_velocities,
)
from dalembert.contact.body_rows import open_block
from dalembert.contact.building import begin
from dalembert.contact.laws import (
    LAW_RECORD,
    METRES,
    RADIANS,
    STOP,
    STOP_FREQUENCY,
    STOP_STIFFNESS,
    STOP_UNIT,
    evaluate_sides,
    open_side,
)
from dalembert.contact.layout import BIAS, OVERFLOW, UNI, V, row_at
from dalembert.contact.leverage import leverage, restrain
from dalembert.contact.memory import (
    FRAME,
    LOCAL_A,
    LOCAL_B,
    SPEED,
    STIFF,
    contact_at,
    found_at,
)
from dalembert.contact.touching import put_side, record_at, shape_body, turned
from dalembert.mechanics.maximal import turn_missing
from dalembert.mechanics.motion import displace
from dalembert.numerics.small import add, dot, sub, vector
from dalembert.system import layout as run_layout
from dalembert.system.borders import (
    NEEDS_ROOM,
    NO_CONVERGENCE,
    NOT_POSITIVE_DEFINITE,
    OK,
    STEPPING,
    evaluate,
    residual,
)
from dalembert.system.layout import (
    CONTACT_CLOSE,
    CORRECTION,
    HOLONOMIC,
    MASSLESS,
    NV,
    PHI,
    PHI_T,
    ROW_SIZE,
    ROWS,
    SEEN,
    SIDE_DATA,
    SIDE_NUMBERS,
    SIDE_PHI,
    SIDES,
    TOP,
)

CAP = 6
"""Corrections of a step; two are usual."""

CLOSED = 5e-13
"""Residual of a joint, over the size of its row and of the model, that is left."""

FINE, ENOUGH = 0.05, 0.4
"""Of what is allowed to be left, the tolerance of the solve; without joints: gaps are opened to
half of the slop, and what is missing there stays within it."""

ACCEPTABLE = 1e-6
"""That with which a step may end where corrections no longer help."""

_solve = STEPPING.call


@kernel
def worst_joint(work, sizes):
    """Largest residual of position rows over their sizes; NaN counts as infinite."""
    worst = 0.0
    for i in range(sizes[HOLONOMIC]):
        size = work[sizes[ROW_SIZE] + i]
        value = abs(work[sizes[PHI] + i]) / size
        if not value <= worst:
            worst = value
    return worst


@kernel
def gap_now(work, sizes, integers, numbers, k):
    """Gap of a contact with the bodies where their records say."""
    at, own = found_at(integers, k), contact_at(integers, k)
    ra = record_at(sizes, shape_body(integers, integers[at + found.SHAPE_A]))
    rb = record_at(sizes, shape_body(integers, integers[at + found.SHAPE_B]))
    a = add(vector(work, ra), turned(work, ra, vector(numbers, own + LOCAL_A)))
    b = add(vector(work, rb), turned(work, rb, vector(numbers, own + LOCAL_B)))
    return dot(vector(numbers, own + FRAME), sub(b, a))


@kernel
def has_gap(integers, numbers, k):
    """Whether a contact is rigid and its points are those of the surfaces that meet."""
    if integers[found_at(integers, k) + found.CONTACT_FLAGS] & found.SPUN:
        return False
    return numbers[contact_at(integers, k) + STIFF] == 0.0


@kernel
def deepest(work, sizes, integers, numbers):
    """Penetration of rigid contacts and stops: the deepest. Each unit is reported by itself."""
    metres = radians = others = 0.0
    for k in range(integers[memory.CONTACTS]):
        if has_gap(integers, numbers, k):
            metres = max(metres, -gap_now(work, sizes, integers, numbers, k))
    for row in range(sizes[SIDES]):
        if is_rigid_stop(work, sizes, integers, row):
            depth = -work[sizes[SIDE_PHI] + row]
            unit = work[sizes[SIDE_DATA] + SIDE_NUMBERS * row + STOP_UNIT]
            if unit == RADIANS:
                radians = max(radians, depth)
            elif unit == METRES:
                metres = max(metres, depth)
            else:
                others = max(others, depth)
    report = integers[memory.REPORT]
    numbers[report + memory.PENETRATION] = metres
    numbers[report + memory.PENETRATION_ANGLE] = radians
    numbers[report + memory.PENETRATION_OWN] = others
    return max(metres, max(radians, others))


@kernel
def has_stops(sizes, integers):
    """Whether any row is a stop: the others have no place that a correction could change."""
    for row in range(sizes[SIDES]):
        if integers[integers[memory.LAW_TABLE] + LAW_RECORD * row] == STOP:
            return True
    return False


@kernel
def is_rigid_stop(work, sizes, integers, row):
    """Whether a row is a stop that gives way to nothing."""
    if integers[integers[memory.LAW_TABLE] + LAW_RECORD * row] != STOP:
        return False
    data = sizes[SIDE_DATA] + SIDE_NUMBERS * row
    return work[data + STOP_STIFFNESS] == 0.0 and work[data + STOP_FREQUENCY] == 0.0


@kernel
def position_pass(work, sizes, t, h, q, v):
    """Correct q at the time t, the end of a step of length h."""
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
    p, x = memory.problem_integers(integers), memory.problem_numbers(integers, numbers)
    report = integers[memory.REPORT]
    slop = numbers[memory.SLOP]
    length = work[sizes[run_layout.LENGTH]]
    corrections = 0
    best = 1e300
    gaps = True
    pushing = False
    stops = has_stops(sizes, integers)
    while True:
        residual(work, sizes, t, q, v)
        if stops:
            evaluate_sides(work, sizes, t, q, v)
        drift = worst_joint(work, sizes)
        depth = deepest(work, sizes, integers, numbers)
        numbers[report + memory.DRIFT] = drift
        open_joints = not drift <= CLOSED * length
        if corrections == 0:
            pushing = depth > slop
        if not open_joints and not (pushing and corrections == 0):
            sizes[SEEN] = 1
            return OK
        if corrections == CAP:
            sizes[SEEN] = 1
            return OK if drift <= ACCEPTABLE * length else NO_CONVERGENCE
        if corrections > 0 and not drift < 0.5 * best:
            # joints and surfaces cannot both be had, or not be solved for: joints alone
            gaps = False
        best = drift
        status = correct(work, sizes, integers, numbers, p, x, t, h, q, v, gaps)
        if status != OK:
            # the inertias were good when the step began: the motion or a correction ran away
            return NO_CONVERGENCE if status == NOT_POSITIVE_DEFINITE else status
        corrections += 1
        numbers[report + memory.PUSHED] = corrections


@kernel
def correct(work, sizes, integers, numbers, p, x, t, h, q, v, gaps):
    """One correction, with or without regard to gaps."""
    evaluate(work, sizes, t, q, v)
    if sizes[MASSLESS] > 0:
        turn_missing(work, sizes)
        complete_inertias(work, sizes)
    slop = numbers[memory.SLOP]
    still = run_layout.vector(work, sizes, TOP, NV)
    move = run_layout.vector(work, sizes, CORRECTION, NV)
    for k in range(sizes[NV]):
        still[k] = 0.0
    # the bias of joints is their residual; rows of velocities stay out of it
    for i in range(sizes[ROWS]):
        work[sizes[PHI_T] + i] = work[sizes[PHI] + i] if i < sizes[HOLONOMIC] else 0.0
    begin(p)
    status = add_cliques(work, sizes, integers, p, x, still, still)
    if status != OK:
        return status
    status = add_constraints(work, sizes, integers, p, x, 0.0)
    if status != OK:
        return status
    if gaps:
        status = add_gaps(work, sizes, integers, numbers, p, x, h)
        if status != OK:
            return status
    numbers[memory.TOLERANCE] = ENOUGH * slop
    if sizes[HOLONOMIC] > 0:
        numbers[memory.TOLERANCE] = min(FINE * slop, FINE * CLOSED * work[sizes[run_layout.LENGTH]])
    status = _solve(sizes[CONTACT_CLOSE], work, sizes, t, h, q, v)
    numbers[memory.TOLERANCE] = numbers[memory.STEP_TOLERANCE]
    if status != OK:
        return status
    take_velocities(sizes, integers, p, x, V, move)
    if gaps:
        # joints alone are closed as far as it takes
        most = h * numbers[memory.PUSH_SPEED] + worst_joint(work, sizes)
        restrain(work, sizes, integers, numbers, p, most, move)
    displace(sizes, 1.0, move, q)
    return OK


@apart(int)
def add_gaps(work, sizes, integers, numbers, p, x, h):
    """UNI rows of rigid contacts and stops that a correction must not close."""
    slop = numbers[memory.SLOP]
    furthest = -numbers[memory.PUSH_SPEED] * h
    blind = 0.5 * h if integers[memory.SECOND_ORDER] == 1 else 0.0
    for row in range(sizes[SIDES]):
        if is_rigid_stop(work, sizes, integers, row):
            back = blind * min(0.0, numbers[integers[memory.SIDE_RATES] + row])
            block = open_side(work, sizes, integers, p, x, row, UNI)
            if block == OVERFLOW:
                return NEEDS_ROOM
            x[row_at(p, BIAS, block)] = max(furthest + back, work[sizes[SIDE_PHI] + row])
    for k in range(integers[memory.CONTACTS]):
        if not has_gap(integers, numbers, k):
            continue
        at, own = found_at(integers, k), contact_at(integers, k)
        a = shape_body(integers, integers[at + found.SHAPE_A])
        b = shape_body(integers, integers[at + found.SHAPE_B])
        gap = gap_now(work, sizes, integers, numbers, k)
        block = open_block(integers, p, x, UNI, 1, a, b)
        if block == OVERFLOW:
            return NEEDS_ROOM
        n = vector(numbers, own + FRAME)
        arm_a = turned(work, record_at(sizes, a), vector(numbers, own + LOCAL_A))
        arm_b = turned(work, record_at(sizes, b), vector(numbers, own + LOCAL_B))
        put_side(work, sizes, integers, numbers, p, x, block, a, 1, -1.0, n, n, n, arm_a)
        put_side(work, sizes, integers, numbers, p, x, block, b, 1, 1.0, n, n, n, arm_b)
        back = blind * min(0.0, numbers[own + SPEED])
        push = max(furthest + back, gap + 0.5 * slop)
        if push < 0.0:
            push *= leverage(work, sizes, integers, p, x, block, a, b)
        x[row_at(p, BIAS, block)] = push
    return OK
