"""Greatest and least values of signals, between samples too.

With error control samples are as far apart as the motion allows, and the greatest of them is below
the greatest value by a percent. States between them are known to the order of the interpolation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.simulation.results.resampling import resampled
from dalembert.simulation.results.solution import Solution
from dalembert.simulation.results.states_between import is_smooth

Array = NDArray[np.float64]
Reader = Callable[[Array], Array]

PARTS = 4
"""Parts of the time between two samples that are looked at everywhere."""

FINER = 32
"""Parts of two of these, around the largest value."""

MOST = 20_000
"""Samples of a run that is looked at everywhere."""


def extreme(
    solution: Solution, series: Array, read: Callable[[Array], Array], sign: float
) -> float:
    """The greatest value (sign 1) or the least (sign -1).

    Parameters
    ----------
    series : values at the samples
    read : values at other moments
    """
    best = sign * float(np.max(sign * series))
    t = solution.t
    rare = solution.step is None or solution.statistics.get("every", 1) > 1
    stepped = solution.touch is not None and not is_smooth(solution)
    if not rare or stepped or not 3 <= len(t) <= MOST:
        return best
    share = np.arange(PARTS) / PARTS
    moments = np.append((t[:-1, None] + np.diff(t)[:, None] * share).ravel(), t[-1])
    for _ in range(2):
        found = sign * np.nan_to_num(read(moments), nan=-sign * np.inf)
        k = int(np.argmax(found))
        best = sign * max(sign * best, float(found[k]))
        ends = moments[max(k - 1, 0)], moments[min(k + 1, len(moments) - 1)]
        moments = np.unique(np.linspace(*ends, FINER + 1))
    return best


def reader(solution: Solution, signal: Any) -> Reader:
    """Function of moments that gives the values of a signal; the size of several components."""

    def read(moments: Array) -> Array:
        found = solution.sampled(signal, moments)
        return np.linalg.norm(found, axis=1) if found.ndim == 2 else found

    return read


def of_reaction(solution: Solution, name: str) -> Reader:
    """Function of moments that gives the size of a joint's reaction."""

    def read(moments: Array) -> Array:
        # all samples with them: turns are counted from the first one on
        every = np.union1d(solution.t, moments)
        sizes = np.linalg.norm(resampled(solution, every).reaction(name).force, axis=1)
        found: Array = sizes[np.searchsorted(every, moments)]
        return found

    return read
