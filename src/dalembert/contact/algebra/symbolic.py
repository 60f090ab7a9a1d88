"""Where the factor of A + J^T G J has blocks: ordering by least degree, columns, updates.

Quotient graph (George and Liu 1989; Amestoy, Davis and Duff 1996): an eliminated node p becomes an
element, whose list L_p, the nodes it connects, is at the same time the column p of the factor.
Elements that share p are absorbed by it. The degree of a node is bounded by

    |A_i| + |L_p - i| + sum over its other elements e of |L_e - L_p|,

and the node of the least bound, of several the first, is eliminated next. Islands are ordered one
by one; each has its columns in a row. Everything is kept as long as the graph stays the same, and
is a function of the graph alone.
"""

from dalembert._jit import apart, kernel
from dalembert.contact.algebra.graph import CHANGED, FULL_UP, find_graph
from dalembert.contact.problem.layout import FILL_ROOM, OVERFLOW, UPDATE_ROOM, Problem

VARIABLE, ELEMENT, ABSORBED = range(3)

READY = 0


@kernel
def symbolic(problem: Problem):
    """Graph, columns and supports of this problem, once. Returns READY or OVERFLOW."""
    if problem.supported == 1:
        return READY
    result = find_graph(problem)
    if result == FULL_UP:
        problem.known_nodes = -1
        return OVERFLOW
    if result == CHANGED:
        # Until everything is there, nothing is known.
        known = problem.known_nodes
        problem.known_nodes = -1
        _neighbours(problem)
        problem.fill, problem.update_count = 0, 0
        column = 0
        for i in range(problem.islands):
            column = _order(problem, problem.island(i), column)
            if column < 0:
                return OVERFLOW
        problem.known_nodes = known
    _supports(problem)
    problem.supported = 1
    return READY


@kernel
def _neighbours(problem: Problem):
    """Lists of neighbours without repetitions."""
    edges, lists, start = problem.edges, problem.neighbours, problem.adjacent
    number, mark = problem.variables, problem.mark
    for i in range(problem.nodes):
        number[i], mark[i], problem.node_state[i] = 0, -1, VARIABLE
        problem.elements[i], problem.weighed[i], problem.place[i] = 0, -1, -1
    for e in range(2 * problem.edge_count):
        number[edges[e]] += 1
    at = 0
    for i in range(problem.nodes):
        start[i] = at
        at += number[i]
        number[i] = 0
    for e in range(problem.edge_count):
        a, b = edges[2 * e], edges[2 * e + 1]
        lists[start[a] + number[a]] = b
        number[a] += 1
        lists[start[b] + number[b]] = a
        number[b] += 1
    for i in range(problem.nodes):
        kept, first = 0, start[i]
        for k in range(number[i]):
            j = lists[first + k]
            if mark[j] != i:
                mark[j] = i
                lists[first + kept] = j
                kept += 1
        number[i] = kept
        problem.degree[i] = kept
    for i in range(problem.nodes):
        mark[i] = -1


# -- elimination -----------------------------------------------------------------------------------


@kernel
def _order(problem: Problem, island, column):
    """Eliminate the nodes of an island. Returns the next free column, or OVERFLOW.

    An island with more fill than `fill_limit`, and than its cliques have by themselves, gets no
    columns.
    """
    island.first_column, island.column_count, island.fill = column, 0, 0
    # One without blocks as well: with the first, on the world, the graph stays the same.
    order, end, inside = problem.order, column, 0
    for clique in problem.cliques_of(island):
        inside += clique.node_count * (clique.node_count - 1) // 2
        for n in range(clique.node_count):
            order[end] = clique.first_node + n
            end += 1
    start = problem.fill
    for k in range(column, end):
        p = _least(problem, k, end)
        if problem.fill - start > max(problem.fill_limit, inside):
            problem.fill = start
            island.fill = -1
            for i in range(column, end):
                problem.place[order[i]] = -1
            return column
        if not _eliminate(problem, p, k, end - k):
            return OVERFLOW
    for k in range(column, end):
        _sort_column(problem, problem.column(k))
    for k in range(column, end):
        if not _updates(problem, problem.column(k)):
            return OVERFLOW
    island.column_count = end - column
    island.fill = problem.fill - start
    return end


@kernel
def _least(problem: Problem, k, end):
    """Bring the node of the least degree, of several the first, to place k of the order."""
    order, degree = problem.order, problem.degree
    best, least = k, degree[order[k]]
    for i in range(k + 1, end):
        node = order[i]
        if degree[node] < least or (degree[node] == least and node < order[best]):
            best, least = i, degree[node]
    p = order[best]
    order[best] = order[k]
    order[k] = p
    return p


@kernel
def _eliminate(problem: Problem, p, k, left):
    """Make node p an element at place k. False: no room for its column."""
    own, below = problem.column(k), problem.below
    own.node, own.first_below = p, problem.fill
    problem.place[p], problem.node_state[p], problem.mark[p] = k, ELEMENT, k
    first, elements = problem.adjacent[p], problem.elements[p]
    for n in range(elements + problem.variables[p]):
        other = problem.neighbours[first + n]
        if n < elements:
            problem.node_state[other] = ABSORBED
            column = problem.column(problem.place[other])
            for m in range(column.first_below, column.first_below + column.below_count):
                if not _list_below(problem, below[m], k):
                    return False
        elif not _list_below(problem, other, k):
            return False
    own.below_count = problem.fill - own.first_below
    for n in range(own.first_below, problem.fill):
        _absorb(problem, below[n], p, k)
    for n in range(own.first_below, problem.fill):
        _bound(problem, below[n], p, own.below_count, left)
    return True


@kernel
def _list_below(problem: Problem, i, k):
    """List node i below column k, once. False: no room."""
    if problem.mark[i] != k:
        problem.mark[i] = k
        if problem.fill >= problem.most_fill:
            problem.full = FILL_ROOM
            return False
        problem.below[problem.fill] = i
        problem.fill += 1
    return True


@apart(None)
def _absorb(problem: Problem, i, p, k):
    """In the list of node i, element p takes the place of what it has absorbed."""
    lists, mark, weight = problem.neighbours, problem.mark, problem.weight
    first, elements, kept = problem.adjacent[i], problem.elements[i], 0
    for n in range(problem.variables[i]):
        j = lists[first + elements + n]
        if mark[j] != k:
            lists[first + elements + kept] = j
            kept += 1
    remaining = 0
    for n in range(elements):
        e = lists[first + n]
        if problem.node_state[e] == ELEMENT:
            lists[first + remaining] = e
            remaining += 1
            if problem.weighed[e] != k:
                problem.weighed[e] = k
                weight[e] = problem.column(problem.place[e]).below_count
            weight[e] -= 1
    if remaining == elements:
        # Then p itself was among the variables: the first one moves into the gap it has left.
        lists[first + elements + kept] = lists[first + elements]
    else:
        for n in range(kept):
            lists[first + remaining + 1 + n] = lists[first + elements + n]
    lists[first + remaining] = p
    problem.elements[i], problem.variables[i] = remaining + 1, kept


@kernel
def _bound(problem: Problem, i, p, count, left):
    """Bound of the degree of node i after the elimination of p."""
    first, degree = problem.adjacent[i], problem.variables[i] + count - 1
    for n in range(problem.elements[i]):
        e = problem.neighbours[first + n]
        if e != p:
            degree += problem.weight[e]
    problem.degree[i] = min(degree, left - 2)


# -- columns ---------------------------------------------------------------------------------------


@kernel
def _sort_column(problem: Problem, column):
    """Sort the list below a column: places instead of nodes, ascending."""
    place = problem.place
    below = problem.below[column.first_below : column.first_below + column.below_count]
    for n in range(column.below_count):
        x = place[below[n]]
        m = n
        while m > 0 and below[m - 1] > x:
            below[m] = below[m - 1]
            m -= 1
        below[m] = x


@kernel
def place_of_block(problem: Problem, row, k):
    """Index in the factor of the 6 x 6 block of two places, row > k."""
    column, below = problem.column(k), problem.below
    low = column.first_below
    high = low + column.below_count - 1
    while low < high:
        middle = (low + high) // 2
        if below[middle] < row:
            low = middle + 1
        else:
            high = middle
    return problem.nodes + low


@kernel
def _updates(problem: Problem, column):
    """Targets of the products of a column: for i <= j below it, block (j, i). False: no room."""
    below, updates, at = problem.below, problem.updates, problem.update_count
    first, end = column.first_below, column.first_below + column.below_count
    column.first_update = at
    if at + column.below_count * (column.below_count + 1) // 2 > problem.most_updates:
        problem.full = UPDATE_ROOM
        return False
    for n in range(first, end):
        updates[at] = below[n]
        at += 1
        for m in range(n + 1, end):
            updates[at] = place_of_block(problem, below[m], below[n])
            at += 1
    problem.update_count = at
    return True


@kernel
def _supports(problem: Problem):
    """Where the products of every support go."""
    support, place, last = problem.support, problem.place, -1
    for b in range(problem.blocks):
        run = problem.block(b).run
        if run == last:
            continue
        last = run
        count = support[run]
        if count == 0 or place[support[run + 1]] < 0:
            continue
        at = run + 1 + count
        for k in range(count):
            x = place[support[run + 1 + k]]
            support[at] = 2 * x
            at += 1
            for l in range(k + 1, count):
                y = place[support[run + 1 + l]]
                if x < y:
                    support[at] = 2 * place_of_block(problem, y, x)
                else:
                    support[at] = 2 * place_of_block(problem, x, y) + 1
                at += 1
