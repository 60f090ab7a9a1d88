"""Square-root-free Cholesky factorisation A = L D L^T of a symmetric positive definite matrix.

The text has no branch on a value, so it can also be traced to straight-line code. A matrix that is
not positive definite shows itself by a pivot D_j that is not positive; the caller looks.
"""

from dalembert._jit import kernel


@kernel
def ldl_factor(n, A, L_out, pivot_out, inverse_out):
    """Factor the lower triangle of A: unit lower L, pivots D and 1/D.

    Row i of L below the diagonal; the upper triangle of `L_out` keeps L D transposed.
    """
    for i in range(n):
        for j in range(i):
            # (L D)_ij = A_ij - sum_k (L D)_ik L_jk
            total = A[i, j]
            for k in range(j):
                total -= L_out[k, i] * L_out[j, k]
            L_out[j, i] = total
            L_out[i, j] = total * inverse_out[j]
        # D_i = A_ii - sum_k (L D)_ik L_ik
        total = A[i, i]
        for k in range(i):
            total -= L_out[k, i] * L_out[i, k]
        pivot_out[i] = total
        inverse_out[i] = 1.0 / total


@kernel
def ldl_forward(n, L, x):
    """x <- L^-1 x."""
    for i in range(n):
        total = x[i]
        for k in range(i):
            total -= L[i, k] * x[k]
        x[i] = total


@kernel
def ldl_backward(n, L, x):
    """x <- L^-T x."""
    for j in range(n):
        i = n - 1 - j
        total = x[i]
        for k in range(i + 1, n):
            total -= L[k, i] * x[k]
        x[i] = total


@kernel
def ldl_solve(n, L, inverse, x):
    """x <- A^-1 x."""
    ldl_forward(n, L, x)
    for i in range(n):
        x[i] = x[i] * inverse[i]
    ldl_backward(n, L, x)


@kernel
def first_bad_pivot(n, A, pivot):
    """Index of the first pivot that rounding cannot tell from zero, or -1.

    A pivot is compared with the diagonal it was reduced from: below n eps A_ii nothing is left.
    """
    for i in range(n):
        if not pivot[i] > n * 2.3e-16 * abs(A[i, i]):
            return i
    return -1
