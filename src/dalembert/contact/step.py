"""One step of the Moreau type, for joints, one-sided rows and contacts in one problem.

    v+ = v* + A^-1 J^T lam,   v* = v + h A^-1 Q,   q+ = q (+) h v+              (contact.md 2, 11)

Nothing of the last step is changed before this one has succeeded, so that it can be repeated with
more room.
"""

import math

from dalembert._jit import kernel, vector_view
from dalembert.collision import layout as found
from dalembert.contact import memory
from dalembert.contact.assemble import (
    add_cliques,
    add_constraints,
    complete_inertias,
    put_velocities,
    row_size,
    take_velocities,
)
from dalembert.contact.blocks import block_times
from dalembert.contact.cliques import solve_clique
from dalembert.contact.curving import expect_spin, keep_push, withdraw
from dalembert.contact.laws import add_laws, evaluate_sides
from dalembert.contact.layout import (
    BIAS,
    CONTACT_WORK,
    CONVERGED,
    COUNT_STICKING,
    DIM,
    FACTORED,
    INFO,
    INFO_FLOATS,
    INFO_ITERATIONS,
    INFO_RESIDUAL,
    INFO_STATUS,
    INFO_SWEEPS,
    JACOBIAN,
    LAM,
    LAM0,
    ROW,
    STALLED,
    STATE,
    V_BEFORE,
    V_FREE,
    VELOCITIES,
    V,
    begin,
    row_at,
    velocity_at,
)
from dalembert.contact.layout import BLOCK as PROBLEM_BLOCK
from dalembert.contact.layout import BLOCK_RECORD as PROBLEM_BLOCK_RECORD
from dalembert.contact.layout import (
    CLIQUES as PROBLEM_CLIQUES,
)
from dalembert.contact.layout import (
    CONTACTS as PROBLEM_CONTACTS,
)
from dalembert.contact.layout import (
    ROWS as PROBLEM_ROWS,
)
from dalembert.contact.least_norm import finer
from dalembert.contact.memory import (
    BOUNCE,
    FRAME,
    LEAD,
    SLIP,
    STATE_NOW,
    STIFF,
    STRETCH,
    TANGENTIAL_DAMPING,
    TANGENTIAL_STIFFNESS,
    contact_at,
    found_at,
)
from dalembert.contact.position_pass import position_pass
from dalembert.contact.prepare import factor_cliques
from dalembert.contact.report import velocity_work
from dalembert.contact.residuals import U, block_velocity, row_work
from dalembert.contact.restitution import energy, impact
from dalembert.contact.row_motion import row_velocity
from dalembert.contact.sleeping import fall_asleep, hold_resting, set_aside, sleep_on
from dalembert.contact.touching import add_contacts, law_at
from dalembert.contact.warm_start import (
    match,
    remember,
    take_fixed,
    warm_fixed,
    world_impulse,
)
from dalembert.contact.whirling import calm, keep_twists, turns_far
from dalembert.mechanics.gyroscopic import leave_out_gyroscopic, spin_implicitly
from dalembert.mechanics.maximal import turn_missing
from dalembert.mechanics.motion import displace, free_solve
from dalembert.mechanics.tree_aba import accelerate, articulate
from dalembert.mechanics.tree_evaluate import rest_of, tree_of
from dalembert.numerics import small
from dalembert.system.borders import (
    NON_FINITE,
    NOT_POSITIVE_DEFINITE,
    NOT_SOLVED,
    OK,
    STEPPING,
    evaluate,
    residual,
)
from dalembert.system.layout import (
    ACTIONS,
    BODIES,
    CONTACT_COLLIDE,
    CONTACT_SHARE,
    CONTACT_SOLVE,
    CORRECTION,
    FAILED_INDEX,
    FORCE,
    FORCE_HAS_VELOCITY,
    MASSLESS,
    MECHANISM,
    NQ,
    NV,
    ROWS,
    SIDE_PHI_DOT,
    SIDES,
    SPECIFIC_ACTION,
    TOP,
    TREE_NUMBERS,
    TREE_ROOM,
    TREE_SIDE,
    VDOT,
    vector,
)
from dalembert.system.layout import (
    LAM as MULTIPLIERS,
)

QUIET, POLISHING = 1e-3, 30
"""Speed [m/s, rad/s] up to which a scene is at rest, and factorisations that are spent on it."""

_call = STEPPING.call


@kernel
def step(work, sizes, t, h, q, v):
    """From (t, q, v) to t + h, in place."""
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
    p, x = memory.problem_integers(integers), memory.problem_numbers(integers, numbers)
    numbers[memory.TOLERANCE] = numbers[memory.STEP_TOLERANCE]
    if sizes[CONTACT_SHARE] != 0:
        numbers[memory.TOLERANCE] = finer(numbers[memory.STEP_TOLERANCE], integers[memory.CLIQUES])
    integers[memory.ROOM_WANTED] = memory.PROBLEM_ROOM
    integers[memory.FLAGGED_NOW] = 0
    left = h
    if integers[memory.SECOND_ORDER] == 1:
        left = 0.5 * h
        if sizes[SIDES] > 0:
            residual(work, sizes, t, q, v)
            evaluate_sides(work, sizes, t, q, v)
            for row in range(sizes[SIDES]):
                numbers[integers[memory.SIDE_RATES] + row] = work[sizes[SIDE_PHI_DOT] + row]
        displace(sizes, left, v, q)
    status = assemble(work, sizes, integers, numbers, p, x, t + h - left, h, left, q, v)
    if status != OK:
        return status
    status = _call(sizes[CONTACT_SOLVE], work, sizes, t, h, q, v)
    if status != OK:
        return status
    if integers[memory.SECOND_ORDER] == 1 and withdraw(integers, numbers, p, x):
        status = _call(sizes[CONTACT_SOLVE], work, sizes, t, h, q, v)
        if status != OK:
            return status
    status = polish(work, sizes, integers, numbers, p, x, t, h, q, v)
    if status != OK:
        return status
    status = impact(work, sizes, integers, numbers, p, x, t, h, q, v)
    if status != OK:
        return status
    if sizes[CONTACT_SHARE] != 0:
        status = _call(sizes[CONTACT_SHARE], work, sizes, t, h, q, v)
        if status != OK:
            return status
    if integers[memory.SOLVE_ONLY] == 1:
        return OK
    report = integers[memory.REPORT]
    for i in range(INFO_FLOATS):
        numbers[report + i] = x[p[INFO] + i]
    numbers[report + PROBLEM_CONTACTS] = integers[memory.CONTACTS] + integers[memory.RESTING]
    numbers[report + COUNT_STICKING] += integers[memory.RESTING]
    if integers[memory.STRICT] == 1 and numbers[report + INFO_STATUS] >= STALLED:
        return NOT_SOLVED
    gain = energy(p, x, V) - energy(p, x, V_BEFORE)
    numbers[report + memory.ENERGY_CHANGE] = gain
    if integers[memory.SLEEPING] == 1:
        fall_asleep(integers, numbers, p, x, h)
    change = vector_view(numbers, integers[memory.NEXT_CHANGE], sizes[NV])
    for k in range(sizes[NV]):
        change[k] = -v[k] / h
    take_velocities(sizes, integers, p, x, V, v)
    if sizes[MECHANISM] == 1 and sizes[BODIES] == 0:
        keep_twists(work, sizes, integers, numbers, v)
    for k in range(sizes[NV]):
        change[k] += v[k] / h
    if integers[memory.SECOND_ORDER] == 1:
        keep_push(sizes, integers, numbers, p, x, h, v)
    take_impulses(work, sizes, integers, numbers, p, x, h)
    take_fixed(integers, numbers, p, x)
    displace(sizes, left, v, q)
    status = position_pass(work, sizes, t + h, h, q, v)
    if status != OK:
        return status
    remember(integers, numbers)
    if integers[memory.SLEEPING] == 1:
        sleep_on(integers, numbers)
    numbers[memory.LAST_STEP] = h
    note(integers, numbers)
    return OK


@kernel
def polish(work, sizes, integers, numbers, p, x, t, h, q, v):
    """Bring the residual of a solved step further down where everything is nearly at rest.

    Sticking contacts move with what is left of the laws: a scene at rest would creep for ever with
    a residual just below the tolerance. Near the limit of friction that may be much faster than
    the residual itself.
    """
    wanted, left = numbers[memory.POLISHED], x[p[INFO] + INFO_RESIDUAL]
    if left <= wanted or wanted == 0.0 or x[p[INFO] + INFO_STATUS] != CONVERGED:
        return OK
    for i in range(p[VELOCITIES]):
        if not abs(x[p[V] + i]) <= QUIET:
            return OK
    kept, free, info = (
        integers[memory.COMPRESSION],
        integers[memory.KEPT_FREE],
        integers[memory.ROW_SCRATCH],
    )
    for i in range(p[PROBLEM_ROWS]):
        x[p[LAM0] + i] = x[p[LAM] + i]
        numbers[kept + i] = x[p[LAM] + i]
    for i in range(p[VELOCITIES]):
        numbers[free + i] = x[p[V] + i]
    for i in range(INFO_FLOATS):
        numbers[info + i] = x[p[INFO] + i]
    budget = integers[memory.BUDGET]
    integers[memory.BUDGET] = POLISHING
    numbers[memory.TOLERANCE] = wanted
    status = _call(sizes[CONTACT_SOLVE], work, sizes, t, h, q, v)
    integers[memory.BUDGET] = budget
    numbers[memory.TOLERANCE] = numbers[memory.STEP_TOLERANCE]
    if x[p[INFO] + INFO_RESIDUAL] <= left:
        x[p[INFO] + INFO_STATUS] = CONVERGED
        for i in range(INFO_ITERATIONS, INFO_SWEEPS + 1):
            x[p[INFO] + i] += numbers[info + i]
        return status
    for i in range(p[PROBLEM_ROWS]):
        x[p[LAM] + i] = numbers[kept + i]
    for i in range(p[VELOCITIES]):
        x[p[V] + i] = numbers[free + i]
    for i in range(INFO_FLOATS):
        x[p[INFO] + i] = numbers[info + i]
    return status


@kernel
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
def assemble(work, sizes, integers, numbers, p, x, t, h, left, q, v):
    """The problem of a step, warm start included; t is `left` before its end."""
    vdot = vector(work, sizes, VDOT, NV)
    on_tree = sizes[MECHANISM] == 1 and sizes[BODIES] == 0
    if left < h and on_tree:
        # forces of inertia depend on velocities, too: all of them as in the middle
        middle = vector(work, sizes, TOP, NV)
        for k in range(sizes[NV]):
            middle[k] = v[k] + 0.5 * h * numbers[integers[memory.LAST_CHANGE] + k]
        evaluate(work, sizes, t, q, middle)
        status = free_acceleration(work, sizes, vdot)
        if status != OK:
            return status
        status = calm(work, sizes, integers, numbers, t, h, q, v, middle, vdot)
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
    integers[memory.CONTACTS] = integers[memory.RESTING] = 0
    if integers[memory.SHAPES] > 0:
        status = _call(sizes[CONTACT_COLLIDE], work, sizes, t, h, q, v)
        if status != OK:
            return status
    spins = left < h and sizes[BODIES] > 0
    if spins:
        expect_spin(work, sizes, integers, numbers, left, v)
    begin(p)
    if left == h and on_tree:
        status = add_cliques(work, sizes, integers, p, x, v, v)
        if status != OK:
            return status
        if not fall_on_tree(work, sizes, integers, p, x, vdot):
            return NOT_POSITIVE_DEFINITE
        if turns_far(work, sizes, h):
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
    warm_fixed(integers, numbers, p, x, h)
    return add_contacts(work, sizes, integers, numbers, p, x, h, left)


@kernel
def fall_on_tree(work, sizes, integers, p, x, vdot):
    """v' of a tree by the factors of A, which the solver needs anyway. False: there are none."""
    if not factor_cliques(p, x):
        return False
    p[FACTORED] = 1
    put_velocities(sizes, integers, p, x, V, vector(work, sizes, FORCE, NV))
    for clique in range(p[PROBLEM_CLIQUES]):
        solve_clique(p, x, clique, velocity_at(p, V, clique))
    take_velocities(sizes, integers, p, x, V, vdot)
    return True


@kernel
def free_acceleration(work, sizes, vdot):
    """v' without any impulse; on a tree by the articulated-body algorithm."""
    if sizes[MECHANISM] == 1 and sizes[BODIES] == 0:
        tree, room = tree_of(sizes), rest_of(work, sizes, TREE_ROOM)
        still = vector(work, sizes, TREE_SIDE, NV)
        for k in range(sizes[NV]):
            still[k] = 0.0
        numbers = rest_of(work, sizes, TREE_NUMBERS)
        status = articulate(tree, numbers, room, still, still)
        if status != OK:
            return status
        return accelerate(tree, room, still, vdot)
    return free_solve(work, sizes, vdot)


@kernel
def has_dampers(sizes):
    """Whether forces, gyroscopic torques apart, may depend on velocities."""
    if sizes[MECHANISM] == 0:
        return sizes[FORCE_HAS_VELOCITY] == 1
    return sizes[ACTIONS] > 0 or sizes[SPECIFIC_ACTION] != 0


@kernel
def take_impulses(work, sizes, integers, numbers, p, x, h):
    """Impulses of contacts in world axes; forces of constraints as multipliers."""
    lam = vector(work, sizes, MULTIPLIERS, ROWS)
    for i in range(sizes[ROWS]):
        lam[i] = x[p[LAM] + i] / h
        if sizes[MECHANISM] == 0:
            lam[i] /= row_size(work, sizes, i)
    first, u = integers[memory.FIXED_BLOCKS], row_work(p, U)
    for k in range(integers[memory.CONTACTS]):
        block = first + k
        at = row_at(p, LAM, block)
        block_velocity(p, x, p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block, p[V], u)
        dim = p[p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block + DIM]
        own = contact_at(integers, k)
        world_impulse(numbers, own, x, at, dim)
        record = p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block
        numbers[own + STATE_NOW] = p[record + STATE]
        numbers[own + SLIP] = slip_of(numbers, own, x, u + p[record + ROW], dim)
        for r in range(min(dim, 3)):
            # work is that of the velocities themselves
            lead = 0.5 * x[at + r] * numbers[own + LEAD + r]
            numbers[integers[memory.REPORT] + CONTACT_WORK] -= lead
        stretch_spring(integers, numbers, p, x, k, block, dim, h)
    watch_work(integers, numbers, p, x)


@kernel
def slip_of(numbers, own, x, u, dim):
    """Speed of sliding, moving surfaces included; u: where the velocities of the contact stand."""
    if dim < 3:
        return 0.0
    first, second = x[u + 1] - numbers[own + LEAD + 1], x[u + 2] - numbers[own + LEAD + 2]
    return math.sqrt(first * first + second * second)


@kernel
def stretch_spring(integers, numbers, p, x, k, block, dim, h):
    """STRETCH of the tangential spring after the step: that of the force it has come to."""
    at, own = found_at(integers, k), contact_at(integers, k)
    law = law_at(integers, integers[at + found.SHAPE_A], integers[at + found.SHAPE_B])
    stiffness = numbers[law + TANGENTIAL_STIFFNESS]
    if stiffness == 0.0 or dim < 3:
        return
    damping = numbers[law + TANGENTIAL_DAMPING]
    old = small.vector(numbers, own + STRETCH)
    new = (0.0, 0.0, 0.0)
    for r in range(1, 3):
        axis = small.vector(numbers, own + FRAME + 3 * r)
        share = stiffness * small.dot(axis, old) / (h * stiffness + damping)
        speed = row_velocity(p, x, block, r) - share
        force = x[row_at(p, LAM, block) + r] / h
        new = small.axpy(-(force + damping * speed) / stiffness, axis, new)
    small.put_vector(numbers, own + STRETCH, new)


@kernel
def watch_work(integers, numbers, p, x):
    """Flag a step in which rigid contacts without restitution have done work.

    Between v* and v+ impulses that keep the laws lose energy: lam . (u* + u+) / 2 <= 0. What the
    tolerance may let through is not flagged, nor what moving surfaces do.
    """
    done = allowed = 0.0
    middle, means = velocity_work(p, 0), row_work(p, U)
    for i in range(p[VELOCITIES]):
        x[middle + i] = 0.5 * (x[p[V] + i] + x[p[V_FREE] + i])
    for k in range(integers[memory.CONTACTS]):
        own = contact_at(integers, k)
        if numbers[own + STIFF] > 0.0 or numbers[own + BOUNCE] > 0.0:
            continue
        block = integers[memory.FIXED_BLOCKS] + k
        record = p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block
        at, bias = row_at(p, LAM, block), row_at(p, BIAS, block)
        block_times(p, x, record, JACOBIAN, middle, means)
        for r in range(p[record + DIM]):
            mean = x[means + p[record + ROW] + r]
            done += x[at + r] * mean
            allowed += abs(x[at + r]) * (numbers[integers[memory.REPORT]] + 1e-12 * abs(mean))
            if r < 3:
                allowed += abs(x[at + r] * numbers[own + LEAD + r])
            if 0 < r < 3 and x[bias + r] != numbers[own + LEAD + r]:
                return
    if done > 4.0 * allowed:
        integers[memory.FLAGGED_NOW] = 1


@kernel
def note(integers, numbers):
    """The worst over the run."""
    report, worst = integers[memory.REPORT], integers[memory.WORST]
    for i in range(memory.REPORT_FLOATS):
        numbers[worst + i] = max(numbers[worst + i], numbers[report + i])
    integers[memory.STEPS] += 1
    integers[memory.FLAGGED_STEPS] += integers[memory.FLAGGED_NOW]
    numbers[memory.CONTACT_WORK_SUM] += numbers[report + CONTACT_WORK]
    if numbers[report + INFO_STATUS] >= STALLED:
        integers[memory.STALLED_STEPS] += 1
