"""References for an answer: a closed form, an array, another solution, or a finer run."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.errors import DalembertError, OptionError
from dalembert.model import Model
from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]
Reference = Callable[[float], ArrayLike] | Solution | ArrayLike

TIGHT, TIGHTER = 1e-12, 1e-13
"""Tolerances of the adaptive reference runs; error control works no tighter in double precision."""

FINE, FINER = 2, 4
"""Step divisors of the fixed-step reference runs."""

CLOSE = 1e-9
"""Adaptive runs that agree to this, relative to the coordinates, need no further witness."""


@dataclass(frozen=True)
class Trusted:
    """A reference run, and by how much the nearest independent run differs from it."""

    solution: Solution | None
    label: str
    uncertainty: float | None = None


def trusted_run(
    model: Model,
    times: Array,
    step: float,
    every: int,
    *,
    initial: Any,
    parameters: Mapping[str, float] | None,
    progress: bool | None = None,
) -> Trusted:
    """The reference when none is given: the finer of the two runs that agree best.

    A finer run is not always a better one: near a singular position a smaller step comes closer
    to it, and error control may lose its way. So several runs are made, Dormand-Prince of order 8
    with tolerances 1e-12 and 1e-13 and, unless these agree to 1e-9, RK4 with a half and a quarter
    of the smallest step compared, by projection and by Braun-Goldfarb. The pair with the smallest
    difference (and different integrator or step, since equal ones share their error) is believed;
    that difference is the uncertainty of the reference.

    Parameters
    ----------
    times : ndarray     moments at which it will be read  [s]
    step, every         smallest step compared [s], and how often it is recorded
    """
    given: dict[str, Any] = {
        "start": float(times[0]),
        "until": float(times[-1]),
        "initial": initial,
        "parameters": None if parameters is None else dict(parameters),
        "progress": progress,
    }
    runs = _adaptive_runs(model, times, given)
    pair = _closest(runs, times)
    if pair is None or pair[2] > CLOSE * pair[0].size:
        runs += _fixed_runs(model, step, every, given)
        pair = _closest(runs, times)
    if pair is None:
        reason = runs[-1].reason if runs else "no run was made"
        return Trusted(None, f"the reference runs failed: {reason}")
    best, _, difference = pair
    return Trusted(
        best.solution, f"{best.label} (itself uncertain by {difference:.0e})", difference
    )


@dataclass(frozen=True)
class _Candidate:
    label: str
    resolution: tuple[str, float]
    fineness: int
    solution: Solution | None
    reason: str = ""

    @property
    def size(self) -> float:
        return float(np.max(np.abs(self.solution.q))) if self.solution is not None else 0.0


def _adaptive_runs(model: Model, times: Array, given: dict[str, Any]) -> list[_Candidate]:
    from dalembert.enforcement.projection import Projection
    from dalembert.integration.dormand_prince import DormandPrince

    return [
        _candidate(
            f"a run of DormandPrince(order=8) with tolerances {tolerance:g}",
            ("adaptive", tolerance),
            fineness,
            model,
            method=Projection(norm="mass"),
            integrator=DormandPrince(order=8, rtol=tolerance, atol=tolerance),
            times=times.tolist(),
            **given,
        )
        for tolerance, fineness in ((TIGHTER, 3), (TIGHT, 2))
    ]


def _fixed_runs(model: Model, step: float, every: int, given: dict[str, Any]) -> list[_Candidate]:
    from dalembert.enforcement.braun_goldfarb import BraunGoldfarb
    from dalembert.enforcement.projection import Projection
    from dalembert.integration.rk4 import RK4

    return [
        _candidate(
            f"a run of RK4 with {type(method).__name__} and step {step / divisor:g} s",
            ("fixed", step / divisor),
            fineness,
            model,
            method=method,
            integrator=RK4(),
            step=step / divisor,
            every=divisor * every,
            **given,
        )
        for divisor, fineness in ((FINER, 1), (FINE, 0))
        for method in (Projection(norm="mass"), BraunGoldfarb())
    ]


def _candidate(
    label: str, resolution: tuple[str, float], fineness: int, model: Model, **options: Any
) -> _Candidate:
    from dalembert.simulation.simulate import simulate

    try:
        return _Candidate(label, resolution, fineness, simulate(model, **options))
    except DalembertError as problem:
        return _Candidate(label, resolution, fineness, None, str(problem))


def _closest(runs: list[_Candidate], times: Array) -> tuple[_Candidate, _Candidate, float] | None:
    """The two runs of different resolution that differ least, the finer one first."""
    series = [
        (run, _from_solution(run.solution, times, None)) for run in runs if run.solution is not None
    ]
    pairs = [
        (a, b, float(np.max(np.abs(qa - qb))))
        for (a, qa), (b, qb) in itertools.combinations(series, 2)
        if a.resolution != b.resolution
    ]
    if not pairs:
        return None
    a, b, difference = min(pairs, key=lambda pair: pair[2])
    return (a, b, difference) if a.fineness >= b.fineness else (b, a, difference)


def described(reference: Reference | None, label: str, signal: Any) -> str:
    """Meaning of the error column, in words."""
    if reference is None:
        return f"not measured, {label}"
    scope = "any coordinate" if signal is None else str(signal)
    return f"largest difference in {scope} from {label}"


def largest_error(solution: Solution, reference: Reference, signal: Any = None) -> float:
    """Largest |signal - reference| over the recorded samples; all coordinates when no signal."""
    series = _columns(solution.q if signal is None else solution[signal])
    wanted = _reference_series(reference, solution, signal)
    if wanted.shape != series.shape:
        raise OptionError(
            f"compare: the reference has shape {wanted.shape}, the solution {series.shape}"
            " (samples, values). Give one value for each, or name a `signal`."
        )
    if not len(series):
        return float("nan")
    return float(np.max(np.abs(series - wanted)))


def _reference_series(reference: Reference, solution: Solution, signal: Any) -> Array:
    if isinstance(reference, Solution):
        return _columns(_from_solution(reference, solution.t, signal))
    if callable(reference):
        return _columns(np.array([np.asarray(reference(t), dtype=float) for t in solution.t]))
    return _columns(np.asarray(reference, dtype=float))


def _from_solution(reference: Solution, t: Array, signal: Any) -> Array:
    """Reference at moments t: its own samples where they coincide, else interpolated."""
    if not len(reference.t):
        raise OptionError("compare: nothing was recorded of the reference. Record its steps.")
    inside = t[t <= reference.t[-1] * (1 + 1e-12)]
    if len(inside) < len(t):
        raise OptionError(
            f"compare: the reference ends at {reference.t[-1]:g} s, before the solution"
            f" ({t[-1]:g} s). Run the reference to the same end."
        )
    index = np.clip(np.searchsorted(reference.t, t), 0, len(reference.t) - 1)
    before = np.maximum(index - 1, 0)
    nearer = np.abs(reference.t[before] - t) < np.abs(reference.t[index] - t)
    index = np.where(nearer, before, index)
    spacing = np.finfo(float).eps * 64 * max(1.0, float(np.max(np.abs(t))))
    if np.all(np.abs(reference.t[index] - t) <= spacing):
        series = reference.q if signal is None else reference[signal]
        return series[index]
    if signal is None:
        return reference.at(t)[0]
    return reference.sampled(signal, t)


def _columns(series: Array) -> Array:
    return series[:, None] if series.ndim == 1 else series
