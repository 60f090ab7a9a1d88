"""Factors of H, which stands assembled in the field `proximal`, along the body graph."""

from dalembert._jit import kernel
from dalembert.numerics.block_sparse import BlockMatrix, sparse_factor, sparse_solve
from dalembert.system.state_layout import State


@kernel
def matrix_of_bodies(state: State):
    """H by blocks: six rows a body."""
    inverse = state.proximal_inverse
    return BlockMatrix(
        state.sizes,
        state.column_table,
        state.below_table,
        state.update_table,
        state.bodies,
        state.proximal,
        inverse,
        inverse,  # rows are never taken out: what is left of them is nobody's concern
        inverse,
        state.block_scratch,
    )


@kernel
def factor_assembled(state: State):
    """H = L D L^T in place; -1, or the first body without positive pivots."""
    row = sparse_factor(matrix_of_bodies(state))
    return row if row < 0 else row // 6


@kernel
def solve_assembled(state: State, x):
    """x <- H^-1 x."""
    sparse_solve(matrix_of_bodies(state), x)
