"""Impacts that give nothing back are complete in the step in which surfaces meet.

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
from dalembert.contact.algebra.best_iterate import copy_rows
from dalembert.contact.algebra.row_motion import row_times
from dalembert.contact.problem.layout import CONVERGED, Problem
from dalembert.contact.rows.assemble import take_velocities
from dalembert.contact.rows.one_sided_rows import lead_of_stop
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.solvers.whole import LARGE_TOLERANCE, SMALL, SMALL_TOLERANCE
from dalembert.contact.step.correction_limits import clique_of_velocity
from dalembert.contact.step.gaps import is_rigid_stop
from dalembert.contact.step.laws import solve_laws
from dalembert.contact.step.restitution import keep_aside, take_from_aside, touches
from dalembert.system.borders import OK
from dalembert.system.state_layout import State

ROUNDS = 3
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
    for _ in range(ROUNDS):
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
