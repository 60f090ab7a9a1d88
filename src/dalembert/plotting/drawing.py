"""Positions of a model's drawing points along a solution."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]


def point_paths(solution: Solution, times: Array | None = None) -> dict[str, Array]:
    """Planar path of every point, shape (samples, 2), in the plane of `plane`."""
    points = _points(solution)
    t = solution.t if times is None else times
    columns = plane(solution)
    return {
        name: np.stack([_series(solution, parts[i], t, times) for i in columns], axis=1)
        for name, parts in points.items()
    }


def plane(solution: Solution) -> tuple[int, int]:
    """The two directions drawn: x and y, or x and z of a spatial model that never leaves y."""
    points = _points(solution)
    if any(len(parts) < 3 for parts in points.values()):
        return 0, 1
    across = [_series(solution, parts[1], solution.t, None) for parts in points.values()]
    return (0, 2) if np.ptp(np.concatenate(across)) < 1e-9 else (0, 1)


def axis_labels(solution: Solution) -> tuple[str, str]:
    """Labels of the drawing plane."""
    first, second = plane(solution)
    return f"{'xyz'[first]} [m]", f"{'xyz'[second]} [m]"


def moving(paths: dict[str, Array]) -> dict[str, Array]:
    """The paths of points that move."""
    size = max(1e-300, max(float(np.ptp(path)) for path in paths.values()))
    return {name: p for name, p in paths.items() if np.max(np.ptp(p, axis=0)) > 1e-9 * size}


def _points(solution: Solution) -> dict[str, Any]:
    points = getattr(solution.model, "points", None)
    if not points:
        raise OptionError(
            f"plot: model {solution.model.name!r} names no points to draw. Give"
            ' points={"tip": (x, y)} and lines=[("pivot", "tip")] when describing it.'
        )
    return dict(points)


def _series(solution: Solution, part: Any, t: Array, times: Array | None) -> Array:
    if isinstance(part, int | float):
        return np.full(len(t), float(part))
    return solution[part] if times is None else solution.sampled(part, times)
