"""A driven mechanism followed from value to value (analysis 6.1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.kinematics.driven import Driven

Array = NDArray[np.float64]

LEAP = 0.35
"""Longest way of any body between two places, over the size of the model."""

HALVINGS = 12

OPEN = 0.02
"""Smallest singular value of rows, over that of a place before, at which they may leave the
velocity open and the place known to a few digits only."""


def follow(driven: Driven, q: Array, values: Array) -> tuple[list[Array], bool]:
    """Places at the values, as far as they are reached; whether all are."""
    first = _reached(driven, q, float(values[0]))
    if first is None:
        return [], False
    places = [first]
    driven.reached(first, float(values[0]))
    for k, value in enumerate(values[1:]):
        open_there = k > 0 and is_open(driven, places[-1], places[-2])
        there = None if open_there else _next(driven, places[-1], float(value), HALVINGS)
        if there is None and k:
            there = _straight_on(driven, places, values[k - 1 : k + 2])
        if there is None:
            return places, False
        driven.reached(there, float(value))
        places.append(there)
    return places, True


def is_open(driven: Driven, q: Array, near: Array) -> bool:
    """Whether rows have lost rank at a place, or nearly so, by one beside it."""
    return driven.margin(q)[0] <= OPEN * driven.margin(near)[0]


def beside(driven: Driven, q: Array, value: float) -> Array | None:
    """The place with a value on the branch of a place nearby."""
    return _next(driven, q, value, HALVINGS)


def _straight_on(driven: Driven, places: list[Array], values: Array) -> Array | None:
    """The next place along the way that the last two show: over a change point.

    Where constraints lose rank they leave the velocity open; the branch is the one that was come
    by, whose places go on smoothly.
    """
    way = driven.way(places[-2], places[-1])
    u = way * float((values[2] - values[1]) / (values[1] - values[0]))
    there = driven.close(driven.equations.displaced(places[-1], u), float(values[2]))
    if there is not None and _is_near(driven, places[-1], there, u):
        return there
    return None


def _reached(driven: Driven, q: Array, value: float) -> Array | None:
    """The first place: step by step from the guess, else at once."""
    off = driven.off(q, value)
    here = q
    start = value - off
    driven.reached(here, start)
    steps = max(1, int(np.ceil(abs(off) / 0.1)))
    for k in range(1, steps + 1):
        there = _next(driven, here, start + off * k / steps, HALVINGS)
        if there is None:
            return driven.close(q, value)
        driven.reached(there, start + off * k / steps)
        here = there
    return here


def _next(driven: Driven, q: Array, value: float, halvings: int) -> Array | None:
    """The next place, predicted along the motion and closed; halfway first where that fails."""
    off = driven.off(q, value)
    v, _ = driven.moving(q, 1.0, 0.0)
    lengths = driven.equations.lengths
    size = float(lengths.max())
    u = off * v
    if np.isfinite(u).all() and float(np.abs(u * lengths).max()) <= LEAP * size:
        there = driven.close(driven.equations.displaced(q, u), value)
        if there is not None and _is_near(driven, q, there, u):
            return there
    if not halvings:
        return None
    middle = _next(driven, q, value - off / 2.0, halvings - 1)
    if middle is None:
        return None
    driven.reached(middle, value - off / 2.0)
    return _next(driven, middle, value, halvings - 1)


def _is_near(driven: Driven, q: Array, there: Array, u: Array) -> bool:
    """Whether a place is about where it was foretold: no leap to another branch."""
    way = driven.way(q, there)
    lengths = driven.equations.lengths
    size = float(np.abs(u * lengths).max())
    return float(np.abs((way - u) * lengths).max()) <= 0.3 * size + 1e-9
