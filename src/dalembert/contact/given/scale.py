"""The scale of a problem, and a problem brought to the scale of one.

Tolerances are relative to |q|, q = J v* + b the velocities there would be without impulses (angular
rows times their length). With s and m powers of two near |q| and near the masses

    v' = v / s,   b' = b / s,   A' = A / m,   R' = m R,   lam' = lam / (m s)

is the same problem with numbers near one: no unit of mass or time changes what a solver does.
"""

from __future__ import annotations

import math

import numpy as np

from dalembert._jit import kernel
from dalembert.contact.algebra.prepare import find_islands
from dalembert.contact.algebra.residuals import block_velocity, natural_map, report
from dalembert.contact.problem.layout import ROLL, Problem
from dalembert.contact.problem.record_layout import Block, Clique, Island
from dalembert.contact.solvers.solver import power_of_two

RELATIVE = 1e-8
"""Tolerance over |q| by default."""


@kernel
def free_square(problem: Problem, block):
    """|J v* + b|^2 of a block, angular rows times their length."""
    total = 0.0
    block_velocity(problem, block, problem.v_free, problem.spare)
    u = block.of(problem.spare)
    for i in range(block.dim):
        x = u[i]
        if i > 2 or block.kind != ROLL:
            x *= block.length
        total += x * x
    return total


@kernel
def free_size(problem: Problem):
    """|q| over all blocks."""
    total = 0.0
    for i in range(problem.blocks):
        total += free_square(problem, problem.block(i))
    return math.sqrt(total)


@kernel
def island_sizes(problem: Problem):
    """Islands, and |q| of each as its tolerance."""
    find_islands(problem)
    for i in range(problem.islands):
        problem.island(i).tolerance = 0.0
    for i in range(problem.blocks):
        block = problem.block(i)
        problem.island(block.island).tolerance += free_square(problem, block)
    for i in range(problem.islands):
        island = problem.island(i)
        island.tolerance = math.sqrt(island.tolerance)


@kernel
def all_left(problem: Problem):
    """Root of the squared natural maps of all blocks at v and lam; the problem is prepared."""
    total = 0.0
    for i in range(problem.blocks):
        block = problem.block(i)
        block_velocity(problem, block, problem.v, problem.u)
        r = natural_map(problem, block, problem.u, problem.lam)
        total += r * r
    return math.sqrt(total)


def powers_of_two(values: np.ndarray) -> np.ndarray:
    """Powers of two below positive numbers; 1 for any other."""
    return np.array([power_of_two(float(x)) for x in values])


class Scale:
    """s and m of every island of a problem, which is changed to the scale of one.

    The tolerance of an island is written: tol [m/s], or 1e-8 |q| over all its blocks.
    """

    def __init__(self, problem: Problem, tol: float | None) -> None:
        island_sizes(problem)
        self.velocities, self.entries, self.rows, self.blocks = _islands_of(problem)
        tolerances = Island.column(problem.island_numbers, "tolerance", problem.islands)
        sizes, count = tolerances.copy(), len(tolerances)
        self.speed = powers_of_two(sizes)
        masses = np.bincount(self.velocities, _diagonal(problem), count) / np.maximum(
            np.bincount(self.velocities, None, count), 1
        )
        self.mass = powers_of_two(masses)
        number = np.maximum(np.bincount(self.blocks, None, count), 1)
        wanted = RELATIVE * np.where(sizes > 0.0, sizes, 1.0) / np.sqrt(number)
        tolerances[:] = (wanted if tol is None else tol) / self.speed
        self._apply(problem, 1.0 / self.speed, 1.0 / self.mass)

    def _apply(self, problem: Problem, speed: np.ndarray, mass: np.ndarray) -> None:
        """Numbers times factors of speeds and masses."""
        of_velocities, of_rows = speed[self.velocities], speed[self.rows]
        impulses = of_rows * mass[self.rows]
        problem.matrix[:] *= mass[self.entries]
        for velocity in (problem.v_free, problem.v_before, problem.v):
            velocity *= of_velocities
        problem.bias[:] *= of_rows
        problem.compliance[:] *= 1.0 / mass[self.rows]
        for impulse in (problem.lower, problem.upper, problem.lam0, problem.lam):
            impulse *= impulses

    def back(self, problem: Problem) -> None:
        """Numbers and what islands have left, as they are; `report` then tells of them."""
        self._apply(problem, self.speed, self.mass)
        for name in ("residual", "first_residual", "own_residual", "tolerance"):
            Island.column(problem.island_numbers, name, problem.islands)[:] *= self.speed
        Island.column(problem.island_table, "u_known", problem.islands)[:] = 0
        for name in ("w", "w_angular"):
            own = Block.column(problem.block_numbers, name, problem.blocks)
            own /= self.mass[self.blocks]
        report(problem)


def _islands_of(problem: Problem) -> tuple[np.ndarray, ...]:
    """Islands of velocities, entries of A, rows and blocks."""
    cliques, blocks = problem.clique_table, problem.block_table
    size, island = (Clique.column(cliques, name, problem.cliques) for name in ("size", "island"))
    rows = Block.column(blocks, "dim", problem.blocks)
    owner = Block.column(blocks, "island", problem.blocks).copy()
    return np.repeat(island, size), np.repeat(island, size * size), np.repeat(owner, rows), owner


def _diagonal(problem: Problem) -> np.ndarray:
    """Diagonal of A."""
    parts = [np.diagonal(problem.A(problem.clique(i))) for i in range(problem.cliques)]
    return np.concatenate(parts) if parts else np.zeros(0)
