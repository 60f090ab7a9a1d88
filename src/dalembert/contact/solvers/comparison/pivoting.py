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

from dalembert._jit import kernel
from dalembert._native import matrix_view
from dalembert._records import Matrix, Numbers, value

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


@value
class Search:
    """The tableau of n rows, the columns of w, z, z0 and the right-hand side, and its basis."""

    T: Matrix
    basis: Numbers  # column that belongs to a row
    x: Numbers  # values of the basis
    defect: Numbers

    @staticmethod
    def of(n, scratch):
        """Search over n unknowns in an array of `floats_of_pivoting(n)`."""
        T = matrix_view(scratch, 0, n, 2 * n + 2)
        rest = scratch[n * (2 * n + 2) :]
        return Search(T, rest[:n], rest[n : 2 * n], rest[2 * n : 3 * n])

    @property
    def count(self):
        """Number of unknowns."""
        return len(self.basis)

    def right(self, i):
        """Right-hand side of a row."""
        return self.T[i, 2 * self.count + 1]

    def is_artificial(self, i):
        """Whether z0 is the variable of a row."""
        return int(self.basis[i]) == 2 * self.count


@kernel
def begin(search, M, q):
    """(1, -M, -e, q), with w as the basis."""
    T, n = search.T, search.count
    for i in range(n):
        for j in range(n):
            T[i, j] = 0.0
            T[i, n + j] = -M[i, j]
        T[i, i], T[i, 2 * n], T[i, 2 * n + 1] = 1.0, -1.0, q[i]
        search.basis[i] = float(i)


@kernel
def pivot(T, row, column):
    """Make `column` the unit vector of `row`."""
    inverse = 1.0 / T[row, column]
    for j in range(T.shape[1]):
        T[row, j] *= inverse
    T[row, column] = 1.0
    for i in range(T.shape[0]):
        factor = T[i, column]
        if i != row and factor != 0.0:
            for j in range(T.shape[1]):
                T[i, j] -= factor * T[row, j]
            T[i, column] = 0.0


@kernel
def precedes(search, i, j, column, tie):
    """Whether row i, divided by its entry in `column`, is lexicographically below row j."""
    T = search.T
    a, b = 1.0 / T[i, column], 1.0 / T[j, column]
    first = search.right(i) * a - search.right(j) * b
    if first < -tie or first > tie:
        return first < 0.0
    for k in range(search.count):
        gap = T[i, k] * a - T[j, k] * b
        if gap < -TIE or gap > TIE:
            return gap < 0.0
    return first < 0.0


@kernel
def leaving_row(search, column, tie):
    """Row of the smallest ratio, -1 when there is none; the artificial variable goes first."""
    T, largest = search.T, 0.0
    for i in range(search.count):
        largest = max(largest, abs(T[i, column]))
    row = -1
    for i in range(search.count):
        if T[i, column] > SMALLEST_PIVOT * largest and (
            row < 0 or precedes(search, i, row, column, tie)
        ):
            row = i
    if row < 0:
        return -1
    least = search.right(row) / T[row, column]
    for i in range(search.count):
        entry = T[i, column]
        if search.is_artificial(i) and entry > SMALLEST_PIVOT * largest:
            if search.right(i) / entry <= least + tie:
                return i
    return row


@kernel
def lowest_row(q):
    """Row of the lowest negative entry, -1 without one; and the largest size of an entry."""
    size, lowest, row = 0.0, 0.0, -1
    for i in range(len(q)):
        size = max(size, abs(q[i]))
        # Of equal entries the last: the lexicographic order of the unit rows.
        if q[i] < 0.0 and q[i] <= lowest:
            lowest, row = q[i], i
    return row, size


@kernel
def search_basis(search, row, size, budget):
    """Pivots from z0 in the place of `row`. Returns the end of the search and their number."""
    n, tie = search.count, TIE * size
    entering, count = 2 * n, 0
    while count < budget:
        pivot(search.T, row, entering)
        leaving = int(search.basis[row])
        search.basis[row] = float(entering)
        count += 1
        if leaving == 2 * n:
            return SOLVED, count
        entering = leaving + n if leaving < n else leaving - n
        row = leaving_row(search, entering, tie)
        if row < 0:
            status = RAY
            for i in range(n):
                if search.is_artificial(i) and search.right(i) <= GONE * size:
                    status = SOLVED
            return status, count
    return TOO_LONG, count


@kernel
def lemke_pivots(M, q, z, budget, scratch):
    """Solve w = M z + q. Returns (SOLVED, RAY or TOO_LONG, number of pivots).

    scratch : `floats_of_pivoting(n)`
    """
    n = len(q)
    for i in range(n):
        z[i] = 0.0
    row, size = lowest_row(q)
    if row < 0:
        return SOLVED, 0
    search = Search.of(n, scratch)
    begin(search, M, q)
    status, count = search_basis(search, row, size, budget)
    if status == SOLVED:
        for i in range(n):
            search.x[i] = search.right(i)
        refine(search, M, q)
        for i in range(n):
            k = int(search.basis[i])
            if n <= k < 2 * n:
                z[k - n] = max(search.x[i], 0.0)
    return status, count


@kernel
def refine(search, M, q):
    """x <- x + B^-1 (q - B x), B the columns of (1, -M) in the basis."""
    n, T, x, defect = search.count, search.T, search.x, search.defect
    for i in range(n):
        defect[i] = q[i]
    for j in range(n):
        k = int(search.basis[j])
        if k < n:
            defect[k] -= x[j]
        elif k < 2 * n:
            for i in range(n):
                defect[i] += M[i, k - n] * x[j]
    for i in range(n):
        correction = 0.0
        for j in range(n):
            correction += T[i, j] * defect[j]
        x[i] += correction
