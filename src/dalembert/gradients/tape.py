"""Which values of a step are kept for the way back, and which are computed again: a least cut.

The adjoint of a step needs values of the step. To keep one costs a store and a load, to compute it
again its operation and that its arguments are there. With N_i: value i is needed, R_i: it is
computed again, the work

    sum KEEP [N_i = 1, R_i = 0] + sum w_i R_i,    R_i = 1 => N_a = 1 for every argument a,

is least along a cut of least weight in a graph with two nodes for each value (sensitivity 1.1).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from dalembert.formulas import Expression, reachable

KEEP = 8
"""A value that is kept, in operations: it goes to memory beyond the caches and comes back."""

WORK = {"/": 6, "sqrt": 8, "sin": 20, "cos": 20, "tan": 30, "exp": 20, "log": 20, "power": 40}
WORK |= {"arctan2": 30, "arctan": 30, "arcsin": 30, "arccos": 30, "tanh": 30}
"""Operations in multiplications; others are 1."""

ENDLESS = 1 << 28


def values_to_keep(step: Sequence[Expression], back: Sequence[Expression]) -> list[Expression]:
    """Values of a step that are kept for its adjoint."""
    own = {x for x in reachable(step) if x.args}
    needed = {x for x in back if x in own}
    for x in reachable(back):
        if x not in own:
            needed.update(a for a in x.args if a in own and isinstance(a, Expression))
    if not needed:
        return []
    values = [x for x in reachable(list(needed)) if x.args]
    place = {x: 2 * k for k, x in enumerate(values)}
    source, sink = 2 * len(values), 2 * len(values) + 1
    edges: list[tuple[int, int, int]] = []
    for x, k in place.items():
        can_be_kept = isinstance(x, Expression)
        edges.append((k, k + 1, KEEP if can_be_kept else ENDLESS))
        edges.append((k + 1, sink, WORK.get(x.op, 1)))
        edges += [(k + 1, place[a], ENDLESS) for a in set(x.args) if a in place]
        if x in needed:
            edges.append((source, k, ENDLESS))
    rows, columns, weights = np.array(edges, dtype=np.int32).T
    graph = csr_matrix((weights, (rows, columns)), shape=(sink + 1, sink + 1))
    left = graph - maximum_flow(graph, source, sink).flow
    left.data[left.data < 0] = 0
    left.eliminate_zeros()
    near = np.zeros(sink + 1, dtype=bool)
    near[breadth_first_order(left, source, return_predecessors=False)] = True
    kept = (x for x, k in place.items() if near[k] and not near[k + 1])
    return [x for x in kept if isinstance(x, Expression)]
