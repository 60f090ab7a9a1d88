"""Observed order of convergence: the slope of log(error) over log(step), plateau excluded by rule.

The rule. Sort by decreasing step and take the slope between neighbours. The *typical* slope is the
median of those above 1/2. Going towards small steps, the plateau (rounding error, or the error of
the reference) begins at the first neighbour pair whose slope is below half the typical one; the
finer point of that pair and everything finer is left out, and so are points within a factor of ten
of the plateau's median, which it has already bent. Points that are not finite or not positive are
left out before. No point is left out for being coarse: choose steps in the range where the method
works.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dalembert.errors import OptionError

NEAR = 10.0
"""A point less than this factor above the plateau has a visible part of it in its error."""


def observed_order(steps: ArrayLike, errors: ArrayLike) -> float:
    """Least-squares slope of log(error) over log(step) outside the plateau.

    Parameters
    ----------
    steps : array_like, shape (k,)     step sizes, any order  [s]
    errors : array_like, shape (k,)    error at each step size

    Raises
    ------
    OptionError   fewer than two usable points remain

    Examples
    --------
    >>> h = np.array([0.1, 0.05, 0.025, 0.0125])
    >>> round(observed_order(h, 3 * h**4 + 1e-9), 1)
    4.0
    """
    h, e = np.asarray(steps, dtype=float), np.asarray(errors, dtype=float)
    used = outside_plateau(h, e)
    if np.count_nonzero(used) < 2:
        raise OptionError(
            "observed_order: fewer than two errors lie outside the plateau."
            " Use larger steps, or a more exact reference."
        )
    slope, _ = np.polyfit(np.log(h[used]), np.log(e[used]), 1)
    return float(slope)


def outside_plateau(steps: ArrayLike, errors: ArrayLike) -> NDArray[np.bool_]:
    """Which points count for the slope, by the rule at the top of this file."""
    h, e = np.asarray(steps, dtype=float), np.asarray(errors, dtype=float)
    if h.ndim != 1 or h.shape != e.shape:
        raise OptionError(
            f"observed_order: steps have shape {h.shape} and errors {e.shape}."
            " Give two lists of equal length."
        )
    good = np.isfinite(h) & np.isfinite(e) & (h > 0) & (e > 0)
    order = np.argsort(-np.where(good, h, -np.inf))[: np.count_nonzero(good)]
    used = np.zeros(h.shape, dtype=bool)
    if len(order) < 2:
        return used
    log_h, log_e = np.log(h[order]), np.log(e[order])
    if np.any(np.diff(log_h) == 0):
        raise OptionError("observed_order: two steps are equal. Give different step sizes.")
    slopes = np.diff(log_e) / np.diff(log_h)
    rising = slopes[slopes > 0.5]
    if not len(rising):
        return used
    plateau = np.flatnonzero(slopes < np.median(rising) / 2)
    if not len(plateau):
        used[order] = True
        return used
    keep = int(plateau[0]) + 1
    level = np.median(log_e[keep:])
    used[order[:keep]] = log_e[:keep] > level + np.log(NEAR)
    return used
