"""Joints closed and surfaces apart after a step: positions are moved, velocities never.

    minimise |dq|_A   subject to   J dq = -Phi,   J_n dq >= -phi_n - slop         (contact 16)

It is the same problem with v* = 0: joints and constraints as EQ, rigid contacts and stops as UNI.
Gaps follow from the two points of the surfaces that met, carried along by their bodies. A rigid
contact is pushed out when it is deeper than the slop, at a limited speed, and then to half of it; a
stop all the way, as the slop is a length and phi of a stop may be an angle. Nothing goes out of
proportion for it (`contact.step.correction_limits`). A step of second order moves half its length
before it looks: what it has gone too far by that, it goes back at once, to the surface.
"""

from dalembert._jit import apart, kernel, vector_view
from dalembert.collision import layout as found
from dalembert.contact.problem.layout import OVERFLOW, UNI, Problem
from dalembert.contact.problem.writing import begin
from dalembert.contact.rows.assemble import (
    add_cliques,
    add_constraints,
    complete_inertias,
    take_velocities,
)
from dalembert.contact.rows.body_rows import open_block
from dalembert.contact.rows.contact_rows import put_side, shape_body
from dalembert.contact.rows.one_sided_rows import (
    METRES,
    RADIANS,
    STOP,
    evaluate_sides,
    open_side,
)
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import (
    SPEED,
    STIFF,
    ContactRun,
    contact_at,
    contact_of,
    found_at,
)
from dalembert.contact.step.correction_limits import leverage, on_tree, restrain
from dalembert.mechanics.maximal import turn_missing
from dalembert.mechanics.motion import displace
from dalembert.mechanics.tree_aba import articulate, solve_mass
from dalembert.mechanics.tree_evaluate import rest_of, tree_of
from dalembert.mechanics.tree_kinematics import gather_force
from dalembert.numerics.small import (
    put_vector,
    scale,
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
    SIDE_PHI,
    SIDES,
    TOP,
)
from dalembert.system.state_layout import State
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
def worst_joint(state: State):
    """Largest residual of position rows over their sizes; NaN counts as infinite."""
    work = state.work
    sizes = state.sizes
    worst = 0.0
    for i in range(sizes[HOLONOMIC]):
        size = work[sizes[ROW_SIZE] + i]
        value = abs(work[sizes[PHI] + i]) / size
        if not value <= worst:
            worst = value
    return worst


@kernel
def gap_now(state: State, run: ContactRun, k):
    """Gap of a contact with the bodies where their records say."""
    touching, contact = run.found(k), run.contact(k)
    record_a = state.record_of(shape_body(run, touching.shape_a))
    record_b = state.record_of(shape_body(run, touching.shape_b))
    a = record_a.center + (record_a.rotation @ contact.local_a)
    b = record_b.center + (record_b.rotation @ contact.local_b)
    return contact.n.dot(b - a)


@kernel
def has_gap(run: ContactRun, k):
    """Whether a contact is rigid and its points are those of the surfaces that meet."""
    integers = run.sizes
    numbers = run.work
    if integers[found_at(run, k) + found.CONTACT_FLAGS] & found.SPUN:
        return False
    return numbers[contact_at(run, k) + STIFF] == 0.0


@kernel
def deepest(state: State, run: ContactRun):
    """Penetration of rigid contacts and stops: the deepest. Each unit is reported by itself."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    metres = radians = others = 0.0
    for k in range(integers[memory.CONTACTS]):
        if has_gap(run, k):
            metres = max(metres, -gap_now(state, run, k))
    for row in range(sizes[SIDES]):
        if is_rigid_stop(state, run, row):
            depth = -work[sizes[SIDE_PHI] + row]
            unit = state.stop(row).unit
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
def blind_way(run: ContactRun, h, speed):
    """Way [m], negative, that something approached at `speed` has gone before it was looked at."""
    integers = run.sizes
    return 0.5 * h * min(0.0, speed) if integers[memory.SECOND_ORDER] == 1 else 0.0


@kernel
def is_passed(slop, gap, back):
    """Whether a step has gone in, more than rounding and than a surface curves on the way."""
    return -gap > UNSEEN * slop and TURNING * back <= gap <= CURVED * back


@kernel
def went_too_far(state: State, run: ContactRun, h):
    """Whether a rigid contact or stop that was approached has been passed."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    slop = numbers[memory.SLOP]
    for k in range(integers[memory.CONTACTS]):
        if has_gap(run, k):
            back = blind_way(run, h, numbers[contact_at(run, k) + SPEED])
            if is_passed(slop, gap_now(state, run, k), back):
                return True
    for row in range(sizes[SIDES]):
        if is_rigid_stop(state, run, row):
            rate = numbers[integers[memory.SIDE_RATES] + row]
            back = blind_way(run, h, rate)
            if is_passed(slop, work[sizes[SIDE_PHI] + row], back):
                return True
    return False


@kernel
def has_stops(state: State, run: ContactRun):
    """Whether any row is a stop: the others have no place that a correction could change."""
    sizes = state.sizes
    for row in range(sizes[SIDES]):
        if run.side_law(row).law == STOP:
            return True
    return False


@kernel
def is_rigid_stop(state: State, run: ContactRun, row):
    """Whether a row is a stop that gives way to nothing."""
    if run.side_law(row).law != STOP:
        return False
    stop = state.stop(row)
    return stop.stiffness == 0.0 and stop.frequency == 0.0


@kernel
def position_pass(state: State, t, h, q, v):
    """Correct q at the time t, the end of a step of length h."""
    work = state.work
    sizes = state.sizes
    run = contact_of(state)
    integers, numbers = run.sizes, run.work
    problem = run.problem
    report = integers[memory.REPORT]
    slop = numbers[memory.SLOP]
    length = work[sizes[run_layout.LENGTH]]
    corrections = 0
    best = 1e300
    gaps = True
    numbers[report + memory.PUSHED] = 0.0
    stops = has_stops(state, run)
    while True:
        residual(work, sizes, t, q, v)
        if stops:
            evaluate_sides(state, t, q, v)
        drift = worst_joint(state)
        depth = deepest(state, run)
        numbers[report + memory.DRIFT] = drift
        open_joints = not drift <= CLOSED * length
        # what it has itself gone in too far, a step goes back to rounding
        second = integers[memory.SECOND_ORDER] == 1 and corrections < PUSHES and gaps
        exact = second and depth > 0.0 and went_too_far(state, run, h)
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
        status = correct(state, run, problem, t, h, q, v, gaps, exact)
        if status != OK:
            # the inertias were good when the step began: the motion or a correction ran away
            return NO_CONVERGENCE if status == NOT_POSITIVE_DEFINITE else status
        corrections += 1
        numbers[report + memory.PUSHED] = corrections


@apart(int)
def close_joints(state: State, t, h, q, v):
    """Move q onto the joints as they are at the time t, as near as it goes, whatever the gaps."""
    work = state.work
    sizes = state.sizes
    run = contact_of(state)
    problem = run.problem
    before = 1e300
    for _ in range(CAP):
        residual(work, sizes, t, q, v)
        drift = worst_joint(state)
        if drift <= CLOSED * work[sizes[run_layout.LENGTH]] or not drift < 0.5 * before:
            return OK
        before = drift
        status = correct(state, run, problem, t, h, q, v, False, False)
        if status != OK:
            return NO_CONVERGENCE if status == NOT_POSITIVE_DEFINITE else status
    return OK


@kernel
def correct(state: State, run: ContactRun, problem: Problem, t, h, q, v, gaps, exact):
    """One correction, with or without regard to gaps; `exact`: those are closed to rounding."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    evaluate(work, sizes, t, q, v)
    if sizes[MASSLESS] > 0:
        turn_missing(work, sizes)
        complete_inertias(state)
    slop = numbers[memory.SLOP]
    still = run_layout.vector(work, sizes, TOP, NV)
    move = run_layout.vector(work, sizes, CORRECTION, NV)
    for k in range(sizes[NV]):
        still[k] = 0.0
    # the bias of joints is their residual; rows of velocities stay out of it
    for i in range(sizes[ROWS]):
        work[sizes[PHI_T] + i] = work[sizes[PHI] + i] if i < sizes[HOLONOMIC] else 0.0
    begin(problem)
    status = add_cliques(state, run, problem, still, still)
    if status != OK:
        return status
    status = add_constraints(state, run, problem, 0.0)
    if status != OK:
        return status
    if gaps:
        status = add_gaps(state, run, problem, h)
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
    take_velocities(state, run, problem, problem.v, move)
    if gaps:
        # joints alone are closed as far as it takes
        most = h * numbers[memory.PUSH_SPEED] + worst_joint(state)
        restrain(state, run, problem, most, move)
    carries = gaps and integers[memory.SECOND_ORDER] == 1 and on_tree(state) and sizes[ROWS] == 0
    if not carries:
        displace(work, sizes, 1.0, move, q)
        return OK
    return carry_momentum(state, run, t, move, q, v)


@apart(int)
def carry_momentum(state: State, run: ContactRun, t, move, q, v):
    """Move a tree by `move`; its bodies keep their momentum, so that v is another.

    A(q') v' = S(q')^T P + I_a v,   P = (m v_b, Theta w_b) at q          (I_a: rotors of drives)

    With the same v in another position a tree that flies would have another momentum.
    """
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
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
def add_gaps(state: State, run: ContactRun, problem: Problem, h):
    """UNI rows of rigid contacts and stops that a correction must not close."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    slop = numbers[memory.SLOP]
    furthest = -numbers[memory.PUSH_SPEED] * h
    rest = 0.0 if integers[memory.SECOND_ORDER] == 1 else 0.5 * slop
    for row in range(sizes[SIDES]):
        if is_rigid_stop(state, run, row):
            rate = numbers[integers[memory.SIDE_RATES] + row]
            back = blind_way(run, h, rate)
            number = open_side(state, run, problem, row, UNI)
            if number == OVERFLOW:
                return NEEDS_ROOM
            bias = problem.block(number).of(problem.bias)
            bias[0] = max(furthest + back, work[sizes[SIDE_PHI] + row])
    for k in range(integers[memory.CONTACTS]):
        if not has_gap(run, k):
            continue
        contact = run.contact(k)
        a, b = shape_body(run, run.found(k).shape_a), shape_body(run, run.found(k).shape_b)
        gap = gap_now(state, run, k)
        number = open_block(run, problem, UNI, 1, a, b)
        if number == OVERFLOW:
            return NEEDS_ROOM
        block = problem.block(number)
        arm_a = state.record_of(a).rotation @ contact.local_a
        arm_b = state.record_of(b).rotation @ contact.local_b
        put_side(state, run, problem, block, a, -1.0, contact, arm_a)
        put_side(state, run, problem, block, b, 1.0, contact, arm_b)
        back = blind_way(run, h, contact.speed)
        push = max(furthest + back, gap + rest)
        if push < 0.0:
            push *= leverage(state, run, problem, block, a, b)
        problem.bias[block.row] = push
    return OK
