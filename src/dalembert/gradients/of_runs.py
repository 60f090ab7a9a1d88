"""`sensitivity`: derivatives of outputs of a run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.batch.given import name_of
from dalembert.errors import OptionError
from dalembert.gradients.pieces import Crossing
from dalembert.gradients.prepared import Prepared, prepared
from dalembert.gradients.result import Sensitivity
from dalembert.gradients.run import Run
from dalembert.gradients.start import Start
from dalembert.simulation.prepare import options

Array = NDArray[np.float64]

BACK = 3
"""Cost of an adjoint over that of a tangent: below it derivatives are taken forth."""


def sensitivity(
    model: Any,
    outputs: Any,
    with_respect_to: Sequence[Any],
    until: float | None = None,
    *,
    at: Any = None,
    step: float | None = None,
    start: float = 0.0,
    initial: Any = None,
    parameters: Mapping[Any, Any] | None = None,
    controls: Mapping[Any, Any] | None = None,
    events: Sequence[Any] = (),
    released: Sequence[str] = (),
    hold: Sequence[Any] = (),
    mode: str = "auto",
    method: Any = None,
    integrator: Any = None,
) -> Sensitivity:
    """Derivatives of outputs of a run: exact ones of the steps that are taken.

    Parameters
    ----------
    outputs : formulas, or names of signals, of the state at the samples
    with_respect_to : parameters, initial coordinates and velocities, controls, by name or formula
    until : float           end of the run, where outputs are looked at  [s]
    at : several such moments instead
    step : float            longest step; by default one by which outputs are known to 1e-11
    initial : as in `simulate`
    parameters : values other than the model's; arrays: many worlds, one for each entry
    controls : {parameter or actuator: numbers}, each held for an equal part of the run
    events : dl.Event; the run goes through them, with their actions, or ends there
    released : constraints that do not act at the start
    hold : coordinates that stay where they start when lengths change and a loop is closed again;
        those in `with_respect_to` are held anyway
    mode : "forward", "adjoint", or "auto": by the number of variables
    method, integrator : as in `simulate`, with a fixed step; `Projection` and `RK4` by default.
        `RadauIIA`, `Gauss` and `ImplicitMidpoint` are for stiff models

    Returns
    -------
    Sensitivity             values, derivatives, names

    Raises
    ------
    OptionError             shapes that touch, methods or integrators without a trace, unknown names
    SimulationError         an event that is only touched, or events without end

    Examples
    --------
    How the angle of a pendulum after 3 s depends on its length and on gravity:

    >>> import dalembert as dl, numpy as np
    >>> (theta,), (L, g) = dl.coordinates("theta"), dl.parameters(L=1.0, g=9.81)
    >>> model = dl.Model.from_lagrangian(
    ...     kinetic=L**2 * theta.dot**2 / 2, potential=-g * L * np.cos(theta),
    ...     coordinates=[theta], initial={theta: 1.0})
    >>> dl.sensitivity(model, [theta], [L, g], until=3.0).derivatives[0].round(6)
    array([[ 2.478113, -0.252611]])
    """
    who = "sensitivity"
    samples = sample_times(who, until, at, start)
    if mode not in ("auto", "forward", "adjoint"):
        raise OptionError(f"{who}: mode is {mode!r}. Give 'auto', 'forward' or 'adjoint'.")
    own, worlds = _worlds(who, parameters)
    model = options.model_with(model, own or None, who)
    asked = [*with_respect_to] if isinstance(with_respect_to, list | tuple) else with_respect_to
    made = prepared(
        who,
        model,
        outputs,
        asked,
        more=tuple(worlds),
        initial=initial,
        controls=controls,
        events=tuple(events),
        released=tuple(released),
        hold=hold,
        start=start,
        method=method,
        integrator=integrator,
    )
    x = made.own_point
    points = _points(made, worlds)
    length = step if step is not None else made.step_for(x, samples)
    check_step(who, length)
    found = _all(made, x, points, samples, float(length), mode)
    return _result(made, samples, found, float(length), bool(worlds))


def sample_times(who: str, until: Any, at: Any, start: float) -> Array:
    """Moments of the samples."""
    if (until is None) == (at is None):
        raise OptionError(f"{who}: give until=..., or at=[...] for several moments.")
    try:
        made = np.atleast_1d(np.asarray(until if at is None else at, dtype=float))
    except (TypeError, ValueError):
        raise OptionError(f"{who}: {at!r:.60} are no moments. Give numbers.") from None
    good = made.ndim == 1 and len(made) and np.all(np.isfinite(made)) and np.all(np.diff(made) > 0)
    if not good or made[0] < start or made[-1] <= start:
        raise OptionError(
            f"{who}: moments are finite, increasing and behind the start at {start:g} s."
        )
    return made


def check_step(who: str, step: Any) -> None:
    """Refuse a step that is none."""
    if isinstance(step, bool) or not isinstance(step, int | float) or not 0 < step < np.inf:
        raise OptionError(f"{who}: step is {step!r}. Give a length of time, for example 1e-3.")


def _worlds(who: str, parameters: Any) -> tuple[dict[str, float], dict[str, Array]]:
    """Parameters that are the same everywhere, and those of many worlds."""
    given = {name_of(k): np.asarray(x, dtype=float) for k, x in (parameters or {}).items()}
    many = {k: x for k, x in given.items() if x.ndim}
    if len({x.shape for x in many.values()}) > 1 or any(x.ndim != 1 for x in many.values()):
        raise OptionError(f"{who}: parameters of worlds have different lengths.")
    return {k: float(x) for k, x in given.items() if not x.ndim}, many


def _points(made: Prepared, worlds: Mapping[str, Array]) -> list[dict[str, float]]:
    if not worlds:
        return [{}]
    count = len(next(iter(worlds.values())))
    return [{name: float(x[k]) for name, x in worlds.items()} for k in range(count)]


def _all(
    made: Prepared, x: Array, points: list[dict[str, float]], samples: Array, step: float, mode: str
) -> list[tuple[Run, Array, str]]:
    """Runs of all worlds with their derivatives."""

    def one(point: dict[str, float]) -> tuple[Run, Array, str]:
        here = x.copy()
        for k, variable in enumerate(made.variables):
            if variable.kind == "parameter" and variable.name in point:
                here[k] = point[variable.name]
        kind = mode
        if mode == "auto":
            few = len(made.variables) <= BACK * len(samples) * len(made.signals)
            kind = "forward" if few else "adjoint"
        run, first = made.run(here, samples, step, point, kind == "adjoint")
        return run, derivatives(made, run, first, kind), kind

    if len(points) == 1:
        return [one(points[0])]
    first = one(points[0])  # compiles what is needed
    with ThreadPoolExecutor(min(os.cpu_count() or 1, len(points))) as pool:
        return [first, *pool.map(one, points[1:])]


def derivatives(made: Prepared, run: Run, first: Start, kind: str) -> Array:
    """Derivatives (samples, outputs, variables)."""
    if kind == "forward":
        return run.tangents(first.slopes(), made.variables, made.places)
    start = first.slopes()
    out = np.zeros((*run.values.shape, len(made.variables)))
    for index in np.ndindex(run.values.shape):
        weights = np.zeros(run.values.shape)
        weights[index] = 1.0
        out[index] = run.adjoints(weights, made.variables, made.places, start)
    return out


def _result(
    made: Prepared, samples: Array, found: list[tuple[Run, Array, str]], step: float, many: bool
) -> Sensitivity:
    def of(run: Run) -> tuple[Any, ...]:
        return tuple((p.name, p.moment) for p in run.pieces if isinstance(p, Crossing) and p.told)

    times = [
        np.r_[samples[:-1], samples[-1] if run.ended is None else run.ended] for run, _, _ in found
    ]
    values = [run.values for run, _, _ in found]
    slopes = [d for _, d, _ in found]
    names = tuple(made.signals), tuple(v.label for v in made.variables)
    if many:
        events = tuple(of(run) for run, _, _ in found)
        stacked = np.stack(times), np.stack(values), np.stack(slopes)
        return Sensitivity(*stacked, *names, found[0][2], step, events, made.contact)
    run, _, kind = found[0]
    own = times[0], values[0], slopes[0]
    return Sensitivity(*own, *names, kind, step, of(run), made.contact)
