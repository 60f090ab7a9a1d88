"""Actions of a session: at events that it meets, and at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dalembert.model.core.model import Model
from dalembert.simulation.actions.part import counted_on
from dalembert.simulation.actions.perform import Situation, check, is_armed, perform_all
from dalembert.simulation.hybrid.log import Happening
from dalembert.simulation.motion.turns import Turns
from dalembert.simulation.prepare.actions import read_action
from dalembert.simulation.prepare.carried_turns import Turned
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.from_state import setup_from_state
from dalembert.simulation.prepare.prepare import decided
from dalembert.simulation.session.present_run import PresentRun, happened
from dalembert.simulation.session.variant import Variant, variant_of


class Acting:
    """The part of a `Session` that releases, engages and sets."""

    model: Model
    method: Any
    integrator: Any
    step_length: float | None
    knobs: tuple[Any, ...]
    _full: Model
    _released: frozenset[str]
    _events: tuple[Event, ...]
    _start: tuple[Any, ...]
    _variants: dict[frozenset[str], Variant]
    _present: PresentRun
    _log: list[Happening]
    _angles: Any
    _open: Any
    parameters: Any
    t: Any
    q: Any
    v: Any

    def act(self, action: Any) -> None:
        """Do something now: ``dl.Release(...)``, ``dl.Engage(...)``, values to set, or a list.

        Raises
        ------
        OptionError         the model has no such joint, constraint or value
        SimulationError     a constraint that engages does not hold here; nothing has changed

        Examples
        --------
        >>> import dalembert as dl
        >>> session = dl.Session(dl.catalog.load("pendulum"))
        >>> session.advance(0.5)
        0.5
        >>> session.act(dl.Release("bar"))
        >>> session.log[-1].kind, session.released
        ('release', ('bar',))
        """
        actions = read_action(action)
        check(self._full, actions)
        self._act(actions, ())

    @property
    def log(self) -> tuple[Happening, ...]:
        """Entries of what happened since the last reset."""
        return (*self._log, *happened(self._present.run))

    @property
    def released(self) -> tuple[str, ...]:
        """Names of joints and constraints that do not act."""
        return tuple(sorted(self._released))

    # -- private -------------------------------------------------------------------------------

    def _variant(self) -> Variant:
        """The model with the constraints that act now."""
        known = self._variants.get(self._released)
        if known is None:
            formulation, initial, start, controllers = self._start
            known = variant_of(
                *(self._full, self._released, self.method, self.integrator, self.step_length),
                *(formulation, initial, start, controllers),
                tuple(e for e in self._events if is_armed(e.action, self._released)),
            )
            self._variants[self._released] = known
        return known

    def _take(self, variant: Variant) -> None:
        """Go on with a variant of the model."""
        self._given, self.model, self.knobs = variant.given, variant.model, variant.knobs
        self._hand, self._bound, self._wanted = variant.hand, variant.bound, variant.wanted
        self._built, self._watched = variant.built, variant.events

    def _meet(self) -> None:
        """Do what is to be done at the event that has been met."""
        event = self._watched[self._present.going.met or 0]
        self._act((), (event,))

    def _act(self, actions: Sequence[Any], fired: Sequence[Event]) -> None:
        """Do something where the run is, and go on behind it."""
        own = {p.name: self.parameters.get(p.name, p.value) for p in self._full.parameter_symbols}
        full = self._full.with_parameters(**own)
        turned = Turns.of(
            self.model,
            np.array([self.t]),
            self.q[None],
            self.v[None],
            self._present.run.angles_now[None],
        )
        counted = Turned.of(self._present.setup, self._present.run)
        at = Situation(full, self._released, self.t, self.q, self.v, turned, counted)
        now, crossed = perform_all(at, fired, self._watched, actions)
        log, before, angles, values = self.log, self._present, self._angles(), self.parameters
        self._released = now.released
        old = self._built.system
        self._take(self._variant())
        values |= {name: now.model.parameters[name] for name in own}
        known = {knob.name: values[knob.name] for knob in self.knobs if knob.name in values}
        model = self.model.with_parameters(**known)
        setup = setup_from_state(
            *(self._built, model, self._wanted, now.t, now.q, now.v),
            move=now.moved,
            turned=counted,
        )
        self._variants[self._released].built = self._built = decided(self._built, setup)
        self._open(
            setup,
            counted_on(old, angles, self._built.system),
            before,
            (*fired, *(event for event, _ in crossed)),
        )
        self._log = [*log, *now.log]
