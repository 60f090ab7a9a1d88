"""A run: the loop driven in chunks, with room for samples, progress and Ctrl-C."""

from __future__ import annotations

import contextlib
import math
import sys
import time as clocks
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dalembert import _jit
from dalembert.errors import OptionError
from dalembert.integration import loop
from dalembert.mechanics.projection import MASS_NORM, project_position
from dalembert.simulation.events import Event
from dalembert.simulation.opening import Opened
from dalembert.simulation.status import Status
from dalembert.system.borders import NEEDS_GENERAL, OK, STEPPING, guard
from dalembert.system.layout import (
    BEFORE_LAST_VDOT,
    BODIES,
    BRANCH,
    CONTINUED,
    DROPPED,
    DUAL_BEST,
    DUAL_OFF,
    DUAL_ROW_COUNT,
    EVENT_VALUES,
    EVENTS,
    FACTORED,
    FACTORISATIONS,
    GUARD,
    HAS_LAST,
    HOLONOMIC,
    LAM,
    LAST_ANGLES,
    LAST_TIMES,
    LAST_VDOT,
    LEAST_DROPPED,
    NQ,
    NV,
    ONE,
    PROXIMAL_SCALE,
    QDOT,
    RANK,
    RATES_GENERAL,
    ROW_WEIGHT,
    ROWS,
    VDOT,
    WOUND,
)

CHUNK_SECONDS = 0.1
"""How long compiled code runs before Python looks around."""

MOST_SAMPLES = 100_000
"""Samples recorded by default; longer runs record every k-th step."""

STUCK_STEPS, STUCK_PART = 100_000, 2e-8
"""An adaptive run is stuck when so many steps advance by less than this part of the whole each."""

PATIENCE = 1.0
"""Seconds after which a run in a terminal shows its progress."""


class Run:
    """State, samples and events of one run."""

    def __init__(
        self,
        *,
        opened: Opened,
        integrator: Any,
        method: Any,
        q: np.ndarray,
        v: np.ndarray,
        start: float,
        until: float,
        step: float | None,
        every: int | None,
        times: Sequence[float] | None,
        events: Sequence[Event],
    ) -> None:
        self._opened = opened
        self.work, self.sizes, self.q, self.v = opened.work, opened.sizes, q, v
        self.events = tuple(events)
        self.adaptive = bool(integrator.adaptive and method.advance is None)
        self._guard = opened.guard
        self.times = _checked_times(times, start, until)
        self.clock = np.zeros(loop.CLOCK_COUNT)
        self.count = np.zeros(loop.COUNT_COUNT, dtype=np.int64)
        self.clock[[loop.T, loop.START, loop.UNTIL]] = start, start, until
        self.clock[loop.MAX_STEP] = getattr(integrator, "max_step", math.inf)
        self.clock[loop.ERROR_ORDER] = integrator.order
        if step is None:
            given = getattr(integrator, "first_step", None)
            self.clock[loop.STEP] = given or min(1e-4 * (until - start), 1e-3)
            self.count[loop.TOTAL] = 0
        else:
            self.clock[loop.STEP] = step
            self.count[loop.TOTAL] = max(1, math.ceil((until - start) / step - 1e-9))
        total = int(self.count[loop.TOTAL])
        self.every = every or max(1, math.ceil(total / MOST_SAMPLES))
        self._thinned = self.adaptive and every is None and not len(self.times)
        self.count[loop.EVERY] = self.every
        self.count[loop.ADAPTIVE] = int(self.adaptive)
        self.count[loop.TIMES_COUNT] = len(self.times)
        self.count[loop.CLEAN_SAMPLES] = int(method.drift == "machine")
        if len(self.times) or self.events:
            self.count[loop.PREPARE_OUTPUT] = integrator.interpolate_prepare.address
            self.count[loop.INTERPOLATE] = integrator.interpolate.address
        self._mark = (0, start)
        self._allocate(total)
        self.seconds = 0.0
        self.cpu_seconds = 0.0

    # -- room --------------------------------------------------------------------------------

    def _allocate(self, total: int) -> None:
        nq, nv, m = (int(self.sizes[s]) for s in (NQ, NV, ROWS))
        n_events = int(self.sizes[EVENTS])
        if len(self.times):
            room = len(self.times) + 1
        elif self.adaptive:
            room = 1024
        else:
            room = total // self.every + 2
        self.t_out = np.zeros(room)
        self.q_out = np.zeros((room, nq))
        self.v_out = np.zeros((room, nv))
        self.lam_out = np.zeros((room, m))
        slots = 16 + 2 * n_events if n_events else 1
        self.event_t = np.zeros(slots)
        self.event_index = np.zeros(slots, dtype=np.int64)
        self.event_q = np.zeros((slots, nq))
        self.event_v = np.zeros((slots, nv))
        self.kinds = np.zeros((n_events, 2), dtype=np.int64)
        for i, event in enumerate(self.events):
            self.kinds[i] = event.direction, int(event.terminal)
        self.before = np.zeros(n_events)
        self.after = np.zeros(n_events)
        self.fractions = np.zeros(n_events)

    def _grow(self) -> None:
        if self._thinned and self.count[loop.SAMPLES] >= MOST_SAMPLES:
            self._thin()
        if self.count[loop.SAMPLES] >= len(self.t_out):
            for name in ("t_out", "q_out", "v_out", "lam_out"):
                setattr(self, name, _doubled(getattr(self, name)))
        if self.count[loop.EVENT_COUNT] > len(self.event_t) - 1 - int(self.sizes[EVENTS]):
            for name in ("event_t", "event_index", "event_q", "event_v"):
                setattr(self, name, _doubled(getattr(self, name)))

    def _thin(self) -> None:
        """Keep every second sample and record half as often from here on."""
        kept = (int(self.count[loop.SAMPLES]) + 1) // 2
        for array in self._samples():
            array[:kept] = array[: 2 * kept : 2].copy()
        self.count[loop.SAMPLES] = kept
        self.every *= 2
        self.count[loop.EVERY] = self.every

    # -- running -----------------------------------------------------------------------------

    def _chunk(self, steps: int) -> int:
        return int(
            loop.run_chunk(
                self.work,
                self.sizes,
                self.clock,
                self.count,
                self.q,
                self.v,
                steps,
                self.times,
                self.kinds,
                self.before,
                *self._samples(),
            )
        )

    def _samples(self) -> tuple[np.ndarray, ...]:
        return self.t_out, self.q_out, self.v_out, self.lam_out

    def _look(self) -> int:
        """Events and asked moments within the last step, then the step is finished."""
        from dalembert.integration import output

        state = (self.work, self.sizes, self.clock, self.count, self.q, self.v)
        self._provide_general()
        with self._unnoticed():
            status = self._prepare_output()
            if status != OK:
                return status
            output.look(
                *state,
                self.times,
                self.kinds,
                self.before,
                self.after,
                self.fractions,
                self.event_t,
                self.event_index,
                self.event_q,
                self.event_v,
                *self._samples(),
            )
        loop.finish_step(*state, *self._samples())
        if self.count[loop.STOPPED]:
            return int(Status.EVENT)
        return OK if self.clock[loop.T] >= self.clock[loop.UNTIL] else loop.MORE

    def _is_stuck(self) -> bool:
        """True when very many steps have hardly moved the clock, as at a jump of a force."""
        done, t = int(self.count[loop.DONE]), float(self.clock[loop.T])
        if not self.adaptive or done - self._mark[0] < STUCK_STEPS:
            return False
        steps, moved = done - self._mark[0], t - self._mark[1]
        self._mark = (done, t)
        return bool(moved < steps * STUCK_PART * (self.clock[loop.UNTIL] - self.clock[loop.START]))

    def _diagnosed(self, status: Status) -> Status:
        """An iteration that failed where no state meets the constraints has met a contradiction."""
        if status is not Status.NO_CONVERGENCE or not self.sizes[HOLONOMIC]:
            return status
        self._provide_general()
        end = float(self.clock[loop.T] + min(self.clock[loop.STEP], self.clock[loop.UNTIL]))
        with _jit.interpreted():
            reached = project_position(
                self.work, self.sizes, end, self.q.copy(), self.v.copy(), MASS_NORM, 50
            )
        dependent = self.sizes[RANK] < self.sizes[ROWS]
        return Status.INCONSISTENT if reached != OK and dependent else status

    @contextlib.contextmanager
    def _unnoticed(self) -> Iterator[None]:
        """Leave the solve of bodies as it is: to the bit the motion is that without output."""
        if not self.sizes[BODIES]:
            yield
            return
        fields = {ROW_WEIGHT: ROWS, PROXIMAL_SCALE: ONE, LAST_ANGLES: WOUND}
        fields[DUAL_BEST] = DUAL_ROW_COUNT
        spans = [slice(self.sizes[f], self.sizes[f] + self.sizes[n]) for f, n in fields.items()]
        kept = [self.work[span].copy() for span in spans]
        slots = [FACTORISATIONS, BRANCH, DROPPED, LEAST_DROPPED, DUAL_OFF, CONTINUED]
        counts = self.sizes[slots]
        yield
        for span, values in zip(spans, kept, strict=True):
            self.work[span] = values
        self.sizes[slots] = counts
        self.sizes[FACTORED] = 0

    def _prepare_output(self) -> int:
        """Make the continuous output of the last step ready; method and state must not notice."""
        n, m = len(self.v), self.lam_out.shape[1]
        fields: tuple[tuple[int, int], ...] = ((QDOT, len(self.q)), (VDOT, n), (LAM, m))
        fields = (*fields, (LAST_VDOT, n), (BEFORE_LAST_VDOT, n), (LAST_TIMES, 2))
        spans = [slice(self.sizes[slot], self.sizes[slot] + length) for slot, length in fields]
        kept = [self.work[span].copy() for span in spans]
        known = self.sizes[HAS_LAST]
        status = STEPPING.call(
            int(self.count[loop.PREPARE_OUTPUT]),
            self.work,
            self.sizes,
            float(self.clock[loop.LAST_T]),
            float(self.clock[loop.LAST_H]),
            self.q.copy(),
            self.v.copy(),
        )
        for span, values in zip(spans, kept, strict=True):
            self.work[span] = values
        self.sizes[HAS_LAST] = known
        return int(status)

    def _provide_general(self) -> None:
        """Compile the general rates if they are not; the time does not count as running."""
        if self.sizes[RATES_GENERAL]:
            return
        began, cpu = clocks.perf_counter(), clocks.process_time()
        self._opened.provide_general()
        self.seconds -= clocks.perf_counter() - began
        self.cpu_seconds -= clocks.process_time() - cpu

    def warm(self) -> None:
        """Compile the loop, watch the start, take the first sample."""
        if self._guard is not None:
            self.sizes[GUARD] = self._guard()
            guard(self.sizes[GUARD], self.work, self.sizes, self.clock[loop.T], self.q, self.v)
            first = int(self.sizes[EVENT_VALUES])
            self.before[:] = self.work[first : first + len(self.before)]
        t = float(self.clock[loop.T])
        loop.watch(self.work, self.sizes, self.clock, self.count, t, self.q, self.v)
        if not len(self.times):
            self._record_start(t)
        elif self.times[0] == t:
            self._record_start(t)
            self.count[loop.NEXT_TIME] = 1
        self._chunk(0)

    def _record_start(self, t: float) -> None:
        self.t_out[0], self.q_out[0], self.v_out[0] = t, self.q, self.v
        self.lam_out[0] = np.nan  # a method's own multipliers exist after its first step
        self.count[loop.SAMPLES] = 1

    def go(self, progress: bool | None) -> Status:
        """Run to the end, an event, a failure or Ctrl-C."""
        began, cpu = clocks.perf_counter(), clocks.process_time()
        bar = _Progress(progress, float(self.clock[loop.START]), float(self.clock[loop.UNTIL]))
        steps = 256
        try:
            while True:
                before = clocks.perf_counter()
                done = int(self.count[loop.DONE])
                status = self._chunk(steps)
                while status in (loop.LOOK, NEEDS_GENERAL):
                    if status == NEEDS_GENERAL:
                        self._provide_general()
                        status = self._chunk(steps)
                    else:
                        status = self._look()
                if status != loop.MORE:
                    return self._diagnosed(Status(status))
                if self._is_stuck():
                    return Status.STEP_TOO_SMALL
                self._grow()
                spent = clocks.perf_counter() - before
                if self.count[loop.DONE] - done == steps:
                    steps = _next_chunk(steps, spent)
                bar.show(float(self.clock[loop.T]), float(self.clock[loop.WORST_PHI]))
        except KeyboardInterrupt:
            return Status.INTERRUPTED
        finally:
            bar.close()
            self.seconds += clocks.perf_counter() - began
            self.cpu_seconds += clocks.process_time() - cpu


def _next_chunk(steps: int, spent: float) -> int:
    wanted = steps * CHUNK_SECONDS / max(spent, 1e-6)
    return int(min(max(wanted, 1), 4 * steps, 2**40))


def _doubled(array: np.ndarray) -> np.ndarray:
    return np.concatenate([array, np.zeros_like(array)])


def _checked_times(times: Sequence[float] | None, start: float, until: float) -> np.ndarray:
    if times is None:
        return np.zeros(0)
    moments = np.array(times, dtype=float)
    if moments.ndim != 1 or not len(moments) or not np.all(np.isfinite(moments)):
        raise OptionError("simulate: times must be a list of finite moments in seconds.")
    if np.any(np.diff(moments) <= 0):
        raise OptionError("simulate: times must increase from one to the next.")
    if moments[0] < start or moments[-1] > until:
        raise OptionError(
            f"simulate: times run from {moments[0]:g} to {moments[-1]:g} s, outside the run from "
            f"{start:g} to {until:g} s."
        )
    return moments


class _Progress:
    """A bar with time left and current drift, once a run has lasted a moment."""

    def __init__(self, wanted: bool | None, start: float, until: float) -> None:
        self.wanted = sys.stderr.isatty() if wanted is None else wanted
        self.start, self.until = start, until
        self.began = clocks.perf_counter()
        self.bar: Any = None

    def show(self, t: float, worst: float) -> None:
        """Bring the bar up to date."""
        if not self.wanted or (self.bar is None and clocks.perf_counter() - self.began < PATIENCE):
            return
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(
                TextColumn("t = {task.fields[t]:.4g} s"),
                BarColumn(),
                TimeRemainingColumn(),
                TextColumn("worst |phi| {task.fields[worst]:.1e}"),
                console=Console(stderr=True),
                transient=True,
            )
            self.bar.start()
            self.task = self.bar.add_task("run", total=self.until - self.start, t=t, worst=worst)
        self.bar.update(self.task, completed=t - self.start, t=t, worst=worst)

    def close(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()
