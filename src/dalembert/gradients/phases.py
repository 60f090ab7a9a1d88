"""Phases of a run: which constraints act, with the compiled step, outputs and events of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.describe import smooth_setup
from dalembert.errors import OptionError
from dalembert.gradients.events import Watch
from dalembert.gradients.flow import Flow, Outputs
from dalembert.gradients.pieces import Crossing
from dalembert.gradients.switches import held_sides
from dalembert.gradients.traced import Traced
from dalembert.gradients.watched import Reading, formulas_seen
from dalembert.model.basics.names import nearest
from dalembert.model.core.without_constraints import removable, without
from dalembert.simulation.prepare.prepare import Wanted
from dalembert.simulation.prepare.setup import Setup

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Phase:
    """A set of constraints that act."""

    released: frozenset[str]
    setup: Setup
    flow: Flow
    outputs: Outputs
    watch: Watch | None


class Phases:
    """All phases of a model; each is compiled when it is first entered."""

    def __init__(
        self,
        who: str,
        model: Any,
        wanted: Wanted,
        signals: Sequence[Any],
        events: Sequence[Any],
        released: Sequence[str],
    ) -> None:
        self.who, self.model, self.wanted = who, model, wanted
        self.signals, self.events = list(signals), list(events)
        self.names: list[str] = []
        for name in released:
            if name not in removable(model):
                known = removable(model)
                raise OptionError(
                    f"{who}: released names {name!r}, which is no constraint"
                    f"{nearest(str(name), known)}"
                )
        self._made: dict[frozenset[str], Phase] = {}
        self._begin = frozenset(released)
        self.setup = self._setup(self._begin, wanted)

    def _setup(self, released: frozenset[str], wanted: Wanted) -> Setup:
        return self._setup_of(self.model, released, wanted)

    def _setup_of(self, model: Any, released: frozenset[str], wanted: Wanted) -> Setup:
        acting = without(model, released)
        seen = [*self.signals, *formulas_seen(self.who, acting, self.events)]
        return smooth_setup(held_sides(acting), wanted, seen)

    def _phase(self, released: frozenset[str], setup: Setup) -> Phase:
        acting = without(self.model, released)
        seen = [*self.signals, *formulas_seen(self.who, acting, self.events)]
        traced = Traced(self.who, setup, self.names, seen)
        flow = Flow(traced)
        count = len(self.signals)
        outputs = flow.outputs(traced.signals[:count])
        reading = Reading(self.who, traced, self.model, self.events, traced.signals[count:])
        watched = reading.watched(released)
        return Phase(released, setup, flow, outputs, Watch(flow, watched) if watched else None)

    @property
    def first(self) -> Phase:
        """The phase that a run begins in."""
        if self._begin not in self._made:
            self._made[self._begin] = self._phase(self._begin, self.setup)
        return self._made[self._begin]

    def begin(self, names: Sequence[str]) -> Phase:
        """The first phase, with these parameters as variables."""
        self.names = list(names)
        return self.first

    def behind(self, phase: Phase, crossing: Crossing, entries: Array) -> Phase:
        """The phase behind an event."""
        assert phase.watch is not None
        released = phase.watch.watched[crossing.row].released
        if released is None:
            return phase
        if released not in self._made:
            nq = phase.flow.nq
            state = crossing.at[:nq], crossing.at[nq:]
            wanted = replace(self.wanted, initial=state, start=crossing.moment, limit=np.inf)
            values = dict(zip(phase.flow.traced.names, map(float, entries), strict=False))
            own = {name: x for name, x in values.items() if name in self.model.parameters}
            model = self.model.with_parameters(**own)
            self._made[released] = self._phase(released, self._setup_of(model, released, wanted))
        return self._made[released]
