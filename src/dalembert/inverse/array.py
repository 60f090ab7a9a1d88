"""Solutions of the derivative array, and what it leaves open (servo 2, 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import SimulationError
from dalembert.inverse.jets import Jets

Array = NDArray[np.float64]

SMALL = 1e-9
"""Singular value over the largest, of scaled equations, below which it is none."""

ITERATIONS = 60

LOOKS, FEW = 41, 3
"""Moments of a path at which it is looked what is open; how many are more than a passing matter."""


@dataclass(frozen=True)
class Openness:
    """The part of the unknowns that an array leaves open at a solution.

    Attributes
    ----------
    free : dimension of the states (q, q') that the array allows there
    settled : whether accelerations and inputs follow from the state
    basis : (2 n, free): directions in which the state may move
    """

    free: int
    settled: bool
    basis: Array


def solve(
    jets: Jets,
    t: float,
    guess: Array,
    hold: Array | None = None,
    places: NDArray[np.int64] | None = None,
) -> Array:
    """A solution of the array near a guess: least change, by Gauss and Newton; some may be held.

    Raises
    ------
    SimulationError     no solution was found
    """
    z = guess.copy()
    free = np.ones(jets.size, dtype=bool)
    if places is not None and hold is not None:
        z[places] = hold
        free[places] = False
    residual, slopes = jets.at(t, z)
    damping = 0.0
    stalled = 0
    for _ in range(ITERATIONS):
        A, rows, columns = _scaled(slopes[:, free], np.abs(z[free]))
        best = np.linalg.norm(residual / rows)
        way = _least(A, -residual / rows, damping) * columns
        trial = z.copy()
        trial[free] += way
        r, s = jets.at(t, trial)
        size = np.linalg.norm(r / rows)
        step = np.max(np.abs(way) / (1.0 + np.abs(z[free])), initial=0.0)
        if np.isfinite(size) and (size < best or step <= 1e-13):
            stalled = stalled + 1 if not size < 0.5 * best else 0
            z, residual, slopes = trial, r, s
            damping = 0.0 if damping < 1e-10 else 0.1 * damping
            if step <= 1e-14 or (step <= 1e-9 and stalled >= 2):
                break
        elif step <= 1e-10:
            break
        else:
            damping = max(1e-8, 10.0 * damping)
            if damping > 1e6:
                break
    # every equation over the size of its terms
    terms = np.abs(slopes) @ np.abs(z) + 1e-300
    if np.max(np.abs(residual) / np.maximum(terms, 1.0)) > 1e-7:
        raise SimulationError(
            f"servo: at {t:g} s no inputs were found that keep to the prescribed outputs: the path"
            " leaves what the model can do, or begins away from where the model starts."
        )
    return z


def _scaled(slopes: Array, size: Array) -> tuple[Array, Array, Array]:
    """Equations and unknowns of the same order of magnitude."""
    columns = np.maximum(size, 1.0)
    A = slopes * columns
    rows = np.linalg.norm(A, axis=1)
    rows[rows == 0.0] = 1.0
    return A / rows[:, None], rows, columns


def _least(A: Array, b: Array, damping: float) -> Array:
    if damping == 0.0:
        return np.asarray(np.linalg.lstsq(A, b, rcond=SMALL)[0])
    U, s, V = np.linalg.svd(A, full_matrices=False)
    return np.asarray(V.T @ ((s / (s * s + damping)) * (U.T @ b)))


def openness(jets: Jets, t: float, z: Array) -> Openness:
    """The part that the array leaves open at a solution."""
    _, slopes = jets.at(t, z)
    A, _, columns = _scaled(slopes, np.abs(z))
    _, s, V = np.linalg.svd(A)
    rank = int(np.sum(s > SMALL * s[0]))
    null = V[rank:].T * columns[:, None]
    n = jets.n
    head = null[: 2 * n]
    size = columns[: 2 * n]
    U, values, W = np.linalg.svd(head / size[:, None])
    free = int(np.sum(values > 1e-6))
    rest = null @ W[free:].T
    follow = np.r_[rest[jets.q(2)], rest[jets.u(0)]]
    scale = np.r_[columns[jets.q(2)], columns[jets.u(0)]]
    settled = bool(np.max(np.abs(follow) / scale[:, None], initial=0.0) <= 1e-6)
    return Openness(free, settled, U[:, :free] * size[:, None])


def refuse_changing(
    jets: Jets, times: Sequence[float] | Array, found: Sequence[Array] | Array, begun: Openness
) -> None:
    """Refuse a path along which more is left open than where it begins (servo 3.1)."""
    looked = np.unique(np.linspace(0, len(times) - 1, LOOKS).astype(int))
    more = []
    for k in looked:
        free = openness(jets, float(times[k]), found[k]).free
        if free > begun.free:
            more.append((float(times[k]), free))
    if len(more) < min(FEW, len(looked)):
        return  # a singular place that is passed
    t, free = more[0]
    raise SimulationError(
        "servo: the prescribed outputs have no relative degree that stays the same along the path:"
        f" where it begins they leave {begun.free or 'no'} states open, and {free} at {t:.4g} s. It"
        " begins in a singular place, and what follows from there is no motion of the model."
        " Prescribe other outputs, or begin elsewhere."
    )
