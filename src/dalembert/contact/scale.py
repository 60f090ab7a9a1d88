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
from dalembert.contact import layout
from dalembert.contact.blocks import block_at
from dalembert.contact.islands import find_islands
from dalembert.contact.layout import (
    BIAS,
    BLOCK_FLOATS,
    BLOCK_ISLAND,
    BLOCK_NUMBERS,
    BLOCKS,
    COMPLIANCE,
    DIM,
    ISLAND_FLOATS,
    ISLAND_NUMBERS,
    ISLAND_TOLERANCE,
    ISLANDS,
    KIND,
    LAM,
    LAM0,
    LENGTH,
    LOWER,
    MATRIX,
    ROLL,
    ROW,
    UPPER,
    V_BEFORE,
    V_FREE,
    W_ANGULAR,
    V,
    W,
)
from dalembert.contact.report import report
from dalembert.contact.residuals import SPARE_ROWS, U, block_velocity, natural_map, row_work

RELATIVE = 1e-8
"""Tolerance over |q| by default."""


@kernel
def free_square(integers, numbers, block):
    """|J v* + b|^2 of a block, angular rows times their length."""
    u, total, at = row_work(integers, SPARE_ROWS), 0.0, block_at(integers, block)
    length = numbers[integers[BLOCK_NUMBERS] + BLOCK_FLOATS * block + LENGTH]
    block_velocity(integers, numbers, at, integers[V_FREE], u)
    for i in range(integers[at + DIM]):
        x = numbers[u + integers[at + ROW] + i]
        if i > 2 or integers[at + KIND] != ROLL:
            x *= length
        total += x * x
    return total


@kernel
def free_size(integers, numbers):
    """|q| over all blocks."""
    total = 0.0
    for block in range(integers[BLOCKS]):
        total += free_square(integers, numbers, block)
    return math.sqrt(total)


@kernel
def island_sizes(integers, numbers):
    """Islands, and |q| of each in ISLAND_TOLERANCE."""
    find_islands(integers)
    first = integers[ISLAND_NUMBERS] + ISLAND_TOLERANCE
    for island in range(integers[ISLANDS]):
        numbers[first + ISLAND_FLOATS * island] = 0.0
    for block in range(integers[BLOCKS]):
        island = integers[block_at(integers, block) + BLOCK_ISLAND]
        numbers[first + ISLAND_FLOATS * island] += free_square(integers, numbers, block)
    for island in range(integers[ISLANDS]):
        at = first + ISLAND_FLOATS * island
        numbers[at] = math.sqrt(numbers[at])


@kernel
def all_left(integers, numbers):
    """Root of the squared natural maps of all blocks at V and LAM; the problem is prepared."""
    u, total = row_work(integers, U), 0.0
    for block in range(integers[BLOCKS]):
        block_velocity(integers, numbers, block_at(integers, block), integers[V], u)
        r = natural_map(integers, numbers, block, u, integers[LAM])
        total += r * r
    return math.sqrt(total)


def power_of_two(value: float) -> float:
    """The power of two below a positive number; 1 for any other."""
    return math.ldexp(1.0, math.frexp(value)[1] - 1) if 0.0 < value < math.inf else 1.0


def powers_of_two(values: np.ndarray) -> np.ndarray:
    """Powers of two below positive numbers; 1 for any other."""
    return np.array([power_of_two(float(x)) for x in values])


class Scale:
    """s and m of every island of a problem in arrays, which are changed to the scale of one.

    ISLAND_TOLERANCE is written: tol [m/s], or 1e-8 |q| over all blocks of the island.
    """

    def __init__(self, integers: np.ndarray, numbers: np.ndarray, tol: float | None) -> None:
        island_sizes(integers, numbers)
        self.velocities, self.entries, self.rows, self.blocks = _islands_of(integers)
        tolerances = _island_floats(integers, numbers)[:, layout.ISLAND_TOLERANCE]
        sizes, count = tolerances.copy(), len(tolerances)
        self.speed = powers_of_two(sizes)
        diagonal, owner = _diagonal(integers, numbers), self.velocities
        masses = np.bincount(owner, diagonal, count) / np.maximum(
            np.bincount(owner, None, count), 1
        )
        self.mass = powers_of_two(masses)
        number = np.maximum(np.bincount(self.blocks, None, count), 1)
        wanted = RELATIVE * np.where(sizes > 0.0, sizes, 1.0) / np.sqrt(number)
        tolerances[:] = (wanted if tol is None else tol) / self.speed
        self._apply(integers, numbers, 1.0 / self.speed, 1.0 / self.mass)

    def _apply(
        self, integers: np.ndarray, numbers: np.ndarray, speed: np.ndarray, mass: np.ndarray
    ) -> None:
        """Numbers times factors of speeds and masses."""
        of_velocities, of_rows = speed[self.velocities], speed[self.rows]
        impulses = of_rows * mass[self.rows]
        factors = {
            MATRIX: mass[self.entries], V_FREE: of_velocities, V_BEFORE: of_velocities,
            V: of_velocities, BIAS: of_rows, COMPLIANCE: 1.0 / mass[self.rows], LOWER: impulses,
            UPPER: impulses, LAM0: impulses, LAM: impulses,
        }  # fmt: skip
        for section, factor in factors.items():
            start = int(integers[section])
            numbers[start : start + len(factor)] *= factor

    def back(self, integers: np.ndarray, numbers: np.ndarray) -> None:
        """Numbers and what islands have left, as they are; `report` then tells of them."""
        self._apply(integers, numbers, self.speed, self.mass)
        _island_floats(integers, numbers)[:] *= self.speed[:, None]
        start, count = int(integers[BLOCK_NUMBERS]), int(integers[BLOCKS])
        own = numbers[start : start + BLOCK_FLOATS * count].reshape(count, BLOCK_FLOATS)
        own[:, [W, W_ANGULAR]] /= self.mass[self.blocks][:, None]
        records = integers[int(integers[layout.ISLAND]) :]
        records[layout.U_KNOWN : layout.ISLAND_RECORD * len(self.speed) : layout.ISLAND_RECORD] = 0
        report(integers, numbers)


def _island_floats(integers: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The floats of all islands, one a row."""
    start, count = int(integers[ISLAND_NUMBERS]), int(integers[ISLANDS])
    return numbers[start : start + ISLAND_FLOATS * count].reshape(count, ISLAND_FLOATS)


def _islands_of(integers: np.ndarray) -> tuple[np.ndarray, ...]:
    """Islands of velocities, entries of A, rows and blocks."""
    cliques, blocks = int(integers[layout.CLIQUES]), int(integers[BLOCKS])
    start = int(integers[layout.CLIQUE])
    record = integers[start : start + layout.CLIQUE_RECORD * cliques]
    record = record.reshape(cliques, layout.CLIQUE_RECORD)
    size, island = record[:, layout.SIZE], record[:, layout.CLIQUE_ISLAND]
    start = int(integers[layout.BLOCK])
    of = integers[start : start + layout.BLOCK_RECORD * blocks]
    of = of.reshape(blocks, layout.BLOCK_RECORD)
    owner = of[:, BLOCK_ISLAND].copy()
    return (
        np.repeat(island, size),
        np.repeat(island, size * size),
        np.repeat(owner, of[:, DIM]),
        owner,
    )


def _diagonal(integers: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Diagonal of A."""
    parts = []
    for clique in range(int(integers[layout.CLIQUES])):
        at = int(integers[layout.CLIQUE]) + layout.CLIQUE_RECORD * clique
        size = int(integers[at + layout.SIZE])
        start = int(integers[MATRIX]) + int(integers[at + layout.MATRIX_START])
        parts.append(numbers[start : start + size * size : size + 1])
    return np.concatenate(parts) if parts else np.zeros(0)
