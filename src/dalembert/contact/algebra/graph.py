"""The graph of A + J^T G J: nodes of six velocities, and edges between nodes that a block touches.

Cliques of more than six velocities are cut into several nodes. The nodes in which the rows of a
block are not zero are its support; blocks that follow one another with the same support share one
entry of `Problem.support`:

    count, nodes..., and for every pair (k <= l) of them where its product J_k^T G J_l is added:
    2 * (index of the 6 x 6 block of the factor) + (1 if the block stands the other way round)
"""

from dalembert._jit import apart, kernel
from dalembert.contact.problem.layout import EDGE_ROOM, NODE_SIZE, Problem

SAME, CHANGED, FULL_UP = 0, 1, 2
"""Results of `find_graph`."""


@kernel
def find_graph(problem: Problem):
    """Nodes, edges and supports; says whether the graph is the one that is known."""
    changed = _nodes(problem)
    problem.edge_count = 0
    for c in range(problem.cliques):
        clique = problem.clique(c)
        if clique.node_count > 1:
            result = _inside(problem, clique)
            if result == FULL_UP:
                return FULL_UP
            changed = changed or result == CHANGED
    result = _supports(problem)
    if result == FULL_UP:
        return FULL_UP
    changed = changed or result == CHANGED
    if problem.edge_count != problem.known_edges:
        changed = True
    problem.known_edges = problem.edge_count
    return CHANGED if changed else SAME


@kernel
def _nodes(problem: Problem):
    """Cut cliques into nodes. True: they are not those of the last time."""
    changed, count = False, 0
    for c in range(problem.cliques):
        clique = problem.clique(c)
        clique.first_node = count
        clique.node_count = (clique.size + NODE_SIZE - 1) // NODE_SIZE
        for k in range(clique.node_count):
            node = problem.node(count)
            if node.island != clique.island or node.clique != c:
                changed = True
            node.island, node.clique = clique.island, c
            node.start = clique.start + NODE_SIZE * k
            node.size = min(NODE_SIZE, clique.size - NODE_SIZE * k)
            count += 1
    if count != problem.known_nodes:
        changed = True
    problem.nodes, problem.known_nodes = count, count
    return changed


@kernel
def _edge(problem: Problem, x, y):
    """Note an edge; CHANGED where another one stood."""
    edges, at = problem.edges, 2 * problem.edge_count
    if problem.edge_count >= problem.most_edges:
        problem.full = EDGE_ROOM
        return FULL_UP
    known = edges[at] == x and edges[at + 1] == y
    edges[at], edges[at + 1] = x, y
    problem.edge_count += 1
    return SAME if known else CHANGED


@apart(int)
def _inside(problem: Problem, clique):
    """Edges of A of one clique: nodes with a velocity and an ancestor of it."""
    parents, changed = clique.of(problem.parent), False
    for k in range(1, clique.node_count):
        for l in range(k):
            related = False
            for i in range(NODE_SIZE * k, min(NODE_SIZE * (k + 1), clique.size)):
                j = parents[i]
                while j >= NODE_SIZE * (l + 1):
                    j = parents[j]
                related = related or j >= NODE_SIZE * l
            if related:
                result = _edge(problem, clique.first_node + l, clique.first_node + k)
                if result == FULL_UP:
                    return FULL_UP
                changed = changed or result == CHANGED
    return CHANGED if changed else SAME


# -- supports --------------------------------------------------------------------------------------


@kernel
def _supports(problem: Problem):
    """Supports of all blocks, and the edges between their nodes."""
    support, changed, last, run = problem.support, False, -1, 0
    for b in range(problem.blocks):
        block = problem.block(b)
        count = _support(problem, block, run)
        if count < 0:
            problem.full = EDGE_ROOM
            return FULL_UP
        if last >= 0 and _alike(support, last, run):
            block.run = last
            continue
        block.run, last = run, run
        run += 1 + count + count * (count + 1) // 2
        if run > len(support):
            problem.full = EDGE_ROOM
            return FULL_UP
        for k in range(count):
            for l in range(k):
                result = _edge(problem, support[last + 1 + l], support[last + 1 + k])
                if result == FULL_UP:
                    return FULL_UP
                changed = changed or result == CHANGED
    return CHANGED if changed else SAME


@kernel
def _support(problem: Problem, block, run):
    """Nodes of a block, behind their count, from place `run` on. -1: no room."""
    count = 0
    if block.clique_a >= 0:
        count = _add_nodes(problem, block.clique_a, problem.J_a(block), run, count)
    if block.clique_b >= 0 and count >= 0:
        count = _add_nodes(problem, block.clique_b, problem.J_b(block), run, count)
    if count >= 0:
        problem.support[run] = count
    return count


@kernel
def _add_nodes(problem: Problem, c, J, run, count):
    """Nodes of one side of a block. Returns how many there are then; -1: no room."""
    clique, support = problem.clique(c), problem.support
    for k in range(clique.node_count):
        if clique.node_count == 1 or _touched(J, NODE_SIZE * k):
            if run + 1 + count >= len(support):
                return -1
            support[run + 1 + count] = clique.first_node + k
            count += 1
    return count


@kernel
def _touched(J, first):
    """Whether a block has entries in the six columns from `first`."""
    for i in range(J.shape[0]):
        for k in range(first, min(first + NODE_SIZE, J.shape[1])):
            if J[i, k] != 0.0:
                return True
    return False


@kernel
def _alike(support, a, b):
    """Whether two supports have the same nodes."""
    for k in range(support[a] + 1):
        if support[a + k] != support[b + k]:
            return False
    return True
