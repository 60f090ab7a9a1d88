"""Options of a whole run with actions, and the setups of its parts that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dalembert.model.core.model import Model
from dalembert.model.core.without_constraints import without
from dalembert.simulation.prepare import options
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.model_for_run import model_for_run
from dalembert.simulation.prepare.options import INITIAL_LIMIT
from dalembert.simulation.prepare.prepare import Wanted
from dalembert.simulation.prepare.step_choice import span_of
from dalembert.simulation.prepare.tolerance import with_tolerance


@dataclass(frozen=True)
class Plan:
    """Options of `simulate` for the whole run; `released`: what does not act at its start."""

    start: float
    until: float
    step: float | None = None
    mode: str = "auto"
    rtol: float | None = None
    atol: float | None = None
    method: Any = None
    integrator: Any = None
    formulation: str = "auto"
    initial: Any = None
    every: int | None = None
    times: Sequence[float] | None = None
    events: tuple[Event, ...] = ()
    released: frozenset[str] = frozenset()
    initial_limit: float = INITIAL_LIMIT
    consistent: bool = True
    controllers: Sequence[Any] = ()
    progress: bool | None = None
    on_failure: str = "raise"

    def check(self, model: Model) -> None:
        """Refuse options that a run of the model cannot have."""
        options.check_limit(self.initial_limit)
        self.part(without(model, self.released), ())

    def part(self, acting: Model, events: tuple[Event, ...]) -> tuple[Model, Wanted]:
        """The model of a part and what is wanted of it, for the constraints that act and events."""
        tolerances = (self.rtol, self.atol)
        method, integrator = options.choose(
            *(self.method, self.integrator, self.step, acting),
            mode=self.mode,
            tolerances=tolerances,
        )
        span = span_of(self.start, self.until)
        integrator, rule = with_tolerance(
            *(integrator, method, self.step, acting, self.initial, span, self.controllers),
            tolerances,
        )
        options.check_options(
            *(self.until, self.start, self.step, self.every, self.times, self.on_failure),
            *(integrator, method),
        )
        made, bound = model_for_run(acting, method, self.step, self.controllers, rule)
        wanted = Wanted(
            *(method, integrator, self.step, self.formulation, self.initial, self.start),
            *(tuple(event.formula for event in events), bound),
            limit=self.initial_limit,
            consistent=self.consistent,
        )
        return made, wanted
