"""Quintic Hermite interpolation from position, velocity and acceleration at samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError

Array = NDArray[np.float64]


def quintic(
    times: Array, t: Array, q: Array, v: Array, a: Array, a_before: Array | None = None
) -> tuple[Array, Array]:
    """Positions and velocities between samples.

    Parameters
    ----------
    times : ndarray, shape (j,)    wanted moments  [s]
    t : ndarray, shape (k,)        sample moments, increasing  [s]
    q, v, a : ndarray, (k, n)      samples; v = dq/dt, a = dv/dt
    a_before : ndarray, (k, n)     a just before a sample, where it jumps there

    Returns
    -------
    (q, v) : two ndarrays of shape (j, n); v is the derivative of the interpolant

    Notes
    -----
    With s = (time - t0)/h in [0, 1] the polynomial of degree five that matches q, q', q'' at both
    ends is written about the left end, q0 + h v0 s + h^2 a0 s^2/2 + c3 s^3 + c4 s^4 + c5 s^5.
    Its error is of order h^6 in position and h^5 in velocity.
    """
    left = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    h = (t[left + 1] - t[left])[:, None]
    s = (times - t[left])[:, None] / h
    q0, q1 = q[left], q[left + 1]
    v0, v1 = h * v[left], h * v[left + 1]
    a0, a1 = h * h * a[left], h * h * (a if a_before is None else a_before)[left + 1]

    # What the right end still misses after the Taylor part of the left end.
    miss_q = q1 - q0 - v0 - a0 / 2
    miss_v = v1 - v0 - a0
    miss_a = a1 - a0
    c3 = 10 * miss_q - 4 * miss_v + miss_a / 2
    c4 = -15 * miss_q + 7 * miss_v - miss_a
    c5 = 6 * miss_q - 3 * miss_v + miss_a / 2

    position = q0 + s * (v0 + s * (a0 / 2 + s * (c3 + s * (c4 + s * c5))))
    velocity = (v0 + s * (a0 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h
    return position, velocity


def linear(times: Array, t: Array, q: Array, v: Array) -> tuple[Array, Array]:
    """Positions and velocities on straight lines between samples: where forces may jump."""
    left = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    s = ((times - t[left]) / (t[left + 1] - t[left]))[:, None]
    return q[left] + s * (q[left + 1] - q[left]), v[left] + s * (v[left + 1] - v[left])


def checked_times(times: Array, start: float, end: float) -> Array:
    """The moments, moved onto the ends when they miss them by rounding only."""
    slack = 1e-9 * max(abs(start), abs(end), end - start)
    if not len(times):
        return times
    low, high = float(np.min(times)), float(np.max(times))
    if not (low >= start - slack and high <= end + slack):
        raise OptionError(
            f"solution.at: t = {low if not low >= start - slack else high:.10g} s lies outside the"
            f" recorded samples, from {start:.10g} to {end:.10g} s."
            " Ask between them, record more, or simulate longer."
        )
    return np.clip(times, start, end)
