"""The graph of A + J^T G J: nodes of six velocities, and edges between nodes that a block touches.

Cliques of more than six velocities are cut into several nodes. The nodes in which the rows of a
block are not zero are its support; blocks that follow one another with the same support share one
entry of SUPPORT:

    count, nodes..., and for every pair (k <= l) of them where its product J_k^T G J_l is added:
    2 * (index of the 6 x 6 block of FACTOR) + (1 if the block stands the other way round)
"""

from dalembert._jit import kernel
from dalembert.contact.blocks import block_at
from dalembert.contact.layout import (
    BLOCKS,
    CLIQUE,
    CLIQUE_A,
    CLIQUE_ISLAND,
    CLIQUE_RECORD,
    CLIQUES,
    COLUMN,
    DIM,
    EDGE_COUNT,
    EDGES,
    FIRST_NODE,
    FULL,
    JACOBIAN,
    JACOBIAN_A,
    KNOWN_EDGES,
    KNOWN_NODES,
    MOST_EDGES,
    NODE,
    NODE_CLIQUE,
    NODE_COUNT,
    NODE_ISLAND,
    NODE_RECORD,
    NODE_SIZE,
    NODE_START,
    NODE_VELOCITIES,
    NODES,
    PARENT,
    RUN,
    SIZE,
    START,
    SUPPORT,
)

SAME, CHANGED, FULL_UP = 0, 1, 2
"""Results of `find_graph`."""


@kernel
def find_graph(integers, numbers):
    """Fill NODE, EDGES, SUPPORT; say whether the graph is the one that is known."""
    changed = _nodes(integers)
    integers[EDGE_COUNT] = 0
    for clique in range(integers[CLIQUES]):
        if integers[integers[CLIQUE] + CLIQUE_RECORD * clique + NODE_COUNT] > 1:
            result = _inside(integers, clique)
            if result == FULL_UP:
                return FULL_UP
            changed = changed or result == CHANGED
    last, used = -1, 0
    for block in range(integers[BLOCKS]):
        at = block_at(integers, block)
        run = integers[SUPPORT] + used
        count = _support(integers, numbers, at, run)
        if count < 0:
            integers[FULL] = MOST_EDGES
            return FULL_UP
        if last >= 0 and _alike(integers, last, run):
            integers[at + RUN] = last
        else:
            integers[at + RUN] = run
            last = run
            used += 1 + count + count * (count + 1) // 2
            if used > support_room(integers):
                integers[FULL] = MOST_EDGES
                return FULL_UP
            for k in range(count):
                for l in range(k):
                    x, y = integers[run + 1 + l], integers[run + 1 + k]
                    result = _edge(integers, x, y)
                    if result == FULL_UP:
                        return FULL_UP
                    changed = changed or result == CHANGED
    if integers[EDGE_COUNT] != integers[KNOWN_EDGES]:
        changed = True
    integers[KNOWN_EDGES] = integers[EDGE_COUNT]
    return CHANGED if changed else SAME


@kernel
def support_room(integers):
    """Length of SUPPORT."""
    return integers[COLUMN] - integers[SUPPORT]


@kernel
def _nodes(integers):
    """Cut cliques into nodes. True: they are not those of the last time."""
    changed, count = False, 0
    for clique in range(integers[CLIQUES]):
        at = integers[CLIQUE] + CLIQUE_RECORD * clique
        size = integers[at + SIZE]
        integers[at + FIRST_NODE] = count
        integers[at + NODE_COUNT] = (size + NODE_SIZE - 1) // NODE_SIZE
        for k in range(integers[at + NODE_COUNT]):
            node = integers[NODE] + NODE_RECORD * count
            if (
                integers[node + NODE_ISLAND] != integers[at + CLIQUE_ISLAND]
                or integers[node + NODE_CLIQUE] != clique
            ):
                changed = True
            integers[node + NODE_ISLAND] = integers[at + CLIQUE_ISLAND]
            integers[node + NODE_CLIQUE] = clique
            integers[node + NODE_START] = integers[at + START] + NODE_SIZE * k
            integers[node + NODE_VELOCITIES] = min(NODE_SIZE, size - NODE_SIZE * k)
            count += 1
    if count != integers[KNOWN_NODES]:
        changed = True
    integers[NODES], integers[KNOWN_NODES] = count, count
    return changed


@kernel
def _edge(integers, x, y):
    """Note an edge; CHANGED where another one stood."""
    count = integers[EDGE_COUNT]
    if count >= integers[MOST_EDGES]:
        integers[FULL] = MOST_EDGES
        return FULL_UP
    at = integers[EDGES] + 2 * count
    known = integers[at] == x and integers[at + 1] == y
    integers[at], integers[at + 1] = x, y
    integers[EDGE_COUNT] = count + 1
    return SAME if known else CHANGED


@kernel
def _inside(integers, clique):
    """Edges of A of one clique: nodes with a velocity and an ancestor of it."""
    at = integers[CLIQUE] + CLIQUE_RECORD * clique
    first, parents = integers[at + FIRST_NODE], integers[PARENT] + integers[at + START]
    changed = False
    for k in range(1, integers[at + NODE_COUNT]):
        for l in range(k):
            related = False
            for i in range(NODE_SIZE * k, min(NODE_SIZE * (k + 1), integers[at + SIZE])):
                j = integers[parents + i]
                while j >= NODE_SIZE * (l + 1):
                    j = integers[parents + j]
                related = related or j >= NODE_SIZE * l
            if related:
                result = _edge(integers, first + l, first + k)
                if result == FULL_UP:
                    return FULL_UP
                changed = changed or result == CHANGED
    return CHANGED if changed else SAME


@kernel
def _support(integers, numbers, at, run):
    """Nodes of a block, behind their count."""
    count, room = 0, integers[SUPPORT] + support_room(integers)
    for side in range(2):
        clique = integers[at + CLIQUE_A + side]
        if clique >= 0:
            own = integers[CLIQUE] + CLIQUE_RECORD * clique
            number, size = integers[own + NODE_COUNT], integers[own + SIZE]
            j = integers[JACOBIAN] + integers[at + JACOBIAN_A + side]
            for k in range(number):
                if number == 1 or _touched(numbers, j, integers[at + DIM], size, NODE_SIZE * k):
                    if run + 1 + count >= room:
                        return -1
                    integers[run + 1 + count] = integers[own + FIRST_NODE] + k
                    count += 1
    integers[run] = count
    return count


@kernel
def _touched(numbers, j, dim, size, first):
    """Whether a block has entries in the six columns from `first`."""
    for i in range(dim):
        for k in range(first, min(first + NODE_SIZE, size)):
            if numbers[j + size * i + k] != 0.0:
                return True
    return False


@kernel
def _alike(integers, a, b):
    """Whether two supports have the same nodes."""
    for k in range(integers[a] + 1):
        if integers[a + k] != integers[b + k]:
            return False
    return True
