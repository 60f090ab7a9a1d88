"""Parts of a run with actions: what did not act in each, and the values of parameters there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.simulation.motion.trajectory import Trajectory

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]

PARTS = "parts"
"""Entry of statistics: of every part its first sample, what is released, and values set."""


def part_of(first: int, model: Any, whole: Any) -> list[Any]:
    """Row of a part that begins with a sample; `whole` is the model of the run."""
    acting = {*model.forces, *model.joints, *(c.name for c in model.constraints)}
    known = [*whole.forces, *whole.joints, *(c.name for c in whole.constraints)]
    own = whole.parameters
    values = {name: x for name, x in model.parameters.items() if own.get(name, x) != x}
    return [first, [name for name in known if name not in acting], values]


def by_parts(solution: Solution, name: str, make: Callable[[Trajectory, Any], Array]) -> Array:
    """The series `make(trajectory, force)` of a force of the run; 0 where it is released."""
    force = solution.model.forces[name]
    if not solution.statistics.get(PARTS):
        return make(solution.trajectory, force)
    found = np.zeros(len(solution.t))
    for some, released, values in _parts(solution):
        if name not in released and some.stop > some.start:
            samples = solution.t[some], solution.q[some], solution.v[some]
            found[some] = make(_trajectory(solution, samples, values), force)
    return found


def between(
    solution: Solution, name: str, t: Array, make: Callable[[Trajectory, Any], Array]
) -> Array:
    """Values of such a series at other moments, in the order of time, as commanded there."""
    force, found = solution.model.forces[name], np.zeros(len(t))
    q, v = solution.at(t)
    for some, released, values in _parts(solution):
        last = some.stop >= len(solution.t)
        ends = [solution.t[some.start], np.inf if last else solution.t[some.stop]]
        here = slice(*np.searchsorted(t, ends))
        if name not in released and here.stop > here.start:
            there = _trajectory(solution, (t[here], q[here], v[here]), values)
            found[here] = make(there, force)
    return found


def _parts(solution: Solution) -> Iterator[tuple[slice, list[str], dict[str, float]]]:
    rows = solution.statistics.get(PARTS) or [[0, [], {}]]
    ends = [*(row[0] for row in rows[1:]), len(solution.t)]
    for (first, released, values), end in zip(rows, ends, strict=True):
        yield slice(int(first), int(end)), released, values


def _trajectory(
    solution: Solution, samples: tuple[Array, Array, Array], values: dict[str, float]
) -> Trajectory:
    t, q, v = samples
    held = None if solution.commands is None else solution.commands.held(t)
    model = solution.model.with_parameters(**values) if values else solution.model
    return Trajectory(model, t, q, v, held, solution.turned)
