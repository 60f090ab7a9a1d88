"""Where the factor of A + J^T G J has blocks: ordering by least degree, columns, updates.

Quotient graph (George and Liu 1989; Amestoy, Davis and Duff 1996): an eliminated node p becomes an
element, whose list L_p, the nodes it connects, is at the same time the column p of the factor.
Elements that share p are absorbed by it. The degree of a node is bounded by

    |A_i| + |L_p - i| + sum over its other elements e of |L_e - L_p|,

and the node of the least bound, of several the first, is eliminated next. Islands are ordered one
by one; each has its columns in a row. Everything is kept as long as the graph stays the same, and
is a function of the graph alone.
"""

from dalembert._jit import kernel
from dalembert.contact.blocks import island_cliques
from dalembert.contact.graph import CHANGED, FULL_UP, find_graph
from dalembert.contact.layout import (
    BELOW,
    BELOW_COUNT,
    BLOCK,
    BLOCK_RECORD,
    BLOCKS,
    CLIQUE,
    CLIQUE_RECORD,
    COLUMN,
    COLUMN_COUNT,
    COLUMN_NODE,
    COLUMN_RECORD,
    EDGE_COUNT,
    EDGES,
    FILL,
    FILL_LIMIT,
    FIRST_BELOW,
    FIRST_COLUMN,
    FIRST_NODE,
    FIRST_UPDATE,
    FULL,
    ISLAND,
    ISLAND_FILL,
    ISLAND_RECORD,
    ISLANDS,
    KNOWN_NODES,
    MOST_FILL,
    MOST_UPDATES,
    NEIGHBOURS,
    NODE_COUNT,
    NODE_VECTORS,
    NODE_WORK,
    NODES,
    ORDER,
    OVERFLOW,
    RUN,
    SUPPORTED,
    UPDATE_COUNT,
    UPDATES,
)

PLACE, ADJACENT, ELEMENTS, VARIABLES, DEGREE, MARK, WEIGHT, WEIGHED, STATE = range(NODE_VECTORS)
"""Vectors over nodes: place in the order; start, elements and variables of the list of neighbours;
bound of the degree; marks; |L_e - L_p| and its step; VARIABLE, ELEMENT or ABSORBED."""

VARIABLE, ELEMENT, ABSORBED = range(3)

READY = 0


@kernel
def symbolic(integers, numbers):
    """Graph, columns and supports of this problem, once. Returns READY or OVERFLOW."""
    if integers[SUPPORTED] == 1:
        return READY
    result = find_graph(integers, numbers)
    if result == FULL_UP:
        integers[KNOWN_NODES] = -1
        return OVERFLOW
    if result == CHANGED:
        # Until everything is there, nothing is known.
        known = integers[KNOWN_NODES]
        integers[KNOWN_NODES] = -1
        _neighbours(integers)
        integers[FILL], integers[UPDATE_COUNT] = 0, 0
        column = 0
        for island in range(integers[ISLANDS]):
            column = _order(integers, island, column)
            if column < 0:
                return OVERFLOW
        integers[KNOWN_NODES] = known
    _supports(integers)
    integers[SUPPORTED] = 1
    return READY


@kernel
def vector_of(integers, which):
    """Where a vector over nodes starts."""
    return integers[NODE_WORK] + which * integers[NODES]


@kernel
def _neighbours(integers):
    """Lists of neighbours without repetitions."""
    count, edges = integers[NODES], integers[EDGE_COUNT]
    start, number = vector_of(integers, ADJACENT), vector_of(integers, VARIABLES)
    mark, state = vector_of(integers, MARK), vector_of(integers, STATE)
    elements, weighed = vector_of(integers, ELEMENTS), vector_of(integers, WEIGHED)
    for i in range(count):
        integers[number + i], integers[mark + i], integers[state + i] = 0, -1, VARIABLE
        integers[elements + i], integers[weighed + i] = 0, -1
        integers[vector_of(integers, PLACE) + i] = -1
    for e in range(2 * edges):
        integers[number + integers[integers[EDGES] + e]] += 1
    place = integers[NEIGHBOURS]
    for i in range(count):
        integers[start + i] = place
        place += integers[number + i]
        integers[number + i] = 0
    for e in range(edges):
        at = integers[EDGES] + 2 * e
        for side in range(2):
            i = integers[at + side]
            integers[integers[start + i] + integers[number + i]] = integers[at + 1 - side]
            integers[number + i] += 1
    for i in range(count):
        kept, first = 0, integers[start + i]
        for k in range(integers[number + i]):
            j = integers[first + k]
            if integers[mark + j] != i:
                integers[mark + j] = i
                integers[first + kept] = j
                kept += 1
        integers[number + i] = kept
        integers[vector_of(integers, DEGREE) + i] = kept
    for i in range(count):
        integers[mark + i] = -1


@kernel
def _order(integers, island, column):
    """Eliminate the nodes of an island. Returns the next free column, or OVERFLOW.

    An island with more fill than FILL_LIMIT, and than its cliques have by themselves, gets no
    columns.
    """
    record = integers[ISLAND] + ISLAND_RECORD * island
    integers[record + FIRST_COLUMN], integers[record + COLUMN_COUNT] = column, 0
    integers[record + ISLAND_FILL] = 0
    # One without blocks as well: with the first, on the world, the graph stays the same.
    first, count = island_cliques(integers, island)
    order, end, inside = integers[ORDER], column, 0
    for k in range(count):
        at = integers[CLIQUE] + CLIQUE_RECORD * integers[first + k]
        inside += integers[at + NODE_COUNT] * (integers[at + NODE_COUNT] - 1) // 2
        for n in range(integers[at + NODE_COUNT]):
            integers[order + end] = integers[at + FIRST_NODE] + n
            end += 1
    start_fill = integers[FILL]
    for k in range(column, end):
        p = _least(integers, k, end)
        if integers[FILL] - start_fill > max(integers[FILL_LIMIT], inside):
            integers[FILL] = start_fill
            integers[record + ISLAND_FILL] = -1
            for i in range(column, end):
                integers[vector_of(integers, PLACE) + integers[order + i]] = -1
            return column
        if not _eliminate(integers, p, k, end - k):
            return OVERFLOW
    for k in range(column, end):
        _sort_column(integers, k)
    for k in range(column, end):
        if not _updates(integers, k):
            return OVERFLOW
    integers[record + COLUMN_COUNT] = end - column
    integers[record + ISLAND_FILL] = integers[FILL] - start_fill
    return end


@kernel
def _least(integers, k, end):
    """Bring the node of the least degree, of several the first, to place k of the order."""
    order, degree = integers[ORDER], vector_of(integers, DEGREE)
    best, least = k, integers[degree + integers[order + k]]
    for i in range(k + 1, end):
        node = integers[order + i]
        d = integers[degree + node]
        if d < least or (d == least and node < integers[order + best]):
            best, least = i, d
    p = integers[order + best]
    integers[order + best] = integers[order + k]
    integers[order + k] = p
    return p


@kernel
def _eliminate(integers, p, k, left):
    """Make node p an element at place k. False: no room for its column."""
    mark, state = vector_of(integers, MARK), vector_of(integers, STATE)
    place, start = vector_of(integers, PLACE), vector_of(integers, ADJACENT)
    own = integers[COLUMN] + COLUMN_RECORD * k
    first, most = integers[FILL], integers[MOST_FILL]
    integers[own + COLUMN_NODE], integers[own + FIRST_BELOW] = p, first
    integers[place + p], integers[state + p], integers[mark + p] = k, ELEMENT, k
    count, below = 0, integers[BELOW] + first
    elements = integers[vector_of(integers, ELEMENTS) + p]
    for n in range(elements + integers[vector_of(integers, VARIABLES) + p]):
        other = integers[integers[start + p] + n]
        if n < elements:
            integers[state + other] = ABSORBED
            column = integers[COLUMN] + COLUMN_RECORD * integers[place + other]
            at, number = (
                integers[BELOW] + integers[column + FIRST_BELOW],
                integers[column + BELOW_COUNT],
            )
            for m in range(number):
                i = integers[at + m]
                if integers[mark + i] != k:
                    integers[mark + i] = k
                    if first + count >= most:
                        integers[FULL] = MOST_FILL
                        return False
                    integers[below + count] = i
                    count += 1
        elif integers[mark + other] != k:
            integers[mark + other] = k
            if first + count >= most:
                integers[FULL] = MOST_FILL
                return False
            integers[below + count] = other
            count += 1
    integers[own + BELOW_COUNT] = count
    integers[FILL] = first + count
    for n in range(count):
        _absorb(integers, integers[below + n], p, k)
    for n in range(count):
        _bound(integers, integers[below + n], p, count, left)
    return True


@kernel
def _absorb(integers, i, p, k):
    """In the list of node i, element p takes the place of what it has absorbed."""
    mark, state = vector_of(integers, MARK), vector_of(integers, STATE)
    weight, weighed = vector_of(integers, WEIGHT), vector_of(integers, WEIGHED)
    first = integers[vector_of(integers, ADJACENT) + i]
    elements = integers[vector_of(integers, ELEMENTS) + i]
    variables = integers[vector_of(integers, VARIABLES) + i]
    kept = 0
    for n in range(variables):
        j = integers[first + elements + n]
        if integers[mark + j] != k:
            integers[first + elements + kept] = j
            kept += 1
    remaining = 0
    for n in range(elements):
        e = integers[first + n]
        if integers[state + e] == ELEMENT:
            integers[first + remaining] = e
            remaining += 1
            if integers[weighed + e] != k:
                integers[weighed + e] = k
                column = COLUMN_RECORD * integers[vector_of(integers, PLACE) + e]
                integers[weight + e] = integers[integers[COLUMN] + column + BELOW_COUNT]
            integers[weight + e] -= 1
    if remaining == elements:
        # Then p itself was among the variables: the first one moves into the gap it has left.
        integers[first + elements + kept] = integers[first + elements]
    else:
        for n in range(kept):
            integers[first + remaining + 1 + n] = integers[first + elements + n]
    integers[first + remaining] = p
    integers[vector_of(integers, ELEMENTS) + i] = remaining + 1
    integers[vector_of(integers, VARIABLES) + i] = kept


@kernel
def _bound(integers, i, p, count, left):
    """Bound of the degree of node i after the elimination of p."""
    first = integers[vector_of(integers, ADJACENT) + i]
    degree = integers[vector_of(integers, VARIABLES) + i] + count - 1
    for n in range(integers[vector_of(integers, ELEMENTS) + i]):
        e = integers[first + n]
        if e != p:
            degree += integers[vector_of(integers, WEIGHT) + e]
    integers[vector_of(integers, DEGREE) + i] = min(degree, left - 2)


@kernel
def _sort_column(integers, k):
    """BELOW of a column: places instead of nodes, ascending."""
    own, place = integers[COLUMN] + COLUMN_RECORD * k, vector_of(integers, PLACE)
    first = integers[BELOW] + integers[own + FIRST_BELOW]
    for n in range(integers[own + BELOW_COUNT]):
        x = integers[place + integers[first + n]]
        m = n
        while m > 0 and integers[first + m - 1] > x:
            integers[first + m] = integers[first + m - 1]
            m -= 1
        integers[first + m] = x


@kernel
def place_of_block(integers, row, column):
    """Index in FACTOR of the 6 x 6 block of two places, row > column."""
    own = integers[COLUMN] + COLUMN_RECORD * column
    low = integers[own + FIRST_BELOW]
    high = low + integers[own + BELOW_COUNT] - 1
    while low < high:
        middle = (low + high) // 2
        if integers[integers[BELOW] + middle] < row:
            low = middle + 1
        else:
            high = middle
    return integers[NODES] + low


@kernel
def _updates(integers, k):
    """Targets of the products of column k: for i <= j below it, block (j, i). False: no room."""
    own = integers[COLUMN] + COLUMN_RECORD * k
    first, count = integers[own + FIRST_BELOW], integers[own + BELOW_COUNT]
    at = integers[UPDATE_COUNT]
    integers[own + FIRST_UPDATE] = at
    if at + count * (count + 1) // 2 > integers[MOST_UPDATES]:
        integers[FULL] = MOST_UPDATES
        return False
    for n in range(count):
        i = integers[integers[BELOW] + first + n]
        integers[integers[UPDATES] + at] = i
        at += 1
        for m in range(n + 1, count):
            j = integers[integers[BELOW] + first + m]
            integers[integers[UPDATES] + at] = place_of_block(integers, j, i)
            at += 1
    integers[UPDATE_COUNT] = at
    return True


@kernel
def _supports(integers):
    """Where the products of every support go."""
    place, last = vector_of(integers, PLACE), -1
    for block in range(integers[BLOCKS]):
        run = integers[integers[BLOCK] + BLOCK_RECORD * block + RUN]
        if run == last:
            continue
        last = run
        count = integers[run]
        if count == 0 or integers[place + integers[run + 1]] < 0:
            continue
        at = run + 1 + count
        for k in range(count):
            x = integers[place + integers[run + 1 + k]]
            integers[at] = 2 * x
            at += 1
            for l in range(k + 1, count):
                y = integers[place + integers[run + 1 + l]]
                if x < y:
                    integers[at] = 2 * place_of_block(integers, y, x)
                else:
                    integers[at] = 2 * place_of_block(integers, x, y) + 1
                at += 1
