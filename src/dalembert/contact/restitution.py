"""Impacts: Newton's law with a guard of energy, and Poisson's.

Newton's law is a bias, u+ >= -e u- (`contact.touching`, `contact.laws`). With friction, or where
bodies of different e hit at once, it can create energy: an island that has gained is made again by
Poisson's law, in two phases (`contact.expansion`). Poisson's law takes energy where e is the same
all over the island. Where it is not, and friction acts, it may gain, too; then as much of the
expansion is kept as is paid for,

    v = v_0 + s (v_1 - v_0),   lam likewise,   the largest s <= 1 with  T(v) <= what there was,

v_1 with the expansion, v_0 without. Impulses stay in their cones, joints closed, surfaces apart.

Islands in which nothing bounces are left as they are.
"""

import math

from dalembert._jit import kernel
from dalembert.contact import memory
from dalembert.contact.blocks import island_blocks, island_cliques
from dalembert.contact.expansion import bounce_of, is_redone, redone_at, two_phases
from dalembert.contact.laws import stop_short
from dalembert.contact.layout import (
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
    V,
    W,
    clique_size,
    matrix_at,
    parent_at,
    row_at,
    velocity_at,
)
from dalembert.contact.memory import BOUNCE, LEAD, contact_at
from dalembert.contact.prepare import move
from dalembert.contact.report import report_again
from dalembert.contact.row_motion import row_times, row_velocity
from dalembert.contact.touching import bounce_off
from dalembert.system.borders import OK
from dalembert.system.layout import SIDE_PHI_DOT, SIDE_PHI_T

GROWN = 1e-9
"""Part of its kinetic energy that an island may seem to gain by rounding and tolerance."""

NEWTON_LAW, POISSON_LAW = range(2)


# -- energy ----------------------------------------------------------------------------------------


@kernel
def energy_of(p, x, field, clique):
    """1/2 v A v of a clique."""
    size, at, start = clique_size(p, clique), matrix_at(p, clique), velocity_at(p, field, clique)
    parents, total = parent_at(p, clique), 0.0
    for i in range(size):
        part = 0.5 * x[at + size * i + i] * x[start + i]
        k = p[parents + i]
        while k >= 0:
            part += x[at + size * i + k] * x[start + k]
            k = p[parents + k]
        total += part * x[start + i]
    return total


@kernel
def energy(p, x, field):
    """Kinetic energy of all cliques."""
    total = 0.0
    for clique in range(p[CLIQUES]):
        total += energy_of(p, x, field, clique)
    return total


@kernel
def island_energy(p, x, field, island):
    """Kinetic energy of the cliques of an island."""
    first, count = island_cliques(p, island)
    total = 0.0
    for k in range(count):
        total += energy_of(p, x, field, p[first + k])
    return total


@kernel
def work_on_surfaces(integers, numbers, p, x, island):
    """lam . (u+ + u-) / 2 over rigid contacts and stops: what they have added to the energy.

    Velocities are those against the surfaces, which may move.
    """
    first, count = island_blocks(p, island)
    done = 0.0
    for i in range(count):
        block = p[first + i]
        record = p[BLOCK] + BLOCK_RECORD * block
        if p[record + KIND] == EQ or p[record + KIND] == BOX:
            continue
        at, k = row_at(p, LAM, block), block - integers[memory.FIXED_BLOCKS]
        for r in range(p[record + DIM]):
            if x[at + r] == 0.0 or x[row_at(p, COMPLIANCE, block) + r] > 0.0:
                continue
            mean = 0.5 * (row_times(p, x, block, r, V) + row_times(p, x, block, r, V_BEFORE))
            if k >= 0 and 0 < r < 3:
                mean += x[row_at(p, BIAS, block) + r] - numbers[contact_at(integers, k) + LEAD + r]
            done += x[at + r] * mean
    return done


@kernel
def gained(integers, numbers, p, x, island):
    """Whether an impact has put energy into an island.

    It has more than before the step and than without impulses, and has it from its contacts: a
    drive may speed it up, and what is sent downwards falls faster.
    """
    after = island_energy(p, x, V, island)
    had = max(island_energy(p, x, V_BEFORE, island), island_energy(p, x, V_FREE, island))
    if not after > (1.0 + GROWN) * had:
        return False
    return work_on_surfaces(integers, numbers, p, x, island) > GROWN * after


# -- the impacts of a step -------------------------------------------------------------------------


@kernel
def mark(sizes, integers, numbers, p, x):
    """Choose the islands whose impacts are to be made by Poisson's law; how many."""
    for i in range(p[ISLANDS]):
        numbers[redone_at(integers, i)] = 0.0
    found = False
    for block in range(p[BLOCKS]):
        if bounce_of(sizes, integers, numbers, block) > 0.0:
            numbers[redone_at(integers, p[p[BLOCK] + BLOCK_RECORD * block + BLOCK_ISLAND])] = 1.0
            found = True
    if not found:
        return 0
    chosen = 0
    for i in range(p[ISLANDS]):
        if is_redone(integers, numbers, i):
            if integers[memory.POISSON] == NEWTON_LAW and not gained(integers, numbers, p, x, i):
                numbers[redone_at(integers, i)] = 0.0
            else:
                chosen += 1
    return chosen


@kernel
def touches(p, x, block):
    """Whether a one-sided row is held rather than open, whatever a solver leaves of both."""
    w = x[p[BLOCK_NUMBERS] + BLOCK_FLOATS * block + W]
    return w * x[row_at(p, LAM, block)] > abs(row_velocity(p, x, block, 0))


@kernel
def late(work, sizes, integers, numbers, p, x):
    """Make impacts of what was not expected to touch and has; whether there was any.

    Forces and other impulses may close a gap that the speed before the step leaves open. Its
    surfaces would be stopped by the speculative row, and what it takes not be given back.
    """
    found = False
    for k in range(integers[memory.SIDE_BLOCKS]):
        row = integers[integers[memory.SIDE_KEPT] + k]
        block = integers[memory.FIXED_BLOCKS] - integers[memory.SIDE_BLOCKS] + k
        bounce = integers[memory.SIDE_BOUNCE] + row
        if numbers[bounce] < 0.0 and touches(p, x, block):
            phi_t, phi_dot = work[sizes[SIDE_PHI_T] + row], work[sizes[SIDE_PHI_DOT] + row]
            stop_short(numbers, x, bounce, row_at(p, BIAS, block), phi_t, phi_dot)
            found = True
    for k in range(integers[memory.CONTACTS]):
        own, block = contact_at(integers, k), integers[memory.FIXED_BLOCKS] + k
        if numbers[own + BOUNCE] < 0.0 and touches(p, x, block):
            bounce_off(numbers, x, own, row_at(p, BIAS, block))
            found = True
    if found:
        for i in range(p[ROWS]):
            x[p[LAM0] + i] = x[p[LAM] + i]
    return found


@kernel
def impact(work, sizes, integers, numbers, p, x, t, h, q, v):
    """Look after the impacts of a solved step; make them again where needed."""
    integers[memory.REPEATED_NOW] = 0
    if mark(sizes, integers, numbers, p, x) == 0:
        return OK
    integers[memory.REPEATED_NOW] = 1
    for i in range(p[VELOCITIES]):
        numbers[integers[memory.KEPT_FREE] + i] = x[p[V_FREE] + i]
    for i in range(p[ISLANDS]):
        keep_aside(integers, numbers, p, x, i)
    status = two_phases(work, sizes, integers, numbers, p, x, t, h, q, v, 1.0)
    if status != OK:
        return status
    again = False
    for i in range(p[ISLANDS]):
        if not is_redone(integers, numbers, i):
            take_from_aside(integers, numbers, p, x, i)
        elif gained(integers, numbers, p, x, i):
            keep_aside(integers, numbers, p, x, i)
            again = True
        else:
            keep_aside(integers, numbers, p, x, i)
            numbers[redone_at(integers, i)] = 0.0
    if again:
        status = two_phases(work, sizes, integers, numbers, p, x, t, h, q, v, 0.0)
        if status != OK:
            return status
        for i in range(p[ISLANDS]):
            if is_redone(integers, numbers, i):
                mix(integers, numbers, p, x, i)
            else:
                take_from_aside(integers, numbers, p, x, i)
    report_again(p, x)
    return OK


@kernel
def mix(integers, numbers, p, x, island):
    """As much of the expansion, kept aside, as does not put energy into an island."""
    kept_v, kept_lam = integers[memory.KEPT_V], integers[memory.KEPT_LAM]
    least = island_energy(p, x, V, island)
    had = max(island_energy(p, x, V_BEFORE, island), island_energy(p, x, V_FREE, island))
    first, count = island_cliques(p, island)
    for k in range(count):
        start, size = clique_start(p, p[first + k]), clique_size(p, p[first + k])
        for i in range(start, start + size):
            x[p[V] + i] = numbers[kept_v + i] - x[p[V] + i]
    # T(s) = least + s slope + s^2 most
    most = island_energy(p, x, V, island)
    for k in range(count):
        start, size = clique_start(p, p[first + k]), clique_size(p, p[first + k])
        for i in range(start, start + size):
            x[p[V] + i] = numbers[kept_v + i]
    slope = island_energy(p, x, V, island) - least - most
    left, share = max(0.0, had - least), 0.0
    if most > 0.0:
        root = math.sqrt(slope * slope + 4.0 * most * left)
        # without cancellation, whatever the sign of the slope
        share = 2.0 * left / (slope + root) if slope > 0.0 else (root - slope) / (2.0 * most)
    share = min(1.0, max(0.0, share))
    first, count = island_blocks(p, island)
    for k in range(count):
        record = p[BLOCK] + BLOCK_RECORD * p[first + k]
        for i in range(p[record + ROW], p[record + ROW] + p[record + DIM]):
            x[p[LAM] + i] += share * (numbers[kept_lam + i] - x[p[LAM] + i])
    move(p, x, island)


# -- of one island ---------------------------------------------------------------------------------


@kernel
def clique_start(p, clique):
    """Where a clique starts in a vector over velocities."""
    return velocity_at(p, V, clique) - p[V]


@kernel
def keep_aside(integers, numbers, p, x, island):
    """Keep V and LAM of an island."""
    first, count = island_cliques(p, island)
    for k in range(count):
        start, size = clique_start(p, p[first + k]), clique_size(p, p[first + k])
        for i in range(start, start + size):
            numbers[integers[memory.KEPT_V] + i] = x[p[V] + i]
    first, count = island_blocks(p, island)
    for k in range(count):
        record = p[BLOCK] + BLOCK_RECORD * p[first + k]
        for i in range(p[record + ROW], p[record + ROW] + p[record + DIM]):
            numbers[integers[memory.KEPT_LAM] + i] = x[p[LAM] + i]


@kernel
def take_from_aside(integers, numbers, p, x, island):
    """V and LAM as they were kept."""
    first, count = island_cliques(p, island)
    for k in range(count):
        start, size = clique_start(p, p[first + k]), clique_size(p, p[first + k])
        for i in range(start, start + size):
            x[p[V] + i] = numbers[integers[memory.KEPT_V] + i]
    first, count = island_blocks(p, island)
    for k in range(count):
        record = p[BLOCK] + BLOCK_RECORD * p[first + k]
        for i in range(p[record + ROW], p[record + ROW] + p[record + DIM]):
            x[p[LAM] + i] = numbers[integers[memory.KEPT_LAM] + i]
