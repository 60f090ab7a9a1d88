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

from dalembert._jit import kernel
from dalembert.contact.algebra.blocks import island_blocks, island_cliques
from dalembert.contact.algebra.prepare import move
from dalembert.contact.algebra.report import report_again
from dalembert.contact.algebra.row_motion import row_times, row_velocity
from dalembert.contact.problem.layout import (
    BIAS,
    BLOCK,
    BLOCK_FLOATS,
    BLOCK_ISLAND,
    BLOCK_NUMBERS,
    BLOCK_RECORD,
    BLOCKS,
    BOX,
    CLIQUES,
    COMPLIANCE,
    DIM,
    EQ,
    ISLANDS,
    KIND,
    LAM,
    LAM0,
    ROW,
    ROWS,
    V_BEFORE,
    V_FREE,
    VELOCITIES,
    Problem,
    V,
    W,
    clique_size,
    matrix_at,
    parent_at,
    row_at,
    velocity_at,
)
from dalembert.contact.rows.contact_rows import bounce_off
from dalembert.contact.rows.one_sided_rows import stop_short
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import BOUNCE, LEAD, ContactRun, contact_at
from dalembert.contact.step.poisson import bounce_of, is_redone, redone_at, two_phases
from dalembert.system.borders import OK
from dalembert.system.state_layout import State

GROWN = 1e-9
"""Part of its kinetic energy that an island may seem to gain by rounding and tolerance."""

NEWTON_LAW, POISSON_LAW = range(2)


# -- energy ----------------------------------------------------------------------------------------


@kernel
def energy_of(problem: Problem, field, clique):
    """1/2 v A v of a clique."""
    p = problem.sizes
    x = problem.work
    size, at, start = (
        clique_size(problem, clique),
        matrix_at(problem, clique),
        velocity_at(problem, field, clique),
    )
    parents, total = parent_at(problem, clique), 0.0
    for i in range(size):
        part = 0.5 * x[at + size * i + i] * x[start + i]
        k = p[parents + i]
        while k >= 0:
            part += x[at + size * i + k] * x[start + k]
            k = p[parents + k]
        total += part * x[start + i]
    return total


@kernel
def energy(problem: Problem, field):
    """Kinetic energy of all cliques."""
    p = problem.sizes
    total = 0.0
    for clique in range(p[CLIQUES]):
        total += energy_of(problem, field, clique)
    return total


@kernel
def island_energy(problem: Problem, field, island):
    """Kinetic energy of the cliques of an island."""
    p = problem.sizes
    first, count = island_cliques(problem, island)
    total = 0.0
    for k in range(count):
        total += energy_of(problem, field, p[first + k])
    return total


@kernel
def work_on_surfaces(run: ContactRun, problem: Problem, island):
    """lam . (u+ + u-) / 2 over rigid contacts and stops: what they have added to the energy.

    Velocities are those against the surfaces, which may move.
    """
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    first, count = island_blocks(problem, island)
    done = 0.0
    for i in range(count):
        block = p[first + i]
        record = p[BLOCK] + BLOCK_RECORD * block
        if p[record + KIND] == EQ or p[record + KIND] == BOX:
            continue
        at, k = row_at(problem, LAM, block), block - integers[memory.FIXED_BLOCKS]
        for r in range(p[record + DIM]):
            if x[at + r] == 0.0 or x[row_at(problem, COMPLIANCE, block) + r] > 0.0:
                continue
            mean = 0.5 * (row_times(problem, block, r, V) + row_times(problem, block, r, V_BEFORE))
            if k >= 0 and 0 < r < 3:
                mean += x[row_at(problem, BIAS, block) + r] - numbers[contact_at(run, k) + LEAD + r]
            done += x[at + r] * mean
    return done


@kernel
def gained(run: ContactRun, problem: Problem, island):
    """Whether an impact has put energy into an island.

    It has more than before the step and than without impulses, and has it from its contacts: a
    drive may speed it up, and what is sent downwards falls faster.
    """
    after = island_energy(problem, V, island)
    had = max(island_energy(problem, V_BEFORE, island), island_energy(problem, V_FREE, island))
    if not after > (1.0 + GROWN) * had:
        return False
    return work_on_surfaces(run, problem, island) > GROWN * after


# -- the impacts of a step -------------------------------------------------------------------------


@kernel
def mark(state: State, run: ContactRun, problem: Problem):
    """Choose the islands whose impacts are to be made by Poisson's law; how many."""
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    for i in range(p[ISLANDS]):
        numbers[redone_at(run, i)] = 0.0
    found = False
    for block in range(p[BLOCKS]):
        if bounce_of(state, run, block) > 0.0:
            numbers[redone_at(run, p[p[BLOCK] + BLOCK_RECORD * block + BLOCK_ISLAND])] = 1.0
            found = True
    if not found:
        return 0
    chosen = 0
    for i in range(p[ISLANDS]):
        if is_redone(run, i):
            if integers[memory.POISSON] == NEWTON_LAW and not gained(run, problem, i):
                numbers[redone_at(run, i)] = 0.0
            else:
                chosen += 1
    return chosen


@kernel
def touches(problem: Problem, block):
    """Whether a one-sided row is held rather than open, whatever a solver leaves of both."""
    p = problem.sizes
    x = problem.work
    w = x[p[BLOCK_NUMBERS] + BLOCK_FLOATS * block + W]
    return w * x[row_at(problem, LAM, block)] > abs(row_velocity(problem, block, 0))


@kernel
def late(state: State, run: ContactRun, problem: Problem):
    """Make impacts of what was not expected to touch and has; whether there was any.

    Forces and other impulses may close a gap that the speed before the step leaves open. Its
    surfaces would be stopped by the speculative row, and what it takes not be given back.
    """
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    found = False
    for k in range(integers[memory.SIDE_BLOCKS]):
        row = integers[integers[memory.SIDE_KEPT] + k]
        block = integers[memory.FIXED_BLOCKS] - integers[memory.SIDE_BLOCKS] + k
        bounce = integers[memory.SIDE_BOUNCE] + row
        if numbers[bounce] < 0.0 and touches(problem, block):
            stop_short(state, run, problem, row, problem.block(block))
            found = True
    for k in range(integers[memory.CONTACTS]):
        own, block = contact_at(run, k), integers[memory.FIXED_BLOCKS] + k
        if numbers[own + BOUNCE] < 0.0 and touches(problem, block):
            bounce_off(problem, run.contact(k), problem.block(block))
            found = True
    if found:
        for i in range(p[ROWS]):
            x[p[LAM0] + i] = x[p[LAM] + i]
    return found


@kernel
def impact(state: State, run: ContactRun, problem: Problem, t, h, q, v):
    """Look after the impacts of a solved step; make them again where needed."""
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    integers[memory.REPEATED_NOW] = 0
    if mark(state, run, problem) == 0:
        return OK
    integers[memory.REPEATED_NOW] = 1
    for i in range(p[VELOCITIES]):
        numbers[integers[memory.KEPT_FREE] + i] = x[p[V_FREE] + i]
    for i in range(p[ISLANDS]):
        keep_aside(run, problem, i)
    status = two_phases(state, run, problem, t, h, q, v, 1.0)
    if status != OK:
        return status
    again = False
    for i in range(p[ISLANDS]):
        if not is_redone(run, i):
            take_from_aside(run, problem, i)
        elif gained(run, problem, i):
            keep_aside(run, problem, i)
            again = True
        else:
            keep_aside(run, problem, i)
            numbers[redone_at(run, i)] = 0.0
    if again:
        status = two_phases(state, run, problem, t, h, q, v, 0.0)
        if status != OK:
            return status
        for i in range(p[ISLANDS]):
            if is_redone(run, i):
                mix(run, problem, i)
            else:
                take_from_aside(run, problem, i)
    report_again(problem)
    return OK


@kernel
def mix(run: ContactRun, problem: Problem, island):
    """As much of the expansion, kept aside, as does not put energy into an island."""
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    kept_v, kept_lam = integers[memory.KEPT_V], integers[memory.KEPT_LAM]
    least = island_energy(problem, V, island)
    had = max(island_energy(problem, V_BEFORE, island), island_energy(problem, V_FREE, island))
    first, count = island_cliques(problem, island)
    for k in range(count):
        start, size = clique_start(problem, p[first + k]), clique_size(problem, p[first + k])
        for i in range(start, start + size):
            x[p[V] + i] = numbers[kept_v + i] - x[p[V] + i]
    # T(s) = least + s slope + s^2 most
    most = island_energy(problem, V, island)
    for k in range(count):
        start, size = clique_start(problem, p[first + k]), clique_size(problem, p[first + k])
        for i in range(start, start + size):
            x[p[V] + i] = numbers[kept_v + i]
    slope = island_energy(problem, V, island) - least - most
    left, share = max(0.0, had - least), 0.0
    if most > 0.0:
        root = math.sqrt(slope * slope + 4.0 * most * left)
        # without cancellation, whatever the sign of the slope
        share = 2.0 * left / (slope + root) if slope > 0.0 else (root - slope) / (2.0 * most)
    share = min(1.0, max(0.0, share))
    first, count = island_blocks(problem, island)
    for k in range(count):
        record = p[BLOCK] + BLOCK_RECORD * p[first + k]
        for i in range(p[record + ROW], p[record + ROW] + p[record + DIM]):
            x[p[LAM] + i] += share * (numbers[kept_lam + i] - x[p[LAM] + i])
    move(problem, problem.island(island))


# -- of one island ---------------------------------------------------------------------------------


@kernel
def clique_start(problem: Problem, clique):
    """Where a clique starts in a vector over velocities."""
    p = problem.sizes
    return velocity_at(problem, V, clique) - p[V]


@kernel
def keep_aside(run: ContactRun, problem: Problem, island):
    """Keep V and LAM of an island."""
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    first, count = island_cliques(problem, island)
    for k in range(count):
        start, size = clique_start(problem, p[first + k]), clique_size(problem, p[first + k])
        for i in range(start, start + size):
            numbers[integers[memory.KEPT_V] + i] = x[p[V] + i]
    first, count = island_blocks(problem, island)
    for k in range(count):
        record = p[BLOCK] + BLOCK_RECORD * p[first + k]
        for i in range(p[record + ROW], p[record + ROW] + p[record + DIM]):
            numbers[integers[memory.KEPT_LAM] + i] = x[p[LAM] + i]


@kernel
def take_from_aside(run: ContactRun, problem: Problem, island):
    """V and LAM as they were kept."""
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    first, count = island_cliques(problem, island)
    for k in range(count):
        start, size = clique_start(problem, p[first + k]), clique_size(problem, p[first + k])
        for i in range(start, start + size):
            x[p[V] + i] = numbers[integers[memory.KEPT_V] + i]
    first, count = island_blocks(problem, island)
    for k in range(count):
        record = p[BLOCK] + BLOCK_RECORD * p[first + k]
        for i in range(p[record + ROW], p[record + ROW] + p[record + DIM]):
            x[p[LAM] + i] = numbers[integers[memory.KEPT_LAM] + i]
