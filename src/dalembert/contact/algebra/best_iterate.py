"""The best (v, lam) of an island, kept while a solver tries others.

Solvers of friction have no function to descend on, and may leave an answer behind that was better.
"""

from dalembert._jit import kernel
from dalembert.contact.problem.layout import Problem


@kernel
def copy_rows(problem: Problem, island, source, target):
    """Copy a vector over rows, of one island."""
    for block in problem.blocks_of(island):
        for i in range(block.row, block.end):
            target[i] = source[i]


@kernel
def copy_velocities(problem: Problem, island, source, target):
    """Copy a vector over velocities, of one island."""
    for clique in problem.cliques_of(island):
        for i in range(clique.start, clique.start + clique.size):
            target[i] = source[i]


@kernel
def keep(problem: Problem, island):
    """Keep (v, lam) as the best so far."""
    copy_rows(problem, island, problem.lam, problem.best_lam)
    copy_velocities(problem, island, problem.v, problem.best_v)


@kernel
def take_back(problem: Problem, island):
    """Return to the best (v, lam)."""
    copy_rows(problem, island, problem.best_lam, problem.lam)
    copy_velocities(problem, island, problem.best_v, problem.v)
