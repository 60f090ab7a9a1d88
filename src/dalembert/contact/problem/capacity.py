"""Room for a contact problem: how much fits, the arrays with it, and twice as much when it is full.

The arrays have sections of fixed lengths, which follow from the `Capacity`;
`contact.problem.layout` has the heads that say where each one starts.
"""

from dataclasses import dataclass, fields, replace

import numpy as np

from dalembert.contact.problem.layout import (
    DEFAULT_FILL_LIMIT,
    NODE_SIZE,
    SPACE_ROWS,
    SPACE_VELOCITIES,
    Problem,
)


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
        nodes = self.cliques + self.velocities // NODE_SIZE + 1
        return {
            **{f"most_{field.name}": getattr(self, field.name) for field in fields(self)},
            "most_nodes": nodes,
            "few_rows": min(-(-self.rows // 8) * 8, SPACE_ROWS),
            "few_velocities": min(self.velocities, SPACE_VELOCITIES),
            "known_nodes": -1,
            "fill_limit": DEFAULT_FILL_LIMIT,
        }


def allocate(capacity: Capacity) -> tuple[np.ndarray, np.ndarray]:
    """An empty problem: `integers` and `numbers`."""
    problem = Problem.allocated(capacity.counts())
    problem.integers_length, problem.numbers_length = len(problem.sizes), len(problem.work)
    return problem.sizes, problem.work


def capacity_of(problem: Problem) -> Capacity:
    """The capacity of an allocated problem."""
    return Capacity(*(getattr(problem, f"most_{field.name}") for field in fields(Capacity)))


def grown(problem: Problem) -> Capacity:
    """A capacity with twice the room of what a kernel found too small."""
    capacity = capacity_of(problem)
    name = fields(capacity)[problem.full].name
    return replace(capacity, **{name: 2 * getattr(capacity, name) + 8})
