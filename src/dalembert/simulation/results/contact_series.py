"""Series of a run in which something touches, between its samples.

Forces of contacts, stops, drives and friction are known at samples, and so is what follows from
them. A step with impulses has one force throughout, that of the sample it leads to. Between
located events forces are smooth: the polynomial through the six samples that are nearest, of those
between the same events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.simulation.results import states_between

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]

NEAREST = 6


def acts(solution: Solution, times: Array) -> NDArray[np.bool_]:
    """Whether the model's equations do not tell: impulses act, or actions changed what acts."""
    if solution.statistics.get("actions") and len(solution.t) > 1:
        return np.ones(len(times), dtype=bool)
    if solution.touch is None or len(solution.t) < 2:
        return np.zeros(len(times), dtype=bool)
    return ~np.asarray(solution.touch.smooth[_after(solution, times)], dtype=bool)


def between(solution: Solution, series: Array, times: Array) -> Array:
    """A series at the samples, one quantity or one a column, at other moments."""
    after = _after(solution, times)
    found = np.array(series[after], dtype=float)
    if not states_between.is_smooth(solution):
        return found
    t = solution.t
    events = np.unique([e.t for e in solution.log])
    piece, wanted = (np.searchsorted(events, x, side="right") for x in (t, times))
    for k in np.flatnonzero(t[after] != times):
        first, end = np.searchsorted(piece, [wanted[k], wanted[k] + 1])
        if first == end:  # an event in the last moment of an interval: nothing is known behind it
            continue
        start = int(np.clip(after[k] - NEAREST // 2, first, max(first, end - NEAREST)))
        nodes = slice(start, min(start + NEAREST, end))
        found[k] = np.tensordot(_weights(t[nodes], times[k]), series[nodes], axes=1)
    return found


def _after(solution: Solution, times: Array) -> NDArray[np.int64]:
    """The sample at each moment, or the next one."""
    after = np.searchsorted(solution.t, times).clip(max=len(solution.t) - 1)
    first = times <= solution.t[0]
    return np.asarray(np.where(first, 0, after), dtype=np.int64)


def _weights(nodes: Array, at: Any) -> Array:
    """Lagrange's weights of a polynomial through values at nodes."""
    weights = np.ones(len(nodes))
    for i, x in enumerate(nodes):
        others = np.delete(nodes, i)
        weights[i] = np.prod((at - others) / (x - others))
    return weights
