"""Integral of a sampled quantity up to each sample.

Over every interval the polynomial through the six samples around it is integrated; samples need not
be evenly spaced. Where the quantity is smooth the error is of order (spacing)^6. The same with four
samples tells how large it may be. At an impact the quantity jumps between two samples of one
moment: polynomials end there.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

POINTS, FEWER = 6, 4

JUMP = 1e-14
"""Part of the time up to which two samples are one moment: before and behind an impact."""

EVEN = 1e-10
"""Part of a spacing by which moments are off a grid by their rounding."""


def cumulative(t: Array, y: Array, jumps: Any = False) -> tuple[Array, float]:
    """Integral of y from the first moment to each, and an estimate of its largest error.

    Parameters
    ----------
    jumps : (len(t) - 1,) whether y may jump between two samples: a straight line is taken there

    Examples
    --------
    >>> t = np.linspace(0.0, 1.0, 21)
    >>> total, error = cumulative(t, np.exp(t))
    >>> bool(abs(total[-1] - (np.e - 1)) < 1e-10), bool(error < 1e-6)
    (True, True)
    """
    if len(t) < 2:
        return np.zeros(len(t)), 0.0
    fine, coarse = (np.zeros(len(t)) for _ in range(2))
    h = np.diff(t)
    jumps = np.broadcast_to(jumps, h.shape)
    fine[1:][jumps] = (h * (y[1:] + y[:-1]) / 2)[jumps]
    coarse[1:][jumps] = (h * y[1:])[jumps]
    apart = jumps | (h <= JUMP * max(abs(t[0]), abs(t[-1])))
    ends = np.r_[-1, np.flatnonzero(apart), len(t) - 1]
    for before, last in itertools.pairwise(ends):
        piece = slice(before + 1, last + 1)
        count = last - before
        if count > 1:
            fine[piece][1:] = increments(t[piece], y[piece])
            coarse[piece][1:] = increments(t[piece], y[piece], min(FEWER, count - 1))
    fine, coarse = np.cumsum(fine), np.cumsum(coarse)
    return fine, float(np.max(np.abs(fine - coarse)))


def increments(t: Array, y: Array, points: int = POINTS) -> Array:
    """Integral of y, one quantity or one a column, from each moment to the next."""
    points = min(points, len(t))
    first = np.clip(np.arange(len(t) - 1) - (points - 2) // 2, 0, len(t) - points)
    window = first[:, None] + np.arange(points)
    h = np.diff(t)
    weights = h[:, None] * _weights((t[window] - t[:-1, None]) / h[:, None])
    total = np.zeros((len(h), *y.shape[1:]))
    for k in range(points):
        total += (weights[:, k] * y[window[:, k]].T).T
    return np.asarray(total)


@functools.lru_cache
def even_weights(count: int, points: int = POINTS) -> Array:
    """Matrix that makes increments, over the spacing, of as many values evenly spaced."""
    made = np.zeros((count - 1, count))
    for k in range(count):
        made[:, k] = increments(np.arange(float(count)), np.eye(count)[k], points)
    return made


def _weights(s: Array) -> Array:
    """Weights w of points at s, one set a row, with sum of w s^r = 1 / (r + 1) for r < points.

    Integrals over [0, 1] of polynomials through the points are exact. Points that are evenly spaced
    have few sets of weights.
    """
    first = np.round(s[:, 0])
    even = np.all(np.abs(s - first[:, None] - np.arange(s.shape[1])) <= EVEN, axis=1)
    weights = np.empty_like(s)
    weights[~even] = _solved(s[~even])
    for begin in np.unique(first[even]):
        weights[even & (first == begin)] = _solved(begin + np.arange(s.shape[1])[None])
    return weights


def _solved(s: Array) -> Array:
    """Weights by their equations."""
    powers = s[:, None, :] ** np.arange(s.shape[1])[:, None]
    moments = np.broadcast_to(1.0 / np.arange(1, s.shape[1] + 1), s.shape)
    return np.asarray(np.linalg.solve(powers, moments[:, :, None])[:, :, 0], dtype=np.float64)
