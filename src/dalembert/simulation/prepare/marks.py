"""Moments at which what is prescribed in time turns about, and how long it takes there.

Error control knows a force f(t) by the stages of a step alone: a pulse between two of them is not
seen, nor is a stop that comes and goes between two looks. So the largest parts of all formulas that
time alone moves are looked at beforehand (methods 11), on windows of doubling
length, which do not depend on where the run ends. A step much longer than an extremum is wide ends
there (`integration.loop.marks`).
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dalembert.formulas.evaluate import Prepared
from dalembert.formulas.expression import TIME
from dalembert.formulas.graph import symbols
from dalembert.simulation.prepare.time_formulas import prescribed, prescribed_by, telling

FIRST = 2.0**-20
"""Length of the first window  [s]; each following one is as long as all before it."""

POINTS, LEAST, WORK = 16384, 512, 2**20
"""Points of a window, the fewest, and values of formulas that are looked at altogether."""

LONG = 2.0**-8
"""Windows beyond this  [s] have as many points as the work allows, those before the fewest."""

NARROW = 1000
"""Most extrema narrower than the points of a formula that are followed."""

CLOSE = 4
"""Points from one extremum to the next below which points do not show what a formula does."""

NOISE = 1e-9
"""Part of a formula's size that is none."""

KEPT = 64
"""Formulas whose extrema are kept."""

NONE = np.zeros(0)


class Marks:
    """Extrema of formulas of time alone, from `start` on."""

    def __init__(self, parts: Sequence[Any], parameters: Mapping[str, float], start: float):
        self._parts = parts
        known = symbols(parts, "parameter")
        self._values = {p: parameters.get(p.data[0], p.data[1]) for p in known}
        self._start, self._known, self._marks = start, start, NONE

    def until(self, end: float) -> np.ndarray:
        """Pairs of moments and widths, in a row; those before another end are the same."""
        if self._parts and np.isfinite(end) and end > self._known:
            self._look(end)
        return self._marks

    def _look(self, end: float) -> None:
        """Look at windows up to one that holds the end, and the next."""
        windows = 2 + max(0, math.ceil(math.log2(max(end - self._start, FIRST) / FIRST)))
        nodes = sum(len(telling(part)) for part in self._parts)
        most = int(np.clip(WORK // (16 * nodes), LEAST, POINTS))
        self._known = self._start + FIRST * 2.0 ** (windows - 2)
        found = []
        for part in self._parts:
            fixed = tuple((p, self._values[p]) for p in symbols([part], "parameter"))
            found.append(_of_part(part, fixed, self._start, windows, most))
        pairs = np.concatenate(found)
        pairs = pairs[pairs[:, 0] <= self._known]
        self._marks = pairs[np.argsort(pairs[:, 0], kind="stable")].reshape(-1)


def marks_of(model: Any, watched: Sequence[Any], start: float) -> Marks:
    """The marks of a model, and of formulas that are watched."""
    return Marks([*prescribed_by(model), *prescribed(watched)], model.parameters, start)


def _points(start: float, windows: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Points of so many windows, and for each how far to look: to the end of the next window."""
    edges = FIRST * np.concatenate([[0.0], 2.0 ** np.arange(windows)])
    inner = [
        np.linspace(a, b, most if b > LONG else LEAST, endpoint=False)
        for a, b in itertools.pairwise(edges)
    ]
    counts = [len(points) for points in inner]
    t = start + np.concatenate(inner)
    ends = np.cumsum([*counts[1:], counts[-1]]) + counts[0] - 1
    return t, np.minimum(np.repeat(ends, counts), len(t) - 1)


@functools.lru_cache(maxsize=KEPT)
def _of_part(
    part: Any, fixed: tuple[tuple[Any, float], ...], start: float, windows: int, most: int
) -> np.ndarray:
    """Extrema (t, w) of one formula; `fixed`: parameters in it with their values.

    Kept for the next run: studies turn other parameters.
    """
    t, far = _points(start, windows, most)
    evaluate = Prepared([part, *telling(part)])

    def values(moments: np.ndarray) -> list[np.ndarray]:
        known = evaluate({**dict(fixed), TIME: moments})
        return [np.nan_to_num(np.broadcast_to(x, moments.shape).astype(float)) for x in known]

    f, *others = values(t)
    noise = NOISE * np.maximum.accumulate(np.abs(f))[far]
    wide = _extrema(f, t, far, noise)
    between = _candidates(others, t)
    k = np.clip(np.searchsorted(t, between) - 1, 0, len(t) - 2)
    there = values(between)[0]
    hidden = (there - f[k]) * (there - f[k + 1]) > 0.0
    beyond = np.minimum(np.abs(there - f[k]), np.abs(there - f[k + 1]))
    hidden &= (beyond > noise[k]) & (np.abs(there - _smooth(f, t, k, between)) > 0.5 * beyond)
    chosen = np.flatnonzero(hidden)[:NARROW]
    narrow = [(between[i], _width(values, between[i], t[k[i] + 1] - t[k[i]])) for i in chosen]
    return np.concatenate([wide, np.array(narrow).reshape(-1, 2)])


def _smooth(f: np.ndarray, t: np.ndarray, k: np.ndarray, moments: np.ndarray) -> np.ndarray:
    """Values of a smooth formula within the intervals k: of cubics through four points each."""
    first = np.clip(k - 1, 0, len(t) - 4)
    nodes = [first + i for i in range(4)]
    total = np.zeros(len(moments))
    for i in nodes:
        weight = np.ones(len(moments))
        for j in nodes:
            if j is not i:
                weight = weight * (moments - t[j]) / (t[i] - t[j])
        total += weight * f[i]
    return total


def _extrema(f: np.ndarray, t: np.ndarray, far: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Extrema (t, w) that the points show; w: from half of the height to half of it."""
    change = np.diff(f)
    slope = np.sign(np.where(np.abs(change) > 1e-3 * noise[:-1], change, 0.0))
    moving = np.flatnonzero(slope)
    turns = np.flatnonzero(slope[moving[:-1]] != slope[moving[1:]])
    if not len(turns):
        return np.zeros((0, 2))
    peaks = (moving[turns] + 1 + moving[turns + 1]) // 2  # in the middle of what is flat
    sign = slope[moving[turns]]
    left, fall = _half_way(f, t, peaks, sign, np.zeros(len(peaks), dtype=np.int64), -1)
    right, rise = _half_way(f, t, peaks, sign, far[peaks], 1)
    pairs = np.stack([t[peaks], left + right], axis=1)
    close = np.concatenate([[False], np.diff(peaks) < CLOSE, [False]])
    followed = ~(close[:-1] & close[1:])  # what is faster than the points is not
    return np.asarray(pairs[followed & (np.minimum(fall, rise) > noise[peaks])])


def _half_way(
    f: np.ndarray, t: np.ndarray, peaks: np.ndarray, sign: np.ndarray, last: np.ndarray, way: int
) -> tuple[np.ndarray, np.ndarray]:
    """Time to one side of peaks in which half of their height is gone, and that height."""
    steps = 2 ** np.arange(int(np.log2(len(t))) + 1)
    places = peaks[:, None] + way * steps
    places = np.minimum(places, last[:, None]) if way > 0 else np.maximum(places, last[:, None])
    gone = sign[:, None] * (f[peaks][:, None] - f[places])
    gone[np.cumsum(gone < 0.0, axis=1) > 0] = -1.0  # beyond something higher
    height = np.maximum(np.max(gone, axis=1), 0.0)
    first = np.argmax(gone >= 0.5 * height[:, None], axis=1)
    return np.abs(t[places[np.arange(len(peaks)), first]] - t[peaks]), height


def _candidates(others: Sequence[np.ndarray], t: np.ndarray) -> np.ndarray:
    """Zeros of parts of a formula, and the middle between two that follow one another."""
    found = [NONE]
    for y in others:
        k = np.flatnonzero((y[:-1] < 0.0) != (y[1:] < 0.0))
        if len(k) < len(t) // 8:
            found.append(t[k] - y[k] * (t[k + 1] - t[k]) / (y[k + 1] - y[k]))
    zeros = np.unique(np.concatenate(found))
    return np.sort(np.concatenate([zeros, 0.5 * (zeros[1:] + zeros[:-1])]))


def _width(values: Any, moment: float, far: float) -> float:
    """Time in which a formula has left half of what it leaves within a time `far`."""
    steps = far * 2.0 ** -np.arange(48.0)
    f = values(np.concatenate([[moment], moment - steps, moment + steps]))[0]
    total = 0.0
    for side in (f[1:49], f[49:]):
        gone = np.abs(side - f[0])
        total += float(np.min(steps[gone >= 0.5 * gone[0]]))
    return max(total, 1e-12 * abs(moment))
