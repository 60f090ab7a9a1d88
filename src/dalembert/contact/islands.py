"""Islands: cliques that blocks connect, by union-find.

The root of a set is its smallest clique, so that islands are numbered by their smallest clique, and
cliques and blocks stand in each in the order of the problem: the same problem has the same islands,
whatever was solved before.
"""

from dalembert._jit import kernel
from dalembert.contact.layout import (
    BLOCK,
    BLOCK_COUNT,
    BLOCK_ISLAND,
    BLOCK_RECORD,
    BLOCKS,
    CLIQUE,
    CLIQUE_A,
    CLIQUE_B,
    CLIQUE_COUNT,
    CLIQUE_ISLAND,
    CLIQUE_RECORD,
    CLIQUES,
    DIM,
    FIRST_BLOCK,
    FIRST_CLIQUE,
    FIRST_COLUMN,
    ISLAND,
    ISLAND_BLOCKS,
    ISLAND_CLIQUES,
    ISLAND_RECORD,
    ISLAND_ROWS,
    ISLAND_VELOCITIES,
    ISLANDS,
    SIZE,
    UNION,
)


@kernel
def root_of(integers, clique):
    """The smallest clique of a set; the way there is halved."""
    union = integers[UNION]
    while integers[union + clique] != clique:
        above = integers[union + clique]
        integers[union + clique] = integers[union + above]
        clique = integers[union + clique]
    return clique


@kernel
def find_islands(integers):
    """Fill ISLAND, ISLAND_CLIQUES, ISLAND_BLOCKS, and the islands of cliques and blocks."""
    cliques, blocks, union = integers[CLIQUES], integers[BLOCKS], integers[UNION]
    for c in range(cliques):
        integers[union + c] = c
    for b in range(blocks):
        at = integers[BLOCK] + BLOCK_RECORD * b
        a, other = integers[at + CLIQUE_A], integers[at + CLIQUE_B]
        if a >= 0 and other >= 0:
            a, other = root_of(integers, a), root_of(integers, other)
            integers[union + max(a, other)] = min(a, other)

    islands = 0
    for c in range(cliques):
        at = integers[CLIQUE] + CLIQUE_RECORD * c
        root = root_of(integers, c)
        if root == c:
            record = integers[ISLAND] + ISLAND_RECORD * islands
            for k in range(FIRST_COLUMN):
                integers[record + k] = 0
            integers[at + CLIQUE_ISLAND] = islands
            islands += 1
        else:
            own = integers[integers[CLIQUE] + CLIQUE_RECORD * root + CLIQUE_ISLAND]
            integers[at + CLIQUE_ISLAND] = own
        record = integers[ISLAND] + ISLAND_RECORD * integers[at + CLIQUE_ISLAND]
        integers[record + CLIQUE_COUNT] += 1
        integers[record + ISLAND_VELOCITIES] += integers[at + SIZE]
    integers[ISLANDS] = islands
    for b in range(blocks):
        at = integers[BLOCK] + BLOCK_RECORD * b
        a = integers[at + CLIQUE_A]
        clique = a if a >= 0 else integers[at + CLIQUE_B]
        island = integers[integers[CLIQUE] + CLIQUE_RECORD * clique + CLIQUE_ISLAND]
        integers[at + BLOCK_ISLAND] = island
        record = integers[ISLAND] + ISLAND_RECORD * island
        integers[record + BLOCK_COUNT] += 1
        integers[record + ISLAND_ROWS] += integers[at + DIM]
    _sort(integers)


@kernel
def _sort(integers):
    """Cliques and blocks by island, each in its order."""
    clique, block = 0, 0
    for i in range(integers[ISLANDS]):
        record = integers[ISLAND] + ISLAND_RECORD * i
        integers[record + FIRST_CLIQUE], integers[record + FIRST_BLOCK] = clique, block
        clique += integers[record + CLIQUE_COUNT]
        block += integers[record + BLOCK_COUNT]
        integers[record + CLIQUE_COUNT] = 0
        integers[record + BLOCK_COUNT] = 0
    for c in range(integers[CLIQUES]):
        island = integers[integers[CLIQUE] + CLIQUE_RECORD * c + CLIQUE_ISLAND]
        record = integers[ISLAND] + ISLAND_RECORD * island
        place = integers[record + FIRST_CLIQUE] + integers[record + CLIQUE_COUNT]
        integers[integers[ISLAND_CLIQUES] + place] = c
        integers[record + CLIQUE_COUNT] += 1
    for b in range(integers[BLOCKS]):
        island = integers[integers[BLOCK] + BLOCK_RECORD * b + BLOCK_ISLAND]
        record = integers[ISLAND] + ISLAND_RECORD * island
        place = integers[record + FIRST_BLOCK] + integers[record + BLOCK_COUNT]
        integers[integers[ISLAND_BLOCKS] + place] = b
        integers[record + BLOCK_COUNT] += 1
