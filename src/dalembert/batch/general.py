"""Worlds in the general form: one at a time by the kernels of a run, in as many threads as asked.

For models that are not traced (shapes that touch, drives, bodies without a tree), and for worlds
that have left the fast form: at a singular position, or where a guard failed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.batch.kernels.impulses import put_angles
from dalembert.batch.kernels.layout import Batch, Block
from dalembert.batch.kernels.one_world import World, end_world, go_through, go_worlds
from dalembert.contact.run.run_layout import ContactRun
from dalembert.mechanics.winding import begin_winding
from dalembert.simulation.prepare.arrays import Opened, open_setup
from dalembert.simulation.prepare.contacts import part_of
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.run.clock import clock_at
from dalembert.system.borders import NEEDS_GENERAL, NEEDS_ROOM


class General:
    """Worlds of one setup.

    Parameters
    ----------
    places : (place of `work`, which control), one after the other
    """

    def __init__(self, setup: Setup, places: Any) -> None:
        self.setup, self.places = setup, places
        self.opened = open_setup(setup)
        self.opened.compile_guard()
        self.parts = _left_behind(self.opened)
        if setup.contacts is not None:
            run: Any = ContactRun(*reversed(part_of(self.opened.state)))
            run.unreported = 1
        system: Any = self.opened.keep[0]
        self.has_prologues = bool(system.prologues(self.opened.state))
        """Whether something is computed once a run from what worlds may have of their own."""

    def run(self, batch: Batch, room: Block, world: int, first: int, entries: Any) -> int:
        """Take one world from step `first` to the end; a status.

        entries : (places of `work`, values) that are this world's own
        """
        opened = self.opened.copy()
        if entries is not None:
            opened.work[entries[0]] = entries[1]
            opened.keep[0].prepare(opened.state)
        one = _alone(batch, world)
        tables = (batch.q_left, batch.v_left) if first > 0 else (batch.q0, batch.v0)
        clock = self._clock(batch, first)
        made = self._world(opened, clock, tables[0][world].copy(), tables[1][world].copy())
        _fill(room, one)
        put_angles(opened.state, one, made.q)
        begin_winding(opened.state, float(clock.t), made.q, made.v)
        while True:
            status = int(go_through(one, room, made, 0))
            if status not in (NEEDS_GENERAL, NEEDS_ROOM):
                break
            made = self._provide(opened, status, made)
        end_world(one, made, 0, status)
        return status

    def run_all(self, batch: Batch, room: Block, first: int, last: int, statuses: Any) -> None:
        """Take the worlds from `first` up to `last` through all their steps, in one lane."""
        opened, row, begun = self.opened.copy(), first, False
        batch = replace(batch, work=self.opened.work, sizes=self.opened.sizes)
        q, v = np.zeros(batch.plan.nq), np.zeros(batch.plan.nv)
        made = self._world(opened, self._clock(batch, 0), q, v)
        while row < last:
            status, row = go_worlds(batch, room, made, statuses, row, last, begun)
            begun = status in (NEEDS_GENERAL, NEEDS_ROOM)
            if begun:
                made = self._provide(opened, int(status), made)

    def _clock(self, batch: Batch, first: int) -> Any:
        """The clock of a world before the step `first`."""
        plan = batch.plan
        start = float(plan.start)
        clock = clock_at(start, start + plan.steps * plan.step, plan.step, self.setup.integrator)
        clock.total, clock.done = plan.steps, first
        clock.t = start + first * plan.step
        return clock

    def _world(self, opened: Opened, clock: Any, q: Any, v: Any) -> World:
        numbers, _, counts, _ = clock.base
        before = numbers.copy(), counts.copy()
        make: Any = World
        world: World = make(opened.state, numbers, counts, q, v, self.places, *before, *self.parts)
        return world

    def _provide(self, opened: Opened, status: int, world: World) -> World:
        """Provide what a run waits for; the world in the arrays it has then."""
        if status == NEEDS_GENERAL:
            opened.provide_general()
        else:
            opened.enlarge()
        changed: World = replace(world, state=opened.state)
        return changed


def _left_behind(opened: Opened) -> tuple[Any, Any]:
    """Parts of `work` and of `sizes`, (first, end), that a run leaves changed for the next.

    Of a run with contact these are all but the problem of a step, which no step looks back at, and
    the log.
    """
    work, sizes = opened.state
    if opened.state.contact_numbers == 0:
        return np.array([0, len(work)]), np.array([0, len(sizes)])
    run: Any = ContactRun(*reversed(part_of(opened.state)))
    numbers = [run.problem_numbers, run.contact_log, run.step_log]
    return _around(work, numbers), _around(sizes, [run.problem_integers])


def _around(array: Any, holes: Any) -> Any:
    """Return what stands around some parts of an array, (first, end) of each."""
    begins = [(x.ctypes.data - array.ctypes.data) // array.itemsize for x in holes if len(x)]
    ends = [begin + len(x) for begin, x in zip(begins, filter(len, holes), strict=True)]
    return np.ravel(np.column_stack(([0, *ends], [*begins, len(array)]))).astype(np.int64)


def _alone(batch: Batch, world: int) -> Batch:
    """The batch of one world."""
    tables = ("q0", "v0", "given", "controls", "ended", "left", "q_left", "v_left", "out")
    rows = {name: getattr(batch, name)[world : world + 1] for name in tables}
    made: Batch = replace(batch, integers=batch.integers.copy(), **rows)
    made.plan.worlds = 1
    return made


def _fill(room: Block, batch: Batch) -> None:
    """Data of the world in the first lane."""
    lanes, fixed = batch.plan.lanes, batch.given.shape[1]
    room.p[: lanes * fixed : lanes] = batch.given[0]
