"""A run taken forward bit by bit: to a goal in time, in chunks as long as the clock allows."""

from __future__ import annotations

import time as clocks

from dalembert.errors import SimulationError
from dalembert.integration import loop
from dalembert.simulation.prepare.start import AnySystem
from dalembert.simulation.results.message import message
from dalembert.simulation.run.diagnosis import diagnosed
from dalembert.simulation.run.run import Run
from dalembert.simulation.status import Status, error_class
from dalembert.system.borders import NEEDS_GENERAL, NEEDS_ROOM, OK

NEVER = 2**62
"""Steps between two samples of a run that records none."""

CHUNK_SECONDS = 0.004
"""How long compiled code runs before the clock is looked at."""

FIRST_PACE = 16
"""Steps of the first chunk; later ones are as long as the clock allows."""


class Going:
    """A run that is taken forward; `failure` tells why it stopped."""

    def __init__(self, run: Run, system: AnySystem, adaptive: bool) -> None:
        self._run, self._system, self._adaptive = run, system, adaptive
        self._goal, self._pace = self.t, FIRST_PACE
        self.failure: SimulationError | None = None
        self.met: int | None = None  # number of the event that has stopped the run

    @property
    def t(self) -> float:
        """The present moment  [s]."""
        return float(self._run.clock.t)

    @property
    def steps(self) -> int:
        """Steps since the run was opened."""
        return int(self._run.clock.done)

    def advance(self, duration: float, budget: float) -> None:
        """Go on for `duration` seconds, `budget` seconds of the wall clock at most."""
        began = clocks.perf_counter()
        self._goal = max(self._goal, self.t) + duration
        while True:
            due = self._due()
            if due < 1:
                break
            before, done = clocks.perf_counter(), self.steps
            self._take(min(self._pace, due))
            if self.met is not None:
                return
            now = clocks.perf_counter()
            self._learn_pace(self.steps - done, now - before)
            if now - began > budget:
                self._goal = self.t  # what was missed is not made up for
                break

    def step(self) -> None:
        """One step of the integrator."""
        if self._adaptive:
            self._goal = self.t + max(1.0, 10.0 * float(self._run.clock.step))
            self._run.aim_at(self._goal)
        self._take(1)
        self._goal = self.t

    def _due(self) -> int:
        """Steps still to be taken."""
        left = self._goal - self.t
        if self._adaptive:
            if left <= 1e-12 * max(1.0, abs(self._goal)):
                return 0
            self._run.aim_at(self._goal)
            return NEVER
        return int(left / float(self._run.clock.step) + 1e-6)

    def _take(self, steps: int) -> None:
        """So many steps, or the error that stopped them."""
        run = self._run
        run.drop_samples()
        status = run.chunk(steps)
        while status in (NEEDS_GENERAL, NEEDS_ROOM, loop.LOOK):
            if status == loop.LOOK:
                status = run.look()
                continue
            run.provide(status)
            status = run.chunk(steps)
        if status in (OK, loop.MORE):
            return
        if status == Status.EVENT:
            self.met = int(run.event_index[run.clock.event_count - 1])
            return
        if isinstance(run.calling.cause, KeyboardInterrupt):
            raise run.calling.cause
        found = diagnosed(run, Status(status))
        said = message(self._system, run, found)
        self.failure = error_class(found)(said)
        raise self.failure from run.calling.cause

    def _learn_pace(self, steps: int, spent: float) -> None:
        if steps == self._pace:
            wanted = steps * CHUNK_SECONDS / max(spent, 1e-7)
            self._pace = int(min(max(wanted, 1), 4 * steps, 2**30))
