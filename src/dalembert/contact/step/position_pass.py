"""Joints closed and surfaces apart after a step: positions are moved, velocities never.

    minimise |dq|_A   subject to   J dq = -Phi,   J_n dq >= -phi_n - slop         (contact 16)

It is the same problem with v* = 0: joints and constraints as EQ, rigid contacts and stops as UNI. A
rigid contact is pushed out when it is deeper than the slop, at a limited speed, and then to half of
it; a stop all the way, as the slop is a length and phi of a stop may be an angle. Nothing goes out
of proportion for it (`contact.rows.correction_limits`). A step of second order moves half its
length before it looks: what it has gone too far by that, it goes back at once, to the surface.

Gaps follow from the two points of the surfaces that met, carried along by their bodies:
phi = n . (p_B - p_A).
"""

from dalembert._jit import apart, kernel
from dalembert._memory import Part, over
from dalembert._records import Numbers
from dalembert._traceable import chosen
from dalembert.collision.layout import SPUN
from dalembert.contact.problem.layout import OVERFLOW, UNI, Problem
from dalembert.contact.problem.writing import begin
from dalembert.contact.rows.assemble import (
    add_cliques,
    add_constraints,
    complete_inertias,
    take_velocities,
)
from dalembert.contact.rows.body_rows import open_block
from dalembert.contact.rows.contact_rows import put_side
from dalembert.contact.rows.correction_limits import Room, push_share, restrain
from dalembert.contact.rows.far_stops import is_beyond, stay_open
from dalembert.contact.rows.one_sided_rows import METRES, RADIANS, open_side
from dalembert.contact.run.record_layout import STOP
from dalembert.contact.run.run_layout import ContactRun, contact_of
from dalembert.mechanics.maximal import turn_missing
from dalembert.mechanics.motion import displace
from dalembert.mechanics.tree_aba import articulate, solve_mass
from dalembert.mechanics.tree_kinematics import gather_force
from dalembert.numerics.spatial import put_force
from dalembert.system.borders import (
    NEEDS_ROOM,
    NO_CONVERGENCE,
    NOT_POSITIVE_DEFINITE,
    OK,
    STEPPING,
    evaluate,
    evaluate_sides,
    residual,
)
from dalembert.system.state_layout import State
from dalembert.system.tree_layout import Constants

CAP, PUSHES = 6, 3
"""Corrections of a step, two are usual; those that push surfaces apart."""

CLOSED = 5e-13
"""Residual of a joint, over the size of its row and of the model, that is left."""

FINE, ENOUGH = 0.05, 0.4
"""Tolerance of the solve, over what may be left; without joints: gaps are opened to
half of the slop, and what is missing there stays within it."""

ACCEPTABLE = 1e-6
"""That with which a step may end where corrections no longer help."""

_solve = STEPPING.call


class Carried(Part, of=ContactRun):
    """Scratch of a tree whose bodies keep their momentum."""

    tau: Numbers = over("most_velocities")
    v: Numbers = over("most_velocities")
    momenta: Numbers = over("6 * bodies")


@kernel
def position_pass(state: State, t, h, q, v):
    """Correct q at the time t, the end of a step of length h."""
    run = contact_of(state)
    problem, report = run.problem, run.step_report
    corrections, best, gaps = 0, 1e300, True
    report.pushed = 0.0
    stops = has_stops(state, run)
    while True:
        residual(state, t, q, v)
        if stops:
            evaluate_sides(state, t, q, v)
        drift, depth = worst_joint(state), deepest(state, run)
        report.drift = drift
        open_joints = not drift <= CLOSED * state.length
        # what it has itself gone in too far, a step goes back to rounding
        second = run.second_order == 1 and corrections < PUSHES and gaps
        exact = second and depth > 0.0 and went_too_far(state, run, h)
        pushing = exact or (corrections == 0 and depth > run.slop)
        if not open_joints and not pushing:
            state.seen = 1
            return OK
        if corrections == CAP:
            state.seen = 1
            return OK if drift <= ACCEPTABLE * state.length else NO_CONVERGENCE
        in_vain = open_joints and not drift < 0.5 * best
        if corrections > 0 and (in_vain or state.rows == 0):
            # joints and surfaces cannot both be had, or not be solved for: joints alone; surfaces
            # alone are pushed apart once
            gaps = False
        # a push opens joints by its square: what is to fall is the residual of both
        best = max(drift, depth) if pushing else drift
        status = correct(state, run, problem, t, h, q, v, gaps, exact)
        if status != OK:
            # the inertias were good when the step began: the motion or a correction ran away
            return NO_CONVERGENCE if status == NOT_POSITIVE_DEFINITE else status
        corrections += 1
        report.pushed = corrections


@apart(int)
def close_joints(state: State, t, h, q, v):
    """Move q onto the joints as they are at the time t, as near as it goes, whatever the gaps."""
    run = contact_of(state)
    problem, before = run.problem, 1e300
    for _ in range(CAP):
        residual(state, t, q, v)
        drift = worst_joint(state)
        if drift <= CLOSED * state.length or not drift < 0.5 * before:
            return OK
        before = drift
        status = correct(state, run, problem, t, h, q, v, False, False)
        if status != OK:
            return NO_CONVERGENCE if status == NOT_POSITIVE_DEFINITE else status
    return OK


@kernel
def correct(state: State, run: ContactRun, problem: Problem, t, h, q, v, gaps, exact):
    """One correction, with or without regard to gaps; `exact`: those are closed to rounding."""
    run.tolerance = ENOUGH * run.slop
    if exact:
        run.tolerance = UNSEEN * UNSEEN * run.slop
    if state.holonomic > 0:
        run.tolerance = min(FINE * run.slop, FINE * CLOSED * state.length)
    run.all_stops = 0
    status = find_move(state, run, problem, t, h, q, v, gaps)
    if status == OK and gaps and run.far_stops > 0 and not clears_stops(state, run):
        run.all_stops = 1
        status = find_move(state, run, problem, t, h, q, v, gaps)
    run.tolerance = run.step_tolerance
    if status != OK:
        return status
    move = state.correction
    if gaps:
        # joints alone are closed as far as it takes
        restrain(state, run, problem, h * run.push_speed + worst_joint(state), move)
    if gaps and run.second_order == 1 and state.on_tree and state.rows == 0:
        return carry_momentum(state, run, t, move, q, v)
    displace(state, 1.0, move, q)
    return OK


@kernel
def find_move(state: State, run: ContactRun, problem: Problem, t, h, q, v, gaps):
    """Solve the problem of a correction; its dq is left in `state.correction`."""
    status = assemble_correction(state, run, problem, t, h, q, v, gaps)
    if status != OK:
        return status
    status = _solve(state.contact_close, *state, t, h, q, v)
    if status == OK:
        take_velocities(state, run, problem, problem.v, state.correction)
    return status


@kernel
def clears_stops(state: State, run: ContactRun):
    """Whether stops that were left out stay open where a correction leads."""
    return stay_open(state, run, state.correction, Room(run, run.whirl).twists, 0.0, 1.0)


@kernel
def assemble_correction(state: State, run: ContactRun, problem: Problem, t, h, q, v, gaps):
    """The problem of a correction: v* = 0, J dq = -Phi and, with `gaps`, J_n dq >= -phi_n."""
    evaluate(state, t, q, v)
    if state.massless > 0:
        turn_missing(state)
        complete_inertias(state)
    still = state.top
    for k in range(state.nv):
        still[k] = 0.0
    # the bias of joints is their residual; rows of velocities stay out of it
    for i in range(state.rows):
        state.phi_t[i] = state.phi[i] if i < state.holonomic else 0.0
    begin(problem)
    status = add_cliques(state, run, problem, still, still)
    if status != OK:
        return status
    status = add_constraints(state, run, problem, 0.0)
    if status != OK or not gaps:
        return status
    return add_gaps(state, run, problem, h)


@apart(int)
def carry_momentum(state: State, run: ContactRun, t, move, q, v):
    """Move a tree by `move`; its bodies keep their momentum, so that v is another.

    A(q') v' = S(q')^T P + I_a v,   P = (m v_b, Theta w_b) at q          (I_a: rotors of drives)

    With the same v in another position a tree that flies would have another momentum.
    """
    tree, room, own = state.tree_integers, state.tree_room, Carried(run, run.whirl)
    given = Constants(tree, state.tree_numbers)
    for b in range(state.placed):
        momentum = state.turned_body(b).momentum(state.body_record(b).velocity)
        put_force(own.momenta, 6 * b, momentum)
    displace(state, 1.0, move, q)
    evaluate(state, t, q, v)
    gather_force(tree, room, own.momenta, own.tau)
    for k in range(state.nv):
        own.tau[k] += given.armature(k) * v[k]
    still = state.tree_side
    for k in range(state.nv):
        still[k] = 0.0
    status = articulate(tree, state.tree_numbers, room, still, still)
    if status != OK:
        return status
    solve_mass(tree, room, own.tau, own.v)
    for k in range(state.nv):
        v[k] = own.v[k]
    return OK


# -- rows ------------------------------------------------------------------------------------------


@apart(int)
def add_gaps(state: State, run: ContactRun, problem: Problem, h):
    """UNI rows of rigid contacts and stops that a correction must not close."""
    furthest = -run.push_speed * h
    run.far_stops = 0
    for row in range(state.sides):
        run.side_far[row] = 0
        if is_rigid_stop(state, run, row):
            if is_beyond(state, run, row):
                run.side_far[row] = 1
                run.far_stops += 1
                continue
            back = blind_way(run, h, run.side_rates[row])
            number = open_side(state, run, problem, row, UNI)
            if number == OVERFLOW:
                return NEEDS_ROOM
            bias = problem.block(number).of(problem.bias)
            bias[0] = max(furthest + back, state.side_phi[row])
    for k in range(run.contacts):
        if has_gap(run, k) and add_gap(state, run, problem, k, h, furthest) == OVERFLOW:
            return NEEDS_ROOM
    return OK


@kernel
def add_gap(state: State, run: ContactRun, problem: Problem, k, h, furthest):
    """The row of one contact; OVERFLOW where there is no room."""
    contact, (a, b) = run.contact(k), bodies_at(run, k)
    gap = gap_now(state, run, k)
    number = open_block(run, problem, UNI, 1, a, b)
    if number == OVERFLOW:
        return OVERFLOW
    block = problem.block(number)
    arm_a = state.record_of(a).rotation @ contact.local_a
    arm_b = state.record_of(b).rotation @ contact.local_b
    put_side(state, run, problem, block, a, -1.0, contact, arm_a)
    put_side(state, run, problem, block, b, 1.0, contact, arm_b)
    back = blind_way(run, h, contact.speed)
    rest = 0.0 if run.second_order == 1 else 0.5 * run.slop
    push = max(furthest + back, gap + rest)
    if push < 0.0:
        push *= push_share(state, run, problem, block, a, b)
    problem.bias[block.row] = push
    return number


# -- gaps of contacts, rows of stops and residuals of joints where bodies are now ------------------


UNSEEN, CURVED, TURNING = 1e-3, 0.01, 1.5
"""Penetration that is rounding, over the slop; over the way in half a step, one that a surface that
curves leaves; and the largest, of bodies that turn."""


@kernel
def worst_joint(state: State):
    """Largest residual of position rows over their sizes; NaN counts as infinite."""
    worst = 0.0
    for i in range(state.holonomic):
        size = abs(state.phi[i]) / state.row_size[i]
        if not size <= worst:
            worst = size
    return worst


# -- contacts --------------------------------------------------------------------------------------


@kernel
def bodies_at(run: ContactRun, k):
    """Bodies of a contact; -1: the world."""
    found, scene = run.found(k), run.scene
    return scene.shape(found.shape_a).body, scene.shape(found.shape_b).body


@kernel
def gap_now(state: State, run: ContactRun, k):
    """Gap of a contact with the bodies where their records say."""
    contact, (a, b) = run.contact(k), bodies_at(run, k)
    p_a = state.record_of(a).in_world(contact.local_a)
    p_b = state.record_of(b).in_world(contact.local_b)
    return contact.n.dot(p_b - p_a)


@kernel
def has_gap(run: ContactRun, k):
    """Whether a contact is rigid and its points are those of the surfaces that meet."""
    return run.found(k).flags & SPUN == 0 and run.contact(k).stiff == 0.0


# -- stops -----------------------------------------------------------------------------------------


@kernel
def has_stops(state: State, run: ContactRun):
    """Whether any row is a stop: the others have no place that a correction could change."""
    for row in range(state.sides):
        if run.side_law(row).law == STOP:
            return True
    return False


@kernel
def is_rigid_stop(state: State, run: ContactRun, row):
    """Whether a row is a stop that gives way to nothing."""
    stop = state.stop(row)
    return run.side_law(row).law == STOP and stop.stiffness == 0.0 and stop.frequency == 0.0


# -- both ------------------------------------------------------------------------------------------


@kernel
def deepest(state: State, run: ContactRun):
    """Penetration of rigid contacts and stops: the deepest. Each unit is reported by itself."""
    metres = radians = others = 0.0
    for k in range(run.contacts):
        if has_gap(run, k):
            metres = max(metres, -gap_now(state, run, k))
    for row in range(state.sides):
        if is_rigid_stop(state, run, row):
            depth, unit = -state.side_phi[row], state.stop(row).unit
            if unit == RADIANS:
                radians = max(radians, depth)
            elif unit == METRES:
                metres = max(metres, depth)
            else:
                others = max(others, depth)
    report = run.step_report
    report.penetration, report.penetration_angle, report.penetration_own = metres, radians, others
    return max(metres, max(radians, others))


@kernel
def blind_way(run: ContactRun, h, speed):
    """Way [m], negative, that something approached at `speed` has gone before it was looked at."""
    return 0.5 * h * min(0.0, speed) if run.second_order == 1 else 0.0


@kernel
def is_passed(slop, gap, back):
    """Whether a step has gone in, more than rounding and than a surface curves on the way."""
    within = min(gap - TURNING * back, CURVED * back - gap)
    return chosen(-gap > UNSEEN * slop, within, -1.0) >= 0.0


@kernel
def went_too_far(state: State, run: ContactRun, h):
    """Whether a rigid contact or stop that was approached has been passed."""
    for k in range(run.contacts):
        if has_gap(run, k):
            back = blind_way(run, h, run.contact(k).speed)
            if is_passed(run.slop, gap_now(state, run, k), back):
                return True
    found = 0.0
    for row in range(state.sides):
        if is_rigid_stop(state, run, row):
            back = blind_way(run, h, run.side_rates[row])
            found = chosen(is_passed(run.slop, state.side_phi[row], back), 1.0, found)
    return found > 0.0
