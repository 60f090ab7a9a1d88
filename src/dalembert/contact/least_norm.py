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

from dalembert._jit import kernel
from dalembert.contact.allowed import Z, admit, project
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
    CLIQUE,
    CLIQUE_RECORD,
    CONE,
    CONVERGED,
    CURVATURE,
    DIM,
    ISLAND,
    ISLAND_FILL,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_RECORD,
    ISLANDS,
    JACOBIAN,
    KIND,
    LAM,
    MATRIX,
    MATRIX_START,
    MOST_ROWS,
    OVERFLOW,
    RESIDUAL,
    ROW,
    SIZE,
    START,
    STATUS,
    W,
)
from dalembert.contact.prepare import move
from dalembert.contact.proximal import DU, DV, GAMMA, LINE_STEPS, advance, between
from dalembert.contact.report import report, velocity_work
from dalembert.contact.residuals import U, measure, row_work
from dalembert.contact.symbolic import READY, symbolic

STEPS, SOFT = 40, 1e-6
"""Most factorisations of an island; eps over the mean of w."""

NEAR = 0.5
"""Part of the tolerance: velocities up to here count as zero, so that the residual stays below."""

EXACT, ENOUGH = 1e-14, 0.1
"""Rest of the momentum: of W lam_0 at the end, and of the tolerance at most. Rays that
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
            aim = tolerance_of(integers, numbers, island, tolerance)
            if integers[record + ISLAND_FILL] >= 0:
                _share(integers, numbers, island, aim)
            own = integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island
            if numbers[own + RESIDUAL] <= aim:
                integers[record + STATUS] = CONVERGED
    return report(integers, numbers)


@kernel
def finer(tolerance, cliques):
    """Tolerance of a solve that `least_norm` follows: what is open and what slides must be told."""
    if tolerance != 0.0:
        return 0.1 * tolerance
    return 0.1 * SMALL_TOLERANCE if cliques <= SMALL else 0.0


@kernel
def _share(integers, numbers, island, tolerance):
    """One island. What was there stays where it cannot be found, or keeps the laws less well."""
    own = integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island
    left = numbers[own + RESIDUAL] = measure(integers, numbers, island)
    if not left <= tolerance:
        return
    keep(integers, numbers, island)
    near = max(left, NEAR * tolerance)
    scale = admit(integers, numbers, island, near)
    if _newton(integers, numbers, island, scale, ENOUGH * tolerance):
        copy_rows(integers, numbers, island, row_work(integers, GAMMA), integers[LAM])
        move(integers, numbers, island)
        now = measure(integers, numbers, island)
        if now <= tolerance:
            numbers[own + RESIDUAL] = now
            return
    take_back(integers, numbers, island)


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
    project(integers, numbers, island, True)
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
                advance(integers, numbers, island, row_work(integers, Z), -length)
                project(integers, numbers, island, False)
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
    start = project(integers, numbers, island, False)
    step, low, high, at_low, at_high, now = 1.0, 0.0, -1.0, start, 0.0, 0.0
    for k in range(LINE_STEPS):
        advance(integers, numbers, island, row_work(integers, Z), step - now)
        now = step
        f = project(integers, numbers, island, False)
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
        step = between(k, low, high, at_low, at_high)
    return now
