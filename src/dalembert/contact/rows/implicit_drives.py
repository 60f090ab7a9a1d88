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

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.clique_factors import solve_clique
from dalembert.contact.algebra.prepare import factor_cliques
from dalembert.contact.problem.layout import Problem
from dalembert.contact.rows.assemble import put_velocities, take_velocities
from dalembert.contact.rows.body_rows import only_entry
from dalembert.contact.rows.one_sided_rows import drive_of, part_at_end, yields
from dalembert.contact.rows.second_order import bounces
from dalembert.contact.run.record_layout import DRIVE
from dalembert.contact.run.run_layout import ContactRun
from dalembert.numerics.spatial import Force, force
from dalembert.system.borders import NOT_POSITIVE_DEFINITE, OK
from dalembert.system.state_layout import State

ROUNDS = 3
"""Times that a step is made again with other drives at their bounds; then with blocks for all."""

ROUNDED = 1e-13
"""Rounding of a force, over the force."""

HAS_BLOCK, BARRED = -1, -2
"""In `side_joint`, beside the velocity of an absorbed drive: it has a block, and must have one."""

RIGID = 1e300
"""1 / R of a drive without gains, over h: beyond its bounds wherever it is not just right."""

SAFE = 2.0
"""Largest W over that of the articulated inertia of the side that moves."""


@kernel
def begin_with_last(state: State, run: ContactRun):
    """At the start of a step any drive may be absorbed, and is at a bound if it was."""
    last = run.last_step
    for row in range(state.sides):
        run.side_joint[row] = HAS_BLOCK
        run.side_force[row] = run.fixed_impulses[state.rows + row] / last if last > 0.0 else 0.0


@kernel
def bar_all(state: State, run: ContactRun):
    """Every drive has to have a block."""
    for row in range(state.sides):
        run.side_joint[row] = BARRED


# -- which drives ----------------------------------------------------------------------------------


@apart(None)
def absorb(state: State, run: ContactRun, h, left):
    """Choose the drives, and add up D and J^T R^-1 b; `left`: what is left of the step."""
    for k in range(state.nv):
        run.implicit[k] = run.pull[k] = 0.0
    run.absorbed = 0
    for row in range(state.sides):
        if run.side_joint[row] != BARRED:
            run.side_joint[row] = HAS_BLOCK
            if run.side_law(row).law == DRIVE:
                absorb_drive(state, run, row, h, left)


@kernel
def absorb_drive(state: State, run: ContactRun, row, h, left):
    """Add the part of a drive to D and J^T R^-1 b, if it acts on a single velocity."""
    bound, force = bound_of(state, run, row)
    run.side_late[row] = 1.0
    bias, whole = drive_now(state, run, row, left)
    if not (bound or whole < RIGID) or not abs(bias) < 1e100:
        return
    k = joint_of(state, run, row)
    if k < 0:
        return
    run.side_joint[row] = k
    run.absorbed += 1
    entry = run.side_entry[row]
    if left < h and whole < RIGID:
        # articulated inertia: other joints move, the side of the world does not
        mobility = SAFE * state.tree.dof(k).over * entry * entry
        run.side_late[row] = part_at_end(run, state.drive(row), mobility, h, left)
        bias, whole = drive_now(state, run, row, left)
    if bound:
        run.pull[k] -= h * force * entry
    else:
        run.implicit[k] += h * whole * entry * entry
        run.pull[k] += h * whole * entry * bias


@kernel
def bound_of(state: State, run: ContactRun, row):
    """Whether a drive is taken to be at a bound, and the force there."""
    drive, force = state.drive(row), run.side_force[row]
    low, high = drive.least, drive.most
    # h f / h is not always f
    if force >= high - ROUNDED * abs(high):
        return True, high
    if force <= low + ROUNDED * abs(low):
        return True, low
    return False, 0.0


@kernel
def drive_now(state: State, run: ContactRun, row, left):
    """b and 1 / (h R) of a drive."""
    if yields(state.drive(row)):
        return drive_of(state, run, row, left)
    return state.side_phi_t[row] - state.drive(row).target_speed, RIGID


@kernel
def joint_of(state: State, run: ContactRun, row):
    """The only velocity of a tree that a row acts on, its J in `side_entry`; -1: there are more."""
    law, tree = run.side_law(row), state.tree
    if law.count > 2:
        return -1
    first = run.side_body(state.sides, law, 0)
    i, f = tree.link_of(first.body), force(state.side_jacobian, first.start)
    j, g = 0, Force.zero()
    if law.count == 2:
        second = run.side_body(state.sides, law, 1)
        j, g = tree.link_of(second.body), force(state.side_jacobian, second.start)
    found, entry = only_entry(tree, i, f, j, g)
    run.side_entry[row] = entry
    return found


# -- a step with them ------------------------------------------------------------------------------


@kernel
def stiffen(state: State, run: ContactRun, problem: Problem):
    """A' from A."""
    if run.absorbed == 0:
        return
    for k in range(state.nv):
        own = run.dof(k)
        problem.A(problem.clique(own.clique))[own.place, own.place] += run.implicit[k]


@apart(bool)
def fall_on_tree(state: State, run: ContactRun, problem: Problem, h, force, v, vdot):
    """(v' - v) / h of a tree by the factors of A', which the solver needs anyway. False: none."""
    if not factor_cliques(problem):
        return False
    problem.factored = 1
    for k in range(state.nv):
        vdot[k] = force[k]
    if run.absorbed > 0:
        for k in range(state.nv):
            vdot[k] -= (run.implicit[k] * v[k] + run.pull[k]) / h
    solve_on_tree(state, run, problem, vdot)
    return True


@apart(int)
def let_drives_act(state: State, run: ContactRun, problem: Problem):
    """v' in the place of v*, with A' in the problem; v* stays in `without_drives`."""
    free, moved = run.without_drives, run.pull
    take_velocities(state, run, problem, problem.v_free, free)
    if not factor_cliques(problem):
        return NOT_POSITIVE_DEFINITE
    problem.factored = 1
    for k in range(state.nv):
        moved[k] = -(run.implicit[k] * free[k] + moved[k])
    solve_on_tree(state, run, problem, moved)
    for k in range(state.nv):
        moved[k] += free[k]
    put_velocities(state, run, problem, problem.v_free, moved)
    return OK


@kernel
def solve_on_tree(state: State, run: ContactRun, problem: Problem, y):
    """y <- A'^-1 y."""
    put_velocities(state, run, problem, problem.v, y)
    for i in range(problem.cliques):
        clique = problem.clique(i)
        solve_clique(problem, clique, clique.of(problem.v))
    take_velocities(state, run, problem, problem.v, y)


@kernel
def velocity_of(run: ContactRun, problem: Problem, v, k):
    """The k-th velocity of a tree, in a vector over velocities of the problem."""
    own = run.dof(k)
    return v[problem.clique(own.clique).start + own.place]


@apart(float)
def drive_force(state: State, run: ContactRun, problem: Problem, left, row):
    """Force of an absorbed drive by its law at v+, bounds aside."""
    v = velocity_of(run, problem, problem.v, run.side_joint[row])
    bias, whole = drive_now(state, run, row, left)
    return -whole * (run.side_entry[row] * v + bias)


@apart(bool)
def drives_hold(state: State, run: ContactRun, problem: Problem, left):
    """Whether drives are at the bounds where they were taken to be, and there alone."""
    if bounces(state, run):
        bar_all(state, run)
        return False
    hold = True
    for row in range(state.sides):
        if run.side_joint[row] >= 0:
            taken, force = bound_of(state, run, row)
            run.side_force[row] = drive_force(state, run, problem, left, row)
            bound, found = bound_of(state, run, row)
            if bound != taken or found != force:
                hold = False
                if drive_now(state, run, row, left)[1] == RIGID:
                    # friction that stops
                    run.side_joint[row] = BARRED
    return hold


@apart(None)
def take_drives(state: State, run: ContactRun, problem: Problem, h, left):
    """Impulses of absorbed drives, to be kept when the step has succeeded."""
    for row in range(state.sides):
        if run.side_joint[row] >= 0:
            bound, force = bound_of(state, run, row)
            if not bound:
                drive, force = state.drive(row), drive_force(state, run, problem, left, row)
                force = min(max(force, drive.least), drive.most)
            run.next_impulses[state.rows + row] = h * force


@apart(float)
def energy_in_drives(state: State, run: ContactRun, problem: Problem):
    """Change in the step of the part of v . A' v / 2 that comes from D: it is no energy."""
    total = 0.0
    for k in range(state.nv):
        now = velocity_of(run, problem, problem.v, k)
        before = velocity_of(run, problem, problem.v_before, k)
        total += 0.5 * run.implicit[k] * (now - before) * (now + before)
    return total
