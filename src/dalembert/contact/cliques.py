"""A of a clique, factored: A = L^T L with the sparsity of its tree, or A^-1 for six velocities.

Featherstone (2008), section 6.5: eliminating velocities from the leaves to the root creates no
entry that A does not have; L_ij is zero unless j is i or an ancestor of i. The diagonal holds the
reciprocals. With six velocities and no entries between the first and the last three, and the first
three alike, A is that of a free body, and its inverse is written down.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.layout import (
    CLIQUE,
    CLIQUE_RECORD,
    MATRIX,
    MATRIX_FACTOR,
    MATRIX_START,
    PARENT,
    RUN_START,
    SIZE,
    START,
)
from dalembert.numerics.runs import add_scaled
from dalembert.numerics.six import factor, put_six, six, times_block, transposed_block
from dalembert.numerics.small import inverse


@kernel
def factor_clique(integers, numbers, clique):
    """Fill MATRIX_FACTOR of a clique. False: A is not positive definite."""
    at = integers[CLIQUE] + CLIQUE_RECORD * clique
    size = integers[at + SIZE]
    A = integers[MATRIX] + integers[at + MATRIX_START]
    L = integers[MATRIX_FACTOR] + integers[at + MATRIX_START]
    if size == 6:
        return _invert_six(numbers, A, L)
    find_runs(integers, clique)
    return factor_tree(numbers, integers, integers[at + START], size, A, L)


@kernel
def _invert_six(numbers, A, X):
    """X = A^-1 of a clique of six."""
    between = 0.0
    for i in range(3):
        for j in range(3, 6):
            between += abs(numbers[A + 6 * i + j])
    between += abs(numbers[A + 1]) + abs(numbers[A + 2]) + abs(numbers[A + 8])
    for k in range(36):
        numbers[X + k] = 0.0
    if between == 0.0:
        a, b, c = numbers[A], numbers[A + 7], numbers[A + 14]
        T = (
            numbers[A + 21],
            numbers[A + 28],
            numbers[A + 35],
            numbers[A + 22],
            numbers[A + 23],
            numbers[A + 29],
        )
        S, determinant = inverse(T)
        if not (a > 0.0 and b > 0.0 and c > 0.0 and T[0] > 0.0 and determinant > 0.0):
            return False
        numbers[X], numbers[X + 7], numbers[X + 14] = 1.0 / a, 1.0 / b, 1.0 / c
        numbers[X + 21], numbers[X + 22], numbers[X + 23] = S[0], S[3], S[4]
        numbers[X + 27], numbers[X + 28], numbers[X + 29] = S[3], S[1], S[5]
        numbers[X + 33], numbers[X + 34], numbers[X + 35] = S[4], S[5], S[2]
        return True
    for k in range(36):
        numbers[X + k] = numbers[A + k]
    if not (factor(numbers, X) > 0.0):
        return False
    # A^-1 = L^-T L^-1, column by column; the lower triangle is read before it is overwritten.
    for i in range(6):
        for j in range(i + 1):
            t = 0.0
            for k in range(i, 6):
                t += numbers[X + 6 * k + i] * numbers[X + 6 * k + j]
            # Entry (i, j), j <= i, of the inverse needs rows >= i of L^-1 only.
            if i != j:
                numbers[X + 6 * j + i] = t
            else:
                numbers[X + 7 * i] = t
        for j in range(i):
            numbers[X + 6 * i + j] = numbers[X + 6 * j + i]
    return True


@kernel
def find_runs(integers, clique):
    """RUN_START of a clique: the way to the root is a few rows of neighbours."""
    at = integers[CLIQUE] + CLIQUE_RECORD * clique
    parents = integers[PARENT] + integers[at + START]
    starts, start = integers[RUN_START] + integers[at + START], 0
    for i in range(integers[at + SIZE]):
        if integers[parents + i] != i - 1:
            start = i
        integers[starts + i] = start


@kernel
def factor_tree(numbers, integers, first, size, A, L):
    """L of A = L^T L; see Featherstone, table 6.3. The clique begins with velocity `first`."""
    parents, starts = integers[PARENT] + first, integers[RUN_START] + first
    for k in range(size):
        i = k
        while i >= 0:
            start = integers[starts + i]
            for j in range(size * k + start, size * k + i + 1):
                numbers[L + j] = numbers[A + j]
            i = integers[parents + start]
    for k in range(size - 1, -1, -1):
        row = L + size * k
        d = numbers[row + k]
        if not (d > 0.0):
            return False
        scale = 1.0 / math.sqrt(d)
        numbers[row + k] = scale
        i = integers[parents + k]
        while i >= 0:
            start = integers[starts + i]
            for j in range(row + start, row + i + 1):
                numbers[j] *= scale
            i = integers[parents + start]
        i = integers[parents + k]
        while i >= 0:
            t = numbers[row + i]
            j = i
            while j >= 0:
                start = integers[starts + j]
                add_scaled(numbers, L + size * i + start, -t, row + start, j + 1 - start)
                j = integers[parents + start]
            i = integers[parents + i]
    return True


@kernel
def half_solve(integers, numbers, clique, x):
    """x <- L^-T x for a clique of other than six velocities; zeros stay zeros."""
    at = integers[CLIQUE] + CLIQUE_RECORD * clique
    L = integers[MATRIX_FACTOR] + integers[at + MATRIX_START]
    to_root(integers, numbers, integers[at + START], integers[at + SIZE], L, x)


@kernel
def to_root(integers, numbers, first, size, L, x):
    """x <- L^-T x with a factor along a tree, of the velocities from `first` on."""
    parents, starts = integers[PARENT] + first, integers[RUN_START] + first
    for i in range(size - 1, -1, -1):
        if numbers[x + i] != 0.0:
            t = numbers[x + i] * numbers[L + size * i + i]
            numbers[x + i] = t
            j = integers[parents + i]
            while j >= 0:
                start = integers[starts + j]
                add_scaled(numbers, x + start, -t, L + size * i + start, j + 1 - start)
                j = integers[parents + start]


@kernel
def other_half(integers, numbers, clique, x):
    """x <- L^-1 x for a clique of other than six velocities."""
    at = integers[CLIQUE] + CLIQUE_RECORD * clique
    L = integers[MATRIX_FACTOR] + integers[at + MATRIX_START]
    from_root(integers, numbers, integers[at + START], integers[at + SIZE], L, x)


@kernel
def from_root(integers, numbers, first, size, L, x):
    """x <- L^-1 x with a factor along a tree, of the velocities from `first` on."""
    parents, starts = integers[PARENT] + first, integers[RUN_START] + first
    for i in range(size):
        t = numbers[x + i]
        j = integers[parents + i]
        while j >= 0:
            start = integers[starts + j]
            for n in range(start, j + 1):
                t -= numbers[L + size * i + n] * numbers[x + n]
            j = integers[parents + start]
        numbers[x + i] = t * numbers[L + size * i + i]


@kernel
def solve_clique(integers, numbers, clique, x):
    """x <- A^-1 x, at an offset of `numbers`."""
    at = integers[CLIQUE] + CLIQUE_RECORD * clique
    if integers[at + SIZE] == 6:
        X = integers[MATRIX_FACTOR] + integers[at + MATRIX_START]
        put_six(numbers, x, transposed_block(numbers, X, six(numbers, x)))
    else:
        half_solve(integers, numbers, clique, x)
        other_half(integers, numbers, clique, x)


@kernel
def times_clique(integers, numbers, clique, x, y):
    """y = A x, both at offsets of `numbers`."""
    at = integers[CLIQUE] + CLIQUE_RECORD * clique
    size, A = integers[at + SIZE], integers[MATRIX] + integers[at + MATRIX_START]
    if size == 6:
        put_six(numbers, y, times_block(numbers, A, six(numbers, x)))
    else:
        # A is symmetric: by its rows, sums do not wait for one another
        for i in range(size):
            numbers[y + i] = 0.0
        for j in range(size):
            t = numbers[x + j]
            add_scaled(numbers, y, t, A + size * j, size)
