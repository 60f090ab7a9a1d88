"""Part after part: a run in which something is done at events."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.errors import (
    DalembertError,
    FileError,
    InterruptedRun,
    OptionError,
    SimulationError,
)
from dalembert.model.core.model import Model
from dalembert.simulation.actions import limits, perform
from dalembert.simulation.actions.joined import Piece, joined
from dalembert.simulation.actions.keeper import Keeper, PartKeeper
from dalembert.simulation.actions.part import Part, open_part
from dalembert.simulation.actions.perform import Situation
from dalembert.simulation.actions.plan import Plan
from dalembert.simulation.prepare import announce
from dalembert.simulation.prepare.carried_turns import Turned
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.from_state import setup_from_state
from dalembert.simulation.prepare.prepare import Built, build, decided, decided_before, prepare
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.results.recorded import EventRecord
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.status import Status, error_class, sentence

ZERO = 1e-9
"""Part of a formula's last value that is none."""

OFTEN, SOON = 100, 1e-9
"""Actions in a row, and the part of the run in which so many are too many."""

Key = tuple[frozenset[str], tuple[int, ...]]
"""Constraints that do not act in a part, and numbers of the events that would change something."""


class Chain:
    """The parts of a run.

    Attributes
    ----------
    pieces : of parts that are over
    moments : at which something was done
    on_tree : whether parts of a kind take place in the coordinates of joints
    """

    def __init__(self, model: Model, asked: Plan, keeper: Keeper | None = None) -> None:
        self.asked, self.model, self._keeper = asked, model, keeper
        self._known: dict[Key, Built] = {}
        self.on_tree: dict[Key, bool] = {}
        self.pieces: list[Piece] = []
        self.moments: list[float] = []
        perform.check_reached(asked.events, asked.released)
        for event in asked.events:
            perform.check(model, event.action)
            if event.limit is not None:
                limits.check(model, event)
                if asked.times is not None or (asked.every or 1) > 1:
                    raise OptionError(
                        "simulate: a force with a limit is looked at after every step. Leave"
                        " `times` and `every` out."
                    )

    def run(self) -> Solution:
        """All parts, as one solution."""
        now = Situation(self.model, self.asked.released, self.asked.start, *nowhere())
        return self.go_on(self._part(now, None, ()), now)

    def go_on(self, part: Part, now: Situation) -> Solution:
        """A part that is open, and all that follow it; `now`: the situation it began in."""
        while True:
            met = self._go(part, now)
            counted = Turned.of(part.setup, part.run)
            at = Situation(now.model, now.released, part.t, *part.state, self._turned, counted)
            if not met:
                return self._end(part)
            self._refuse_often(part)
            try:
                now, fired = self._act(part, at, met)
            except DalembertError as problem:
                return self._failed(part, problem)
            last = [event for event in fired if event.terminal or not event.action]
            if now.ended or last or part.t >= self.asked.until:
                return self._last(part, now, last or fired)
            fired = self._quiet(now, fired)
            try:
                part = self._part(now, part, fired)
            except FileError:
                raise
            except DalembertError as problem:
                return self._failed(part, problem)

    def so_far(self, part: Part, status: Status, said: str) -> Solution:
        """The solution up to where a part stands that was not carried to its end."""
        part.status = status
        return joined(self.model, [*self.pieces, Piece(part.solution())], status, lambda: said)

    def _act(
        self, part: Part, at: Situation, met: Sequence[Event]
    ) -> tuple[Situation, tuple[Event, ...]]:
        """The situation behind what is done where a part has stopped, and events of that moment.

        Among them are those whose formulas an action takes across zero, each once.
        """
        first = (*met, *self._together(part, at, met))
        now, crossed = perform.perform_all(at, first, part.events)
        records = [EventRecord(e.label, at.t, at.q, at.v) for e in met if e.limit is not None]
        records += [EventRecord(e.label, there.t, there.q, there.v) for e, there in crossed]
        self.pieces[-1] = replace(self.pieces[-1], log=now.log, met=tuple(records))
        return now, (*first, *(event for event, _ in crossed if event.action or event.terminal))

    # -- parts ---------------------------------------------------------------------------------

    def _armed(self, released: frozenset[str]) -> tuple[int, ...]:
        """Numbers of events that would change something."""
        events = self.asked.events
        return tuple(
            k for k, event in enumerate(events) if perform.is_armed(event.action, released)
        )

    def watched(self, released: frozenset[str]) -> tuple[list[Event], list[Event]]:
        """Events that a part looks for: formulas, and forces with a limit."""
        events = [self.asked.events[k] for k in self._armed(released)]
        formulas = [event for event in events if event.limit is None]
        return formulas, [event for event in events if event.limit is not None]

    def _setup(self, now: Situation, before: Part | None) -> Setup:
        model, wanted = self.asked.part(now.acting, tuple(self.watched(now.released)[0]))
        if before is None:
            return prepare(model, wanted)
        key = (now.released, self._armed(now.released))
        built = self._known.get(key)
        if built is None:
            announce.begin(wanted.method, wanted.integrator, None)
            built = build(model, wanted)
            if key in self.on_tree:  # decided before the run was resumed
                built = decided_before(built, wanted, on_tree=self.on_tree[key])
        turned = Turned.of(before.setup, before.run)
        setup = setup_from_state(
            built, model, wanted, now.t, now.q, now.v, move=now.moved, turned=turned
        )
        self._known[key] = decided(built, setup)
        self.on_tree[key] = setup.on_tree is not None
        return setup

    def _part(self, now: Situation, before: Part | None, fired: Sequence[Event]) -> Part:
        setup = self._setup(now, before)
        watched, limited = self.watched(now.released)
        watch = limits.Watch(limited, fired) if limited else None
        keeper = None
        if self._keeper is not None:
            keeper = self._keeper.recorder(setup, len(watched), watch)
        times = self.asked.times
        if times is not None:
            times = [t for t in times if t > now.t or before is None] or [self.asked.until]
        with announce.compiling(setup.method, silent=self.asked.progress is False):
            part = open_part(
                setup,
                self.asked.until,
                watched,
                every=1 if limited else self.asked.every,
                times=times,
                recorder=keeper or watch,
                before=before,
                fired=fired,
            )
        self.tell(part, watch, keeper)
        if self._keeper is not None:
            self._keeper.begun(self, part, now, fired)
        return part

    @staticmethod
    def tell(part: Part, watch: limits.Watch | None, keeper: PartKeeper | None) -> None:
        """Tell a part who looks at it, and who keeps it."""
        part.watch, part.keeper = watch, keeper
        if watch is not None:
            watch.part = part

    def _go(self, part: Part, now: Situation) -> tuple[Event, ...]:
        """Carry a part to its end; events that have stopped it."""
        try:
            part.status = part.run.go(self.asked.progress)
            if part.keeper is not None and part.status is Status.INTERRUPTED:
                part.keeper.pause(part.run)
            if part.watch is not None:
                part.watch.look()
        except limits.BeyondError as beyond:
            return self._broken(part, beyond, now)
        self.pieces.append(Piece(part.solution()))
        if part.fired is None:
            return ()
        event = part.events[part.fired]
        return (event,) if event.action else ()

    def _broken(self, part: Part, beyond: limits.BeyondError, now: Situation) -> tuple[Event, ...]:
        """A force has gone beyond its limit: the moment, and the state there."""
        k = beyond.sample
        if k == 0:  # where the part begins
            self._stand_at(part, 0)
            # with a sample that follows: forces of impulses are known from there on
            self.pieces.append(Piece(part.solution(0, 2), until=part.t, stop=1))
            return (beyond.event,)
        whole = part.solution(0, k + 1)
        values, t = limits.excess(whole, beyond.event), whole.t
        self._stand_at(part, k - 1)
        self.pieces.append(Piece(part.solution(0, k), until=float(t[k - 1])))
        a, b = float(t[k - 1]), float(t[k])
        if np.nextafter(a, math.inf) >= b:  # an impact between: beyond with the velocities after it
            self._stand_at(part, k)
            self.pieces[-1] = Piece(part.solution(0, k + 1), until=b)
            return (beyond.event,)
        model, wanted = part.setup.model, self.asked.part(now.acting, part.events)[1]
        built, turned = build(model, wanted), Turned.of(part.setup, part.run)

        def to(moment: float) -> Part:
            at = (a, whole.q[k - 1], whole.v[k - 1])
            setup = setup_from_state(built, model, wanted, *at, move=False, turned=turned)
            made = open_part(setup, moment, part.events, every=1, before=part)
            made.status = made.run.go(False)
            if made.status is Status.INTERRUPTED:
                raise KeyboardInterrupt
            return made

        try:
            found = limits.locate(beyond.event, a, float(values[k - 1]), b, float(values[k]), to)
        except KeyboardInterrupt:
            part.status = Status.INTERRUPTED
            self.pieces[-1] = Piece(part.solution(0, k), until=a)
            return ()
        solution = found.solution()
        self.pieces.append(Piece(solution, first=1))
        part.run, part.setup, part.keeper = found.run, found.setup, None
        return (beyond.event,)

    def _stand_at(self, part: Part, sample: int) -> None:
        """Put a run where one of its samples is."""
        run = part.run
        run.q[:], run.v[:] = run.q_out[sample], run.v_out[sample]
        run.clock.t = run.t_out[sample]

    @property
    def _turned(self) -> Any:
        return self.pieces[-1].solution.turned if self.pieces else None

    def _before(self, now: Situation) -> Situation | None:
        """The sample before the last one."""
        solution = self.pieces[-1].solution
        if len(solution.t) < 2:
            return None
        return replace(now, t=float(solution.t[-2]), q=solution.q[-2], v=solution.v[-2])

    def _together(self, part: Part, at: Situation, met: Sequence[Event]) -> tuple[Event, ...]:
        """Other events whose formulas change their sign in the same moment."""
        before = self._before(at)
        if before is None:
            return ()
        found = []
        for event in part.events:
            if event in met or not event.action or event.limit is not None:
                continue
            if perform.crosses(event, before, at):
                found.append(event)
        return tuple(found)

    def _quiet(self, now: Situation, fired: Sequence[Event]) -> tuple[Event, ...]:
        """Events whose formulas are still zero, up to rounding, and forces: they have been met."""
        before = self._before(now)
        if before is None:
            return tuple(fired)
        return tuple(
            event
            for event in fired
            if event.limit is not None
            or abs(perform.value(now, event.formula))
            <= ZERO * abs(perform.value(before, event.formula))
        )

    def _refuse_often(self, part: Part) -> None:
        """Refuse actions that hardly let time go on."""
        self.moments.append(part.t)
        span = self.asked.until - self.asked.start
        if len(self.moments) > OFTEN and part.t - self.moments[-OFTEN] < SOON * span:
            raise SimulationError(
                f"At t = {part.t:.10g} s actions follow one another without end ({OFTEN} within"
                f" {SOON * span:.2g} s). Let an event act once, or give it a direction.",
                self._joined(Status.STEP_TOO_SMALL, self._said),
            )

    # -- the end -------------------------------------------------------------------------------

    def _said(self, message: str = "") -> str:
        return message or self.pieces[-1].solution.message

    def _joined(self, status: Status, said: Callable[[], str]) -> Solution:
        """The solution of all pieces, kept where it is to be."""
        solution = joined(self.model, self.pieces, status, said)
        return solution if self._keeper is None else self._keeper.end(solution, self.pieces)

    def _end(self, part: Part) -> Solution:
        solution = self._joined(part.status, self._said)
        if self.asked.on_failure == "raise":
            if part.status is Status.INTERRUPTED:
                raise InterruptedRun(solution.message, solution) from part.run.calling.cause
            if part.status.failed:
                problem = error_class(part.status)(solution.message, solution)
                raise problem from part.run.calling.cause
        return solution

    def _last(self, part: Part, now: Situation, by: Sequence[Event]) -> Solution:
        """The solution of a run that ends with an action, or with events."""
        ended = now.ended or any(event.terminal or not event.action for event in by)
        status = Status.EVENT if ended else Status.OK
        said = sentence(status, t=now.t, where=by[0].label if ended else None)
        if self.asked.times is None and (now.log or now.moved):
            setup, watched = self._setup(now, part), self.watched(now.released)[0]
            after = open_part(setup, now.t + 1.0, watched, every=1, before=part)
            self.pieces.append(Piece(after.solution(0, 1), until=now.t))
        return self._joined(status, lambda: said)

    def _failed(self, part: Part, problem: DalembertError) -> Solution:
        """The solution up to an action that cannot be, or its error."""
        said = f"At t = {part.t:.10g} s: {problem}"
        solution = self._joined(Status.INCONSISTENT, lambda: said)
        if self.asked.on_failure == "raise":
            kind = type(problem) if isinstance(problem, SimulationError) else SimulationError
            raise kind(said, solution) from problem
        return solution


def nowhere() -> tuple[np.ndarray, np.ndarray]:
    """The state of a situation whose state is not asked for."""
    return np.zeros(0), np.zeros(0)
