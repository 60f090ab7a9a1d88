"""The run that a session is in, and the arrays with which its present state is measured."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.contact.run.log import log_sample
from dalembert.errors import OptionError, SimulationError
from dalembert.mechanics.measure import HeldCommands, room_for, violations
from dalembert.simulation.actions.perform import check
from dalembert.simulation.hybrid.handover import hand_over
from dalembert.simulation.hybrid.log import Happening
from dalembert.simulation.hybrid.make_run import make_run
from dalembert.simulation.hybrid.run import HybridRun
from dalembert.simulation.prepare import options
from dalembert.simulation.prepare.actions import END
from dalembert.simulation.prepare.arrays import Opened
from dalembert.simulation.prepare.controllers import Bound, Commands
from dalembert.simulation.prepare.counted_angles import counted, pass_on
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.prepare import Built
from dalembert.simulation.prepare.setup import Setup
from dalembert.simulation.results.accelerations import NO_COMMANDS, measured, open_for
from dalembert.simulation.results.contact_results import Touch
from dalembert.simulation.results.loads import energy_of_rotors, loads
from dalembert.simulation.results.samples import Samples
from dalembert.simulation.run.contact_log import ContactLog
from dalembert.simulation.session.pull import Grip
from dalembert.simulation.session.samples import Sample
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
        self.setup, self._angles, self._hinges = setup, angles, hinges
        self._built, self._adaptive = built, adaptive
        self._system, self._tree = built.system, built.tree
        self._ahead: tuple[Array, ContactLog] | None = None
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
        self._ahead = None
        for opened in (self.run.opened, self._measure):
            if opened is not None:
                hand.write(opened.keep[0], opened.work, opened.sizes, grip, self.setup.model)

    def measured(self, hand: Any, grip: Grip | None, bound: Bound | None) -> Sample:
        """Accelerations, multipliers and violation at the present state.

        With the forces of what touches it: those of the step that led here, at the start of the
        first step.
        """
        setup, run, held = self.setup, self.run, self.run.calling.held.copy()
        t, (q, v), angles = np.array([self.going.t]), self.state, run.angles_now
        own = run.q.copy(), run.v.copy()
        lam, log = self._of_the_step(hand, grip)
        samples = Samples(t, q[None], v[None], lam, contacts=log, angles=angles[None])
        if bound is not None:
            samples = replace(samples, commands=Commands(bound.names, t, held[None]))
        if setup.on_tree is not None and setup.on_tree.has_compounds:
            samples = replace(samples, of_tree=(own[0][None], own[1][None]))
        touch = None
        if log is not None and setup.contacts is not None:
            touch = Touch.of(setup.contacts, log, 1, setup.running.extents.nv)
        opened = self._measuring(hand, grip)
        made = measured(setup, samples, touch, loads(setup, samples, touch), None, opened)
        a, lam, phi, phi_dot = made.a[0], made.lam[0], made.phi[0], made.phi_dot[0]
        return Sample(float(t[0]), q, v, a, lam, phi, phi_dot, held, angles, own, log)

    @property
    def energy_of_rotors(self) -> float:
        """Kinetic energy of rotors of drives."""
        on_tree = self.setup.on_tree
        return 0.0 if on_tree is None else float(energy_of_rotors(on_tree.system.tree, self.run.v))

    def drift(self, hand: Any, grip: Grip | None) -> tuple[float, float]:
        """Largest violation of position and velocity rows at the present state."""
        opened, (q, v) = self._measuring(hand, grip), self.state
        found, t = room_for(1, self._system.extents), np.array([self.going.t])
        violations(*opened.state, t, q[None], v[None], HeldCommands(*NO_COMMANDS), found)
        return float(np.abs(found.phi).max(initial=0)), float(np.abs(found.phi_dot).max(initial=0))

    def _of_the_step(self, hand: Any, grip: Grip | None) -> tuple[Array | None, ContactLog | None]:
        """Multipliers of a method that has its own, and contacts, of the step that led here.

        Where no step did, those of the next one.
        """
        if self.setup.contacts is None:
            return None, None
        found = self._logged()
        if found is None and self._ahead is None:
            self._ahead = self._step_ahead(hand, grip)
        return found or self._ahead or (None, None)

    def _logged(self) -> tuple[Array, ContactLog] | None:
        """Multipliers and contacts as the run tells them; None before its first step."""
        run, on_tree = self.run, self.setup.on_tree
        log_sample(run.state, 0, run.v)
        log = ContactLog.written(run.state)
        if not len(log.steps):
            return None
        lam = run.state.lam[None]
        return lam.copy() if on_tree is None else on_tree.multipliers(lam), log

    def _step_ahead(self, hand: Any, grip: Grip | None) -> tuple[Array, ContactLog] | None:
        """Multipliers and contacts of a step from here, by another run; None where it fails."""
        other = PresentRun(self._built, self.setup, self._adaptive, self._angles, self._hinges)
        other.write_grip(hand, grip)
        other.run.warm()
        with suppress(SimulationError):
            other.going.step()
        return other._logged()

    def _measuring(self, hand: Any, grip: Grip | None) -> Opened:
        """Arrays to measure with, their turns those of the run."""
        if self._measure is None:
            self._measure = open_for(self.setup)
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
