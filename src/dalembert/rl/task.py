"""Descriptions of environments, read and checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.describe import formulas_of, whole
from dalembert.batch.given import name_of
from dalembert.errors import OptionError
from dalembert.formulas import Condition, Expression
from dalembert.formulas.expression import lift
from dalembert.formulas.node import Node
from dalembert.model.core.model import Model
from dalembert.simulation.prepare.controllers import commanded
from dalembert.simulation.prepare.time_formulas import has_time

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Task:
    """A model, and what is done with it.

    Attributes
    ----------
    who : the function that was called, for messages
    step, every : length of a step of the run [s], steps from action to action
    actions : actuators or parameters, as given; names, low and high beside them
    choices : their values, a row for each choice; None where actions are continuous
    observations : formulas by name; their low and high
    reward, endings : formulas and conditions
    most : actions until an episode is truncated; 0: it is not
    """

    who: str
    model: Model
    step: float
    every: int
    actions: tuple[Any, ...]
    names: tuple[str, ...]
    low: Array
    high: Array
    choices: Array | None
    observations: dict[str, Expression]
    bounds: tuple[Array, Array]
    reward: Expression
    endings: tuple[Node, ...]
    most: int
    depends_on_time: bool

    @property
    def interval(self) -> float:
        """Time from action to action  [s]."""
        return self.step * self.every

    def has_rows(self, velocities: int) -> bool:
        """Whether a run with so many velocities has constraints to keep.

        Along a tree without loops as many are left as the rows of all joints leave.
        """
        model = self.model
        return model.row_count > (6 * len(model.bodies) - velocities if model.is_maximal else 0)


def read_task(
    who: str,
    model: Model,
    *,
    step: float,
    every: int,
    actions: Any,
    observations: Any,
    reward: Any,
    terminate: Any,
    truncate: float | None,
) -> Task:
    """The task that is described; what cannot be is refused."""
    if not isinstance(model, Model):
        raise OptionError(f"{who}: {model!r:.60} is no model.")
    whole(who, every=every)
    given, low, high, choices = _actions(who, actions)
    acting, _ = commanded(model, who, given)
    seen, bounds = _observations(who, model, observations)
    return Task(
        who=who,
        model=model,
        step=float(_positive(who, "step", step)),
        every=int(every),
        actions=tuple(given),
        names=tuple(map(name_of, given)),
        low=low,
        high=high,
        choices=choices,
        observations=seen,
        bounds=bounds,
        reward=_reward(who, model, reward),
        endings=_endings(who, model, terminate),
        most=_most(who, truncate, float(step) * every),
        depends_on_time=has_time(acting),
    )


def _positive(who: str, what: str, number: Any) -> float:
    good = isinstance(number, int | float | np.number) and not isinstance(number, bool)
    if not good or not 0 < number < math.inf:
        raise OptionError(f"{who}: {what} is {number!r:.60}. Give a length of time in seconds.")
    return float(number)


def _most(who: str, truncate: Any, interval: float) -> int:
    if truncate is None:
        return 0
    return max(1, math.ceil(_positive(who, "truncate", truncate) / interval - 1e-9))


def _actions(who: str, actions: Any) -> tuple[list[Any], Array, Array, Array | None]:
    """Actuators, the bounds of what they are told, and the choices where these are discrete."""
    if isinstance(actions, list | tuple):
        given, table = _choices(who, actions)
        return given, table.min(axis=0), table.max(axis=0), table
    if not isinstance(actions, Mapping) or not actions:
        raise OptionError(
            f"{who}: actions is {actions!r:.60}. Give {{actuator: (low, high)}}, one at least; or"
            " a list of choices, each {actuator: value}."
        )
    pairs = [_pair(who, f"action {name_of(key)!r}", pair) for key, pair in actions.items()]
    for key, (low, high) in zip(actions, pairs, strict=True):
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise OptionError(
                f"{who}: action {name_of(key)!r} lies between {low:g} and {high:g}. Give finite"
                " bounds, the lower one first."
            )
    table = np.array(pairs)
    return list(actions), table[:, 0].copy(), table[:, 1].copy(), None


def _choices(who: str, actions: Any) -> tuple[list[Any], Array]:
    """Actuators, and what each choice tells them."""
    first = actions[0] if actions and isinstance(actions[0], Mapping) else {}
    good = len(actions) > 1 and bool(first)
    good = good and all(isinstance(x, Mapping) and set(x) == set(first) for x in actions)
    try:
        table = np.array([[float(one[key]) for key in first] for one in actions]) if good else None
    except (TypeError, ValueError):
        table = None
    if table is None or not np.isfinite(table).all():
        raise OptionError(
            f"{who}: actions is {actions!r:.60}. Give two choices or more, each {{actuator: value}}"
            " for the same actuators, such as [{'push': -10}, {'push': 10}]."
        )
    return list(first), table


def _pair(who: str, what: str, pair: Any) -> tuple[float, float]:
    try:
        low, high = map(float, pair)
    except (TypeError, ValueError):
        raise OptionError(f"{who}: {what} is {pair!r:.60}. Give (low, high).") from None
    return low, high


def _observations(
    who: str, model: Model, given: Any
) -> tuple[dict[str, Expression], tuple[Array, Array]]:
    """Formulas by name, and their bounds."""
    if isinstance(given, str | Expression):
        given = [given]
    pairs = [(-math.inf, math.inf)] * len(given or ())
    if isinstance(given, Mapping):
        pairs = [_pair(who, f"observation {name_of(key)!r}", x) for key, x in given.items()]
    found: dict[str, Expression] = {}
    for one in given or ():
        found |= formulas_of(who, "observations", model, [one])
    if not found or len(found) != len(pairs):
        raise OptionError(
            f"{who}: observations is {given!r:.60}. Give names or formulas, each once, or"
            " {name: (low, high)}."
        )
    table = np.array(pairs)
    return found, (table[:, 0].copy(), table[:, 1].copy())


def _reward(who: str, model: Model, given: Any) -> Expression:
    if isinstance(given, str):
        return formulas_of(who, "reward", model, [given])[given]
    try:
        found = lift(given)
    except Exception:
        found = None
    if not isinstance(found, Expression):
        raise OptionError(
            f"{who}: reward is {given!r:.60}. Give a formula of observations, actions"
            " (dl.rl.action) and dl.time, or a number."
        )
    return found


def _endings(who: str, model: Model, given: Any) -> tuple[Node, ...]:
    """Conditions that end an episode, and formulas that end it where they are negative."""
    if given is None:
        return ()
    found: list[Node] = []
    for one in given if isinstance(given, list | tuple) else [given]:
        if isinstance(one, str):
            one = formulas_of(who, "terminate", model, [one])[one]
        if not isinstance(one, Condition | Expression):
            raise OptionError(
                f"{who}: terminate is {one!r:.60}. Give a condition such as abs(hinge.angle) > 0.2,"
                " or a formula that is negative where an episode ends."
            )
        found.append(one)
    return tuple(found)
