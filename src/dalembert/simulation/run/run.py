"""A run: the loop driven in chunks, with progress and Ctrl-C."""

from __future__ import annotations

import time as clocks
from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert._translate import separate
from dalembert.integration import loop
from dalembert.mechanics.winding import begin_winding
from dalembert.simulation.run import memory
from dalembert.simulation.run.diagnosis import diagnosed
from dalembert.simulation.run.memory import LOCATED, SAMPLED, RunMemory
from dalembert.simulation.run.patience import patient
from dalembert.simulation.run.progress import Progress
from dalembert.simulation.status import Status
from dalembert.system.borders import NEEDS_GENERAL, NEEDS_ROOM, OK, guard

CHUNK_SECONDS = 0.1
"""How long compiled code runs before Python looks around."""

STUCK_STEPS, STUCK_PART = 100_000, 2e-8
"""An adaptive run is stuck when so many steps advance by less than this part of the whole each."""


class Run(RunMemory):
    """One run, from its start to its end."""

    def chunk(self, steps: int) -> int:
        """Take so many steps, or fewer; a status, or what the loop asks for."""
        go = loop.run_sampling if self.samples_times else loop.run_chunk
        if self.calling.bound is None:
            return self._steps(go, steps)
        try:
            return self._steps(go.holding, steps)
        except BaseException as problem:  # out of a controller
            return self.calling.failed(self.state.failed_index, problem)

    def _steps(self, go: Callable[..., Any], steps: int) -> int:
        return int(go(self.course(), steps))

    def course(self) -> loop.Course:
        """The run as the loop takes it."""
        return loop.Course(
            self.state,
            self.clock_numbers,
            self.clock_counts,
            self.q,
            self.v,
            self.times,
            self.kinds,
            self.before,
            loop.Controls(*self.calling.arrays),
            self._samples(),
            self.room,
            self.event_places,
            self.event_looks,
            self.event_halfway,
            self.marks,
            self.stretches.room,
        )

    @property
    def samples_times(self) -> bool:
        """Whether asked moments are recorded without a look at anything else."""
        return len(self.times) > 0 and not self.events

    def _samples(self) -> loop.Samples:
        """Room for samples; it ends where they are to be thinned."""
        room = memory.MOST_SAMPLES - self.flushed if self._thinned else len(self.t_out)
        # the arrays themselves where they are whole: arrays that are known are not asked again
        arrays = [getattr(self, name) for name in SAMPLED]
        return loop.Samples(*(a if len(a) <= room else a[:room] for a in arrays))

    def look(self) -> int:
        """Events and asked moments within the last step, then the step is finished."""
        self.provide_general()
        return self._looked(int(loop.look(self.course(), self._located())))

    def _located(self, in_parts: bool = True) -> loop.Events:
        """Room for the events of the last step, and the parts of it to look at."""
        parts = 1
        if self.events and in_parts:
            parts = int(loop.parts_of_step(self.course(), self.most_parts))
            if parts >= self.most_parts and self.swung_at is None:
                self.swung_at = float(self.clock.last_t)
        self.make_event_room(parts)
        arrays = (getattr(self, name) for name in LOCATED)
        return loop.Events(parts, self.after, self.fractions, *arrays)

    def _looked(self, status: int) -> int:
        """Return what comes after a look within the last step."""
        if status != OK:
            return status
        if self.clock.stopped:
            return int(Status.EVENT)
        return OK if self.clock.t >= self.clock.until else loop.MORE

    def _is_stuck(self) -> bool:
        """True when very many steps have hardly moved the clock, as at a jump of a force."""
        done, t = self.clock.done, float(self.clock.t)
        if not self.adaptive or done - self.mark[0] < STUCK_STEPS:
            return False
        steps, moved = done - self.mark[0], t - self.mark[1]
        self.mark = (done, t)
        return bool(moved < steps * STUCK_PART * (self.clock.until - self.clock.start))

    def compile(self, *, general: bool = False) -> None:
        """Compile the loop, the event functions and, when asked for, the general rates."""
        if general or self.samples_times:
            self.provide_general()
        self.opened.compile_guard()
        self.chunk(0)

    def warm(self) -> None:
        """Compile the loop, watch the start, take the first sample."""
        self.compile()
        if self._guard is not None:
            guard(*self.state, self.state.guard, self.clock.t, self.q, self.v)
            self.before[:] = self.state.event_values
        t = float(self.clock.t)
        with _jit.interpreted():
            begin_winding(self.work, self.sizes, t, self.q, self.v)
        loop.watch(*self.state, self.clock_numbers, self.clock_counts, t, self.q, self.v)
        if not len(self.times):
            self._record_start(t)
        elif self.times[0] == t:
            self._record_start(t)
            self.clock.next_time = 1

    def _record_start(self, t: float) -> None:
        self.t_out[0], self.q_out[0], self.v_out[0] = t, self.q, self.v
        self.lam_out[0] = np.nan  # a method's own multipliers exist after its first step
        self.angle_out[0] = self.angles_now
        self.clock.samples = 1

    def _drift(self) -> tuple[float, float]:
        """Violation of the constraints at the last step, and the worst: positions if there are."""
        state = self.state
        now, worst = state.phi[: state.holonomic], self.clock.worst_phi
        if not state.holonomic:
            now, worst = state.phi_dot, self.clock.worst_phi_dot
        return float(np.max(np.abs(now), initial=0.0)), float(worst)

    def go(self, progress: bool | None) -> Status:
        """Run to the end, an event, a failure or Ctrl-C."""
        self._last_tick = _running()
        clock = self.clock
        bar = Progress(progress, float(clock.start), float(clock.until), float(clock.t))
        # a callback may take any time: find out how long before many steps are taken at once
        steps = 256 if self.calling.bound is None else 1
        try:
            with patient() as asked_to_stop:
                while True:
                    before = clocks.perf_counter()
                    done = self.clock.done
                    self.settled = False
                    status = self.chunk(steps)
                    while status in (loop.LOOK, NEEDS_GENERAL, NEEDS_ROOM):
                        if status in (NEEDS_GENERAL, NEEDS_ROOM):
                            self.provide(status)
                            status = self.chunk(steps)
                        else:
                            status = self.look()
                    self.settled = True
                    if status != loop.MORE:
                        return diagnosed(self, Status(status))
                    if self._is_stuck():
                        return Status.STEP_TOO_SMALL
                    spent = clocks.perf_counter() - before
                    if self.clock.done - done == steps:
                        steps = _next_chunk(steps, spent)
                    self._tick()
                    if self._recorder is not None:
                        self._recorder.between(self)
                    self.make_room()
                    if bar.wanted:
                        bar.show(float(self.clock.t), *self._drift())
                    if asked_to_stop():
                        return Status.INTERRUPTED
        except KeyboardInterrupt:
            return Status.INTERRUPTED
        finally:
            bar.close()
            self._tick()

    def _tick(self) -> None:
        """Count the time since the last call."""
        now = _running()
        self.seconds += now[0] - self._last_tick[0]
        self.cpu_seconds += now[1] - self._last_tick[1]
        self._last_tick = now


def _running() -> tuple[float, float]:
    """Time and processor time  [s], without what was spent on compiling parts of kernels."""
    return clocks.perf_counter() - separate.waited[0], clocks.process_time() - separate.waited[1]


def _next_chunk(steps: int, spent: float) -> int:
    wanted = steps * CHUNK_SECONDS / max(spent, 1e-6)
    return int(min(max(wanted, 1), 4 * steps, 2**40))
