"""Impacts: Newton's law with a guard of energy, and Poisson's.

Newton's law is a bias, u+ >= -e u- (`contact.touching`). With friction it can create energy; then,
or on request, the impact is made again by Poisson's law (contact.md 13) in two phases,

    compression:  e = 0, impulses lam_c
    expansion:    e lam_c are applied, then what keeps the surfaces apart is added, e = 0 again.

Of a contact that slides at the end of compression the whole impulse is given back, of one that
sticks the normal part. If that creates energy still, the whole is given back by all: then

    dT = (1 + e) (lam_c . u_c - (1 - e)/2 lam_c . W lam_c) <= 0,   as lam_c . u_c <= 0,

and the second phase, an impact with e = 0, loses energy, too.
"""

from dalembert._jit import kernel
from dalembert.contact import memory
from dalembert.contact.layout import (
    BIAS,
    BLOCK,
    BLOCK_RECORD,
    BLOCKS,
    BOX,
    CLIQUE,
    CLIQUE_A,
    CLIQUE_ISLAND,
    CLIQUE_RECORD,
    CLIQUES,
    COMPLIANCE,
    DIM,
    ISLANDS,
    JACOBIAN_A,
    KIND,
    LAM,
    LAM0,
    LOWER,
    RESPONSE,
    ROWS,
    SLIDING,
    STATE,
    UPPER,
    V_BEFORE,
    V_FREE,
    VELOCITIES,
    V,
    clique_size,
    matrix_at,
    parent_at,
    row_at,
    velocity_at,
    velocity_vector,
)
from dalembert.contact.memory import BOUNCE, contact_at
from dalembert.contact.prepare import complete_responses
from dalembert.system.borders import OK, STEPPING
from dalembert.system.layout import CONTACT_SOLVE

GROWN = 1e-9
"""Part of its kinetic energy that an island may seem to gain by rounding and tolerance."""

NEWTON_LAW, POISSON_LAW = range(2)

_solve = STEPPING.call


@kernel
def bounces(integers, numbers):
    """Whether any contact of the step is an impact with restitution."""
    for k in range(integers[memory.CONTACTS]):
        if numbers[contact_at(integers, k) + BOUNCE] > 0.0:
            return True
    return False


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
    """Of all cliques."""
    total = 0.0
    for clique in range(p[CLIQUES]):
        total += energy_of(p, x, field, clique)
    return total


@kernel
def gained(p, x):
    """Whether an island has more energy than before the step and than without impulses."""
    after, free = velocity_vector(p, x, 0), velocity_vector(p, x, 1)
    before = velocity_vector(p, x, 2)
    for i in range(p[ISLANDS]):
        after[i] = free[i] = before[i] = 0.0
    for clique in range(p[CLIQUES]):
        island = p[p[CLIQUE] + CLIQUE_RECORD * clique + CLIQUE_ISLAND]
        if island >= 0:
            after[island] += energy_of(p, x, V, clique)
            free[island] += energy_of(p, x, V_FREE, clique)
            before[island] += energy_of(p, x, V_BEFORE, clique)
    for i in range(p[ISLANDS]):
        if after[i] > (1.0 + GROWN) * max(free[i], before[i]):
            return True
    return False


@kernel
def impact(work, sizes, integers, numbers, p, x, t, h, q, v):
    """Look after the impacts of a solved step; make them again where needed."""
    if not bounces(integers, numbers):
        return OK
    if integers[memory.POISSON] == NEWTON_LAW and not gained(p, x):
        return OK
    integers[memory.POISSON_STEPS] += 1
    free = integers[memory.KEPT_FREE]
    for i in range(p[VELOCITIES]):
        numbers[free + i] = x[p[V_FREE] + i]
    for attempt in range(2):
        status = two_phases(work, sizes, integers, numbers, p, x, t, h, q, v, attempt == 1)
        for i in range(p[VELOCITIES]):
            x[p[V_FREE] + i] = numbers[free + i]
        if status != OK:
            return status
        if not gained(p, x):
            return OK
    return OK


@kernel
def two_phases(work, sizes, integers, numbers, p, x, t, h, q, v, whole):
    """Compression and expansion; LAM is their sum."""
    for k in range(integers[memory.CONTACTS]):
        if numbers[contact_at(integers, k) + BOUNCE] > 0.0:
            x[row_at(p, BIAS, integers[memory.FIXED_BLOCKS] + k)] = 0.0
    status = _solve(sizes[CONTACT_SOLVE], work, sizes, t, h, q, v)
    if status != OK:
        return status
    # solvers may have left A^-1 J^T of trees half done
    for island in range(p[ISLANDS]):
        complete_responses(p, x, island)
    total = integers[memory.COMPRESSION]
    for i in range(p[ROWS]):
        numbers[total + i] = x[p[LAM] + i]
        x[p[LAM0] + i] = 0.0
    for i in range(p[VELOCITIES]):
        x[p[V_FREE] + i] = x[p[V] + i]
    for k in range(integers[memory.CONTACTS]):
        e = numbers[contact_at(integers, k) + BOUNCE]
        if e > 0.0:
            block = integers[memory.FIXED_BLOCKS] + k
            record = p[BLOCK] + BLOCK_RECORD * block
            rows = p[record + DIM] if whole or p[record + STATE] == SLIDING else 1
            give_back(integers, numbers, p, x, block, e, rows)
    shift_laws(numbers, p, x, total, 1.0)
    status = _solve(sizes[CONTACT_SOLVE], work, sizes, t, h, q, v)
    if status != OK:
        return status
    for i in range(p[ROWS]):
        x[p[LAM] + i] += numbers[total + i]
        x[p[LAM0] + i] = x[p[LAM] + i]
    shift_laws(numbers, p, x, total, -1.0)
    return OK


@kernel
def give_back(integers, numbers, p, x, block, e, rows):
    """V_FREE += e A^-1 J^T lam_c over the first rows of a block; they count as applied."""
    record = p[BLOCK] + BLOCK_RECORD * block
    first = row_at(p, LAM, block)
    total = integers[memory.COMPRESSION] + first - p[LAM]
    for r in range(rows):
        push = e * x[first + r]
        numbers[total + r] += push
        for side in range(2):
            clique = p[record + CLIQUE_A + side]
            if clique >= 0:
                size = clique_size(p, clique)
                at = p[RESPONSE] + p[record + JACOBIAN_A + side] + size * r
                to = velocity_at(p, V_FREE, clique)
                for k in range(size):
                    x[to + k] += push * x[at + k]


@kernel
def shift_laws(numbers, p, x, total, sign):
    """Bounds and compliances are of whole impulses: what was applied already counts."""
    for block in range(p[BLOCKS]):
        record = p[BLOCK] + BLOCK_RECORD * block
        first = row_at(p, LAM, block) - p[LAM]
        for r in range(first, first + p[record + DIM]):
            done = sign * numbers[total + r]
            x[p[BIAS] + r] += x[p[COMPLIANCE] + r] * done
            if p[record + KIND] == BOX:
                x[p[LOWER] + r] -= done
                x[p[UPPER] + r] -= done
