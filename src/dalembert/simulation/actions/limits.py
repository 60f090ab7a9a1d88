"""Forces that reach their limits: looked at between chunks of a run, then located in time.

Where a force of a sample is beyond its limit, the run from the sample before is made again up to
moments between, until the force is at the limit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.model.basics.constraint import ConstraintForce
from dalembert.model.core.model import Model
from dalembert.simulation.actions.part import Part
from dalembert.simulation.hybrid.locate import root
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.results.solution import Solution

MOST_SAMPLES = 4096
"""Samples at a time."""

FINE = 1e-12
"""Part of the limit by which a force may miss it."""

BELOW = 1e-9
"""Part of the limit by which a force that has reached it must fall short of it to reach it anew."""


class BeyondError(Exception):
    """A force is beyond its limit at a sample: which one, and its number."""

    def __init__(self, event: Event, sample: int) -> None:
        super().__init__(event.label)
        self.event, self.sample = event, sample


class Watch:
    """Looks at the samples of a part between chunks."""

    most_samples = MOST_SAMPLES

    def __init__(self, events: Sequence[Event], fired: Sequence[Event] = ()) -> None:
        self.events, self.seen = tuple(events), 0
        self.reached = [event in fired for event in events]  # and not been below since
        self.part: Part | None = None

    def between(self, run: Any) -> None:
        """Look at what is new; raises `BeyondError`."""
        if self.part is not None and self.part.run is run:
            self.look()

    def look(self) -> None:
        """Look at samples that were not seen yet."""
        assert self.part is not None
        count = self.part.run.clock.samples
        own = self.part.setup.method.own_multipliers  # they are known from the second sample on
        if count <= max(self.seen, int(own)):
            return
        solution = self.part.solution(self.seen, count)
        first: tuple[int, int] | None = None
        for k, event in enumerate(self.events):
            beyond = self._beyond(k, excess(solution, event))
            if beyond is not None and (first is None or beyond < first[0]):
                first = beyond, k
        if first is not None:
            raise BeyondError(self.events[first[1]], self.seen + first[0])
        self.seen = count

    def _beyond(self, k: int, over: np.ndarray) -> int | None:
        """Number of the first sample at which a force is beyond its limit, and was not before."""
        first = 0
        if self.reached[k]:
            below = np.flatnonzero(over < -BELOW * float(self.events[k].limit or 0.0))
            if not len(below):
                return None
            first, self.reached[k] = int(below[0]), False
        found = np.flatnonzero(over[first:] >= 0.0)
        return first + int(found[0]) if len(found) else None


def check(model: Model, event: Event) -> None:
    """Refuse a force that the model does not have."""
    name = _name(event)
    owner, _, part = name.rpartition(".")
    known = [*model.joints, *(constraint.name for constraint in model.constraints)]
    if part not in ("force", "torque") or owner not in known:
        raise OptionError(
            f"Event: {name!r} is no force of model {model.name!r}. Give the force of a joint or"
            f" constraint, such as {known[0] + '.force' if known else 'link.force'!r}."
        )
    if part == "torque" and owner not in model.joints:
        raise OptionError(f"Event: {owner!r} is a constraint and has no torque. Give its force.")


def _name(event: Event) -> str:
    return repr(event.formula) if isinstance(event.formula, ConstraintForce) else event.formula


def excess(solution: Solution, event: Event) -> np.ndarray:
    """Size of the force less its limit, at the samples; -limit where the constraint is not there.

    Of a joint the force (or torque) of its reaction, of a constraint its multipliers.
    """
    owner, _, part = _name(event).rpartition(".")
    assert event.limit is not None
    if owner not in solution.constraint_slices and owner not in solution.model.joints:
        return np.full(len(solution.t), -event.limit)
    if owner in solution.model.joints and solution.model.is_maximal:
        rows = np.asarray(getattr(solution.reaction(owner), part))
    else:
        rows = np.asarray(solution[f"{owner}.force"]).reshape(len(solution.t), -1)
    return np.asarray(np.linalg.norm(rows, axis=1) - event.limit)


def locate(
    event: Event, a: float, fa: float, b: float, fb: float, to: Callable[[float], Part]
) -> Part:
    """The part that ends where a force reaches its limit, between the moments a and b.

    `to`: a part from a up to a moment.
    """
    assert event.limit is not None
    made: dict[float, Part] = {}

    def within(s: float) -> float:
        t = a + s * (b - a)
        if t not in made:
            made[t] = to(t)
        value = float(excess(made[t].solution(), event)[-1])
        return 0.0 if abs(value) <= FINE * float(event.limit or 0.0) else -value

    s = root(within, 0.0, -fa, 1.0, -fb)
    t = a + s * (b - a)
    return made.get(t) or to(t)
