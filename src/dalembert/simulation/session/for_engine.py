"""Parts of a session for whoever takes its run elsewhere, as a page that simulates does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dalembert.model.core.model import Model
from dalembert.simulation.prepare.prepare import Built, Wanted, begin
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.session.present_run import PresentRun


class Taken:
    """The part of a `Session` that is looked at by those who run it elsewhere."""

    model: Model
    _present: PresentRun
    _start: tuple[Any, ...]
    _hand: Any
    _built: Built
    _wanted: Wanted

    @property
    def present(self) -> PresentRun:
        """The run it is in."""
        return self._present

    @property
    def initial(self) -> Any:
        """The initial state that was asked for."""
        return self._start[1]

    @property
    def hand(self) -> Any:
        """Who pulls."""
        return self._hand

    def begun(self, values: Mapping[str, float]) -> Setup:
        """The setup of a run from the start with other values of parameters."""
        return begin(self._built, self.model.with_parameters(**values), self._wanted)
