"""Worlds in the general form: one at a time by the kernels of a run, in as many threads as asked.

For models that are not traced (shapes that touch, drives, bodies without a tree), and for worlds
that have left the fast form: at a singular position, or where a guard failed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.batch.kernels.impulses import put_angles
from dalembert.batch.kernels.layout import ALL, Batch, Block
from dalembert.batch.kernels.one_world import World, go_through
from dalembert.mechanics.winding import begin_winding
from dalembert.simulation.prepare.arrays import Opened, open_setup
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.run.clock import clock_at
from dalembert.system.borders import NEEDS_GENERAL, NEEDS_ROOM, OK


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

    def run(self, batch: Batch, room: Block, world: int, first: int, entries: Any) -> int:
        """Take one world from step `first` to the end; a status.

        entries : (places of `work`, values) that are this world's own
        """
        plan = batch.plan
        opened = self.opened.copy()
        if entries is not None:
            opened.work[entries[0]] = entries[1]
            opened.keep[0].prepare(opened.work, opened.sizes)
        one = _alone(batch, world)
        from_left = first > 0
        q = (batch.q_left if from_left else batch.q0)[world].copy()
        v = (batch.v_left if from_left else batch.v0)[world].copy()
        start = float(plan.start)
        clock = clock_at(start, start + plan.steps * plan.step, plan.step, self.setup.integrator)
        clock.total, clock.done = plan.steps, first
        clock.t = start + first * plan.step
        _fill(room, one)
        _begin(opened, clock, one, q, v)
        while True:
            status = self._go(opened, clock, one, room, q, v)
            if status == NEEDS_GENERAL:
                opened.provide_general()
            elif status == NEEDS_ROOM:
                opened.enlarge()
            else:
                break
        if plan.keeps == 1:
            batch.q0[world], batch.v0[world] = q, v
        if status != OK:
            _forget_rest(one, clock)
        return status

    def _go(self, opened: Opened, clock: Any, batch: Batch, room: Block, q: Any, v: Any) -> int:
        numbers, _, counts, _ = clock.base
        world = World(opened.state, numbers, counts, q, v, self.places)
        return int(go_through(batch, room, world))


def _alone(batch: Batch, world: int) -> Batch:
    """The batch of one world."""
    tables = ("q0", "v0", "given", "controls", "ended", "left", "q_left", "v_left", "out")
    rows = {name: getattr(batch, name)[world : world + 1] for name in tables}
    made: Batch = replace(batch, integers=batch.integers.copy(), **rows)
    made.plan.worlds = 1
    return made


def _forget_rest(batch: Batch, clock: Any) -> None:
    """Write NaN behind the last sample of a world that failed, and over what was to be reduced."""
    plan = batch.plan
    width = plan.signals or plan.nq + plan.nv
    batch.out[0, width * (clock.done // plan.every + 1) if plan.reduction == ALL else 0 :] = np.nan


def _begin(opened: Opened, clock: Any, batch: Batch, q: Any, v: Any) -> None:
    """Angles and their turns, where the run begins."""
    put_angles(opened.state, batch, q)
    begin_winding(opened.state, float(clock.t), q, v)


def _fill(room: Block, batch: Batch) -> None:
    """Data of the world in the first lane."""
    lanes, fixed = batch.plan.lanes, batch.given.shape[1]
    room.p[: lanes * fixed : lanes] = batch.given[0]
