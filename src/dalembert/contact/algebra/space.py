"""Contact space: W = J A^-1 J^T of an island with few rows, and vectors over its rows.

    A = L^T L,      Y = J L^-1,      W = Y Y^T

Rows of W and of Y^T are as long as the next multiple of eight, and zero behind their end: a whole
row is taken at a time. Where a problem is a single tree all its rows are turned into Y together, a
velocity at a time, as is done with one vector (`clique_factors.to_root`); otherwise each block by
itself (`contact.algebra.prepare`).
"""

from dalembert._jit import apart, kernel
from dalembert._memory import Part, over
from dalembert._native import matrix_view
from dalembert._records import Matrix, Numbers
from dalembert.contact.algebra.blocks import is_nothing
from dalembert.contact.algebra.clique_factors import from_root
from dalembert.contact.problem.layout import ROLL, SPACE_VELOCITIES, Problem
from dalembert.numerics.vector_rows import add_scaled_whole, dot_whole, scale_whole

EIGHT = 8
"""Entries of a row that are taken at a time."""


class Space(Part, of=Problem):
    """Contact space: W, and vectors over its rows."""

    W: Matrix = over("space_rows", "space_wide")
    active: Numbers = over("space_rows * (space_wide + 8)")  # matrix over the unknowns
    e: Numbers = over("space_rows")  # gamma - x
    d: Numbers = over("space_rows")
    x: Numbers = over("space_rows")  # impulses
    dx: Numbers = over("space_wide")
    fixed: Numbers = over("space_wide")  # W d
    right: Numbers = over("space_rows")  # right side of the unknowns, then they themselves
    wide: Numbers = over(
        "space_rows"
    )  # rows of an unknown: 1; 3 a normal with its friction; 2 a direction
    scale: Numbers = over("space_rows")  # C
    t1: Numbers = over("space_rows")  # entries beside 1 of its column
    t2: Numbers = over("space_rows")
    s1: Numbers = over("space_rows")  # entries of its row
    s2: Numbers = over("space_rows")
    turned: Numbers = over("few_velocities * space_wide")  # Y^T where all rows are of one tree


@kernel
def space_of(problem: Problem):
    """Contact space of the island at hand."""
    return Space(problem, problem.space)


@kernel
def unknowns_of(problem: Problem):
    """First row of each unknown."""
    return problem.space_list[len(problem.space_list) - problem.few_rows :]


@kernel
def enter_space(problem: Problem, blocks, rows):
    """Contact space has so many blocks and rows."""
    problem.space_blocks, problem.space_rows = blocks, rows
    problem.space_wide = (rows + EIGHT - 1) // EIGHT * EIGHT


@kernel
def turned_rows(problem: Problem, size):
    """Y^T, of so many velocities."""
    return matrix_view(space_of(problem).turned, 0, size, problem.space_wide)


# -- a problem that is a single tree ---------------------------------------------------------------


@kernel
def is_one_tree(problem: Problem):
    """Whether a problem is one tree with few rows, none of which resists to turning."""
    if problem.cliques != 1 or problem.rows > problem.few_rows or problem.blocks == 0:
        return False
    size = problem.clique(0).size
    if size == EIGHT - 2 or size > SPACE_VELOCITIES:
        return False
    for i in range(problem.blocks):
        block = problem.block(i)
        if block.kind == ROLL or (block.clique_a >= 0 and block.clique_b >= 0):
            return False
    return True


@apart(None)
def respond_together(problem: Problem):
    """Y^T and W of a single tree, whose A is factored."""
    enter_space(problem, problem.blocks, problem.rows)
    clique = problem.clique(0)
    turned = turned_rows(problem, clique.size)
    parents, L = clique.of(problem.parent), problem.A_factor(clique)
    turn_rows(problem, turned)
    for i in range(clique.size - 1, -1, -1):
        row, j = turned[i], parents[i]
        scale_whole(row, L[i, i])
        while j >= 0:
            add_scaled_whole(turned[j], -L[i, j], row)
            j = parents[j]
    multiply_turned(problem, turned)


@kernel
def turn_rows(problem: Problem, turned):
    """J^T of all blocks, and where the columns of each begin and end."""
    for i in range(problem.blocks):
        block = problem.block(i)
        if block.clique_a >= 0:
            J = problem.J_a(block)
            block.span_start_a, block.span_end_a = span_of(J)
        else:
            J = problem.J_b(block)
            block.span_start_b, block.span_end_b = span_of(J)
        for c in range(len(turned)):
            own = turned[c][block.row : block.end]
            if len(own) == 3:
                own[0], own[1], own[2] = J[0, c], J[1, c], J[2, c]
            else:
                for r in range(len(own)):
                    own[r] = J[r, c]
    for c in range(len(turned)):
        row = turned[c]
        for j in range(problem.rows, len(row)):
            row[j] = 0.0


@kernel
def span_of(J):
    """First column that is not zero, and the one behind the last."""
    first, end = J.shape[1], 0
    for i in range(J.shape[0]):
        row, k = J[i], J.shape[1]
        while k > end and is_nothing(row[k - 1]):
            k -= 1
        end, k = max(end, k), 0
        while k < first and is_nothing(row[k]):
            k += 1
        first = min(first, k)
    # a side may have no entry at all, as that of a drive on a joint that meets another's axis
    return min(first, end), end


@kernel
def multiply_turned(problem: Problem, turned):
    """W from the rows of Y^T: each adds its products to the rows of W in which it has an entry."""
    W, rows = space_of(problem).W, problem.space_rows
    for i in range(rows):
        row = W[i]
        for j in range(len(row)):
            row[j] = 0.0
    for c in range(len(turned) - 1, -1, -1):
        row = turned[c]
        for i in range(rows):
            y = row[i]
            if not is_nothing(y):
                # up to the diagonal of W and a few entries more
                add_scaled_whole(W[i][0 : i // EIGHT * EIGHT + EIGHT], y, row)
    for i in range(rows):
        for j in range(i):
            W[j, i] = W[i, j]


@apart(None)
def push_together(problem: Problem, lam, v):
    """v = A^-1 J^T lam of a single tree:  L v = Y^T lam."""
    clique, pushes, rows = problem.clique(0), space_of(problem).dx, problem.rows
    turned, own = turned_rows(problem, clique.size), clique.of(v)
    for j in range(len(pushes)):
        pushes[j] = lam[j] if j < rows else 0.0
    for c in range(clique.size):
        own[c] = dot_whole(turned[c], pushes)
    from_root(
        clique.of(problem.parent), clique.of(problem.run_start), problem.A_factor(clique), own
    )


@apart(None)
def turn_back(problem: Problem):
    """Y = J L^-1 of all blocks, row by row, from Y^T of a single tree."""
    turned = turned_rows(problem, problem.clique(0).size)
    for i in range(problem.blocks):
        block = problem.block(i)
        Y = problem.Y_a(block) if block.clique_a >= 0 else problem.Y_b(block)
        for r in range(block.dim):
            for c in range(len(turned)):
                Y[r, c] = turned[c, block.row + r]
