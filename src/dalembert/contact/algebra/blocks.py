"""Products with rows of blocks: J x, J^T f, A^-1 J^T f, and one row by itself.

Of J only the columns between the first and the last that is not zero are touched (`Block.span_*`,
written by `contact.algebra.prepare`): the way of a contact through a tree. Free bodies have six,
and code of their own.

One row at a time:  u = J v + b,    s = u + R lam,    lam += x:  v += A^-1 J^T x
"""

from dalembert._jit import copied, in_traces, kernel, packed_kernel
from dalembert.contact.problem.layout import Problem
from dalembert.numerics.six import add_six, six
from dalembert.numerics.vector import Vec3, vec3
from dalembert.numerics.vector_rows import add_scaled


@kernel
def is_nothing(x):
    """Whether an entry is zero, so that its products can be left out."""
    return x == 0.0


@in_traces(is_nothing)
def is_always_nothing(x):
    """`is_nothing` of what is zero in every world."""
    return x.data == 0.0 if getattr(x, "op", "") == "constant" else not hasattr(x, "op") and x == 0


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
        if not is_nothing(f[i]):
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
