"""The Schur complement of bodies as a method of its own: W = J M^-1 J^T by blocks, or a refusal.

The factorisation of `mechanics.dual` without its ways out: a row that depends on others is an
error, as it is for full matrices.
"""

from dalembert._jit import border
from dalembert.mechanics.dual import BY_DUAL, assemble_dual, factor_blocks, invert_masses
from dalembert.system.borders import FACTORING, OK, RANK_DEFICIENT
from dalembert.system.dual_blocks import DEPENDENT
from dalembert.system.layout import BRANCH, DUAL_RATIO, DUAL_ROW_COUNT, FACTORISATIONS


@border(FACTORING)
def factor_complement(work, sizes, tolerance):
    """W = L D L^T, refusing dependent rows."""
    invert_masses(work, sizes)
    assemble_dual(work, sizes)
    factor_blocks(work, sizes)
    sizes[FACTORISATIONS] += 1
    sizes[BRANCH] = BY_DUAL
    for i in range(sizes[DUAL_ROW_COUNT]):
        if not work[sizes[DUAL_RATIO] + i] > DEPENDENT:
            return RANK_DEFICIENT
    return OK
