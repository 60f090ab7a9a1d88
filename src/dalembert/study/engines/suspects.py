"""Chunks during which workers died: run at the end, alone, in halves, until the rows are found.

A worker that dies takes what others do with it, so that at first nobody knows whose fault it was.
Alone there is no doubt; and everything else is done by then.
"""

from __future__ import annotations

from typing import Any

from dalembert.errors import StudyError
from dalembert.study.chunks import Chunk, shown

MOST = 10
"""Rows that may take their worker with them; more of them mean that the machine is at fault."""


class Suspects:
    """Chunks that wait to be run alone, and rows that were found to end their worker."""

    def __init__(self) -> None:
        self._waiting: list[Chunk] = []
        self._deadly: list[tuple[Any, int]] = []

    def add(self, chunk: Chunk) -> None:
        """Have this chunk wait until it can be alone."""
        self._waiting.append(chunk)

    def next(self) -> Chunk | None:
        """The next chunk to be run alone."""
        return self._waiting.pop(0) if self._waiting else None

    def convict(self, chunk: Chunk, times: int) -> None:
        """Take note that a worker died with this chunk alone, the last of so many times.

        Of several rows each half is tried.
        """
        number, (ids, values) = chunk
        half = len(ids) // 2
        if half:
            self._waiting[:0] = [
                (number, (ids[:half], values[:half])),
                (number, (ids[half:], values[half:])),
            ]
            return
        self._deadly.append((ids, times))
        if len(self._deadly) >= MOST:
            self.tell()

    def tell(self) -> None:
        """Raise if there are rows that end their worker, with their names."""
        if not self._deadly:
            return
        rows = ", ".join(shown(ids) for ids, _ in self._deadly)
        raise StudyError(
            f"The worker process that ran {rows} was killed {self._deadly[0][1]} times: by the"
            " system for want of memory, or by a crash. Run that row alone, with study.run(id)."
        )
