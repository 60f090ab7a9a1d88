"""The Schur complement of bodies as a method of its own: W = J M^-1 J^T by blocks, or a refusal.

The factorisation of `mechanics.dual` without its ways out: a row that depends on others is an
error, as it is for full matrices.
"""

from dalembert._jit import border
from dalembert.mechanics.dense import BY_DUAL
from dalembert.mechanics.dual import assemble_dual, factor_rows, invert_masses
from dalembert.system.borders import FACTORING, OK, RANK_DEFICIENT
from dalembert.system.dual_blocks import DEPENDENT
from dalembert.system.state_layout import State


@border(FACTORING)
def factor_complement(state: State, tolerance):
    """W = L D L^T, refusing dependent rows."""
    invert_masses(state)
    assemble_dual(state)
    factor_rows(state)
    state.factorisations += 1
    state.branch = BY_DUAL
    for i in range(state.dual_row_count):
        if not state.dual_ratio[i] > DEPENDENT:
            return RANK_DEFICIENT
    return OK
