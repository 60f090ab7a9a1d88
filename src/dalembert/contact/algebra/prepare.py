"""Preparation for every solver: islands, factors of A, J A^-1, the diagonal blocks of W, v.

W_ii = J_i A^-1 J_i^T,      w_i = mean of its diagonal,      v = v* + A^-1 J^T lam

Islands are cliques that blocks connect, by union-find. The root of a set is its smallest clique, so
that islands are numbered by their smallest clique, and cliques and blocks stand in each in the
order of the problem: the same problem has the same islands, whatever was solved before.
"""

from dalembert._jit import apart, copied, kernel
from dalembert.contact.algebra.blocks import block_add_transposed, is_simple
from dalembert.contact.algebra.clique_factors import (
    factor_clique,
    other_half,
    solve_clique,
    to_root,
)
from dalembert.contact.algebra.space import (
    is_one_tree,
    push_together,
    respond_together,
    space_of,
    span_of,
    turn_back,
)
from dalembert.contact.problem.layout import FAILED, ROLL, Problem
from dalembert.numerics.six import put_six, six, transposed_block

READY = 0
"""Result of `prepare` when A is positive definite; otherwise FAILED."""


@kernel
def prepare(problem: Problem):
    """Islands, factors, responses; lam = lam0 and the v that belongs to it."""
    status = prepare_rows(problem, False)
    if status == READY:
        for i in range(problem.islands):
            complete_responses(problem, problem.island(i))
    return status


@kernel
def prepare_rows(problem: Problem, later):
    """As `prepare`, but the responses of cliques of other than six are only half done.

    `response` then holds J L^-1 for them: enough for W. `complete_responses` does the rest. With
    `later` islands with blocks have no v.
    """
    if problem.prepared == 0:
        find_islands(problem)
        if not factor_cliques(problem):
            return FAILED
        respond_blocks(problem)
    problem.nodes, problem.supported = 0, 0
    lam, lam0 = problem.lam, problem.lam0
    for i in range(problem.rows):
        lam[i] = lam0[i]
    for i in range(problem.islands):
        island = problem.island(i)
        if not later or island.block_count == 0:
            move(problem, island)
        island.residual, island.first_residual, island.own_residual = 0.0, 0.0, 0.0
        island.u_known = 0
        if problem.prepared == 0:
            island.responded = 0
        island.iterations, island.factorisations, island.sweeps = 0, 0, 0
    return READY


@kernel
def factor_cliques(problem: Problem):
    """Factors of A, unless they are known. False: A is not positive definite."""
    if problem.factored == 0:
        for i in range(problem.cliques):
            if not factor_clique(problem, problem.clique(i)):
                return False
    return True


@kernel
def move(problem: Problem, island):
    """v = v* + A^-1 J^T lam."""
    v, free = problem.v, problem.v_free
    if problem.one_tree == 1:
        push_together(problem, problem.lam, v)
        for i in range(problem.velocities):
            v[i] += free[i]
        return
    for clique in problem.cliques_of(island):
        for i in range(clique.start, clique.start + clique.size):
            v[i] = 0.0
    for block in problem.blocks_of(island):
        block_add_transposed(problem, block, problem.lam, v)
    for clique in problem.cliques_of(island):
        solve_clique(problem, clique, clique.of(v))
        for i in range(clique.start, clique.start + clique.size):
            v[i] += free[i]


# -- J A^-1 and W of a block -----------------------------------------------------------------------


@kernel
def respond_blocks(problem: Problem):
    """Responses, diagonal blocks of W and w of all blocks."""
    problem.one_tree = 1 if is_one_tree(problem) else 0
    if problem.one_tree == 0:
        for i in range(problem.blocks):
            respond_block(problem, problem.block(i))
        return
    respond_together(problem)
    W = space_of(problem).W
    for n in range(problem.blocks):
        block = problem.block(n)
        own = block.square(problem.delassus)
        for i in range(block.dim):
            for k in range(block.dim):
                own[i, k] = W[block.row + i, block.row + k]
        _scale(block, own)


@copied
def respond_block(problem: Problem, block):
    """Response, diagonal block of W and w of a block."""
    W = block.square(problem.delassus)
    for i in range(block.dim):
        for k in range(block.dim):
            W[i, k] = 0.0
    if block.clique_a >= 0:
        clique, J, Y = problem.clique(block.clique_a), problem.J_a(block), problem.Y_a(block)
        block.span_start_a, block.span_end_a = _respond(problem, clique, J, Y, W)
    if block.clique_b >= 0:
        clique, J, Y = problem.clique(block.clique_b), problem.J_b(block), problem.Y_b(block)
        block.span_start_b, block.span_end_b = _respond(problem, clique, J, Y, W)
    for i in range(block.dim):
        for k in range(i):
            W[k, i] = W[i, k]
    _scale(block, W)


@copied
def _respond(problem: Problem, clique, J, Y, W):
    """Y = J A^-1 of one side, or J L^-1, and its part of W below the diagonal. Span of J."""
    if clique.size == 6:
        X = clique.square(problem.matrix_factor)
        for i in range(len(J)):
            y = transposed_block(X, six(J[i], 0))
            put_six(Y[i], 0, y)
            for k in range(i + 1):
                W[i, k] += y.dot(six(J[k], 0))
        return 0, 6
    first, end = span_of(J)
    parents, starts = clique.of(problem.parent), clique.of(problem.run_start)
    _respond_on_tree(J, end, parents, starts, problem.A_factor(clique), Y, W)
    return first, end


@apart(None)
def _respond_on_tree(J, end, parents, starts, L, Y, W):
    """Y = J L^-1 of one side, and its part of W below the diagonal; from `end` on J is zero."""
    for i in range(J.shape[0]):
        for k in range(J.shape[1]):
            Y[i, k] = J[i, k]
    if len(J) == 3:
        _three_to_root(end, parents, starts, L, Y, W)
        return
    for i in range(len(J)):
        to_root(parents, starts, L, Y[i])
        for k in range(i + 1):
            t = 0.0
            for n in range(end):
                t += Y[i, n] * Y[k, n]
            W[i, k] += t


@kernel
def _three_to_root(end, parents, starts, L, Y, W):
    """Solve as `to_root` does for three rows together, and add their products to W."""
    s, t, u, v, w, z = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(end - 1, -1, -1):
        a, b, c = Y[0, i], Y[1, i], Y[2, i]
        if a != 0.0 or b != 0.0 or c != 0.0:
            row = L[i]
            a, b, c = row[i] * a, row[i] * b, row[i] * c
            Y[0, i], Y[1, i], Y[2, i] = a, b, c
            s, t, u = s + a * a, t + b * a, u + b * b
            v, w, z = v + c * a, w + c * b, z + c * c
            k = parents[i]
            while k >= 0:
                start = starts[k]
                for n in range(start, k + 1):
                    d = row[n]
                    Y[0, n] -= d * a
                    Y[1, n] -= d * b
                    Y[2, n] -= d * c
                k = parents[start]
    W[0, 0] += s
    W[1, 0] += t
    W[1, 1] += u
    W[2, 0] += v
    W[2, 1] += w
    W[2, 2] += z


@kernel
def _scale(block, W):
    """w of the block; 1 where nothing can move."""
    dim = block.dim
    linear = 3 if block.kind == ROLL else dim
    t = 0.0
    for i in range(linear):
        t += W[i, i]
    block.w = t / linear if t > 0.0 else 1.0
    t = 0.0
    for i in range(linear, dim):
        t += W[i, i]
    block.w_angular = t / (dim - linear) if t > 0.0 else block.w


@kernel
def complete_responses(problem: Problem, island):
    """The second half of the response, for cliques of other than six velocities; once."""
    if island.responded == 1:
        return
    island.responded = 1
    if problem.one_tree == 1:
        turn_back(problem)
    for block in problem.blocks_of(island):
        if not is_simple(problem, block):
            if block.clique_a >= 0:
                _complete(problem, problem.clique(block.clique_a), problem.Y_a(block))
            if block.clique_b >= 0:
                _complete(problem, problem.clique(block.clique_b), problem.Y_b(block))


@kernel
def _complete(problem: Problem, clique, Y):
    """Y <- Y L^-T of one side."""
    if clique.size != 6:
        for i in range(len(Y)):
            other_half(problem, clique, Y[i])


# -- islands: cliques that blocks connect, by union-find -------------------------------------------


@kernel
def root_of(union, clique):
    """The smallest clique of a set; the way there is halved."""
    while union[clique] != clique:
        union[clique] = union[union[clique]]
        clique = union[clique]
    return clique


@kernel
def find_islands(problem: Problem):
    """Islands, their cliques and blocks, and the islands of cliques and blocks."""
    union = problem.union
    for c in range(problem.cliques):
        union[c] = c
    for b in range(problem.blocks):
        block = problem.block(b)
        if block.clique_a >= 0 and block.clique_b >= 0:
            one, other = root_of(union, block.clique_a), root_of(union, block.clique_b)
            union[max(one, other)] = min(one, other)

    problem.islands = 0
    for c in range(problem.cliques):
        clique, root = problem.clique(c), root_of(union, c)
        if root == c:
            clique.island = problem.islands
            _begin(problem.island(problem.islands))
            problem.islands += 1
        else:
            clique.island = problem.clique(root).island
        island = problem.island(clique.island)
        island.clique_count += 1
        island.velocities += clique.size
    for b in range(problem.blocks):
        block = problem.block(b)
        c = block.clique_a if block.clique_a >= 0 else block.clique_b
        block.island = problem.clique(c).island
        island = problem.island(block.island)
        island.block_count += 1
        island.rows += block.dim
    _sort(problem)


@kernel
def _begin(island):
    """Nothing in it, and nothing done; its columns are kept."""
    island.first_clique, island.clique_count = 0, 0
    island.first_block, island.block_count = 0, 0
    island.status, island.method = 0, 0
    island.iterations, island.factorisations, island.sweeps = 0, 0, 0
    island.velocities, island.rows = 0, 0


@kernel
def _sort(problem: Problem):
    """Cliques and blocks by island, each in its order."""
    clique, block = 0, 0
    for i in range(problem.islands):
        island = problem.island(i)
        island.first_clique, island.first_block = clique, block
        clique += island.clique_count
        block += island.block_count
        island.clique_count, island.block_count = 0, 0
    for c in range(problem.cliques):
        island = problem.island(problem.clique(c).island)
        problem.island_cliques[island.first_clique + island.clique_count] = c
        island.clique_count += 1
    for b in range(problem.blocks):
        island = problem.island(problem.block(b).island)
        problem.island_blocks[island.first_block + island.block_count] = b
        island.block_count += 1
