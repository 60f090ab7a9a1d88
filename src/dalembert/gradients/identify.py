"""`identify`: parameters from measured data, with their confidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares
from scipy.stats import t as student

from dalembert.batch.given import name_of
from dalembert.errors import DalembertError, OptionError
from dalembert.gradients.of_runs import check_step, derivatives, sample_times
from dalembert.gradients.prepared import Prepared, prepared

Array = NDArray[np.float64]

BLIND = 1e-9
"""Smallest singular value of the scaled Jacobian, over the largest, of data that tell all apart."""

POLISH = 8
"""Steps of Gauss and Newton behind the search."""


@dataclass(frozen=True, repr=False)
class Identified:
    """Parameters that fit data best.

    Attributes
    ----------
    values : name -> value
    intervals : name -> (lower, upper), at the confidence asked for, from the curvature there
    covariance : (n, n)
    cost : half the sum of squared residuals, each over its sigma
    residuals : (samples, outputs): computed less measured
    jacobian : derivatives of the outputs, (samples, outputs, n)
    start_cost, start_gradient : at the values of the model
    evaluations : runs that were made
    confidence : part of cases in which the interval holds the truth
    """

    values: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    covariance: Array
    cost: float
    residuals: Array
    jacobian: Array
    start_cost: float
    start_gradient: Array
    evaluations: int
    confidence: float

    def __repr__(self) -> str:
        return f"Identified({', '.join(f'{k} = {x:.6g}' for k, x in self.values.items())})"

    def __str__(self) -> str:
        lines = []
        for name, value in self.values.items():
            low, high = self.intervals[name]
            lines.append(f"{name} = {value:.6g} ({self.confidence:.0%}: {low:.6g} to {high:.6g})")
        return "\n".join(lines)


class _Fit:
    """Residuals and their Jacobian as functions of the parameters."""

    def __init__(
        self, made: Prepared, samples: Array, measured: Array, sigma: Array, step: float
    ) -> None:
        self.made, self.samples, self.step = made, samples, step
        self.measured, self.sigma = measured, sigma
        self.there = np.isfinite(measured)
        self.runs = 0
        self._last: tuple[bytes, Array, Array | None] | None = None

    def _look(self, x: Array, slopes: bool) -> tuple[Array, Array | None]:
        key = np.asarray(x, dtype=float).tobytes()
        if self._last is None or self._last[0] != key or (slopes and self._last[2] is None):
            run, first = self.made.run(np.asarray(x, dtype=float), self.samples, self.step)
            self.runs += 1
            found = derivatives(self.made, run, first, "forward") if slopes else None
            self._last = key, run.values, found
        return self._last[1], self._last[2]

    def residuals(self, x: Array) -> Array:
        values, _ = self._look(x, False)
        return np.asarray(((values - self.measured) / self.sigma)[self.there])

    def trial(self, x: Array) -> Array:
        """Residuals of a trial of the search; infinite where there is no run, so it goes back."""
        try:
            return self.residuals(x)
        except DalembertError:
            return np.full(int(self.there.sum()), np.inf)

    def jacobian(self, x: Array) -> Array:
        _, slopes = self._look(x, True)
        assert slopes is not None
        return np.asarray((slopes / self.sigma[..., None])[self.there])


def identify(
    model: Any,
    data: Mapping[Any, Any],
    parameters: Sequence[Any],
    *,
    at: Any,
    sigma: Any = None,
    bounds: Mapping[Any, tuple[float, float]] | None = None,
    confidence: float = 0.95,
    step: float | None = None,
    start: float = 0.0,
    initial: Any = None,
    controls: Mapping[Any, Any] | None = None,
    hold: Sequence[Any] = (),
) -> Identified:
    """Parameters, initial values or controls with which a run fits data best, by least squares.

    Parameters
    ----------
    data : {signal: numbers}, one for each moment; NaN where nothing was measured
    parameters : what is looked for, by name or formula; the search begins at the model's own values
    at : moments of the data  [s]
    sigma : {signal: standard deviation}, to weigh signals of different kinds; by default all alike
    bounds : {parameter: (lowest, highest)}
    confidence : of the intervals
    step, initial, controls, hold : as in `sensitivity`

    Returns
    -------
    Identified              values, intervals, covariance, residuals

    Raises
    ------
    OptionError             data that cannot tell the parameters apart, by their names

    Examples
    --------
    >>> import dalembert as dl, numpy as np
    >>> (x,), (k,) = dl.coordinates("x"), dl.parameters(k=3.0)
    >>> model = dl.Model.from_lagrangian(
    ...     kinetic=x.dot**2 / 2, potential=k * x**2 / 2, coordinates=[x], initial={x: 1.0})
    >>> times = np.linspace(0.1, 3.0, 30)
    >>> found = dl.identify(model, {x: np.cos(2.0 * times)}, [k], at=times)
    >>> round(found.values["k"], 8)
    4.0
    """
    who = "identify"
    samples = sample_times(who, None, at, start)
    names = [name if isinstance(name, str) else name_of(name) for name in data]
    measured = _measured(who, names, data, len(samples))
    made = prepared(
        who,
        model,
        list(data),
        list(parameters),
        initial=initial,
        controls=controls,
        hold=hold,
        start=start,
    )
    if not 0.0 < confidence < 1.0:
        raise OptionError(f"{who}: confidence is {confidence!r}. Give a number such as 0.95.")
    x = made.own_point
    length = step if step is not None else made.step_for(x, samples)
    check_step(who, length)
    fit = _Fit(made, samples, measured, _sigma(who, names, sigma), float(length))
    if int(fit.there.sum()) <= len(x):
        raise OptionError(
            f"{who}: {int(fit.there.sum())} numbers are too few for {len(x)} parameters."
        )
    lowest, highest = _bounds(who, made, bounds)
    jacobian, residuals = fit.jacobian(x), fit.residuals(x)
    beginning = 0.5 * float(residuals @ residuals), np.asarray(jacobian.T @ residuals)
    found = _search(fit, x, lowest, highest)
    return _report(fit, found, beginning, confidence)


def _search(fit: _Fit, x: Array, lowest: Array, highest: Array) -> Array:
    """Levenberg and Marquardt's search within the bounds, then Gauss and Newton's steps."""
    found = least_squares(
        fit.trial,
        x,
        jac=fit.jacobian,
        bounds=(lowest, highest),
        x_scale="jac",
        ftol=1e-15,
        xtol=1e-15,
        gtol=1e-15,
    )
    x = np.asarray(found.x)
    for _ in range(POLISH):
        jacobian, residuals = fit.jacobian(x), fit.residuals(x)
        way = -np.linalg.lstsq(jacobian, residuals, rcond=None)[0]
        new = np.clip(x + way, lowest, highest)
        if not 0.5 * np.sum(fit.trial(new) ** 2) <= 0.5 * np.sum(residuals**2) * (1 + 1e-12):
            break
        if np.max(np.abs(new - x)) <= 1e-15 * np.max(np.abs(x)):
            break
        x = new
    return x


def _report(fit: _Fit, x: Array, beginning: tuple[float, Array], confidence: float) -> Identified:
    made = fit.made
    J, r = fit.jacobian(x), fit.residuals(x)
    cost = 0.5 * float(r @ r)
    labels = [v.label for v in made.variables]
    _refuse_blind(J, labels)
    count = len(r) - len(x)
    covariance = 2.0 * cost / count * np.linalg.inv(J.T @ J)
    wide = float(student.ppf(0.5 + 0.5 * confidence, count)) * np.sqrt(np.diag(covariance))
    values, slopes = fit._look(x, True)
    assert slopes is not None
    return Identified(
        values=dict(zip(labels, map(float, x), strict=True)),
        intervals={
            n: (float(a - w), float(a + w)) for n, a, w in zip(labels, x, wide, strict=True)
        },
        covariance=np.asarray(covariance, dtype=float),
        cost=cost,
        residuals=values - fit.measured,
        jacobian=slopes,
        start_cost=beginning[0],
        start_gradient=beginning[1],
        evaluations=fit.runs,
        confidence=confidence,
    )


def _refuse_blind(J: Array, labels: list[str]) -> None:
    """Refuse data in which a combination of parameters cannot be seen."""
    sizes = np.linalg.norm(J, axis=0)
    blind = [name for name, size in zip(labels, sizes, strict=True) if size == 0.0]
    if not blind:
        _, values, ways = np.linalg.svd(J / sizes)
        if values[-1] > BLIND * values[0]:
            return
        blind = [n for n, w in zip(labels, ways[-1], strict=True) if abs(w) > 0.1]
    raise OptionError(
        f"identify: the data cannot tell {' and '.join(blind)} apart: another choice of them fits"
        " as well. Measure something else, or leave one of them out."
    )


def _measured(who: str, names: Sequence[str], data: Mapping[Any, Any], count: int) -> Array:
    if not isinstance(data, Mapping) or not data:
        raise OptionError(f"{who}: data is {{signal: numbers}}, one for each moment.")
    columns = []
    for name, given in zip(names, data.values(), strict=True):
        found = np.asarray(given, dtype=float)
        if found.shape != (count,):
            raise OptionError(
                f"{who}: data of {name!r} has the shape {found.shape}, but there are {count}"
                " moments."
            )
        columns.append(found)
    return np.stack(columns, axis=1)


def _sigma(who: str, names: Sequence[str], given: Any) -> Array:
    if given is None:
        return np.ones((1, len(names)))
    known = {k if isinstance(k, str) else name_of(k): float(x) for k, x in given.items()}
    if set(known) != set(names) or not all(0.0 < x < np.inf for x in known.values()):
        raise OptionError(f"{who}: sigma needs one positive number for each of {', '.join(names)}.")
    return np.array([[known[name] for name in names]])


def _bounds(who: str, made: Prepared, given: Any) -> tuple[Array, Array]:
    lowest = np.full(len(made.variables), -np.inf)
    highest = -lowest
    labels = [v.label for v in made.variables]
    for key, (low, high) in (given or {}).items():
        name = key if isinstance(key, str) else name_of(key)
        if name not in labels or not low < high:
            raise OptionError(
                f"{who}: bounds of {name!r} are ({low!r}, {high!r}). Give (lowest, highest) for"
                f" some of {', '.join(labels)}."
            )
        lowest[labels.index(name)], highest[labels.index(name)] = low, high
    return lowest, highest
