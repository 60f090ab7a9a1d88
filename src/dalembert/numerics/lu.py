"""LU factorisation with partial pivoting, for saddle-point matrices and Newton iterations."""

from dalembert._jit import kernel


@kernel
def lu_factor(n, A, tolerance, order_out):
    """Factor A in place, P A = L U. Return -1, or the column whose pivot vanished.

    A pivot vanishes when it is not above `tolerance` times the largest entry.
    `order_out` holds the row interchanges (as floats, beside the numbers).
    """
    largest = 0.0
    for i in range(n):
        for j in range(n):
            largest = max(largest, abs(A[i, j]))
    for j in range(n):
        p = j
        for i in range(j + 1, n):
            if abs(A[i, j]) > abs(A[p, j]):
                p = i
        order_out[j] = p
        if not abs(A[p, j]) > tolerance * largest:
            return j
        if p != j:
            for k in range(n):
                swap = A[p, k]
                A[p, k] = A[j, k]
                A[j, k] = swap
        inverse = 1.0 / A[j, j]
        for i in range(j + 1, n):
            factor = A[i, j] * inverse
            A[i, j] = factor
            if factor != 0.0:
                for k in range(j + 1, n):
                    A[i, k] -= factor * A[j, k]
    return -1


@kernel
def lu_solve(n, A, order, x):
    """x <- A^-1 x from the factors of `lu_factor`."""
    for j in range(n):
        if j < order[j] < n:
            p = int(order[j])
            swap = x[p]
            x[p] = x[j]
            x[j] = swap
    for i in range(n):
        total = x[i]
        for k in range(i):
            total -= A[i, k] * x[k]
        x[i] = total
    for j in range(n):
        i = n - 1 - j
        total = x[i]
        for k in range(i + 1, n):
            total -= A[i, k] * x[k]
        x[i] = total / A[i, i]
