"""Full turns of angles in rows at one state: the fewest that close gears, racks and screws.

A state of bodies says where hinges stand, not how often they have gone round. Rows that relate
angles linearly do,

    C (raw + 2 pi k) + rest = 0,     k whole numbers,

up to turns that all of them make together: of these the fewest are taken. What is known of some
angles (asked for, or those of a state nearby) counts first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dalembert.formulas.derivative import jacobian
from dalembert.formulas.expression import ZERO, Expression, lift
from dalembert.formulas.graph import substitute, symbols
from dalembert.formulas.orientation import turns as turns_of
from dalembert.model.basics.contents import remembered
from dalembert.model.basics.quantity import value_of

Array = npt.NDArray[np.float64]
Angles = Mapping[Expression, float]

TURN = 2.0 * math.pi

CLOSED = (1e-7, 1e-3)
"""Residuals of rows, over their least factor, with which turns are taken to be found  [rad]."""

TRIED = 4000
"""Turns of free angles that are tried."""


@dataclass(frozen=True)
class Relations:
    """Rows that are linear in full turns.

    Attributes
    ----------
    angles : in (-pi, pi], n of them
    rows : m formulas, without turns
    factors : (m, n)
    """

    angles: tuple[Expression, ...]
    rows: tuple[Expression, ...]
    factors: Array

    def turns(self, raw: Array, rest: Array, known: Sequence[float | None]) -> Array:
        """Full turns [rad] of all angles; those known are nearest to what they are known to be."""
        k = np.zeros(len(raw))
        if not (np.isfinite(raw).all() and np.isfinite(rest).all()):
            return k
        fixed = np.array([x is not None for x in known], dtype=bool)
        told = np.array([y if x is None else x for x, y in zip(known, raw, strict=True)])
        k[fixed] = np.round((told - raw) / TURN)[fixed]
        for rows, columns in _parts(self.factors):
            free = columns[~fixed[columns]]
            if not len(free):
                continue
            C = self.factors[np.ix_(rows, free)]
            b = rest[rows] + TURN * self.factors[rows] @ k
            k[free] = _fewest(C, b, raw[free], is_led=bool(fixed[columns].any()))
        return TURN * k


def _parts(C: Array) -> list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """Rows and columns that hang together."""
    left, found = set(range(len(C))), []
    while left:
        rows: set[int] = {left.pop()}
        columns: set[int] = set()
        while True:
            more = set(np.flatnonzero(np.any(C[sorted(rows)] != 0.0, axis=0)).tolist())
            rows |= {i for i in left if any(C[i, j] != 0.0 for j in more)}
            left -= rows
            if more == columns:
                break
            columns = more
        found.append((np.array(sorted(rows)), np.array(sorted(columns), dtype=np.int64)))
    return found


def _fewest(C: Array, b: Array, raw: Array, *, is_led: bool) -> Array:
    """Whole numbers k with C 2 pi k + b = 0, of which the angles are smallest.

    Where there are none, none are taken; `is_led` by angles that are known, the nearest ones.
    """
    from scipy.linalg import qr

    size = np.abs(C).max(axis=1, initial=0.0)
    C, b = C[size > 0.0], b[size > 0.0]
    if not len(C):
        return np.zeros(len(raw))
    least = np.where(C != 0.0, np.abs(C), np.inf).min(axis=1)
    C, b = C / least[:, None], b / least
    _, R, order = qr(C, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(R))
    rank = int((diagonal > 1e-9 * diagonal[0]).sum())
    led, free = order[:rank], order[rank:]
    tried = _whole_numbers(len(free))
    k = np.zeros((len(tried), len(raw)))
    k[:, free] = tried
    wanted = -(b / TURN + k @ C.T)
    k[:, led] = np.round(np.linalg.lstsq(C[:, led], wanted.T, rcond=None)[0].T)
    off = np.abs(b + TURN * k @ C.T).max(axis=1)
    far = np.square(raw + TURN * k).sum(axis=1)
    for closed in CLOSED:
        if (off <= closed).any():
            return np.asarray(k[np.argmin(np.where(off <= closed, far, np.inf))])
    return k[0] if is_led else np.zeros(len(raw))


def _whole_numbers(count: int) -> Array:
    """Rows of `count` whole numbers about zero, zeros first."""
    if not count:
        return np.zeros((1, 0))
    most = int((TRIED ** (1.0 / count) - 1.0) / 2.0)
    axis = np.arange(-most, most + 1, dtype=float)
    if most == 0 or len(axis) ** count > 2 * TRIED:
        return np.zeros((1, count))
    made = np.stack(np.meshgrid(*[axis] * count, indexing="ij"), axis=-1).reshape(-1, count)
    return np.asarray(made[np.argsort(np.abs(made).sum(axis=1), kind="stable")])


# -- of a model ------------------------------------------------------------------------------------


@remembered
def relations_of(model: Any) -> Relations | None:
    """Position rows of a model that hold full turns linearly; None where there are none."""
    found: list[tuple[Expression, dict[Expression, Expression]]] = []
    for joint in model.joints.values():
        views = joint.views if joint.counts_turns else ()
        angles = joint.angles(views) if views else []
        if angles:
            slots = {turns_of(f"{joint.name}@{k}"): raw for k, raw in enumerate(angles)}
            rows = joint.rows(views, [lift(x) for x in joint.data()], list(slots))
            found += [(lift(row), slots) for row in rows]
    for constraint in model.constraints:
        if constraint.kind == "holonomic":
            slots = turning_joints(model, constraint.rows)
            found += [(row, slots) for row in constraint.rows if slots]
    made = [(row, slots, _factors(row, list(slots), model.parameters)) for row, slots in found]
    made = [one for one in made if one[2] is not None and any(one[2])]
    if not made:
        return None
    columns = {raw: None for _, slots, _ in made for raw in slots.values()}
    place = {raw: j for j, raw in enumerate(columns)}
    C = np.zeros((len(made), len(place)))
    for i, (_, slots, factors) in enumerate(made):
        for raw, factor in zip(slots.values(), factors or (), strict=True):
            C[i, place[raw]] += factor
    plain = tuple(substitute([row], dict.fromkeys(slots, ZERO))[0] for row, slots, _ in made)
    return Relations(tuple(columns), plain, C)


def turning_joints(model: Any, formulas: Sequence[Expression]) -> dict[Expression, Expression]:
    """Symbol of counted turns -> angle in (-pi, pi], of joints whose angle stands in formulas."""
    found: dict[Expression, Expression] = {}
    for leaf in symbols(formulas, "coordinate"):
        name, _, part = leaf.name.partition(":")
        if part == "turns" and name in model.joints:
            found[leaf] = substitute([model.joints[name].angle], {leaf: ZERO})[0]
    return found


def _factors(
    row: Expression, slots: Sequence[Expression], parameters: Mapping[str, float]
) -> list[float] | None:
    """Factors of turns in a row; None where it is not linear in them."""
    slopes = [lift(x) for x in jacobian([row], list(slots))[0]]
    if symbols(slopes, "coordinate", "velocity"):
        return None
    found = [value_of(x, parameters) for x in slopes]  # none of formulas of time
    return None if None in found else [float(x or 0.0) for x in found]
