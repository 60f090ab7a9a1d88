"""Speeds that a violation of velocities is compared with: those of what a row holds together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution


def speed_of_row(solution: Solution, row: str) -> float | None:
    """The largest speed of the bodies that a row of a joint is about, in the row's own unit.

    For turning that of their turning [rad/s], else that of their centres and of the points that the
    joint holds [m/s]. None for a row of formulas, or of no joint.
    """
    name, _, said = row.partition(": ")
    joint = solution.model.joints.get(name) if solution.model.bodies else None
    if joint is None or not len(solution.t):
        return None
    turning = "rotation" in said or "angle" in said
    found = [0.0]
    for frame in joint.frames:
        found += _turning(solution, frame) if turning else _moving(solution, frame)
    return max(found) if np.all(np.isfinite(found)) else None


def _turning(solution: Solution, frame: Any) -> list[float]:
    return [_largest(solution.trajectory.body(frame.body.name).spin[0])]


def _moving(solution: Solution, frame: Any) -> list[float]:
    states = solution.trajectory.body(frame.body.name)
    return [_largest(states.velocity[0]), _largest(np.asarray(solution[frame.velocity]))]


def _largest(series: Any) -> float:
    return float(np.linalg.norm(np.atleast_2d(series), axis=-1).max(initial=0.0))
