"""One step of the Moreau type, for joints, one-sided rows and contacts in one problem.

    v+ = v* + A^-1 J^T lam,   v* = v + h A^-1 Q,   q+ = q (+) h v+              (contact.md 2, 11)

Nothing of the last step is changed before this one has succeeded, so that it can be repeated with
more room.
"""

import math

from dalembert._jit import kernel
from dalembert.contact import memory
from dalembert.contact.assemble import (
    add_cliques,
    add_constraints,
    complete_inertias,
    take_velocities,
)
from dalembert.contact.laws import add_laws, evaluate_sides
from dalembert.contact.layout import (
    BIAS,
    CLIQUE_A,
    DIM,
    INFO,
    INFO_FLOATS,
    INFO_STATUS,
    LAM,
    STALLED,
    STATE,
    V,
    begin,
    clique_size,
    jacobian_a_at,
    jacobian_b_at,
    row_at,
    velocity_at,
)
from dalembert.contact.layout import BLOCK as PROBLEM_BLOCK
from dalembert.contact.layout import BLOCK_RECORD as PROBLEM_BLOCK_RECORD
from dalembert.contact.memory import SLIP, STATE_NOW, contact_at
from dalembert.contact.position_pass import position_pass
from dalembert.contact.touching import add_contacts
from dalembert.contact.warm_start import (
    match,
    remember,
    take_fixed,
    warm_fixed,
    world_impulse,
)
from dalembert.mechanics.gyroscopic import spin_implicitly
from dalembert.mechanics.maximal import turn_missing
from dalembert.mechanics.motion import displace, free_solve
from dalembert.system.borders import NOT_SOLVED, OK, STEPPING, evaluate
from dalembert.system.layout import (
    BODIES,
    CONTACT_COLLIDE,
    CONTACT_SOLVE,
    CORRECTION,
    MASSLESS,
    NV,
    ROWS,
    VDOT,
    vector,
)
from dalembert.system.layout import (
    LAM as MULTIPLIERS,
)

_call = STEPPING.call


@kernel
def step(work, sizes, t, h, q, v):
    """From (t, q, v) to t + h, in place."""
    integers, numbers = memory.integers_of(sizes), memory.numbers_of(work, sizes)
    p, x = memory.problem_integers(integers), memory.problem_numbers(integers, numbers)
    status = assemble(work, sizes, integers, numbers, p, x, t, h, q, v)
    if status != OK:
        return status
    status = _call(sizes[CONTACT_SOLVE], work, sizes, t, h, q, v)
    if status != OK:
        return status
    report = integers[memory.REPORT]
    for i in range(INFO_FLOATS):
        numbers[report + i] = x[p[INFO] + i]
    if integers[memory.STRICT] == 1 and numbers[report + INFO_STATUS] >= STALLED:
        return NOT_SOLVED
    take_velocities(sizes, integers, p, x, V, v)
    take_impulses(work, sizes, integers, numbers, p, x, h)
    take_fixed(integers, numbers, p, x)
    displace(sizes, h, v, q)
    status = position_pass(work, sizes, t + h, h, q, v)
    if status != OK:
        return status
    remember(integers, numbers)
    numbers[memory.LAST_STEP] = h
    note(integers, numbers)
    return OK


@kernel
def assemble(work, sizes, integers, numbers, p, x, t, h, q, v):
    """The problem of a step, warm start included."""
    evaluate(work, sizes, t, q, v)
    if sizes[MASSLESS] > 0:
        turn_missing(work, sizes)
        complete_inertias(work, sizes)
    evaluate_sides(work, sizes, t, q, v)
    integers[memory.CONTACTS] = 0
    if integers[memory.SHAPES] > 0:
        status = _call(sizes[CONTACT_COLLIDE], work, sizes, t, h, q, v)
        if status != OK:
            return status
    vdot = vector(work, sizes, VDOT, NV)
    status = free_solve(work, sizes, vdot)
    if status != OK:
        return status
    if sizes[BODIES] > 0:
        spin_implicitly(work, sizes, h, v, vdot)
    free = vector(work, sizes, CORRECTION, NV)
    for k in range(sizes[NV]):
        free[k] = v[k] + h * vdot[k]
    match(integers, numbers)
    begin(p)
    status = add_cliques(work, sizes, integers, p, x, v, free)
    if status != OK:
        return status
    status = add_constraints(work, sizes, integers, p, x)
    if status != OK:
        return status
    status = add_laws(work, sizes, integers, numbers, p, x, h)
    if status != OK:
        return status
    warm_fixed(integers, numbers, p, x, h)
    return add_contacts(work, sizes, integers, numbers, p, x, h)


@kernel
def take_impulses(work, sizes, integers, numbers, p, x, h):
    """Impulses of contacts in world axes; forces of constraints as multipliers."""
    lam = vector(work, sizes, MULTIPLIERS, ROWS)
    for i in range(sizes[ROWS]):
        lam[i] = x[p[LAM] + i] / h
    first = integers[memory.FIXED_BLOCKS]
    for k in range(integers[memory.CONTACTS]):
        block = first + k
        at = row_at(p, LAM, block)
        dim = p[p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block + DIM]
        own = contact_at(integers, k)
        world_impulse(numbers, own, x, at, dim)
        record = p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block
        numbers[own + STATE_NOW] = p[record + STATE]
        numbers[own + SLIP] = slip_of(p, x, block, dim)


@kernel
def row_velocity(p, x, block, row):
    """u of a row of a block: J v + b."""
    record = p[PROBLEM_BLOCK] + PROBLEM_BLOCK_RECORD * block
    total = x[row_at(p, BIAS, block) + row]
    for side in range(2):
        clique = p[record + CLIQUE_A + side]
        if clique >= 0:
            size = clique_size(p, clique)
            at = jacobian_a_at(p, block) if side == 0 else jacobian_b_at(p, block)
            v = velocity_at(p, V, clique)
            for k in range(size):
                total += x[at + size * row + k] * x[v + k]
    return total


@kernel
def slip_of(p, x, block, dim):
    """Speed of sliding, moving surfaces included."""
    if dim < 3:
        return 0.0
    first, second = row_velocity(p, x, block, 1), row_velocity(p, x, block, 2)
    return math.sqrt(first * first + second * second)


@kernel
def note(integers, numbers):
    """The worst over the run."""
    report, worst = integers[memory.REPORT], integers[memory.WORST]
    for i in range(memory.REPORT_FLOATS):
        numbers[worst + i] = max(numbers[worst + i], numbers[report + i])
    integers[memory.STEPS] += 1
    if numbers[report + INFO_STATUS] >= STALLED:
        integers[memory.STALLED_STEPS] += 1
