"""One row of a block at a time: its velocity, and what an impulse on it does.

u = J v + b,    s = u + R lam,    lam += x:  v += A^-1 J^T x
"""

from dalembert._jit import kernel
from dalembert.contact.problem.layout import Problem


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
