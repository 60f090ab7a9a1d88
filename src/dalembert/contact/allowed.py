"""F(v), the impulses that keep the laws at velocities v, and the projection on it.

    what is open: lam = 0,    sliding: the ray against it,    sticking: the cone,
    a motor at its bound: the bound,    compliant rows: their force.

P_F(z), the impulse of F nearest to z, and D = dP_F serve `contact.least_norm`. A torque counts by
its length, as in the residual.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.blocks import block_at, island_blocks
from dalembert.contact.kept import BEST_LAM
from dalembert.contact.layout import (
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    BLOCK_WORK,
    BOX,
    COMPLIANCE,
    CONE,
    CURVATURE,
    DIM,
    EQ,
    KIND,
    LAM,
    LENGTH,
    LOWER,
    MOST_BLOCKS,
    MOST_ROWS,
    MU,
    ROW,
    UPPER,
    W,
)
from dalembert.contact.projections import bounded, bounded_curvature, cone_curvature, roll_curvature
from dalembert.contact.proximal import DU, GAMMA
from dalembert.contact.residuals import U, row_work
from dalembert.numerics.six import put_six
from dalembert.numerics.small import put_vector

Z, LOW, HIGH = 4, 5, 6
"""Row vectors: z; bounds of rows, or in LOW the ray of a contact."""

FIXED, RAY, WHOLE = range(3)
"""Kinds of F for a contact: its impulse, a ray, the cone."""


@kernel
def _code(integers, block):
    """Where F of a contact is noted."""
    return integers[BLOCK_WORK] + integers[MOST_BLOCKS] + block


@kernel
def admit(integers, numbers, island, near):
    """F of every block, from U and LAM. Returns the mean of w."""
    first, count = island_blocks(integers, island)
    total = 0.0
    for k in range(count):
        block = integers[first + k]
        at, own = block_at(integers, block), integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
        total += numbers[own + W]
        if integers[at + KIND] < CONE:
            _admit_rows(integers, numbers, at, near)
        else:
            _admit_contact(integers, numbers, block, at, own, near)
    return total / count


@kernel
def _admit_rows(integers, numbers, at, near):
    """Bounds of the rows of an EQ, UNI or BOX."""
    low, high = row_work(integers, LOW), row_work(integers, HIGH)
    kind, row = integers[at + KIND], integers[at + ROW]
    for i in range(row, row + integers[at + DIM]):
        lam, u = numbers[integers[LAM] + i], numbers[row_work(integers, U) + i]
        lower, upper = -math.inf, math.inf
        if kind == BOX:
            lower, upper = numbers[integers[LOWER] + i], numbers[integers[UPPER] + i]
        elif kind != EQ:
            lower = 0.0
        moving = kind != EQ and abs(u) > near
        if moving or numbers[integers[COMPLIANCE] + i] > 0.0:
            lower = upper = lam
        numbers[low + i], numbers[high + i] = lower, upper


@kernel
def _admit_contact(integers, numbers, block, at, own, near):
    """A fixed impulse, a ray or the whole cone."""
    dim, row = integers[at + DIM], integers[at + ROW]
    u, lam = row_work(integers, U) + row, integers[LAM] + row
    ray = row_work(integers, LOW) + row
    soft, slip = False, 0.0
    for i in range(dim):
        soft = soft or numbers[integers[COMPLIANCE] + row + i] > 0.0
        if i > 0:
            slip = max(slip, abs(numbers[u + i]))
    code, a = WHOLE, numbers[lam]
    if soft or numbers[u] > near:
        code = FIXED
    elif slip > near:
        # the direction is that of the impulse: lam_0 is to be in F to the last digit
        code = RAY
    for i in range(dim):
        numbers[ray + i] = numbers[lam + i] / a if code == RAY and a > 0.0 else numbers[lam + i]
    if code == RAY and not a > 0.0:
        numbers[ray] = 1.0
        _against(numbers, u + 1, 2, numbers[own + MU], near, ray + 1)
        if dim > 3:
            _against(numbers, u + 3, 1, numbers[own + MU + 1], near, ray + 3)
            _against(numbers, u + 4, dim - 4, numbers[own + MU + 2], near, ray + 4)
    numbers[_code(integers, block)] = code


@kernel
def _against(numbers, u, count, mu, near, ray):
    """-mu u / |u| of one or two rows; 0 where they rest."""
    squared = 0.0
    for i in range(count):
        squared += numbers[u + i] * numbers[u + i]
    share = -mu / math.sqrt(squared) if squared > near * near else 0.0
    for i in range(count):
        numbers[ray + i] = share * numbers[u + i]


@kernel
def project(integers, numbers, island, wide):
    """GAMMA = P_F(z), CURVATURE = D; `wide`: as if nothing were at a bound. Returns gamma . du."""
    first, count = island_blocks(integers, island)
    gamma, du = row_work(integers, GAMMA), row_work(integers, DU)
    before = row_work(integers, BEST_LAM)
    total = 0.0
    for k in range(count):
        block = integers[first + k]
        at, own = block_at(integers, block), integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
        row, dim = integers[at + ROW], integers[at + DIM]
        if integers[at + KIND] < CONE:
            _project_rows(integers, numbers, row, dim, 1.0 / numbers[own + LENGTH] ** 2, wide)
        elif numbers[_code(integers, block)] == WHOLE:
            _project_cone(integers, numbers, at, own, wide)
        else:
            _project_ray(integers, numbers, block, at, wide)
        for i in range(row, row + dim):
            total += (numbers[gamma + i] - numbers[before + i]) * numbers[du + i]
    return total


@kernel
def _project_rows(integers, numbers, row, dim, c, wide):
    z, low, high = row_work(integers, Z), row_work(integers, LOW), row_work(integers, HIGH)
    gamma, G = row_work(integers, GAMMA), integers[CURVATURE] + MOST_ROWS * row
    for i in range(dim):
        lower, upper, x = numbers[low + row + i], numbers[high + row + i], numbers[z + row + i]
        numbers[gamma + row + i] = bounded(x, c, lower, upper)
        if wide and lower < upper:
            numbers[G + i] = 1.0 / c
        else:
            numbers[G + i] = bounded_curvature(x, c, lower, upper)


@kernel
def _project_cone(integers, numbers, at, own, wide):
    row, dim = integers[at + ROW], integers[at + DIM]
    z, gamma = row_work(integers, Z) + row, row_work(integers, GAMMA) + row
    G, m = integers[CURVATURE] + MOST_ROWS * row, own + MU
    # a torque counts by its length
    angular = 1.0 / numbers[own + LENGTH] ** 2 if dim > 3 else 1.0
    if dim == 3:
        x = (numbers[z], numbers[z + 1], numbers[z + 2])
        answer, curvature = cone_curvature(x, 1.0, 1.0, numbers[m])
        put_vector(numbers, gamma, answer)
        put_six(numbers, G, (1.0, 0.0, 0.0, 1.0, 0.0, 1.0) if wide else curvature)
        return
    mu3, c3 = (numbers[m], numbers[m + 1], numbers[m + 2]), (1.0, angular, angular)
    roll_curvature(numbers, z, dim, 1.0, c3, mu3, numbers, gamma, numbers, G)
    if wide:
        for i in range(dim):
            for j in range(dim):
                same = 1.0 if i < 3 else 1.0 / angular
                numbers[G + dim * i + j] = same if i == j else 0.0


@kernel
def _project_ray(integers, numbers, block, at, wide):
    row, dim = integers[at + ROW], integers[at + DIM]
    z, gamma = row_work(integers, Z) + row, row_work(integers, GAMMA) + row
    ray, G = row_work(integers, LOW) + row, integers[CURVATURE] + MOST_ROWS * row
    fixed = numbers[_code(integers, block)] == FIXED
    along = squared = 0.0
    for i in range(dim):
        along += numbers[ray + i] * numbers[z + i]
        squared += numbers[ray + i] * numbers[ray + i]
    a = 1.0 if fixed else max(0.0, along / squared)
    slope = 0.0 if fixed or (a == 0.0 and not wide) else 1.0 / squared
    for i in range(dim):
        numbers[gamma + i] = a * numbers[ray + i]
    place = 0
    for i in range(dim):
        for j in range(dim):
            t = slope * numbers[ray + i] * numbers[ray + j]
            if dim > 3:
                numbers[G + dim * i + j] = t
            elif j >= i:
                numbers[G + place] = t
                place += 1
