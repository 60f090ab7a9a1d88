"""Outcome of a solved step: impulses, sliding, stretched springs, work, the worst of a run.

Work of contacts is lam . (u* + u+) / 2, never positive for rigid ones without restitution
(contact 16).
"""

import math

from dalembert._jit import kernel
from dalembert.collision import layout as found
from dalembert.contact import memory
from dalembert.contact.assemble import row_size
from dalembert.contact.blocks import block_times
from dalembert.contact.curving import leads_by_mean
from dalembert.contact.layout import (
    BIAS,
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    CONTACT_WORK,
    DIM,
    INFO_STATUS,
    JACOBIAN,
    LAM,
    ROW,
    STALLED,
    STATE,
    V_FREE,
    W_ANGULAR,
    V,
    W,
    row_at,
)
from dalembert.contact.layout import BLOCK as PROBLEM_BLOCK
from dalembert.contact.layout import BLOCK_RECORD as PROBLEM_BLOCK_RECORD
from dalembert.contact.memory import (
    BOUNCE,
    FRAME,
    LEAD,
    SLIP,
    STATE_NOW,
    STIFF,
    STRETCH,
    TANGENTIAL_DAMPING,
    TANGENTIAL_STIFFNESS,
    contact_at,
    found_at,
    found_numbers_at,
)
from dalembert.contact.report import BEFORE
from dalembert.contact.residuals import U, block_velocity, row_work
from dalembert.contact.row_motion import row_velocity
from dalembert.contact.touching import law_at
from dalembert.contact.warm_start import world_impulse
from dalembert.numerics import small
from dalembert.system.layout import LAM as MULTIPLIERS
from dalembert.system.layout import MECHANISM, ROWS, vector

ROUNDING = 1e-12
"""Rounding of a velocity, over itself."""


@kernel
def take_impulses(work, sizes, integers, numbers, p, x, h, left):
    """Impulses of contacts in world axes; forces of constraints as multipliers.

    The gap of a soft contact becomes that at the end of the step, which its force is of.
    """
    lam = vector(work, sizes, MULTIPLIERS, ROWS)
    for i in range(sizes[ROWS]):
        lam[i] = x[p[LAM] + i] / h
        if sizes[MECHANISM] == 0:
            lam[i] /= row_size(work, sizes, i)
    first, u = integers[memory.FIXED_BLOCKS], row_work(p, U)
    for k in range(integers[memory.CONTACTS]):
        block = first + k
        at = row_at(p, LAM, block)
        block_velocity(p, x, p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block, p[V], u)
        dim = p[p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block + DIM]
        own = contact_at(integers, k)
        world_impulse(numbers, own, x, at, dim)
        record = p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block
        numbers[own + STATE_NOW] = p[record + STATE]
        numbers[own + SLIP] = slip_of(numbers, own, x, u + p[record + ROW], dim)
        for r in range(dim if dim > 1 else 0):
            # work is that of the velocities themselves
            half = 0.5 * x[at + r] * x[row_at(p, BIAS, block) + r]
            numbers[integers[memory.REPORT] + CONTACT_WORK] -= half
        if numbers[own + STIFF] > 0.0:
            closing = x[u + p[record + ROW]] - x[row_at(p, BIAS, block)]
            numbers[found_numbers_at(integers, k) + found.GAP] += left * closing
        stretch_spring(integers, numbers, p, x, k, block, dim, h)
    watch_work(integers, numbers, p, x)


@kernel
def slip_of(numbers, own, x, u, dim):
    """Speed of sliding at the end of the step, moving surfaces included; u: velocities in x.

    They are those of the end with C as their lead, and the mean of both ends with J_t v.
    """
    if dim < 3:
        return 0.0
    first, second = x[u + 1], x[u + 2]
    if leads_by_mean(numbers, own):
        first, second = first - numbers[own + LEAD + 1], second - numbers[own + LEAD + 2]
    return math.sqrt(first * first + second * second)


@kernel
def stretch_spring(integers, numbers, p, x, k, block, dim, h):
    """STRETCH of the tangential spring after the step: that of the force it has come to."""
    at, own = found_at(integers, k), contact_at(integers, k)
    law = law_at(integers, integers[at + found.SHAPE_A], integers[at + found.SHAPE_B])
    stiffness = numbers[law + TANGENTIAL_STIFFNESS]
    if stiffness == 0.0 or dim < 3:
        return
    damping = numbers[law + TANGENTIAL_DAMPING]
    old = small.vector(numbers, own + STRETCH)
    new = (0.0, 0.0, 0.0)
    for r in range(1, 3):
        axis = small.vector(numbers, own + FRAME + 3 * r)
        share = stiffness * small.dot(axis, old) / (h * stiffness + damping)
        speed = row_velocity(p, x, block, r) - share
        force = x[row_at(p, LAM, block) + r] / h
        new = small.axpy(-(force + damping * speed) / stiffness, axis, new)
    small.put_vector(numbers, own + STRETCH, new)


@kernel
def watch_work(integers, numbers, p, x):
    """Flag a step in which a rigid contact without restitution has done work.

    At the velocities after it, lam . u+ <= 0: a contact presses where bodies come nearer, and rubs
    against their sliding. (Between v* and v+ it is the impulses of joints and contacts together
    that lose energy.) What the tolerance may let through is not flagged, nor what moving surfaces
    do, nor what contacts do to each other in the two phases of Poisson's law. U is filled.
    """
    if integers[memory.REPEATED_NOW] == 1:
        return
    u, before, residual = row_work(p, U), row_work(p, BEFORE), numbers[integers[memory.REPORT]]
    for k in range(integers[memory.CONTACTS]):
        own = contact_at(integers, k)
        if numbers[own + STIFF] > 0.0 or numbers[own + BOUNCE] > 0.0:
            continue
        block = integers[memory.FIXED_BLOCKS] + k
        record = p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block
        at, bias = row_at(p, LAM, block), row_at(p, BIAS, block)
        w = x[p[BLOCK_NUMBERS] + BLOCK_FLOATS * block + W]
        if p[record + DIM] > 3:
            w = min(w, x[p[BLOCK_NUMBERS] + BLOCK_FLOATS * block + W_ANGULAR])
        done = allowed = 0.0
        for r in range(p[record + DIM]):
            speed = x[u + p[record + ROW] + r] - x[bias + r]
            done += x[at + r] * speed
            # the residual may be one of velocities or, over w, of impulses
            rounding = ROUNDING * (abs(speed) + abs(x[bias + r]))
            allowed += abs(x[at + r]) * (residual + rounding)
            allowed += (abs(speed) + abs(x[bias + r])) * residual / w
            if r < 3:
                allowed += abs(x[at + r] * numbers[own + LEAD + r])
            if 0 < r < 3 and x[bias + r] != numbers[own + LEAD + r]:
                return
        if done > 4.0 * allowed:
            # velocities that impulses have taken away may have left their rounding
            block_times(p, x, record, JACOBIAN, p[V_FREE], before)
            for r in range(p[record + DIM]):
                allowed += ROUNDING * abs(x[at + r] * x[before + p[record + ROW] + r])
            if done > 4.0 * allowed:
                integers[memory.FLAGGED_NOW] = 1


@kernel
def note(integers, numbers):
    """The worst over the run."""
    report, worst = integers[memory.REPORT], integers[memory.WORST]
    for i in range(memory.REPORT_FLOATS):
        numbers[worst + i] = max(numbers[worst + i], numbers[report + i])
    integers[memory.STEPS] += 1
    integers[memory.POISSON_STEPS] += integers[memory.REPEATED_NOW]
    integers[memory.FLAGGED_STEPS] += integers[memory.FLAGGED_NOW]
    numbers[memory.CONTACT_WORK_SUM] += numbers[report + CONTACT_WORK]
    if numbers[report + INFO_STATUS] >= STALLED:
        integers[memory.STALLED_STEPS] += 1
