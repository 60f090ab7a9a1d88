"""Worlds of one setup taken through their steps: in lanes, in threads, the rest one by one."""

from __future__ import annotations

import copy
import itertools
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.batch.compiled import Compiled, compiled, control_places, tables
from dalembert.batch.general import General
from dalembert.batch.kernels.at_stops import drive_groups
from dalembert.batch.kernels.drive import drive
from dalembert.batch.kernels.layout import Batch, Block, Plan
from dalembert.batch.threads import in_threads
from dalembert.batch.varying import VaryingParameters
from dalembert.errors import OptionError
from dalembert.formulas import Expression
from dalembert.simulation.prepare.arrays import open_setup
from dalembert.simulation.prepare.setup import Setup

REDUCTIONS = {"all": 0, "final": 1, "min": 2, "max": 3, "mean": 4}

PIECES = 4
"""Pieces of work for each thread: the last one to finish keeps the others waiting less."""


SHARES = 16
"""Pieces of work for each thread where worlds are run one after the other."""

GROUP = 16
"""Blocks of a group of worlds that are sorted by what they do."""

WORTH_THREADS = 4_000_000
"""Operations in lanes below which one thread does all: a millisecond or two."""


@dataclass(frozen=True)
class Wishes:
    """Wishes for the steps of all worlds."""

    steps: int
    every: int = 1
    reduce: str = "all"
    start: float = 0.0
    begins: bool = True
    """Whether the first sample is that of the start."""
    keeps: bool = False
    """Whether states at the end take the place of the initial ones."""

    @property
    def samples(self) -> int:
        """Samples of each world."""
        return 1 if self.reduce != "all" else self.steps // self.every + 1


@dataclass(frozen=True)
class Ended:
    """How all worlds ended: a status, the steps until a stop, the step at which they left."""

    status: Any
    ended: Any
    left: Any


class Core:
    """A setup compiled for many worlds.

    Parameters
    ----------
    controls : parameters that change from step to step
    changing : parameters that are not the same in all worlds
    signals, stops : formulas to be recorded; formulas that end a world when they are negative
    """

    def __init__(
        self,
        setup: Setup,
        controls: Sequence[str],
        changing: Sequence[str],
        signals: Sequence[Expression],
        stops: Sequence[Expression],
        engine: str = "auto",
    ) -> None:
        self.setup, self.controls = setup, tuple(controls)
        self.signals, self.stops = len(signals), len(stops)
        self.opened = open_setup(setup)
        self.parameters = VaryingParameters(setup, self.opened, tuple(changing))
        self.places = self.parameters.places
        self.code: Compiled = compiled(setup, controls, self.places.tolist(), [*signals, *stops])
        if engine == "general":
            self.code = Compiled(None, None, "it was asked for")
        if engine == "lanes" and self.code.program is None:
            raise OptionError(
                f"engine='lanes': {self.code.reason}. Leave `engine` out: the general form does it."
            )
        begin = setup.beginning
        self.nq, self.nv = len(begin.q), len(begin.v)
        self.rows = setup.running.extents.rows
        self.width = self.signals or self.nq + self.nv
        self._general: General | None = None
        self.changing: dict[str, Any] = {}
        self.given = np.zeros((0, 0))
        own = control_places(setup, self.controls, self.opened.state)
        pairs = [(place, k) for k, places in enumerate(own) for place in places]
        self.control_places = np.array(pairs, dtype=np.int64).ravel()

    def with_values(self, changing: Mapping[str, Any]) -> Core:
        """The core of worlds with these values of the parameters that change."""
        made = copy.copy(self)
        made.changing = dict(changing)
        made.given = self.parameters.table(changing)
        return made

    def of_worlds(self, rows: Any) -> Core:
        """The core of some of these worlds."""
        made = copy.copy(self)
        made.changing = {name: x[rows] for name, x in self.changing.items()}
        made.given = self.given[rows] if len(self.given) else self.given
        return made

    # -- steps -----------------------------------------------------------------------------------

    def roll(
        self,
        q: Any,
        v: Any,
        controls: Any,
        rows: int,
        wishes: Wishes,
        out: Any,
        threads: int,
        frozen: Any = None,
    ) -> Ended:
        """Take all worlds through their steps.

        Parameters
        ----------
        q, v : tables of initial states, a row for each world
        controls : table of commands, `rows` times as wide as there are controls
        out : (worlds, samples, width), to be filled; NaN behind where a world failed
        frozen : worlds that stay as they are
        """
        return self.rolling(q, v, controls, rows, wishes, out).go(wishes.start, threads, frozen)

    def rolling(
        self, q: Any, v: Any, controls: Any, rows: int, wishes: Wishes, out: Any
    ) -> Rolling:
        """Everything that `roll` needs, for those who do the same again and again."""
        batch = self._batch(q, v, controls, rows, wishes, out.reshape(len(q), -1))
        return Rolling(self, batch)

    def see(self, q: Any, v: Any, controls: Any, t: float, out: Any) -> None:
        """Signals of given states: no step is taken."""
        self.roll(q, v, controls, 1, Wishes(0, 1, "final", t), out, 1)

    def _batch(self, q: Any, v: Any, controls: Any, rows: int, wishes: Wishes, out: Any) -> Batch:
        n = len(q)
        integers, numbers = tables(self.code.programs)
        plan = Plan(integers, 0, numbers, 0)
        plan.lanes, plan.worlds = self.code.lanes, n
        plan.steps, plan.every = wishes.steps, wishes.every
        plan.parts = 0 if self.code.program is None else len(self.code.program.parts)
        plan.nq, plan.nv = self.nq, self.nv
        plan.controls, plan.control_rows = len(self.controls), rows
        plan.given = len(self.places) + len(self.controls)
        plan.signals, plan.stops = self.signals, self.stops
        plan.signal_code = 0 if self.code.signal_code is None else self.code.signal_code.address
        plan.reduction = REDUCTIONS[wishes.reduce]
        plan.begins, plan.keeps = int(wishes.begins), int(wishes.keeps)
        plan.start, plan.step = float(wishes.start), float(self.setup.step or 0.0)
        plan.hybrid = int(self.setup.contacts is not None and self.code.program is not None)
        self._plan_stops(plan)
        return Batch(
            integers,
            numbers,
            q,
            v,
            self.given if len(self.places) else np.zeros((n, 0)),
            controls,
            np.full(n, -1, dtype=np.int64),
            np.full(n, -1, dtype=np.int64),
            np.zeros((n, self.nq)),
            np.zeros((n, self.nv)),
            out,
            self.opened.work,
            self.opened.sizes,
            self.places,
            self.control_places,
            np.array(self.code.angles, dtype=float).reshape(-1, 3),
        )

    def _plan_stops(self, plan: Any) -> None:
        """Where the programs of steps at stops stand, behind that of smooth steps."""
        code = self.code
        if code.stops is None:
            return
        first, second = code.stops.first, code.stops.second
        plan.smooth = int(second is not None)
        plan.by_step = int(first is not None and second is not None)
        plan.memory = code.stops.memory
        plan.first_start = plan.parts
        plan.first_parts = 0 if first is None else len(first.parts)
        plan.second_start = plan.first_start + plan.first_parts
        plan.second_parts = 0 if second is None else len(second.parts)

    def block(self, plan: Any) -> Block:
        """Room for one block."""
        program = self.code.program
        scratch = 1 if program is None else max(1, *(p.scratch for p in self.code.programs))
        signals = plan.signals + plan.stops
        lengths = (plan.nq, plan.nv, plan.given, scratch, plan.nq, plan.nv, signals)
        rows, work, sizes, group, width = 1, 1, 1, 1, 1
        if self.code.stops is not None:
            work, sizes = len(self.opened.work), len(self.opened.sizes)
            group, width = GROUP * plan.lanes, plan.nq + plan.nv + plan.memory
        elif plan.hybrid:
            rows, work, sizes = plan.lanes, len(self.opened.work), len(self.opened.sizes)
        make: Any = Block
        made: Block = make(
            *(_aligned(plan.lanes * max(1, n)) for n in lengths),
            np.zeros(1, dtype=np.int64),
            *(_aligned(plan.lanes * n) for n in (plan.nq, plan.nv)),
            np.zeros((rows, work)),
            np.zeros((rows, sizes), dtype=np.int64),
            np.zeros(rows, dtype=np.int64),
            np.zeros(plan.nq),
            np.zeros(plan.nv),
            np.zeros((3 * group, width)),
            np.zeros(group, dtype=np.int64),
            np.zeros(plan.lanes, dtype=np.int64),
        )
        return made

    def finish(self, batch: Batch, gone: Any, status: Any, threads: int) -> None:
        """Finish worlds by the kernels of a run."""
        if self._general is None:
            self._general = General(self.setup, self.control_places)
        general = self._general
        own_values = len(self.places) > 0 and general.has_prologues
        if batch.plan.lanes == 1 and len(gone) == batch.plan.worlds and not own_values:
            # in compiled code from world to world
            pieces = min(len(gone), SHARES * threads if threads > 1 else 1)
            bounds = np.linspace(0, len(gone), pieces + 1).astype(int).tolist()

            def go(room: Block, first: int, last: int) -> None:
                general.run_all(batch, room, first, last, status)

            ranges = list(itertools.pairwise(bounds))
            in_threads(threads, lambda: self.block(batch.plan), go, ranges)
            return

        def finish(room: Block, world: int) -> None:
            entries = (self.places, self.given[world]) if len(self.places) else None
            status[world] = general.run(batch, room, world, int(batch.left[world]), entries)

        in_threads(threads, lambda: self.block(batch.plan), finish, [(int(w),) for w in gone])


class Rolling:
    """Worlds in their tables, ready to be taken through their steps as often as it is asked for."""

    def __init__(self, core: Core, batch: Batch) -> None:
        self.core, self.batch = core, batch
        self._rooms: list[Block] = []
        self._taken, self._lock = 0, threading.Lock()
        self._driving = drive if core.code.stops is None else drive_groups

    def go(self, start: float, threads: int, frozen: Any = None) -> Ended:
        """All steps, from the states that are in the tables now."""
        core, batch = self.core, self.batch
        batch.plan.start = float(start)
        batch.ended[:] = -1
        batch.left[:] = -1
        if frozen is not None:
            batch.ended[frozen] = 0
        program = core.code.program
        if program is None:
            batch.left[:] = 0
        else:
            self._drive(program.operations, threads)
        left, status = batch.left.copy(), np.zeros(len(batch.left), dtype=np.int64)
        gone = np.flatnonzero(left >= 0)
        if len(gone):
            core.finish(batch, gone, status, threads)
        if program is None:
            left[:] = -1
        return Ended(status, batch.ended.copy(), left)

    def _drive(self, operations: int, threads: int) -> None:
        """Drive the blocks; in one thread where others would take longer to begin."""
        batch = self.batch
        blocks = -(-batch.plan.worlds // batch.plan.lanes)
        self._taken = 0
        if threads == 1 or blocks * max(1, batch.plan.steps) * operations < WORTH_THREADS:
            self._driving(batch, self._take_room(), 0, blocks)
            return
        bounds = np.unique(np.linspace(0, blocks, PIECES * threads + 1).astype(int)).tolist()

        def go(room: Block, first: int, last: int) -> None:
            self._driving(batch, room, first, last)

        in_threads(threads, self._take_room, go, list(itertools.pairwise(bounds)))

    def _take_room(self) -> Block:
        """Room for one thread of a call; it is kept for the next one."""
        with self._lock:
            if self._taken == len(self._rooms):
                self._rooms.append(self.core.block(self.batch.plan))
            self._taken += 1
            return self._rooms[self._taken - 1]


def _aligned(count: int) -> Any:
    """Zeros that begin at a multiple of 64 bytes."""
    room = np.zeros(count + 8)
    first = (-room.ctypes.data // 8) % 8
    return room[first : first + count]
