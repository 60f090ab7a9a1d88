"""One-sided rows by their active set, without a choice by values: for worlds in lanes (batches 3).

A row has a stop on one side or on both. With u = W lam the velocity that its impulse makes,

    0 <=  lam  where  low + u >= 0   is held,        0 >= lam  where  high - u >= 0  is held,

and lam is zero where both are open; W = J A^-1 J^T. With the sides that are held known, lam of
these is the solution of a linear system, and zero elsewhere. A pass solves it and sees which are
held then (Hintermueller, Ito and Kunisch 2003: Newton's method for this problem); where they are
the same it is the answer. A row that is left out has a one on the diagonal in its place, so that
all worlds do the same.
"""

from dalembert._jit import kernel
from dalembert._traceable import chosen

ROUNDED = 1e-14
"""Velocity of a row that is rounding, over the terms it is the sum of."""


@kernel
def solve_held(W, low, high, side, factor, lam):
    """lam of the rows that are held (`side` 1: low, -1: high, 0: open), by L D L^T of W of these.

    `factor` holds L and, on its diagonal, 1 / D.
    """
    n = len(lam)
    for i in range(n):
        held = side[i] * side[i]
        # L D, then L, row by row
        for j in range(i):
            t = held * (side[j] * side[j]) * W[i, j]
            for k in range(j):
                t -= factor[i, k] * factor[j, k]
            factor[i, j] = t
        t = chosen(held > 0.0, W[i, i], 1.0)
        for j in range(i):
            scaled = factor[i, j] * factor[j, j]
            t -= scaled * factor[i, j]
            factor[i, j] = scaled
        factor[i, i] = 1.0 / t
        t = chosen(side[i] > 0.0, -low[i], chosen(side[i] < 0.0, high[i], 0.0))
        for k in range(i):
            t -= factor[i, k] * lam[k]
        lam[i] = t
    for i in range(n - 1, -1, -1):
        t = lam[i] * factor[i, i]
        for k in range(i + 1, n):
            t -= factor[k, i] * lam[k]
        lam[i] = t


@kernel
def look_at_sides(W, low, high, side, lam, after):
    """Sides that are held after a pass, in `after`; how many are others than before."""
    n, changed = len(lam), 0.0
    for i in range(n):
        u = 0.0
        for k in range(n):
            u += (W[i, k] if k <= i else W[k, i]) * lam[k]
        below = low[i] + u < -ROUNDED * (abs(low[i]) + abs(u))
        above = high[i] - u < -ROUNDED * (abs(high[i]) + abs(u))
        joins = chosen(below, 1.0, chosen(above, -1.0, 0.0))
        kept = chosen(side[i] * lam[i] > 0.0, side[i], 0.0)
        after[i] = chosen(abs(side[i]) > 0.0, kept, joins)
        changed += abs(after[i] - side[i])
    return changed
