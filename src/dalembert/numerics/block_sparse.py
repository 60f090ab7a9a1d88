"""Block LDL^T of a symmetric matrix along a graph: A = L D L^T.

Tables say where blocks stand; `system.graph` finds the order and the fill. Per element p
eliminated, with the blocks A_ip below its diagonal block A_pp = U D U^T:

    A_ip <- L_ip = A_ip U^-T D^-1,       A_ij <- A_ij - L_ip D L_jp^T      for all i >= j below p.

The operations on blocks are straight-line code of their shapes, called by address; blocks below the
diagonal stand transposed. Elements are the bodies of a mechanism for H = M + J^T G J, six rows each
(`numerics.block`), and its constraints for W = J M^-1 J^T (`system.dual_blocks`).
"""

from __future__ import annotations

from dalembert._jit import kernel
from dalembert._records import Integers, Numbers, Place, value
from dalembert._signature import Signature

FACTORING_BLOCK = Signature("factor_block", "a whole inverse ratio", {})
"""Factor a diagonal block; `whole` is the diagonal A has had, `ratio` what is left of it."""
PASSING_BELOW = Signature("pass_below", "a diagonal inverse s", {})
UPDATING = Signature("update", "target left s", {})
SUBSTITUTING = Signature("substitute", "x diagonal", {})
SUBTRACTING = Signature("subtract", "y block x", {})

_factor = FACTORING_BLOCK.call
_pass = PASSING_BELOW.call
_update = UPDATING.call
_substitute = SUBSTITUTING.call
_subtract = SUBTRACTING.call


class Column(Place):
    """An element that is eliminated."""

    class integers:
        row: int  # its first one
        count: int  # of its rows
        diagonal: int  # where its diagonal block begins
        first_below: int  # of the blocks below that one
        below_count: int
        first_update: int
        factor_code: int
        forward_code: int
        backward_code: int


class Below(Place):
    """A block below a diagonal one."""

    class integers:
        row: int  # the first one of the element of its rows
        count: int  # of its rows
        block: int  # where it begins
        scratch: int  # where D L^T is kept while its column is eliminated
        pass_code: int
        subtract_code: int  # y -= L x
        transposed_code: int  # y -= L^T x


class Update(Place):
    """A block that two blocks of a column change."""

    class integers:
        block: int
        code: int


COLUMN, BELOW, UPDATE = (kind.entries("integers") for kind in (Column, Below, Update))


@value
class BlockMatrix:
    """A symmetric matrix of blocks, and its factors in place of it."""

    integers: Integers  # with the tables, which begin at
    columns: int
    below_table: int
    updates: int
    count: int  # of columns
    blocks: Numbers
    inverse: Numbers  # D^-1, row by row
    whole: Numbers
    ratio: Numbers
    scratch: Numbers

    def __len__(self):
        return self.count

    def __getitem__(self, p):
        return Column(self.integers, self.columns + COLUMN * p)

    def below(self, column, i):
        """The i-th block below a diagonal one."""
        return Below(self.integers, self.below_table + BELOW * (column.first_below + i))

    def update(self, column, i):
        """The i-th block that a column changes."""
        return Update(self.integers, self.updates + UPDATE * (column.first_update + i))

    def diagonal_block(self, column):
        """Numbers of the diagonal block."""
        return self.blocks[column.diagonal : column.diagonal + column.count * column.count]

    def block_below(self, column, below):
        """Numbers of a block below it."""
        return self.blocks[below.block : below.block + below.count * column.count]

    def scratch_of(self, column, below):
        """Scratch of a block below it."""
        return self.scratch[below.scratch : below.scratch + below.count * column.count]


@kernel
def sparse_factor(A):
    """Factor in place. Returns -1, or the first row of an element without positive pivots."""
    work, sizes = A.blocks, A.integers
    for column in A:
        row, end, diagonal = column.row, column.row + column.count, A.diagonal_block(column)
        inverse = A.inverse[row:end]
        whole, ratio = A.whole[row:end], A.ratio[row:end]
        if _factor(column.factor_code, work, sizes, diagonal, whole, inverse, ratio) != 0:
            return row
        for j in range(column.below_count):
            below = A.below(column, j)
            block, s = A.block_below(column, below), A.scratch_of(column, below)
            _pass(below.pass_code, work, sizes, block, diagonal, inverse, s)
        next_one = 0
        for i in range(column.below_count):
            left = A.block_below(column, A.below(column, i))
            for j in range(i + 1):
                update, s = A.update(column, next_one), A.scratch_of(column, A.below(column, j))
                _update(update.code, work, sizes, A.blocks[update.block :], left, s)
                next_one += 1
    return -1


@kernel
def sparse_solve(A, x):
    """x <- A^-1 x with the factors of `sparse_factor`."""
    work, sizes = A.blocks, A.integers
    for column in A:
        mine = x[column.row : column.row + column.count]
        _substitute(column.forward_code, work, sizes, mine, A.diagonal_block(column))
        for i in range(column.below_count):
            below = A.below(column, i)
            other, block = x[below.row : below.row + below.count], A.block_below(column, below)
            _subtract(below.subtract_code, work, sizes, other, block, mine)
    for back in range(A.count - 1, -1, -1):
        column = A[back]
        mine = x[column.row : column.row + column.count]
        for k in range(column.count):
            mine[k] *= A.inverse[column.row + k]
        for i in range(column.below_count):
            below = A.below(column, i)
            other, block = x[below.row : below.row + below.count], A.block_below(column, below)
            _subtract(below.transposed_code, work, sizes, mine, block, other)
        _substitute(column.backward_code, work, sizes, mine, A.diagonal_block(column))
