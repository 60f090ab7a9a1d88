"""Chunks: rows that are sent to a worker together, so many that they take about a second."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dalembert.study.design import Design
from dalembert.study.rows import Rows

SECONDS = 1.0
"""Time that a chunk shall take; messages cost milliseconds."""

MOST = 2000
"""Rows of a chunk."""

Chunk = tuple[int, tuple[Any, Any]]
"""Number of a chunk; ids and values of its rows."""


class Chunks:
    """Chunks of the rows that are still to be run, made when somebody asks for the next.

    Parameters
    ----------
    pending : ids of the rows, ascending
    workers : how many ask
    size : rows of a chunk; by default it follows from the time that rows take
    """

    def __init__(
        self, design: Design, pending: np.ndarray, workers: int, size: int | None = None
    ) -> None:
        self.design, self.pending = design, pending
        self.workers, self.size = max(1, workers), size
        self._next, self._number = 0, 0
        self._rows, self._seconds = 0, 0.0

    def learn(self, rows: Rows) -> None:
        """Take note of how long rows took."""
        self._rows += len(rows)
        self._seconds += float(np.sum(rows.seconds))

    def __iter__(self) -> Iterator[Chunk]:
        return self

    def __next__(self) -> Chunk:
        left = len(self.pending) - self._next
        if left <= 0:
            raise StopIteration
        ids = self.pending[self._next : self._next + self._length(left)]
        self._next += len(ids)
        self._number += 1
        return self._number - 1, (ids, self.design.values(ids))

    def _length(self, left: int) -> int:
        if self.size is not None:
            return min(self.size, left)
        if not self._rows:
            return 1
        wanted = int(SECONDS * self._rows / max(self._seconds, 1e-9))
        shared = -(-left // (2 * self.workers))  # towards the end all have something to do
        return max(1, min(wanted, MOST, shared))


def shown(ids: Any) -> str:
    """``row 7`` or ``rows 7 to 12``, for messages."""
    first, last = int(ids[0]), int(ids[-1])
    return f"row {first}" if first == last else f"rows {first} to {last}"
