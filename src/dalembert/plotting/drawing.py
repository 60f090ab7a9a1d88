"""Positions of a model's drawing points along a solution."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.simulation.solution import Solution

Array = NDArray[np.float64]


def point_paths(solution: Solution, times: Array | None = None) -> dict[str, Array]:
    """Planar path of every point, shape (samples, 2): x and y, or x and z of a spatial model.

    The plane of a spatial point is x-y unless y never changes, then x-z.
    """
    points = getattr(solution.model, "points", None)
    if not points:
        raise OptionError(
            f"plot: model {solution.model.name!r} names no points to draw. Give"
            ' points={"tip": (x, y)} and lines=[("pivot", "tip")] when describing it.'
        )
    t = solution.t if times is None else times
    spatial = {
        name: np.stack([_series(solution, part, t, times) for part in parts], axis=1)
        for name, parts in points.items()
    }
    columns = [0, 1]
    if all(path.shape[1] == 3 for path in spatial.values()):
        across = np.concatenate([path[:, 1] for path in spatial.values()])
        if np.ptp(across) < 1e-9:
            columns = [0, 2]
    return {name: path[:, columns] for name, path in spatial.items()}


def axis_names(solution: Solution, paths: dict[str, Array]) -> tuple[str, str]:
    """Labels of the drawing plane."""
    parts = next(iter(solution.model.points.values()))
    if len(parts) == 3:
        name = next(iter(paths))
        third = _series(solution, parts[2], solution.t, None)
        same = paths[name].shape[0] == len(third) and np.array_equal(paths[name][:, 1], third)
        return "x [m]", "z [m]" if same else "y [m]"
    return "x [m]", "y [m]"


def moving(paths: dict[str, Array]) -> dict[str, Array]:
    """Those points that move."""
    size = max(1e-300, max(float(np.ptp(path)) for path in paths.values()))
    return {name: p for name, p in paths.items() if np.max(np.ptp(p, axis=0)) > 1e-9 * size}


def _series(solution: Solution, part: Any, t: Array, times: Array | None) -> Array:
    if isinstance(part, int | float):
        return np.full(len(t), float(part))
    return solution[part] if times is None else solution.sampled(part, times)
