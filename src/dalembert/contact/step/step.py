"""One step of the Moreau type, for joints, one-sided rows and contacts in one problem.

    v+ = v* + A^-1 J^T lam,   v* = v + h A^-1 Q,   q+ = q (+) h v+              (contact 1, 16)

With the second order kinematics are those of the middle of the step, q (+) h/2 v, where joints are
open by O(h^2). Rows that imply one another do so on the constraints alone: independent by O(h^2)
and demanding O(h^2), they would hold what is free. There such joints are closed to be looked at.

Nothing of the last step is changed before this one has succeeded, so that it can be repeated with
more room.
"""

from dalembert._jit import kernel, vector_view
from dalembert.contact.problem.layout import CONTACTS as PROBLEM_CONTACTS
from dalembert.contact.problem.layout import (
    CONVERGED,
    COUNT_STICKING,
    INFO,
    INFO_FLOATS,
    INFO_ITERATIONS,
    INFO_RESIDUAL,
    INFO_STATUS,
    INFO_SWEEPS,
    LAM,
    LAM0,
    STALLED,
    V_BEFORE,
    VELOCITIES,
    Problem,
    V,
)
from dalembert.contact.problem.layout import ROWS as PROBLEM_ROWS
from dalembert.contact.rows.assemble import take_velocities, take_without_impulses
from dalembert.contact.rows.implicit_drives import (
    ROUNDS,
    bar_all,
    begin_with_last,
    drives_hold,
    energy_in_drives,
    take_drives,
)
from dalembert.contact.rows.one_sided_rows import evaluate_sides
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import ContactRun, contact_of
from dalembert.contact.solvers.least_norm import finer
from dalembert.contact.step.after_solve import note, take_impulses
from dalembert.contact.step.plastic import complete, take_way
from dalembert.contact.step.position_pass import close_joints, position_pass
from dalembert.contact.step.restitution import energy, impact, late
from dalembert.contact.step.second_order import keep_push, withdraw
from dalembert.contact.step.sleeping import fall_asleep, sleep_on
from dalembert.contact.step.smooth import AWAY, PRESSED, look_ahead, smooth_step
from dalembert.contact.step.step_problem import assemble
from dalembert.contact.step.tree_momentum import keep_twists
from dalembert.contact.step.warm_start import remember, take_fixed
from dalembert.mechanics.motion import displace
from dalembert.system.borders import NOT_SOLVED, OK, STEPPING, residual
from dalembert.system.layout import (
    BODIES,
    CONTACT_SHARE,
    CONTACT_SOLVE,
    CORRECTION,
    MECHANISM,
    NQ,
    NV,
    SIDE_PHI_DOT,
    SIDES,
    START_Q,
    TOP,
    vector,
)
from dalembert.system.state_layout import State

QUIET, POLISHING = 1e-3, 30
"""Speed [m/s, rad/s] up to which a scene is at rest, and factorisations that are spent on it."""

SURPRISE, NO_WAY = 0.01, 1e-6
"""Change of what impulses do, over the largest velocity, and its way in a step [m, rad], beyond
which forces of inertia of a tree are made anew."""

_call = STEPPING.call


@kernel
def step(state: State, t, h, q, v):
    """From (t, q, v) to t + h, in place."""
    work = state.work
    sizes = state.sizes
    run = contact_of(state)
    integers, numbers = run.sizes, run.work
    problem = run.problem
    p, x = problem.sizes, problem.work
    may_be_smooth = integers[memory.SMOOTH] == 1 and integers[memory.NEAR] == AWAY
    if integers[memory.ORDER_BY_STEP] == 1:
        integers[memory.SECOND_ORDER] = 0 if integers[memory.NEAR] == PRESSED else 1
    if may_be_smooth and integers[memory.SOLVE_ONLY] == 0:
        integers[memory.SMOOTH_NOW] = 0
        status = smooth_step(state, run, t, h, q, v)
        if status != OK or integers[memory.SMOOTH_NOW] == 1:
            return status
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
            evaluate_sides(state, t, q, v)
            for row in range(sizes[SIDES]):
                numbers[integers[memory.SIDE_RATES] + row] = work[sizes[SIDE_PHI_DOT] + row]
        displace(work, sizes, left, v, q)
        if integers[memory.REDUNDANT] == 1:
            status = close_joints(state, t + left, h, q, v)
            if status != OK:
                return status
    status = solve_step(state, run, problem, t, h, left, q, v)
    if status != OK:
        return status
    on_tree = sizes[MECHANISM] == 1 and sizes[BODIES] == 0
    if left < h and on_tree and surprised(state, run, problem, h):
        status = solve_again(state, run, problem, t, h, left, q, v)
        if status != OK:
            return status
    if sizes[CONTACT_SHARE] != 0 and integers[memory.REPEATED_NOW] == 0:
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
    gain = energy(problem, V) - energy(problem, V_BEFORE)
    gain -= energy_in_drives(state, run, problem)
    numbers[report + memory.ENERGY_CHANGE] = gain
    if integers[memory.SLEEPING] == 1:
        fall_asleep(run, problem, h)
    if left < h and integers[memory.REDUNDANT] == 1:
        # closed to be looked at: the way of a step does not lead there
        for i in range(sizes[NQ]):
            q[i] = work[sizes[START_Q] + i]
        displace(work, sizes, left, v, q)
    change = vector_view(numbers, integers[memory.NEXT_CHANGE], sizes[NV])
    for k in range(sizes[NV]):
        change[k] = -v[k] / h
    take_velocities(state, run, problem, problem.v, v)
    if sizes[MECHANISM] == 1 and sizes[BODIES] == 0:
        keep_twists(state, run, v)
    for k in range(sizes[NV]):
        change[k] += v[k] / h
    if integers[memory.SECOND_ORDER] == 1:
        keep_push(state, run, problem, h, v)
    else:
        for k in range(sizes[NV]):
            numbers[integers[memory.NEXT_PUSH] + k] = 0.0
    take_impulses(state, run, problem, h, left)
    take_fixed(state, run, problem)
    if integers[memory.ABSORBED] > 0:
        take_drives(state, run, problem, h, left)
    if integers[memory.COMPLETED_NOW] == 1:
        take_way(state, run, v)
        displace(work, sizes, left, vector_view(numbers, integers[memory.WAY], sizes[NV]), q)
    else:
        displace(work, sizes, left, v, q)
    status = position_pass(state, t + h, h, q, v)
    if status != OK:
        return status
    remember(run)
    if integers[memory.SLEEPING] == 1:
        sleep_on(run)
    numbers[memory.LAST_STEP] = h
    note(run)
    if integers[memory.SMOOTH] == 1:
        look_ahead(state, run, h)
    return OK


@kernel
def solve_step(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """Problem and impulses of a step."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    begin_with_last(state, run)
    rounds = 0
    while True:
        status = assemble(state, run, problem, t + h - left, h, left, q, v)
        if status != OK:
            return status
        status = _call(sizes[CONTACT_SOLVE], work, sizes, t, h, q, v)
        if status != OK:
            return status
        again = late(state, run, problem)
        if integers[memory.SECOND_ORDER] == 1 and withdraw(state, run, problem):
            again = True
        if again:
            status = _call(sizes[CONTACT_SOLVE], work, sizes, t, h, q, v)
            if status != OK:
                return status
        status = complete(state, run, problem, t, h, left, q, v)
        if status != OK:
            return status
        if drives_hold(state, run, problem, left):
            break
        rounds += 1
        if rounds == ROUNDS:
            bar_all(state, run)
    status = polish(state, run, problem, t, h, q, v)
    if status != OK:
        return status
    status = impact(state, run, problem, t, h, q, v)
    if status != OK:
        return status
    return OK


@kernel
def surprised(state: State, run: ContactRun, problem: Problem, h):
    """Whether the impulses of a tree are others than those of the last step; leaves v+ - v*."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    pushed, after = vector(work, sizes, CORRECTION, NV), vector(work, sizes, TOP, NV)
    take_without_impulses(state, run, problem, pushed)
    take_velocities(state, run, problem, problem.v, after)
    fast = off = 0.0
    for k in range(sizes[NV]):
        pushed[k] = after[k] - pushed[k]
        fast = max(fast, abs(after[k]))
        off = max(off, abs(pushed[k] - h * numbers[integers[memory.LAST_PUSH] + k]))
    return off > SURPRISE * fast and h * off > NO_WAY


@kernel
def solve_again(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """The step of a tree with forces of inertia for the impulses it has, not those of the last.

    An impact is not to be foreseen. Without it the momentum of the tree has an error of first order
    in every one.
    """
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    last = vector_view(numbers, integers[memory.LAST_PUSH], sizes[NV])
    kept = vector_view(numbers, integers[memory.NEXT_PUSH], sizes[NV])
    pushed = vector(work, sizes, CORRECTION, NV)
    for k in range(sizes[NV]):
        kept[k], last[k] = last[k], pushed[k] / h
    status = solve_step(state, run, problem, t, h, left, q, v)
    for k in range(sizes[NV]):
        last[k] = kept[k]
    return status


@kernel
def polish(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Bring the residual of a solved step further down where everything is nearly at rest.

    Sticking contacts move with what is left of the laws: a scene at rest would creep for ever with
    a residual just below the tolerance. Near the limit of friction that may be much faster than
    the residual itself.
    """
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
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
