"""H = M + J^T G J along the body graph with given weights G, for compliant rows (methods 5.3).

The matrix of `mechanics.proximal`; there G is large and stands for rigid rows, here it is the
stiffness of real ones. Factors made here are not those of the proximal form: it must not take them
for its own.
"""

from dalembert._jit import kernel
from dalembert.mechanics.assembled import factor_assembled, solve_assembled
from dalembert.mechanics.proximal_matrix import assemble, unsolvable
from dalembert.system.borders import OK
from dalembert.system.state_layout import State


@kernel
def factor_weighted(state: State):
    """Factor H of the last evaluated state with the weights in ROW_WEIGHT."""
    assemble(state)
    state.factored = 0
    state.proximal_scale = 0.0
    bad = factor_assembled(state)
    return OK if bad < 0 else unsolvable(state, bad)


@kernel
def solve_weighted(state: State, x):
    """x <- H^-1 x."""
    solve_assembled(state, x)
