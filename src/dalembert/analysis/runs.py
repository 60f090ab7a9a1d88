"""Running several methods on one model: names, failures as sentences, common sample moments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import DalembertError, OptionError, SimulationError
from dalembert.model import Model
from dalembert.simulation.solution import Solution

SHORT = 5.0
"""Runs of less CPU time than this are made twice, and the faster time counts [s]."""


def run_one(*, model: Model, method: Any, **options: Any) -> Solution | str:
    """The solution as far as it got, or the sentence with which the method refused the model.

    A short run is repeated: the first may meet code that has yet to be compiled or fetched.
    """
    if isinstance(method, str):
        return method
    first = _attempt(model, method, options)
    if isinstance(first, str) or _cpu_time(first) > SHORT:
        return first
    second = _attempt(model, method, options)
    if isinstance(second, str):
        return first
    return min(first, second, key=_cpu_time)


def _attempt(model: Model, method: Any, options: dict[str, Any]) -> Solution | str:
    from dalembert.simulation.simulate import simulate

    try:
        return simulate(model, method=method, on_failure="return", **options)
    except SimulationError as problem:
        return problem.solution if isinstance(problem.solution, Solution) else str(problem)
    except DalembertError as problem:
        return str(problem)


def _cpu_time(solution: Solution) -> float:
    return float(solution.statistics.get("cpu_time", 0.0))


def named_methods(methods: str | Iterable[Any] | None) -> list[tuple[str, Any]]:
    """Names and method objects; a method that cannot be made by default carries its reason."""
    from dalembert.enforcement import METHODS

    if isinstance(methods, str) and methods != "all":
        raise OptionError(
            f"compare: methods={methods!r}. Give a list of method objects such as"
            " [dl.Projection(), dl.Baumgarte(alpha=5, beta=5)], or 'all'."
        )
    if methods is None or isinstance(methods, str):
        made: list[Any] = []
        for kind in METHODS.values():
            try:
                made.append((kind.__name__, kind()))
            except (TypeError, DalembertError) as problem:
                made.append((kind.__name__, f"needs parameters: {problem}"))
        return made
    chosen = list(methods)
    if not chosen:
        raise OptionError("compare: no methods were given. Name at least one, or use 'all'.")
    return list(zip(unique_names(chosen), chosen, strict=True))


def unique_names(methods: list[Any]) -> list[str]:
    """Class names, with the parameters where one class appears twice."""
    short = [type(method).__name__ for method in methods]
    long = [n if short.count(n) == 1 else repr(m) for n, m in zip(short, methods, strict=True)]
    return [
        name if long.count(name) == 1 else f"{name} #{long[:i].count(name) + 1}"
        for i, name in enumerate(long)
    ]


def merged_times(times: list[Any]) -> NDArray[np.float64]:
    """All sample moments, those equal up to rounding once."""
    if not times:
        return np.empty(0)
    merged = np.unique(np.concatenate(times))
    gap = 1e-12 * max(1.0, float(np.max(np.abs(merged), initial=0.0)))
    return merged[np.concatenate([[True], np.diff(merged) > gap])] if len(merged) else merged
