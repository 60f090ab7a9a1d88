"""One part of a chain: an ordinary run of the constraints that act, and where it stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dalembert.simulation.actions.keeper import PartKeeper
from dalembert.simulation.hybrid.handover import hand_over
from dalembert.simulation.hybrid.make_run import make_run
from dalembert.simulation.motion.turns import hinges_of
from dalembert.simulation.prepare.counted_angles import counted, pass_on
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.results import to_solution
from dalembert.simulation.results.facts import facts
from dalembert.simulation.results.samples import Samples, keep_last
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.run.memory import Recorder
from dalembert.simulation.run.run import Run
from dalembert.simulation.status import Status


@dataclass
class Part:
    """A run that was carried as far as it goes.

    Attributes
    ----------
    events : those it was looked for
    status : how it ended
    watch : who looks at forces that have limits
    keeper : who keeps it while it goes
    """

    setup: Setup
    run: Run
    events: tuple[Event, ...]
    status: Status = Status.OK
    watch: Any = None
    keeper: PartKeeper | None = None

    @property
    def t(self) -> float:
        """Moment at which it stands."""
        return float(self.run.clock.t)

    @property
    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and velocities there, of the model itself."""
        q, v = self.run.states(self.run.q[None], self.run.v[None])
        return np.array(q[0]), np.array(v[0])

    @property
    def fired(self) -> int | None:
        """Number of the event that has stopped it."""
        if self.status is not Status.EVENT:
            return None
        return int(self.run.event_index[self.run.clock.event_count - 1])

    def samples(self, first: int = 0, stop: int | None = None) -> Samples:
        """Samples in memory from one number to another."""
        run = self.run
        k = run.clock.samples if stop is None else stop
        t, q, v, lam = (x[first:].copy() for x in run.samples(k))
        run.take_log()
        log = run.contact_log
        own = lam if self.setup.method.own_multipliers else None
        made = Samples(t, q, v, own, contacts=None if log is None else log.between(first, k))
        made = replace(made, angles=run.angle_out[first:k].copy())
        on = self.setup.on_tree
        if on is not None and on.has_compounds:
            made = replace(made, of_tree=(run.q_out[first:k].copy(), run.v_out[first:k].copy()))
        return made

    def solution(self, first: int = 0, stop: int | None = None) -> Solution:
        """The solution of samples from one number to another; of all up to where it stands."""
        if stop is None and self.keeper is not None:
            return self.keeper.so_far(self.run, self.status)
        if stop is None:
            keep_last(self.run)
        commands = self.run.calling.commands(self.run.clock.logged)
        samples = replace(self.samples(first, stop), commands=commands)
        known = facts(self.setup, self.run, self.status, 0.0)
        return to_solution.compose(self.setup, samples, to_solution.events(self.run), known)


def open_part(
    setup: Setup,
    until: float,
    events: Sequence[Event],
    *,
    every: int | None,
    times: Sequence[float] | None = None,
    recorder: Recorder | None = None,
    before: Part | None = None,
    fired: Sequence[Event] = (),
) -> Part:
    """A part at its start; `fired`: events that have just been met, which are not met again."""
    run = make_run(
        setup,
        start=setup.start.t,
        until=until,
        every=every,
        times=times,
        events=stopping(events),
        recorder=recorder,
        angles=None if before is None else _angles(before, setup),
    )
    if before is not None:
        _count_on(before, setup, run)
        hand_over(before.run, run)
    run.warm()
    for k, event in enumerate(events):
        if event in fired:
            run.before[k] = 0.0
    return Part(setup, run, tuple(events))


def stopping(events: Sequence[Event]) -> list[Event]:
    """Events as a part looks for them: it stops where something is done."""
    return [replace(event, terminal=True) if event.action else event for event in events]


def _angles(before: Part, setup: Setup) -> Any:
    return hinge_angles(before.setup.model, before.run.angles_now, setup.model)


def hinge_angles(model: Any, angles: np.ndarray, other: Any) -> np.ndarray:
    """Angles of hinges of a model, for those of another one."""
    known = dict(zip(hinges_of(model), angles, strict=True))
    return np.array([known.get(raw, 0.0) for raw in hinges_of(other)])


def counted_on(system: Any, angles: np.ndarray, other: Any) -> np.ndarray:
    """Angles that elements of a system count, for those of another one."""
    if not hasattr(system, "parts") or not hasattr(other, "parts"):
        return angles
    made = np.zeros(len(other.parts.wound))
    pass_on(system, angles, other, made)
    return made


def _count_on(before: Part, setup: Setup, run: Run) -> None:
    """Turns that elements count, as the last part has them."""
    old, new = before.setup.running, setup.running
    if hasattr(old, "parts") and hasattr(new, "parts"):
        pass_on(old, counted(before.run), new, counted(run))
