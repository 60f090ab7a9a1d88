"""Measured values as a formula: straight lines between the points of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.expression import TIME, Expression, constant
from dalembert.formulas.functions import where
from dalembert.formulas.rows import as_expression

LARGEST = 2000
"""Points of one table: every line is part of the compiled formula."""


def table(points: Sequence[float], values: Sequence[float], *, of: Any = TIME) -> Expression:
    """Formula with the given values at the given points, linear between, constant beyond.

    Parameters
    ----------
    points : sequence of at least 2 numbers
        Increasing; times unless `of` says otherwise.
    values : as many numbers
    of : formula
        What the points are values of; by default the time.

    Returns
    -------
    Expression
        Usable wherever a formula is: in forces, motions, constraints.

    Notes
    -----
    Its slope jumps at the points. An integrator of high order loses its order where a step goes
    across one; steps that end on the points keep it.

    Examples
    --------
    >>> table([0.0, 1.0], [2.0, 5.0])
    where(t <= 0, 2, where(t < 1, 3*t + 2, 5))
    """
    x, y = np.asarray(points, dtype=float), np.asarray(values, dtype=float)
    if x.ndim != 1 or x.shape != y.shape or len(x) < 2:
        raise ModelError(
            f"table: {x.shape} points and {y.shape} values. Give as many values as points, at "
            "least 2."
        )
    if len(x) > LARGEST:
        raise ModelError(f"table: {len(x)} points. Give at most {LARGEST}, or a formula.")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ModelError("table: holds a number that is not finite. Remove it.")
    if not (np.diff(x) > 0.0).all():
        k = int(np.argmin(np.diff(x) > 0.0))
        raise ModelError(
            f"table: point {x[k + 1]:g} follows {x[k]:g}. Give the points in increasing order."
        )
    at = as_expression(of)
    slopes = np.diff(y) / np.diff(x)
    lines: list[Any] = [y[k] + slopes[k] * (at - x[k]) for k in range(len(slopes))]
    inner = _search(at, x, lines, 0, len(lines))
    made: Expression = where(at <= x[0], constant(y[0]), where(at < x[-1], inner, constant(y[-1])))
    return made


def _search(at: Expression, x: Any, lines: list[Any], first: int, last: int) -> Any:
    """Line that holds at `at`, found by halving: a shallow formula."""
    if last - first == 1:
        return lines[first]
    middle = (first + last) // 2
    left, right = _search(at, x, lines, first, middle), _search(at, x, lines, middle, last)
    return where(at < x[middle], left, right)
