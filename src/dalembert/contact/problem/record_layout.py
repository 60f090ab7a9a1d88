"""Places in the tables of a contact problem, with their named fields."""

from dalembert._native import matrix_view
from dalembert._records import Place, value
from dalembert.numerics.matrix import Sym3
from dalembert.numerics.vector import Vec3

MOST_ROWS = 6
"""Rows a block can have."""


class Clique(Place):
    """Velocities that move together: a free body, or a tree."""

    class integers:
        size: int  # velocities
        start: int  # the first of them
        matrix_start: int  # of A
        island: int
        first_node: int
        node_count: int

    def of(self, vector):
        """Its entries of a vector over velocities."""
        return vector[self.start : self.start + self.size]

    def square(self, matrices):
        """Its matrix, row by row, of `Problem.matrix` or `Problem.matrix_factor`."""
        return matrices[self.matrix_start : self.matrix_start + self.size * self.size]


class Node(Place):
    """Up to six velocities of a clique."""

    class integers:
        start: int
        size: int
        clique: int
        island: int


class Column(Place):
    """A column of the factor."""

    class integers:
        node: int
        first_below: int
        below_count: int
        first_update: int


@value
class Friction:
    """Coefficients of a contact."""

    sliding: float
    spinning: float  # [m]
    rolling: float  # [m]


class Block(Place):
    """Rows of one law between two cliques."""

    class integers:
        kind: int
        dim: int  # rows
        row: int  # the first of them
        clique_a: int  # -1: the world
        clique_b: int
        jacobian_a: int  # where J_a begins
        jacobian_b: int
        key: int  # by which it is known again
        key_2: int
        state: int  # OPEN to HELD, after a solve
        island: int
        run: int
        span_start_a: int  # first column of J that is not zero, and the one after the last
        span_start_b: int
        span_end_a: int
        span_end_b: int
        admitted: int  # kind of its set of impulses (`contact.solvers.least_norm_set`)

    class numbers:
        mu: Friction
        w: float  # mean diagonal of its J A^-1 J^T
        length: float  # [m] that make the angular rows a speed (1 for translation)
        w_angular: float  # mean diagonal of the angular rows of a ROLL
        shift: float  # De Saxce's term [m/s] where a solver holds it

    @property
    def end(self):
        """The row after its last."""
        return self.row + self.dim

    def of(self, vector):
        """Its entries of a vector over rows."""
        return vector[self.row : self.row + self.dim]

    def room(self, numbers):
        """Its part of a field with MOST_ROWS numbers for every row."""
        return numbers[MOST_ROWS * self.row : MOST_ROWS * (self.row + self.dim)]

    def square(self, squares):
        """Its matrix, dim x dim, of a field such as `Problem.delassus`."""
        return matrix_view(squares, MOST_ROWS * self.row, self.dim, self.dim)


class ConeCurvature(Place):
    """G of a CONE, the derivative of its impulse (`Problem.curvature`)."""

    class numbers:
        symmetric: Sym3
        beyond: Vec3  # what (t1, n), (t2, n) and (t2, t1) have more than their counterparts


class Island(Place):
    """Cliques that blocks connect, and what their solver reports."""

    class integers:
        first_clique: int  # in `island_cliques`
        clique_count: int
        first_block: int  # in `island_blocks`
        block_count: int
        status: int
        method: int
        iterations: int
        factorisations: int
        sweeps: int
        velocities: int
        rows: int
        first_column: int
        column_count: int
        fill: int
        responded: int
        u_known: int

    class numbers:
        residual: float
        first_residual: float  # of the warm start
        own_residual: float  # of the law a solver itself keeps, where that is not the cone
        tolerance: float  # of its own (`contact.given.scale`)


class SpaceBlock(Place):
    """A block in contact space."""

    class integers:
        number: int  # of the block
        row: int  # its first there
        first_column_a: int  # where the list of the columns of Y begins, and how long it is
        first_column_b: int
        column_count_a: int
        column_count_b: int
        active: int  # which of its rows are (`contact.solvers.dense.step`)


class Info(Place):
    """Report over all islands (section "what is reported" of the theory page)."""

    class numbers:
        residual: float
        momentum: float
        penetration: float
        complementarity: float
        cone: float
        dissipation: float
        bilateral: float
        contact_work: float
        contacts: float
        sticking: float
        sliding: float
        open: float
        status: float
        iterations: float
        factorisations: float
        sweeps: float
        held: float


CLIQUE_RECORD, NODE_RECORD = Clique.entries("integers"), Node.entries("integers")
COLUMN_RECORD = Column.entries("integers")
BLOCK_RECORD, BLOCK_FLOATS = Block.entries("integers"), Block.entries("numbers")
ISLAND_RECORD, ISLAND_FLOATS = Island.entries("integers"), Island.entries("numbers")
SPACE_RECORD = SpaceBlock.entries("integers")
INFO_FLOATS = 20
"""Floats of `Info`, and three that are free."""
