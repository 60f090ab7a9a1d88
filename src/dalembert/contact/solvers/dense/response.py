"""W = J A^-1 J^T and q = J v* + b of a small island, written out: contact space.

    u = W x + q,        W = Y Y^T,   Y = J L^-1   for cliques along a tree,   A = L^T L

W of a problem that is a single tree is there already (`contact.algebra.space`). Else Y stands in
`Problem.response` (`prepare_rows`). A row of it has entries on the way of its bodies to the root
alone; these are listed. A free body has its A^-1, and W its J Y^T.
"""

from dalembert._jit import apart, kernel
from dalembert._memory import Part, over
from dalembert._native import matrix_view
from dalembert._records import Integers, Matrix, Numbers, value
from dalembert.contact.algebra.residuals import block_velocity
from dalembert.contact.algebra.space import (
    enter_space,
    multiply_turned,
    space_of,
    turned_rows,
)
from dalembert.contact.problem.layout import ROLL, SPACE_ROWS, SPACE_VELOCITIES, Problem
from dalembert.contact.problem.record_layout import SPACE_RECORD, SpaceBlock
from dalembert.numerics.six import six

RESTING = 1e-3
"""Speed up to which an island is looked at before anything is done."""


class Tried(Part, of=Problem):
    """Vectors over the rows of the problem."""

    free_u: Numbers = over("rows", room="most_rows")  # q
    x: Numbers = over("rows", room="most_rows")
    best_x: Numbers = over("rows", room="most_rows")


@kernel
def tried_of(problem: Problem):
    """Vectors of this method over the rows of the problem."""
    return Tried(problem, problem.solver_rows)


@kernel
def space_block(problem: Problem, k):
    """The k-th block in contact space."""
    return SpaceBlock(problem.space_list, SPACE_RECORD * k)


# -- which islands ---------------------------------------------------------------------------------


@kernel
def _is_small_tree(problem: Problem, island):
    """Few velocities, and not all of them of free bodies."""
    if island.velocities > SPACE_VELOCITIES:
        return False
    for clique in problem.cliques_of(island):
        if clique.size != 6:
            return True
    return False


@kernel
def moves_as_tree(problem: Problem, island):
    """Whether an island may be for here, and moves: its last impulses are then no answer."""
    if not _is_small_tree(problem, island):
        return False
    before = problem.v_before
    for clique in problem.cliques_of(island):
        for i in range(clique.start, clique.start + clique.size):
            if abs(before[i]) > RESTING:
                return True
    return False


@kernel
def collect(problem: Problem, island):
    """List the blocks of an island. False: it is not for here.

    An island is for here if it has a clique of other than six velocities and few rows: free bodies
    have small blocks, and are better off with H.
    """
    if not _is_small_tree(problem, island):
        return False
    rows = 0
    for k in range(island.block_count):
        number = problem.island_blocks[island.first_block + k]
        block = problem.block(number)
        if block.kind == ROLL or rows + block.dim > SPACE_ROWS:
            return False
        own = space_block(problem, k)
        own.number, own.row = number, rows
        rows += block.dim
    enter_space(problem, island.block_count, rows)
    return True


# -- W and q ---------------------------------------------------------------------------------------


@value
class Side:
    """One side of a block: its rows of J and of Y, and the columns in which Y has entries."""

    clique: int
    J: Matrix
    Y: Matrix
    columns: Integers


@kernel
def _side(problem: Problem, own, which):
    """Side a (0) or b (1) of a block in contact space."""
    block = problem.block(own.number)
    clique, start = block.clique_a, block.jacobian_a
    first, count = own.first_column_a, own.column_count_a
    if which == 1:
        clique, start = block.clique_b, block.jacobian_b
        first, count = own.first_column_b, own.column_count_b
    size = problem.clique(clique).size if clique >= 0 else 0
    J = matrix_view(problem.jacobian, start, block.dim, size)
    Y = matrix_view(problem.response, start, block.dim, size)
    return Side(clique, J, Y, problem.space_list[first : first + count])


@apart(None)
def respond(problem: Problem):
    """W and q of the listed blocks."""
    kept = problem.space_blocks
    if problem.one_tree == 1:
        # W is there already
        for k in range(kept):
            block = problem.block(space_block(problem, k).number)
            block_velocity(problem, block, problem.v_free, tried_of(problem).free_u)
        return
    columns = SPACE_RECORD * kept
    for k in range(kept):
        own = space_block(problem, k)
        block = problem.block(own.number)
        own.first_column_a, own.first_column_b = columns, columns
        own.column_count_a, own.column_count_b = 0, 0
        if block.clique_a >= 0 and problem.clique(block.clique_a).size != 6:
            listed = problem.space_list[columns:]
            own.column_count_a = _columns(problem.Y_a(block), block.span_end_a, listed)
            columns += own.column_count_a
            own.first_column_b = columns
        if block.clique_b >= 0 and problem.clique(block.clique_b).size != 6:
            listed = problem.space_list[columns:]
            own.column_count_b = _columns(problem.Y_b(block), block.span_end_b, listed)
            columns += own.column_count_b
        block_velocity(problem, block, problem.v_free, tried_of(problem).free_u)
    tree = _only_tree(problem)
    if tree >= 0:
        _multiply_rows(problem, tree)
        return
    for k in range(kept):
        for m in range(k + 1):
            _pair(problem, space_block(problem, k), space_block(problem, m))


# -- one tree: W = Y Y^T, row by row ---------------------------------------------------------------


@kernel
def _only_tree(problem: Problem):
    """The one clique, of other than six velocities, that all blocks have one side on; or -1."""
    tree = -1
    for k in range(problem.space_blocks):
        block = problem.block(space_block(problem, k).number)
        if block.clique_a >= 0 and block.clique_b >= 0:
            return -1
        clique = max(block.clique_a, block.clique_b)
        if tree >= 0 and clique != tree:
            return -1
        tree = clique
    return tree if tree >= 0 and problem.clique(tree).size != 6 else -1


@kernel
def _multiply_rows(problem: Problem, tree):
    """W from the rows of Y: each row takes those of Y^T at its own columns."""
    turned = turned_rows(problem, problem.clique(tree).size)
    for c in range(len(turned)):
        row = turned[c]
        for j in range(len(row)):
            row[j] = 0.0
    for k in range(problem.space_blocks):
        own = space_block(problem, k)
        side = _side(problem, own, 0 if problem.block(own.number).clique_a >= 0 else 1)
        Y, columns = side.Y, side.columns
        for r in range(len(Y)):
            for n in range(len(columns)):
                turned[columns[n], own.row + r] = Y[r, columns[n]]
    multiply_turned(problem, turned)


# -- several cliques: W pair by pair ---------------------------------------------------------------


@kernel
def _columns(Y, end, columns):
    """List the columns of Y that have entries, last first. Returns how many."""
    count = 0
    for i in range(end - 1, -1, -1):
        there = False
        for r in range(len(Y)):
            there = there or Y[r, i] != 0.0
        if there:
            columns[count] = i
            count += 1
    return count


@kernel
def _pair(problem: Problem, one, two):
    """W of two blocks, both places."""
    W, first, second = space_of(problem).W, one.row, two.row
    dim, wide = problem.block(one.number).dim, problem.block(two.number).dim
    for i in range(dim):
        for j in range(wide):
            W[first + i, second + j] = 0.0
    for s in range(2):
        left = _side(problem, one, s)
        for t in range(2):
            right = _side(problem, two, t)
            if left.clique >= 0 and left.clique == right.clique:
                if left.J.shape[1] == 6:
                    for i in range(dim):
                        for j in range(wide):
                            part = six(left.J[i], 0).dot(six(right.Y[j], 0))
                            W[first + i, second + j] += part
                else:
                    columns = left.columns
                    if len(right.columns) < len(columns):
                        columns = right.columns
                    _add_products(left.Y, right.Y, columns, W, first, second)
    for i in range(dim):
        for j in range(wide):
            W[second + j, first + i] = W[first + i, second + j]


@kernel
def _add_products(Y, Z, columns, W, first, second):
    """W += Y Z^T of two blocks in one clique, over the columns listed."""
    if len(Y) == 3 and len(Z) == 3:
        a0, a1, a2 = 0.0, 0.0, 0.0
        b0, b1, b2 = 0.0, 0.0, 0.0
        c0, c1, c2 = 0.0, 0.0, 0.0
        for n in range(len(columns)):
            i = columns[n]
            f, g, h = Z[0, i], Z[1, i], Z[2, i]
            e = Y[0, i]
            a0, a1, a2 = a0 + e * f, a1 + e * g, a2 + e * h
            e = Y[1, i]
            b0, b1, b2 = b0 + e * f, b1 + e * g, b2 + e * h
            e = Y[2, i]
            c0, c1, c2 = c0 + e * f, c1 + e * g, c2 + e * h
        _add_three(W[first], second, a0, a1, a2)
        _add_three(W[first + 1], second, b0, b1, b2)
        _add_three(W[first + 2], second, c0, c1, c2)
        return
    for i in range(len(Y)):
        for j in range(len(Z)):
            total = 0.0
            for n in range(len(columns)):
                total += Y[i, columns[n]] * Z[j, columns[n]]
            W[first + i, second + j] += total


@kernel
def _add_three(row, at, a, b, c):
    row[at] += a
    row[at + 1] += b
    row[at + 2] += c
