"""The body graph: which bodies meet in a constraint, in what order they are eliminated.

Two bodies are neighbours when some constraint touches both. Eliminating a body joins all its
neighbours; what is joined that way is the fill of the factorisation. The order of least degree
(Tinney's second scheme) keeps it small: chains and trees have none, a closed loop has one block a
body, a square grid of n bodies about n log n.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

BLOCK = 36
"""Floats of one block: 6 velocities by 6."""


@dataclass(frozen=True)
class Elimination:
    """Where the blocks of the lower triangle stand, and what eliminating each body touches.

    Attributes
    ----------
    order : bodies in the order of elimination
    columns : per body eliminated: body, its diagonal block, first and number of blocks below, first
        update
    below : per block below a diagonal one: body of its row, its place
    updates : per column and pair of blocks below it (i, j <= i): the block (i, j) they change
    places : (body of the row, body of the column) -> place of the block
    """

    order: tuple[int, ...]
    columns: np.ndarray
    below: np.ndarray
    updates: np.ndarray
    places: dict[tuple[int, int], int]

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return len(self.places)

    def place(self, a: int, b: int) -> tuple[int, bool]:
        """Place of the block of two bodies, and whether `a` is its row."""
        found = self.places.get((a, b))
        return (self.places[b, a], False) if found is None else (found, True)


def eliminate(count: int, cliques: Iterable[Sequence[int]]) -> Elimination:
    """The order of least degree for `count` bodies, those of each clique being neighbours."""
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for clique in cliques:
        for body in clique:
            neighbours[body].update(clique)
    for body, others in enumerate(neighbours):
        others.discard(body)
    # Of equals the one whose neighbours were left alone the longest: eliminations that follow one
    # another then do not wait for one another's results.
    heap = [(len(others), 0, body) for body, others in enumerate(neighbours)]
    heapq.heapify(heap)
    order: list[int] = []
    struct: list[list[int]] = []
    done = [False] * count
    while heap:
        degree, _, body = heapq.heappop(heap)
        if done[body] or degree != len(neighbours[body]):
            continue
        done[body] = True
        order.append(body)
        around = neighbours[body]
        struct.append(sorted(around))
        for other in around:
            mine = neighbours[other]
            mine |= around
            mine.discard(other)
            mine.discard(body)
            heapq.heappush(heap, (len(mine), len(order), other))
    return _tables(order, struct)


def _tables(order: list[int], struct: list[list[int]]) -> Elimination:
    position = {body: k for k, body in enumerate(order)}
    places: dict[tuple[int, int], int] = {}
    for body, around in zip(order, struct, strict=True):
        places[body, body] = BLOCK * len(places)
        for other in sorted(around, key=position.__getitem__):
            places[other, body] = BLOCK * len(places)
    columns: list[tuple[int, ...]] = []
    below: list[tuple[int, int]] = []
    updates: list[int] = []
    for body, around in zip(order, struct, strict=True):
        rows = sorted(around, key=position.__getitem__)
        columns.append((body, places[body, body], len(below), len(rows), len(updates)))
        below += [(row, places[row, body]) for row in rows]
        updates += [places[i, j] for k, i in enumerate(rows) for j in rows[: k + 1]]
    return Elimination(
        tuple(order),
        np.array(columns, dtype=np.int64).reshape(-1, 5),
        np.array(below, dtype=np.int64).reshape(-1, 2),
        np.array(updates, dtype=np.int64),
        places,
    )
