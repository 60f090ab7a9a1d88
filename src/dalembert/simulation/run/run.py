"""A run: the loop driven in chunks, with room for samples, progress and Ctrl-C."""

from __future__ import annotations

import contextlib
import math
import signal
import threading
import time as clocks
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from dalembert import _jit
from dalembert._translate import parts
from dalembert.contact.run.run_layout import ContactRun
from dalembert.errors import OptionError
from dalembert.integration import loop
from dalembert.mechanics.projection import MASS_NORM, project_position
from dalembert.mechanics.winding import begin_winding, copy_angles
from dalembert.simulation.prepare.arrays import Opened
from dalembert.simulation.prepare.contacts import attach, part_of
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.on_tree import OnTree
from dalembert.simulation.run.contact_log import ContactLog
from dalembert.simulation.run.controller_calls import Calling
from dalembert.simulation.run.progress import Progress
from dalembert.simulation.run.runaway import run_away
from dalembert.simulation.status import Status
from dalembert.system.borders import NEEDS_GENERAL, NEEDS_ROOM, OK, guard
from dalembert.system.state_layout import State

NOTICED = (
    Status.NOT_POSITIVE_DEFINITE,
    Status.NO_CONVERGENCE,
    Status.NON_FINITE,
    Status.NOT_SOLVED,
)
"""How a step with contact ends that a motion has run away from."""

SAMPLED = ("t_out", "q_out", "v_out", "lam_out", "angle_out")
"""Arrays of samples: moments, coordinates, velocities, multipliers, angles with their turns."""

CHUNK_SECONDS = 0.1
"""How long compiled code runs before Python looks around."""

MOST_SAMPLES = 100_000
"""Samples recorded by default; longer runs record every k-th step."""

STUCK_STEPS, STUCK_PART = 100_000, 2e-8
"""An adaptive run is stuck when so many steps advance by less than this part of the whole each."""


class Recorder(Protocol):
    """Whoever takes samples away between chunks, such as a run folder."""

    most_samples: int
    """Samples beyond which memory would be wasted."""

    def between(self, run: Run) -> None:
        """Look at a run that is at rest between two steps."""


class Run:
    """State, samples and events of one run.

    `every` is the number of steps from sample to sample, `flushed` how many of these samples a
    recorder has taken away. `settled` is false in the midst of a step.
    """

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
        recorder: Recorder | None = None,
        calling: Calling | None = None,
        on_tree: OnTree | None = None,
    ) -> None:
        self._on_tree = on_tree
        self._earlier: tuple[np.ndarray, ...] = ()
        self._opened = opened
        self.fresh = opened.sizes.copy()
        self._recorder = recorder
        self.flushed = 0
        self.settled = True
        self.calling = calling or Calling()
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
        self.clock[loop.NEXT_CALL] = math.inf
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
        self.count[loop.ENDING] = int(recorder is None)
        if len(self.times) or self.events:
            own = integrator if method.interpolate is None else method
            self.count[loop.PREPARE_OUTPUT] = own.interpolate_prepare.address
            self.count[loop.INTERPOLATE] = own.interpolate.address
        self.mark = (0, start)
        self._log: list[ContactLog] = []
        if opened.tables is not None:
            self._log = [ContactLog.empty(opened.tables.logged)]
        self._allocate(total)
        self.seconds = 0.0
        self.cpu_seconds = 0.0
        self._last_tick = (0.0, 0.0)

    @property
    def state(self) -> State:
        """The arrays by name."""
        return State(self.work, self.sizes)

    # -- room --------------------------------------------------------------------------------

    def _allocate(self, total: int) -> None:
        nq, nv, m = (self.state.nq, self.state.nv, self.state.rows)
        n_events = self.state.events
        if len(self.times):
            room = len(self.times) + 1
        elif self.adaptive:
            room = 1024
        else:
            room = total // self.every + 2
            if self._recorder is not None:
                room = min(room, self._recorder.most_samples)
        self.t_out = np.zeros(room)
        self.q_out = np.zeros((room, nq))
        self.v_out = np.zeros((room, nv))
        self.lam_out = np.zeros((room, m))
        self.angle_out = np.zeros((room, self.state.hinges))
        slots = 16 + 2 * n_events if n_events else 1
        self.event_t = np.zeros(slots)
        self.event_index = np.zeros(slots, dtype=np.int64)
        self.event_q = np.zeros((slots, nq))
        self.event_v = np.zeros((slots, nv))
        self.kinds = np.zeros((n_events, 2), dtype=np.int64)
        for i, event in enumerate(self.events):
            self.kinds[i] = event.direction, int(event.terminal)
        room = loop.room_length(State(self.work, self.sizes))
        self.room = np.zeros(room if n_events or len(self.times) else 0)
        self.before = np.zeros(n_events)
        self.after = np.zeros(n_events)
        self.fractions = np.zeros(n_events)

    @property
    def contact_log(self) -> ContactLog | None:
        """Notes on contacts; None where there are none. They grow, and are joined here."""
        if len(self._log) > 1:
            self._log = [ContactLog.joined(self._log)]
        return self._log[0] if self._log else None

    @contact_log.setter
    def contact_log(self, log: ContactLog | None) -> None:
        self._log = [] if log is None else [log]

    @property
    def shape_size(self) -> float:
        """Size of the smallest shape that touches  [m]; 0 without shapes."""
        tables = self._opened.tables
        return float(tables.surface_size) if tables is not None and len(tables.surfaces) else 0.0

    def take_log(self) -> None:
        """Take what the loop has noted of contacts."""
        if self._log:
            self._log.append(ContactLog.written(self.work, self.sizes))

    def make_room(self) -> None:
        """Room for another sample and for the events of another step."""
        self.take_log()
        if self._thinned and self.flushed + self.count[loop.SAMPLES] >= MOST_SAMPLES:
            self.record_less(2)
        self.calling.make_room(int(self.count[loop.LOGGED]))
        if self.count[loop.SAMPLES] >= len(self.t_out):
            for name in SAMPLED:
                setattr(self, name, _doubled(getattr(self, name)))
        if self.count[loop.EVENT_COUNT] > len(self.event_t) - 1 - self.state.events:
            for name in ("event_t", "event_index", "event_q", "event_v"):
                setattr(self, name, _doubled(getattr(self, name)))

    def record_less(self, factor: int) -> None:
        """Keep every `factor`-th sample and record so much less often from here on."""
        first, samples = -self.flushed % factor, int(self.count[loop.SAMPLES])
        for array in (getattr(self, name) for name in SAMPLED):
            kept = array[first:samples:factor].copy()
            array[: len(kept)] = kept
        if self.contact_log is not None:
            self.take_log()
            self.contact_log = self.contact_log.choosing(np.arange(first, samples, factor))
        self.count[loop.SAMPLES] = len(kept)
        self.flushed = -(-self.flushed // factor)
        self.every *= factor
        self.count[loop.EVERY] = self.every

    def take_back(self, *samples: np.ndarray) -> None:
        """Samples (t, q, v, multipliers, angles) of a run that is resumed, not yet taken away."""
        count = len(samples[0])
        while count >= len(self.t_out):
            for name in SAMPLED:
                setattr(self, name, _doubled(getattr(self, name)))
        for array, values in zip((getattr(self, name) for name in SAMPLED), samples, strict=True):
            array[:count] = values

    def take_back_events(self, *events: np.ndarray) -> None:
        """Events (moments, which, q, v of the model itself) that were located before."""
        self._earlier = events[2:]
        for name, values in zip(
            ("event_t", "event_index", "event_q", "event_v"), events, strict=True
        ):
            room = getattr(self, name)
            if values.shape[1:] != room.shape[1:]:  # on a tree the run has other coordinates
                values = np.zeros((len(values), *room.shape[1:]))
            setattr(self, name, np.concatenate([values, np.zeros_like(room)]))

    def forget(self, samples: int) -> None:
        """Drop the first samples, which a recorder has taken away."""
        left = int(self.count[loop.SAMPLES]) - samples
        if self.contact_log is not None:
            self.take_log()
            self.contact_log = self.contact_log.between(samples, samples + left)
        for array in (getattr(self, name) for name in SAMPLED):
            array[:left] = array[samples : samples + left].copy()
        self.count[loop.SAMPLES] = left
        self.flushed += samples

    # -- what is seen from outside --------------------------------------------------------------

    def states(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """States as those of the model's own coordinates, one a row."""
        return (q, v) if self._on_tree is None else self._on_tree.bodies(q, v)

    def samples(self, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The first samples in memory: t, and q, v, multipliers of the model itself."""
        lam = self.lam_out[:count]
        if self._on_tree is not None:
            lam = self._on_tree.multipliers(lam)
        return self.t_out[:count], *self.states(self.q_out[:count], self.v_out[:count]), lam

    @property
    def angles_now(self) -> np.ndarray:
        """Angles of hinges with the turns counted so far."""
        found = np.zeros(self.state.hinges)
        with _jit.interpreted():
            copy_angles(self.work, self.sizes, found)
        return found

    def located(self, first: int, stop: int) -> tuple[np.ndarray, ...]:
        """Events: moments, which, and q, v of the model itself."""
        q, v = self.states(self.event_q[first:stop], self.event_v[first:stop])
        if self._on_tree is not None and self._earlier:
            known = max(0, len(self._earlier[0]) - first)
            q[:known], v[:known] = (x[first : first + known] for x in self._earlier)
        return self.event_t[first:stop], self.event_index[first:stop], q, v

    # -- running -----------------------------------------------------------------------------

    def _chunk(self, steps: int) -> int:
        go = loop.run_sampling if self.samples_times else loop.run_chunk
        if self.calling.bound is None:
            return self._steps(go, steps)
        try:
            return self._steps(go.holding, steps)
        except BaseException as problem:  # out of a controller
            return self.calling.failed(self.state.failed_index, problem)

    def _steps(self, go: Callable[..., Any], steps: int) -> int:
        return int(go(self._course(), steps))

    def _course(self) -> loop.Course:
        """The run as the loop takes it."""
        return loop.Course(
            State(self.work, self.sizes),
            self.clock,
            self.count,
            self.q,
            self.v,
            self.times,
            self.kinds,
            self.before,
            loop.Controls(*self.calling.arrays),
            self._samples(),
            self.room,
        )

    @property
    def samples_times(self) -> bool:
        """Whether asked moments are recorded without a look at anything else."""
        return len(self.times) > 0 and not self.events

    def _samples(self) -> loop.Samples:
        """Room for samples; it ends where they are to be thinned."""
        room = MOST_SAMPLES - self.flushed if self._thinned else len(self.t_out)
        return loop.Samples(*(getattr(self, name)[:room] for name in SAMPLED))

    def _look(self) -> int:
        """Events and asked moments within the last step, then the step is finished."""
        self._provide_general()
        where = (self.event_t, self.event_index, self.event_q, self.event_v)
        status = loop.look(self._course(), loop.Events(self.after, self.fractions, *where))
        if status != OK:
            return int(status)
        if self.count[loop.STOPPED]:
            return int(Status.EVENT)
        return OK if self.clock[loop.T] >= self.clock[loop.UNTIL] else loop.MORE

    def _is_stuck(self) -> bool:
        """True when very many steps have hardly moved the clock, as at a jump of a force."""
        done, t = int(self.count[loop.DONE]), float(self.clock[loop.T])
        if not self.adaptive or done - self.mark[0] < STUCK_STEPS:
            return False
        steps, moved = done - self.mark[0], t - self.mark[1]
        self.mark = (done, t)
        return bool(moved < steps * STUCK_PART * (self.clock[loop.UNTIL] - self.clock[loop.START]))

    @property
    def method_is_strict(self) -> bool:
        """Whether a step of contact that misses its tolerance ends the run."""
        start = self.state.contact_integers
        return bool(start and ContactRun(self.work, self.sizes[start:]).strict)

    def _diagnosed(self, status: Status) -> Status:
        """A failure by its cause: a motion that ran away, or constraints that contradict.

        An iteration that failed where no state meets the constraints has met a contradiction.
        """
        strictly = status is Status.NOT_SOLVED and self.method_is_strict
        if status in NOTICED and not strictly and run_away(self) is not None:
            return Status.RAN_AWAY
        if status is not Status.NO_CONVERGENCE or not self.state.holonomic:
            return status
        self._provide_general()
        end = float(self.clock[loop.T] + min(self.clock[loop.STEP], self.clock[loop.UNTIL]))
        residuals = self.state.phi[: self.state.holonomic]
        failed = residuals.copy()
        with _jit.interpreted():
            reached = project_position(
                self.work, self.sizes, end, self.q.copy(), self.v.copy(), MASS_NORM, 50
            )
        residuals[:] = failed  # those the message is about
        dependent = self.state.rank < self.state.rows
        return Status.INCONSISTENT if reached != OK and dependent else status

    @property
    def contact_part(self) -> tuple[np.ndarray, np.ndarray]:
        """Integers and numbers of contact."""
        return part_of(self.work, self.sizes)

    @property
    def contact_tables(self) -> Any:
        """Tables of contact that do not change; None where there is no contact."""
        return self._opened.tables

    def put_contacts(self, part: tuple[np.ndarray, np.ndarray]) -> None:
        """Other integers and numbers of contact, with another room."""
        self._opened.hold(*attach(self.work, self.sizes, part))
        self._take_arrays()

    def _take_arrays(self) -> None:
        """`work` and `sizes` are other arrays now."""
        self.work, self.sizes = self._opened.work, self._opened.sizes
        self.calling.look_at(self._opened)

    def provide(self, status: int) -> None:
        """Provide what a step found missing."""
        if status == NEEDS_GENERAL:
            self._provide_general()
            return
        self._opened.enlarge()
        self._take_arrays()

    def _provide_general(self) -> None:
        """Compile the general rates if they are not; the time does not count as running."""
        if self.state.rates_general:
            return
        began, cpu = clocks.perf_counter(), clocks.process_time()
        self._opened.provide_general()
        self.seconds -= clocks.perf_counter() - began
        self.cpu_seconds -= clocks.process_time() - cpu

    def compile(self, *, general: bool = False) -> None:
        """Compile the loop, the event functions and, when asked for, the general rates."""
        if general or self.samples_times:
            self._provide_general()
        self._opened.compile_guard()
        self._chunk(0)

    def warm(self) -> None:
        """Compile the loop, watch the start, take the first sample."""
        self.compile()
        if self._guard is not None:
            guard(*self.state, self.state.guard, self.clock[loop.T], self.q, self.v)
            self.before[:] = self.state.event_values
        t = float(self.clock[loop.T])
        with _jit.interpreted():
            begin_winding(self.work, self.sizes, t, self.q, self.v)
        loop.watch(self.work, self.sizes, self.clock, self.count, t, self.q, self.v)
        if not len(self.times):
            self._record_start(t)
        elif self.times[0] == t:
            self._record_start(t)
            self.count[loop.NEXT_TIME] = 1

    def _record_start(self, t: float) -> None:
        self.t_out[0], self.q_out[0], self.v_out[0] = t, self.q, self.v
        self.lam_out[0] = np.nan  # a method's own multipliers exist after its first step
        self.angle_out[0] = self.angles_now
        self.count[loop.SAMPLES] = 1

    def _drift(self) -> tuple[float, float]:
        """Violation of the constraints at the last step, and the worst: positions if there are."""
        state = self.state
        now, worst = state.phi[: state.holonomic], loop.WORST_PHI
        if not state.holonomic:
            now, worst = state.phi_dot, loop.WORST_PHI_DOT
        return float(np.max(np.abs(now), initial=0.0)), float(self.clock[worst])

    def go(self, progress: bool | None) -> Status:
        """Run to the end, an event, a failure or Ctrl-C."""
        self._last_tick = _running()
        start, until, at = (float(self.clock[k]) for k in (loop.START, loop.UNTIL, loop.T))
        bar = Progress(progress, start, until, at)
        # a callback may take any time: find out how long before many steps are taken at once
        steps = 256 if self.calling.bound is None else 1
        try:
            with _patient() as asked_to_stop:
                while True:
                    before = clocks.perf_counter()
                    done = int(self.count[loop.DONE])
                    self.settled = False
                    status = self._chunk(steps)
                    while status in (loop.LOOK, NEEDS_GENERAL, NEEDS_ROOM):
                        if status in (NEEDS_GENERAL, NEEDS_ROOM):
                            self.provide(status)
                            status = self._chunk(steps)
                        else:
                            status = self._look()
                    self.settled = True
                    if status != loop.MORE:
                        return self._diagnosed(Status(status))
                    if self._is_stuck():
                        return Status.STEP_TOO_SMALL
                    spent = clocks.perf_counter() - before
                    if self.count[loop.DONE] - done == steps:
                        steps = _next_chunk(steps, spent)
                    self._tick()
                    if self._recorder is not None:
                        self._recorder.between(self)
                    self.make_room()
                    if bar.wanted:
                        bar.show(float(self.clock[loop.T]), *self._drift())
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
    return clocks.perf_counter() - parts.waited[0], clocks.process_time() - parts.waited[1]


@contextlib.contextmanager
def _patient() -> Iterator[Callable[[], bool]]:
    """Ctrl-C waits until the run is at rest between two steps; the second one does not.

    A handler that somebody else has put in place stays.
    """
    asked = threading.Event()

    def note(number: int, frame: Any) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield asked.is_set
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
