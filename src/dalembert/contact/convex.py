"""One regularised convex problem (`convex`): the contact of SAP and of MuJoCo, in our letters.

Every row gets a compliance and De Saxce's term is dropped; then the laws are the gradient of a
convex function of v alone,

    1/2 |v - v*|_A^2 + sum_i 1/2 |P_K(-u_i / R_i)|_R^2,    lam_i = law(-u_i, R_i)   (`projections`)

with one minimum, found by Newton's method with an exact line search: the inner loop of
`contact.newton` around lam = 0 (Castro et al. 2022). Rows with a compliance of their own keep it.
Rigid ones get, with the block's scale w,

    R = beta^2 w / (4 pi^2)    normals, joints, stops: a period of beta steps at critical damping
    R = sigma w                tangents, motors and dry friction: they slip a little in sticking

lam is unique and continuous in the data, whatever rows depend on others; that is what it is for
(derivatives, control, comparison). What it costs: bodies creep where they should stick, sliding
ones separate at mu |u_t|, and a heavy body on a light one sinks.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.blocks import block_at, island_blocks
from dalembert.contact.kept import copy_rows
from dalembert.contact.layout import (
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    BLOCK_WORK,
    BOX,
    COMPLIANCE,
    CONE,
    CONVERGED,
    DELASSUS,
    DIM,
    FACTORISATIONS,
    FAILED,
    ISLAND,
    ISLAND_FILL,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_RECORD,
    ITERATIONS,
    KIND,
    LAM,
    LENGTH,
    MOST_ROWS,
    OPTIONS,
    OVERFLOW,
    OWN_RESIDUAL,
    ROLL,
    ROW,
    STALLED,
    W_ANGULAR,
    W,
)
from dalembert.contact.newton import _convex
from dalembert.contact.prepare import move
from dalembert.contact.proximal import GAMMA, laws
from dalembert.contact.residuals import U, island_velocities, row_work
from dalembert.contact.symbolic import READY, symbolic

RIGIDITY, SLIP = 0, 1
"""Places among OPTIONS of beta and sigma."""

GIVEN_R = 4
"""Row vector: the compliances of the problem, while others stand in their place."""

STEPS = 100
"""Newton steps unless a budget is given."""


@kernel
def soften(integers, numbers, island):
    """Put the compliances of the convex problem into COMPLIANCE, and lam = 0, no shift."""
    beta, sigma = numbers[integers[OPTIONS] + RIGIDITY], numbers[integers[OPTIONS] + SLIP]
    rigid = beta * beta / (4.0 * math.pi * math.pi)
    copy_rows(integers, numbers, island, integers[COMPLIANCE], row_work(integers, GIVEN_R))
    first, count = island_blocks(integers, island)
    for k in range(count):
        block = integers[first + k]
        at, own = block_at(integers, block), integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
        kind, dim, row = integers[at + KIND], integers[at + DIM], integers[at + ROW]
        numbers[integers[BLOCK_WORK] + block] = 0.0
        for i in range(dim):
            numbers[integers[LAM] + row + i] = 0.0
            if numbers[integers[COMPLIANCE] + row + i] > 0.0:
                continue
            w = numbers[own + W_ANGULAR] if kind == ROLL and i >= 3 else numbers[own + W]
            if kind < CONE:
                # Rows of a joint may be speeds and rates of turning: each by itself.
                diagonal = numbers[integers[DELASSUS] + MOST_ROWS * row + (dim + 1) * i]
                w = diagonal if diagonal > 0.0 else w
            hard = i == 0 if kind >= CONE else kind != BOX
            numbers[integers[COMPLIANCE] + row + i] = (rigid if hard else sigma) * w


@kernel
def left_over(integers, numbers, island):
    """The largest |R (lam - law(-u, R))| of a block, times its length."""
    first, count = island_blocks(integers, island)
    gamma, worst = row_work(integers, GAMMA), 0.0
    for k in range(count):
        block = integers[first + k]
        at = block_at(integers, block)
        row, t = integers[at + ROW], 0.0
        length = numbers[integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block + LENGTH]
        for i in range(integers[at + DIM]):
            s = numbers[integers[LAM] + row + i] - numbers[gamma + row + i]
            s *= numbers[integers[COMPLIANCE] + row + i]
            if integers[at + KIND] != ROLL or i >= 3:
                s *= length
            t += s * s
        worst = max(worst, math.sqrt(t))
    return worst


@kernel
def convex(integers, numbers, island, tolerance, budget):
    """One island; `budget` factorisations, 0 for the usual number."""
    if symbolic(integers, numbers) != READY:
        return OVERFLOW
    record = integers[ISLAND] + ISLAND_RECORD * island
    if integers[record + ISLAND_FILL] < 0:
        return FAILED
    soften(integers, numbers, island)
    move(integers, numbers, island)  # v = v*: the answer does not depend on a warm start
    island_velocities(integers, numbers, island, row_work(integers, U))
    most = budget if budget > 0 else STEPS
    _solved, used = _convex(integers, numbers, island, 0.0, 0.02 * tolerance, most)
    copy_rows(integers, numbers, island, row_work(integers, GAMMA), integers[LAM])
    move(integers, numbers, island)
    island_velocities(integers, numbers, island, row_work(integers, U))
    laws(integers, numbers, island, 0.0, False)
    left = left_over(integers, numbers, island)
    copy_rows(integers, numbers, island, row_work(integers, GIVEN_R), integers[COMPLIANCE])
    integers[record + ITERATIONS], integers[record + FACTORISATIONS] = used, used
    numbers[integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island + OWN_RESIDUAL] = left
    return CONVERGED if left <= tolerance else STALLED
