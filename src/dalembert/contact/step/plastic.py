"""Plastic impacts, complete in the step in which surfaces meet; and the way up to them.

    v+                  with  u_n >= 0  of all that met                         (contact 16)
    q+ = q (+) s v_w,   v_w with  u_n >= -phi / s

With friction v_w is another impact than v+: it takes a part of the approach, and friction may be as
large as in the whole. A box that comes down flat and stops, as all of its weight is pressed down,
would tip by a part of it, and end with a side in the air that the impact has stopped. It falls
from there with sqrt(2 g phi), which is much more than O(h). Where v_w leaves apart what v+ has
stopped, the way is that to the first meeting, tau, and from there on that of v+,

    v_w  from  v* + theta (v+ - v*),   theta = 1 - tau / s = min_i (1 - phi_i / (s |u_n,i|))

and what meets later is stopped at its surface without friction: a displacement, not an impact. Of
displacements within all gaps it is the nearest, and there is but one.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import row_times, row_velocity
from dalembert.contact.algebra.residuals import copy_rows
from dalembert.contact.problem.layout import CONVERGED, Problem
from dalembert.contact.problem.record_layout import Friction
from dalembert.contact.problem.writing import begin_with_impulses
from dalembert.contact.rows.assemble import take_velocities
from dalembert.contact.rows.correction_limits import clique_of_velocity
from dalembert.contact.rows.one_sided_rows import lead_of_stop
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.solvers.solver import LARGE_TOLERANCE, SMALL, SMALL_TOLERANCE
from dalembert.contact.step.position_pass import is_rigid_stop
from dalembert.contact.step.restitution import keep_aside, touches
from dalembert.numerics.vector import Vec3, put_vec3, vec3
from dalembert.system.borders import OK, solve_contact
from dalembert.system.state_layout import State

NOTICED = 10.0
"""Approach that counts, over the tolerance."""

UNTOUCHED = -1.0
"""`lag` of a row that no impact has closed."""

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
        if run.completed_now == 0:
            run.lag[block.row] = UNTOUCHED
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
                take_gap_out(run, problem, block, closed)
        if not found:
            return False
    return True


@kernel
def take_gap_out(run: ContactRun, problem: Problem, block, closed):
    """The row of an impact: that of the way is kept, and how far the way falls short of it."""
    row = block.row
    run.lag[row] = 0.0
    if run.completed_now == 0:
        run.lag[row] = max(0.0, row_velocity(problem, block, 0))
    run.open_bias[row] = problem.bias[row]
    problem.bias[row] = closed


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


# -- a way that ends where the impact has stopped --------------------------------------------------


AS_IT_IS, FIRST = 0.0, 1.0
"""`redone` of an island: its way stays; else this and the share theta."""


@apart(bool)
def lags(state: State, run: ContactRun, problem: Problem, h, left):
    """Whether a way has left apart what its impact has stopped; `redone`: 1 + theta there."""
    if problem.info.status != CONVERGED:
        return False
    slow, found, redone = noticed(run), False, run.redone
    for i in range(problem.islands):
        redone[i] = AS_IT_IS
    for turn in range(2):
        for number in range(run.side_block(0), run.contact_block(run.contacts)):
            block = problem.block(number)
            lag, island = run.lag[block.row], block.island
            if lag == UNTOUCHED or not touches(problem, block):
                continue
            if turn == 0 and lag > slow:
                redone[island] = FIRST + 1.0
                found = True
            if turn == 1 and redone[island] > AS_IT_IS:
                _, closed, speed = approach(state, run, number, h, left)
                share = 1.0 - (run.open_bias[block.row] - closed) / max(-speed, slow)
                redone[island] = min(redone[island], FIRST + max(0.0, share))
    return found


@apart(int)
def renew_way(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """The way of islands that lag, by the time of their first meeting; the answer stays."""
    for i in range(problem.velocities):
        run.kept_free[i] = problem.v_free[i]
    begin_with_impulses(problem)
    for i in range(problem.islands):
        keep_aside(run, problem, problem.island(i))
    for number in range(problem.blocks):
        block = problem.block(number)
        if run.redone[block.island] > AS_IT_IS:
            for i in range(block.row, block.end):
                problem.lam0[i] = run.other_friction[i] = 0.0
    put_part_of_way(run, problem)
    exchange_gaps(run, problem)
    status = solve_contact(state, t, h, q, v)
    if status == OK and problem.info.status == CONVERGED:
        take_renewed(state, run, problem)
    exchange_gaps(run, problem)
    for i in range(problem.velocities):
        problem.v_free[i] = run.kept_free[i]
    for i in range(problem.islands):
        copy_rows(problem, problem.island(i), run.kept_lam, problem.lam0)
    # from its own answer: states and report are those of the impact again
    return status if status != OK else solve_contact(state, t, h, q, v)


@kernel
def put_part_of_way(run: ContactRun, problem: Problem):
    """v* of islands that lag: a part of the way to v+."""
    for c in range(problem.cliques):
        clique = problem.clique(c)
        share = run.redone[clique.island] - FIRST
        if share >= 0.0:
            for i in range(clique.start, clique.start + clique.size):
                problem.v_free[i] += share * (problem.v[i] - problem.v_free[i])


@kernel
def exchange_gaps(run: ContactRun, problem: Problem):
    """Rows and friction of the way for those of the impact, or back, where islands lag."""
    for number in range(run.side_block(0), run.contact_block(run.contacts)):
        block = problem.block(number)
        row = block.row
        if run.redone[block.island] == AS_IT_IS:
            continue
        if run.lag[row] != UNTOUCHED:
            problem.bias[row], run.open_bias[row] = run.open_bias[row], problem.bias[row]
        if block.dim > 1:
            mu, other = block.mu, vec3(run.other_friction, row)
            block.mu = Friction(other.x, other.y, other.z)
            put_vec3(run.other_friction, row, Vec3(mu.sliding, mu.spinning, mu.rolling))


@kernel
def take_renewed(state: State, run: ContactRun, problem: Problem):
    """`way` of islands that lagged."""
    found = state.top
    take_velocities(state, run, problem, problem.v, found)
    for k in range(state.nv):
        clique = problem.clique(clique_of_velocity(state, run, k))
        if run.redone[clique.island] > AS_IT_IS:
            run.way[k] = found[k]
