"""Series to draw: solutions with labels, and long series reduced to what a screen can show."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.compare import Comparison
from dalembert.errors import OptionError
from dalembert.simulation.results.solution import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

POINTS = 4000
"""More points than this in one curve cannot be told apart on paper or screen."""

HUGE = 1e30
"""Beyond this a value only says that a run has diverged."""

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
    """The series between a floor, where zeros stay visible, and what an axis can show."""
    return np.where(np.isfinite(y), np.clip(y, floor, HUGE), np.nan)


def bounded(y: Array) -> Array:
    """The series without values an axis cannot show: gaps where a run has diverged."""
    return np.where(np.abs(y) < HUGE, y, np.nan)


def limits_of_sound(axes: Axes, runs: Iterable[tuple[Solution, Array]]) -> None:
    """Vertical limits from the runs that did not fail: a diverging one would flatten them."""
    given = list(runs)
    sound = [y for solution, y in given if not solution.status.failed]
    if not sound or len(sound) == len(given):
        return
    values = np.concatenate([y[np.isfinite(y)].ravel() for y in sound])
    if not len(values):
        return
    low, high = float(np.min(values)), float(np.max(values))
    margin = max(0.15 * (high - low), 0.02 * max(abs(low), abs(high)), 1e-12)
    axes.set_ylim(low - margin, high + margin)
