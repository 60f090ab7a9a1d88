"""The problem of one step: v*, joints, one-sided rows, contacts and the first guess of impulses.

    A (v - v*) = J^T lam,   v* = v + h A^-1 Q                                  (contact 1, 16)

Kinematics and forces are those at the start of the step or, with the second order, of its middle.
"""

from dalembert._jit import apart, kernel, vector_view
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
from dalembert.contact.rows.one_sided_rows import add_laws, evaluate_sides
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.step.second_order import expect_spin
from dalembert.contact.step.sleeping import hold_resting, set_aside
from dalembert.contact.step.tree_momentum import calm, turns_far
from dalembert.contact.step.warm_start import match, warm_fixed
from dalembert.mechanics.gyroscopic import leave_out_gyroscopic, spin_implicitly
from dalembert.mechanics.maximal import turn_missing
from dalembert.mechanics.motion import free_solve
from dalembert.mechanics.tree_aba import accelerate, articulate
from dalembert.mechanics.tree_evaluate import rest_of, tree_of
from dalembert.system.borders import NON_FINITE, NOT_POSITIVE_DEFINITE, OK, STEPPING, evaluate
from dalembert.system.layout import (
    ACTIONS,
    BODIES,
    CONTACT_COLLIDE,
    CORRECTION,
    DENSE,
    FAILED_INDEX,
    FORCE,
    FORCE_HAS_VELOCITY,
    MASSLESS,
    MECHANISM,
    NQ,
    NV,
    SIDES,
    SPECIFIC_ACTION,
    TOP,
    TREE_NUMBERS,
    TREE_ROOM,
    TREE_SIDE,
    VDOT,
    vector,
)
from dalembert.system.state_layout import State

_call = STEPPING.call


@apart(None)
def middle_forces(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """FORCE with the velocities expected in the middle of the step, but for gyroscopic torques."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    middle, kept = vector(work, sizes, TOP, NV), vector(work, sizes, CORRECTION, NV)
    force = vector(work, sizes, FORCE, NV)
    last = vector_view(numbers, integers[memory.LAST_CHANGE], sizes[NV])
    for k in range(sizes[NV]):
        middle[k] = v[k] + 0.5 * h * last[k]
    evaluate(work, sizes, t, q, middle)
    if sizes[BODIES] > 0:
        leave_out_gyroscopic(work, sizes, middle, force)
    for k in range(sizes[NV]):
        kept[k] = force[k]
    evaluate(work, sizes, t, q, v)
    if sizes[BODIES] > 0:
        for k in range(sizes[NV]):
            middle[k] = 0.0
        leave_out_gyroscopic(work, sizes, v, middle)
        for k in range(sizes[NV]):
            kept[k] -= middle[k]
    for k in range(sizes[NV]):
        force[k] = kept[k]


@kernel
def mean_acceleration(state: State, run: ContactRun, t, h, q, v, vdot):
    """v' of a tree in a step of second order: the mean of those with v at its start and its end.

    Forces of inertia are squares of velocities. Of the momentum A v, whose A is that of either end,
    the mean of both squares takes h^3 a A' a / 4 less in a step than the square of the mean: with
    springs that swing fast that adds up. At the end v is as forces and the impulses of the last
    step say.
    """
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    seen, first = vector(work, sizes, TOP, NV), vector(work, sizes, CORRECTION, NV)
    push = vector_view(numbers, integers[memory.LAST_PUSH], sizes[NV])
    evaluate(work, sizes, t, q, v)
    status = free_acceleration(state, first)
    if status != OK:
        return status
    for k in range(sizes[NV]):
        seen[k] = v[k] + h * (first[k] + push[k])
    evaluate(work, sizes, t, q, seen)
    status = free_acceleration(state, vdot)
    if status != OK:
        return status
    for k in range(sizes[NV]):
        vdot[k] = 0.5 * (first[k] + vdot[k])
    if not turns_far(state, h):
        return OK
    for k in range(sizes[NV]):
        seen[k] = v[k] + 0.5 * h * (vdot[k] + push[k])
    evaluate(work, sizes, t, q, seen)
    status = free_acceleration(state, vdot)
    if status != OK:
        return status
    return calm(state, run, t, h, q, v, seen, vdot)


@kernel
def assemble(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """The problem of a step, warm start included; t is `left` before its end."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    vdot = vector(work, sizes, VDOT, NV)
    on_tree = sizes[MECHANISM] == 1 and sizes[BODIES] == 0
    if left < h and on_tree:
        dense = sizes[DENSE]
        sizes[DENSE] = 0  # along the tree, without full matrices
        status = mean_acceleration(state, run, t, h, q, v, vdot)
        sizes[DENSE] = dense
        if status != OK:
            return status
        evaluate(work, sizes, t, q, v)
    elif left < h and has_dampers(state):
        middle_forces(state, run, problem, t, h, q, v)
    else:
        evaluate(work, sizes, t, q, v)
    if sizes[MASSLESS] > 0:
        turn_missing(work, sizes)
        complete_inertias(state)
    evaluate_sides(state, t, q, v)
    if on_tree and sizes[SIDES] > 0:
        absorb(state, run, h, left)
    integers[memory.CONTACTS] = integers[memory.RESTING] = 0
    if integers[memory.SHAPES] > 0:
        status = _call(sizes[CONTACT_COLLIDE], work, sizes, t, h, q, v)
        if status != OK:
            return status
    drives_act = False
    spins = left < h and sizes[BODIES] > 0
    if spins:
        expect_spin(state, run, left, v)
    begin(problem)
    if left == h and on_tree:
        status = add_cliques(state, run, problem, v, v)
        if status != OK:
            return status
        stiffen(state, run, problem)
        force = vector(work, sizes, FORCE, NV)
        if not fall_on_tree(state, run, problem, h, force, v, vdot):
            return NOT_POSITIVE_DEFINITE
        drives_act = not turns_far(state, h)
        if not drives_act:
            status = free_acceleration(state, vdot)
            if status != OK:
                return status
            status = calm(state, run, t, h, q, v, v, vdot)
            if status != OK:
                return status
    elif not on_tree:
        status = free_acceleration(state, vdot)
        if status != OK:
            return status
    if spins:
        # with half the step: the torque at the mean of both angular velocities
        expected = vector_view(numbers, integers[memory.NEXT_PUSH], sizes[NV])
        spin_implicitly(work, sizes, left, expected, vdot)
    elif sizes[BODIES] > 0:
        spin_implicitly(work, sizes, h, v, vdot)
    free = vector(work, sizes, CORRECTION, NV)
    for k in range(sizes[NV]):
        free[k] = v[k] + h * vdot[k]
        if not abs(free[k]) < 1e300:
            # a force that is no number: no solver is to be blamed for it
            sizes[FAILED_INDEX] = sizes[NQ] + k
            return NON_FINITE
    if left == h and on_tree:
        put_velocities(state, run, problem, problem.v_free, free)
    else:
        status = add_cliques(state, run, problem, v, free)
        if status != OK:
            return status
        if on_tree:
            stiffen(state, run, problem)
    if integers[memory.ABSORBED] > 0 and not drives_act:
        status = let_drives_act(state, run, problem)
        if status != OK:
            return status
    if integers[memory.SLEEPING] == 1:
        set_aside(run, problem, h)
    match(run)
    hold_resting(run, h)
    status = add_constraints(state, run, problem, left if left < h else 0.0)
    if status != OK:
        return status
    status = add_laws(state, run, problem, h, left)
    if status != OK:
        return status
    warm_fixed(state, run, problem, h)
    return add_contacts(state, run, problem, h, left)


@kernel
def free_acceleration(state: State, vdot):
    """v' without any impulse."""
    work = state.work
    sizes = state.sizes
    if sizes[MECHANISM] == 1 and sizes[BODIES] == 0:
        return accelerate_tree(state, vdot)
    return free_solve(work, sizes, vdot)


@apart(int)
def accelerate_tree(state: State, vdot):
    """v' of a tree by the articulated-body algorithm."""
    work = state.work
    sizes = state.sizes
    tree, room = tree_of(sizes), rest_of(work, sizes, TREE_ROOM)
    still = vector(work, sizes, TREE_SIDE, NV)
    for k in range(sizes[NV]):
        still[k] = 0.0
    numbers = rest_of(work, sizes, TREE_NUMBERS)
    status = articulate(tree, numbers, room, still, still)
    if status != OK:
        return status
    return accelerate(tree, room, still, vdot)


@kernel
def has_dampers(state: State):
    """Whether forces, gyroscopic torques apart, may depend on velocities."""
    sizes = state.sizes
    if sizes[MECHANISM] == 0:
        return sizes[FORCE_HAS_VELOCITY] == 1
    return sizes[ACTIONS] > 0 or sizes[SPECIFIC_ACTION] != 0
