"""Whoever keeps a run with actions while it goes, such as a folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from dalembert.simulation.actions.joined import Piece
from dalembert.simulation.actions.perform import Situation
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.run.run import Run
from dalembert.simulation.status import Status


class PartKeeper(Protocol):
    """Keeps one part."""

    most_samples: int

    def between(self, run: Any) -> None:
        """Look at a run that is at rest between two steps."""

    def pause(self, run: Run) -> None:
        """Write where a run stands that was interrupted."""

    def so_far(self, run: Run, status: Status) -> Solution:
        """The solution up to where a run stands."""


class Keeper(Protocol):
    """Keeps the whole run."""

    def recorder(self, setup: Setup, events: int, watch: Any) -> PartKeeper:
        """Whoever keeps a part that is about to be opened; `watch`: who looks at its forces."""

    def begun(self, chain: Any, part: Any, now: Situation, fired: Sequence[Event]) -> None:
        """A part has been opened, in a situation, behind events that were met there."""

    def end(self, solution: Solution, pieces: Sequence[Piece]) -> Solution:
        """The run has ended; the solution with what is to be said of where it is kept."""
