"""Options of a run: documented defaults, and what cannot be meant."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.enforcement import METHODS, ContactImpulse, Projection
from dalembert.enforcement.protocol import Method
from dalembert.errors import DoubtfulWarning, OptionError
from dalembert.formulas import Expression
from dalembert.integration import INTEGRATORS, RK4, DormandPrince
from dalembert.integration.dormand_prince import DEFAULT_RTOL
from dalembert.integration.protocol import Integrator
from dalembert.model.core.model import Model
from dalembert.model.one_sided.rows import hard_only
from dalembert.simulation.prepare.events import Event
from dalembert.simulation.prepare.modes import with_mode

INITIAL_LIMIT = 0.1
"""How far the initial position is moved by default, over the largest coordinate or 1."""


def model_with(model: Any, parameters: Mapping[Any, float] | None, what: str) -> Model:
    """The model with other values of its parameters; refuses what is no model."""
    if not isinstance(model, Model):
        raise OptionError(
            f"{what}: {model!r} is not a model. Give a dl.Model, dl.load(path) or "
            "dl.catalog.load(name)."
        )
    return model if parameters is None else model.with_parameters(**by_name(parameters))


def choose(
    method: Method | None,
    integrator: Integrator | None,
    step: float | None,
    model: Model,
    *,
    mode: str = "stepping",
    tolerances: tuple[float | None, float | None] = (None, None),
) -> tuple[Method, Integrator]:
    """Documented defaults; `tolerances`: rtol and atol."""
    if method is None:
        method = ContactImpulse() if hard_only(model) else Projection()
    for value, kind, table in (
        (method, Method, "dl.BraunGoldfarb()"),
        (integrator, Integrator, "dl.RK4()"),
    ):
        if value is not None and not isinstance(value, kind):
            what = "a method" if kind is Method else "an integrator"
            shown = f"the class {value.__name__}" if isinstance(value, type) else f"{value!r:.60}"
            if isinstance(value, type) and issubclass(value, kind):
                table = f"{value.__name__}(), with brackets"
            elif isinstance(value, str) and value in METHODS | INTEGRATORS:
                table = f"dl.{(METHODS | INTEGRATORS)[value].__name__}()"
            raise OptionError(f"{shown} is not {what}. Give an object such as {table}.")
    _tell_unknown(method, model)
    _check_tolerances(*tolerances)
    method = with_mode(mode, method, integrator, step, model)
    own = method.impulses and method.advance is not None and step is None and integrator is None
    if any(x is not None for x in tolerances) and not own:
        return method, _within(tolerances, method, integrator, step)
    if integrator is None:
        own_steps = step is None and method.advance is None
        integrator = DormandPrince() if own_steps or method.locates else RK4()
    elif method.steps_itself(integrator) and not method.goes_between(integrator):
        raise OptionError(
            f"{type(method).__name__} brings its own time discretisation and cannot be combined "
            f"with {type(integrator).__name__}. Leave the integrator out."
        )
    return method, integrator


def _check_tolerances(rtol: Any, atol: Any) -> None:
    """Refuse tolerances that are none."""
    number = (int, float, np.number)
    if rtol is not None and not (isinstance(rtol, number) and 1e-14 <= rtol < 1.0):
        raise OptionError(
            f"simulate: rtol is {rtol!r}. Give a number from 1e-14 to 1, for example 1e-6."
        )
    if atol is not None and not (isinstance(atol, number) and 0.0 < atol < math.inf):
        raise OptionError(f"simulate: atol is {atol!r}. Give a positive number, for example 1e-6.")


def _within(
    tolerances: tuple[float | None, float | None],
    method: Method,
    integrator: Integrator | None,
    step: float | None,
) -> Integrator:
    """The integrator of given tolerances."""
    if integrator is not None or step is not None or method.advance is not None:
        if integrator is not None and hasattr(integrator, "rtol"):
            kind = type(integrator).__name__
            raise OptionError(
                f"simulate: {kind} has tolerances of its own. Give them there:"
                f" integrator=dl.{kind}(rtol=1e-9), or leave `integrator` out."
            )
        what = "for a fixed step. Leave `step` out, or leave them out"
        if integrator is not None:
            what = f"for {type(integrator).__name__}. Leave them out, or leave `integrator` out"
        elif step is None:
            what = f"for {type(method).__name__}, which takes steps of its own. Leave them out"
        raise OptionError(
            f"simulate: rtol and atol are for runs that choose their steps, not {what}."
        )
    rtol, atol = tolerances
    return DormandPrince(rtol=DEFAULT_RTOL if rtol is None else rtol, atol=atol)


def _tell_unknown(method: Method, model: Model) -> None:
    """Warn of what is in the model and the method does not know."""
    unknown = [] if method.impulses else hard_only(model)
    if unknown:
        warnings.warn(
            f"model '{model.name}': {type(method).__name__} does not know {'; '.join(unknown)}: "
            "the run is without them. Use method=dl.ContactImpulse(), the default.",
            DoubtfulWarning,
            stacklevel=4,
        )


def check_options(
    until: float,
    start: float,
    step: float | None,
    every: int | None,
    times: Any,
    on_failure: str,
    integrator: Integrator,
    method: Method,
) -> None:
    """Refuse times, steps and ways to record that cannot be meant."""
    for name, value in (("until", until), ("start", start)):
        if not isinstance(value, (int, float, np.number)) or not math.isfinite(value):
            raise OptionError(f"simulate: {name} is {value!r}. Give a finite time in seconds.")
    if not until > start:
        raise OptionError(
            f"simulate: until ({until:g} s) is not after start ({start:g} s). Give a later end."
        )
    adaptive = integrator.finds_steps(method)
    if step is not None:
        if adaptive:
            raise OptionError(
                f"simulate: {type(integrator).__name__} chooses its own step. Leave `step` out, "
                "or give first_step / max_step to the integrator."
            )
        if not isinstance(step, (int, float, np.number)) or not 0 < step < math.inf:
            raise OptionError(f"simulate: step is {step!r}. Give a positive time in seconds.")
        if step > until - start:
            raise OptionError(
                f"simulate: step {step:g} s is longer than the whole run of {until - start:g} s. "
                "Give a smaller step."
            )
        if (until - start) / step > 2**53:
            raise OptionError(
                f"simulate: step {step:g} s is too small for a run of {until - start:g} s: "
                "time could not advance. Give a larger step."
            )
    elif not adaptive:
        name = type(method if method.steps_itself(integrator) else integrator).__name__
        raise OptionError(f"simulate: {name} needs a fixed step. Give step=..., in seconds.")
    if every is not None and (not isinstance(every, (int, np.integer)) or every < 1):
        raise OptionError(f"simulate: every is {every!r}. Give a whole number of steps, 1 or more.")
    if every is not None and times is not None:
        raise OptionError("simulate: `every` and `times` exclude one another. Give one of them.")
    if on_failure not in ("raise", "return"):
        raise OptionError(f"simulate: on_failure is {on_failure!r}. Give 'raise' or 'return'.")


def by_name(parameters: Any) -> dict[str, float]:
    """Values by name; parameters themselves may be the keys, as coordinates may in `initial`."""
    if not isinstance(parameters, Mapping):
        raise OptionError(
            f"simulate: parameters is {parameters!r}. Give a dict of values, such as {{'l': 2.0}}."
        )
    values: dict[str, float] = {}
    for key, value in parameters.items():
        name = key.name if isinstance(key, Expression) and key.op == "parameter" else key
        if not isinstance(name, str):
            raise OptionError(
                f"simulate: parameters: the key {key!r} is neither a parameter nor a name. "
                "Write for example {'l': 2.0}."
            )
        if name in values:
            raise OptionError(f"simulate: parameters: {name!r} is given twice. Give it once.")
        values[name] = value
    return values


def check_limit(limit: Any) -> None:
    """Refuse a limit of the way to the start that is none."""
    if not isinstance(limit, (int, float, np.number)) or not limit >= 0:
        raise OptionError(
            f"simulate: initial_limit is {limit!r}. Give a number, 0 or more (0.1 by default)."
        )


def check_events(events: Any) -> None:
    """Refuse what is no list of events."""
    if isinstance(events, Event):
        raise OptionError("simulate: events takes a list. Write events=[dl.Event(...)].")
    if isinstance(events, str) or not isinstance(events, Sequence):
        raise OptionError(f"simulate: events is {events!r}. Give a list such as [dl.Event(x)].")
    for i, event in enumerate(events):
        if not isinstance(event, Event):
            raise OptionError(
                f"simulate: events[{i}] is {event!r}, not an Event. Write dl.Event(formula) with "
                "a formula of the model's coordinates."
            )


def read_times(times: Any, start: float, until: float) -> list[float]:
    """The moments as numbers, moved onto the ends of the run where they miss them by rounding."""
    try:
        moments = np.array(times, dtype=float)
    except (TypeError, ValueError):
        moments = np.empty(0)
    if moments.ndim != 1 or not len(moments):
        raise OptionError(
            f"simulate: times is {times!r}. Give a list of moments in seconds, such as [0.5, 1.0]."
        )
    slack = 1e-9 * max(abs(start), abs(until), until - start)
    low = (moments < start) & (moments >= start - slack)
    high = (moments > until) & (moments <= until + slack)
    return list(np.where(low, start, np.where(high, until, moments)))
