"""Rainflow counting of load cycles (ASTM E1049-85, section 5.4.4; analysis 7.2)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.errors import OptionError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Cycle:
    """A cycle of a load: its range, its mean, and 1 for a whole or 0.5 for half of one."""

    range: float
    mean: float
    count: float


def reversals(load: ArrayLike) -> Array:
    """The first value, all at which the load turns back, and the last."""
    x: Array = np.asarray(load, dtype=float).ravel()
    if not np.isfinite(x).all():
        raise OptionError("rainflow: the load is not finite everywhere.")
    if len(x) < 2:
        return np.asarray(x)
    x = x[np.concatenate([[True], np.diff(x) != 0.0])]
    if len(x) < 3:
        return np.asarray(x)
    turns = np.diff(x[1:]) * np.diff(x[:-1]) < 0.0
    return np.asarray(np.concatenate([x[:1], x[1:-1][turns], x[-1:]]))


def rainflow(load: ArrayLike) -> list[Cycle]:
    """Cycles of a load history.

    Three points X = |x3 - x2|, Y = |x2 - x1| at a time: where X >= Y, Y is a whole cycle, or half
    of one if it holds the start. What is left counts as halves.

    Examples
    --------
    >>> [(c.range, c.count) for c in rainflow([-2, 1, -3, 5, -1, 3, -4, 4, -2])]
    [(3.0, 0.5), (4.0, 0.5), (4.0, 1.0), (8.0, 0.5), (9.0, 0.5), (8.0, 0.5), (6.0, 0.5)]
    """
    found: list[Cycle] = []
    stack: list[float] = []
    for point in reversals(load):
        stack.append(float(point))
        while len(stack) >= 3:
            x, y = abs(stack[-1] - stack[-2]), abs(stack[-2] - stack[-3])
            if x < y:
                break
            if len(stack) == 3:
                found.append(_cycle(stack[0], stack[1], 0.5))
                del stack[0]
            else:
                found.append(_cycle(stack[-3], stack[-2], 1.0))
                del stack[-3:-1]
    found += [_cycle(a, b, 0.5) for a, b in itertools.pairwise(stack)]
    return found


def _cycle(a: float, b: float, count: float) -> Cycle:
    return Cycle(abs(b - a), 0.5 * (a + b), count)


def histogram(load: ArrayLike, bins: int = 10) -> tuple[Array, Array]:
    """Counts of cycles by their range, and the edges of the bins."""
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 1:
        raise OptionError(f"histogram: bins is {bins!r}. Give a whole number above 0.")
    cycles = rainflow(load)
    ranges = np.array([c.range for c in cycles])
    top = float(ranges.max(initial=0.0)) or 1.0
    counts, edges = np.histogram(
        ranges, bins, range=(0.0, top), weights=np.array([c.count for c in cycles])
    )
    return counts, edges
