"""Newton's method for contacts given by W, over the rows that are active.

Coulomb's law in the form of Alart and Curnier (1991): with c = p w and z = c x - u a contact is
open (z_n <= 0), sticks (|z_t| <= mu z_n) or slides along t = z_t / |z_t|. The derivative of what is
left, with everything eliminated that is known, is for the step dx

    open        dx = -x
    sticking    (W dx) + eps w dx = -u
    sliding     (W dx)_n + eps w dx_n = -u_n,     x_t + dx_t = mu (x_n + dx_n)   along t,
                (1 / k - c) dx_s + (W dx)_s = -u_s - (1 / k - c) x_s,   k = mu x_n / |z_t|,  across

as the law turns the direction of friction with the sliding. eps, far below one, chooses among the
impulses of dependent rows those near x. W need not be symmetric.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dalembert.contact.solvers.delassus.active import Active, Array, solved

if TYPE_CHECKING:
    from dalembert.contact.solvers.delassus.arrays import Given

STEPS, PATIENCE = 30, 5
"""Most steps, and steps without progress after which it ends."""

SOFTNESS = 1e-9
"""eps."""

LEAST = 1e-300


def newton_step(
    given: Given, x: Array, u: Array, p: float, eps: float, z: Array | None = None
) -> Array | None:
    """The step from x with the velocities u; None where its matrix is singular.

    `z`, one contact a row, says what is open, sticks or slides where that is not to come from x.
    """
    n, d, w, mu = given.count, given.dim, given.weight, given.mu
    X, c = x.reshape(n, d), p * w
    if z is None:
        z = c[:, None] * X - u.reshape(n, d)
    size = np.sqrt((z[:, 1:] ** 2).sum(axis=1))
    closed = z[:, 0] > 0.0
    is_sliding = closed & (size > mu * z[:, 0])
    sticks, slides = np.flatnonzero(closed & ~is_sliding), np.flatnonzero(is_sliding)
    turns = slides[mu[slides] > 0.0] if d == 3 else slides[:0]
    t = z[slides, 1:] / np.maximum(size[slides], LEAST)[:, None]
    s = t[mu[slides] > 0.0][:, ::-1] * (-1.0, 1.0) if d == 3 else np.zeros((0, 1))
    stuck = (d * sticks[:, None] + np.arange(d)).ravel()
    active = Active(n * d, stuck, d * slides, mu[slides, None] * t, d * turns, s)

    known = np.where(closed[:, None], 0.0, -X)
    along = (X[slides, 1:] * t).sum(axis=1)
    known[slides, 1:] = (mu[slides] * X[slides, 0] - along)[:, None] * t
    soft = eps * np.concatenate([np.repeat(w[sticks], d), w[slides], w[turns]])
    right = -active.restrict(u + given.product(known.ravel()))
    if len(turns):
        pressed = np.where(X[turns, 0] > 0.0, X[turns, 0], z[turns, 0] / c[turns])
        turning = size[turns] / np.maximum(mu[turns] * pressed, LEAST) - c[turns]
        first = len(stuck) + len(slides)
        soft[first:] = np.maximum(turning, soft[first:])
        right[first:] -= soft[first:] * (X[turns, 1:] * s).sum(axis=1)
    if len(right) == 0:
        return known.ravel()
    y = solved(given.over(active, soft), right)
    return None if y is None else known.ravel() + active.expand(y)


def newton(
    given: Given, x: Array, tolerance: float, p: float = 1.0, most: int = STEPS, halvings: int = 1,
    eps: float = SOFTNESS,
) -> tuple[Array, float, int]:  # fmt: skip
    """From x: the best that was found, what is left of it, and the steps taken.

    There is no function to go down on. Whole steps (`halvings` of one) find the active rows in most
    cases; else a step that leaves more is halved so often, and the best of these is taken.
    """
    left, u = given.measure(x)
    best, least, idle, used = x, left, 0, 0
    while used < most and idle < PATIENCE and not (least <= tolerance):
        dx = newton_step(given, x, u, p, eps)
        used += 1
        if dx is None:
            break
        tried, length = (np.inf, x, u), 1.0
        for _ in range(halvings):
            there = x + length * dx
            now, velocity = given.measure(there)
            if now < tried[0]:
                tried = now, there, velocity
            if now < (1.0 - 0.1 * length) * left:
                break
            length *= 0.5
        left, x, u = tried
        if not left < np.inf:
            break
        idle = 0 if left < 0.9 * least else idle + 1
        if left < least:
            best, least = x, left
    return best, least, used
