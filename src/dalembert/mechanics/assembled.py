"""Factors of H, which stands assembled in PROXIMAL, along the body graph."""

from dalembert._jit import kernel
from dalembert.numerics.block_sparse import sparse_factor, sparse_solve
from dalembert.system.layout import (
    BELOW_TABLE,
    BLOCK_SCRATCH,
    BODIES,
    COLUMN_TABLE,
    OPERATION_TABLE,
    PROXIMAL,
    PROXIMAL_INVERSE,
    UPDATE_TABLE,
)


@kernel
def factor_assembled(work, sizes):
    """H = L D L^T in place; -1, or the first body without positive pivots."""
    return sparse_factor(
        sizes[BODIES],
        work,
        sizes,
        sizes[OPERATION_TABLE],
        sizes[COLUMN_TABLE],
        sizes[BELOW_TABLE],
        sizes[UPDATE_TABLE],
        sizes[PROXIMAL],
        sizes[PROXIMAL_INVERSE],
        sizes[BLOCK_SCRATCH],
    )


@kernel
def solve_assembled(work, sizes, x):
    """x <- H^-1 x."""
    sparse_solve(
        sizes[BODIES],
        work,
        sizes,
        sizes[OPERATION_TABLE],
        sizes[COLUMN_TABLE],
        sizes[BELOW_TABLE],
        sizes[PROXIMAL],
        sizes[PROXIMAL_INVERSE],
        x,
    )
