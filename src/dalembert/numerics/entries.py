"""Entries of arrays: copies, and matrices of which one triangle is kept."""

from dalembert._jit import kernel


@kernel
def copy(x, out):
    """Write all entries of x to the first ones of `out`."""
    for i in range(len(x)):
        out[i] = x[i]


@kernel
def symmetric(A, i, j):
    """A_ij of a symmetric matrix whose lower triangle is kept."""
    return A[i, j] if j <= i else A[j, i]
