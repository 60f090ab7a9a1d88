"""The run that a session is in, and the arrays with which its present state is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.simulation.actions.perform import check
from dalembert.simulation.hybrid.handover import hand_over
from dalembert.simulation.hybrid.log import Happening
from dalembert.simulation.hybrid.make_run import make_run
from dalembert.simulation.hybrid.run import HybridRun
from dalembert.simulation.prepare import options
from dalembert.simulation.prepare.actions import END
from dalembert.simulation.prepare.arrays import Opened, open_measuring
from dalembert.simulation.prepare.controllers import Bound
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.prepare import Built
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.prepare.wound import counted, pass_on
from dalembert.simulation.session.pull import Grip
from dalembert.simulation.session.samples import Sample, measured
from dalembert.simulation.session.stepper import NEVER, Going

Array = NDArray[np.float64]

FAR = 1e9
"""End of a session  [s]: nobody waits so long."""


class PresentRun:
    """A run from a consistent state, not yet compiled.

    Parameters
    ----------
    built : systems of the model itself and, where the run takes place on it, of its tree
    angles : those whose turns are counted, of the model itself; None at a new start
    hinges : angles of hinges where the run before ended
    events : those to look for; the ones with an action stop it
    before : the run that this one goes on from
    """

    def __init__(
        self,
        built: Built,
        setup: Setup,
        adaptive: bool,
        angles: Array | None,
        hinges: Array | None,
        events: Sequence[Event] = (),
        before: PresentRun | None = None,
    ) -> None:
        self.setup, self._angles = setup, angles
        self._system, self._tree = built.system, built.tree
        t = setup.start.t
        self.run = make_run(
            setup,
            start=t,
            until=t + (1.0 if adaptive else FAR),
            every=NEVER,
            times=None,
            events=[replace(event, terminal=bool(event.action)) for event in events],
            angles=hinges,
        )
        self._events = tuple(events)
        if isinstance(self.run, HybridRun):
            self.run.endless = True
            if before is not None:
                hand_over(before.run, self.run)
        if angles is not None and setup.on_tree is None:
            counted(self.run)[:] = angles
        elif angles is not None:
            pass_on(self._system, angles, self._tree, counted(self.run))
        self.going = Going(self.run, setup.running, adaptive)
        self._measure: Opened | None = None

    def forget(self, fired: Sequence[Event]) -> None:
        """Events that have just been met are not met again where their formulas are zero."""
        for k, event in enumerate(self._events):
            if event in fired:
                self.run.before[k] = 0.0

    @property
    def state(self) -> tuple[Array, Array]:
        """Coordinates and velocities of the model itself, whatever those of the run are."""
        q, v = self.run.states(self.run.q[None], self.run.v[None])
        return np.array(q[0]), np.array(v[0])

    def angles(self) -> Array:
        """Angles of the model itself whose turns are counted; on a tree those last measured."""
        return counted(self.run if self._tree is None else self._measure).copy()

    def write_grip(self, hand: Any, grip: Grip | None) -> None:
        """Put what is being pulled into all arrays there are."""
        for opened in (self.run.opened, self._measure):
            if opened is not None:
                hand.write(opened.keep[0], opened.work, opened.sizes, grip, self.setup.model)

    def measured(self, hand: Any, grip: Grip | None, bound: Bound | None) -> Sample:
        """Accelerations, multipliers and violation at the present state."""
        opened, held = self._measuring(hand, grip), self.run.calling.held.copy()
        return measured(
            self._system,
            opened,
            self.setup.model,
            bound,
            self.going.t,
            *self.state,
            held,
            self.run.angles_now,
        )

    def _measuring(self, hand: Any, grip: Grip | None) -> Opened:
        """Arrays to measure with, their turns those of the run."""
        if self._measure is None:
            self._measure = open_measuring(self.setup)
            self.write_grip(hand, grip)
            if self._angles is not None:
                counted(self._measure)[:] = self._angles
        if self._tree is None:
            counted(self._measure)[:] = counted(self.run)
        else:
            pass_on(self._tree, counted(self.run), self._system, counted(self._measure))
        return self._measure


def checked_events(model: Any, events: Any) -> tuple[Event, ...]:
    """Events of a session; an OptionError tells of those it cannot look for."""
    options.check_events(events)
    for event in events:
        check(model, event.action)
        if event.limit is not None:
            raise OptionError(
                "Session: forces that reach a limit are located by `simulate`. In a session read"
                " session.snapshot(), and call session.act(...)."
            )
        if event.terminal or END in event.action:
            raise OptionError(
                "Session: an event ends nothing in a session. Give it another action."
            )
    return tuple(events)


def happened(run: Any) -> tuple[Happening, ...]:
    """Entries of the log of a run."""
    return tuple(run.transition.happened) if isinstance(run, HybridRun) else ()
