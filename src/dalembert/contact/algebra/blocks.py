"""Products with rows of blocks, J x, J^T f, A^-1 J^T f, and with A of cliques, factored.

Of J only the columns between the first and the last that is not zero are touched (`Block.span_*`,
written by `contact.algebra.prepare`): the way of a contact through a tree. Free bodies have six,
and code of their own.

A of a clique: A = L^T L with the sparsity of its tree, or A^-1 for six velocities.
Featherstone (2008), section 6.5: eliminating velocities from the leaves to the root creates no
entry that A does not have; L_ij is zero unless j is i or an ancestor of i. The diagonal holds the
reciprocals. With six velocities and no entries between the first and the last three, and the first
three alike, A is that of a free body, and its inverse is written down.

One row at a time:  u = J v + b,    s = u + R lam,    lam += x:  v += A^-1 J^T x
"""

import math

from dalembert._jit import apart, copied, kernel, packed_kernel
from dalembert.contact.problem.layout import Problem
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.six import add_six, factor, put_six, six, times_block, transposed_block
from dalembert.numerics.vector import Vec3, vec3
from dalembert.numerics.vector_rows import add_scaled


@kernel
def of_bodies(problem: Problem, block):
    """Whether there are nothing but cliques of six or the world."""
    a, b = block.clique_a, block.clique_b
    return (a < 0 or problem.clique(a).size == 6) and (b < 0 or problem.clique(b).size == 6)


@kernel
def is_simple(problem: Problem, block):
    """Whether there are three rows, and nothing but cliques of six or the world."""
    return block.dim == 3 and of_bodies(problem, block)


# -- three rows of six -----------------------------------------------------------------------------


@packed_kernel
def _three_six(J, j, v, start):
    """Three rows of six, from J[j] on, times six entries of a vector."""
    a = six(v, start)
    return Vec3(six(J, j).dot(a), six(J, j + 6).dot(a), six(J, j + 12).dot(a))


@packed_kernel
def _add_three_six(J, j, f, v, start):
    """Add three rows of six, from J[j] on, each times a number, to six entries of a vector."""
    add_six(v, start, f.x * six(J, j) + f.y * six(J, j + 6) + f.z * six(J, j + 12))


@kernel
def simple_times(problem: Problem, block, v):
    """J v of a block that `is_simple`."""
    a, b, J = block.clique_a, block.clique_b, problem.jacobian
    u = Vec3.zero()
    if a >= 0:
        u = _three_six(J, block.jacobian_a, v, problem.clique(a).start)
    if b >= 0:
        u = u + _three_six(J, block.jacobian_b, v, problem.clique(b).start)
    return u


@kernel
def _simple_add(problem: Problem, block, rows, f, v):
    """v += J^T f of a block that `is_simple`; `rows`: those of J or of J A^-1."""
    a, b = block.clique_a, block.clique_b
    if a >= 0:
        _add_three_six(rows, block.jacobian_a, f, v, problem.clique(a).start)
    if b >= 0:
        _add_three_six(rows, block.jacobian_b, f, v, problem.clique(b).start)


@kernel
def simple_add_response(problem: Problem, block, f, v):
    """v += A^-1 J^T f of a block that `is_simple`."""
    _simple_add(problem, block, problem.response, f, v)


# -- any rows --------------------------------------------------------------------------------------


@copied
def _add_times(J, first, end, v, u):
    """u += J v, of columns from `first` to `end`."""
    if len(u) == 3:
        # together, so that no sum waits for another
        a, b, c = 0.0, 0.0, 0.0
        for k in range(first, end):
            t = v[k]
            a += J[0, k] * t
            b += J[1, k] * t
            c += J[2, k] * t
        u[0] += a
        u[1] += b
        u[2] += c
        return
    for i in range(len(u)):
        t = 0.0
        for k in range(first, end):
            t += J[i, k] * v[k]
        u[i] += t


@kernel
def _add_transposed(J, first, end, f, v):
    """v += J^T f, of columns from `first` to `end`."""
    for i in range(len(f)):
        if f[i] != 0.0:
            add_scaled(v[first:end], f[i], J[i][first:end])


@copied
def block_times(problem: Problem, block, v, u):
    """u = J v of a block; v and u are vectors over velocities and rows."""
    own = block.of(u)
    if is_simple(problem, block):
        t = simple_times(problem, block, v)
        own[0], own[1], own[2] = t.x, t.y, t.z
        return
    for i in range(block.dim):
        own[i] = 0.0
    if block.clique_a >= 0:
        side = problem.clique(block.clique_a).of(v)
        _add_times(problem.J_a(block), block.span_start_a, block.span_end_a, side, own)
    if block.clique_b >= 0:
        side = problem.clique(block.clique_b).of(v)
        _add_times(problem.J_b(block), block.span_start_b, block.span_end_b, side, own)


@copied
def block_add_transposed(problem: Problem, block, f, v):
    """v += J^T f of a block; f and v are vectors over rows and velocities."""
    own = block.of(f)
    if is_simple(problem, block):
        t = vec3(own, 0)
        if t.x != 0.0 or t.y != 0.0 or t.z != 0.0:
            _simple_add(problem, block, problem.jacobian, t, v)
        return
    if block.clique_a >= 0:
        side = problem.clique(block.clique_a).of(v)
        _add_transposed(problem.J_a(block), block.span_start_a, block.span_end_a, own, side)
    if block.clique_b >= 0:
        side = problem.clique(block.clique_b).of(v)
        _add_transposed(problem.J_b(block), block.span_start_b, block.span_end_b, own, side)


@kernel
def block_add_response(problem: Problem, block, f, v):
    """v += A^-1 J^T f of a block; f and v are vectors over rows and velocities."""
    own = block.of(f)
    if is_simple(problem, block):
        t = vec3(own, 0)
        if t.x != 0.0 or t.y != 0.0 or t.z != 0.0:
            simple_add_response(problem, block, t, v)
        return
    if block.clique_a >= 0:
        clique = problem.clique(block.clique_a)
        _add_transposed(problem.Y_a(block), 0, clique.size, own, clique.of(v))
    if block.clique_b >= 0:
        clique = problem.clique(block.clique_b)
        _add_transposed(problem.Y_b(block), 0, clique.size, own, clique.of(v))


# -- A of a clique, factored: A = L^T L with the sparsity of its tree, or A^-1 for six velocities --


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
    if between == 0.0:
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
        if x[i] != 0.0:
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


# -- one row of a block at a time: its velocity, and what an impulse on it does --------------------


@kernel
def row_times(problem: Problem, block, row, v):
    """J v of one row of a block; v is a vector over velocities."""
    total = 0.0
    if block.clique_a >= 0:
        total = dot_onto(problem.J_a(block)[row], problem.clique(block.clique_a).of(v), total)
    if block.clique_b >= 0:
        total = dot_onto(problem.J_b(block)[row], problem.clique(block.clique_b).of(v), total)
    return total


@kernel
def dot_onto(J, v, total):
    """total + J . v, one product after the other."""
    for k in range(len(v)):
        total += J[k] * v[k]
    return total


@kernel
def row_velocity(problem: Problem, block, row):
    """u = J v + b of one row of a block."""
    return problem.bias[block.row + row] + row_times(problem, block, row, problem.v)


@kernel
def law_velocity(problem: Problem, block, row):
    """s = u + R lam of one row of a block, which its law is about."""
    own, v = block.row + row, problem.v
    u = problem.bias[own]
    u += problem.compliance[own] * problem.lam[own]
    if block.clique_a >= 0:
        u += dot_onto(problem.J_a(block)[row], problem.clique(block.clique_a).of(v), 0.0)
    if block.clique_b >= 0:
        u += dot_onto(problem.J_b(block)[row], problem.clique(block.clique_b).of(v), 0.0)
    return u


@kernel
def _push_half(y, v, change):
    """v += y change on one side."""
    for k in range(len(v)):
        v[k] += y[k] * change


@kernel
def push_row(problem: Problem, block, row, change):
    """lam_row += change, and what v does."""
    v = problem.v
    problem.lam[block.row + row] += change
    if block.clique_a >= 0:
        _push_half(problem.Y_a(block)[row], problem.clique(block.clique_a).of(v), change)
    if block.clique_b >= 0:
        _push_half(problem.Y_b(block)[row], problem.clique(block.clique_b).of(v), change)


@kernel
def diagonal(problem: Problem, block, row, column):
    """Entry of J A^-1 J^T + R of a block."""
    entry = block.square(problem.delassus)[row, column]
    if row == column:
        entry += problem.compliance[block.row + row]
    return entry
