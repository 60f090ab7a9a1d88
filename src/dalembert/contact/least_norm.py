"""Impulses of least norm: the share of every contact where the laws leave it open.

Rows that depend on each other (four legs of a table, a hinge made twice) can share out the same
momentum in many ways, at the same velocities. With v, and what is open, sliding and sticking by it,

    minimise  |lam|^2 / 2     subject to   J^T lam = J^T lam_0,    lam in F(v),

has one solution: it does not depend on the warm start, and has the symmetries of the problem. F(v)
are the impulses that keep the laws at v: of what is open 0, of a sliding contact the ray against
its sliding, of a sticking one the cone, of motors at a bound this bound, of compliant rows their
force. lam_0, the solver's answer, is in it. A torque counts by its length, as in the residual.

The dual problem has the size of the velocities. With z = J y, lam = P_F(z), it is the minimum of
the convex function |z|^2 / 2 - |z - P_F(z)|^2 / 2 - y . J^T lam_0, its gradient J^T (lam - lam_0):
Newton's method with (eps A + J^T D J), D = dP_F, and an exact line search. eps A makes it regular,
costs a few more steps, and does not change the answer.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.automatic import SMALL, SMALL_TOLERANCE, tolerance_of
from dalembert.contact.blocks import (
    block_add_transposed,
    block_at,
    block_times,
    island_blocks,
    island_cliques,
)
from dalembert.contact.cholesky import assemble, factorise, solve_factored
from dalembert.contact.kept import BEST_LAM, copy_rows, keep, take_back
from dalembert.contact.layout import (
    BLOCK_COUNT,
    BLOCK_FLOATS,
    BLOCK_NUMBERS,
    BLOCK_WORK,
    BOX,
    CLIQUE,
    CLIQUE_RECORD,
    COMPLIANCE,
    CONE,
    CONVERGED,
    CURVATURE,
    DIM,
    EQ,
    ISLAND,
    ISLAND_FILL,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_RECORD,
    ISLANDS,
    JACOBIAN,
    KIND,
    LAM,
    LENGTH,
    LOWER,
    MATRIX,
    MATRIX_START,
    MOST_BLOCKS,
    MOST_ROWS,
    MU,
    OVERFLOW,
    RESIDUAL,
    ROW,
    SIZE,
    START,
    STATUS,
    UPPER,
    W,
)
from dalembert.contact.prepare import complete_rows, move
from dalembert.contact.projections import bounded, bounded_curvature, cone_curvature, roll_curvature
from dalembert.contact.proximal import DU, DV, GAMMA
from dalembert.contact.report import report, velocity_work
from dalembert.contact.residuals import U, measure, row_work
from dalembert.contact.symbolic import READY, symbolic
from dalembert.numerics.six import put_six
from dalembert.numerics.small import put_vector

Z, LOW, HIGH = 4, 5, 6
"""Row vectors: z; bounds of rows, or in LOW the ray of a contact."""

FIXED, RAY, WHOLE = range(3)
"""What F is for a contact: its impulse, a ray, the cone."""

STEPS, LINE_STEPS, SOFT = 40, 25, 1e-6
"""Most factorisations of an island, evaluations of a line search; eps over the mean of w."""

NEAR = 0.5
"""Of the tolerance: velocities up to here are taken for zero, so that the residual stays below."""

EXACT, ENOUGH = 1e-14, 0.1
"""What is left of the momentum: of W lam_0 at the end, and of the tolerance at most. Rays that
should be parallel and are to rounding carry it no better."""


@kernel
def least_norm(integers, numbers, tolerance):
    """LAM of a solved problem becomes that of least norm, island by island. Returns the status.

    tolerance [m/s]: to be kept, ten times that of the solve (`finer`); 0 takes that of the size of
    each island.
    """
    for island in range(integers[ISLANDS]):
        record = integers[ISLAND] + ISLAND_RECORD * island
        if integers[record + BLOCK_COUNT] > 1:
            if symbolic(integers, numbers) != READY:
                return OVERFLOW
            aim = tolerance_of(integers, island, tolerance)
            if integers[record + ISLAND_FILL] >= 0:
                _share(integers, numbers, island, aim)
            own = integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island
            if numbers[own + RESIDUAL] <= aim:
                integers[record + STATUS] = CONVERGED
    return report(integers, numbers)


@kernel
def finer(tolerance, cliques):
    """Tolerance of a solve that `least_norm` follows: what is open and what slides must be told."""
    if tolerance > 0.0:
        return 0.1 * tolerance
    return 0.1 * SMALL_TOLERANCE if cliques <= SMALL else 0.0


@kernel
def _share(integers, numbers, island, tolerance):
    """One island. What was there stays where it cannot be found, or keeps the laws less well."""
    own = integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island
    complete_rows(integers, numbers, island)
    left = numbers[own + RESIDUAL] = measure(integers, numbers, island)
    if not left <= tolerance:
        return
    keep(integers, numbers, island)
    near = max(left, NEAR * tolerance)
    scale = _admit(integers, numbers, island, near)
    if _newton(integers, numbers, island, scale, ENOUGH * tolerance):
        copy_rows(integers, numbers, island, row_work(integers, GAMMA), integers[LAM])
        move(integers, numbers, island)
        now = measure(integers, numbers, island)
        if now <= tolerance:
            numbers[own + RESIDUAL] = now
            return
    take_back(integers, numbers, island)


@kernel
def _code(integers, block):
    """Where F of a contact is noted."""
    return integers[BLOCK_WORK] + integers[MOST_BLOCKS] + block


@kernel
def _admit(integers, numbers, island, near):
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
def _project(integers, numbers, island, wide):
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


@kernel
def _left(integers, numbers, island):
    """DV = J^T (lam_0 - gamma). Returns its size as a velocity, and that of W lam_0."""
    x = velocity_work(integers, DV)
    first, count = island_cliques(integers, island)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        for i in range(integers[at + START], integers[at + START] + integers[at + SIZE]):
            numbers[x + i] = 0.0
    gamma, before = row_work(integers, GAMMA), row_work(integers, BEST_LAM)
    off = row_work(integers, U)
    blocks, number = island_blocks(integers, island)
    largest, size = 0.0, 0.0
    for k in range(number):
        block = integers[blocks + k]
        at = block_at(integers, block)
        w = numbers[integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block + W]
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            numbers[off + i] = numbers[before + i] - numbers[gamma + i]
            size = max(size, w * abs(numbers[before + i]))
        block_add_transposed(integers, numbers, at, JACOBIAN, off, x)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        start, n = integers[at + START], integers[at + SIZE]
        A = integers[MATRIX] + integers[at + MATRIX_START]
        for i in range(n):
            largest = max(largest, abs(numbers[x + start + i]) / numbers[A + (n + 1) * i])
    return largest, size


@kernel
def _newton(integers, numbers, island, scale, enough):
    """GAMMA of least norm. Returns whether it carries the momentum."""
    first, count = island_blocks(integers, island)
    z, du, dy = row_work(integers, Z), row_work(integers, DU), velocity_work(integers, DV)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            numbers[z + i] = numbers[du + i] = 0.0
    stiff = 1.0 / (SOFT * scale)
    _project(integers, numbers, island, True)
    left, size = _left(integers, numbers, island)
    for _ in range(STEPS):
        if left <= EXACT * size:
            return True
        # (A + J^T D J / eps) (eps dy) = J^T (lam_0 - gamma)
        for k in range(count):
            at = block_at(integers, integers[first + k])
            _stiffen(integers, numbers, at, stiff)
        assemble(integers, numbers, island)
        if not factorise(integers, numbers, island):
            return False
        solve_factored(integers, numbers, island, dy)
        for k in range(count):
            at = block_at(integers, integers[first + k])
            block_times(integers, numbers, at, JACOBIAN, dy, du)
            for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
                numbers[du + i] *= stiff
        length, before = _search(integers, numbers, island), left
        left, size = _left(integers, numbers, island)
        if min(left, before) <= enough and not (left < 0.1 * before):
            if left > before:
                _advance(integers, numbers, island, -length)
                _project(integers, numbers, island, False)
            return True
    return left <= enough


@kernel
def _stiffen(integers, numbers, at, factor):
    """CURVATURE of a block times a factor."""
    dim, kind = integers[at + DIM], integers[at + KIND]
    G = integers[CURVATURE] + MOST_ROWS * integers[at + ROW]
    floats = dim if kind < CONE else (6 if kind == CONE else dim * dim)
    for i in range(floats):
        numbers[G + i] *= factor


@kernel
def _search(integers, numbers, island):
    """z += s du with the s of the least dual function; GAMMA and CURVATURE follow. Returns s."""
    start = _project(integers, numbers, island, False)
    step, low, high, at_low, at_high, now = 1.0, 0.0, -1.0, start, 0.0, 0.0
    for k in range(LINE_STEPS):
        _advance(integers, numbers, island, step - now)
        now = step
        f = _project(integers, numbers, island, False)
        if abs(f) <= 0.05 * abs(start):
            return now
        if f < 0.0:
            low, at_low = step, f
            if high < 0.0:
                # farther only where the slope has hardly changed
                if k > 3 or f > 0.5 * start:
                    return now
                step *= 2.0
                continue
        else:
            high, at_high = step, f
        if k % 3 == 2:
            step = 0.5 * (low + high)
        else:
            step = low - (high - low) * at_low / (at_high - at_low)
        width = 0.05 * (high - low)
        step = min(max(step, low + width), high - width)
    return now


@kernel
def _advance(integers, numbers, island, step):
    """z += step du."""
    first, count = island_blocks(integers, island)
    z, du = row_work(integers, Z), row_work(integers, DU)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            numbers[z + i] += step * numbers[du + i]
