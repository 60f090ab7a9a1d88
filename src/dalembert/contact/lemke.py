"""Contact by Lemke's method: the linear complementarity problem of Stewart and Trinkle (1996).

The friction cone is a pyramid with nd directions d in the tangent plane. With the bilateral rows
eliminated, and everything seen through K = J A^-1 J^T (what the lecture calls JMJT),

    | K_nn  K_nd  0 |   | lam_n |          u_n              >= 0
    | K_dn  K_dd  E | . | lam_d |  + q  =  u_d + beta e     >= 0     complementary to the unknowns
    | mu   -E^T   0 |   | beta  |          mu lam_n - e^T lam_d >= 0

([B] 10 with its signs corrected, errata B8). A row of a motor or of dry friction, lo <= lam <= hi,
is x = lam - lo >= 0 with a multiplier of its upper bound, which has the place that beta has for a
contact. Each row is scaled so that K has a diagonal of ones; without that a mass ratio of a
thousand ends in a ray.

`pivoting` solves it. Everything is dense: for tens of contacts, teaching, and a second opinion.
The law it keeps is that of the pyramid: sliding bends towards the nearest direction, by up to
pi / nd.
"""

import math

from dalembert._jit import kernel, vector_view
from dalembert.contact.dense_rows import blocks_of, dense_delassus, eliminate, record_at
from dalembert.contact.kept import copy_rows
from dalembert.contact.layout import (
    BLOCK,
    BLOCK_RECORD,
    BOX,
    CONE,
    CONVERGED,
    DENSE,
    DIM,
    EQ,
    FAILED,
    FULL,
    ISLAND,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_RECORD,
    ISLAND_ROWS,
    ITERATIONS,
    KIND,
    LAM,
    LAM0,
    LOWER,
    MOST_DENSE,
    OPTIONS,
    OVERFLOW,
    OWN_RESIDUAL,
    ROW,
    STALLED,
    UNI,
    UPPER,
    mu_at,
)
from dalembert.contact.pivoting import SOLVED, floats_of_pivoting, lemke_pivots
from dalembert.contact.prepare import move
from dalembert.contact.pyramid import CORNERS, pyramid_residual

PLACES = 5
"""Numbers kept of an unknown: its first row and weight, its second row and weight, its bound."""

NO_ANSWER = 1e-3
"""Part of the largest free velocity that no answer leaves."""


@kernel
def lemke_size(integers, numbers, island, directions):
    """Unknowns of the complementarity problem of an island."""
    n = 0
    for k in range(blocks_of(integers, island)):
        at = record_at(integers, island, k)
        kind, dim = integers[at + KIND], integers[at + DIM]
        if kind == CONE:
            n += directions + 2
        elif kind == UNI:
            n += dim
        elif kind == BOX:
            for i in range(dim):
                lo = numbers[integers[LOWER] + integers[at + ROW] + i]
                hi = numbers[integers[UPPER] + integers[at + ROW] + i]
                n += (1 if lo > -math.inf else 0) + (1 if hi < math.inf else 0)
    return n


@kernel
def unknown(places, n, first, first_weight, second, second_weight, bound):
    """Write down one unknown. `bound`: the row of its multiplier, -1; -2: is a multiplier."""
    places[PLACES * n] = float(first)
    places[PLACES * n + 1] = first_weight
    places[PLACES * n + 2] = float(second)
    places[PLACES * n + 3] = second_weight
    places[PLACES * n + 4] = float(bound)
    return n + 1


@kernel
def list_unknowns(integers, numbers, island, directions, scale, places, M, q, n, offset):
    """Unknowns, the rows of their bounds in M and q, and the impulse of each row at x = 0.

    Scaled: lam_row = offset_row + (sum of weight x) / sqrt(scale_row).
    """
    at_unknown, row = 0, 0
    for k in range(blocks_of(integers, island)):
        at = record_at(integers, island, k)
        kind, dim = integers[at + KIND], integers[at + DIM]
        if kind == UNI:
            for i in range(dim):
                at_unknown = unknown(places, at_unknown, row + i, 1.0, -1, 0.0, -1)
        elif kind == BOX:
            for i in range(dim):
                own = integers[at + ROW] + i
                lo, hi = numbers[integers[LOWER] + own], numbers[integers[UPPER] + own]
                if lo > -math.inf and hi < math.inf:
                    bound = at_unknown + 1
                    offset[row + i] = lo
                    q[bound] = (hi - lo) * math.sqrt(scale[row + i])
                    M[bound * n + at_unknown], M[at_unknown * n + bound] = -1.0, 1.0
                    at_unknown = unknown(places, at_unknown, row + i, 1.0, -1, 0.0, bound)
                    at_unknown = unknown(places, at_unknown, -1, 0.0, -1, 0.0, -2)
                elif lo > -math.inf:
                    offset[row + i] = lo
                    at_unknown = unknown(places, at_unknown, row + i, 1.0, -1, 0.0, -1)
                elif hi < math.inf:
                    offset[row + i] = hi
                    at_unknown = unknown(places, at_unknown, row + i, -1.0, -1, 0.0, -1)
        elif kind == CONE:
            normal, beta = at_unknown, at_unknown + directions + 1
            at_unknown = unknown(places, at_unknown, row, 1.0, -1, 0.0, -1)
            M[beta * n + normal] = numbers[mu_at(integers, (at - integers[BLOCK]) // BLOCK_RECORD)]
            for d in range(directions):
                angle = 2.0 * math.pi * d / directions
                M[beta * n + at_unknown], M[at_unknown * n + beta] = -1.0, 1.0
                at_unknown = unknown(
                    places, at_unknown, row + 1, math.cos(angle), row + 2, math.sin(angle), beta
                )
            at_unknown = unknown(places, at_unknown, -1, 0.0, -1, 0.0, -2)
        row += dim


@kernel
def scaled_entry(W, width, scale, i, j):
    """W_ij of the problem with a diagonal of ones."""
    return W[i * width + j] / math.sqrt(scale[i] * scale[j])


@kernel
def fill_problem(rows, width, W, scale, offset, n, places, M, q):
    """M and q of the unknowns that are impulses."""
    for i in range(n):
        if places[PLACES * i + 4] == -2.0:
            continue
        for s in range(2):
            row, weight = int(places[PLACES * i + 2 * s]), places[PLACES * i + 2 * s + 1]
            if row < 0:
                continue
            u = W[row * width + rows]
            for r in range(rows):
                u += W[row * width + r] * offset[r]
            q[i] += weight * u / math.sqrt(scale[row])
            for j in range(n):
                for t in range(2):
                    other = int(places[PLACES * j + 2 * t])
                    if other >= 0:
                        M[i * n + j] += (
                            weight
                            * places[PLACES * j + 2 * t + 1]
                            * scaled_entry(W, width, scale, row, other)
                        )


@kernel
def mark_rows(integers, numbers, island, rows, width, W, bilateral, scale, offset):
    """Which rows are bilateral; the scale of every row; no offsets."""
    row = 0
    for k in range(blocks_of(integers, island)):
        at = record_at(integers, island, k)
        kind, dim = integers[at + KIND], integers[at + DIM]
        mean = 0.0
        for i in range(dim):
            mean += W[(row + i) * width + row + i] / dim
        for i in range(dim):
            offset[row + i], bilateral[row + i] = 0.0, 0.0
            scale[row + i] = W[(row + i) * width + row + i]
            own = integers[at + ROW] + i
            lo, hi = numbers[integers[LOWER] + own], numbers[integers[UPPER] + own]
            if kind == EQ or (kind == BOX and lo == -math.inf and hi == math.inf):
                bilateral[row + i] = 1.0
            elif kind == CONE:
                scale[row + i] = mean  # one for the block: directions mix its rows
            if not scale[row + i] > 0.0:
                scale[row + i] = 1.0
        row += dim


@kernel
def lemke(integers, numbers, island, tolerance, budget):
    """One island. `budget`: pivots; a ray is FAILED, its impulses are those of the start.

    So is an answer that leaves more than a part of the velocities there are: rounding has ended
    elsewhere than at a solution.
    """
    own = integers[ISLAND] + ISLAND_RECORD * island
    directions = int(numbers[integers[OPTIONS] + CORNERS])
    rows = integers[own + ISLAND_ROWS]
    width = rows + 1
    n = lemke_size(integers, numbers, island, directions)
    needed = rows * width + 4 * rows + n * n + (2 + PLACES) * n + floats_of_pivoting(n)
    if needed > integers[MOST_DENSE]:
        integers[FULL] = MOST_DENSE
        return OVERFLOW
    place = integers[DENSE]
    W = vector_view(numbers, place, rows * width)
    place += rows * width
    bilateral = vector_view(numbers, place, rows)
    scale = vector_view(numbers, place + rows, rows)
    offset = vector_view(numbers, place + 2 * rows, rows)
    lam = vector_view(numbers, place + 3 * rows, rows)
    place += 4 * rows
    M = vector_view(numbers, place, n * n)
    place += n * n
    q = vector_view(numbers, place, n)
    z = vector_view(numbers, place + n, n)
    places = vector_view(numbers, place + 2 * n, PLACES * n)
    place += (2 + PLACES) * n
    scratch = vector_view(numbers, place, floats_of_pivoting(n))

    dense_delassus(integers, numbers, island, rows, width, W)
    speed = 0.0
    for i in range(rows):
        speed = max(speed, abs(W[i * width + rows]))
    mark_rows(integers, numbers, island, rows, width, W, bilateral, scale, offset)
    eliminate(rows, width, W, bilateral, scale)
    for i in range(n * n):
        M[i] = 0.0
    for i in range(n):
        q[i] = 0.0
    list_unknowns(integers, numbers, island, directions, scale, places, M, q, n, offset)
    fill_problem(rows, width, W, scale, offset, n, places, M, q)
    status, pivots = lemke_pivots(n, M, q, z, budget, scratch)
    integers[own + ITERATIONS] = pivots
    if status == SOLVED:
        gather(rows, width, W, bilateral, scale, offset, n, places, z, lam)
        spread(integers, numbers, island, lam)
        move(integers, numbers, island)
    left = pyramid_residual(integers, numbers, island)
    failed = status != SOLVED or not (left <= max(tolerance, NO_ANSWER * speed))
    if failed and status == SOLVED:
        copy_rows(integers, numbers, island, integers[LAM0], integers[LAM])
        move(integers, numbers, island)
        left = pyramid_residual(integers, numbers, island)
    numbers[integers[ISLAND_NUMBERS] + ISLAND_FLOATS * island + OWN_RESIDUAL] = left
    if failed:
        return FAILED
    return CONVERGED if left <= tolerance else STALLED


@kernel
def gather(rows, width, W, bilateral, scale, offset, n, places, z, lam):
    """Impulses of all rows from the unknowns; the bilateral ones from the others."""
    for r in range(rows):
        lam[r] = offset[r]
    for i in range(n):
        for s in range(2):
            row = int(places[PLACES * i + 2 * s])
            if row >= 0:
                lam[row] += places[PLACES * i + 2 * s + 1] * z[i] / math.sqrt(scale[row])
    for r in range(rows):
        if bilateral[r] == 2.0:
            # A solved row holds -lam = q + W lam of the others.
            total = W[r * width + rows]
            for c in range(rows):
                if bilateral[c] == 0.0:
                    total += W[r * width + c] * lam[c]
            lam[r] = -total


@kernel
def spread(integers, numbers, island, lam):
    """Impulses to where the problem keeps them."""
    row = 0
    for k in range(blocks_of(integers, island)):
        at = record_at(integers, island, k)
        for i in range(integers[at + DIM]):
            numbers[integers[LAM] + integers[at + ROW] + i] = lam[row]
            row += 1
