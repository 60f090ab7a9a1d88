"""Room for a contact problem: how much fits, the arrays with it, and twice as much when it is full.

The arrays have sections of fixed lengths, which follow from the `Capacity`;
`contact.problem.layout` has the heads that say where each one starts.
"""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from dalembert.contact.problem import layout


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

    def counts(self) -> dict[str, int]:
        """Names that the extents of `Problem` are said in."""
        nodes = self.cliques + self.velocities // layout.NODE_SIZE + 1
        return {
            **{f"most_{field.name}": getattr(self, field.name) for field in fields(self)},
            "most_nodes": nodes,
            "few_rows": min(self.rows, layout.SPACE_ROWS),
            "few_velocities": min(self.velocities, layout.SPACE_VELOCITIES),
            "known_nodes": -1,
            "fill_limit": layout.DEFAULT_FILL_LIMIT,
        }


def allocate(capacity: Capacity) -> tuple[np.ndarray, np.ndarray]:
    """An empty problem: `integers` and `numbers`."""
    problem = layout.Problem.allocated(capacity.counts())
    problem.integers_length, problem.numbers_length = len(problem.sizes), len(problem.work)
    return problem.sizes, problem.work


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
