"""The problem of one step: v*, joints, one-sided rows, contacts and the first guess of impulses.

    A (v - v*) = J^T lam,   v* = v + h A^-1 Q                                  (contact 1, 16)

Kinematics and forces are those at the start of the step or, with the second order, of its middle.

| | first order | second order |
|---|---|---|
| a tree | A' v' = Q - (D v + J^T R^-1 b) / h, or its momentum where it whirls | mean of both ends |
| bodies | M v' = Q, gyroscopic torques implicitly | with those of the mean angular velocity |
| formulas | M v' = Q | M v' = Q |

Each adds the cliques of the problem with its v*.

A step of second order is looked at in its middle, s = h/2 after it has begun. Two bodies that come
closer by c have gone s c of their way by then. Where that is more than the balls within both, one
may be behind the other, and collision finds nothing; where it is more than the smaller ball within
and they are that deep in each other, the nearest way out may be the wrong one. The start of the
step knows better: there both are apart.
"""

from dalembert._jit import apart, border, kernel
from dalembert.collision.broad_phase import HALF, LOWER
from dalembert.collision.collide import collide
from dalembert.collision.layout import FARTHEST, PLANE, UNPLACED, Scene
from dalembert.collision.pairs import arm_of, is_spinning, turning_speed
from dalembert.contact.problem.layout import Problem
from dalembert.contact.problem.writing import begin
from dalembert.contact.rows.assemble import (
    add_cliques,
    add_constraints,
    complete_inertias,
    put_velocities,
)
from dalembert.contact.rows.contact_rows import add_contacts
from dalembert.contact.rows.implicit_drives import absorb, fall_on_tree, let_drives_act, stiffen
from dalembert.contact.rows.one_sided_rows import add_laws
from dalembert.contact.rows.second_order import expect_spin
from dalembert.contact.rows.viscous_rows import add_viscous
from dalembert.contact.run.run_layout import SCENE_ROOM, ContactRun, contact_of
from dalembert.contact.step.sleeping import hold_resting, set_aside
from dalembert.contact.step.tree_momentum import accelerate_loaded, calm, turns_far
from dalembert.contact.step.warm_start import match, warm_fixed
from dalembert.mechanics.maximal import leave_out_gyroscopic, spin_implicitly, turn_missing
from dalembert.mechanics.motion import free_solve
from dalembert.numerics.vector import vec3
from dalembert.system.borders import (
    MAY_HAVE_PASSED,
    NEEDS_ROOM,
    NON_FINITE,
    NOT_POSITIVE_DEFINITE,
    OK,
    STEPPING,
    evaluate,
    evaluate_sides,
)
from dalembert.system.state_layout import State
from dalembert.system.tree_layout import Constants

_call = STEPPING.call


@kernel
def assemble(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """The problem of a step, warm start included; t is `left` before its end."""
    status = look(state, run, t, h, left, q, v)
    if status != OK:
        return status
    begin(problem)
    status = add_free_motion(state, run, problem, t, h, left, q, v)
    if status != OK:
        return status
    if run.sleeping == 1:
        set_aside(run, problem, h)
    match(run)
    if run.resting > 0:
        hold_resting(run, h)
    return add_rows(state, run, problem, h, left)


@kernel
def look(state: State, run: ContactRun, t, h, left, q, v):
    """Look at the model, its one-sided rows and contacts, `left` before the end of the step."""
    if left < h:
        status = evaluate_middle(state, run, t, h, q, v)
        if status != OK:
            return status
    else:
        evaluate(state, t, q, v)
    if state.massless > 0:
        turn_missing(state)
        complete_inertias(state)
    evaluate_sides(state, t, q, v)
    if state.on_tree and state.sides > 0:
        absorb(state, run, h, left)
    run.contacts = run.resting = 0
    if run.shapes == 0:
        return OK
    status = _call(state.contact_collide, *state, t, h, q, v)
    if status == OK and left < h and run.controlled == 0 and may_have_passed(run, h - left):
        return MAY_HAVE_PASSED  # error control compares steps of one order
    return status


@kernel
def add_rows(state: State, run: ContactRun, problem: Problem, h, left):
    """Rows of joints, stops, drives and contacts, with their first impulses."""
    status = add_constraints(state, run, problem, left if left < h else 0.0)
    if status != OK:
        return status
    run.viscous_blocks = 0
    if run.is_viscous == 1:
        status = add_viscous(state, run, problem, h, left)
        if status != OK:
            return status
    run.side_blocks, run.fixed_blocks = 0, problem.blocks
    if state.sides > 0:
        status = add_laws(state, run, problem, h, left)
        if status != OK:
            return status
    warm_fixed(state, run, problem, h)
    return add_contacts(state, run, problem, h, left)


# -- velocities without impulses, v* = v + h v', by representation: trees, bodies, formulas --------


@kernel
def add_free_motion(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """Cliques with their v*, after `evaluate_middle` or `evaluate`; `left` of the step is left."""
    if state.on_tree:
        if left < h:
            return add_tree_between(state, run, problem, h, v)
        return add_tree(state, run, problem, t, h, q, v)
    if state.bodies > 0 and left < h:
        expect_spin(state, run, left, v)
    status = free_solve(state, state.vdot)
    if status != OK:
        return status
    if left < h:
        # with half the step: the torque at the mean of both angular velocities
        spin_implicitly(state, left, run.next_push, state.vdot)
    else:
        spin_implicitly(state, h, v, state.vdot)
    status = go_freely(state, h, v)
    if status != OK:
        return status
    return add_cliques(state, run, problem, v, state.correction)


@kernel
def go_freely(state: State, h, v):
    """v* = v + h v', in `correction`."""
    free, vdot = state.correction, state.vdot
    for k in range(state.nv):
        free[k] = v[k] + h * vdot[k]
        if not abs(free[k]) < 1e300:
            # a force that is no number: no solver is to be blamed for it
            state.failed_index = state.nq + k
            return NON_FINITE
    return OK


# -- trees -----------------------------------------------------------------------------------------


@apart(int)
def add_tree(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """A tree in a step of first order: by the factors of A', or by its momentum."""
    vdot = state.vdot
    status = add_cliques(state, run, problem, v, v)
    if status != OK:
        return status
    stiffen(state, run, problem)
    if not fall_on_tree(state, run, problem, h, state.force, v, vdot):
        return NOT_POSITIVE_DEFINITE
    whirls = turns_far(state, h)
    if whirls:
        status = accelerate_loaded(state, vdot)
        if status != OK:
            return status
        status = calm(state, run, t, h, q, v, v, vdot)
        if status != OK:
            return status
    status = go_freely(state, h, v)
    if status != OK:
        return status
    put_velocities(state, run, problem, problem.v_free, state.correction)
    if whirls and run.absorbed > 0:
        return let_drives_act(state, run, problem)
    return OK


@apart(int)
def add_tree_between(state: State, run: ContactRun, problem: Problem, h, v):
    """A tree in a step of second order, whose v' is known (`mean_acceleration`)."""
    status = go_freely(state, h, v)
    if status != OK:
        return status
    status = add_cliques(state, run, problem, v, state.correction)
    if status != OK:
        return status
    stiffen(state, run, problem)
    if run.absorbed > 0:
        return let_drives_act(state, run, problem)
    return OK


@apart(int)
def mean_acceleration(state: State, run: ContactRun, t, h, q, v):
    """v' of a tree in a step of second order: the mean of those with v at its start and its end.

    Forces of inertia are squares of velocities. Of the momentum A v, whose A is that of either end,
    the mean of both squares takes h^3 a A' a / 4 less in a step than the square of the mean: with
    springs that swing fast that adds up. At the end v is as forces and the impulses of the last
    step say.
    """
    seen, first, vdot, push = state.top, state.correction, state.vdot, run.last_push
    evaluate(state, t, q, v)
    status = accelerate_loaded(state, first)
    if status != OK:
        return status
    for k in range(state.nv):
        seen[k] = v[k] + h * (first[k] + push[k])
    evaluate(state, t, q, seen)
    status = accelerate_loaded(state, vdot)
    if status != OK:
        return status
    for k in range(state.nv):
        vdot[k] = 0.5 * (first[k] + vdot[k])
    if not turns_far(state, h):
        return OK
    for k in range(state.nv):
        seen[k] = v[k] + 0.5 * h * (vdot[k] + push[k])
    evaluate(state, t, q, seen)
    status = accelerate_loaded(state, vdot)
    if status != OK:
        return status
    return calm(state, run, t, h, q, v, seen, vdot)


# -- forces of the middle --------------------------------------------------------------------------


@kernel
def evaluate_middle(state: State, run: ContactRun, t, h, q, v):
    """Everything the model says at (t, q, v); forces are of v as expected in the middle of a step.

    Of a tree v' is made, too.
    """
    if state.on_tree:
        dense = state.dense
        state.dense = 0  # along the tree, without full matrices
        status = mean_acceleration(state, run, t, h, q, v)
        state.dense = dense
        if status != OK:
            return status
        evaluate(state, t, q, v)
    elif has_dampers(state):
        middle_forces(state, run, t, h, q, v)
    else:
        evaluate(state, t, q, v)
    return OK


@kernel
def has_dampers(state: State):
    """Whether forces, gyroscopic torques apart, may depend on velocities."""
    if state.mechanism == 0:
        return state.force_has_velocity == 1
    return state.actions > 0 or state.specific_action != 0


@apart(None)
def middle_forces(state: State, run: ContactRun, t, h, q, v):
    """Q with the velocities expected in the middle of the step, but for gyroscopic torques."""
    middle, kept, force = state.top, state.correction, state.force
    for k in range(state.nv):
        middle[k] = v[k] + 0.5 * h * run.last_change[k]
    evaluate(state, t, q, middle)
    leave_out_gyroscopic(state, middle, force)
    for k in range(state.nv):
        kept[k] = force[k]
    evaluate(state, t, q, v)
    for k in range(state.nv):
        middle[k] = 0.0
    leave_out_gyroscopic(state, v, middle)
    for k in range(state.nv):
        force[k] = kept[k] - middle[k]


# -- bodies that have gone past one another, or deep into, before a step is looked at --------------


@kernel
def may_have_passed(run: ContactRun, s):
    """Whether bodies may have gone past one another in the last s seconds, or are too deep."""
    scene = run.scene
    return is_past(scene, s) or is_deep(run, scene, s)


@kernel
def is_past(scene: Scene, s):
    """Whether a candidate pair has moved by more than the balls within both."""
    for k in range(scene.pairs):
        code = scene.pair_list[k]
        a, b = code >> HALF, code & LOWER
        A, B = scene.shape(a), scene.shape(b)
        if A.kind == PLANE or B.kind == PLANE:
            continue  # nothing is behind a plane
        way = s * (B.v - A.v).size
        if is_spinning(scene, a, b):
            way += s * (turning_speed(A, arm_of(A)) + turning_speed(B, arm_of(B)))
        if way > A.inner_radius + B.inner_radius:
            return True
    return False


@kernel
def is_deep(run: ContactRun, scene: Scene, s):
    """Whether a pair has come to be deeper in each other than the smaller ball within."""
    for k in range(run.contacts):
        found = run.found(k)
        A, B = scene.shape(found.shape_a), scene.shape(found.shape_b)
        if A.kind == PLANE or B.kind == PLANE:
            continue
        least = min(A.inner_radius, B.inner_radius)
        if found.gap < -least and -s * found.normal.dot(B.v - A.v) > least:
            return True
    return False


# -- contacts --------------------------------------------------------------------------------------


@border(STEPPING)
def find_contacts(state: State, t, h, q, v):
    """Contacts of the evaluated state; reached by address, `State.contact_collide`."""
    run = contact_of(state)
    scene = run.scene
    scene.fall = scene.margin_speed * h * h * gravity(state).size
    count = collide(scene, state.body_records, h, run.found_contacts)
    if count == UNPLACED:
        state.failed_index = lost(state, q, v)
        return NON_FINITE
    if count < 0:
        run.room_wanted, run.contacts_found = SCENE_ROOM, scene.needed_contacts
        return NEEDS_ROOM
    run.contacts = leave_out(run, count)
    return OK


@kernel
def gravity(state: State):
    """Acceleration of what falls."""
    if state.bodies == 0:
        return Constants(state.tree_integers, state.tree_numbers).gravity
    return vec3(state.gravity, 0)


@kernel
def lost(state: State, q, v):
    """The first coordinate or velocity that is nowhere; velocities follow coordinates."""
    for i in range(state.nq):
        if not abs(q[i]) <= FARTHEST:
            return i
    for k in range(state.nv):
        if not abs(v[k]) <= FARTHEST:
            return state.nq + k
    return 0


@kernel
def leave_out(run: ContactRun, count):
    """Drop contacts of surfaces that a rule lets pass through each other."""
    kept = 0
    for k in range(count):
        found = run.found(k)
        if run.law(found.shape_a, found.shape_b).friction < 0.0:
            continue
        if kept < k:
            run.found(kept).take(found)
        kept += 1
    return kept
