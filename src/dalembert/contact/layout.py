"""The contact problem as two flat arrays, `integers` (int64) and `numbers` (float64).

    A (v - v*) = J^T lam                        momentum; lam are impulses [N s]
    u_i = J_i v + b_i                            biased velocity of block i
    K_i contains lam_i  |  u_i + R_i lam_i + Gamma_i(u_i)  in K_i*      for every block

This is the only file that knows offsets. Whoever assembles a problem adds cliques and blocks
(`contact.building`) to arrays with room for them (`contact.capacity`), and calls `solve_problem`
(`contact.automatic`). The solvers read v* and lam0 and write v and lam; nothing that an earlier
problem left in the arrays changes a result.

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

from dalembert._jit import kernel, vector_view

EQ, UNI, BOX, CONE, ROLL = range(5)
"""Kinds of blocks."""

KINDS = ("EQ", "UNI", "BOX", "CONE", "ROLL")

MOST_ROWS = 6
"""Rows a block can have."""

OVERFLOW = -1
"""Result of kernels when a capacity is too small: grow (`grown`) and repeat."""

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
SIZE, START, MATRIX_START, CLIQUE_ISLAND, FIRST_NODE, NODE_COUNT = range(6)

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
"""Floats of an island: its residual, the residual of the warm start, what is left of the law the
solver itself keeps, where that is not the cone (a pyramid, a regularised law), and a tolerance of
its own (`contact.scale`)."""
RESIDUAL, FIRST_RESIDUAL, OWN_RESIDUAL, ISLAND_TOLERANCE = range(4)

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
    COUNT_HELD,
) = range(17)

ROW_VECTORS, VELOCITY_VECTORS, BLOCK_VECTORS = 16, 16, 4
"""Vectors over rows, velocities and blocks that a solver may use as it likes (`row_vector`, ...).

They are indexed as lam, v and the blocks are, so that islands do not meet in them."""

SPACE_ROWS, SPACE_VELOCITIES, SPACE_RECORD = 64, 96, 7
"""Most rows and velocities of an island that is solved in contact space, and integers of a block
there (`contact.dense_response`)."""

OPTIONS_FLOATS = 8
"""Parameters of the optional solvers (`contact.solvers`)."""

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
