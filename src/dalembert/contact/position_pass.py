"""Joints closed and surfaces apart after a step: positions are moved, velocities never.

    minimise |dq|_A   subject to   J dq = -Phi,   J_n dq >= -phi_n - slop         (contact 16)

It is the same problem with v* = 0: joints and constraints as EQ, rigid contacts and stops as UNI.
Gaps follow from the two points of the surfaces that met, carried along by their bodies. A rigid
contact is pushed out when it is deeper than the slop, at a limited speed, and then to half of it;
a stop all the way, as the slop is a length and phi of a stop may be an angle. Nothing goes out of
proportion for it (`contact.leverage`). A step of second order moves half its length before it
looks: what it has gone too far by that, it goes back at once, to the surface.
"""

from dalembert._jit import apart, kernel, vector_view
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
from dalembert.contact.leverage import leverage, on_tree, restrain
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
from dalembert.mechanics.tree_aba import articulate, solve_mass
from dalembert.mechanics.tree_evaluate import rest_of, tree_of
from dalembert.mechanics.tree_kinematics import gather_force
from dalembert.numerics.small import (
    add,
    dot,
    put_vector,
    scale,
    sub,
    symmetric,
    symmetric_times,
    vector,
)
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
from dalembert.system.tree_layout import ARMATURE_START

CAP, PUSHES = 6, 3
"""Corrections of a step, two are usual; those that push surfaces apart."""

UNSEEN, CURVED, TURNING = 1e-3, 0.01, 1.5
"""Penetration that is rounding, over the slop; over the way in half a step, one that a surface that
curves leaves; and the largest, of bodies that turn."""

CLOSED = 5e-13
"""Residual of a joint, over the size of its row and of the model, that is left."""

FINE, ENOUGH = 0.05, 0.4
"""Tolerance of the solve, over what may be left; without joints: gaps are opened to
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
def blind_way(integers, numbers, h, speed):
    """Way [m], negative, that something approached at `speed` has gone before it was looked at."""
    return 0.5 * h * min(0.0, speed) if integers[memory.SECOND_ORDER] == 1 else 0.0


@kernel
def is_passed(slop, gap, back):
    """Whether a step has gone in, more than rounding and than a surface curves on the way."""
    return -gap > UNSEEN * slop and TURNING * back <= gap <= CURVED * back


@kernel
def went_too_far(work, sizes, integers, numbers, h):
    """Whether a rigid contact or stop that was approached has been passed."""
    slop = numbers[memory.SLOP]
    for k in range(integers[memory.CONTACTS]):
        if has_gap(integers, numbers, k):
            back = blind_way(integers, numbers, h, numbers[contact_at(integers, k) + SPEED])
            if is_passed(slop, gap_now(work, sizes, integers, numbers, k), back):
                return True
    for row in range(sizes[SIDES]):
        if is_rigid_stop(work, sizes, integers, row):
            rate = numbers[integers[memory.SIDE_RATES] + row]
            back = blind_way(integers, numbers, h, rate)
            if is_passed(slop, work[sizes[SIDE_PHI] + row], back):
                return True
    return False


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
    numbers[report + memory.PUSHED] = 0.0
    stops = has_stops(sizes, integers)
    while True:
        residual(work, sizes, t, q, v)
        if stops:
            evaluate_sides(work, sizes, t, q, v)
        drift = worst_joint(work, sizes)
        depth = deepest(work, sizes, integers, numbers)
        numbers[report + memory.DRIFT] = drift
        open_joints = not drift <= CLOSED * length
        # what it has itself gone in too far, a step goes back to rounding
        second = integers[memory.SECOND_ORDER] == 1 and corrections < PUSHES and gaps
        exact = second and depth > 0.0 and went_too_far(work, sizes, integers, numbers, h)
        pushing = exact or (corrections == 0 and depth > slop)
        if not open_joints and not pushing:
            sizes[SEEN] = 1
            return OK
        if corrections == CAP:
            sizes[SEEN] = 1
            return OK if drift <= ACCEPTABLE * length else NO_CONVERGENCE
        if corrections > 0 and not drift < 0.5 * best:
            # joints and surfaces cannot both be had, or not be solved for: joints alone
            gaps = False
        best = drift
        status = correct(work, sizes, integers, numbers, p, x, t, h, q, v, gaps, exact)
        if status != OK:
            # the inertias were good when the step began: the motion or a correction ran away
            return NO_CONVERGENCE if status == NOT_POSITIVE_DEFINITE else status
        corrections += 1
        numbers[report + memory.PUSHED] = corrections


@apart(int)
def close_joints(work, sizes, t, h, q, v):
    """Move q onto the joints as they are at the time t, as near as it goes, whatever the gaps."""
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
    p, x = memory.problem_integers(integers), memory.problem_numbers(integers, numbers)
    before = 1e300
    for _ in range(CAP):
        residual(work, sizes, t, q, v)
        drift = worst_joint(work, sizes)
        if drift <= CLOSED * work[sizes[run_layout.LENGTH]] or not drift < 0.5 * before:
            return OK
        before = drift
        status = correct(work, sizes, integers, numbers, p, x, t, h, q, v, False, False)
        if status != OK:
            return NO_CONVERGENCE if status == NOT_POSITIVE_DEFINITE else status
    return OK


@kernel
def correct(work, sizes, integers, numbers, p, x, t, h, q, v, gaps, exact):
    """One correction, with or without regard to gaps; `exact`: those are closed to rounding."""
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
    if exact:
        numbers[memory.TOLERANCE] = UNSEEN * UNSEEN * slop
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
    carries = gaps and integers[memory.SECOND_ORDER] == 1 and on_tree(sizes) and sizes[ROWS] == 0
    if not carries:
        displace(work, sizes, 1.0, move, q)
        return OK
    return carry_momentum(work, sizes, integers, numbers, t, move, q, v)


@apart(int)
def carry_momentum(work, sizes, integers, numbers, t, move, q, v):
    """Move a tree by `move`; its bodies keep their momentum, so that v is another.

    A(q') v' = S(q')^T P + I_a v,   P = (m v_b, Theta w_b) at q          (I_a: rotors of drives)

    With the same v in another position a tree that flies would have another momentum.
    """
    tree, room = tree_of(sizes), rest_of(work, sizes, run_layout.TREE_ROOM)
    bodies, n, at = sizes[run_layout.PLACED], sizes[NV], integers[memory.WHIRL]
    tau, a = vector_view(numbers, at, n), vector_view(numbers, at + n, n)
    momenta = vector_view(numbers, at + 2 * n, 6 * bodies)
    for b in range(bodies):
        inertia = sizes[run_layout.BODY_INERTIA] + run_layout.INERTIA * b
        record = sizes[run_layout.BODY_RECORDS] + run_layout.RECORD * b
        put_vector(momenta, 6 * b, scale(work[inertia + 6], vector(work, record + 12)))
        turning = symmetric_times(symmetric(work, inertia), vector(work, record + 15))
        put_vector(momenta, 6 * b + 3, turning)
    displace(work, sizes, 1.0, move, q)
    evaluate(work, sizes, t, q, v)
    gather_force(tree, room, momenta, tau)
    rotors = sizes[run_layout.TREE_NUMBERS] + tree[ARMATURE_START]
    for k in range(n):
        tau[k] += work[rotors + k] * v[k]
    still = run_layout.vector(work, sizes, run_layout.TREE_SIDE, NV)
    for k in range(n):
        still[k] = 0.0
    numbers_of_tree = rest_of(work, sizes, run_layout.TREE_NUMBERS)
    status = articulate(tree, numbers_of_tree, room, still, still)
    if status != OK:
        return status
    solve_mass(tree, room, tau, a)
    for k in range(n):
        v[k] = a[k]
    return OK


@apart(int)
def add_gaps(work, sizes, integers, numbers, p, x, h):
    """UNI rows of rigid contacts and stops that a correction must not close."""
    slop = numbers[memory.SLOP]
    furthest = -numbers[memory.PUSH_SPEED] * h
    rest = 0.0 if integers[memory.SECOND_ORDER] == 1 else 0.5 * slop
    for row in range(sizes[SIDES]):
        if is_rigid_stop(work, sizes, integers, row):
            rate = numbers[integers[memory.SIDE_RATES] + row]
            back = blind_way(integers, numbers, h, rate)
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
        back = blind_way(integers, numbers, h, numbers[own + SPEED])
        push = max(furthest + back, gap + rest)
        if push < 0.0:
            push *= leverage(work, sizes, integers, p, x, block, a, b)
        x[row_at(p, BIAS, block)] = push
    return OK
