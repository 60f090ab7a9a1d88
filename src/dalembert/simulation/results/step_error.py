"""Error of fixed steps, told by the samples of a run: what Newton's law misses between them.

Where every step was recorded, velocities should grow by the integral of the accelerations, and
positions by that of their rates (`docs/theory/methods.md` 12). What is missing is the error of each
step, and, where the samples are too far apart for their integral, more: it is a bound.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dalembert.simulation.motion import values
from dalembert.simulation.results.quadrature import increments
from dalembert.simulation.results.scales import largest, length_of, slow_speed

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]

POINTS = (4, 6, 8)
"""Samples through which accelerations are integrated: the best counts. Fewer than the last, and
nothing is told."""


def step_error(solution: Solution) -> float | None:
    """Errors of all steps, added up, over speed and size of the motion.

    None without a step, where not every step was recorded, where something else changes velocities
    (controllers, actions), and where there are too few samples.
    """
    t, states = solution.t, (solution.q, solution.v, solution.a)
    steps = solution.statistics.get("steps") or 0
    if solution.step is None or len(t) <= max(steps, POINTS[-1]) or _is_pushed(solution):
        return None
    if not all(bool(np.all(np.isfinite(x))) for x in states):
        return None
    length, slow = length_of(solution), slow_speed(solution, float(t[-1] - t[0]))
    with np.errstate(over="ignore", invalid="ignore"):
        rates = values.rates(solution.model, *states)
        places = _missing_places(t, solution.q, *rates)
        errors = [np.abs(places).sum(axis=0) / _place_scales(solution, length)]
        speeds = _speed_scales(solution, slow, length)
        errors.append(_missing_speeds(t, solution.v, solution.a) / speeds)
    return max(largest(e) if np.all(np.isfinite(e)) else np.inf for e in errors)


def _is_pushed(solution: Solution) -> bool:
    """Whether velocities or forces jump at samples."""
    acted = solution.commands is not None or bool(solution.statistics.get("actions"))
    return acted or not bool(np.all(np.diff(solution.t) > 0.0))


def _missing_speeds(t: Array, v: Array, a: Array) -> Array:
    """sum of |v(n+1) - v(n) - integral of a| of every velocity, by the best of the integrals."""
    grown = np.diff(v, axis=0)
    missing = [np.abs(grown - increments(t, a, n)).sum(axis=0) for n in POINTS]
    return np.asarray(np.min(missing, axis=0))


def _missing_places(t: Array, q: Array, first: Array, second: Array) -> Array:
    """q(n+1) - q(n) less the integral of q', by q' and q'' at both ends of a step."""
    h = np.diff(t)[:, None]
    ends = h / 2.0 * (first[:-1] + first[1:]) + h * h / 12.0 * (second[:-1] - second[1:])
    missing: Array = np.diff(q, axis=0) - ends
    return missing


def _speed_scales(solution: Solution, slow: float, length: float) -> Array:
    """Speeds that errors are compared with: the largest of each unit."""
    v = solution.v
    if not solution.model.is_maximal:
        return np.full(v.shape[1], max(largest(v), slow))
    turning = np.arange(v.shape[1]) % 6 >= 3
    linear, angular = max(largest(v[:, ~turning]), slow), largest(v[:, turning])
    return np.where(turning, max(angular, slow / length), linear)


def _place_scales(solution: Solution, length: float) -> Array:
    """Sizes that errors of coordinates are compared with; a radian is half of a quaternion."""
    q = solution.q
    if not solution.model.is_maximal:
        return np.full(q.shape[1], length)
    return np.where(np.arange(q.shape[1]) % 7 >= 3, 0.5, length)
