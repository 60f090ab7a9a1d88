"""What an answer is compared with: a closed form, an array, another solution, or a finer run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.errors import DalembertError, OptionError
from dalembert.model import Model
from dalembert.simulation.solution import Solution

Array = NDArray[np.float64]
Reference = Callable[[float], ArrayLike] | Solution | ArrayLike

TIGHT = 1e-13
"""Tolerances of the finer run: as tight as double precision allows error control to work."""

FINER = 10
"""Step of the finer fixed-step run, as a fraction: an error of order 4 falls by 1e4."""


def finer_run(
    model: Model,
    times: Array,
    step: float,
    *,
    initial: Any,
    parameters: Mapping[str, float] | None,
) -> tuple[Solution | None, str]:
    """Trusted solution and its description, or None and the reason why there is none.

    Dormand-Prince of order 8 with tolerances of 1e-13 at the given moments. Where error control
    cannot pass (a singular position demands ever smaller steps), RK4 with a tenth of the smallest
    ``step`` that is compared. Both with the mass-norm projection.
    """
    from dalembert.enforcement.projection import Projection
    from dalembert.integration.dormand_prince import DormandPrince
    from dalembert.integration.rk4 import RK4
    from dalembert.simulation.simulate import simulate

    until, start = float(times[-1]), float(times[0])
    given: dict[str, Any] = {
        "start": start,
        "method": Projection(norm="mass"),
        "initial": initial,
        "parameters": None if parameters is None else dict(parameters),
    }
    try:
        tight = DormandPrince(order=8, rtol=TIGHT, atol=TIGHT)
        solution = simulate(model, until, integrator=tight, times=times.tolist(), **given)
        return solution, f"a run of DormandPrince(order=8) with tolerances {TIGHT:g}"
    except DalembertError:
        pass
    try:
        fine = step / FINER
        solution = simulate(model, until, integrator=RK4(), step=fine, every=FINER, **given)
        return solution, f"a run of RK4 with step {fine:g} s"
    except DalembertError as problem:
        return None, f"the finer run failed: {problem}"


def described(reference: Reference | None, label: str, signal: Any) -> str:
    """What the error column means, in words."""
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
