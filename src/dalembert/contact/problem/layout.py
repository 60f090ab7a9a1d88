"""The contact problem: a memory of cliques, blocks and islands.

    A (v - v*) = J^T lam                        momentum; lam are impulses [N s]
    u_i = J_i v + b_i                            biased velocity of block i
    K_i contains lam_i  |  u_i + R_i lam_i + Gamma_i(u_i)  in K_i*      for every block

Whoever assembles a problem adds cliques and blocks
(`contact.problem.writing`) to arrays with room for them (`contact.problem.capacity`), and calls
`solve_problem` (`contact.solvers.automatic`). The solvers read v* and lam0 and write v and lam;
nothing that an earlier problem left in the arrays changes a result.

**Cliques.** A is block diagonal: dense, symmetric, positive definite, row by row. A free body is a
clique of 6, velocities (v of its centre of mass, omega) in world components; a tree in generalized
coordinates is one clique of its nv. `parent` names, for every velocity of a clique, the velocity
(of this clique) it branches from, or -1, always a lower index; A_ij is zero unless one of i, j is
an ancestor of the other. The default, i - 1, is a matrix without zeros. `run_start`, written by
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

**Solvers.** `prepare` (`contact.algebra.prepare`) finds the islands and fills, for every block,
its rows of `response` (J A^-1, stored as J is), its matrix of `delassus` and w; it sets lam = lam0
and v = v* + A^-1 J^T lam. A solver is then a kernel

    name(problem, island, tolerance, budget) -> status                # CONVERGED, STALLED, FAILED

that works on `lam` and `v` of one island's blocks and cliques, keeps v = v* + A^-1 J^T lam, and
writes iterations, factorisations and sweeps of the island. `contact.solvers.automatic` has the
table of solvers; `contact.algebra.residuals` measures what any of them leaves. Scratch: the row
and velocity vectors, and `solver_rows` for a solver to divide by a `Part`.
"""

from dalembert._memory import Memory, over
from dalembert._native import matrix_view
from dalembert._records import Integers, Numbers, value
from dalembert.contact.problem.record_layout import (
    BLOCK_FLOATS,
    BLOCK_RECORD,
    CLIQUE_RECORD,
    COLUMN_RECORD,
    INFO_FLOATS,
    ISLAND_FLOATS,
    ISLAND_RECORD,
    MOST_ROWS,
    NODE_RECORD,
    SPACE_RECORD,
    Block,
    Clique,
    Column,
    ConeCurvature,
    Info,
    Island,
    Node,
)

EQ, UNI, BOX, CONE, ROLL = range(5)
"""Kinds of blocks."""

KINDS = ("EQ", "UNI", "BOX", "CONE", "ROLL")

OVERFLOW = -1
"""Result of kernels when a capacity is too small: grow (`grown`) and repeat."""

(
    CLIQUE_ROOM,
    BLOCK_ROOM,
    VELOCITY_ROOM,
    ROW_ROOM,
    MATRIX_ROOM,
    JACOBIAN_ROOM,
    EDGE_ROOM,
    FILL_ROOM,
    UPDATE_ROOM,
    DENSE_ROOM,
) = range(10)
"""Kinds of room that may be missing, in the order of `contact.problem.capacity.Capacity`."""

OPEN, STICKING, SLIDING, HELD = range(4)
"""State of a block after a solve."""

CONVERGED, STALLED, FAILED = range(3)
"""Status of an island and of a problem."""

NODE_SIZE = 6
"""Velocities of a node. Large cliques are cut into nodes, so that all algebra has blocks of 6 x 6;
the last node of a clique is filled up with ones on the diagonal."""

DEFAULT_FILL_LIMIT = 6000
"""Blocks of fill above which an island has no factorisation, and Gauss-Seidel must do."""

SPACE_ROWS, SPACE_VELOCITIES = 64, 96
"""Most rows and velocities of an island that is solved in contact space."""

OPTIONS_FLOATS = 8
"""Parameters of the optional solvers (`contact.solvers.table`)."""

# -- the memory ------------------------------------------------------------------------------------


class Problem(Memory):
    """A contact problem with room for more."""

    class integers:
        cliques: int
        blocks: int
        rows: int
        velocities: int
        matrix_floats: int
        jacobian_floats: int
        islands: int
        full: int  # CLIQUE_ROOM to DENSE_ROOM: which was too small for a kernel that overflowed
        # capacities, in the order of `Capacity`
        most_cliques: int
        most_blocks: int
        most_velocities: int
        most_rows: int
        most_matrix: int
        most_jacobian: int
        most_edges: int
        most_fill: int
        most_updates: int
        most_dense: int
        numbers_length: int
        integers_length: int
        # state of the symbolic factorisation, which is kept while the graph of nodes is the same
        nodes: int
        edge_count: int
        known_nodes: int
        known_edges: int
        fill: int
        update_count: int
        supported: int
        fill_limit: int
        factored: int  # 1: `matrix_factor` holds the factors of A already; `begin` forgets it
        prepared: (
            int  # 1: of a single tree, everything is prepared; but for impulses it is the same
        )
        unreported: int  # 1: what is measured for a report alone is left out
        most_nodes: int
        few_rows: int  # room for contact space
        few_velocities: int
        space_blocks: int  # of the island that is solved in contact space
        space_rows: int
        space_wide: int  # those and as many more as make a multiple of eight
        one_tree: int  # 1: the problem is a single tree, all rows of which are in contact space

    class lists:
        clique_table: Integers = over(f"{CLIQUE_RECORD} * most_cliques")
        block_table: Integers = over(f"{BLOCK_RECORD} * most_blocks")
        island_table: Integers = over(f"{ISLAND_RECORD} * most_cliques")
        parent: Integers = over("velocities", room="most_velocities")
        run_start: Integers = over("velocities", room="most_velocities")
        island_cliques: Integers = over("most_cliques")
        island_blocks: Integers = over("most_blocks")
        union: Integers = over("most_cliques")
        node_table: Integers = over(f"{NODE_RECORD} * most_nodes")
        # vectors over nodes, of the ordering: place in the order; where its list of neighbours
        # begins, how many elements and variables it has; bound of the degree; marks; |L_e - L_p| of
        # an element and the step it is of; VARIABLE, ELEMENT or ABSORBED
        place: Integers = over("nodes", room="most_nodes")
        adjacent: Integers = over("nodes", room="most_nodes")
        elements: Integers = over("nodes", room="most_nodes")
        variables: Integers = over("nodes", room="most_nodes")
        degree: Integers = over("nodes", room="most_nodes")
        mark: Integers = over("nodes", room="most_nodes")
        weight: Integers = over("nodes", room="most_nodes")
        weighed: Integers = over("nodes", room="most_nodes")
        node_state: Integers = over("nodes", room="most_nodes")
        edges: Integers = over("2 * most_edges")
        neighbours: Integers = over("2 * most_edges")
        support: Integers = over("most_blocks + most_jacobian + 4 * most_edges")
        column_table: Integers = over(f"{COLUMN_RECORD} * most_nodes")
        below: Integers = over("most_fill")
        updates: Integers = over("most_updates")
        order: Integers = over("most_nodes")
        space_list: Integers = over(f"few_rows * ({SPACE_RECORD + 1} + 2 * few_velocities)")

    class numbers:
        matrix: Numbers = over("matrix_floats", room="most_matrix")  # A, clique by clique
        v_free: Numbers = over("velocities", room="most_velocities")  # v*
        v_before: Numbers = over("velocities", room="most_velocities")
        jacobian: Numbers = over("jacobian_floats", room="most_jacobian")
        bias: Numbers = over("rows", room="most_rows")  # b
        compliance: Numbers = over("rows", room="most_rows")  # R
        lower: Numbers = over("rows", room="most_rows")
        upper: Numbers = over("rows", room="most_rows")
        lam0: Numbers = over("rows", room="most_rows")
        block_numbers: Numbers = over(f"{BLOCK_FLOATS} * most_blocks")
        v: Numbers = over("velocities", room="most_velocities")
        lam: Numbers = over("rows", room="most_rows")
        info_numbers: Numbers = over(f"{INFO_FLOATS}")
        island_numbers: Numbers = over(f"{ISLAND_FLOATS} * most_cliques")
        matrix_factor: Numbers = over("matrix_floats", room="most_matrix")
        response: Numbers = over("jacobian_floats", room="most_jacobian")  # J A^-1, stored as J
        delassus: Numbers = over(f"{MOST_ROWS} * most_rows")  # dim x dim, at 6 times the row
        delassus_inverse: Numbers = over(f"{MOST_ROWS} * most_rows")
        curvature: Numbers = over(f"{MOST_ROWS} * most_rows")
        factor: Numbers = over(f"{NODE_SIZE * NODE_SIZE} * (most_nodes + most_fill)")
        node_vector: Numbers = over(f"{NODE_SIZE} * most_nodes")
        factor_left: Numbers = over(f"{NODE_SIZE * NODE_SIZE} * most_fill")
        options: Numbers = over(f"{OPTIONS_FLOATS}")
        dense: Numbers = over("most_dense")
        space: Numbers = over("few_rows * (2 * few_rows + few_velocities + 24)")

    class row_vectors:
        u: Numbers = over("rows", room="most_rows")  # J v + b, where a solver has measured
        u_before: Numbers = over("rows", room="most_rows")  # before the step
        gamma: Numbers = over("rows", room="most_rows")  # answers of laws to u
        du: Numbers = over("rows", room="most_rows")  # J dv
        best_lam: Numbers = over("rows", room="most_rows")
        kept_lam: Numbers = over("rows", room="most_rows")
        last_lam: Numbers = over("rows", room="most_rows")
        good_lam: Numbers = over("rows", room="most_rows")
        change: Numbers = over("rows", room="most_rows")  # of lam, by a sweep
        local_u: Numbers = over("rows", room="most_rows")
        spare: Numbers = over("rows", room="most_rows")
        solver_rows: Numbers = over("6 * most_rows")  # for a solver to divide

    class velocity_vectors:
        dv: Numbers = over("velocities", room="most_velocities")
        gradient: Numbers = over("velocities", room="most_velocities")
        inertia_dv: Numbers = over("velocities", room="most_velocities")  # A dv
        best_v: Numbers = over("velocities", room="most_velocities")
        kept_v: Numbers = over("velocities", room="most_velocities")
        last_v: Numbers = over("velocities", room="most_velocities")
        good_v: Numbers = over("velocities", room="most_velocities")
        missing: Numbers = over("velocities", room="most_velocities")  # of momentum
        spare_v: Numbers = over("velocities", room="most_velocities")

    # -- records -----------------------------------------------------------------------------------

    def clique(self, i):
        """A clique by its number."""
        return Clique(self.clique_table, CLIQUE_RECORD * i)

    def block(self, i):
        """A block by its number."""
        return Block(self.block_table, BLOCK_RECORD * i, self.block_numbers, BLOCK_FLOATS * i)

    def island(self, i):
        """An island by its number."""
        return Island(self.island_table, ISLAND_RECORD * i, self.island_numbers, ISLAND_FLOATS * i)

    def node(self, i):
        """A node by its number."""
        return Node(self.node_table, NODE_RECORD * i)

    def column(self, i):
        """A column of the factor by its number."""
        return Column(self.column_table, COLUMN_RECORD * i)

    @property
    def info(self):
        """Report over all islands."""
        return Info(self.info_numbers, 0)

    def cone_curvature(self, block):
        """G of a CONE."""
        return ConeCurvature(self.curvature, MOST_ROWS * block.row)

    def A(self, clique):
        """A of a clique."""
        return matrix_view(self.matrix, clique.matrix_start, clique.size, clique.size)

    def A_factor(self, clique):
        """Factor or inverse of A of a clique (`contact.algebra.clique_factors`)."""
        return matrix_view(self.matrix_factor, clique.matrix_start, clique.size, clique.size)

    def J_a(self, block):
        """Rows of a block for its clique a, which is not the world."""
        size = self.clique(block.clique_a).size
        return matrix_view(self.jacobian, block.jacobian_a, block.dim, size)

    def J_b(self, block):
        """Rows of a block for its clique b, which is not the world."""
        size = self.clique(block.clique_b).size
        return matrix_view(self.jacobian, block.jacobian_b, block.dim, size)

    def Y_a(self, block):
        """Rows of J A^-1 of a block for its clique a, which is not the world."""
        size = self.clique(block.clique_a).size
        return matrix_view(self.response, block.jacobian_a, block.dim, size)

    def Y_b(self, block):
        """Rows of J A^-1 of a block for its clique b, which is not the world."""
        size = self.clique(block.clique_b).size
        return matrix_view(self.response, block.jacobian_b, block.dim, size)

    def factor_block(self, k):
        """A block of the factor, 6 x 6, row by row."""
        return self.factor[36 * k : 36 * k + 36]

    def left_block(self, k):
        """Block of L beside a block of U of the factor."""
        return self.factor_left[36 * (k - self.nodes) : 36 * (k - self.nodes) + 36]

    def blocks_of(self, island):
        """Blocks of an island, to be gone through."""
        return IslandBlocks(self, island.first_block, island.block_count)

    def cliques_of(self, island):
        """Cliques of an island, to be gone through."""
        return IslandCliques(self, island.first_clique, island.clique_count)


@value
class IslandBlocks:
    """The blocks of an island."""

    problem: Problem
    first: int
    count: int

    def __len__(self):
        return self.count

    def __getitem__(self, k):
        return self.problem.block(self.problem.island_blocks[self.first + k])


@value
class IslandCliques:
    """The cliques of an island."""

    problem: Problem
    first: int
    count: int

    def __len__(self):
        return self.count

    def __getitem__(self, k):
        return self.problem.clique(self.problem.island_cliques[self.first + k])
