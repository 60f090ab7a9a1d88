"""The step of Newton's method in contact space, over the rows that are active.

With x impulses, u = W x + q and gamma(u) the answers of the blocks (`contact.solvers.proximal`),
Newton's method for A (v - v*) = J^T gamma, v = v* + A^-1 J^T x, is by Woodbury's identity

    (1 + G W) dx = gamma - x = e,         G = -d gamma / du.

Open rows have G = 0 and dx = e. For the others dx = B z + d; with C = 1 / G

    a row of EQ, UNI, BOX, and each of the three of a contact that sticks:  C dx + (W dx) = C e
    the normal of a contact that slides along t:                            the same
    across its sliding, s = n x t:                              dx_s / k + (W dx)_s = e_s / k

and a sliding contact has dx_t = mu dx_n + e_t - mu e_n: what would cancel with a small c is not
in the system. It is symmetric while nothing slides, and then factored as U^T U; else it is
eliminated with its right side, by the largest pivot of a column.
"""

import math

from dalembert._jit import kernel
from dalembert._native import matrix_view
from dalembert.contact.algebra.space import EIGHT, space_of, unknowns_of
from dalembert.contact.problem.layout import CONE, Problem
from dalembert.contact.solvers.dense.response import space_block
from dalembert.numerics.vector_rows import add_scaled, add_scaled_whole


@kernel
def multiply(W, x, y):
    """y = W x in whole rows; sums go from row to row, as W is symmetric."""
    for i in range(len(y)):
        y[i] = 0.0
    for j in range(len(x)):
        if x[j] != 0.0:
            add_scaled_whole(y, x[j], W[j])


@kernel
def active_rows(problem: Problem, block):
    """Which rows of a block answer: 0 open, 1 sticking, 2 sliding of a contact; else bits."""
    if block.kind == CONE:
        G = problem.cone_curvature(block)
        S, beyond = G.symmetric, G.beyond
        if S.xx == 0.0:
            return 0
        sticks = S.yy > 0.0 and S.yz == 0.0 and S.yy == S.zz
        return 1 if sticks and beyond.x == 0.0 and beyond.y == 0.0 else 2
    diagonal, bits, one = block.room(problem.curvature), 0, 1
    for i in range(block.dim):
        if diagonal[i] != 0.0:
            bits += one
        one *= 2
    return bits


@kernel
def classify(problem: Problem):
    """Note what answers. Returns whether anything changed, and whether a contact slides."""
    changed, slides = False, False
    for k in range(problem.space_blocks):
        own = space_block(problem, k)
        block = problem.block(own.number)
        now = active_rows(problem, block)
        changed = changed or now != own.active
        slides = slides or (now == 2 and block.kind == CONE)
        own.active = now
    return changed, slides


# -- the unknowns ----------------------------------------------------------------------------------


@kernel
def unknowns(problem: Problem):
    """List the unknowns, their C e, and d. Returns how many."""
    m = 0
    for k in range(problem.space_blocks):
        own = space_block(problem, k)
        block = problem.block(own.number)
        if block.kind != CONE:
            G = block.room(problem.curvature)
            for i in range(block.dim):
                m = _one_row(problem, m, own.row + i, G[i])
        elif own.active == 2:
            m = _sliding(problem, m, own.row, problem.cone_curvature(block))
        else:
            S, sticks = problem.cone_curvature(block).symmetric, own.active == 1
            m = _one_row(problem, m, own.row, S.xx if sticks else 0.0)
            m = _one_row(problem, m, own.row + 1, S.yy if sticks else 0.0)
            m = _one_row(problem, m, own.row + 2, S.yy if sticks else 0.0)
    return m


@kernel
def _add_unknown(problem: Problem, m, row, wide, scale, right):
    """The unknown m."""
    space = space_of(problem)
    unknowns_of(problem)[m], space.wide[m] = row, wide
    space.scale[m], space.right[m] = scale, right


@kernel
def _one_row(problem: Problem, m, row, g):
    """An unknown of one row where it answers; else its d. Returns the next unknown."""
    space = space_of(problem)
    if g == 0.0:
        space.d[row] = space.e[row]
        return m
    _add_unknown(problem, m, row, 1, 1.0 / g, space.e[row] / g)
    space.d[row] = 0.0
    return m + 1


@kernel
def _sliding(problem: Problem, m, row, G):
    """Unknowns of a contact that slides: its normal, and what is across. Returns the next one."""
    space, S, beyond = space_of(problem), G.symmetric, G.beyond
    e, d = space.e, space.d
    q = 1.0 / S.xx
    x, y = q * beyond.x, q * beyond.y
    a, b, c = e[row], e[row + 1], e[row + 2]
    _add_unknown(problem, m, row, 3, q, q * a)
    space.t1[m], space.t2[m], space.s1[m], space.s2[m] = x, y, 0.0, 0.0
    d[row], d[row + 1], d[row + 2] = 0.0, b - x * a, c - y * a
    m += 1
    mu, k = math.sqrt(x * x + y * y), S.yy + S.zz
    if mu > 0.0 and k > 0.0:
        x, y = -y / mu, x / mu
        along = x * b + y * c
        _add_unknown(problem, m, row + 1, 2, 1.0 / k, along / k)
        space.t1[m], space.t2[m], space.s1[m], space.s2[m] = x, y, x, y
        d[row + 1] -= along * x
        d[row + 2] -= along * y
        m += 1
    return m


# -- the matrix over the unknowns ------------------------------------------------------------------


@kernel
def _entry(row, at, wide, x, y):
    """An entry of W, or that of a normal with its friction, or of a direction of two rows."""
    if wide == 1:
        return row[at]
    if wide == 3:
        return row[at] + x * row[at + 1] + y * row[at + 2]
    return x * row[at] + y * row[at + 1]


@kernel
def _matrix(problem: Problem, m, slides):
    """The matrix over the unknowns; with sliding the right side is a column behind it."""
    wide = (m // EIGHT + 1) * EIGHT if slides else m
    return matrix_view(space_of(problem).active, 0, m, wide)


@kernel
def assemble_active(problem: Problem, m, slides):
    """The matrix over the unknowns, m x m; without sliding its upper half."""
    M = _matrix(problem, m, slides)
    if slides:
        _assemble_sliding(problem, M)
        return
    space, unknown = space_of(problem), unknowns_of(problem)
    W, scale = space.W, space.scale
    for i in range(m):
        row, to = W[unknown[i]], M[i]
        for j in range(i, m):
            to[j] = row[unknown[j]]
        to[i] += scale[i]


@kernel
def _assemble_sliding(problem: Problem, M):
    """The whole matrix, with the right side behind it and zeros up to the end of a row."""
    space, unknown, m = space_of(problem), unknowns_of(problem), len(M)
    W, wide, t1, t2 = space.W, space.wide, space.t1, space.t2
    across = space.dx
    for i in range(m):
        of, to = unknown[i], M[i]
        row = W[of]
        if wide[i] == 2:
            for j in range(len(across)):
                across[j] = 0.0
            add_scaled_whole(across, space.s1[i], W[of])
            add_scaled_whole(across, space.s2[i], W[of + 1])
            row = across
        for j in range(m):
            to[j] = _entry(row, unknown[j], wide[j], t1[j], t2[j])
        to[i] += space.scale[i]
        to[m] = space.right[i]
        for j in range(m + 1, len(to)):
            to[j] = 0.0


@kernel
def factor_active(problem: Problem, m, slides):
    """U^T U with reciprocals on the diagonal, or U and the right side. False: it is singular."""
    M = _matrix(problem, m, slides)
    return _eliminate(M) if slides else _factor_symmetric(M)


@kernel
def _factor_symmetric(M):
    """U^T U = M in its upper half."""
    m = len(M)
    for k in range(m):
        row = M[k]
        if not row[k] > 0.0:
            return False
        d = 1.0 / math.sqrt(row[k])
        row[k] = d
        for j in range(k + 1, m):
            row[j] *= d
        for i in range(k + 1, m):
            add_scaled(M[i][i:m], -row[i], row[i:m])
    return True


@kernel
def _eliminate(M):
    """U and the right side, by the largest pivot of each column; reciprocals on the diagonal.

    What is left of its diagonal is not looked at again, so that whole rows are subtracted.
    """
    m = len(M)
    for k in range(m):
        best, chosen = 0.0, k
        for i in range(k, m):
            if abs(M[i, k]) > best:
                best, chosen = abs(M[i, k]), i
        if not best > 0.0:
            return False
        first = k // EIGHT * EIGHT
        row = M[k][first:]
        if chosen != k:
            other = M[chosen][first:]
            for j in range(len(row)):
                row[j], other[j] = other[j], row[j]
        d = 1.0 / M[k, k]
        for i in range(k + 1, m):
            t = d * M[i, k]
            if t != 0.0:
                add_scaled_whole(M[i][first:], -t, row)
        M[k, k] = d
    return True


@kernel
def solve_active(problem: Problem, m, slides):
    """The right side becomes the unknowns z."""
    M, z = _matrix(problem, m, slides), space_of(problem).right
    if slides:
        for k in range(m):
            z[k] = M[k, m]
    else:
        for k in range(m):
            t = z[k] * M[k, k]
            z[k] = t
            add_scaled(z[k + 1 : m], -t, M[k][k + 1 : m])
    _substitute_back(M, z)


@kernel
def _substitute_back(M, z):
    """z <- U^-1 z."""
    for k in range(len(M) - 1, -1, -1):
        t = z[k] * M[k, k]
        z[k] = t
        for i in range(k):
            z[i] -= t * M[i, k]


@kernel
def right_side(problem: Problem, m):
    """C e - (W d) of every unknown."""
    space = space_of(problem)
    fixed, right, s1, s2 = space.fixed, space.right, space.s1, space.s2
    unknown = unknowns_of(problem)
    multiply(space.W, space.d, fixed)
    for i in range(m):
        at = unknown[i]
        if space.wide[i] == 2:
            right[i] -= s1[i] * fixed[at] + s2[i] * fixed[at + 1]
        else:
            right[i] -= fixed[at]


@kernel
def expand(problem: Problem, m):
    """dx = B z + d."""
    space = space_of(problem)
    d, dx, z, t1, t2 = space.d, space.dx, space.right, space.t1, space.t2
    unknown = unknowns_of(problem)
    for i in range(len(d)):
        dx[i] = d[i]
    for k in range(m):
        at, t, wide = unknown[k], z[k], space.wide[k]
        if wide == 2:
            dx[at] += t * t1[k]
            dx[at + 1] += t * t2[k]
        else:
            dx[at] += t
            if wide == 3:
                dx[at + 1] += t * t1[k]
                dx[at + 2] += t * t2[k]
