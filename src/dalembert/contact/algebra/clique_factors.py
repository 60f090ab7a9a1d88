"""A of a clique, factored: A = L^T L with the sparsity of its tree, or A^-1 for six velocities.

Featherstone (2008), section 6.5: eliminating velocities from the leaves to the root creates no
entry that A does not have; L_ij is zero unless j is i or an ancestor of i. The diagonal holds the
reciprocals. With six velocities and no entries between the first and the last three, and the first
three alike, A is that of a free body, and its inverse is written down.
"""

import math

from dalembert._jit import apart, copied, kernel
from dalembert.contact.algebra.blocks import is_nothing
from dalembert.contact.problem.layout import Problem
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.six import factor, put_six, six, times_block, transposed_block
from dalembert.numerics.vector_rows import add_scaled


@kernel
def factor_clique(problem: Problem, clique):
    """Fill the factor of a clique. False: A is not positive definite."""
    A, L = problem.A(clique), problem.A_factor(clique)
    if clique.size == 6:
        return _invert_six(A, clique.square(problem.matrix_factor))
    find_runs(problem, clique)
    return factor_tree(clique.of(problem.parent), clique.of(problem.run_start), A, L)


@copied
def _invert_six(A, X):
    """X = A^-1 of a clique of six; X row by row."""
    between = 0.0
    for i in range(3):
        for j in range(3, 6):
            between += abs(A[i, j])
    between += abs(A[0, 1]) + abs(A[0, 2]) + abs(A[1, 2])
    for k in range(36):
        X[k] = 0.0
    if is_nothing(between):
        T = Sym3(A[3, 3], A[4, 4], A[5, 5], A[3, 4], A[3, 5], A[4, 5])
        S, determinant = T.inverse()
        if not (A[0, 0] > 0.0 and A[1, 1] > 0.0 and A[2, 2] > 0.0):
            return False
        if not (T.xx > 0.0 and determinant > 0.0):
            return False
        X[0], X[7], X[14] = 1.0 / A[0, 0], 1.0 / A[1, 1], 1.0 / A[2, 2]
        X[21], X[22], X[23] = S.xx, S.xy, S.xz
        X[27], X[28], X[29] = S.xy, S.yy, S.yz
        X[33], X[34], X[35] = S.xz, S.yz, S.zz
        return True
    for i in range(6):
        for j in range(6):
            X[6 * i + j] = A[i, j]
    if not (factor(X) > 0.0):
        return False
    # A^-1 = L^-T L^-1, column by column; the lower triangle is read before it is overwritten.
    for i in range(6):
        for j in range(i + 1):
            t = 0.0
            for k in range(i, 6):
                t += X[6 * k + i] * X[6 * k + j]
            # Entry (i, j), j <= i, of the inverse needs rows >= i of L^-1 only.
            if i != j:
                X[6 * j + i] = t
            else:
                X[7 * i] = t
        for j in range(i):
            X[6 * i + j] = X[6 * j + i]
    return True


@kernel
def find_runs(problem: Problem, clique):
    """Starts of the runs of a clique: the way to the root is a few rows of neighbours."""
    parents, starts, start = clique.of(problem.parent), clique.of(problem.run_start), 0
    for i in range(clique.size):
        if parents[i] != i - 1:
            start = i
        starts[i] = start


@apart(bool)
def factor_tree(parents, starts, A, L):
    """L of A = L^T L; see Featherstone, table 6.3."""
    size = len(parents)
    for k in range(size):
        i = k
        while i >= 0:
            start = starts[i]
            for j in range(start, i + 1):
                L[k, j] = A[k, j]
            i = parents[start]
    for k in range(size - 1, -1, -1):
        row = L[k]
        if not (row[k] > 0.0):
            return False
        scale = 1.0 / math.sqrt(row[k])
        row[k] = scale
        i = parents[k]
        while i >= 0:
            start = starts[i]
            for j in range(start, i + 1):
                row[j] *= scale
            i = parents[start]
        i = parents[k]
        while i >= 0:
            j = i
            while j >= 0:
                start = starts[j]
                add_scaled(L[i][start : j + 1], -row[i], row[start : j + 1])
                j = parents[start]
            i = parents[i]
    return True


@apart(None)
def half_solve(problem: Problem, clique, x):
    """x <- L^-T x for a clique of other than six velocities; zeros stay zeros."""
    parents, starts = clique.of(problem.parent), clique.of(problem.run_start)
    to_root(parents, starts, problem.A_factor(clique), x)


@kernel
def to_root(parents, starts, L, x):
    """x <- L^-T x with a factor along a tree."""
    for i in range(len(parents) - 1, -1, -1):
        if not is_nothing(x[i]):
            t = x[i] * L[i, i]
            x[i] = t
            j = parents[i]
            while j >= 0:
                start = starts[j]
                add_scaled(x[start : j + 1], -t, L[i][start : j + 1])
                j = parents[start]


@apart(None)
def other_half(problem: Problem, clique, x):
    """x <- L^-1 x for a clique of other than six velocities."""
    parents, starts = clique.of(problem.parent), clique.of(problem.run_start)
    from_root(parents, starts, problem.A_factor(clique), x)


@kernel
def from_root(parents, starts, L, x):
    """x <- L^-1 x with a factor along a tree."""
    for i in range(len(parents)):
        t = x[i]
        j = parents[i]
        while j >= 0:
            start = starts[j]
            for n in range(start, j + 1):
                t -= L[i, n] * x[n]
            j = parents[start]
        x[i] = t * L[i, i]


@kernel
def solve_clique(problem: Problem, clique, x):
    """x <- A^-1 x, of the velocities of a clique."""
    if clique.size == 6:
        put_six(x, 0, transposed_block(clique.square(problem.matrix_factor), six(x, 0)))
    else:
        half_solve(problem, clique, x)
        other_half(problem, clique, x)


@kernel
def times_clique(problem: Problem, clique, x, y):
    """y = A x, of the velocities of a clique."""
    if clique.size == 6:
        put_six(y, 0, times_block(clique.square(problem.matrix), six(x, 0)))
    else:
        # A is symmetric: by its rows, sums do not wait for one another
        A = problem.A(clique)
        for i in range(clique.size):
            y[i] = 0.0
        for j in range(clique.size):
            add_scaled(y, x[j], A[j])
