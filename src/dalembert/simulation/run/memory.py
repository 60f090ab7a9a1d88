"""Memory of a run: its arrays, its clock, room for samples and events, notes on contacts."""

from __future__ import annotations

import math
import time as clocks
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from dalembert import _jit
from dalembert.integration import loop
from dalembert.integration.loop import swinging, twice
from dalembert.mechanics.winding import copy_angles
from dalembert.simulation.prepare.arrays import Opened
from dalembert.simulation.prepare.contacts import attach, part_of
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.marks import Marks
from dalembert.simulation.prepare.on_tree import OnTree
from dalembert.simulation.run.clock import checked_times, clock_at, put_output, steps_between
from dalembert.simulation.run.contact_log import ContactLog
from dalembert.simulation.run.controller_calls import Calling
from dalembert.simulation.run.stretches import Stretches
from dalembert.system.borders import NEEDS_GENERAL
from dalembert.system.state_layout import State

SAMPLED = ("t_out", "q_out", "v_out", "lam_out", "angle_out")
"""Arrays of samples: moments, coordinates, velocities, multipliers, angles with their turns."""

LOCATED = ("event_t", "event_index", "event_q", "event_v")
"""Arrays of events: moments, which, coordinates, velocities."""

EVENTS_OF_STEP = twice.TURNS + 1
"""How often an event is met within a step, at most."""

EVENT_NUMBERS = 4_000_000
"""Numbers of the events of one step, at most."""

MOST_SAMPLES = 100_000
"""Samples recorded by default; longer runs record every k-th step."""


class Recorder(Protocol):
    """Whoever takes samples away between chunks, such as a run folder."""

    most_samples: int
    """Samples beyond which memory would be wasted."""

    def between(self, run: Any) -> None:
        """Look at a run that is at rest between two steps."""


class RunMemory:
    """State, samples and events of one run.

    `every` is the number of steps from sample to sample, `flushed` how many of these samples a
    recorder has taken away. `settled` is false in the midst of a step.
    """

    samples_of_step = 1
    """Most samples that a step takes."""

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
        prescribed: Marks | None = None,
    ) -> None:
        self._on_tree, self.opened, self._recorder = on_tree, opened, recorder
        self._earlier: tuple[np.ndarray, ...] = ()
        self.fresh = opened.sizes.copy()
        self.flushed, self.settled, self.began = 0, True, float(start)
        self.calling = calling or Calling()
        self.work, self.sizes, self.q, self.v = opened.work, opened.sizes, q, v
        self.events, self._guard = tuple(events), opened.guard
        self.adaptive = integrator.finds_steps(method)
        self.times = checked_times(times, start, until)
        self.clock = clock_at(start, until, step, integrator)
        self.clock_numbers, _, self.clock_counts, _ = self.clock.base
        self.clock.adaptive = int(self.adaptive)
        self.clock.clean_samples = int(method.drift == "machine")
        if len(self.times) or self.events:
            put_output(self.clock, method, integrator)
        total = steps_between(start, until, step)
        self.every = every or max(1, math.ceil(total / MOST_SAMPLES))
        self._thinned = self.adaptive and every is None and not len(self.times)
        self.clock.total, self.clock.every = total, self.every
        self.clock.times_count = len(self.times)
        self.clock.ending = int(recorder is None)
        self.mark = (0, start)
        self.swung_at: float | None = None  # where a formula first swung too fast for its looks
        self.stretches = Stretches(0 if self._tells_steps else total, self.state)
        self._log: list[ContactLog] = []
        if opened.tables is not None:
            self._log = [ContactLog.empty(opened.tables.logged)]
        self._make_samples(total)
        self._make_events()
        self._prescribed, self.marks = prescribed, np.zeros(0)
        self._find_marks()
        self.seconds = self.cpu_seconds = 0.0
        self._last_tick = (0.0, 0.0)

    @property
    def state(self) -> State:
        """The arrays by name."""
        return State(self.work, self.sizes)

    # -- room --------------------------------------------------------------------------------

    def _make_samples(self, total: int) -> None:
        """Room for samples of a run of so many steps."""
        if len(self.times):
            room = len(self.times) + 1
        elif self.adaptive:
            room = 1024
        else:
            room = total // self.every + 2
            if self._recorder is not None:
                room = min(room, self._recorder.most_samples)
        state = self.state
        self.t_out = np.zeros(room)
        self.q_out, self.v_out = np.zeros((room, state.nq)), np.zeros((room, state.nv))
        self.lam_out = np.zeros((room, state.rows))
        self.angle_out = np.zeros((room, state.hinges))

    def _make_events(self) -> None:
        """Room for events, and for what is looked at to find them."""
        state = self.state
        count = state.events
        slots = 16 + 2 * EVENTS_OF_STEP * count if count else 1
        self.event_t = np.zeros(slots)
        self.event_index = np.zeros(slots, dtype=np.int64)
        self.event_q, self.event_v = np.zeros((slots, state.nq)), np.zeros((slots, state.nv))
        kinds = [(event.direction, int(event.terminal)) for event in self.events]
        self.kinds = np.array(kinds, dtype=np.int64).reshape(count, 2)
        self.room = np.zeros(loop.room_length(state) if count or len(self.times) else 0)
        self.before, self.after, self.fractions = np.zeros((3, count))
        self.event_places, self.event_looks = (
            np.zeros(swinging.LOOKS),
            np.zeros((swinging.ROWS, count)),
        )
        self.event_halfway = np.zeros(3 * state.nq + state.nv if count else 0)

    @property
    def _tells_steps(self) -> bool:
        """Whether samples are every step, or steps are not of one length, or are jumped into."""
        every_step = self.every == 1 and not len(self.times)
        return every_step or self.adaptive or self.calling.bound is not None

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
        tables = self.opened.tables
        return float(tables.surface_size) if tables is not None and len(tables.surfaces) else 0.0

    def take_log(self) -> None:
        """Take what the loop has noted of contacts."""
        if self._log:
            self._log.append(ContactLog.written(self.state))

    def make_room(self) -> None:
        """Room for the samples and the events of another step."""
        self.take_log()
        more = self.samples_of_step - 1
        if self._thinned and self.flushed + self.clock.samples + more >= MOST_SAMPLES:
            self.record_less(2)
        self.calling.make_room(self.clock.logged)
        if self.clock.samples + more >= len(self.t_out):
            for name in SAMPLED:
                setattr(self, name, _doubled(getattr(self, name)))
        self.make_event_room(1)

    def make_event_room(self, parts: int) -> None:
        """Room for the events of a step in so many parts."""
        count = int(self.clock.event_count) + EVENTS_OF_STEP * self.state.events * parts
        while count > len(self.event_t) - 1:
            for name in LOCATED:
                setattr(self, name, _doubled(getattr(self, name)))

    @property
    def most_parts(self) -> int:
        """Parts of a step for whose events there may be room."""
        state = self.state
        numbers = EVENTS_OF_STEP * max(state.events, 1) * (state.nq + state.nv)
        return int(min(max(EVENT_NUMBERS // numbers, 8), loop.MOST_PARTS))

    def record_less(self, factor: int) -> None:
        """Keep every `factor`-th sample and record so much less often from here on."""
        first, samples = -self.flushed % factor, self.clock.samples
        for array in (getattr(self, name) for name in SAMPLED):
            kept = array[first:samples:factor].copy()
            array[: len(kept)] = kept
        if self.contact_log is not None:
            self.take_log()
            self.contact_log = self.contact_log.choosing(np.arange(first, samples, factor))
        self.clock.samples = len(kept)
        self.flushed = -(-self.flushed // factor)
        self.every *= factor
        self.clock.every = self.every

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
        for name, values in zip(LOCATED, events, strict=True):
            room = getattr(self, name)
            if values.shape[1:] != room.shape[1:]:  # on a tree the run has other coordinates
                values = np.zeros((len(values), *room.shape[1:]))
            setattr(self, name, np.concatenate([values, np.zeros_like(room)]))

    def drop_samples(self) -> None:
        """Drop samples, events and notes on contacts that nobody asks for."""
        self.clock.samples = self.clock.logged = self.clock.event_count = 0
        if self._log:
            self.take_log()
            del self._log[1:]
            self._log[0] = self._log[0].between(0, 0)

    def aim_at(self, end: float) -> None:
        """Another end for a run that chooses its steps."""
        self.clock.until = end
        self._find_marks()

    def _find_marks(self) -> None:
        """Find moments at which what time prescribes turns about, up to the end of the run."""
        if self._prescribed is not None:
            self.marks = self._prescribed.until(float(self.clock.until))

    def forget(self, samples: int) -> None:
        """Drop the first samples, which a recorder has taken away."""
        left = self.clock.samples - samples
        if self.contact_log is not None:
            self.take_log()
            self.contact_log = self.contact_log.between(samples, samples + left)
        for array in (getattr(self, name) for name in SAMPLED):
            array[:left] = array[samples : samples + left].copy()
        self.clock.samples = left
        self.flushed += samples

    # -- what is seen from outside --------------------------------------------------------------

    @property
    def in_joints(self) -> bool:
        """Whether the run has the coordinates of joints, not those of bodies."""
        return self._on_tree is not None

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

    # -- room that is made on the way ------------------------------------------------------------

    @property
    def contact_part(self) -> tuple[np.ndarray, np.ndarray]:
        """Integers and numbers of contact."""
        return part_of(self.state)

    @property
    def contact_tables(self) -> Any:
        """Tables of contact that do not change; None where there is no contact."""
        return self.opened.tables

    def put_contacts(self, part: tuple[np.ndarray, np.ndarray]) -> None:
        """Other integers and numbers of contact, with another room."""
        self.opened.hold(attach(self.state, part))
        self._take_arrays()

    def _take_arrays(self) -> None:
        """`work` and `sizes` are other arrays now."""
        self.work, self.sizes = self.opened.work, self.opened.sizes
        self.calling.look_at(self.opened)

    def provide(self, status: int) -> None:
        """Provide what a step found missing."""
        if status == NEEDS_GENERAL:
            self.provide_general()
            return
        self.opened.enlarge()
        self._take_arrays()

    def provide_general(self) -> None:
        """Compile the general rates if they are not; the time does not count as running."""
        if self.state.rates_general:
            return
        began, cpu = clocks.perf_counter(), clocks.process_time()
        self.opened.provide_general()
        self.seconds -= clocks.perf_counter() - began
        self.cpu_seconds -= clocks.process_time() - cpu


def _doubled(array: np.ndarray) -> np.ndarray:
    return np.concatenate([array, np.zeros_like(array)])
