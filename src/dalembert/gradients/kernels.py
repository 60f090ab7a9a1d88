"""Loops over the steps of a piece of a run: forth with values and tangents, back with adjoints.

Row k of `X` is the state before step k, which goes from t + k h to t + (k + 1) h; p holds the
entries that parameters change.
"""

from __future__ import annotations

import math

from dalembert._jit import kernel
from dalembert._records import Integers, Matrix, Numbers, value
from dalembert.batch.kernels.layout import BATCH
from dalembert.gradients.stages import (
    Stages,
    factor_stages,
    pull_stages,
    push_stages,
    solve_stages,
    solved_for,
)

_call = BATCH.call

CORRECTIONS = 12
"""Corrections of constraints behind a step, beyond those that are part of it."""

STALLED = 32.0
"""Residual over what is rounding, of corrections that gain nothing more: rounding all the same."""


@value
class Stretch:
    """Steps of one piece: their states, the entries that parameters change, room for one call.

    T : row k has values of step k that are kept for the way back; one row where none are
    """

    X: Matrix
    T: Matrix
    p: Numbers
    room: Numbers
    dummy: Integers
    stages: Stages


@kernel
def close(closing, t, nq, stretch, y):
    """Corrections until the residuals are rounding; whether they are."""
    nx, room, last = y.shape[0], stretch.room, math.inf
    for _ in range(CORRECTIONS):
        _call(closing, room, stretch.dummy, t, 0.0, y[:nq], y[nq:], stretch.p, room, room, room)
        if room[nx] <= 1.0:
            return True
        if not room[nx] < 0.5 * last:
            return room[nx] <= STALLED
        last = room[nx]
        for i in range(nx):
            y[i] = room[i]
    return False


@kernel
def crosses(old, new, direction):
    """Whether a formula has changed its sign in a way that is looked for."""
    if direction >= 0 and old < 0.0 and new >= 0.0:
        return True
    return direction <= 0 and old > 0.0 and new <= 0.0


@kernel
def watch_step(watch, t, nq, stretch, y, g, directions):
    """Values of the watched formulas behind a step, in the second row of g; whether one crosses."""
    room, now = stretch.room, g[1]
    _call(watch, room, stretch.dummy, t, 0.0, y[:nq], y[nq:], stretch.p, room, room, now)
    found = False
    for i in range(g.shape[1]):
        if crosses(g[0, i], g[1, i], directions[i]):
            found = True
    return found


@kernel
def march(step, closing, watch, t, h, nq, stretch, g, directions):
    """Fill the rows of X from the first one; how many steps were made.

    A negative number: the step behind so many failed (-1: the first one). g, of two rows, has the
    values of the watched formulas before and behind the last step; it ends where one crosses zero.
    """
    X, T, p, room, dummy = stretch.X, stretch.T, stretch.p, stretch.room, stretch.dummy
    stages = stretch.stages
    for k in range(X.shape[0] - 1):
        at = t + k * h
        x, y = X[k], X[k + 1]
        if not solve_stages(stages, at, h, nq, x, p):
            return -k - 1
        kept = T[min(k, T.shape[0] - 1)]
        if _call(step, kept, dummy, at, h, x[:nq], x[nq:], p, stages.z, room, y) != 0:
            return -k - 1
        if closing != 0 and not close(closing, at + h, nq, stretch, y):
            return -k - 1
        if watch != 0:
            if watch_step(watch, at + h, nq, stretch, y, g, directions):
                return k + 1
            for i in range(g.shape[1]):
                g[0, i] = g[1, i]
    return X.shape[0] - 1


@kernel
def push(tangent, t, h, nq, stretch, D, S, dt, dh):
    """Take the tangents S (a row a direction) through the steps of X.

    D are derivatives of the entries of p in each direction, dt and dh those of the time of the
    first step and of h.
    """
    X, p, dummy, stages = stretch.X, stretch.p, stretch.dummy, stretch.stages
    nx, given = X.shape[1], D.shape[1]
    width = nx + given + 2
    count = solved_for(stages)
    x, y = stretch.room[: width + count], stretch.room[width + count :]
    for k in range(X.shape[0] - 1):
        before, at = X[k], t + k * h
        factor_stages(stages, at, h, nq, before, p, False)
        for j in range(S.shape[0]):
            for i in range(nx):
                x[i] = S[j, i]
            for i in range(given):
                x[nx + i] = D[j, i]
            x[nx + given] = dt[j] + k * dh[j]
            x[nx + given + 1] = dh[j]
            push_stages(stages, at, h, nq, before, p, x, width)
            _call(tangent, y, dummy, at, h, before[:nq], before[nq:], p, stages.z, x, y)
            for i in range(nx):
                S[j, i] = y[i]


@kernel
def pull(adjoint, t, h, nq, stretch, lam, p_bar, times):
    """Take the adjoints lam of the last state back to the first; adds to those of p and of time.

    times : adjoints of the time of the first step and of h
    """
    X, p, dummy, stages = stretch.X, stretch.p, stretch.dummy, stretch.stages
    n, nx, given = X.shape[0] - 1, X.shape[1], p_bar.shape[0]
    width = nx + given + 2
    y, T = stretch.room, stretch.T
    for back in range(n):
        k = n - 1 - back
        before, at = X[k], t + k * h
        factor_stages(stages, at, h, nq, before, p, True)
        kept = T[min(k, T.shape[0] - 1)]
        _call(adjoint, kept, dummy, at, h, before[:nq], before[nq:], p, stages.z, lam, y)
        pull_stages(stages, at, h, nq, before, p, y, width)
        for i in range(nx):
            lam[i] = y[i]
        for i in range(given):
            p_bar[i] += y[nx + i]
        times[0] += y[nx + given]
        times[1] += k * y[nx + given] + y[nx + given + 1]
