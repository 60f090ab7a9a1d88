"""The model of a session with the constraints that act, ready for runs of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dalembert.model.core.model import Model
from dalembert.model.core.without_constraints import without
from dalembert.simulation.prepare.controllers import Bound, Controller
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.model_for_run import model_for_run
from dalembert.simulation.prepare.prepare import Built, Wanted, build
from dalembert.simulation.session.pull import pull_of
from dalembert.simulation.session.tunable import Knob, exposed


@dataclass
class Variant:
    """A model of a session with some of its constraints, ready to run.

    Attributes
    ----------
    given : Model       with controllers bound
    model : Model       with every number that can be turned as a parameter
    hand : who pulls
    events : those that would do something
    """

    given: Model
    model: Model
    knobs: tuple[Knob, ...]
    hand: Any
    bound: Bound | None
    wanted: Wanted
    built: Built
    events: tuple[Event, ...]


def variant_of(
    model: Model,
    released: frozenset[str],
    method: Any,
    integrator: Any,
    step: float | None,
    formulation: str,
    initial: Any,
    start: float,
    controllers: Sequence[Controller],
    events: tuple[Event, ...],
) -> Variant:
    """The variant of a model without what is released."""
    given, bound = model_for_run(without(model, released), method, step, controllers)
    turned, knobs = exposed(given)
    commanded = () if bound is None else bound.names
    hand = pull_of(turned)
    wanted = Wanted(
        method,
        integrator,
        step,
        formulation,
        initial,
        start,
        tuple(event.formula for event in events),
        controllers=bound,
    )
    free = tuple(knob for knob in knobs if knob.name not in commanded)
    return Variant(given, turned, free, hand, bound, wanted, build(hand.model, wanted), events)
