"""A run that goes on with steps of impulses where events come too often, or too many are closed.

They follow a tolerance, as those of a run that had them from the beginning (contact 21).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from dalembert.enforcement import ContactImpulse
from dalembert.simulation.prepare.arrays import write_stepping
from dalembert.simulation.prepare.step_choice import chosen_step
from dalembert.simulation.prepare.tolerance import control_with_rule
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
        """Go on with the steps of `ContactImpulse`, the first as long as its rule has it."""
        t = float(self.clock.t)
        left = math.inf if self.endless else float(self.clock.until) - t
        step = min(chosen_step(self.setup.model, None, left).step, left)
        by_end = step != chosen_step(self.setup.model).step
        contact_run = self.transition.contact_run
        contact_run.last_step, contact_run.located = 0.0, 0
        self.clock.step = step
        self.go_stepping(Stepped(self.clock.done, t, step, by_end))

    def go_stepping(self, stepped: Stepped) -> None:
        """Put in place what steps with impulses need."""
        state, clock = self.state, self.clock
        self.solve_with(matrices=False)
        write_stepping(state, self.setup.method)
        stepping, setup = ContactImpulse, self.setup
        assert stepping.interpolate_prepare is not None
        assert stepping.interpolate is not None
        control = control_with_rule(setup.integrator, setup.model, stepped.step)
        options = control.options(float(state.length))
        state.integrator_options[: len(options)] = options
        setup.method.write_tolerance(self.transition.contact_run, control.steps_rtol)
        state.advance, state.end_step = setup.method.stepping(control).address, 0
        clock.prepare_output = stepping.interpolate_prepare.address
        clock.interpolate = stepping.interpolate.address
        clock.clean_samples = 0
        self.stepped = stepped
        state.dense = self.dense
