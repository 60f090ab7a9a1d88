"""Contact by Lemke's method: the linear complementarity problem of Stewart and Trinkle (1996).

The friction cone is a pyramid with nd directions d in the tangent plane. With the bilateral rows
eliminated, and everything seen through K = J A^-1 J^T (what the lecture calls JMJT),

    | K_nn  K_nd  0 |   | lam_n |          u_n              >= 0
    | K_dn  K_dd  E | . | lam_d |  + q  =  u_d + beta e     >= 0     complementary to the unknowns
    | mu   -E^T   0 |   | beta  |          mu lam_n - e^T lam_d >= 0

([B] 10 with its signs corrected, errata B8). A row of a motor or of dry friction, lo <= lam <= hi,
is x = lam - lo >= 0 with a multiplier of its upper bound, which has the place that beta has for a
contact. Each row is scaled so that K has a diagonal of ones; without that a mass ratio of a
thousand ends in a ray.

`pivoting` solves it. Everything is dense: for tens of contacts, teaching, and a second opinion.
The law it keeps is that of the pyramid: sliding bends towards the nearest direction, by up to
pi / nd.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dalembert._jit import kernel
from dalembert.contact.algebra.prepare import complete_responses, move
from dalembert.contact.algebra.residuals import copy_rows, measure
from dalembert.contact.problem.layout import (
    CONVERGED,
    DENSE_ROOM,
    FAILED,
    OVERFLOW,
    STALLED,
    Problem,
)
from dalembert.contact.solvers.comparison.complementarity import (
    Complementarity,
    Full,
    fill_problem,
    gather,
    lemke_size,
    list_unknowns,
    mark_rows,
    numbers_needed,
    spread,
)
from dalembert.contact.solvers.comparison.dense_rows import dense_delassus, eliminate
from dalembert.contact.solvers.comparison.friction import BoxFriction, Pyramid
from dalembert.contact.solvers.comparison.pivoting import SOLVED, lemke_pivots
from dalembert.contact.solvers.comparison.pyramid import Options, corners_of, pyramid_residual
from dalembert.contact.solvers.solver import ALL_KINDS, ContactSolver
from dalembert.errors import OptionError

NO_ANSWER = 1e-3
"""Part of the largest free velocity that no answer leaves."""


@kernel
def fastest(full):
    """The largest free velocity."""
    speed = 0.0
    for i in range(full.rows):
        speed = max(speed, abs(full.free(i)))
    return speed


@kernel
def lemke(problem: Problem, island, tolerance, budget):
    """One island. `budget`: pivots; a ray is FAILED, its impulses are those of the start.

    So is an answer that leaves more than a part of the velocities there are: rounding has ended
    elsewhere than at a solution.
    """
    directions, rows = corners_of(problem), island.rows
    n = lemke_size(problem, island, directions)
    if numbers_needed(rows, n) > problem.most_dense:
        problem.full = DENSE_ROOM
        return OVERFLOW
    full = Full.of(rows, problem.dense)
    lcp = Complementarity.of(n, problem.dense[rows * (rows + 5) :])
    complete_responses(problem, island)
    move(problem, island)
    dense_delassus(problem, island, full.W)
    speed = fastest(full)
    mark_rows(problem, island, full)
    eliminate(full.W, full.bilateral, full.scale)
    for i in range(n):
        lcp.q[i] = 0.0
        for j in range(n):
            lcp.M[i, j] = 0.0
    list_unknowns(problem, island, directions, full, lcp)
    fill_problem(full, lcp)
    status, island.iterations = lemke_pivots(lcp.M, lcp.q, lcp.z, budget, lcp.scratch)
    if status == SOLVED:
        gather(full, lcp)
        spread(problem, island, full.lam)
        move(problem, island)
    left = pyramid_residual(problem, island)
    failed = status != SOLVED or not (left <= max(tolerance, NO_ANSWER * speed))
    if failed and status == SOLVED:
        copy_rows(problem, island, problem.lam0, problem.lam)
        move(problem, island)
        left = pyramid_residual(problem, island)
    island.own_residual, island.residual = left, measure(problem, island)
    if failed:
        return FAILED
    return CONVERGED if left <= tolerance else STALLED


@dataclass(frozen=True)
class Lemke(ContactSolver):
    """The complementarity problem of Stewart and Trinkle by pivots, for tens of contacts.

    Parameters
    ----------
    directions : int    of the friction pyramid: 4, 6, 8, ...
    pivots : int        at most
    """

    directions: int = 8
    pivots: int = 20000

    solve_island = lemke
    passes = Options
    counts = "pivots"
    law = "pyramid"
    kinds = ALL_KINDS - {"ROLL"}
    warm_start = False

    def __post_init__(self) -> None:
        super().__post_init__()
        Pyramid(self.directions)

    @property
    def friction(self) -> Pyramid:
        """The pyramid with these directions."""
        return Pyramid(self.directions)

    @property
    def corners(self) -> int:
        """Number of corners of the polygon of friction."""
        return self.friction.corners

    def with_friction(self, friction: Pyramid | BoxFriction) -> Lemke:
        """A copy of the solver with another pyramid."""
        if not isinstance(friction, Pyramid):
            raise OptionError(f"Lemke works with a pyramid, not with {friction!r}.")
        return replace(self, directions=friction.edges)
