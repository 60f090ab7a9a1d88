"""One island as a full matrix over its rows: [W + R | q], W = J A^-1 J^T, q = J v* + b.

Rows stand block by block in the order of the island. Bilateral ones can be eliminated.
"""

from dalembert._jit import kernel
from dalembert.contact.algebra.blocks import dot_onto
from dalembert.contact.problem.layout import Problem

RANK = 1e-11
"""A bilateral row whose pivot is below this fraction of its own diagonal repeats others."""


@kernel
def dense_delassus(problem: Problem, island, W):
    """W + R of an island, and q in the last column."""
    for i in range(W.shape[0]):
        for j in range(W.shape[1]):
            W[i, j] = 0.0
    row = 0
    for block in problem.blocks_of(island):
        column = 0
        for other in problem.blocks_of(island):
            add_shared(problem, block, other, W, row, column)
            column += other.dim
        for i in range(block.dim):
            W[row, row] += problem.compliance[block.row + i]
            W[row, W.shape[0]] += free_velocity(problem, block, i)
            row += 1


@kernel
def add_shared(problem: Problem, block, other, W, row, column):
    """J A^-1 J^T of two blocks, through the cliques that both touch."""
    a, b = block.clique_a, block.clique_b
    if a >= 0 and a == other.clique_a:
        add_products(problem.J_a(block), problem.Y_a(other), W, row, column)
    if b >= 0 and b == other.clique_a:
        add_products(problem.J_b(block), problem.Y_a(other), W, row, column)
    if a >= 0 and a == other.clique_b:
        add_products(problem.J_a(block), problem.Y_b(other), W, row, column)
    if b >= 0 and b == other.clique_b:
        add_products(problem.J_b(block), problem.Y_b(other), W, row, column)


@kernel
def add_products(J, Y, W, row, column):
    """J Y^T to W, from that row and column on."""
    for i in range(J.shape[0]):
        for j in range(Y.shape[0]):
            W[row + i, column + j] += dot_onto(J[i], Y[j], 0.0)


@kernel
def free_velocity(problem: Problem, block, row):
    """J v* + b of a row of a block."""
    q, v = problem.bias[block.row + row], problem.v_free
    if block.clique_a >= 0:
        q = dot_onto(problem.J_a(block)[row], problem.clique(block.clique_a).of(v), q)
    if block.clique_b >= 0:
        q = dot_onto(problem.J_b(block)[row], problem.clique(block.clique_b).of(v), q)
    return q


@kernel
def sweep(W, k):
    """Exchange impulse and velocity of row k (the sweep operator of statistics)."""
    inverse = 1.0 / W[k, k]
    for j in range(W.shape[1]):
        W[k, j] *= inverse
    for i in range(W.shape[0]):
        factor = W[i, k]
        if i != k and factor != 0.0:
            for j in range(W.shape[1]):
                W[i, j] -= factor * W[k, j]
            W[i, k] = -factor * inverse
    W[k, k] = inverse


@kernel
def eliminate(W, bilateral, scale):
    """Solve the marked rows for their impulses, the largest pivot first; 2 marks those solved.

    scale[i] : the diagonal as it was. A row that others imply keeps the impulse 0.
    """
    for _ in range(len(scale)):
        best, k = RANK, -1
        for i in range(len(scale)):
            if bilateral[i] == 1.0 and W[i, i] > best * scale[i]:
                best, k = W[i, i] / scale[i], i
        if k < 0:
            break
        sweep(W, k)
        bilateral[k] = 2.0
