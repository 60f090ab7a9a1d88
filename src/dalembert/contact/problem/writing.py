"""Writing a contact problem into its arrays (`contact.problem.layout`), in compiled code or not.

    begin(problem)                                  # empty; keeps capacities
    number = add_clique(problem, size)              # < 0: full, return OVERFLOW
        clique = problem.clique(number)
        problem.A(clique)[i, j] = A_ij
        clique.of(problem.v_free)[i] = v*_i
    number = add_block(problem, kind, dim, a, b)    # < 0: full, return OVERFLOW
        block = problem.block(number)
        problem.J_a(block)[row, j], problem.J_b(block)[row, j] = ...
        block.of(problem.bias)[row] = ...
        block.mu = Friction(...)
        block.key, block.key_2 = ...

Every clique is added before the first block. `add_block` fills everything but J with its default:
bias, R, mu, lam0 0, lo -inf, hi inf, length 1, key (0, 0). J must be written in full.
"""

import math

from dalembert._jit import kernel
from dalembert.contact.problem.layout import (
    BLOCK_ROOM,
    CLIQUE_ROOM,
    JACOBIAN_ROOM,
    MATRIX_ROOM,
    OPEN,
    OVERFLOW,
    ROW_ROOM,
    VELOCITY_ROOM,
    Problem,
)
from dalembert.contact.problem.record_layout import Friction


@kernel
def begin(problem: Problem):
    """No cliques and no blocks."""
    problem.cliques, problem.blocks, problem.rows, problem.velocities = 0, 0, 0, 0
    problem.matrix_floats, problem.jacobian_floats, problem.islands = 0, 0, 0
    problem.factored, problem.prepared = 0, 0


@kernel
def add_clique(problem: Problem, size):
    """Its number, or OVERFLOW. The caller writes A and v*."""
    number, start, matrix = problem.cliques, problem.velocities, problem.matrix_floats
    if number >= problem.most_cliques:
        problem.full = CLIQUE_ROOM
        return OVERFLOW
    if start + size > problem.most_velocities:
        problem.full = VELOCITY_ROOM
        return OVERFLOW
    if matrix + size * size > problem.most_matrix:
        problem.full = MATRIX_ROOM
        return OVERFLOW
    clique = problem.clique(number)
    clique.size, clique.start, clique.matrix_start = size, start, matrix
    problem.cliques = number + 1
    problem.velocities = start + size
    problem.matrix_floats = matrix + size * size
    parent = clique.of(problem.parent)
    for i in range(size):
        parent[i] = i - 1
    return number


@kernel
def add_block(problem: Problem, kind, dim, a, b):
    """Its number, or OVERFLOW. Everything but J gets its default."""
    number, row, floats = problem.blocks, problem.rows, problem.jacobian_floats
    size_a = problem.clique(a).size if a >= 0 else 0
    size_b = problem.clique(b).size if b >= 0 else 0
    if number >= problem.most_blocks:
        problem.full = BLOCK_ROOM
        return OVERFLOW
    if row + dim > problem.most_rows:
        problem.full = ROW_ROOM
        return OVERFLOW
    if floats + dim * (size_a + size_b) > problem.most_jacobian:
        problem.full = JACOBIAN_ROOM
        return OVERFLOW
    problem.blocks = number + 1
    problem.rows = row + dim
    problem.jacobian_floats = floats + dim * (size_a + size_b)
    block = problem.block(number)
    block.kind, block.dim, block.row, block.state = kind, dim, row, OPEN
    block.clique_a, block.clique_b = a, b
    block.jacobian_a, block.jacobian_b = floats, floats + dim * size_a
    block.key, block.key_2 = 0, 0
    block.mu, block.length = Friction(0.0, 0.0, 0.0), 1.0
    block.w, block.w_angular, block.shift = 0.0, 0.0, 0.0
    for i in range(row, row + dim):
        problem.bias[i], problem.compliance[i], problem.lam0[i] = 0.0, 0.0, 0.0
        problem.lower[i], problem.upper[i] = -math.inf, math.inf
    return number


@kernel
def begin_with_impulses(problem: Problem):
    """lam0 = lam: what was found is the first guess of a problem that is solved again."""
    for i in range(problem.rows):
        problem.lam0[i] = problem.lam[i]
