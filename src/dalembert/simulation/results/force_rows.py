"""Efforts, powers and works of forces that are rows of the contact problem.

Drives, brakes and dry friction have rows with a force f and a rate u of their own: the power is
f u, the effort along the coordinate x of the joint is f du/dx'. A row takes the place of the
formula of its force (drives, brakes), or acts beside it (friction that is dry and viscous).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dalembert.formulas.expression import Expression
from dalembert.model.basics.quantity import value_of
from dalembert.model.one_sided.rows import one_sided_rows
from dalembert.simulation.results import states_between
from dalembert.simulation.results.quadrature import cumulative

if TYPE_CHECKING:
    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """A row of a force: its rate, its force at the samples, whether it replaces the formula."""

    rate: Expression
    push: Array
    replaces: bool


def effort(solution: Solution, name: str, formula: Array) -> Array:
    """Effort of a force along its coordinate, `formula` being what it is without rows."""
    rows = _rows(solution, name)
    if not rows:
        return formula
    gear = value_of(getattr(solution.model.forces[name], "gear", 1.0), solution.model.parameters)
    pushes = np.sum([row.push for row in rows], axis=0)
    return _together(solution, rows, pushes * (1.0 if gear is None else gear), formula)


def power(solution: Solution, name: str, formula: Array) -> Array:
    """Power of a force, `formula` being what it is without rows.

    The force of the first sample, which no step led to, is that of the second.
    """
    rows = _rows(solution, name)
    if not rows:
        return formula
    total = np.zeros(len(solution.t))
    for row, rate in zip(rows, solution.trajectory.series([r.rate for r in rows]), strict=True):
        first = row.push[1:2] if len(row.push) > 1 else np.zeros(1)
        total += np.where(np.isnan(row.push), first, row.push) * rate
    return _together(solution, rows, np.nan_to_num(total), formula)


def work(solution: Solution, name: str, formula: Array) -> tuple[Array, float] | None:
    """Work of a force of a run by steps, whose rows have one force in each, and its error.

    None where no rows act, or forces are smooth between samples. A step does the work f u h of its
    force and the mean of the rates at both ends.
    """
    rows, touch = _rows(solution, name), solution.touch
    if not rows or touch is None or states_between.is_smooth(solution) or len(solution.t) < 2:
        return None
    h, smooth = np.diff(solution.t), touch.smooth
    replaced = any(row.replaces for row in rows)
    plain = np.where(smooth, formula, 0.0) if replaced else formula
    done, off = cumulative(solution.t, plain, jumps(solution))
    for row, rate in zip(rows, solution.trajectory.series([r.rate for r in rows]), strict=True):
        push = np.where(smooth | np.isnan(row.push), 0.0, row.push)[1:]
        done[1:] += np.cumsum(push * h * (rate[1:] + rate[:-1]) / 2)
        off += float(np.abs(np.sum(push * h * np.diff(rate)))) / 2
    return done, off


def jumps(solution: Solution) -> NDArray[np.bool_]:
    """Whether velocities may jump between two samples: in a step with impulses."""
    touch = solution.touch
    if touch is None or states_between.is_smooth(solution):
        return np.zeros(max(0, len(solution.t) - 1), dtype=bool)
    return ~np.asarray(touch.smooth[1:], dtype=bool)


def _rows(solution: Solution, name: str) -> list[Row]:
    """Rows of a force of a run; none where it solved for none."""
    touch = solution.touch
    if touch is None or name not in touch.elements:
        return []
    return [
        Row(row.rate, touch.side_forces[:, touch.sides.index(row.name)], row.replaces)
        for row in one_sided_rows(solution.model)
        if row.element == name and row.name in touch.sides and row.rate is not None
    ]


def _together(solution: Solution, rows: list[Row], by_rows: Array, formula: Array) -> Array:
    """Both parts where rows act; the formula alone in steps without impulses."""
    assert solution.touch is not None
    acting = by_rows if any(row.replaces for row in rows) else by_rows + formula
    return np.where(solution.touch.smooth, formula, acting)
