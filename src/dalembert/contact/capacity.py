"""Room for a contact problem: how much fits, the arrays with it, and twice as much when it is full.

The arrays have sections of fixed lengths, which follow from the `Capacity`; `contact.layout` has
the heads that say where each one starts.
"""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from dalembert.contact import layout


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
    nodes = k + n // layout.NODE_SIZE + 1
    few, wide = min(m, layout.SPACE_ROWS), min(n, layout.SPACE_VELOCITIES)
    integers = [
        (layout.CLIQUE, layout.CLIQUE_RECORD * k),
        (layout.BLOCK, layout.BLOCK_RECORD * b),
        (layout.ISLAND, layout.ISLAND_RECORD * k),
        (layout.PARENT, n),
        (layout.RUN_START, n),
        (layout.ISLAND_CLIQUES, k),
        (layout.ISLAND_BLOCKS, b),
        (layout.UNION, k),
        (layout.NODE, layout.NODE_RECORD * nodes),
        (layout.NODE_WORK, layout.NODE_VECTORS * nodes),
        (layout.EDGES, 2 * c.edges),
        (layout.NEIGHBOURS, 2 * c.edges),
        (layout.SUPPORT, b + c.jacobian + 4 * c.edges),
        (layout.COLUMN, layout.COLUMN_RECORD * nodes),
        (layout.BELOW, c.fill),
        (layout.UPDATES, c.updates),
        (layout.ORDER, nodes),
        (layout.SPACE_LIST, few * (layout.SPACE_RECORD + 2 * wide)),
    ]
    numbers = [
        (layout.MATRIX, c.matrix),
        (layout.V_FREE, n),
        (layout.V_BEFORE, n),
        (layout.JACOBIAN, c.jacobian),
        (layout.BIAS, m),
        (layout.COMPLIANCE, m),
        (layout.LOWER, m),
        (layout.UPPER, m),
        (layout.LAM0, m),
        (layout.BLOCK_NUMBERS, layout.BLOCK_FLOATS * b),
        (layout.V, n),
        (layout.LAM, m),
        (layout.INFO, layout.INFO_FLOATS),
        (layout.ISLAND_NUMBERS, layout.ISLAND_FLOATS * k),
        (layout.MATRIX_FACTOR, c.matrix),
        (layout.RESPONSE, c.jacobian),
        (layout.DELASSUS, layout.MOST_ROWS * m),
        (layout.DELASSUS_INVERSE, layout.MOST_ROWS * m),
        (layout.CURVATURE, layout.MOST_ROWS * m),
        (layout.FACTOR, layout.NODE_SIZE * layout.NODE_SIZE * (nodes + c.fill)),
        (layout.ROW_WORK, layout.ROW_VECTORS * m),
        (layout.VELOCITY_WORK, layout.VELOCITY_VECTORS * n),
        (layout.BLOCK_WORK, layout.BLOCK_VECTORS * b),
        (layout.NODE_VECTOR, layout.NODE_SIZE * nodes),
        (layout.FACTOR_LEFT, layout.NODE_SIZE * layout.NODE_SIZE * c.fill),
        (layout.OPTIONS, layout.OPTIONS_FLOATS),
        (layout.DENSE, c.dense),
        (layout.SPACE, few * (2 * few + 16)),
    ]
    return integers, numbers


def reserve(capacity: Capacity) -> tuple[int, int]:
    """Lengths of `integers` and `numbers`."""
    integers, numbers = _sections(capacity)
    return layout.HEAD + sum(length for _, length in integers), sum(
        length for _, length in numbers
    ) + 1


def allocate(capacity: Capacity) -> tuple[np.ndarray, np.ndarray]:
    """An empty problem: `integers` and `numbers`."""
    lengths = reserve(capacity)
    integers, numbers = np.zeros(lengths[0], dtype=np.int64), np.zeros(lengths[1])
    integers[layout.INTEGERS_LENGTH], integers[layout.NUMBERS_LENGTH] = lengths
    for slot, field in zip(
        range(layout.MOST_CLIQUES, layout.MOST_DENSE + 1), fields(capacity), strict=True
    ):
        integers[slot] = getattr(capacity, field.name)
    of_integers, of_numbers = _sections(capacity)
    for sections, start in ((of_integers, layout.HEAD), (of_numbers, 0)):
        for slot, length in sections:
            integers[slot] = start
            start += length
    integers[layout.KNOWN_NODES], integers[layout.FILL_LIMIT] = -1, layout.DEFAULT_FILL_LIMIT
    return integers, numbers


def capacity_of(integers: np.ndarray) -> Capacity:
    """The capacity of allocated arrays."""
    return Capacity(*(int(x) for x in integers[layout.MOST_CLIQUES : layout.MOST_DENSE + 1]))


def grown(integers: np.ndarray) -> Capacity:
    """A capacity with twice the room of what a kernel found too small."""
    capacity = capacity_of(integers)
    name = fields(capacity)[int(integers[layout.FULL]) - layout.MOST_CLIQUES].name
    return replace(capacity, **{name: 2 * getattr(capacity, name) + 8})


def section(integers: np.ndarray, numbers: np.ndarray, field: int) -> Any:
    """View from Python of V_FREE, V_BEFORE, V (velocities) or of a field over rows."""
    count = (
        layout.VELOCITIES if field in (layout.V_FREE, layout.V_BEFORE, layout.V) else layout.ROWS
    )
    start = int(integers[field])
    return numbers[start : start + int(integers[count])]
