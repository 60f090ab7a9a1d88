"""A run that goes on with steps of impulses where events come too often, or too many are closed."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from dalembert.enforcement import ContactImpulse
from dalembert.simulation.prepare.arrays import write_stepping
from dalembert.simulation.prepare.step_choice import chosen_step
from dalembert.simulation.run.clock import steps_between
from dalembert.simulation.run.run import Run


class Stepped(NamedTuple):
    """Where a run went on with steps of impulses."""

    done: int  # steps before
    t: float
    step: float
    by_end: bool  # the end of the run has made the step shorter


class Stepping(Run):
    """A run with located events, as far as it goes by steps; `endless`: it has no end."""

    endless = False
    stepped: Stepped | None = None
    setup: Any
    solve_with: Any
    dense: int
    transition: Any

    @property
    def stepping(self) -> bool:
        """Whether the run goes on with steps of impulses."""
        return self.stepped is not None

    def step_on(self) -> None:
        """Go on with the steps of `ContactImpulse`, of the length that its rule chooses."""
        t = float(self.clock.t)
        left = math.inf if self.endless else float(self.clock.until) - t
        step = min(chosen_step(self.setup.model, None, left).step, left)
        by_end = step != chosen_step(self.setup.model).step
        contact_run = self.transition.contact_run
        contact_run.last_step, contact_run.located = 0.0, 0
        self.go_stepping(Stepped(self.clock.done, t, step, by_end))

    def go_stepping(self, stepped: Stepped) -> None:
        """Put in place what steps with impulses need."""
        state, clock = self.state, self.clock
        self.solve_with(matrices=False)
        write_stepping(state, self.setup.method)
        stepping = ContactImpulse
        assert stepping.advance is not None
        assert stepping.interpolate_prepare is not None
        assert stepping.interpolate is not None
        state.advance, state.end_step = stepping.advance.address, 0
        clock.prepare_output = stepping.interpolate_prepare.address
        clock.interpolate = stepping.interpolate.address
        clock.adaptive = clock.clean_samples = 0
        clock.step = stepped.step
        clock.start = stepped.t - stepped.done * stepped.step
        self.stepped = stepped
        clock.total = self.steps_to(float(clock.until))
        state.long_steps, state.dense = 0, self.dense
        self.adaptive = False

    def aim_at(self, end: float) -> None:
        """Another end; steps of impulses are counted from here."""
        super().aim_at(end)
        if self.stepped is not None:
            done, t = self.clock.done, float(self.clock.t)
            self.stepped = self.stepped._replace(done=done, t=t)
            self.clock.start = t - done * self.stepped.step
            self.clock.total = self.steps_to(end)

    def steps_to(self, end: float) -> int:
        """Steps of a run to another end, where it goes by steps of impulses; else 0."""
        if self.stepped is None:
            return 0
        return self.stepped.done + steps_between(self.stepped.t, end, self.stepped.step)
