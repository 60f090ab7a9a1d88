"""The step of Newton's method in contact space, over the rows that are active.

With x impulses, u = W x + q and gamma(u) the answers of the blocks (`contact.proximal`), Newton's
method for A (v - v*) = J^T gamma, v = v* + A^-1 J^T x, is by Woodbury's identity

    (1 + G W) dx = gamma - x = e,         G = -d gamma / du.

Open rows have G = 0 and dx = e. For the others dx = B z + d; with C = 1 / G

    a row of EQ, UNI, BOX, and each of the three of a contact that sticks:  C dx + (W dx) = C e
    the normal of a contact that slides along t:                            the same
    across its sliding, s = n x t:                              dx_s / k + (W dx)_s = e_s / k

and a sliding contact has dx_t = mu dx_n + e_t - mu e_n: what would cancel with a small c is not
in the system. It is symmetric while nothing slides, and then factored as U^T U, else as L U with
the largest pivot of a column.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.blocks import block_at
from dalembert.contact.dense_response import ACTIVE, SPACE_BLOCK, SPACE_ROW, space_at
from dalembert.contact.layout import CONE, CURVATURE, DIM, KIND, MOST_ROWS, ROW, SPACE
from dalembert.numerics.runs import add_scaled

E, D, X, DX, FIXED, RIGHT, UNKNOWN, WIDE, SCALE, T1, T2, S1, S2, PIVOT = range(14)
"""Vectors over the rows of contact space: e, d, x, dx, W d; of the unknowns: right side, first row,
number of rows (1; 3 for a normal that takes friction along, 2 for a direction), C, and entries
beside 1 of its columns (T) and rows (S); rows exchanged."""


@kernel
def space_vector(integers, rows, k):
    """Where a vector over the rows of contact space starts in `numbers`."""
    return integers[SPACE] + rows * (2 * rows + k)


@kernel
def multiply(integers, numbers, rows, x, y):
    """y = W x; sums go from row to row, as W is symmetric."""
    W = integers[SPACE]
    for i in range(rows):
        numbers[y + i] = 0.0
    for j in range(rows):
        t = numbers[x + j]
        if t != 0.0:
            add_scaled(numbers, y, t, W + rows * j, rows)


@kernel
def active_rows(integers, numbers, at):
    """Which rows of a block answer: 0 open, 1 sticking, 2 sliding of a contact; else bits."""
    dim, G = integers[at + DIM], integers[CURVATURE] + MOST_ROWS * integers[at + ROW]
    if integers[at + KIND] == CONE:
        if numbers[G] == 0.0:
            return 0
        sticks = numbers[G + 3] > 0.0 and numbers[G + 4] == 0.0 and numbers[G + 3] == numbers[G + 5]
        return 1 if sticks and numbers[G + 6] == 0.0 and numbers[G + 7] == 0.0 else 2
    bits, one = 0, 1
    for i in range(dim):
        if numbers[G + i] != 0.0:
            bits += one
        one *= 2
    return bits


@kernel
def classify(integers, numbers, kept):
    """Note what answers. Returns whether anything changed, and whether a contact slides."""
    changed, slides = False, False
    for k in range(kept):
        own = space_at(integers, k)
        at = block_at(integers, integers[own + SPACE_BLOCK])
        now = active_rows(integers, numbers, at)
        changed = changed or now != integers[own + ACTIVE]
        slides = slides or (now == 2 and integers[at + KIND] == CONE)
        integers[own + ACTIVE] = now
    return changed, slides


@kernel
def _add_unknown(integers, numbers, rows, m, row, wide, scale):
    numbers[space_vector(integers, rows, UNKNOWN) + m] = row
    numbers[space_vector(integers, rows, WIDE) + m] = wide
    numbers[space_vector(integers, rows, SCALE) + m] = scale


@kernel
def unknowns(integers, numbers, kept, rows):
    """List the unknowns, their C e, and d. Returns how many."""
    e, d = space_vector(integers, rows, E), space_vector(integers, rows, D)
    right = space_vector(integers, rows, RIGHT)
    t1, t2 = space_vector(integers, rows, T1), space_vector(integers, rows, T2)
    s1, s2 = space_vector(integers, rows, S1), space_vector(integers, rows, S2)
    m = 0
    for k in range(kept):
        own = space_at(integers, k)
        at, first = block_at(integers, integers[own + SPACE_BLOCK]), integers[own + SPACE_ROW]
        G = integers[CURVATURE] + MOST_ROWS * integers[at + ROW]
        contact, now = integers[at + KIND] == CONE, integers[own + ACTIVE]
        for i in range(integers[at + DIM]):
            numbers[d + first + i] = numbers[e + first + i]
            g = numbers[G + i]
            if contact:
                g = numbers[G + (3 if i > 0 else 0)] if now == 1 else 0.0
            if g != 0.0:
                _add_unknown(integers, numbers, rows, m, first + i, 1, 1.0 / g)
                numbers[right + m] = numbers[e + first + i] / g
                numbers[d + first + i] = 0.0
                m += 1
        if contact and now == 2:
            q = 1.0 / numbers[G]
            x, y = q * numbers[G + 6], q * numbers[G + 7]
            a, b, c = numbers[e + first], numbers[e + first + 1], numbers[e + first + 2]
            _add_unknown(integers, numbers, rows, m, first, 3, q)
            numbers[t1 + m], numbers[t2 + m], numbers[s1 + m], numbers[s2 + m] = x, y, 0.0, 0.0
            numbers[right + m] = q * a
            numbers[d + first] = 0.0
            numbers[d + first + 1], numbers[d + first + 2] = b - x * a, c - y * a
            m += 1
            mu, k_s = math.sqrt(x * x + y * y), numbers[G + 3] + numbers[G + 5]
            if mu > 0.0 and k_s > 0.0:
                x, y = -y / mu, x / mu
                along = x * b + y * c
                _add_unknown(integers, numbers, rows, m, first + 1, 2, 1.0 / k_s)
                numbers[t1 + m], numbers[t2 + m], numbers[s1 + m], numbers[s2 + m] = x, y, x, y
                numbers[right + m] = along / k_s
                numbers[d + first + 1] -= along * x
                numbers[d + first + 2] -= along * y
                m += 1
    return m


@kernel
def _row(numbers, w, stride, wide, x, y):
    """An entry of W, or that of a normal with its friction, or of a direction of two rows."""
    if wide == 1:
        return numbers[w]
    if wide == 3:
        return numbers[w] + x * numbers[w + stride] + y * numbers[w + 2 * stride]
    return x * numbers[w] + y * numbers[w + stride]


@kernel
def assemble_active(integers, numbers, rows, m, slides):
    """The matrix over the unknowns, m x m; without sliding its upper half."""
    W, M = integers[SPACE], integers[SPACE] + rows * rows
    of, wide = space_vector(integers, rows, UNKNOWN), space_vector(integers, rows, WIDE)
    scale = space_vector(integers, rows, SCALE)
    t1, t2 = space_vector(integers, rows, T1), space_vector(integers, rows, T2)
    s1, s2 = space_vector(integers, rows, S1), space_vector(integers, rows, S2)
    for i in range(m):
        w, to = W + rows * int(numbers[of + i]), M + m * i
        if not slides:
            for j in range(i, m):
                numbers[to + j] = numbers[w + int(numbers[of + j])]
        else:
            two = numbers[wide + i] == 2
            for j in range(m):
                at, n = w + int(numbers[of + j]), int(numbers[wide + j])
                x, y = numbers[t1 + j], numbers[t2 + j]
                t = _row(numbers, at, 1, n, x, y)
                if two:
                    below = _row(numbers, at + rows, 1, n, x, y)
                    t = numbers[s1 + i] * t + numbers[s2 + i] * below
                numbers[to + j] = t
        numbers[to + i] += numbers[scale + i]


@kernel
def factor_active(integers, numbers, rows, m, slides):
    """U^T U with reciprocals on the diagonal, or L U with exchanged rows. False: it is singular."""
    M, pivot = integers[SPACE] + rows * rows, space_vector(integers, rows, PIVOT)
    if not slides:
        for k in range(m):
            at = M + m * k
            d = numbers[at + k]
            if not d > 0.0:
                return False
            d = 1.0 / math.sqrt(d)
            numbers[at + k] = d
            for j in range(k + 1, m):
                numbers[at + j] *= d
            for i in range(k + 1, m):
                add_scaled(numbers, M + (m + 1) * i, -numbers[at + i], at + i, m - i)
        return True
    for k in range(m):
        best, chosen = 0.0, k
        for i in range(k, m):
            if abs(numbers[M + m * i + k]) > best:
                best, chosen = abs(numbers[M + m * i + k]), i
        if not best > 0.0:
            return False
        numbers[pivot + k] = chosen
        if chosen != k:
            for j in range(m):
                t = numbers[M + m * k + j]
                numbers[M + m * k + j] = numbers[M + m * chosen + j]
                numbers[M + m * chosen + j] = t
        d = 1.0 / numbers[M + m * k + k]
        numbers[M + m * k + k] = d
        for i in range(k + 1, m):
            t = d * numbers[M + m * i + k]
            numbers[M + m * i + k] = t
            if t != 0.0:
                add_scaled(numbers, M + m * i + k + 1, -t, M + m * k + k + 1, m - k - 1)
    return True


@kernel
def solve_active(integers, numbers, rows, m, slides, z):
    """z <- M^-1 z."""
    M, pivot = integers[SPACE] + rows * rows, space_vector(integers, rows, PIVOT)
    if not slides:
        for k in range(m):
            t = numbers[z + k] * numbers[M + (m + 1) * k]
            numbers[z + k] = t
            add_scaled(numbers, z + k + 1, -t, M + m * k + k + 1, m - k - 1)
        for k in range(m - 1, -1, -1):
            t = numbers[z + k] * numbers[M + (m + 1) * k]
            numbers[z + k] = t
            for i in range(k):
                numbers[z + i] -= t * numbers[M + m * i + k]
        return
    for k in range(m):
        chosen = int(numbers[pivot + k])
        t = numbers[z + chosen]
        numbers[z + chosen] = numbers[z + k]
        numbers[z + k] = t
    for k in range(m):
        t = numbers[z + k]
        for i in range(k + 1, m):
            numbers[z + i] -= t * numbers[M + m * i + k]
    for k in range(m - 1, -1, -1):
        t = numbers[z + k] * numbers[M + (m + 1) * k]
        numbers[z + k] = t
        for i in range(k):
            numbers[z + i] -= t * numbers[M + m * i + k]


@kernel
def right_side(integers, numbers, rows, m):
    """C e - (W d) of every unknown."""
    d, fixed = space_vector(integers, rows, D), space_vector(integers, rows, FIXED)
    multiply(integers, numbers, rows, d, fixed)
    of, wide = space_vector(integers, rows, UNKNOWN), space_vector(integers, rows, WIDE)
    s1, s2 = space_vector(integers, rows, S1), space_vector(integers, rows, S2)
    right = space_vector(integers, rows, RIGHT)
    for i in range(m):
        at = fixed + int(numbers[of + i])
        if numbers[wide + i] == 2:
            x, y = numbers[s1 + i], numbers[s2 + i]
            numbers[right + i] -= x * numbers[at] + y * numbers[at + 1]
        else:
            numbers[right + i] -= numbers[at]


@kernel
def expand(integers, numbers, rows, m):
    """dx = B z + d, with z in RIGHT."""
    d, dx = space_vector(integers, rows, D), space_vector(integers, rows, DX)
    of, wide = space_vector(integers, rows, UNKNOWN), space_vector(integers, rows, WIDE)
    t1, t2 = space_vector(integers, rows, T1), space_vector(integers, rows, T2)
    z = space_vector(integers, rows, RIGHT)
    for i in range(rows):
        numbers[dx + i] = numbers[d + i]
    for k in range(m):
        at, t = dx + int(numbers[of + k]), numbers[z + k]
        if numbers[wide + k] == 2:
            numbers[at] += t * numbers[t1 + k]
            numbers[at + 1] += t * numbers[t2 + k]
        else:
            numbers[at] += t
            if numbers[wide + k] == 3:
                numbers[at + 1] += t * numbers[t1 + k]
                numbers[at + 2] += t * numbers[t2 + k]
