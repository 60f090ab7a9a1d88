"""Impacts: Newton's law with a guard of energy, and Poisson's.

Newton's law is a bias, u+ >= -e u- (`contact.rows.contact_rows`, `contact.rows.one_sided_rows`).
With friction, or where bodies of different e hit at once, it can create energy: an island that has
gained is made again by Poisson's law, in two phases (`contact.step.poisson`). Poisson's law takes
energy where e is the same all over the island. Where it is not, and friction acts, it may gain,
too; then as much of the expansion is kept as is paid for,

    v = v_0 + s (v_1 - v_0),   lam likewise,   the largest s <= 1 with  T(v) <= what there was,

v_1 with the expansion, v_0 without. Impulses stay in their cones, joints closed, surfaces apart.

Islands in which nothing bounces are left as they are.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.blocks import row_times, row_velocity
from dalembert.contact.algebra.prepare import move
from dalembert.contact.algebra.residuals import copy_rows, copy_velocities, report_again
from dalembert.contact.problem.layout import BOX, EQ, Problem
from dalembert.contact.problem.writing import begin_with_impulses
from dalembert.contact.rows.contact_rows import bounce_off
from dalembert.contact.rows.one_sided_rows import stop_short
from dalembert.contact.run.run_layout import ContactRun
from dalembert.contact.step.poisson import two_phases
from dalembert.system.borders import OK
from dalembert.system.state_layout import State

GROWN = 1e-9
"""Part of its kinetic energy that an island may seem to gain by rounding and tolerance."""

NEWTON_LAW, POISSON_LAW = range(2)


# -- energy ----------------------------------------------------------------------------------------


@kernel
def energy_of(problem: Problem, clique, v):
    """T = 1/2 v . A v of a clique; v is a vector over velocities."""
    A, own, parent, total = problem.A(clique), clique.of(v), clique.of(problem.parent), 0.0
    for i in range(clique.size):
        part = 0.5 * A[i, i] * own[i]
        k = parent[i]
        while k >= 0:
            part += A[i, k] * own[k]
            k = parent[k]
        total += part * own[i]
    return total


@kernel
def energy(problem: Problem, v):
    """T of all cliques."""
    total = 0.0
    for i in range(problem.cliques):
        total += energy_of(problem, problem.clique(i), v)
    return total


@kernel
def island_energy(problem: Problem, island, v):
    """T of the cliques of an island."""
    total = 0.0
    for clique in problem.cliques_of(island):
        total += energy_of(problem, clique, v)
    return total


@kernel
def energy_there_was(problem: Problem, island):
    """T of an island before the step or, if that is more, without its impulses."""
    before, free = problem.v_before, problem.v_free
    return max(island_energy(problem, island, before), island_energy(problem, island, free))


@kernel
def work_on_surfaces(run: ContactRun, problem: Problem, island):
    """lam . (u+ + u-) / 2 over rigid contacts and stops: what they have added to the energy.

    Velocities are those against the surfaces, which may move.
    """
    done = 0.0
    for i in range(island.block_count):
        number = problem.island_blocks[island.first_block + i]
        block, k = problem.block(number), run.contact_of_block(number)
        if block.kind == EQ or block.kind == BOX:
            continue
        lam, R, bias = block.of(problem.lam), block.of(problem.compliance), block.of(problem.bias)
        for r in range(block.dim):
            if lam[r] == 0.0 or R[r] > 0.0:
                continue
            after, before = problem.v, problem.v_before
            u = 0.5 * (row_times(problem, block, r, after) + row_times(problem, block, r, before))
            if k >= 0 and 0 < r < 3:
                u += bias[r] - run.contact(k).lead.entry(r)
            if k < 0 and r > 0:  # tangents of a stop
                u += bias[r] - run.side_lead[run.side_of_block(number) + r]
            done += lam[r] * u
    return done


@apart(bool)
def gained(run: ContactRun, problem: Problem, island):
    """Whether an impact has put energy into an island.

    It has more than before the step and than without impulses, and has it from its contacts: a
    drive may speed it up, and what is sent downwards falls faster.
    """
    after = island_energy(problem, island, problem.v)
    if not after > (1.0 + GROWN) * energy_there_was(problem, island):
        return False
    return work_on_surfaces(run, problem, island) > GROWN * after


# -- the impacts of a step -------------------------------------------------------------------------


@kernel
def mark(state: State, run: ContactRun, problem: Problem):
    """Choose the islands whose impacts are to be made by Poisson's law; how many."""
    redone, found = run.redone, False
    for i in range(problem.islands):
        redone[i] = 0.0
    for number in range(problem.blocks):
        if run.bounce_of(number) > 0.0:
            redone[problem.block(number).island] = 1.0
            found = True
    if not found:
        return 0
    chosen = 0
    for i in range(problem.islands):
        if redone[i] > 0.0:
            if run.poisson == NEWTON_LAW and not gained(run, problem, problem.island(i)):
                redone[i] = 0.0
            else:
                chosen += 1
    return chosen


@kernel
def touches(problem: Problem, block):
    """Whether a one-sided row is held rather than open, whatever a solver leaves of both."""
    return block.w * problem.lam[block.row] > abs(row_velocity(problem, block, 0))


@kernel
def late(state: State, run: ContactRun, problem: Problem):
    """Make impacts of what was not expected to touch and has; whether there was any.

    Forces and other impulses may close a gap that the speed before the step leaves open. Its
    surfaces would be stopped by the speculative row, and what it takes not be given back.
    """
    found = False
    for k in range(run.side_blocks):
        row, block = run.side_kept[k], problem.block(run.side_block(k))
        if run.side_bounce[row] < 0.0 and touches(problem, block):
            stop_short(state, run, problem, row, block)
            found = True
    for k in range(run.contacts):
        contact, block = run.contact(k), problem.block(run.contact_block(k))
        if contact.bounce < 0.0 and touches(problem, block):
            bounce_off(problem, contact, block)
            found = True
    if found:
        begin_with_impulses(problem)
    return found


@kernel
def impact(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Look after the impacts of a solved step; make them again where needed."""
    run.repeated_now = 0
    if mark(state, run, problem) == 0:
        return OK
    run.repeated_now = 1
    for i in range(problem.velocities):
        run.kept_free[i] = problem.v_free[i]
    for i in range(problem.islands):
        keep_aside(run, problem, problem.island(i))
    status = two_phases(state, run, problem, t, h, q, v, 1.0)
    if status != OK:
        return status
    again = False
    for i in range(problem.islands):
        island = problem.island(i)
        if not run.redone[i] > 0.0:
            take_from_aside(run, problem, island)
            continue
        if gained(run, problem, island):
            again = True
        else:
            run.redone[i] = 0.0
        keep_aside(run, problem, island)
    if again:
        status = two_phases(state, run, problem, t, h, q, v, 0.0)
        if status != OK:
            return status
        for i in range(problem.islands):
            if run.redone[i] > 0.0:
                mix(run, problem, problem.island(i))
            else:
                take_from_aside(run, problem, problem.island(i))
    report_again(problem)
    return OK


@apart(None)
def mix(run: ContactRun, problem: Problem, island):
    """As much of the expansion, kept aside, as does not put energy into an island."""
    v, lam, kept_v, kept_lam = problem.v, problem.lam, run.kept_v, run.kept_lam
    least, had = island_energy(problem, island, v), energy_there_was(problem, island)
    for clique in problem.cliques_of(island):
        for i in range(clique.start, clique.start + clique.size):
            v[i] = kept_v[i] - v[i]
    # T(s) = least + s slope + s^2 most
    most = island_energy(problem, island, v)
    slope = island_energy(problem, island, kept_v) - least - most
    share = largest_share(most, slope, max(0.0, had - least))
    for block in problem.blocks_of(island):
        for i in range(block.row, block.end):
            lam[i] += share * (kept_lam[i] - lam[i])
    move(problem, island)


@kernel
def largest_share(most, slope, left):
    """The largest s <= 1 with s slope + s^2 most <= left; not below 0."""
    share = 0.0
    if most > 0.0:
        root = math.sqrt(slope * slope + 4.0 * most * left)
        # without cancellation, whatever the sign of the slope
        share = 2.0 * left / (slope + root) if slope > 0.0 else (root - slope) / (2.0 * most)
    return min(1.0, max(0.0, share))


# -- of one island ---------------------------------------------------------------------------------


@kernel
def keep_aside(run: ContactRun, problem: Problem, island):
    """Keep v and lam of an island."""
    copy_velocities(problem, island, problem.v, run.kept_v)
    copy_rows(problem, island, problem.lam, run.kept_lam)


@kernel
def take_from_aside(run: ContactRun, problem: Problem, island):
    """v and lam as they were kept."""
    copy_velocities(problem, island, run.kept_v, problem.v)
    copy_rows(problem, island, run.kept_lam, problem.lam)
