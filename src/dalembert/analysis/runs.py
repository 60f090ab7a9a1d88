"""Running several methods on one model: names, failures as sentences, common sample moments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.choices import made
from dalembert.errors import DalembertError, OptionError, SimulationError
from dalembert.model import Model
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.status import Status

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
        solution = simulate(model, method=method, on_failure="return", **options)
        if solution.status is Status.INTERRUPTED:  # Ctrl-C means all of the runs, not this one
            raise KeyboardInterrupt
        return solution
    except SimulationError as problem:
        return problem.solution if isinstance(problem.solution, Solution) else str(problem)
    except DalembertError as problem:
        return str(problem)


def _cpu_time(solution: Solution) -> float:
    return float(solution.statistics.get("cpu_time", 0.0))


def named_methods(methods: str | Iterable[Any] | None) -> list[tuple[str, Any]]:
    """Names and method objects; a method that cannot be made by default carries its reason."""
    from dalembert.enforcement import METHODS
    from dalembert.enforcement.protocol import Method

    if methods is not None and methods != "all" and not _is_several(methods):
        raise OptionError(
            f"compare: methods={methods!r}. Give a list of method objects or names, such as"
            " [dl.Projection(), 'rattle', dl.Baumgarte(alpha=5, beta=5)], or 'all'."
        )
    if methods is None or isinstance(methods, str):
        every: list[Any] = []
        for kind in METHODS.values():
            try:
                every.append((kind.__name__, kind()))
            except (TypeError, DalembertError) as problem:
                every.append((kind.__name__, f"needs parameters: {problem}"))
        return every
    chosen = [made(m, METHODS, "method") if isinstance(m, str) else m for m in methods]
    if not chosen:
        raise OptionError("compare: no methods were given. Name at least one, or use 'all'.")
    for method in chosen:
        if not isinstance(method, Method):
            raise OptionError(
                f"compare: {method!r} is not a method. Give an object such as dl.Projection(), or"
                f" a name: {', '.join(METHODS)}."
            )
    return list(zip(unique_names(chosen), chosen, strict=True))


def _is_several(things: Any) -> bool:
    return isinstance(things, Iterable) and not isinstance(things, str)


def check_times(caller: str, until: Any, steps: Sequence[Any], label: str = "step") -> None:
    """The end of the run and its step sizes are times that fit together.

    ``label`` names a step in the message; with ``{}`` its number is filled in.
    """
    if not _is_time(until):
        raise OptionError(f"{caller}: until is {until!r}. Give a positive time in seconds.")
    for i, step in enumerate(steps):
        name = label.format(i)
        if not _is_time(step):
            raise OptionError(f"{caller}: {name} is {step!r}. Give a positive time in seconds.")
        if step > until:
            raise OptionError(
                f"{caller}: {name}, {step:g} s, is longer than the whole run of {until:g} s."
                " Give a smaller step."
            )


def check_steps(caller: str, steps: Any) -> list[Any]:
    """Step sizes as a list of at least one."""
    listed = list(steps) if _is_several(steps) else []
    if not listed:
        raise OptionError(
            f"{caller}: steps={steps!r}. Give a list of step sizes in seconds, such as"
            " [1e-2, 5e-3, 2.5e-3]."
        )
    return listed


def _is_time(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and bool(0 < value < math.inf)


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
