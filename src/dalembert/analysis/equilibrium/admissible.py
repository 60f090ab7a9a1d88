"""Forces of contacts that balance a load: a cone program by cutting planes (analysis 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array

from dalembert.analysis.equilibrium.touching import Touching

Array = NDArray[np.float64]

SIDES = 16
"""Sides of polygons that stand for circles of friction at first."""

ROUNDS = 60
"""Times that planes are added where polygons do not decide."""

EXACT = 1e-10
"""Margin, over the load, that is rounding."""

CLOSE = 1e-3
"""Share of the largest margin up to which forces are not looked for once more."""

BALANCED = 1e-9


@dataclass(frozen=True)
class Admissible:
    """Forces by contact, and the margin: how far all are inside their cones, over the load."""

    margin: float
    normal: Array
    tangents: list[Array]


def admissible(
    push: Array, contacts: Sequence[Touching], Z: Array, scale: float
) -> Admissible | None:
    """The forces furthest inside all cones:  Z^T (push + sum of contacts) = 0.

    Largest s with  n_i >= s,  mu_i n_i - |t_i| >= s.  None where no forces whatever balance it; a
    negative margin where none within the cones do.
    """
    sizes = [1 + len(c.tangents) for c in contacts]
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
    count = int(first[-1]) + 1  # the last one is s
    E = np.zeros((Z.shape[1], count))
    for c, k in zip(contacts, first[:-1], strict=True):
        E[:, k] = Z.T @ c.normal
        E[:, k + 1 : k + 1 + len(c.tangents)] = Z.T @ c.tangents.T
    sparse, b = csr_array(E), -(Z.T @ push) / scale
    cost, bounds = _cost_and_bounds(contacts, first, count, scale)

    def solved(cuts: list[Array]) -> Array | None:
        A = csr_array(np.array(cuts).reshape(len(cuts), count))
        found = linprog(cost, A, np.zeros(len(cuts)), sparse, b, bounds, method="highs")
        return None if found.status != 0 else np.asarray(found.x)

    cuts = _first_cuts(contacts, first, count, 1.0)
    x = solved(cuts)
    if x is None:
        return None
    margin = _margin(x, contacts, first)
    if x[-1] >= 0.0 and margin < (1.0 - CLOSE) * x[-1] - EXACT:
        # polygons within the circles: forces that hold for certain, if there are any
        inside = solved(_first_cuts(contacts, first, count, np.cos(np.pi / SIDES)))
        if inside is not None and inside[-1] >= 0.0:
            x, margin = inside, _margin(inside, contacts, first)
    for _ in range(ROUNDS):
        if margin >= -EXACT or x[-1] < 0.0:
            break
        cuts += _excess(x, contacts, first, count)
        better = solved(cuts)
        if better is None:
            break
        x, margin = better, _margin(better, contacts, first)
    if np.abs(E @ x - b).max(initial=0.0) > BALANCED:
        return None
    tangents = [scale * x[k + 1 : k + n] for k, n in zip(first, sizes, strict=False)]
    return Admissible(float(margin), scale * x[first[:-1]], tangents)


def _cost_and_bounds(
    contacts: Sequence[Touching], first: Array, count: int, scale: float
) -> tuple[Array, list[tuple[float | None, float | None]]]:
    """The largest margin, and of forces that have it the least."""
    bounds: list[tuple[float | None, float | None]] = [(None, None)] * count
    bounds[-1] = (None, 1.0)
    cost = np.zeros(count)
    cost[-1] = -1.0
    for c, k in zip(contacts, map(int, first[:-1]), strict=True):
        cost[k] = 1e-9
        if c.is_box:
            bounds[k] = (0.0, 0.0)
            bounds[k + 1] = (c.low / scale, c.high / scale)
    return cost, bounds


def _margin(x: Array, contacts: Sequence[Touching], first: Array) -> float:
    """How far forces are inside all their cones."""
    found = float(min(1.0, x[-1]))
    for c, k in zip(contacts, first[:-1], strict=True):
        if not c.is_box:
            t = x[k + 1 : k + 1 + len(c.tangents)]
            found = min(found, float(x[k]))
            if len(t):
                found = min(found, c.friction * float(x[k]) - float(np.linalg.norm(t)))
    return found


def _row(count: int, entries: dict[int, float]) -> Array:
    made = np.zeros(count)
    for k, value in entries.items():
        made[k] = value
    return made


def _cut(count: int, c: Touching, k: int, d: Array) -> Array:
    """d . t - mu n + s <= 0."""
    made = _row(count, {k: -c.friction, count - 1: 1.0})
    made[k + 1 : k + 1 + len(d)] = d
    return made


def _first_cuts(
    contacts: Sequence[Touching], first: Array, count: int, share: float
) -> list[Array]:
    """n >= s, and friction within polygons: around the circles, or with a `share` within them."""
    cuts = []
    angles = np.arange(SIDES) * 2.0 * np.pi / SIDES
    for c, k in zip(contacts, map(int, first[:-1]), strict=True):
        if c.is_box:
            continue
        cuts.append(_row(count, {k: -1.0, count - 1: 1.0}))
        if len(c.tangents) == 1:
            cuts += [_cut(count, c, k, np.array([sign])) for sign in (1.0, -1.0)]
        elif len(c.tangents):
            sides = np.stack([np.cos(angles), np.sin(angles)], axis=1) / share
            cuts += [_cut(count, c, k, d) for d in sides]
    return cuts


def _excess(x: Array, contacts: Sequence[Touching], first: Array, count: int) -> list[Array]:
    """Cuts along friction forces that are outside their cones."""
    made = []
    for c, k in zip(contacts, first[:-1], strict=True):
        t = x[k + 1 : k + 1 + len(c.tangents)]
        size = float(np.linalg.norm(t))
        if not c.is_box and size + x[-1] > c.friction * x[k] + EXACT and len(t) > 1:
            made.append(_cut(count, c, int(k), t / size))
    return made
