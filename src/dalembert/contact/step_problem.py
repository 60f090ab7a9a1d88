"""The problem of one step: v*, joints, one-sided rows, contacts and the first guess of impulses.

    A (v - v*) = J^T lam,   v* = v + h A^-1 Q                                  (contact 1, 16)

Kinematics and forces are those at the start of the step or, with the second order, of its middle.
"""

from dalembert._jit import apart, kernel, vector_view
from dalembert.contact import memory
from dalembert.contact.assemble import (
    add_cliques,
    add_constraints,
    complete_inertias,
    put_velocities,
)
from dalembert.contact.building import begin
from dalembert.contact.curving import expect_spin
from dalembert.contact.implicit import absorb, fall_on_tree, let_drives_act, stiffen
from dalembert.contact.laws import add_laws, evaluate_sides
from dalembert.contact.layout import V_FREE
from dalembert.contact.sleeping import hold_resting, set_aside
from dalembert.contact.touching import add_contacts
from dalembert.contact.warm_start import match, warm_fixed
from dalembert.contact.whirling import calm, turns_far
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

_call = STEPPING.call


@apart(None)
def middle_forces(work, sizes, integers, numbers, p, t, h, q, v):
    """FORCE with the velocities expected in the middle of the step, but for gyroscopic torques."""
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
def mean_acceleration(work, sizes, integers, numbers, t, h, q, v, vdot):
    """v' of a tree in a step of second order: the mean of those with v at its start and its end.

    Forces of inertia are squares of velocities. Of the momentum A v, whose A is that of either end,
    the mean of both squares takes h^3 a A' a / 4 less in a step than the square of the mean: with
    springs that swing fast that adds up. At the end v is as forces and the impulses of the last
    step say.
    """
    seen, first = vector(work, sizes, TOP, NV), vector(work, sizes, CORRECTION, NV)
    push = vector_view(numbers, integers[memory.LAST_PUSH], sizes[NV])
    evaluate(work, sizes, t, q, v)
    status = free_acceleration(work, sizes, first)
    if status != OK:
        return status
    for k in range(sizes[NV]):
        seen[k] = v[k] + h * (first[k] + push[k])
    evaluate(work, sizes, t, q, seen)
    status = free_acceleration(work, sizes, vdot)
    if status != OK:
        return status
    for k in range(sizes[NV]):
        vdot[k] = 0.5 * (first[k] + vdot[k])
    if not turns_far(work, sizes, h):
        return OK
    for k in range(sizes[NV]):
        seen[k] = v[k] + 0.5 * h * (vdot[k] + push[k])
    evaluate(work, sizes, t, q, seen)
    status = free_acceleration(work, sizes, vdot)
    if status != OK:
        return status
    return calm(work, sizes, integers, numbers, t, h, q, v, seen, vdot)


@kernel
def assemble(work, sizes, integers, numbers, p, x, t, h, left, q, v):
    """The problem of a step, warm start included; t is `left` before its end."""
    vdot = vector(work, sizes, VDOT, NV)
    on_tree = sizes[MECHANISM] == 1 and sizes[BODIES] == 0
    if left < h and on_tree:
        dense = sizes[DENSE]
        sizes[DENSE] = 0  # along the tree, without full matrices
        status = mean_acceleration(work, sizes, integers, numbers, t, h, q, v, vdot)
        sizes[DENSE] = dense
        if status != OK:
            return status
        evaluate(work, sizes, t, q, v)
    elif left < h and has_dampers(sizes):
        middle_forces(work, sizes, integers, numbers, p, t, h, q, v)
    else:
        evaluate(work, sizes, t, q, v)
    if sizes[MASSLESS] > 0:
        turn_missing(work, sizes)
        complete_inertias(work, sizes)
    evaluate_sides(work, sizes, t, q, v)
    if on_tree and sizes[SIDES] > 0:
        absorb(work, sizes, integers, numbers, h, left)
    integers[memory.CONTACTS] = integers[memory.RESTING] = 0
    if integers[memory.SHAPES] > 0:
        status = _call(sizes[CONTACT_COLLIDE], work, sizes, t, h, q, v)
        if status != OK:
            return status
    drives_act = False
    spins = left < h and sizes[BODIES] > 0
    if spins:
        expect_spin(work, sizes, integers, numbers, left, v)
    begin(p)
    if left == h and on_tree:
        status = add_cliques(work, sizes, integers, p, x, v, v)
        if status != OK:
            return status
        stiffen(sizes, integers, numbers, p, x)
        force = vector(work, sizes, FORCE, NV)
        if not fall_on_tree(sizes, integers, numbers, p, x, h, force, v, vdot):
            return NOT_POSITIVE_DEFINITE
        drives_act = not turns_far(work, sizes, h)
        if not drives_act:
            status = free_acceleration(work, sizes, vdot)
            if status != OK:
                return status
            status = calm(work, sizes, integers, numbers, t, h, q, v, v, vdot)
            if status != OK:
                return status
    elif not on_tree:
        status = free_acceleration(work, sizes, vdot)
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
        put_velocities(sizes, integers, p, x, V_FREE, free)
    else:
        status = add_cliques(work, sizes, integers, p, x, v, free)
        if status != OK:
            return status
        if on_tree:
            stiffen(sizes, integers, numbers, p, x)
    if integers[memory.ABSORBED] > 0 and not drives_act:
        status = let_drives_act(sizes, integers, numbers, p, x)
        if status != OK:
            return status
    if integers[memory.SLEEPING] == 1:
        set_aside(integers, numbers, p, x, h)
    match(integers, numbers)
    hold_resting(integers, numbers, h)
    status = add_constraints(work, sizes, integers, p, x, left if left < h else 0.0)
    if status != OK:
        return status
    status = add_laws(work, sizes, integers, numbers, p, x, h, left)
    if status != OK:
        return status
    warm_fixed(sizes, integers, numbers, p, x, h)
    return add_contacts(work, sizes, integers, numbers, p, x, h, left)


@kernel
def free_acceleration(work, sizes, vdot):
    """v' without any impulse."""
    if sizes[MECHANISM] == 1 and sizes[BODIES] == 0:
        return accelerate_tree(work, sizes, vdot)
    return free_solve(work, sizes, vdot)


@apart(int)
def accelerate_tree(work, sizes, vdot):
    """v' of a tree by the articulated-body algorithm."""
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
def has_dampers(sizes):
    """Whether forces, gyroscopic torques apart, may depend on velocities."""
    if sizes[MECHANISM] == 0:
        return sizes[FORCE_HAS_VELOCITY] == 1
    return sizes[ACTIONS] > 0 or sizes[SPECIFIC_ACTION] != 0
