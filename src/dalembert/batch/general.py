"""Worlds in the general form: one at a time by the kernels of a run, in as many threads as asked.

For models that are not traced (contact, limits, bodies without a tree), and for worlds that have
left the fast form: at a singular position, or where a guard failed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert._jit import kernel
from dalembert._records import Integers, Numbers, value
from dalembert.batch.drive import Batch, Block, put_angles, put_controls, record, stopped_lanes
from dalembert.integration.loop.attempts import take_step
from dalembert.integration.loop.clock import Clock, go_on, next_step
from dalembert.mechanics.winding import begin_winding, wind
from dalembert.simulation.prepare.arrays import Opened, open_setup
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.run.clock import clock_at
from dalembert.system.borders import NEEDS_GENERAL, NEEDS_ROOM, OK, guard
from dalembert.system.state_layout import State


@value
class World:
    """One world: its run, its clock, its state, and (place, which control) in the run."""

    state: State
    numbers: Numbers  # of the clock
    counts: Integers
    q: Numbers
    v: Numbers
    places: Integers

    @property
    def clock(self):
        """Times and counts."""
        return Clock(self.numbers, 0, self.counts, 0)


@kernel
def show_state(batch, room, world):
    """Put the state of a world, and signals that have no code in lanes, into the first lane."""
    plan, lanes, state = batch.plan, batch.plan.lanes, world.state
    for i in range(plan.nq):
        room.q[lanes * i] = world.q[i]
    for k in range(plan.nv):
        room.v[lanes * k] = world.v[k]
    if plan.signal_code == 0 and plan.signals + plan.stops > 0:
        guard(state, state.guard, world.clock.t, world.q, world.v)
        for k in range(plan.signals + plan.stops):
            room.y[lanes * k] = state.event_values[k]


@kernel
def take_controls(batch, room, world, step):
    """Put the controls of a step into the first lane and into the run."""
    plan, lanes = batch.plan, batch.plan.lanes
    if plan.controls > 0:
        put_controls(batch, room, 0, step)
        first = plan.given - plan.controls
        for i in range(len(world.places) // 2):
            k = world.places[2 * i + 1]
            world.state.work[world.places[2 * i]] = room.p[lanes * (first + k)]
        world.state.evaluated = 0


@kernel
def go_through(batch, room, world):
    """Steps of a world from where its clock is. Returns a status at the step that failed."""
    state, clock, plan = world.state, world.clock, batch.plan
    if clock.done == 0:
        take_controls(batch, room, world, 0)
        show_state(batch, room, world)
        if plan.keeps == 0:
            record(batch, room, 0, 0, clock.t)
    for step in range(clock.done, plan.steps):
        if batch.ended[0] < 0:
            take_controls(batch, room, world, step)
            h = next_step(world.numbers, world.counts)
            status, h = take_step(state, clock, h, world.q, world.v)
            if status != OK:
                return status
            go_on(clock, h)
            wind(state, clock.t, clock.t - clock.last_t, world.q, world.v)
            show_state(batch, room, world)
            if plan.stops > 0 and stopped_lanes(batch, room, clock.t) & 1 == 1:
                batch.ended[0] = step + 1
        if (step + 1) % plan.every == 0:
            record(batch, room, 0, (step + 1) // plan.every, clock.t)
    return OK


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
                if plan.keeps == 1:
                    batch.q0[world], batch.v0[world] = q, v
                return status

    def _go(self, opened: Opened, clock: Any, batch: Batch, room: Block, q: Any, v: Any) -> int:
        numbers, _, counts, _ = clock.base
        world = World(opened.state, numbers, counts, q, v, self.places)
        return int(go_through(batch, room, world))


def _alone(batch: Batch, world: int) -> Batch:
    """The batch of one world."""
    integers = batch.integers.copy()
    made = Batch(
        integers,
        batch.numbers,
        *(
            table[world : world + 1]
            for table in (batch.q0, batch.v0, batch.given, batch.controls, batch.ended)
        ),
        *(
            table[world : world + 1]
            for table in (batch.left, batch.q_left, batch.v_left, batch.out)
        ),
        *(batch.work, batch.sizes, batch.given_places, batch.control_places, batch.angles),
    )
    made.plan.worlds = 1
    return made


def _begin(opened: Opened, clock: Any, batch: Batch, q: Any, v: Any) -> None:
    """Angles and their turns, where the run begins."""
    put_angles(opened.state, batch, q)
    begin_winding(opened.state, float(clock.t), q, v)


def _fill(room: Block, batch: Batch) -> None:
    """Data of the world in the first lane."""
    lanes, fixed = batch.plan.lanes, batch.given.shape[1]
    room.p[: lanes * fixed : lanes] = batch.given[0]

