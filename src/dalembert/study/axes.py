"""Axes of a study: which values a quantity takes, as a list, a span or a distribution."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError

Array = NDArray[np.float64]

MOST_VALUES = 10_000_000
"""Values of one axis."""


@dataclass(frozen=True)
class Listed:
    """Values one by one; `whole` says that all were given as whole numbers."""

    values: tuple[float, ...]
    whole: bool = False

    def at(self, u: Array) -> Array:
        """Values for places from 0 to 1: each as often as another."""
        places = np.minimum((u * len(self.values)).astype(int), len(self.values) - 1)
        found: Array = np.asarray(self.values)[places]
        return found


@dataclass(frozen=True)
class Distribution:
    """Values that are drawn: "uniform" and "log-uniform" from a to b, "normal" of mean and sd."""

    kind: str
    a: float
    b: float

    def at(self, u: Array) -> Array:
        """Quantiles for places from 0 to 1."""
        if self.kind == "normal":
            from scipy.special import ndtri

            inner = np.clip(u, 2.0**-53, 1.0 - 2.0**-53)
            found: Array = self.a + self.b * ndtri(inner)
            return found
        if self.kind == "log-uniform":
            low, high = math.log(self.a), math.log(self.b)
            made: Array = np.exp(low + (high - low) * u)
            return made
        return self.a + (self.b - self.a) * u


Axis = Listed | Distribution


def span(start: float, stop: float, count: int, *, log: bool = False) -> Listed:
    """So many values from `start` to `stop`, both included, for an axis of `dl.sweep`.

    Parameters
    ----------
    log : bool      with equal ratios instead of equal differences

    Examples
    --------
    >>> span(0.0, 1.0, 5).values
    (0.0, 0.25, 0.5, 0.75, 1.0)
    """
    a, b = _finite("span", start), _finite("span", stop)
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise OptionError(f"span: count is {count!r}. Give a whole number, 1 or more.")
    if log and not (a > 0 and b > 0):
        raise OptionError(f"span: from {a:g} to {b:g} by ratios. Give two positive numbers.")
    made = np.geomspace(a, b, int(count)) if log else np.linspace(a, b, int(count))
    return Listed(tuple(map(float, made)))


def uniform(low: float, high: float, *, log: bool = False) -> Distribution:
    """Values drawn evenly between two numbers, for an axis of `dl.sweep`.

    Parameters
    ----------
    log : bool      evenly on a logarithmic scale

    Examples
    --------
    >>> uniform(0.5, 1.5)
    Distribution(kind='uniform', a=0.5, b=1.5)
    """
    a, b = _finite("uniform", low), _finite("uniform", high)
    if not a < b or (log and a <= 0):
        raise OptionError(
            f"uniform: from {a:g} to {b:g}. Give the lower end first"
            f"{', both ends positive' if log else ''}."
        )
    return Distribution("log-uniform" if log else "uniform", a, b)


def normal(mean: float, deviation: float) -> Distribution:
    """Values drawn from a normal distribution, for an axis of `dl.sweep`.

    Examples
    --------
    >>> normal(9.81, 0.01)
    Distribution(kind='normal', a=9.81, b=0.01)
    """
    a, b = _finite("normal", mean), _finite("normal", deviation)
    if not b > 0:
        raise OptionError(f"normal: the standard deviation is {b:g}. Give a positive number.")
    return Distribution("normal", a, b)


def read_axis(name: str, given: Any) -> Axis:
    """The axis that a user gave: a span, a distribution, or values one by one."""
    if isinstance(given, Axis):
        return given
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise OptionError(
            f"sweep: {name!r} is {given!r:.60}. Give a list of values, dl.span(a, b, count),"
            " dl.uniform(a, b) or dl.normal(mean, deviation)."
        )
    listed = list(given)
    if not 0 < len(listed) <= MOST_VALUES:
        raise OptionError(f"sweep: {name!r} has {len(listed)} values. Give at least one.")
    values = tuple(_finite(f"sweep: {name!r}", value) for value in listed)
    whole = all(isinstance(v, int | np.integer) and not isinstance(v, bool) for v in listed)
    return Listed(values, whole)


def _finite(where: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, str | bool) or not math.isfinite(number):
        raise OptionError(f"{where}: {value!r:.60} is no finite number. Give a number.")
    return number
