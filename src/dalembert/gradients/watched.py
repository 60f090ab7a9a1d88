"""Events and one-sided constraints of a model as formulas that a run with derivatives watches."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dalembert.batch.tracing import formula, loads
from dalembert.errors import OptionError
from dalembert.formulas import Expression, constant, directional, jacobian, substitute, time
from dalembert.formulas.expression import ZERO, lift
from dalembert.gradients.switches import switches
from dalembert.gradients.traced import Traced
from dalembert.mechanics.dense import PROJECTION_TOLERANCE
from dalembert.model.basics.names import nearest
from dalembert.model.core.without_constraints import without
from dalembert.model.forces.soft_contact import SoftContact
from dalembert.model.one_sided.rows import UNILATERAL, one_sided_rows
from dalembert.simulation.prepare.actions import END, Engage, Release, Set
from dalembert.simulation.prepare.events import Event
from dalembert.system.borders import evaluate, factor, solve


@dataclass(frozen=True)
class Watched:
    """A formula that is watched, in the symbols of a trace.

    Attributes
    ----------
    direction : 1 upwards, -1 downwards, 0 both
    state : formulas of q and v behind the event; None: they stay
    sets : entry of p -> formula of what it becomes
    released : constraints that do not act behind it; None: as before
    engages : whether velocities have to fit constraints that begin to act
    ends : whether the run ends there
    one_sided : whether the formula must not be negative behind it
    kink : whether forces have a kink there and nothing else happens: touching zero is no harm
    told : whether it is among the events that results tell of
    sides : entries of p that are 1 where the formula is positive, 0 where not, held within steps
    """

    name: str
    guard: Expression
    direction: int
    state: Sequence[Expression] | None = None
    sets: tuple[tuple[int, Expression], ...] = ()
    released: frozenset[str] | None = None
    engages: bool = False
    ends: bool = False
    one_sided: bool = False
    kink: bool = False
    told: bool = True
    sides: tuple[int, ...] = ()


def set_parameters(known: Collection[str], events: Sequence[Any]) -> list[str]:
    """Parameters that events set."""
    return [
        name
        for event in events
        for action in event.action
        if isinstance(action, Set)
        for name in action.values
        if name in known
    ]


def formulas_seen(who: str, model: Any, events: Sequence[Any]) -> list[Expression]:
    """Formulas that have to be seen: of events, of values they set, of one-sided rows."""
    found: list[Expression] = []
    for event in events:
        if not isinstance(event, Event):
            raise OptionError(f"{who}: {event!r:.60} is no event. Give dl.Event(formula, ...).")
        if event.limit is None:
            found.append(event.formula)
        for action in event.action:
            if isinstance(action, Set):
                found += [lift(x) for x in action.values.values()]
    for row in _stops(who, model):
        found += [row.phi, lift(row.stop.restitution)]
    found += [one.gap() for one in soft_contacts(model)]
    return found + [one.guard for one in switches(model)]


def soft_contacts(model: Any) -> list[SoftContact]:
    """Smooth contacts of a model."""
    return [one for one in model.forces.values() if isinstance(one, SoftContact)]


def _stops(who: str, model: Any) -> list[Any]:
    """One-sided rows; refuses those whose run has no derivative here."""
    rows = one_sided_rows(model)
    for row in rows:
        soft = any(
            getattr(row.stop, key) is not None for key in ("stiffness", "damping", "frequency")
        )
        smooth_drive = row.source == "drive" and row.kd is not None
        if smooth_drive:
            continue
        if row.law != UNILATERAL or soft or row.friction != 0.0:
            raise OptionError(
                f"{who}: {row.element!r} ({row.source}) has no derivative here: friction, brakes,"
                " springs of stops and drives with bounds switch within steps. State it by"
                " dl.Event with actions, or leave it out."
            )
        rebound = row.stop.restitution
        if not isinstance(rebound, Expression) and not rebound > 0.0:
            raise OptionError(
                f"{who}: {row.element!r} stays closed after an impact (restitution 0). Give it a"
                " restitution, or engage a constraint by dl.Event(..., action=dl.Engage(...))."
            )
    return [row for row in rows if row.law == UNILATERAL]


def force_name(event: Any) -> str:
    """Name of the constraint whose force has a limit."""
    given = event.formula
    return str(given if isinstance(given, str) else given.name).removesuffix(".force")


class Reading:
    """Events of a model in the symbols of one trace."""

    def __init__(
        self, who: str, traced: Traced, model: Any, events: Sequence[Any], seen: Any
    ) -> None:
        self.who, self.traced, self.model = who, traced, model
        self._seen = iter(seen)
        self.events = list(events)

    def watched(self, released: frozenset[str]) -> list[Watched]:
        """Everything that is looked for while these constraints do not act."""
        made = [one for event in self.events if (one := self._event(event, released))]
        stops = _stops(self.who, self.traced.setup.model)
        made += [self._stop(row) for row in stops]
        soft = soft_contacts(self.traced.setup.model)
        made += [Watched(one.name, next(self._seen), 0, kink=True) for one in soft]
        for switch, seen in zip(switches(self._acting(released)), self._seen, strict=True):
            entries = [] if switch.side is None else self.traced.entries_of(switch.side.name)
            name = f"switch {len(made)}: {switch.guard!r:.60}"
            made.append(Watched(name, seen, 0, kink=True, told=False, sides=tuple(entries)))
        return made

    def _acting(self, released: frozenset[str]) -> Any:
        return without(self.model, released)

    def _event(self, event: Any, released: frozenset[str]) -> Watched | None:
        seen = None if event.limit is not None else next(self._seen)
        e = self.traced.equations
        state = [*e.q, *e.v]
        own = list(state)
        sets: list[tuple[int, Expression]] = []
        after, ends = set(released), event.terminal
        for action in event.action:
            if isinstance(action, Set):
                for name in action.values:
                    self._set(name, next(self._seen), state, sets)
            elif isinstance(action, Engage):
                after.discard(self._constraint(action.what))
            elif isinstance(action, Release):
                after.add(self._constraint(action.what))
            elif action == END:
                ends = True
        if event.limit is not None:
            if force_name(event) in released:
                return None
            seen = self._force(event)
        moved = any(a is not b for a, b in zip(state, own, strict=True))
        engages = bool(released - after)
        if engages and moved:
            raise OptionError(
                f"{self.who}: the event {event.label!r} sets a state and engages a constraint in"
                " one moment, which has no derivative here. Do one of them."
            )
        acts = any(isinstance(a, Engage | Release) for a in event.action)
        if acts and after == released:
            return None  # it has been done
        if moved and e.rows:
            raise OptionError(
                f"{self.who}: the event {event.label!r} sets a state of a model with constraints,"
                " which has no derivative here. Set a parameter, or state it without constraints."
            )
        assert seen is not None
        direction = 1 if event.limit is not None else event.direction
        return Watched(
            event.label,
            seen,
            direction,
            state if moved else None,
            tuple(sets),
            frozenset(after) if after != released else None,
            engages,
            ends,
        )

    def _set(self, name: str, value: Expression, state: Any, sets: Any) -> None:
        """Note a value that is set."""
        traced, system = self.traced, self.traced.setup.running
        states = [*system.coordinate_names, *system.velocity_names]
        if name in states:
            state[states.index(name)] = value
            return
        if name in traced.names and not system.has_bodies:
            sets.append((traced.names.index(name), value))
            return
        raise OptionError(
            f"{self.who}: an event sets {name!r}, which is no coordinate, velocity or parameter of"
            f" a model of formulas{nearest(name, [*states, *traced.names])}"
        )

    def _constraint(self, name: str) -> str:
        known = [c.name for c in self.model.constraints]
        if self.model.is_maximal or name not in known:
            raise OptionError(
                f"{self.who}: an event engages or releases {name!r}. Derivatives go through that"
                f" for constraints of models of formulas{nearest(name, known)}"
            )
        return name

    def _force(self, event: Any) -> Expression:
        """The size of a force less its limit."""
        traced, name = self.traced, force_name(event)
        system = traced.setup.running
        rows = getattr(system, "constraint_slices", {}).get(name)
        if rows is None:
            raise OptionError(
                f"{self.who}: the force of {name!r} has no derivative here. Constraints of models"
                " of formulas have one."
            )
        total: Any = ZERO
        for x in traced.multipliers()[rows]:
            total = total + x * x
        return np.sqrt(total) - float(event.limit)  # type: ignore[no-any-return]

    # -- stops -----------------------------------------------------------------------------------

    def _stop(self, row: Any) -> Watched:
        """A stop: phi, and v+ = v - (1 + e) M^-1 g^T (g v + phi_t)/(g M^-1 g^T)."""
        phi, rebound = next(self._seen), next(self._seen)
        traced, e = self.traced, self.traced.equations
        (rate,) = directional(
            [phi], {**dict(zip(e.q, traced.q_dot, strict=True)), time: constant(1.0)}
        )
        gradient = jacobian([rate], list(e.v))[0]
        w = loads("w", e.nv)
        for symbol in w:
            e.trace.example[symbol] = 0.0
        x, lam = np.empty(e.nv, dtype=object), np.empty(e.rows, dtype=object)
        with e.trace.running():
            evaluate(e.state, time, e.q, e.v)
            if e.rows:
                factor(e.state, PROJECTION_TOLERANCE)
            solve(e.state, w, [0.0] * e.rows, x, lam)
        response = directional([formula(y) for y in x], dict(zip(w, gradient, strict=True)))
        response = substitute(response, dict.fromkeys(w, ZERO))
        weight: Any = ZERO
        for a, b in zip(gradient, response, strict=True):
            weight = weight + a * b
        push = (1.0 + rebound) * rate / weight
        speeds = [v - push * r for v, r in zip(e.v, response, strict=True)]
        return Watched(row.name, phi, -1, [*e.q, *speeds], one_sided=True)
