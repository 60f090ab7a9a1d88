"""States of a solution between its samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.simulation.motion import values
from dalembert.simulation.results import interpolation, resampling

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]

SAME = 1e-5
"""Part of a run within which a sample is that of an event: impacts that accumulate end sooner."""


def state_at(solution: Solution, times: Array) -> tuple[Array, Array]:
    """Coordinates and velocities at moments between the first and the last sample."""
    t, q, v = solution.t, solution.q, solution.v
    if not len(t):
        raise OptionError(
            "solution.at: nothing was recorded, as the run ended before the first of `times`."
            " Ask for earlier ones, or leave `times` out."
        )
    flat = interpolation.checked_times(times.ravel(), float(t[0]), float(t[-1]))
    if len(t) == 1:
        q, v = np.repeat(q, len(flat), axis=0), np.repeat(v, len(flat), axis=0)
    elif solution.touch is not None and not is_smooth(solution):
        q, v = interpolation.linear(flat, t, q, v)
        q = values.with_unit_quaternions(solution.model, q)
    else:
        qdot, qddot = values.rates(solution.model, q, v, solution.a)
        before = None
        if solution.commands is not None:
            before = values.rates(solution.model, q, v, resampling.before(solution))[1]
        q, v = interpolation.quintic(flat, t, q, qdot, qddot, before)
        q, v = values.body_state(solution.model, q, v)
    return q.reshape(*times.shape, q.shape[1]), v.reshape(*times.shape, v.shape[1])


def is_smooth(solution: Solution) -> bool:
    """Whether a run with contact went from event to event, and was sampled at each of them."""
    if "log" not in solution.statistics:
        return False
    log, t = solution.log, solution.t
    if any(entry.kind == "stepping" for entry in log):
        return False
    events = np.array([e.t for e in log if t[0] < e.t < t[-1] and e.kind != "rest"])
    after = np.searchsorted(t, events).clip(1, len(t) - 1)
    nearest = np.minimum(np.abs(t[after] - events), np.abs(t[after - 1] - events))
    return bool(np.all(nearest <= SAME * (t[-1] - t[0])))
