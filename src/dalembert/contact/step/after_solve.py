"""Outcome of a solved step: impulses, sliding, stretched springs, work, the worst of a run.

Work of contacts is lam . (u* + u+) / 2, never positive for rigid ones without restitution
(contact 16).
"""

import math

from dalembert._jit import kernel
from dalembert.collision import layout as found
from dalembert.contact.algebra.blocks import block_times
from dalembert.contact.algebra.residuals import block_velocity
from dalembert.contact.algebra.row_motion import row_velocity
from dalembert.contact.problem.layout import (
    BIAS,
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    CONTACT_WORK,
    DIM,
    INFO_STATUS,
    LAM,
    ROW,
    STALLED,
    STATE,
    U_BEFORE,
    W_ANGULAR,
    Problem,
    U,
    W,
    row_at,
)
from dalembert.contact.problem.layout import BLOCK as PROBLEM_BLOCK
from dalembert.contact.problem.layout import BLOCK_RECORD as PROBLEM_BLOCK_RECORD
from dalembert.contact.rows.assemble import row_size
from dalembert.contact.run import run_layout as memory
from dalembert.contact.run.run_layout import (
    BOUNCE,
    FRAME,
    LEAD,
    SLIP,
    STATE_NOW,
    STIFF,
    STRETCH,
    ContactRun,
    contact_at,
    found_at,
    found_numbers_at,
)
from dalembert.contact.step.second_order import leads_by_mean
from dalembert.contact.step.warm_start import world_impulse
from dalembert.numerics import small
from dalembert.system.layout import LAM as MULTIPLIERS
from dalembert.system.layout import MECHANISM, ROWS, vector
from dalembert.system.state_layout import State

ROUNDING = 1e-12
"""Rounding of a velocity, over itself."""


@kernel
def take_impulses(state: State, run: ContactRun, problem: Problem, h, left):
    """Impulses of contacts in world axes; forces of constraints as multipliers.

    The gap of a soft contact becomes that at the end of the step, which its force is of.
    """
    work = state.work
    sizes = state.sizes
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    lam = vector(work, sizes, MULTIPLIERS, ROWS)
    for i in range(sizes[ROWS]):
        lam[i] = x[p[LAM] + i] / h
        if sizes[MECHANISM] == 0:
            lam[i] /= row_size(state, i)
    first, u = integers[memory.FIXED_BLOCKS], p[U]
    for k in range(integers[memory.CONTACTS]):
        block = first + k
        at = row_at(problem, LAM, block)
        block_velocity(problem, problem.block(block), problem.v, problem.u)
        dim = p[p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block + DIM]
        own = contact_at(run, k)
        world_impulse(numbers, own, x, at, dim)
        record = p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block
        numbers[own + STATE_NOW] = p[record + STATE]
        numbers[own + SLIP] = slip_of(run.contact(k), x, u + p[record + ROW], dim)
        for r in range(dim if dim > 1 else 0):
            # work is that of the velocities themselves
            half = 0.5 * x[at + r] * x[row_at(problem, BIAS, block) + r]
            numbers[integers[memory.REPORT] + CONTACT_WORK] -= half
        if numbers[own + STIFF] > 0.0:
            closing = x[u + p[record + ROW]] - x[row_at(problem, BIAS, block)]
            numbers[found_numbers_at(run, k) + found.GAP] += left * closing
        stretch_spring(run, problem, k, block, dim, h)
    watch_work(run, problem)


@kernel
def slip_of(contact, x, u, dim):
    """Speed of sliding at the end of the step, moving surfaces included; u: velocities in x.

    They are those of the end with C as their lead, and the mean of both ends with J_t v.
    """
    if dim < 3:
        return 0.0
    first, second = x[u + 1], x[u + 2]
    if leads_by_mean(contact):
        first, second = first - contact.lead.y, second - contact.lead.z
    return math.sqrt(first * first + second * second)


@kernel
def stretch_spring(run: ContactRun, problem: Problem, k, block, dim, h):
    """STRETCH of the tangential spring after the step: that of the force it has come to."""
    integers = run.sizes
    numbers = run.work
    x = problem.work
    at, own = found_at(run, k), contact_at(run, k)
    law = run.law(integers[at + found.SHAPE_A], integers[at + found.SHAPE_B])
    stiffness = law.tangential_stiffness
    if stiffness == 0.0 or dim < 3:
        return
    damping = law.tangential_damping
    old = small.vector(numbers, own + STRETCH)
    new = (0.0, 0.0, 0.0)
    for r in range(1, 3):
        axis = small.vector(numbers, own + FRAME + 3 * r)
        share = stiffness * small.dot(axis, old) / (h * stiffness + damping)
        speed = row_velocity(problem, block, r) - share
        force = x[row_at(problem, LAM, block) + r] / h
        new = small.axpy(-(force + damping * speed) / stiffness, axis, new)
    small.put_vector(numbers, own + STRETCH, new)


@kernel
def watch_work(run: ContactRun, problem: Problem):
    """Flag a step in which a rigid contact without restitution has done work.

    At the velocities after it, lam . u+ <= 0: a contact presses where bodies come nearer, and rubs
    against their sliding. (Between v* and v+ it is the impulses of joints and contacts together
    that lose energy.) What the tolerance may let through is not flagged, nor what moving surfaces
    do, nor what contacts do to each other in the two phases of Poisson's law. U is filled.
    """
    integers = run.sizes
    numbers = run.work
    p = problem.sizes
    x = problem.work
    if integers[memory.REPEATED_NOW] == 1:
        return
    u, before, residual = (
        p[U],
        p[U_BEFORE],
        numbers[integers[memory.REPORT]],
    )
    for k in range(integers[memory.CONTACTS]):
        own = contact_at(run, k)
        if numbers[own + STIFF] > 0.0 or numbers[own + BOUNCE] > 0.0:
            continue
        block = integers[memory.FIXED_BLOCKS] + k
        record = p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block
        at, bias = row_at(problem, LAM, block), row_at(problem, BIAS, block)
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
            block_times(problem, problem.block(block), problem.v_free, problem.u_before)
            for r in range(p[record + DIM]):
                allowed += ROUNDING * abs(x[at + r] * x[before + p[record + ROW] + r])
            if done > 4.0 * allowed:
                integers[memory.FLAGGED_NOW] = 1


@kernel
def note(run: ContactRun):
    """The worst over the run."""
    integers = run.sizes
    numbers = run.work
    report, worst = integers[memory.REPORT], integers[memory.WORST]
    for i in range(memory.REPORT_FLOATS):
        numbers[worst + i] = max(numbers[worst + i], numbers[report + i])
    integers[memory.STEPS] += 1
    integers[memory.POISSON_STEPS] += integers[memory.REPEATED_NOW]
    integers[memory.FLAGGED_STEPS] += integers[memory.FLAGGED_NOW]
    numbers[memory.CONTACT_WORK_SUM] += numbers[report + CONTACT_WORK]
    if numbers[report + INFO_STATUS] >= STALLED:
        integers[memory.STALLED_STEPS] += 1
