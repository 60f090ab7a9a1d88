"""What is drawn: solutions with labels, and long series reduced to what a screen can show."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.compare import Comparison
from dalembert.errors import OptionError
from dalembert.simulation.solution import Solution

Array = NDArray[np.float64]

POINTS = 4000
"""More points than this in one curve cannot be told apart on paper or screen."""

BINS = 600
"""Parts of an error curve of which only the largest value is drawn."""


def labelled(thing: Any) -> dict[str, Solution]:
    """Solutions by label: of a comparison its methods, of a solution itself."""
    if isinstance(thing, Solution):
        return {type(thing.method).__name__: thing}
    if isinstance(thing, Comparison):
        if not thing.solutions:
            raise OptionError("plot: no method of this comparison ran, there is nothing to draw.")
        return dict(thing.solutions)
    raise OptionError(
        f"plot: cannot draw {type(thing).__name__}."
        " Give a Solution, or a Comparison made by compare()."
    )


def thin(t: Array, y: Array) -> tuple[Array, Array]:
    """At most `POINTS` points with the same envelope: lowest and highest of every bin."""
    if len(t) <= POINTS:
        return t, y
    edges = np.linspace(0, len(t), POINTS // 2 + 1).astype(int)
    clean = np.where(np.isfinite(y), y, 0.0)
    chosen = {0, len(t) - 1}
    for start, stop in itertools.pairwise(edges):
        chosen.add(start + int(np.argmin(clean[start:stop])))
        chosen.add(start + int(np.argmax(clean[start:stop])))
    index = np.array(sorted(chosen))
    return t[index], y[index]


def highest(t: Array, y: Array) -> tuple[Array, Array]:
    """The largest value of each of `BINS` equal parts: an error without its fuzz."""
    if len(t) <= BINS:
        return t, y
    edges = np.linspace(0, len(t), BINS + 1).astype(int)
    clean = np.where(np.isfinite(y), y, -np.inf)
    index = [start + int(np.argmax(clean[start:stop])) for start, stop in itertools.pairwise(edges)]
    chosen = np.array([0, *index[1:-1], len(t) - 1])
    return t[chosen], y[chosen]


def largest_row(block: Array) -> Array:
    """Largest absolute value over the rows at each sample; zero when there are no rows."""
    if not block.shape[1]:
        return np.zeros(len(block))
    return np.asarray(np.max(np.abs(block), axis=1))


def for_log(y: Array, floor: float) -> Array:
    """The series with exact zeros lifted to a floor, so that they stay visible on a log axis."""
    return np.where(np.isfinite(y), np.maximum(y, floor), np.nan)
