"""The best (v, lam) of an island, kept while a solver tries others.

Solvers of friction have no function to descend on, and may leave an answer behind that was better.
"""

from dalembert._jit import kernel
from dalembert.contact.blocks import (
    block_at,
    island_blocks,
    island_cliques,
)
from dalembert.contact.layout import (
    CLIQUE,
    CLIQUE_RECORD,
    DIM,
    LAM,
    ROW,
    SIZE,
    START,
    V,
)
from dalembert.contact.report import velocity_work
from dalembert.contact.residuals import row_work

BEST_LAM, BEST_V = 3, 4
"""Row vector and velocity vector that hold them."""


@kernel
def copy_rows(integers, numbers, island, source, target):
    """Copy a vector over rows, of one island."""
    first, count = island_blocks(integers, island)
    for k in range(count):
        at = block_at(integers, integers[first + k])
        for i in range(integers[at + ROW], integers[at + ROW] + integers[at + DIM]):
            numbers[target + i] = numbers[source + i]


@kernel
def copy_velocities(integers, numbers, island, source, target):
    """Copy a vector over velocities, of one island."""
    first, count = island_cliques(integers, island)
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        for i in range(integers[at + START], integers[at + START] + integers[at + SIZE]):
            numbers[target + i] = numbers[source + i]


@kernel
def keep(integers, numbers, island):
    """Keep (v, lam) as the best so far."""
    copy_rows(integers, numbers, island, integers[LAM], row_work(integers, BEST_LAM))
    copy_velocities(integers, numbers, island, integers[V], velocity_work(integers, BEST_V))


@kernel
def take_back(integers, numbers, island):
    """Return to the best (v, lam)."""
    copy_rows(integers, numbers, island, row_work(integers, BEST_LAM), integers[LAM])
    copy_velocities(integers, numbers, island, velocity_work(integers, BEST_V), integers[V])
