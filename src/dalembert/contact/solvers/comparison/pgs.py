"""Projected Gauss-Seidel on K = J A^-1 J^T, as lectures and games have it.

One sweep: first every bilateral row, then contacts, limits and motors, each row by itself,

    lam_i <- P(lam_i - (u_i + R_i lam_i) / (K_ii + R_i)),     u = J v + b,     v = v* + A^-1 J^T lam

with the newest values of all others, P clamping to [0, inf), [lo, hi] or nothing. K is not formed:
v carries it. The lecture's listing [B] 9 differs in three signs and indices that keep it from
converging (errata B5 to B7).

Friction has a variable beta whose row in the lecture's matrix has a **zero on the diagonal**, by
which Gauss-Seidel would divide. beta is therefore eliminated: after its normal row a contact's
tangent impulse is the one of most dissipation in the polygon mu lam_n P
(`contact.solvers.comparison.polygon`). With `SQUARE` each tangent row is clamped to +-mu lam_n by
itself, the box variant.

The sweeps stop when no row moved by more than the tolerance, in velocity, and the residual of the
pyramid's law agrees. Stacks and large mass ratios need very many sweeps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from dalembert._jit import kernel
from dalembert.contact.algebra.blocks import diagonal, law_velocity, push_row
from dalembert.contact.algebra.prepare import complete_responses, move
from dalembert.contact.algebra.residuals import measure
from dalembert.contact.problem.layout import CONE, CONVERGED, EQ, ROLL, STALLED, Problem
from dalembert.contact.solvers.comparison.friction import BoxFriction, Pyramid, friction_of
from dalembert.contact.solvers.comparison.polygon import SQUARE, least_in_polygon
from dalembert.contact.solvers.comparison.pyramid import (
    Options,
    bounds_of,
    corners_of,
    pyramid_residual,
)
from dalembert.contact.solvers.solver import ContactSolver

NEARLY_SINGULAR = 1e-12
"""Added to a tangent block, relative to its trace; the fixed point does not feel it."""


@kernel
def relax_row(problem: Problem, block, row, low, high):
    """One row, clamped. Returns how far it moved, as a velocity."""
    stiffness = diagonal(problem, block, row, row)
    if not stiffness > 0.0:
        return 0.0
    lam = problem.lam[block.row + row]
    new = lam - law_velocity(problem, block, row) / stiffness
    change = min(max(new, low), high) - lam
    if change != 0.0:
        push_row(problem, block, row, change)
    return stiffness * abs(change)


@kernel
def relax_pair(problem: Problem, block, row, edges, bound):
    """Two rows that share a polygon of this radius."""
    if edges == SQUARE:
        moved = relax_row(problem, block, row, -bound, bound)
        return max(moved, relax_row(problem, block, row + 1, -bound, bound))
    b11 = diagonal(problem, block, row, row)
    b12 = diagonal(problem, block, row, row + 1)
    b22 = diagonal(problem, block, row + 1, row + 1)
    trace = b11 + b22
    if not trace > 0.0:
        return 0.0
    b11 += NEARLY_SINGULAR * trace
    b22 += NEARLY_SINGULAR * trace
    lam = block.of(problem.lam)
    x, y = lam[row], lam[row + 1]
    c1 = law_velocity(problem, block, row) - b11 * x - b12 * y
    c2 = law_velocity(problem, block, row + 1) - b12 * x - b22 * y
    px, py = least_in_polygon(edges, bound, b11, b12, b22, c1, c2)
    push_row(problem, block, row, px - x)
    push_row(problem, block, row + 1, py - y)
    return trace * max(abs(px - x), abs(py - y))


@kernel
def relax_contact(problem: Problem, block, edges):
    """The normal row, then friction with the new normal impulse."""
    mu = block.mu
    moved = relax_row(problem, block, 0, 0.0, math.inf)
    push = problem.lam[block.row]
    moved = max(moved, relax_pair(problem, block, 1, edges, mu.sliding * push))
    if block.kind == ROLL:
        most = mu.spinning * push
        moved = max(moved, relax_row(problem, block, 3, -most, most))
        if block.dim == 6:
            moved = max(moved, relax_pair(problem, block, 4, edges, mu.rolling * push))
    return moved


@kernel
def relax_block(problem: Problem, block, edges):
    """One block. Returns how far its rows moved."""
    if block.kind == CONE or block.kind == ROLL:
        return relax_contact(problem, block, edges)
    moved = 0.0
    for i in range(block.dim):
        low, high = bounds_of(problem, block, i)
        moved = max(moved, relax_row(problem, block, i, low, high))
    return moved


@kernel
def sweep(problem: Problem, island, edges):
    """One sweep, bilateral rows first. Returns how far rows moved."""
    moved = 0.0
    for block in problem.blocks_of(island):
        if block.kind == EQ:
            moved = max(moved, relax_block(problem, block, edges))
    for block in problem.blocks_of(island):
        if block.kind != EQ:
            moved = max(moved, relax_block(problem, block, edges))
    return moved


@kernel
def pgs(problem: Problem, island, tolerance, budget):
    """One island; `budget` sweeps."""
    complete_responses(problem, island)
    move(problem, island)
    left, sweeps = pyramid_residual(problem, island), 0
    while left > tolerance and sweeps < budget:
        moved = sweep(problem, island, corners_of(problem))
        sweeps += 1
        if not moved > tolerance or sweeps == budget:
            move(problem, island)  # without what many small pushes have rounded away
            left = pyramid_residual(problem, island)
    island.sweeps, island.iterations, island.own_residual = sweeps, sweeps, left
    island.residual = measure(problem, island)
    return CONVERGED if left <= tolerance else STALLED


PYRAMID = Pyramid()


@dataclass(frozen=True)
class ProjectedGaussSeidel(ContactSolver):
    """Projected Gauss-Seidel with a friction pyramid or box, as lectures and games have it.

    Parameters
    ----------
    sweeps : int                        over all rows, at most
    friction : Pyramid or BoxFriction   what stands for the cone; also "pyramid", "pyramid8", "box"
    """

    sweeps: int = 50
    friction: Pyramid | BoxFriction = PYRAMID

    solve_island = pgs
    passes = Options
    counts = "sweeps"
    law = "pyramid"

    def __post_init__(self) -> None:
        super().__post_init__()
        shape = friction_of("ProjectedGaussSeidel", self.friction)
        object.__setattr__(self, "friction", shape)

    @property
    def corners(self) -> int:
        """Number of corners of the polygon of friction."""
        return self.friction.corners

    def with_friction(self, friction: Pyramid | BoxFriction) -> ProjectedGaussSeidel:
        """A copy of the solver with another shape of friction."""
        return replace(self, friction=friction)
