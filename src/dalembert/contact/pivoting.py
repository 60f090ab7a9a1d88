"""Lemke's method for the linear complementarity problem, with a lexicographic ratio test.

    w = M z + q,    w >= 0,    z >= 0,    w^T z = 0          (Cottle, Pang, Stone 1992, 4.4)

An artificial variable z0 with the covering vector e makes w = M z + q + e z0 feasible; pivots keep
every pair (w_i, z_i) complementary but one until z0 leaves the basis, or until a column without a
positive entry (a ray) ends the search. For copositive M, to which the friction pyramid leads, a ray
cannot occur in exact arithmetic (Stewart and Trinkle 1996). Ties of the ratio test are broken by
comparing the rows of the inverse of the basis as well, so that no basis comes twice. The inverse
stands in the tableau and serves for one step of iterative refinement at the end.

Everything is dense and meant to be read: O(n^2) a pivot.
"""

from dalembert._jit import kernel, vector_view

SOLVED, RAY, TOO_LONG = range(3)
"""Ends of a search."""

SMALLEST_PIVOT = 1e-10
"""Entries of a column below this fraction of its largest are rounding."""

TIE = 1e-10
"""Ratios closer than this, relative to the largest right-hand side, count as equal."""

GONE = 1e-8
"""A ray with an artificial variable below this, relative to the largest right-hand side, is the end
that rounding has hidden: large mass ratios lead there."""


@kernel
def floats_of_pivoting(n):
    """Scratch of `lemke_pivots`: tableau, basis, and two vectors."""
    return n * (2 * n + 2) + 3 * n


@kernel
def pivot(n, width, T, row, column):
    """Make `column` the unit vector of `row`."""
    inverse = 1.0 / T[row * width + column]
    for j in range(width):
        T[row * width + j] *= inverse
    T[row * width + column] = 1.0
    for i in range(n):
        factor = T[i * width + column]
        if i != row and factor != 0.0:
            for j in range(width):
                T[i * width + j] -= factor * T[row * width + j]
            T[i * width + column] = 0.0


@kernel
def precedes(n, width, T, i, j, column, tie):
    """Whether row i, divided by its entry in `column`, is lexicographically below row j."""
    a, b = 1.0 / T[i * width + column], 1.0 / T[j * width + column]
    first = T[i * width + width - 1] * a - T[j * width + width - 1] * b
    if first < -tie or first > tie:
        return first < 0.0
    for k in range(n):
        gap = T[i * width + k] * a - T[j * width + k] * b
        if gap < -TIE or gap > TIE:
            return gap < 0.0
    return first < 0.0


@kernel
def leaving_row(n, width, T, basis, column, tie):
    """Row of the smallest ratio, -1 when there is none; the artificial variable goes first."""
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(T[i * width + column]))
    row = -1
    for i in range(n):
        if T[i * width + column] > SMALLEST_PIVOT * largest and (
            row < 0 or precedes(n, width, T, i, row, column, tie)
        ):
            row = i
    if row < 0:
        return -1
    least = T[row * width + width - 1] / T[row * width + column]
    for i in range(n):
        entry = T[i * width + column]
        if int(basis[i]) == 2 * n and entry > SMALLEST_PIVOT * largest:
            if T[i * width + width - 1] / entry <= least + tie:
                return i
    return row


@kernel
def lemke_pivots(n, M, q, z_out, budget, scratch):
    """Solve w = M z + q. Returns (SOLVED, RAY or TOO_LONG, number of pivots).

    M : (n * n) row by row;  scratch : `floats_of_pivoting(n)`
    """
    width = 2 * n + 2  # w: 0..n-1, z: n..2n-1, z0: 2n, right-hand side
    T = vector_view(scratch, 0, n * width)
    basis = vector_view(scratch, n * width, n)
    x = vector_view(scratch, n * width + n, n)
    defect = vector_view(scratch, n * width + 2 * n, n)
    size, lowest, row = 0.0, 0.0, -1
    for i in range(n):
        z_out[i] = 0.0
        size = max(size, abs(q[i]))
        # Of equal entries the last: the lexicographic order of the unit rows.
        if q[i] < 0.0 and q[i] <= lowest:
            lowest, row = q[i], i
    if row < 0:
        return SOLVED, 0
    for i in range(n):
        for j in range(n):
            T[i * width + j] = 0.0
            T[i * width + n + j] = -M[i * n + j]
        T[i * width + i] = 1.0
        T[i * width + 2 * n] = -1.0
        T[i * width + width - 1] = q[i]
        basis[i] = float(i)
    entering, count, status = 2 * n, 0, TOO_LONG
    tie = TIE * size
    while count < budget:
        pivot(n, width, T, row, entering)
        leaving = int(basis[row])
        basis[row] = float(entering)
        count += 1
        if leaving == 2 * n:
            status = SOLVED
            break
        entering = leaving + n if leaving < n else leaving - n
        row = leaving_row(n, width, T, basis, entering, tie)
        if row < 0:
            status = RAY
            for i in range(n):
                if int(basis[i]) == 2 * n and T[i * width + width - 1] <= GONE * size:
                    status = SOLVED
            break
    for i in range(n):
        x[i] = T[i * width + width - 1]
    if status == SOLVED:
        refine(n, width, M, q, T, basis, x, defect)
    for i in range(n):
        k = int(basis[i])
        if n <= k < 2 * n and status == SOLVED:
            z_out[k - n] = max(x[i], 0.0)
    return status, count


@kernel
def refine(n, width, M, q, T, basis, x, defect):
    """x <- x + B^-1 (q - B x), B the columns of (1, -M) in the basis."""
    for i in range(n):
        defect[i] = q[i]
    for j in range(n):
        k = int(basis[j])
        if k < n:
            defect[k] -= x[j]
        elif k < 2 * n:
            for i in range(n):
                defect[i] += M[i * n + k - n] * x[j]
    for i in range(n):
        correction = 0.0
        for j in range(n):
            correction += T[i * width + j] * defect[j]
        x[i] += correction
