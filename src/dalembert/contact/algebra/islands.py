"""Islands: cliques that blocks connect, by union-find.

The root of a set is its smallest clique, so that islands are numbered by their smallest clique, and
cliques and blocks stand in each in the order of the problem: the same problem has the same islands,
whatever was solved before.
"""

from dalembert._jit import kernel
from dalembert.contact.problem.layout import Problem


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
