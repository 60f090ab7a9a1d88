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

from dalembert._jit import apart, kernel, vector_view
from dalembert.contact.algebra.blocks import island_blocks, island_cliques
from dalembert.contact.algebra.row_motion import row_times
from dalembert.contact.problem.layout import (
    BIAS,
    BLOCK,
    BLOCK_ISLAND,
    BLOCK_RECORD,
    CLIQUES,
    CONVERGED,
    DIM,
    INFO,
    INFO_STATUS,
    ISLANDS,
    LAM,
    LAM0,
    ROW,
    V_BEFORE,
    V_FREE,
    Problem,
    row_at,
)
from dalembert.contact.rows.assemble import take_velocities
from dalembert.contact.rows.one_sided_rows import lead_of_stop
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import BOUNCE, LEAD, SPEED, STIFF, ContactRun, contact_at
from dalembert.contact.solvers.whole import LARGE_TOLERANCE, SMALL, SMALL_TOLERANCE
from dalembert.contact.step.poisson import redone_at, side_of
from dalembert.contact.step.position_pass import is_rigid_stop
from dalembert.contact.step.restitution import keep_aside, late, take_from_aside, touches
from dalembert.contact.step.second_order import withdraw
from dalembert.system.borders import OK, STEPPING
from dalembert.system.layout import (
    BODIES,
    CONTACT_SOLVE,
    MECHANISM,
    NV,
    SIDE_PHI_DOT,
    SIDE_PHI_T,
)
from dalembert.system.state_layout import State

ROUNDS = 3
"""Times that an impact is solved again as it has brought others together."""

NOTICED = 10.0
"""Approach that counts, over the tolerance."""

_solve = STEPPING.call


@kernel
def noticed(run: ContactRun):
    """Speed [m/s] that the solve does not leave by itself."""
    integers = run.sizes
    numbers = run.work
    tolerance = numbers[memory.TOLERANCE]
    if tolerance == 0.0:
        tolerance = SMALL_TOLERANCE if integers[memory.CLIQUES] <= SMALL else LARGE_TOLERANCE
    return NOTICED * tolerance


@kernel
def is_impact(problem: Problem, block, rest, speed, slow):
    """Whether a row that leaves `rest` of the approach, -speed before, approaches by itself."""
    if not (rest > slow and speed < -slow):
        return False
    by_forces = row_times(problem, block, 0, V_FREE) - row_times(problem, block, 0, V_BEFORE)
    return -speed > abs(by_forces)


@kernel
def mark_rubbing(run: ContactRun, problem: Problem):
    """REDONE of every island: 1 where a contact with friction presses."""
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    for island in range(p[ISLANDS]):
        numbers[redone_at(run, island)] = 0.0
    for k in range(integers[memory.CONTACTS]):
        block = integers[memory.FIXED_BLOCKS] + k
        record = p[BLOCK] + BLOCK_RECORD * block
        if p[record + DIM] > 1 and x[row_at(problem, LAM, block)] > 0.0:
            numbers[redone_at(run, p[record + BLOCK_ISLAND])] = 1.0


@apart(bool)
def close(state: State, run: ContactRun, problem: Problem, h, left):
    """Take the gaps out of the rows of what has met in this step; whether there were any.

    With what touches goes whatever would have met by its speed in the same island, as with
    restitution: where laws leave a choice, it must not be made by phi. REDONE becomes 2 there.
    """
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    slow, found = noticed(run), False
    mark_rubbing(run, problem)
    first = integers[memory.FIXED_BLOCKS] - integers[memory.SIDE_BLOCKS]
    for turn in range(2):
        for block in range(first, integers[memory.FIXED_BLOCKS] + integers[memory.CONTACTS]):
            if turn == 0 and not x[row_at(problem, LAM, block)] > 0.0:
                continue
            island = redone_at(run, p[p[BLOCK] + BLOCK_RECORD * block + BLOCK_ISLAND])
            if numbers[island] == 0.0 or (turn == 1 and numbers[island] == 1.0):
                continue
            bounce, closed, speed = approach(state, run, block, h, left)
            rest = x[row_at(problem, BIAS, block)] - closed
            if bounce != 0.0 or not is_impact(problem, block, rest, speed, slow):
                continue
            if touches(problem, block):
                numbers[island] = 2.0
                found = True
            if turn == 1 and (rest <= -speed or touches(problem, block)):
                x[row_at(problem, BIAS, block)] = closed
        if not found:
            return False
    return True


@kernel
def approach(state: State, run: ContactRun, block, h, left):
    """Restitution of a block, its bias when closed, its normal velocity before the step.

    The first is 1 of what is no rigid surface.
    """
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    k = block - integers[memory.FIXED_BLOCKS]
    if k >= 0:
        own = contact_at(run, k)
        lead = numbers[own + LEAD]
        bounce = 1.0 if numbers[own + STIFF] > 0.0 else numbers[own + BOUNCE]
        return bounce, lead, numbers[own + SPEED] - lead
    row = side_of(run, block)
    if not is_rigid_stop(state, run, row):
        return 1.0, 0.0, 0.0
    lead = lead_of_stop(state, run, row, h, left)
    closed, speed = work[sizes[SIDE_PHI_T] + row] + lead, work[sizes[SIDE_PHI_DOT] + row] - lead
    return numbers[integers[memory.SIDE_BOUNCE] + row], closed, speed


@kernel
def complete(state: State, run: ContactRun, problem: Problem, t, h, left, q, v):
    """The velocities of a solved step whose impacts are complete; WAY: those of its positions."""
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    p = problem.sizes
    x = problem.work
    integers[memory.COMPLETED_NOW] = 0
    for _ in range(ROUNDS):
        if x[p[INFO] + INFO_STATUS] != CONVERGED:
            return OK
        if not close(state, run, problem, h, left):
            return OK
        begin_again(state, run, problem)
        status = _solve(sizes[CONTACT_SOLVE], work, sizes, t, h, q, v)
        if status != OK:
            return status
        again = late(state, run, problem)
        if integers[memory.SECOND_ORDER] == 1 and withdraw(state, run, problem):
            again = True
        if again:
            status = _solve(sizes[CONTACT_SOLVE], work, sizes, t, h, q, v)
            if status != OK:
                return status
        for island in range(p[ISLANDS]):
            if not has_completed(run, problem, island):
                take_from_aside(run, problem, island)
    return OK


@apart(None)
def begin_again(state: State, run: ContactRun, problem: Problem):
    """Keep what was found as the way, and as it is where nothing has met.

    What has met begins from the impulses of the last step, and not from those that phi has made.
    """
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    if integers[memory.COMPLETED_NOW] == 0:
        integers[memory.COMPLETED_NOW] = 1
        way = vector_view(numbers, integers[memory.WAY], sizes[NV])
        take_velocities(state, run, problem, problem.v, way)
        for clique in range(p[CLIQUES]):
            numbers[integers[memory.COMPLETED] + clique] = 0.0
    for island in range(p[ISLANDS]):
        keep_aside(run, problem, island)
        if numbers[redone_at(run, island)] == 2.0:
            first, count = island_cliques(problem, island)
            for k in range(count):
                numbers[integers[memory.COMPLETED] + p[first + k]] = 1.0
        else:
            first, count = island_blocks(problem, island)
            for k in range(count):
                record = p[BLOCK] + BLOCK_RECORD * p[first + k]
                for i in range(p[record + ROW], p[record + ROW] + p[record + DIM]):
                    x[p[LAM0] + i] = x[p[LAM] + i]


@kernel
def has_completed(run: ContactRun, problem: Problem, island):
    """Whether the impacts of an island were made complete."""
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    first, count = island_cliques(problem, island)
    return count > 0 and numbers[integers[memory.COMPLETED] + p[first]] == 1.0


@apart(None)
def take_way(state: State, run: ContactRun, v):
    """WAY = v wherever nothing was completed."""
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    way = vector_view(numbers, integers[memory.WAY], sizes[NV])
    for k in range(sizes[NV]):
        clique = 0
        if sizes[BODIES] > 0:
            clique = integers[integers[memory.BODY_TABLE] + 2 * (k // 6)]
        elif sizes[MECHANISM] == 1:
            clique = integers[integers[memory.DOF_CLIQUES] + 2 * k]
        if numbers[integers[memory.COMPLETED] + clique] == 0.0:
            way[k] = v[k]
