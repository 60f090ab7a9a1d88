"""Events that come often: impacts that come ever faster, and what hardly lets time go on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

ZENO = 3e-6
"""Time left to impacts that come ever faster when they are ended, over how long they came."""

MANY, SOONEST, DENSE = 200, 1e-5, 1e-7
"""Events, or steps, in a row whose mean distance is looked at, and the shortest one: seconds, and
part of the run. With less a run goes on with steps of impulses."""

SHORT = 1e-6
"""The shortest mean step, as part of the run: a million of them would be too many."""


@dataclass
class Pace:
    """How far so many steps of phases come."""

    t: float  # where counting began  [s]
    done: int = 0
    least: float = math.inf  # time of so many steps  [s]

    def passed(self, done: int, t: float) -> float:
        """Time that the last MANY steps took [s], where so many are full; else inf."""
        if done - self.done < MANY:
            return math.inf
        passed, self.done, self.t = t - self.t, done, t
        self.least = min(self.least, passed)
        return passed


def left_of(times: list[float]) -> float | None:
    """Time left to impacts that come ever faster  [s], if it is next to nothing; else None.

    a > b > c between the last four: c (r + r^2 + ...) with r = sqrt(c / a), over two of them, where
    the rounding of moments counts half (contact 20).
    """
    if len(times) < 4:
        return None
    a, b, c = np.diff(times[-4:])
    if not 0 < c < b < a:
        return None
    r = float(np.sqrt(c / a))
    left = float(c * r / (1.0 - r))
    return left if left < ZENO * faster_since(times) else None


def faster_since(times: list[float]) -> float:
    """How long the last of these moments have come ever faster  [s]."""
    gaps = np.diff(times)
    k = len(gaps) - 1
    while k > 0 and gaps[k] < gaps[k - 1]:
        k -= 1
    return float(times[-1] - times[k])


def slowest_of(span: float) -> float:
    """Time of so many steps of phases  [s] below which a run over a span goes on with steps."""
    return MANY * min(SOONEST, SHORT * span)


def densest_of(span: float) -> float:
    """Time of so many events  [s] below which a run over a span goes on with steps."""
    return MANY * min(SOONEST, DENSE * span)
