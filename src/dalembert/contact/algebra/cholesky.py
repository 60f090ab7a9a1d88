"""H = A + J^T G J = L L^T of one island, in blocks of 6 x 6 along the graph of its nodes.

    column p:   L_pp L_pp^T = H_pp,    B_i = L_pp^-1 H_pi,    H_ij <- H_ij - B_i^T B_j

Diagonal blocks keep L_pp^-1; blocks below the diagonal stand transposed. H is positive definite for
every G >= 0, however many rows of J repeat others. G is `Problem.curvature`: of a CONE a
`ConeCurvature`; dim x dim of a ROLL; the diagonal of others.

With entries beyond the symmetric ones H = L U: the diagonal blocks keep L_pp^-1 and U_pp^-1,
`Problem.factor` the blocks of U and `Problem.factor_left` those of L, transposed.
"""

from dalembert._jit import apart, copied, kernel, packed_kernel
from dalembert._records import Matrix, value
from dalembert.contact.algebra.symbolic import place_of_block
from dalembert.contact.problem.layout import CONE, NODE_SIZE, ROLL, Problem
from dalembert.numerics.six import (
    add_outer,
    add_outer_row,
    below,
    below_lower,
    below_upper,
    factor,
    factor_both,
    lower_times,
    put_six,
    six,
    subtract_six,
    times_block,
    transposed_block,
    update,
    upper_times,
)
from dalembert.numerics.vector import Vec3

NEITHER, UPPER, LOWER = range(3)
"""Triangle that takes the entries of G beyond the symmetric ones."""


# -- H ---------------------------------------------------------------------------------------------


@kernel
def assemble(problem: Problem, island):
    """The factor of the island's columns holds H, from the symmetric part of G."""
    _assemble(problem, island, False)


@kernel
def assemble_both(problem: Problem, island):
    """The factor holds the upper triangle of H, its left counterpart the lower one."""
    _assemble(problem, island, True)


@kernel
def _assemble(problem: Problem, island, both):
    _inertia(problem, island, both)
    for block in problem.blocks_of(island):
        _add_block(problem, block, both)


@kernel
def _inertia(problem: Problem, island, both):
    """A, and zeros where nothing of A stands."""
    for k in range(island.first_column, island.first_column + island.column_count):
        column = problem.column(k)
        _diagonal(problem, problem.node(column.node), problem.factor_block(k))
        first, count = column.first_below, column.below_count
        start = 36 * (problem.nodes + first)
        _clear(problem.factor[start : start + 36 * count])
        if both:
            _clear(problem.factor_left[36 * first : 36 * (first + count)])
    for clique in problem.cliques_of(island):
        if clique.node_count > 1:
            _couplings(problem, clique, both)


@kernel
def _clear(x):
    for i in range(len(x)):
        x[i] = 0.0


@kernel
def _diagonal(problem: Problem, node, target):
    """A of one node, filled up with ones on the diagonal."""
    clique = problem.clique(node.clique)
    A, first = problem.A(clique), node.start - clique.start
    if node.size == 6:
        for i in range(6):
            put_six(target, 6 * i, six(A[first + i], first))
        return
    for i in range(6):
        for j in range(6):
            t = 1.0 if i == j else 0.0
            if i < node.size and j < node.size:
                t = A[first + i, first + j]
            target[6 * i + j] = t


@apart(None)
def _couplings(problem: Problem, clique, both):
    """Blocks of A between the nodes of one clique."""
    A, size = problem.A(clique), clique.size
    for k in range(clique.node_count):
        for l in range(k):
            x, y = problem.place[clique.first_node + k], problem.place[clique.first_node + l]
            # Rows belong to the earlier place, columns to the later one.
            early, late = (k, l) if x < y else (l, k)
            row, column = NODE_SIZE * early, NODE_SIZE * late
            rows, columns = min(NODE_SIZE, size - row), min(NODE_SIZE, size - column)
            if _any(A, row, column, rows, columns):
                block = place_of_block(problem, max(x, y), min(x, y))
                for i in range(rows):
                    for j in range(columns):
                        problem.factor_block(block)[6 * i + j] = A[row + i, column + j]
                        if both:
                            problem.left_block(block)[6 * i + j] = A[row + i, column + j]


@kernel
def _any(A, row, column, rows, columns):
    """Whether a part of A has entries."""
    for i in range(row, row + rows):
        for j in range(column, column + columns):
            if A[i, j] != 0.0:
                return True
    return False


# -- J^T G J ---------------------------------------------------------------------------------------


@value
class Columns:
    """Columns of J of a block that belong to one node."""

    J: Matrix
    first: int
    width: int


@kernel
def _columns(problem: Problem, block, n):
    """Columns of J of a block that belong to a node."""
    node = problem.node(n)
    first = node.start - problem.clique(node.clique).start
    J = problem.J_a(block) if node.clique == block.clique_a else problem.J_b(block)
    return Columns(J, first, node.size)


@kernel
def _is_zero(problem: Problem, block):
    """Whether the symmetric part of G is nothing."""
    G, kind, dim = block.room(problem.curvature), block.kind, block.dim
    largest = 0.0
    for k in range(dim if kind < CONE else 6 if kind == CONE else dim * dim):
        largest += abs(G[k])
    return largest == 0.0


@kernel
def _add_block(problem: Problem, block, both):
    """J^T G J of one block."""
    if _is_zero(problem, block):
        return
    support, run = problem.support, block.run
    count = support[run]
    at = run + 1 + count
    for k in range(count):
        x = _columns(problem, block, support[run + 1 + k])
        for l in range(k, count):
            y = _columns(problem, block, support[run + 1 + l])
            code = support[at]
            at += 1
            P, Q = (y, x) if code & 1 == 1 else (x, y)
            target = problem.factor_block(code >> 1)
            _add_product(problem, block, P, Q, target, UPPER if both else NEITHER)
            if both and k != l:
                _add_product(problem, block, P, Q, problem.left_block(code >> 1), LOWER)


@kernel
def _add_product(problem: Problem, block, P, Q, target, part):
    """Target += P^T G Q, or with G^T for the LOWER triangle."""
    if P.width < 6 or Q.width < 6 or block.kind == ROLL:
        _add_loops(problem, block, P, Q, target, part)
    elif block.kind == CONE:
        G = problem.cone_curvature(block)
        column, row = Vec3.zero(), Vec3.zero()
        if part == UPPER:
            column = G.beyond
        elif part == LOWER:
            row = G.beyond
        _add_cone(P, Q, target, G.symmetric, column, row)
    else:
        diagonal = block.room(problem.curvature)
        for i in range(block.dim):
            if diagonal[i] != 0.0:
                add_outer_row(target, P.J[i][P.first :], diagonal[i] * six(Q.J[i], Q.first))


@packed_kernel
def _add_cone(P, Q, target, G, column, row):
    """Target += P^T G Q with three rows each; `column` is added below the diagonal, `row` above."""
    a, b, c = six(Q.J[0], Q.first), six(Q.J[1], Q.first), six(Q.J[2], Q.first)
    x = G.xx * a + (G.xy + row.x) * b + (G.xz + row.y) * c
    y = (G.xy + column.x) * a + G.yy * b + (G.yz + row.z) * c
    z = (G.xz + column.y) * a + (G.yz + column.z) * b + G.zz * c
    add_outer(target, P.J[0][P.first :], P.J[1][P.first :], P.J[2][P.first :], x, y, z)


@kernel
def _cone_entry(G, i, j, part):
    """G_ij of a CONE."""
    S, beyond = G.symmetric, G.beyond
    if i == j:
        return S.xx if i == 0 else S.yy if i == 1 else S.zz
    if i + j == 1:
        return S.xy + beyond.x if i > j and part != NEITHER else S.xy
    if i + j == 2:
        return S.xz + beyond.y if i > j and part != NEITHER else S.xz
    return S.yz + beyond.z if i > j and part != NEITHER else S.yz


@kernel
def _entry(problem: Problem, block, i, j, part):
    """G_ij of a block."""
    if block.kind == CONE:
        return _cone_entry(problem.cone_curvature(block), i, j, part)
    if block.kind == ROLL:
        return block.square(problem.curvature)[i, j]
    return block.room(problem.curvature)[i] if i == j else 0.0


@copied
def _add_loops(problem: Problem, block, P, Q, target, part):
    """Target += P^T G Q, of any shape."""
    for i in range(block.dim):
        for j in range(block.dim):
            row, column = (j, i) if part == LOWER else (i, j)
            g = _entry(problem, block, row, column, part)
            if g != 0.0:
                for k in range(P.width):
                    t = g * P.J[i, P.first + k]
                    if t != 0.0:
                        for l in range(Q.width):
                            target[6 * k + l] += t * Q.J[j, Q.first + l]


# -- factors ---------------------------------------------------------------------------------------


@kernel
def factorise(problem: Problem, island):
    """H becomes its factor. False: H was not positive definite to rounding."""
    good, updates = True, problem.updates
    for k in range(island.first_column, island.first_column + island.column_count):
        column, pivot = problem.column(k), problem.factor_block(k)
        if not (factor(pivot) > 0.0):
            good = False
        first = problem.nodes + column.first_below
        end, target = first + column.below_count, column.first_update
        for n in range(first, end):
            below(problem.factor_block(n), pivot)
        for n in range(first, end):
            for m in range(n, end):
                to = problem.factor_block(updates[target])
                update(to, problem.factor_block(m), problem.factor_block(n))
                target += 1
    return good


@apart(bool)
def factorise_both(problem: Problem, island):
    """H becomes the factors of H = L U. False: a diagonal block was singular."""
    good, updates = True, problem.updates
    for k in range(island.first_column, island.first_column + island.column_count):
        column, pivot = problem.column(k), problem.factor_block(k)
        if not (factor_both(pivot) > 1e-300):
            good = False
        first = problem.nodes + column.first_below
        end, target = first + column.below_count, column.first_update
        for n in range(first, end):
            below_lower(problem.factor_block(n), pivot)
            below_upper(problem.left_block(n), pivot)
        for n in range(first, end):
            for m in range(n, end):
                to = updates[target]
                update(problem.factor_block(to), problem.factor_block(m), problem.left_block(n))
                if m > n:
                    update(problem.left_block(to), problem.left_block(m), problem.factor_block(n))
                target += 1
    return good


# -- solutions -------------------------------------------------------------------------------------


@kernel
def solve_factored(problem: Problem, island, x):
    """x <- H^-1 x with the factors of `factorise`; x is a vector over velocities."""
    _solve(problem, island, x, False)


@kernel
def solve_both(problem: Problem, island, x):
    """x <- H^-1 x with the factors of `factorise_both`."""
    _solve(problem, island, x, True)


@kernel
def _gather(problem: Problem, island, x):
    """The vector over nodes, by places, from a vector over velocities."""
    y = problem.node_vector
    for k in range(island.first_column, island.first_column + island.column_count):
        node = problem.node(problem.column(k).node)
        for i in range(6):
            y[6 * k + i] = x[node.start + i] if i < node.size else 0.0


@kernel
def _scatter(problem: Problem, island, x):
    """A vector over velocities from the one over nodes."""
    y = problem.node_vector
    for k in range(island.first_column, island.first_column + island.column_count):
        node = problem.node(problem.column(k).node)
        for i in range(node.size):
            x[node.start + i] = y[6 * k + i]


@kernel
def _solve(problem: Problem, island, x, both):
    y, places, nodes = problem.node_vector, problem.below, problem.nodes
    first, end = island.first_column, island.first_column + island.column_count
    _gather(problem, island, x)
    for k in range(first, end):
        column, pivot = problem.column(k), problem.factor_block(k)
        t = six(y, 6 * k)
        t = lower_times(pivot, t) if both else times_block(pivot, t)
        put_six(y, 6 * k, t)
        for n in range(column.first_below, column.first_below + column.below_count):
            block = problem.left_block(nodes + n) if both else problem.factor_block(nodes + n)
            subtract_six(y, 6 * places[n], transposed_block(block, t))
    for k in range(end - 1, first - 1, -1):
        column, pivot = problem.column(k), problem.factor_block(k)
        for n in range(column.first_below, column.first_below + column.below_count):
            row = six(y, 6 * places[n])
            subtract_six(y, 6 * k, times_block(problem.factor_block(nodes + n), row))
        t = six(y, 6 * k)
        put_six(y, 6 * k, upper_times(pivot, t) if both else transposed_block(pivot, t))
    _scatter(problem, island, x)
