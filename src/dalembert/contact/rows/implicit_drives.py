"""Drives of joints that yield are part of A: "implicit springs of the integrator" (contact 1).

A servo, a damper or a spring in a joint of a tree is a row of one velocity with R > 0. As long as
it is within its bounds its law is linear, lam = -(J v + b) / R, and

    A' = A + D,   D = J^T R^-1 J,      A' (v' - v*) = -(D v* + J^T R^-1 b)

are the inertia and the free velocity of a tree without it; D is diagonal. With v* = v + h A^-1 Q

    A' (v' - v) = h Q - (D v + J^T R^-1 b).

At a bound it is a force, and D has nothing of it; so are dry friction and rigid drives there.

Which of them is at a bound is taken from the last step, and seen afterwards: with v+ the law must
say so. Otherwise the step is made again with what it said. Where that comes to no end drives have
blocks, as in a step with impacts, whose two phases have the inertia of the bodies alone.
"""

from dalembert._jit import apart, kernel, vector_view
from dalembert.contact.algebra.cliques import solve_clique
from dalembert.contact.algebra.prepare import factor_cliques
from dalembert.contact.problem.layout import (
    CLIQUES,
    FACTORED,
    V_BEFORE,
    V_FREE,
    Problem,
    V,
    clique_size,
    matrix_at,
    velocity_at,
)
from dalembert.contact.rows.assemble import put_velocities, take_velocities
from dalembert.contact.rows.body_rows import only_entry
from dalembert.contact.rows.one_sided_rows import (
    DRIVE,
    GAIN,
    LAW_RECORD,
    LEAST,
    MOST,
    RATE_GAIN,
    TARGET_SPEED,
    drive_of,
)
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.step.second_order import bounces
from dalembert.system.borders import NOT_POSITIVE_DEFINITE, OK
from dalembert.system.layout import (
    NV,
    ROWS,
    SIDE_DATA,
    SIDE_JACOBIAN,
    SIDE_NUMBERS,
    SIDE_PHI,
    SIDE_PHI_T,
    SIDES,
)
from dalembert.system.state_layout import State

ROUNDS = 3
"""Times that a step is made again with other drives at their bounds; then with blocks for all."""

ROUNDED = 1e-13
"""Rounding of a force, over the force."""

HAS_BLOCK, BARRED = -1, -2
"""In SIDE_JOINT, beside the velocity of an absorbed drive: it has a block, and must have one."""

RIGID = 1e300
"""1 / R of a drive without gains, over h: beyond its bounds wherever it is not just right."""


@kernel
def begin_with_last(state: State, run: ContactRun):
    """At the start of a step any drive may be absorbed, and is at a bound if it was."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    last = numbers[memory.LAST_STEP]
    for row in range(sizes[SIDES]):
        integers[integers[memory.SIDE_JOINT] + row] = HAS_BLOCK
        force = 0.0
        if last > 0.0:
            force = numbers[integers[memory.FIXED_IMPULSES] + sizes[ROWS] + row] / last
        numbers[integers[memory.SIDE_FORCE] + row] = force


@kernel
def bar_all(state: State, run: ContactRun):
    """Every drive has to have a block."""
    sizes = state.sizes
    integers = run.sizes
    for row in range(sizes[SIDES]):
        integers[integers[memory.SIDE_JOINT] + row] = BARRED


@apart(None)
def absorb(state: State, run: ContactRun, h, left):
    """Choose the drives, and add up D and J^T R^-1 b; `left`: what is left of the step."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    stiff = vector_view(numbers, integers[memory.IMPLICIT], sizes[NV])
    pull = vector_view(numbers, integers[memory.PULL], sizes[NV])
    for k in range(sizes[NV]):
        stiff[k] = pull[k] = 0.0
    integers[memory.ABSORBED] = 0
    for row in range(sizes[SIDES]):
        joint = integers[memory.SIDE_JOINT] + row
        if integers[joint] == BARRED:
            continue
        integers[joint] = HAS_BLOCK
        if integers[integers[memory.LAW_TABLE] + LAW_RECORD * row] != DRIVE:
            continue
        bound, force = bound_of(state, run, row)
        bias, whole = drive_now(state, row, left)
        if not (bound or whole < RIGID) or not abs(bias) < 1e100:
            continue
        k = joint_of(state, run, row)
        if k >= 0:
            integers[joint] = k
            integers[memory.ABSORBED] += 1
            entry = numbers[integers[memory.SIDE_ENTRY] + row]
            if bound:
                pull[k] -= h * force * entry
            else:
                stiff[k] += h * whole * entry * entry
                pull[k] += h * whole * entry * bias


@kernel
def bound_of(state: State, run: ContactRun, row):
    """Whether a drive is taken to be at a bound, and the force there."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    force = numbers[integers[memory.SIDE_FORCE] + row]
    data = sizes[SIDE_DATA] + SIDE_NUMBERS * row
    low, high = work[data + LEAST], work[data + MOST]
    # h f / h is not always f
    if force >= high - ROUNDED * abs(high):
        return True, high
    if force <= low + ROUNDED * abs(low):
        return True, low
    return False, 0.0


@kernel
def drive_now(state: State, row, left):
    """b and 1 / (h R) of a drive."""
    work = state.work
    sizes = state.sizes
    data = vector_view(work, sizes[SIDE_DATA] + SIDE_NUMBERS * row, SIDE_NUMBERS)
    if data[GAIN] > 0.0 or data[RATE_GAIN] > 0.0:
        return drive_of(data, work[sizes[SIDE_PHI] + row], work[sizes[SIDE_PHI_T] + row], left)
    return work[sizes[SIDE_PHI_T] + row] - data[TARGET_SPEED], RIGID


@kernel
def joint_of(state: State, run: ContactRun, row):
    """The only velocity of a tree that a row acts on, its J in SIDE_ENTRY; -1: there are more."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    law = integers[memory.LAW_TABLE] + LAW_RECORD * row
    first = integers[memory.LAW_TABLE] + LAW_RECORD * sizes[SIDES] + 2 * integers[law + 1]
    if integers[law + 2] > 2:
        return -1
    body, at = integers[first], sizes[SIDE_JACOBIAN] + integers[first + 1]
    second, other = -1, 0
    if integers[law + 2] == 2:
        second, other = integers[first + 2], sizes[SIDE_JACOBIAN] + integers[first + 3]
    found, entry = only_entry(state, body, second, at, other)
    numbers[integers[memory.SIDE_ENTRY] + row] = entry
    return found


@kernel
def stiffen(state: State, run: ContactRun, problem: Problem):
    """A' from A."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    x = problem.work
    if integers[memory.ABSORBED] == 0:
        return
    for k in range(sizes[NV]):
        at = integers[memory.DOF_CLIQUES] + 2 * k
        clique, place = integers[at], integers[at + 1]
        diagonal = matrix_at(problem, clique) + (clique_size(problem, clique) + 1) * place
        x[diagonal] += numbers[integers[memory.IMPLICIT] + k]


@apart(bool)
def fall_on_tree(state: State, run: ContactRun, problem: Problem, h, force, v, vdot):
    """(v' - v) / h of a tree by the factors of A', which the solver needs anyway. False: none."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    if not factor_cliques(problem):
        return False
    p[FACTORED] = 1
    for k in range(sizes[NV]):
        vdot[k] = force[k]
    if integers[memory.ABSORBED] > 0:
        stiff, pull = integers[memory.IMPLICIT], integers[memory.PULL]
        for k in range(sizes[NV]):
            vdot[k] -= (numbers[stiff + k] * v[k] + numbers[pull + k]) / h
    solve_on_tree(state, run, problem, vdot)
    return True


@apart(int)
def let_drives_act(state: State, run: ContactRun, problem: Problem):
    """V_FREE: v' in the place of v*, with A' in the problem; v* stays in WITHOUT_DRIVES."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    free = vector_view(numbers, integers[memory.WITHOUT_DRIVES], sizes[NV])
    moved = vector_view(numbers, integers[memory.PULL], sizes[NV])
    take_velocities(state, run, problem, V_FREE, free)
    if not factor_cliques(problem):
        return NOT_POSITIVE_DEFINITE
    p[FACTORED] = 1
    for k in range(sizes[NV]):
        moved[k] = -(numbers[integers[memory.IMPLICIT] + k] * free[k] + moved[k])
    solve_on_tree(state, run, problem, moved)
    for k in range(sizes[NV]):
        moved[k] += free[k]
    put_velocities(state, run, problem, V_FREE, moved)
    return OK


@kernel
def solve_on_tree(state: State, run: ContactRun, problem: Problem, y):
    """y <- A'^-1 y."""
    p = problem.sizes
    put_velocities(state, run, problem, V, y)
    for clique in range(p[CLIQUES]):
        own = problem.clique(clique)
        solve_clique(problem, own, own.of(problem.v))
    take_velocities(state, run, problem, V, y)


@kernel
def drive_force(state: State, run: ContactRun, problem: Problem, left, row):
    """Force of an absorbed drive by its law at V, bounds aside."""
    integers = run.sizes
    numbers = run.work
    x = problem.work
    k = integers[integers[memory.SIDE_JOINT] + row]
    at = integers[memory.DOF_CLIQUES] + 2 * k
    v = x[velocity_at(problem, V, integers[at]) + integers[at + 1]]
    bias, whole = drive_now(state, row, left)
    return -whole * (numbers[integers[memory.SIDE_ENTRY] + row] * v + bias)


@kernel
def drives_hold(state: State, run: ContactRun, problem: Problem, left):
    """Whether drives are at the bounds where they were taken to be, and there alone."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    if integers[memory.ABSORBED] == 0:
        return True
    if bounces(state, run):
        bar_all(state, run)
        return False
    hold = True
    for row in range(sizes[SIDES]):
        joint = integers[memory.SIDE_JOINT] + row
        if integers[joint] >= 0:
            taken, force = bound_of(state, run, row)
            said = drive_force(state, run, problem, left, row)
            numbers[integers[memory.SIDE_FORCE] + row] = said
            bound, found = bound_of(state, run, row)
            if bound != taken or found != force:
                hold = False
                if drive_now(state, row, left)[1] == RIGID:
                    # friction that stops
                    integers[joint] = BARRED
    return hold


@kernel
def take_drives(state: State, run: ContactRun, problem: Problem, h, left):
    """Impulses of absorbed drives, to be kept when the step has succeeded."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    to = integers[memory.NEXT_IMPULSES] + sizes[ROWS]
    for row in range(sizes[SIDES]):
        if integers[integers[memory.SIDE_JOINT] + row] >= 0:
            bound, force = bound_of(state, run, row)
            if not bound:
                force = drive_force(state, run, problem, left, row)
                data = sizes[SIDE_DATA] + SIDE_NUMBERS * row
                force = min(max(force, work[data + LEAST]), work[data + MOST])
            numbers[to + row] = h * force


@kernel
def energy_in_drives(state: State, run: ContactRun, problem: Problem):
    """Change in the step of the part of v . A' v / 2 that comes from D: it is no energy."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    x = problem.work
    total = 0.0
    if integers[memory.ABSORBED] > 0:
        for k in range(sizes[NV]):
            own = integers[memory.DOF_CLIQUES] + 2 * k
            now = x[velocity_at(problem, V, integers[own]) + integers[own + 1]]
            before = x[velocity_at(problem, V_BEFORE, integers[own]) + integers[own + 1]]
            part = numbers[integers[memory.IMPLICIT] + k]
            total += 0.5 * part * (now - before) * (now + before)
    return total
