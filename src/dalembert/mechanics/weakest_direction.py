"""The direction that the rows of the constraints hold least."""

import math

from dalembert._jit import apart
from dalembert.mechanics.dense import BY_DUAL, BY_ORTHOGONAL, BY_PROXIMAL
from dalembert.mechanics.dual import FLOOR
from dalembert.system.state_layout import State


@apart(float)
def weakest_direction(state: State):
    """Its singular value of C over the largest (decision 0003), by the last factors; 1: unknown.

    Pivots of C itself, or of W, which are squares, over the largest that a row has had.
    """
    if state.branch == BY_ORTHOGONAL:
        C, seen = state.ortho_c, state.seen_rank
        if seen == 0 or C[0, 0] == 0.0:
            return 1.0
        return abs(C[seen - 1, seen - 1] / C[0, 0])
    by_pivots = state.branch == BY_DUAL or state.branch == BY_PROXIMAL
    least = 1.0
    if by_pivots and state.dual_column_count > 0 and state.massless == 0:
        for i in range(state.dual_row_count):
            best = state.dual_best[i]
            if best > FLOOR:
                least = min(least, max(0.0, state.dual_ratio[i]) / best)
    return math.sqrt(least)
