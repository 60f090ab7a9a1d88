"""The contact problem as two flat arrays, `integers` (int64) and `numbers` (float64).

    A (v - v*) = J^T lam                        momentum; lam are impulses [N s]
    u_i = J_i v + b_i                            biased velocity of block i
    K_i contains lam_i  |  u_i + R_i lam_i + Gamma_i(u_i)  in K_i*      for every block

This is the only file that knows offsets. Whoever assembles a problem, in compiled code or not, does

    begin(integers)                                          # empty; keeps capacities
    clique = add_clique(integers, size)                      # < 0: full, return OVERFLOW
        at = matrix_at(integers, clique)                     # numbers[at + size * i + j] = A_ij
        at = velocity_at(integers, V_FREE, clique)           # numbers[at + i] = v*_i
    block = add_block(integers, numbers, kind, dim, a, b)    # < 0: full, return OVERFLOW
        at = jacobian_a_at(integers, block)                  # numbers[at + size(a) * row + j]
        at = jacobian_b_at(integers, block)
        at = row_at(integers, BIAS, block)                   # numbers[at + row]
        at = mu_at(integers, block)                          # numbers[at : at + 3]
        set_key(integers, block, first, second)

and calls `solve_problem` (`contact.automatic`). Every clique is added before the first block.
`add_block` fills everything but J with its default: bias, R, mu, lam0 0, lo -inf, hi inf, length 1,
key (0, 0). J must be written in full. The solvers read v* and lam0 and write v and lam; nothing
that an earlier problem left in the arrays changes a result.

**Cliques.** A is block diagonal: dense, symmetric, positive definite, row by row. A free body is a
clique of 6, velocities (v of its centre of mass, omega) in world components; a tree in generalized
coordinates is one clique of its nv. `PARENT` names, for every velocity of a clique, the velocity
(of this clique) it branches from, or -1, always a lower index; A_ij is zero unless one of i, j is
an ancestor of the other. The default, i - 1, is a matrix without zeros. RUN_START, written by
`prepare`, is where the row of velocities begins that branch each from the one before, i included.

**Blocks.** u = J_a v_a + J_b v_b + b: for a contact J_b is that of the point of B in the frame
(n, t1, t2), J_a minus that of the point of A. The world is clique -1, and has no J. If both sides
are in one clique (two links of a tree), J_a holds the difference and b is -1. One side is not the
world.

| kind | rows (dim) | law |
|---|---|---|
| EQ | 1..6 | u + R lam = 0 |
| UNI | 1..6 | 0 <= lam, u + R lam >= 0, their product 0, row by row |
| BOX | 1..6 | lo <= lam <= hi; u + R lam >= 0 at lo, <= 0 at hi, = 0 between; row by row |
| CONE | 3: n, t1, t2 | Signorini and Coulomb: abs(lam_t) <= mu[0] lam_n, against the sliding |
| ROLL | 4: n, t1, t2, spin about n | as CONE; abs(lam_spin) <= mu[1] lam_n |
| | 6: and rolling about t1, t2 | abs(lam_roll) <= mu[2] lam_n |

In a CONE or ROLL, R of t2 is that of t1, and R of the second rolling row that of the first.

**Solvers.** `prepare` (`contact.prepare`) finds the islands and fills, for every block, RESPONSE
(rows of J A^-1, stored as J is), DELASSUS (dim x dim, at `6 * row`) and w; it sets lam = lam0 and
v = v* + A^-1 J^T lam. A solver is then a kernel

    name(integers, numbers, island, tolerance, budget) -> status      # CONVERGED, STALLED, FAILED

that works on LAM and V of one island's blocks and cliques, keeps v = v* + A^-1 J^T lam, and writes
the ITERATIONS, FACTORISATIONS and SWEEPS of its record. `contact.automatic` has the table of
solvers; `contact.residuals` measures what any of them leaves. Scratch: `row_vector` and so on.
"""

import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from dalembert._jit import kernel, vector_view

EQ, UNI, BOX, CONE, ROLL = range(5)
"""Kinds of blocks."""

KINDS = ("EQ", "UNI", "BOX", "CONE", "ROLL")

MOST_ROWS = 6
"""Rows a block can have."""

OVERFLOW = -1
"""What kernels return when a capacity is too small: grow (`grown`) and repeat."""

# -- head of `integers` ----------------------------------------------------------------------------

# Counts of this problem.
CLIQUES, BLOCKS, ROWS, VELOCITIES, MATRIX_FLOATS, JACOBIAN_FLOATS, ISLANDS = range(7)

FULL = 7
"""Capacity (one of the slots that follow) that was too small, when a kernel returned OVERFLOW."""

# Capacities, in the order of `Capacity`.
(
    MOST_CLIQUES,
    MOST_BLOCKS,
    MOST_VELOCITIES,
    MOST_TOTAL_ROWS,
    MOST_MATRIX,
    MOST_JACOBIAN,
    MOST_EDGES,
    MOST_FILL,
    MOST_UPDATES,
    MOST_DENSE,
) = range(8, 18)

NUMBERS_LENGTH, INTEGERS_LENGTH = 18, 19

# Starts of sections of `integers`.
CLIQUE, BLOCK, ISLAND, PARENT, ISLAND_CLIQUES, ISLAND_BLOCKS, UNION, SPACE_LIST, RUN_START = range(
    20, 29
)

# and of the symbolic factorisation (`contact.symbolic`): nodes, edges, columns, updates.
NODE, NODE_WORK, EDGES, NEIGHBOURS, SUPPORT, COLUMN, BELOW, UPDATES, ORDER = range(60, 69)

# Starts of sections of `numbers`.
(
    MATRIX,
    V_FREE,
    V_BEFORE,
    JACOBIAN,
    BIAS,
    COMPLIANCE,
    LOWER,
    UPPER,
    LAM0,
    BLOCK_NUMBERS,
    V,
    LAM,
    INFO,
    ISLAND_NUMBERS,
    MATRIX_FACTOR,
    RESPONSE,
    DELASSUS,
    DELASSUS_INVERSE,
    CURVATURE,
    FACTOR,
    ROW_WORK,
    VELOCITY_WORK,
    BLOCK_WORK,
    OPTIONS,
    DENSE,
    NODE_VECTOR,
    FACTOR_LEFT,
    SPACE,
) = range(30, 58)

# State of the symbolic factorisation. It is kept while the graph of nodes stays the same.
NODES, EDGE_COUNT, KNOWN_NODES, KNOWN_EDGES, FILL, UPDATE_COUNT, SUPPORTED, FILL_LIMIT = range(
    70, 78
)

FACTORED = 78
"""1: MATRIX_FACTOR holds the factors of A already. `begin` forgets it."""

HEAD = 80
"""Length of the head."""

# -- records ---------------------------------------------------------------------------------------

CLIQUE_RECORD = 8
"""Integers of a clique:"""
SIZE, START, MATRIX_START, CLIQUE_ISLAND, FIRST_NODE, NODE_COUNT, FOLDED_START = range(7)

NODE_SIZE = 6
"""Velocities of a node. Large cliques are cut into nodes, so that all algebra has blocks of 6 x 6;
the last node of a clique is filled up with ones on the diagonal."""

NODE_RECORD = 4
"""Integers of a node:"""
NODE_START, NODE_VELOCITIES, NODE_CLIQUE, NODE_ISLAND = range(4)

NODE_VECTORS = 9
"""Integers per node that the ordering works with."""

COLUMN_RECORD = 4
"""Integers of a column of the factor: its node, its entries in BELOW, the first in UPDATES."""
COLUMN_NODE, FIRST_BELOW, BELOW_COUNT, FIRST_UPDATE = range(4)

DEFAULT_FILL_LIMIT = 6000
"""Blocks of fill above which an island has no factorisation, and Gauss-Seidel must do."""

BLOCK_RECORD = 16
"""Integers of a block; the last four are the first column of J that is not zero, and the one after
the last, of both sides (`contact.prepare`):"""
(
    KIND,
    DIM,
    ROW,
    CLIQUE_A,
    CLIQUE_B,
    JACOBIAN_A,
    JACOBIAN_B,
    KEY,
    KEY_2,
    STATE,
    BLOCK_ISLAND,
    RUN,
    SPAN_START_A,
    SPAN_START_B,
    SPAN_END_A,
    SPAN_END_B,
) = range(16)

# STATE of a block after a solve.
OPEN, STICKING, SLIDING, HELD = range(4)

BLOCK_FLOATS = 6
"""Floats of a block: mu (sliding; spin, rolling [m]); w, the mean diagonal of its J A^-1 J^T, and
that of the angular rows of a ROLL (both written by the solvers); length, the metres that make the
angular rows a speed (1 for translation)."""
MU, W, LENGTH, W_ANGULAR = 0, 3, 4, 5

ISLAND_RECORD = 16
"""Integers of an island: where its cliques and blocks stand in ISLAND_CLIQUES and ISLAND_BLOCKS,
and what its solver reports."""
(
    FIRST_CLIQUE,
    CLIQUE_COUNT,
    FIRST_BLOCK,
    BLOCK_COUNT,
    STATUS,
    METHOD,
    ITERATIONS,
    FACTORISATIONS,
    SWEEPS,
    ISLAND_VELOCITIES,
    ISLAND_ROWS,
    FIRST_COLUMN,
    COLUMN_COUNT,
    ISLAND_FILL,
    RESPONDED,
    U_KNOWN,
) = range(16)

ISLAND_FLOATS = 4
"""Floats of an island: its residual, the residual of the warm start, and what is left of the law
the solver itself keeps, where that is not the cone (a pyramid, a regularised law)."""
RESIDUAL, FIRST_RESIDUAL, OWN_RESIDUAL = 0, 1, 2

# STATUS of an island and of a problem.
CONVERGED, STALLED, FAILED = range(3)

INFO_FLOATS = 20
"""Floats of INFO, over all islands (section "what is reported" of the theory page):"""
(
    INFO_RESIDUAL,
    R_MOMENTUM,
    R_PENETRATION,
    R_COMPLEMENTARITY,
    R_CONE,
    R_DISSIPATION,
    R_BILATERAL,
    CONTACT_WORK,
    CONTACTS,
    COUNT_STICKING,
    COUNT_SLIDING,
    COUNT_OPEN,
    INFO_STATUS,
    INFO_ITERATIONS,
    INFO_FACTORISATIONS,
    INFO_SWEEPS,
) = range(16)

ROW_VECTORS, VELOCITY_VECTORS, BLOCK_VECTORS = 16, 16, 4
"""Vectors over rows, velocities and blocks that a solver may use as it likes (`row_vector`, ...).

They are indexed as lam, v and the blocks are, so that islands do not meet in them."""

SPACE_ROWS, SPACE_VELOCITIES, SPACE_RECORD = 64, 96, 10
"""Most rows and velocities of an island that is solved in contact space, and integers of a block
there (`contact.dense_response`)."""

OPTIONS_FLOATS = 8
"""Parameters of the optional solvers (`contact.solvers`)."""

# -- from Python -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Capacity:
    """How much fits.

    `matrix`, `jacobian`: floats; `edges`, `fill`, `updates`: of the graph of A + J^T G J, in blocks
    of 6 x 6, and of its factorisation; `dense`: floats of full matrices over the rows, for `lemke`
    alone.
    """

    cliques: int = 8
    blocks: int = 32
    velocities: int = 48
    rows: int = 96
    matrix: int = 8 * 36
    jacobian: int = 32 * 36
    edges: int = 64
    fill: int = 64
    updates: int = 256
    dense: int = 0

    @classmethod
    def of_bodies(cls, bodies: int, contacts: int) -> "Capacity":
        """For free bodies, with room for the usual fill of stacks and piles."""
        return cls(
            bodies,
            contacts,
            6 * bodies,
            3 * contacts,
            36 * bodies,
            36 * contacts,
            contacts,
            8 * (bodies + 1),
            48 * (bodies + 1),
        )


def _sections(c: Capacity) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """(slot, length) of every section of `integers` and of `numbers`."""
    n, m, b, k = c.velocities, c.rows, c.blocks, c.cliques
    nodes = k + n // NODE_SIZE + 1
    few, wide = min(m, SPACE_ROWS), min(n, SPACE_VELOCITIES)
    integers = [
        (CLIQUE, CLIQUE_RECORD * k),
        (BLOCK, BLOCK_RECORD * b),
        (ISLAND, ISLAND_RECORD * k),
        (PARENT, n),
        (RUN_START, n),
        (ISLAND_CLIQUES, k),
        (ISLAND_BLOCKS, b),
        (UNION, k),
        (NODE, NODE_RECORD * nodes),
        (NODE_WORK, NODE_VECTORS * nodes),
        (EDGES, 2 * c.edges),
        (NEIGHBOURS, 2 * c.edges),
        (SUPPORT, b + c.jacobian + 4 * c.edges),
        (COLUMN, COLUMN_RECORD * nodes),
        (BELOW, c.fill),
        (UPDATES, c.updates),
        (ORDER, nodes),
        (SPACE_LIST, few * (SPACE_RECORD + 2 * wide)),
    ]
    numbers = [
        (MATRIX, c.matrix),
        (V_FREE, n),
        (V_BEFORE, n),
        (JACOBIAN, c.jacobian),
        (BIAS, m),
        (COMPLIANCE, m),
        (LOWER, m),
        (UPPER, m),
        (LAM0, m),
        (BLOCK_NUMBERS, BLOCK_FLOATS * b),
        (V, n),
        (LAM, m),
        (INFO, INFO_FLOATS),
        (ISLAND_NUMBERS, ISLAND_FLOATS * k),
        (MATRIX_FACTOR, c.matrix),
        (RESPONSE, c.jacobian),
        (DELASSUS, MOST_ROWS * m),
        (DELASSUS_INVERSE, MOST_ROWS * m),
        (CURVATURE, MOST_ROWS * m),
        (FACTOR, NODE_SIZE * NODE_SIZE * (nodes + c.fill)),
        (ROW_WORK, ROW_VECTORS * m),
        (VELOCITY_WORK, VELOCITY_VECTORS * n),
        (BLOCK_WORK, BLOCK_VECTORS * b),
        (NODE_VECTOR, NODE_SIZE * nodes),
        (FACTOR_LEFT, NODE_SIZE * NODE_SIZE * c.fill),
        (OPTIONS, OPTIONS_FLOATS),
        (DENSE, c.dense),
        (SPACE, few * (2 * few + 2 * wide + 16) + wide * wide),
    ]
    return integers, numbers


def reserve(capacity: Capacity) -> tuple[int, int]:
    """Lengths of `integers` and `numbers`."""
    integers, numbers = _sections(capacity)
    return HEAD + sum(length for _, length in integers), sum(length for _, length in numbers) + 1


def allocate(capacity: Capacity) -> tuple[np.ndarray, np.ndarray]:
    """An empty problem: `integers` and `numbers`."""
    lengths = reserve(capacity)
    integers, numbers = np.zeros(lengths[0], dtype=np.int64), np.zeros(lengths[1])
    integers[INTEGERS_LENGTH], integers[NUMBERS_LENGTH] = lengths
    for slot, field in zip(range(MOST_CLIQUES, MOST_DENSE + 1), fields(capacity), strict=True):
        integers[slot] = getattr(capacity, field.name)
    of_integers, of_numbers = _sections(capacity)
    for sections, start in ((of_integers, HEAD), (of_numbers, 0)):
        for slot, length in sections:
            integers[slot] = start
            start += length
    integers[KNOWN_NODES], integers[FILL_LIMIT] = -1, DEFAULT_FILL_LIMIT
    return integers, numbers


def capacity_of(integers: np.ndarray) -> Capacity:
    """The capacity of allocated arrays."""
    return Capacity(*(int(x) for x in integers[MOST_CLIQUES : MOST_DENSE + 1]))


def grown(integers: np.ndarray) -> Capacity:
    """A capacity with twice the room of what a kernel found too small."""
    capacity = capacity_of(integers)
    name = fields(capacity)[int(integers[FULL]) - MOST_CLIQUES].name
    return replace(capacity, **{name: 2 * getattr(capacity, name) + 8})


def section(integers: np.ndarray, numbers: np.ndarray, field: int) -> Any:
    """View from Python of V_FREE, V_BEFORE, V (velocities) or of a field over rows."""
    count = VELOCITIES if field in (V_FREE, V_BEFORE, V) else ROWS
    start = int(integers[field])
    return numbers[start : start + int(integers[count])]


# -- assembling ------------------------------------------------------------------------------------


@kernel
def begin(integers):
    """No cliques and no blocks."""
    for slot in range(FULL):
        integers[slot] = 0
    integers[FACTORED] = 0


@kernel
def add_clique(integers, size):
    """Its index, or OVERFLOW. The caller writes A and v*."""
    clique, start = integers[CLIQUES], integers[VELOCITIES]
    matrix = integers[MATRIX_FLOATS]
    if clique >= integers[MOST_CLIQUES]:
        integers[FULL] = MOST_CLIQUES
        return OVERFLOW
    if start + size > integers[MOST_VELOCITIES]:
        integers[FULL] = MOST_VELOCITIES
        return OVERFLOW
    if matrix + size * size > integers[MOST_MATRIX]:
        integers[FULL] = MOST_MATRIX
        return OVERFLOW
    at = integers[CLIQUE] + CLIQUE_RECORD * clique
    integers[at + SIZE], integers[at + START], integers[at + MATRIX_START] = size, start, matrix
    for i in range(size):
        integers[integers[PARENT] + start + i] = i - 1
    integers[CLIQUES] = clique + 1
    integers[VELOCITIES] = start + size
    integers[MATRIX_FLOATS] = matrix + size * size
    return clique


@kernel
def add_block(integers, numbers, kind, dim, a, b):
    """Its index, or OVERFLOW. Everything but J gets its default."""
    block, row, floats = integers[BLOCKS], integers[ROWS], integers[JACOBIAN_FLOATS]
    size_a, size_b = clique_size(integers, a), clique_size(integers, b)
    if block >= integers[MOST_BLOCKS]:
        integers[FULL] = MOST_BLOCKS
        return OVERFLOW
    if row + dim > integers[MOST_TOTAL_ROWS]:
        integers[FULL] = MOST_TOTAL_ROWS
        return OVERFLOW
    if floats + dim * (size_a + size_b) > integers[MOST_JACOBIAN]:
        integers[FULL] = MOST_JACOBIAN
        return OVERFLOW
    at = integers[BLOCK] + BLOCK_RECORD * block
    integers[at + KIND], integers[at + DIM], integers[at + ROW] = kind, dim, row
    integers[at + CLIQUE_A], integers[at + CLIQUE_B] = a, b
    integers[at + JACOBIAN_A], integers[at + JACOBIAN_B] = floats, floats + dim * size_a
    integers[at + KEY], integers[at + KEY_2], integers[at + STATE] = 0, 0, OPEN
    for i in range(row, row + dim):
        numbers[integers[BIAS] + i] = 0.0
        numbers[integers[COMPLIANCE] + i] = 0.0
        numbers[integers[LOWER] + i] = -math.inf
        numbers[integers[UPPER] + i] = math.inf
        numbers[integers[LAM0] + i] = 0.0
    own = integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block
    for i in range(BLOCK_FLOATS):
        numbers[own + i] = 0.0
    numbers[own + LENGTH] = 1.0
    integers[BLOCKS] = block + 1
    integers[ROWS] = row + dim
    integers[JACOBIAN_FLOATS] = floats + dim * (size_a + size_b)
    return block


@kernel
def set_key(integers, block, first, second):
    """The lasting identity of a block: (pair of shapes, pair of features)."""
    at = integers[BLOCK] + BLOCK_RECORD * block
    integers[at + KEY], integers[at + KEY_2] = first, second


# -- where things stand ----------------------------------------------------------------------------


@kernel
def clique_size(integers, clique):
    """Velocities of a clique; 0 for the world."""
    if clique < 0:
        return 0
    return integers[integers[CLIQUE] + CLIQUE_RECORD * clique + SIZE]


@kernel
def matrix_at(integers, clique):
    """Where A of a clique starts in `numbers`."""
    at = integers[CLIQUE] + CLIQUE_RECORD * clique
    return integers[MATRIX] + integers[at + MATRIX_START]


@kernel
def velocity_at(integers, field, clique):
    """Where a clique starts in V_FREE, V_BEFORE or V."""
    return integers[field] + integers[integers[CLIQUE] + CLIQUE_RECORD * clique + START]


@kernel
def parent_at(integers, clique):
    """Where the parents of a clique's velocities start in `integers`."""
    return integers[PARENT] + integers[integers[CLIQUE] + CLIQUE_RECORD * clique + START]


@kernel
def jacobian_a_at(integers, block):
    """Where J_a of a block starts in `numbers`."""
    return integers[JACOBIAN] + integers[integers[BLOCK] + BLOCK_RECORD * block + JACOBIAN_A]


@kernel
def jacobian_b_at(integers, block):
    """Where J_b of a block starts in `numbers`."""
    return integers[JACOBIAN] + integers[integers[BLOCK] + BLOCK_RECORD * block + JACOBIAN_B]


@kernel
def row_at(integers, field, block):
    """Where a block starts in BIAS, COMPLIANCE (R), LOWER, UPPER, LAM0 or LAM."""
    return integers[field] + integers[integers[BLOCK] + BLOCK_RECORD * block + ROW]


@kernel
def mu_at(integers, block):
    """Where the three coefficients of friction of a block start in `numbers`."""
    return integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block + MU


@kernel
def length_at(integers, block):
    """Where the length of a block stands in `numbers`."""
    return integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block + LENGTH


@kernel
def row_vector(integers, numbers, k):
    """The k-th vector over rows that solvers work with."""
    return vector_view(numbers, integers[ROW_WORK] + k * integers[MOST_TOTAL_ROWS], integers[ROWS])


@kernel
def velocity_vector(integers, numbers, k):
    """The k-th vector over velocities that solvers work with."""
    return vector_view(
        numbers, integers[VELOCITY_WORK] + k * integers[MOST_VELOCITIES], integers[VELOCITIES]
    )


@kernel
def block_vector(integers, numbers, k):
    """The k-th vector over blocks that solvers work with."""
    return vector_view(numbers, integers[BLOCK_WORK] + k * integers[MOST_BLOCKS], integers[BLOCKS])


@kernel
def velocities(integers, numbers, field):
    """V_FREE, V_BEFORE or V as a vector."""
    return vector_view(numbers, integers[field], integers[VELOCITIES])


@kernel
def rows(integers, numbers, field):
    """A field over rows as a vector."""
    return vector_view(numbers, integers[field], integers[ROWS])
