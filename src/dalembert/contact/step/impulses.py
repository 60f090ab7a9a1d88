"""Impulses of a step: its problem, solved until the answer is the one it was made for.

Drives that are part of A may come to other bounds, impacts may have to be completed or made again,
and a tree whose impulses are others than those of the last step has other forces of inertia.

Whether a gap closes, and then bounces, and whether sliding goes on is known when impulses are. What
was taken otherwise is put right, and the problem solved once more, from the impulses it has.

A speculative row stops surfaces where they meet, at the end of the step:  u_n >= -phi / s.  What is
left of their approach, phi / s, would be taken in the next step, by a second impact. Without
friction both are one: v+ is the nearest to v- that opens or holds all rows, and a part of the way
there changes nothing. Coulomb's law of two impacts is not that of both together: sliding that the
first one stops or turns makes the friction of the second another, and the velocities after them
depend on phi, which is where in the step it happened. Hence, where friction acts in the island,

    q+ = q (+) s v_w,   v_w with  u_n >= -phi / s        the way, up to the surface
    v+                  with  u_n >= 0  of all that met  the law of impacts with e = 0, once

both from the same v*. v+ is what e -> 0 leads to, wherever in the step surfaces met, but for O(h).

What approaches with no more than forces do in a step, O(h), is left to the next; so is what is not
to be told from the tolerance of the solve, and a step that is not solved to it.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import row_times
from dalembert.contact.algebra.residuals import copy_rows
from dalembert.contact.problem.layout import CONVERGED, Problem
from dalembert.contact.problem.record_layout import INFO_FLOATS, Info
from dalembert.contact.problem.writing import begin_with_impulses
from dalembert.contact.rows.assemble import take_velocities, take_without_impulses
from dalembert.contact.rows.implicit_drives import ROUNDS, bar_all, begin_with_last, drives_hold
from dalembert.contact.rows.one_sided_rows import LOAD_ROUNDS, lead_of_stop, renew_loads
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.solvers.least_norm import finer
from dalembert.contact.solvers.whole import LARGE_TOLERANCE, SMALL, SMALL_TOLERANCE
from dalembert.contact.step.correction_limits import clique_of_velocity
from dalembert.contact.step.position_pass import is_rigid_stop
from dalembert.contact.step.restitution import impact, keep_aside, late, take_from_aside, touches
from dalembert.contact.step.second_order import withdraw
from dalembert.contact.step.static_friction import let_stick, withdraw_tangents
from dalembert.contact.step.step_problem import assemble
from dalembert.system.borders import OK, STEPPING, solve_contact
from dalembert.system.state_layout import State

QUIET, POLISHING = 1e-3, 30
"""Speed [m/s, rad/s] up to which a scene is at rest, and factorisations that are spent on it."""

SURPRISE, NO_WAY = 0.01, 1e-6
"""Change of what impulses do, over the largest velocity, and its way in a step [m, rad], beyond
which forces of inertia of a tree are made anew."""

_call = STEPPING.call


@kernel
def find_impulses(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """Problem and impulses of a step from t; q is where it is looked at, `left` before its end."""
    run.tolerance = run.step_tolerance
    if state.contact_share != 0:
        run.tolerance = finer(run.step_tolerance, run.cliques)
    status = solve_step(state, run, problem, t, h, left, q, v)
    if status != OK:
        return status
    if left < h and state.on_tree and surprised(state, run, problem, h):
        status = solve_again(state, run, problem, t, h, left, q, v)
        if status != OK:
            return status
    if state.contact_share != 0 and run.repeated_now == 0:
        return _call(state.contact_share, *state, t, h, q, v)
    return OK


@kernel
def solve_step(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """Problem and impulses, drives at the bounds where they are."""
    if state.sides > 0:
        begin_with_last(state, run)
    rounds = 0
    while True:
        status = assemble(state, run, problem, t + h - left, h, left, q, v)
        if status != OK:
            return status
        status = solve_laws(state, run, problem, t, h, q, v)
        if status != OK:
            return status
        status = complete(state, run, problem, t, h, left, q, v)
        if status != OK:
            return status
        if run.absorbed == 0 or drives_hold(state, run, problem, left):
            break
        rounds += 1
        if rounds == ROUNDS:
            bar_all(state, run)
    status = polish(state, run, problem, t, h, q, v)
    if status != OK:
        return status
    return impact(state, run, problem, t, h, q, v)


# -- trees -----------------------------------------------------------------------------------------


@apart(bool)
def surprised(state: State, run: ContactRun, problem: Problem, h):
    """Whether the impulses of a tree are others than those of the last step; leaves v+ - v*."""
    pushed, after = state.correction, state.top
    take_without_impulses(state, run, problem, pushed)
    take_velocities(state, run, problem, problem.v, after)
    fast = off = 0.0
    for k in range(state.nv):
        pushed[k] = after[k] - pushed[k]
        fast = max(fast, abs(after[k]))
        off = max(off, abs(pushed[k] - h * run.last_push[k]))
    return off > SURPRISE * fast and h * off > NO_WAY


@kernel
def solve_again(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """The step of a tree with forces of inertia for the impulses it has, not those of the last.

    An impact is not to be foreseen. Without it the momentum of the tree has an error of first order
    in every one.
    """
    last, kept, pushed = run.last_push, run.next_push, state.correction
    for k in range(state.nv):
        kept[k], last[k] = last[k], pushed[k] / h
    status = solve_step(state, run, problem, t, h, left, q, v)
    for k in range(state.nv):
        last[k] = kept[k]
    return status


# -- rest ------------------------------------------------------------------------------------------


@apart(int)
def polish(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Bring the residual of a solved step further down where everything is nearly at rest.

    Sticking contacts move with what is left of the laws: a scene at rest would creep for ever with
    a residual just below the tolerance. Near the limit of friction that may be much faster than
    the residual itself.
    """
    info, wanted = problem.info, run.polished
    if info.residual <= wanted or wanted == 0.0 or info.status != CONVERGED:
        return OK
    for i in range(problem.velocities):
        if not abs(problem.v[i]) <= QUIET:
            return OK
    begin_with_impulses(problem)
    keep_answer(run, problem)
    before, budget = Info(run.row_scratch, 0), run.budget
    run.budget, run.tolerance = POLISHING, wanted
    status = solve_contact(state, t, h, q, v)
    run.budget, run.tolerance = budget, run.step_tolerance
    if info.residual <= before.residual:
        info.status = CONVERGED
        info.iterations += before.iterations
        info.factorisations += before.factorisations
        info.sweeps += before.sweeps
    else:
        take_answer(run, problem)
    return status


@kernel
def keep_answer(run: ContactRun, problem: Problem):
    """Keep lam, v and their report."""
    for i in range(problem.rows):
        run.compression[i] = problem.lam[i]
    for i in range(problem.velocities):
        run.kept_free[i] = problem.v[i]
    for i in range(INFO_FLOATS):
        run.row_scratch[i] = problem.info_numbers[i]


@kernel
def take_answer(run: ContactRun, problem: Problem):
    """lam, v and their report as they were kept."""
    for i in range(problem.rows):
        problem.lam[i] = run.compression[i]
    for i in range(problem.velocities):
        problem.v[i] = run.kept_free[i]
    for i in range(INFO_FLOATS):
        problem.info_numbers[i] = run.row_scratch[i]


# -- the problem of a step whose laws depend on its answer -----------------------------------------


@kernel
def solve_laws(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Solve; again where impacts came late, or where sliding that was to go on did not."""
    status = solve_loads(state, run, problem, t, h, q, v)
    if status != OK:
        return status
    again = late(state, run, problem)
    if run.second_order == 1 and withdraw(state, run, problem):
        again = True
    if run.second_order == 1 and run.side_blocks > 0 and withdraw_tangents(state, run, problem):
        again = True
    if (run.is_static == 1 or run.side_blocks > 0) and let_stick(state, run, problem):
        again = True
    return solve_loads(state, run, problem, t, h, q, v) if again else OK


@kernel
def solve_loads(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Solve until friction by the loads of joints has the bounds of the loads that are found."""
    status = solve_contact(state, t, h, q, v)
    if run.side_blocks == 0:
        return status
    for _ in range(LOAD_ROUNDS):
        if status != OK or not renew_loads(state, run, problem, h):
            break
        begin_with_impulses(problem)
        status = solve_contact(state, t, h, q, v)
    return status


# -- impacts that give nothing back are complete in the step in which surfaces meet ----------------


COMPLETIONS = 3
"""Times that an impact is solved again as it has brought others together."""

NOTICED = 10.0
"""Approach that counts, over the tolerance."""

LEFT_ALONE, RUBBING, MET = 0.0, 1.0, 2.0
"""`redone` of an island: nothing rubs in it, something does, and something has met there."""


@kernel
def noticed(run: ContactRun):
    """Speed [m/s] that the solve does not leave by itself."""
    tolerance = run.tolerance
    if tolerance == 0.0:
        tolerance = SMALL_TOLERANCE if run.cliques <= SMALL else LARGE_TOLERANCE
    return NOTICED * tolerance


@kernel
def is_impact(problem: Problem, block, rest, speed, slow):
    """Whether a row that leaves `rest` of the approach, -speed before, approaches by itself."""
    if not (rest > slow and speed < -slow):
        return False
    free, before = problem.v_free, problem.v_before
    by_forces = row_times(problem, block, 0, free) - row_times(problem, block, 0, before)
    return -speed > abs(by_forces)


@kernel
def mark_rubbing(run: ContactRun, problem: Problem):
    """`redone` of every island: RUBBING where a contact with friction presses."""
    for i in range(problem.islands):
        run.redone[i] = LEFT_ALONE
    for number in range(run.side_block(0), run.contact_block(run.contacts)):
        block = problem.block(number)
        if block.dim > 1 and problem.lam[block.row] > 0.0:
            run.redone[block.island] = RUBBING


@apart(bool)
def close(state: State, run: ContactRun, problem: Problem, h, left):
    """Take the gaps out of the rows of what has met in this step; whether there were any.

    With what touches goes whatever would have met by its speed in the same island, as with
    restitution: where laws leave a choice, it must not be made by phi. `redone` becomes MET there.
    """
    slow, found, redone = noticed(run), False, run.redone
    mark_rubbing(run, problem)
    for turn in range(2):
        for number in range(run.side_block(0), run.contact_block(run.contacts)):
            block = problem.block(number)
            if turn == 0 and not problem.lam[block.row] > 0.0:
                continue
            island = block.island
            if redone[island] == LEFT_ALONE or (turn == 1 and redone[island] == RUBBING):
                continue
            bounce, closed, speed = approach(state, run, number, h, left)
            rest = problem.bias[block.row] - closed
            if bounce != 0.0 or not is_impact(problem, block, rest, speed, slow):
                continue
            if touches(problem, block):
                redone[island] = MET
                found = True
            if turn == 1 and (rest <= -speed or touches(problem, block)):
                problem.bias[block.row] = closed
        if not found:
            return False
    return True


@kernel
def approach(state: State, run: ContactRun, number, h, left):
    """Restitution of a block, its bias when closed, its normal velocity before the step.

    The first is 1 of what is no rigid surface.
    """
    k = run.contact_of_block(number)
    if k >= 0:
        contact = run.contact(k)
        lead = contact.lead.x
        bounce = 1.0 if contact.stiff > 0.0 else contact.bounce
        return bounce, lead, contact.speed - lead
    row = run.side_of_block(number)
    if not is_rigid_stop(state, run, row):
        return 1.0, 0.0, 0.0
    lead = lead_of_stop(state, run, row, h, left)
    return run.side_bounce[row], state.side_phi_t[row] + lead, state.side_phi_dot[row] - lead


@kernel
def complete(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """The velocities of a solved step whose impacts are complete; `way`: those of its positions."""
    run.completed_now = 0
    for _ in range(COMPLETIONS):
        if problem.info.status != CONVERGED or not close(state, run, problem, h, left):
            return OK
        begin_again(state, run, problem)
        status = solve_laws(state, run, problem, t, h, q, v)
        if status != OK:
            return status
        for i in range(problem.islands):
            island = problem.island(i)
            if not has_completed(run, problem, island):
                take_from_aside(run, problem, island)
    return OK


@apart(None)
def begin_again(state: State, run: ContactRun, problem: Problem):
    """Keep what was found as the way, and as it is where nothing has met.

    What has met begins from the impulses of the last step, and not from those that phi has made.
    """
    if run.completed_now == 0:
        run.completed_now = 1
        take_velocities(state, run, problem, problem.v, run.way)
        for c in range(problem.cliques):
            run.completed[c] = 0.0
    for i in range(problem.islands):
        island = problem.island(i)
        keep_aside(run, problem, island)
        if run.redone[i] == MET:
            for k in range(island.clique_count):
                run.completed[problem.island_cliques[island.first_clique + k]] = 1.0
        else:
            copy_rows(problem, island, problem.lam, problem.lam0)


@kernel
def has_completed(run: ContactRun, problem: Problem, island):
    """Whether the impacts of an island were made complete."""
    if island.clique_count == 0:
        return False
    return run.completed[problem.island_cliques[island.first_clique]] == 1.0


@apart(None)
def take_way(state: State, run: ContactRun, v):
    """way = v wherever nothing was completed."""
    for k in range(state.nv):
        if run.completed[clique_of_velocity(state, run, k)] == 0.0:
            run.way[k] = v[k]
