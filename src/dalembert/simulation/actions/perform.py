"""Behind an action: the state, the values of parameters, the constraints that act, the log."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dalembert.errors import InconsistentError, OptionError
from dalembert.formulas import evaluate
from dalembert.formulas.expression import Expression
from dalembert.integration.loop.output import ROUNDING, has_crossed
from dalembert.model.basics.names import nearest
from dalembert.model.core.model import Model
from dalembert.model.core.without_constraints import removable, without
from dalembert.simulation.actions.impact import Jump, jump
from dalembert.simulation.hybrid.log import Happening
from dalembert.simulation.motion.values import known_values, velocity_symbols
from dalembert.simulation.prepare.actions import END, Action, Engage, Release, Set
from dalembert.simulation.prepare.carried_turns import Turned
from dalembert.simulation.prepare.consistent import make_consistent
from dalembert.simulation.prepare.events import Event
from dalembert.system.build import build

FAR = 1e-6
"""Part of the largest coordinate, or of 1, by which a constraint that engages may be off."""


@dataclass(frozen=True)
class Situation:
    """Where a run is, between two parts.

    Attributes
    ----------
    model : Model       with all its constraints, and the present values of parameters
    released : names of constraints and joints that do not act
    turned : full turns of joints, as the last part has counted them
    counted : the same, and those of elements, where that part has ended
    moved : whether the state has to be brought onto the constraints
    ended : whether an action has ended the run
    log : entries of the actions that led here
    """

    model: Model
    released: frozenset[str]
    t: float
    q: np.ndarray
    v: np.ndarray
    turned: Any = None
    counted: Turned | None = None
    moved: bool = False
    ended: bool = False
    log: tuple[Happening, ...] = field(default=())

    @property
    def acting(self) -> Model:
        """The model with the constraints that act."""
        return without(self.model, self.released)


def check(model: Model, actions: Sequence[Action], by: str = "") -> None:
    """Refuse names that the model does not have; `by`: the option that names them."""
    known = removable(model)
    for action in actions:
        if isinstance(action, Set):
            for name, given in action.values.items():
                _place(model, name)
                _check_formula(model, name, given)
        elif not isinstance(action, str) and action.what not in known:
            kind = by or type(action).__name__
            raise OptionError(
                f"{kind}: model {model.name!r} has no joint or constraint"
                f" {action.what!r}{nearest(action.what, known)}"
            )


def check_released(model: Model, names: Any) -> frozenset[str]:
    """Names of what does not act at the start."""
    if isinstance(names, str):
        raise OptionError(f"simulate: released takes a list. Write released=[{names!r}].")
    read = [name if isinstance(name, str) else getattr(name, "name", "") for name in names]
    check(model, [Release(name) for name in read] if all(read) else [Release("")], "released")
    return frozenset(read)


def check_reached(events: Sequence[Event], released: frozenset[str]) -> None:
    """Refuse an event that never does anything, whatever happens from such a start.

    Something may be engaged if it is released at the start or by an event, and the other way round.
    """
    actions = [action for event in events for action in event.action]
    loose = released | {action.what for action in actions if isinstance(action, Release)}
    engaged = {action.what for action in actions if isinstance(action, Engage)}
    for event in events:
        idle = [
            action
            for action in event.action
            if (isinstance(action, Engage) and action.what not in loose)
            or (isinstance(action, Release) and action.what in released - engaged)
        ]
        if event.action and len(idle) == len(event.action):
            what = idle[0].what
            if isinstance(idle[0], Engage):
                why = "acts from the start, and nothing releases it"
                help_ = f"Give released=[{what!r}], or an event that releases it."
            else:
                why = "does not act at the start, and nothing engages it"
                help_ = "Leave it out of `released`, or give an event that engages it."
            raise OptionError(
                f"Event {event.label!r}: {type(idle[0]).__name__}({what!r}) never does anything:"
                f" {what!r} {why}. {help_}"
            )


def is_armed(actions: Sequence[Action], released: frozenset[str]) -> bool:
    """Whether actions would change anything."""
    for action in actions:
        if isinstance(action, Engage) and action.what not in released:
            continue
        if isinstance(action, Release) and action.what in released:
            continue
        return True
    return not actions


def perform(at: Situation, actions: Sequence[Action]) -> Situation:
    """The situation behind actions, all of one moment.

    Raises
    ------
    InconsistentError   a constraint that engages does not hold there, or contradicts others
    """
    now, engaged = at, []
    q, v, values = at.q.copy(), at.v.copy(), dict[str, float]()
    log: list[Happening] = []
    held: list[int] = []
    for action in actions:
        if action == END:
            now = replace(now, ended=True)
        elif isinstance(action, Release) and action.what not in now.released:
            now = replace(now, released=now.released | {action.what})
            log.append(Happening(at.t, "release", action.what))
        elif isinstance(action, Engage) and action.what in now.released:
            now = replace(now, released=now.released - {action.what})
            engaged.append(action.what)
        elif isinstance(action, Set):
            log += _assign(at, action, q, v, values, held)
    if values:
        now = replace(now, model=now.model.with_parameters(**values))
    sets = [action for action in actions if isinstance(action, Set)]
    moved = bool(engaged or sets)
    if sets:
        q = _closed(now.acting, at, q, v, _places(at.model, sets))
    if moved:
        made = jump(now.acting, at.t, q, v, held, at.counted)
        log += [_engaged(now.acting, name, at.t, q, made) for name in engaged]
        v = made.v
    return replace(now, q=q, v=v, moved=moved, log=tuple(log))


def perform_all(
    at: Situation, events: Sequence[Event], watched: Sequence[Event], actions: Sequence[Action] = ()
) -> tuple[Situation, list[tuple[Event, Situation]]]:
    """The situation behind actions, and events that they take across zero, with what they do.

    Parameters
    ----------
    events : those that have been met here, whose actions are done
    watched : events that may be crossed; each acts once in a moment
    actions : others that are done
    """
    now, log, moved = at, list[Happening](), False
    done, crossed = list(events), list[tuple[Event, Situation]]()
    new = [*actions, *(action for event in events for action in event.action)]
    while True:
        before, now = now, perform(now, new)
        log, moved = [*log, *now.log], moved or now.moved
        found = [e for e in watched if e not in done and crosses(e, before, now, ROUNDING)]
        if not found:
            return replace(now, log=tuple(log), moved=moved), crossed
        done += found
        crossed += [(event, now) for event in found]
        new = [action for event in found for action in event.action]


def crosses(event: Event, before: Situation, now: Situation, rounding: float = 0.0) -> bool:
    """Whether the formula of an event changes its sign between two situations."""
    was, behind = value(before, event.formula), value(now, event.formula)
    if abs(behind) <= rounding * abs(was):
        behind = 0.0
    return bool(has_crossed(was, behind, event.direction))


# -- values ----------------------------------------------------------------------------------------


def value(at: Situation, formula: Expression) -> float:
    """Value of a formula in a situation."""
    known = known_values(
        at.model, [formula], np.array([at.t]), at.q[None], at.v[None], turned=at.turned
    )
    return float(np.ravel(evaluate([formula], known)[0])[0])


def _place(model: Model, name: str) -> tuple[str, int]:
    """("q", "v" or "parameter", its number) of what is set."""
    tables = {
        "q": [x.name for x in model.coordinates],
        "v": [repr(x) for x in velocity_symbols(model)],
        "parameter": list(model.parameters),
    }
    for kind, names in tables.items():
        if name in names:
            return kind, names.index(name)
    known = [name for names in tables.values() for name in names]
    raise OptionError(
        f"action: model {model.name!r} has no coordinate, velocity or parameter"
        f" {name!r}{nearest(name, known)}"
    )


def _check_formula(model: Model, name: str, given: Any) -> None:
    if not isinstance(given, Expression):
        return
    q, v = np.full(len(model.coordinates), 0.5), np.full(len(velocity_symbols(model)), 0.5)
    try:
        value(Situation(model, frozenset(), 0.0, q, v), given)
    except Exception as problem:
        raise OptionError(
            f"action: the formula for {name!r} cannot be worked out ({problem!s:.120}). Use"
            " coordinates, velocities, parameters and time of the model."
        ) from problem


def _assign(
    at: Situation,
    action: Set,
    q: np.ndarray,
    v: np.ndarray,
    values: dict[str, float],
    held: list[int],
) -> list[Happening]:
    """Write values where they belong; entries of the log."""
    log = []
    for name, given in action.values.items():
        new = value(at, given) if isinstance(given, Expression) else float(given)
        if not np.isfinite(new):
            raise InconsistentError(
                f"{name!r} would be set to {new}. Write a formula that has a value there."
            )
        kind, k = _place(at.model, name)
        old = (
            at.model.parameters[name]
            if kind == "parameter"
            else float((at.q, at.v)[kind == "v"][k])
        )
        if kind == "parameter":
            values[name] = new
        else:
            (q if kind == "q" else v)[k] = new
        if kind == "v":
            held.append(k)
        log.append(Happening(at.t, "set", name, "", old, new))
    return log


def _places(model: Model, sets: Sequence[Set]) -> dict[int, str]:
    """Number of each coordinate that is set -> its name."""
    found = [(_place(model, name), name) for one in sets for name in one.values]
    return {k: name for (kind, k), name in found if kind == "q"}


def _closed(
    model: Model, at: Situation, q: np.ndarray, v: np.ndarray, asked: dict[int, str]
) -> np.ndarray:
    """Coordinates on the constraints; those that are set must stay what they are."""
    system = build(model)
    if not system.extents.holonomic:
        return q
    values = [model.parameters[name] for name in system.parameter_names]
    angles = None if at.counted is None else at.counted.wound_of(system)
    made = make_consistent(system, values, at.t, q, v, limit=math.inf, move=True, angles=angles).q
    for k, name in asked.items():
        if abs(made[k] - q[k]) > FAR * max(1.0, float(np.max(np.abs(q)))):
            raise InconsistentError(
                f"{name!r} cannot be set to {q[k]:.6g}: constraints move it to {made[k]:.6g}."
                " Set what belongs to it, too, or release what holds it."
            )
    return np.asarray(made)


# -- what engages ----------------------------------------------------------------------------------


def _engaged(model: Model, name: str, t: float, q: np.ndarray, made: Jump) -> Happening:
    """The entry of a constraint that engages, if it holds where it does."""
    system = made.at.system
    rows = np.arange(len(system.row_names))[system.constraint_slices.get(name, slice(0, 0))]
    off = made.at.phi[rows[rows < len(made.at.phi)]]
    size = max(1.0, float(np.max(np.abs(q), initial=0.0)))
    if len(off) and np.max(np.abs(off)) > FAR * size:
        raise InconsistentError(
            f"Engage({name!r}): the constraint is off by {np.max(np.abs(off)):.3g}. Engage it"
            " where it holds: at an event of its own formula."
        )
    if not len(rows):  # a force, or a one-sided constraint: nothing jumps
        return Happening(t, "engage", name)
    before, impulse = _size(made.at.phi_dot[rows]), _size(made.impulse[rows])
    return Happening(t, "engage", name, "", before, 0.0, impulse)


def _size(rows: np.ndarray) -> float:
    """The entry of one row, the length of several."""
    return float(rows[0]) if len(rows) == 1 else float(np.linalg.norm(rows))
