"""A whole problem solved: every island by itself (`auto`).

1. The residual of the warm start is below the tolerance: done.
2. A small island of trees: contact space, over impulses (`contact.dense_newton`).
3. The residual is large, or there is no warm start: sweeps of Gauss-Seidel, ten at a time, as long
   as they help much. They are kept if they at least halve the residual: at high ratios of masses
   they ruin a good start.
4. If the factor is not too large: a few steps of Newton, which are enough where little has changed;
   else the interior point method, whose work hardly depends on the problem, and Newton from there.
5. Sweeps again for what is left; the better of both is kept.

Islands do not see one another, and nothing but the problem decides what is done.
"""

import math

from dalembert._jit import apart, kernel
from dalembert.contact.blocks import block_at, island_blocks
from dalembert.contact.dense_newton import dense
from dalembert.contact.dense_response import moves_as_tree
from dalembert.contact.gauss_seidel import local_inverses, nsgs_island, sweeps
from dalembert.contact.interior import interior, is_inside
from dalembert.contact.kept import copy_rows, copy_velocities, keep, take_back
from dalembert.contact.layout import (
    BLOCK_COUNT,
    CLIQUE_COUNT,
    CONVERGED,
    DIM,
    EQ,
    FACTORISATIONS,
    FAILED,
    FIRST_RESIDUAL,
    INFO,
    INFO_STATUS,
    ISLAND,
    ISLAND_FILL,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_RECORD,
    ISLAND_TOLERANCE,
    ISLANDS,
    KIND,
    LAM,
    METHOD,
    OVERFLOW,
    RESIDUAL,
    ROW,
    STALLED,
    STATUS,
    U_KNOWN,
    V,
)
from dalembert.contact.newton import newton, newton_island
from dalembert.contact.prepare import READY, complete_responses, move, prepare_rows
from dalembert.contact.report import report, velocity_work
from dalembert.contact.residuals import measure, row_work
from dalembert.contact.symbolic import READY as ORDERED
from dalembert.contact.symbolic import symbolic

AUTO, NEWTON, NSGS, INTERIOR = 0, 1, 2, 7
"""Solvers of `solve_problem`."""

KEPT_LAM, KEPT_V = 10, 8
"""Row vector and velocity vector: what Newton has reached from the warm start."""

QUICK, QUICK_SWEEPS, MANY = 30, 40, 256
"""Budget up to which nothing is done after Newton (that of the profile "fast"), the sweeps of
islands that have no room for it, and the cliques of those that are not even ordered."""

SMALL, SMALL_TOLERANCE, LARGE_TOLERANCE = 32, 1e-8, 1e-6
"""Cliques of an island that is solved to the first tolerance; larger ones to the second."""

TRIAL, LONG_TRIAL, FEW_BLOCKS = 6, 20, 100
"""Factorisations of Newton from the warm start, and with up to so many blocks.

Where the laws leave a choice, Newton stays near the last step and interior points do not."""

JOINTED_TRIAL, FEW_JOINTED = 40, 32
"""Factorisations and blocks where joints are among them: mechanisms jam, which leaves a choice."""

NEARLY, CROSSING = 1e-2, 1e-6
"""Part of the residual that is left when Newton gets as many again; residual [m/s] down to which
interior points go."""

COLD = 1e-2
"""Residual [m/s] above which sweeps are tried before Newton."""

LARGE_FILL, LEAST_BUDGET, BUDGET = 1000, 20, 150
"""Blocks of the factor above which the budget shrinks, and to what; factorisations by default.

A factorisation takes 0.3 ms with 1000 blocks, and grows with their square in a heap of spheres."""

ROUND, ROUNDS, LAST_SWEEPS, LONG_SWEEPS = 10, 5, 300, 1000
"""Sweeps at a time, and times, before Newton; sweeps after it; sweeps where Newton has no room."""


@kernel
def _begun(integers, numbers, island):
    """Whether there is a warm start."""
    first, count = island_blocks(integers, island)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            if numbers[integers[LAM] + i] != 0.0:
                return True
    return False


@kernel
def _first_sweeps(integers, numbers, island, tolerance, residual):
    """Step 3. Leaves the better (v, lam) and U, and returns its residual."""
    keep(integers, numbers, island)
    complete_responses(integers, numbers, island)
    local_inverses(integers, numbers, island)
    before, now = residual, residual
    for _ in range(ROUNDS):
        now = sweeps(integers, numbers, island, tolerance, ROUND)
        if now <= tolerance or not (now <= 0.1 * before):
            break
        before = now
    if now <= 0.5 * residual:
        return now
    take_back(integers, numbers, island)
    return measure(integers, numbers, island)


@kernel
def _last_sweeps(integers, numbers, island, tolerance, residual, most):
    """Step 5."""
    keep(integers, numbers, island)
    complete_responses(integers, numbers, island)
    local_inverses(integers, numbers, island)
    now = sweeps(integers, numbers, island, tolerance, most)
    if now < residual:
        return now
    take_back(integers, numbers, island)
    return residual


@kernel
def _trial(integers, island):
    """Factorisations of Newton's trial."""
    first, count = island_blocks(integers, island)
    if count <= FEW_JOINTED:
        for k in range(count):
            if integers[block_at(integers, integers[first + k]) + KIND] == EQ:
                return JOINTED_TRIAL
    return LONG_TRIAL if count <= FEW_BLOCKS else TRIAL


@kernel
def _factored(integers, numbers, island, tolerance, budget, residual):
    """Step 4: Newton; if that has not come far soon, the interior point method and Newton again.

    Leaves the best (v, lam) and U, and returns its residual.
    """
    record = integers[ISLAND] + ISLAND_RECORD * island
    before = integers[record + FACTORISATIONS]
    some, start = budget, residual
    if start > CROSSING and is_inside(integers, island):
        some = min(budget, _trial(integers, island) if budget > QUICK else TRIAL)
    residual = newton(integers, numbers, island, tolerance, some, residual)
    if tolerance < residual <= NEARLY * start and some < budget:
        again = min(some, budget - some)
        residual = newton(integers, numbers, island, tolerance, again, residual)
    left = budget - integers[record + FACTORISATIONS] + before
    if residual <= tolerance or some == budget or left <= 0:
        return residual
    lam, v = row_work(integers, KEPT_LAM), velocity_work(integers, KEPT_V)
    copy_rows(integers, numbers, island, integers[LAM], lam)
    copy_velocities(integers, numbers, island, integers[V], v)
    other = interior(integers, numbers, island, max(tolerance, CROSSING), left)
    left = budget - integers[record + FACTORISATIONS] + before
    if not (other <= tolerance) and other < math.inf and left > 0:
        other = newton(integers, numbers, island, tolerance, left, other)
    if other < residual:
        return other
    copy_rows(integers, numbers, island, lam, integers[LAM])
    copy_velocities(integers, numbers, island, v, integers[V])
    return measure(integers, numbers, island)


@kernel
def auto_island(integers, numbers, island, tolerance, budget):
    """The solver `auto`."""
    record = integers[ISLAND] + ISLAND_RECORD * island
    own = integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island
    quick, residual = budget <= QUICK, math.inf
    if not moves_as_tree(integers, numbers, island):
        # what rests may have its answer
        move(integers, numbers, island)
        residual = measure(integers, numbers, island)
        numbers[own + FIRST_RESIDUAL] = residual
    if not (residual <= tolerance):
        residual = dense(integers, numbers, island, tolerance, residual)
    integers[record + U_KNOWN] = 1 if residual <= tolerance else 0
    if not (residual <= tolerance) and quick and integers[record + CLIQUE_COUNT] > MANY:
        residual = _last_sweeps(integers, numbers, island, tolerance, residual, QUICK_SWEEPS)
    elif not (residual <= tolerance):
        if not (residual <= COLD) or not _begun(integers, numbers, island):
            residual = _first_sweeps(integers, numbers, island, tolerance, residual)
        if not (residual <= tolerance):
            if symbolic(integers, numbers) != ORDERED:
                return OVERFLOW
            fill, last = integers[record + ISLAND_FILL], 0 if quick else LAST_SWEEPS
            if fill < 0 or (quick and fill > LARGE_FILL):
                last = QUICK_SWEEPS if quick else LONG_SWEEPS
            else:
                if fill > LARGE_FILL and budget > LEAST_BUDGET:
                    budget = max(LEAST_BUDGET, budget * LARGE_FILL // fill)
                residual = _factored(integers, numbers, island, tolerance, budget, residual)
            if not (residual <= tolerance) and last > 0:
                residual = _last_sweeps(integers, numbers, island, tolerance, residual, last)
    numbers[own + RESIDUAL] = residual
    if residual <= tolerance:
        return CONVERGED
    return STALLED if residual < math.inf else FAILED


@apart(int)
def interior_island(integers, numbers, island, tolerance, budget):
    """The solver `interior`: Newton gains the last digits."""
    record = integers[ISLAND] + ISLAND_RECORD * island
    if symbolic(integers, numbers) != ORDERED:
        return OVERFLOW
    start = measure(integers, numbers, island)
    residual, lam, v = start, row_work(integers, KEPT_LAM), velocity_work(integers, KEPT_V)
    if integers[record + ISLAND_FILL] >= 0:
        copy_rows(integers, numbers, island, integers[LAM], lam)
        copy_velocities(integers, numbers, island, integers[V], v)
        residual = interior(integers, numbers, island, max(tolerance, CROSSING), budget)
        left = budget - integers[record + FACTORISATIONS]
        if not (residual <= tolerance) and residual < math.inf and left > 0:
            residual = newton(integers, numbers, island, tolerance, left, residual)
        if not (residual <= start):
            copy_rows(integers, numbers, island, lam, integers[LAM])
            copy_velocities(integers, numbers, island, v, integers[V])
            residual = measure(integers, numbers, island)
    numbers[integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island + RESIDUAL] = residual
    if residual <= tolerance:
        return CONVERGED
    return STALLED if residual < math.inf else FAILED


@kernel
def tolerance_of(integers, numbers, island, tolerance):
    """The given one; below 0 that part of the island's own, with 0 by the size of the island."""
    if tolerance > 0.0:
        return tolerance
    if tolerance < 0.0:
        own = integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island
        return -tolerance * numbers[own + ISLAND_TOLERANCE]
    count = integers[integers[ISLAND] + ISLAND_RECORD * island + CLIQUE_COUNT]
    return SMALL_TOLERANCE if count <= SMALL else LARGE_TOLERANCE


@kernel
def solve_problem(integers, numbers, method, tolerance, budget):
    """Fill V, LAM, INFO. Returns CONVERGED, STALLED, FAILED (A is not positive definite), OVERFLOW.

    tolerance [m/s]: see `tolerance_of`; budget: 0 takes the solver's own.
    """
    if prepare_rows(integers, numbers, method == AUTO) != READY:
        numbers[integers[INFO] + INFO_STATUS] = FAILED
        return FAILED
    for island in range(integers[ISLANDS]):
        record = integers[ISLAND] + ISLAND_RECORD * island
        if integers[record + BLOCK_COUNT] > 0:
            aim = tolerance_of(integers, numbers, island, tolerance)
            if method == NSGS:
                complete_responses(integers, numbers, island)
                most = budget if budget > 0 else LONG_SWEEPS
                status = nsgs_island(integers, numbers, island, aim, most)
            elif method == INTERIOR:
                most = budget if budget > 0 else BUDGET
                status = interior_island(integers, numbers, island, aim, most)
            elif method == NEWTON:
                most = budget if budget > 0 else BUDGET
                status = newton_island(integers, numbers, island, aim, most)
            else:
                most = budget if budget > 0 else BUDGET
                status = auto_island(integers, numbers, island, aim, most)
            if status == OVERFLOW:
                return OVERFLOW
            integers[record + STATUS], integers[record + METHOD] = status, method
    return report(integers, numbers)
