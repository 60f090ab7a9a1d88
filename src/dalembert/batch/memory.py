"""Places in the scratch of steps at stops: what a world remembers, and the rows of its problem."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Memory:
    """Where `s` holds what a world remembers from step to step, and the rows of its problem.

    Parameters
    ----------
    nv, stops, pairs : velocities, one-sided rows, rows with one or two sides
    """

    nv: int
    stops: int
    pairs: int

    @property
    def length(self) -> int:
        """Numbers that a world remembers: near, push, impulses."""
        return 1 + self.nv + self.stops

    @property
    def push(self) -> range:
        """Places of what impulses added to the velocities in the last step, over h."""
        return range(1, 1 + self.nv)

    @property
    def impulses(self) -> range:
        """Places of the impulses of the stops in the last step."""
        return range(1 + self.nv, self.length)

    @property
    def flag(self) -> int:
        """Place of what a part asks for, 1 or 0."""
        return self.length

    def entry(self, i: int, j: int) -> int:
        """W, up to its diagonal."""
        return self.length + 1 + i * (i + 1) // 2 + j

    def rows(self, which: int) -> range:
        """Low sides, high sides, those that are held, impulses: 0 to 3."""
        first = self.entry(self.pairs, 0) + which * self.pairs
        return range(first, first + self.pairs)

    @property
    def end(self) -> int:
        """Where the entries begin that parts hand on."""
        return self.rows(4).start
