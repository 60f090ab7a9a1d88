"""All rows where those that were chosen hold badly: as many directions as they have for good.

Rows that imply the others at the start (`simulation.prepare.reduction`) may come to hold badly what
all of them still hold well, as bodies turn: of a ball in a plane two rows of three do, until the
normal of the plane lies in theirs. There C = J R^-1 of all rows is decomposed, no further than its
rank on the constraints, which is known beforehand (methods 2.1). A step is taken with one or
the other: they differ off the constraints, and its stages must be those of one equation.
"""

from dalembert._jit import apart, kernel
from dalembert.mechanics.dense import BY_ORTHOGONAL, checked_rows, no_force
from dalembert.mechanics.maximal import scatter
from dalembert.mechanics.orthogonal import orthogonal_response, parts_of, scaled_rows
from dalembert.mechanics.tree_evaluate import fill_matrices
from dalembert.numerics.orthogonal import orthogonal_factor
from dalembert.system.borders import OK
from dalembert.system.state_layout import State

POOR = 1e-2
"""Pivot of a chosen row, over the largest it has had, below which a step looks at all rows."""

BETTER = 30.0
"""Square of the weakest direction of all rows, over the smallest pivot of those chosen, from which
all rows are taken. At a singular position they are as weak, and stay out."""


@kernel
def goes_on_with_all(state: State, tolerance):
    """Whether the step has taken all rows and they hold at this stage, too; they are factored."""
    if state.lasting_rank == 0:
        return False
    if state.factorisations == state.step_factorisations:
        state.by_all = 0
    return state.by_all == 1 and is_held_by_all(state, tolerance, 0.0)


@kernel
def is_better_by_all(state: State, tolerance, regular):
    """Whether all rows hold much more than those whose W was just factored; they are factored."""
    if state.lasting_rank == 0:
        return False
    begins = state.factorisations == state.step_factorisations + 1
    least = 1.0
    poor = False
    for i in range(state.dual_row_count):
        ratio, best = state.dual_ratio[i], state.dual_best[i]
        least = min(least, ratio)
        poor = poor or ratio < POOR * best
    if regular and not (begins and poor):
        return False
    if not is_held_by_all(state, tolerance, BETTER * max(least, 0.0)):
        return False
    state.by_all = 1
    return True


@apart(bool)
def is_held_by_all(state: State, tolerance, least):
    """Whether all rows hold the directions they have for good, the weakest by `least`, a square.

    C is then decomposed. A row that vanishes has no size to compare with: `row_share` knows.
    """
    if state.bodies > 0:
        scatter(state)
    else:
        fill_matrices(state)
    if checked_rows(state) != OK:
        return False
    reference = scaled_rows(state)
    C, most = state.ortho_c, state.lasting_rank
    rank, _ = orthogonal_factor(parts_of(state), tolerance, reference, most)
    if rank < most or not C[rank - 1, rank - 1] ** 2 > least * C[0, 0] ** 2:
        return False
    state.branch = BY_ORTHOGONAL
    state.rank = state.seen_rank = rank
    state.factorisations += 1
    state.factored = 1
    state.factored_time = state.evaluated_time
    return True


@apart(int)
def solve_by_all(state: State, top, bottom, x_out, lam_out):
    """Forces."""
    return orthogonal_response(state, top, bottom, False, x_out, lam_out)


@apart(int)
def respond_by_all(state: State, bottom, x_out, lam_out):
    """Corrections."""
    return orthogonal_response(state, no_force(state), bottom, False, x_out, lam_out)
