"""Special positions along a driven motion: found, classified, named (analysis 6.2)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize_scalar

from dalembert.analysis.kinematics.driven import Driven, is_angle

Array = NDArray[np.float64]

EXTREME, LIMIT, CHANGE, DEAD = "extreme", "limit", "change point", "dead point"

LOST = 1e-5
"""Singular value of rows, over the largest, at which they count as dependent."""

NEAR = 0.3
"""Such a value above which no minimum is looked for."""

CLOSE = 1e-6
"""Distance of values at which two special positions are one."""

STILL = 1e-9
"""Rate of an output, over the rates there are, that is none."""


@dataclass(frozen=True)
class Special:
    """A special position.

    Attributes
    ----------
    kind : "extreme"       an output stops and turns back: a limit position, a dead centre of it
           "limit"         the driven coordinate itself goes no further
           "dead point"    the drive cannot move the mechanism there, though it goes on
           "change point"  constraints lose rank: there is more freedom, and branches meet
    value : of the driven coordinate
    name : in words
    q : place
    """

    kind: str
    value: float
    name: str
    q: Array


def extremes(
    driven: Driven, names: Sequence[str], values: Array, q: Array, v: Array
) -> list[Special]:
    """Where outputs stop and turn back, each solved for."""
    found = []
    rates = np.array(
        [_rates(driven, names, place, speed) for place, speed in zip(q, v, strict=True)]
    )
    fast = float(np.abs(v * driven.equations.lengths).max(initial=0.0))
    for j, name in enumerate(names):
        rate = rates[:, j]
        all_of_it = fast / float(driven.equations.lengths.max()) if is_angle(name) else fast
        moves = float(np.abs(rate).max(initial=0.0)) > STILL * all_of_it
        if not moves:
            continue
        turning = [k for k, x in enumerate(rate) if abs(x) > STILL * all_of_it]
        for k, after in itertools.pairwise(turning):
            if rate[k] * rate[after] > 0.0:
                continue
            value, place = float(values[k + 1]), q[k + 1]  # a sample stands on it
            if after == k + 1:
                near = q[k]

                def off(s: float, j: int = j, near: Array = near) -> float:
                    place = driven.close(near, s)
                    if place is None:
                        return float("nan")
                    return float(_rates(driven, names, place, driven.moving(place, 1.0, 0.0)[0])[j])

                root = _root(off, float(values[k]), float(values[after]))
                closed = None if root is None else driven.close(near, root)
                if root is None or closed is None:
                    continue
                value, place = root, closed
            what = "largest" if rate[k] > 0.0 else "smallest"
            found.append(Special(EXTREME, value, f"{name} at its {what} value", place))
    return found


def _rates(driven: Driven, names: Sequence[str], q: Array, v: Array) -> Array:
    if not names:
        return np.zeros(0)
    return np.asarray(driven.equations.gradients(list(names), driven.still(q)) @ v)


def crossings(driven: Driven, values: Array, q: Array) -> list[Special]:
    """Where the rows, or the rows and the drive, lose rank: minima of what is left of it.

    At a minimum that is zero it falls and rises like |s - s0|.
    """
    margins = np.array([driven.margin(place) for place in q])
    found: list[Special] = []
    for which in (0, 1):
        left = margins[:, which]
        for k in range(len(q)):
            before, after = max(k - 1, 0), min(k + 1, len(q) - 1)
            if left[k] > min(left[before], left[after]) or left[k] > NEAR:
                continue
            value, place = float(values[k]), q[k]
            if left[k] > LOST:
                value, place = _lowest(driven, values, q, k, which)
            special = _named(driven, value, place) if _is_lost(driven, place, which) else None
            if special and all(abs(special.value - x.value) > CLOSE for x in found):
                found.append(special)
    return found


def _is_lost(driven: Driven, q: Array, which: int) -> bool:
    return driven.margin(q)[which] <= LOST


def _lowest(driven: Driven, values: Array, q: Array, k: int, which: int) -> tuple[float, Array]:
    """The place with the least margin about a sample, on the branch through its neighbours."""
    low, high = max(k - 1, 0), min(k + 1, len(q) - 1)

    def place(s: float) -> Array | None:
        other = low if (s - values[k]) * (values[high] - values[low]) < 0.0 else high
        if other == k:
            return driven.close(q[k], s)
        part = (s - values[k]) / (values[other] - values[k])
        way = driven.way(q[k], q[other]) * float(part)
        return driven.close(driven.equations.displaced(q[k], way), s)

    def left(s: float) -> float:
        there = place(s)
        return 1.0 if there is None else driven.margin(there)[which]

    ends = sorted((float(values[low]), float(values[high])))
    best = minimize_scalar(left, bounds=ends, method="bounded", options={"xatol": 1e-12})
    there = place(float(best.x))
    return (float(best.x), there) if there is not None else (float(values[k]), q[k])


def _named(driven: Driven, value: float, q: Array) -> Special:
    own, _ = driven.margin(q)
    if own <= LOST:
        text = "change point: constraints lose rank, and another branch can be taken"
        return Special(CHANGE, value, text, q)
    text = f"dead point: {driven.drive} cannot move the mechanism here"
    return Special(DEAD, value, text, q)


def limit(driven: Driven, q: Array, ahead: float) -> Special | None:
    """The position beyond which the driven coordinate does not go, from one shortly before it.

    Along the curve of places the drive changes by G u, u being the free displacement: its zero.
    """
    size = float(driven.equations.lengths.max())
    here, way = q, None
    u, rate = driven.tangent(here)
    u, rate = (u, rate) if rate * ahead > 0.0 else (-u, -rate)
    step = 0.02 * size
    for _ in range(400):
        there = _along(driven, here, u, step)
        if there is None:
            step *= 0.5
            if step < 1e-12 * size:
                return None
            continue
        after, turned = driven.tangent(there, u)
        if turned * ahead <= 0.0:
            way = (here, u, step)
            break
        here, u = there, after
    if way is None:
        return None
    start, u, step = way

    def off(s: float) -> float:
        place = _along(driven, start, u, s)
        return float("nan") if place is None else driven.tangent(place, u)[1]

    root = _root(off, 0.0, step)
    if root is None:
        return None
    found = _along(driven, start, u, root)
    if found is None:
        return None
    value = driven.value(found)
    what = "largest" if ahead > 0.0 else "smallest"
    own, _ = driven.margin(found)
    if own <= LOST:
        return _named(driven, value, found)
    return Special(LIMIT, value, f"{driven.drive} at its {what} value: it goes no further", found)


def _along(driven: Driven, q: Array, u: Array, step: float) -> Array | None:
    """The place `step` further along the curve: at right angles to its direction, closed."""
    from dalembert.analysis.equations.onto_constraints import closed
    from dalembert.errors import AssemblyError

    try:
        return closed(driven.equations, driven.t, driven.equations.displaced(q, step * u))
    except AssemblyError:
        return None


def _root(function: Callable[[float], float], low: float, high: float) -> float | None:
    """A zero; None where the function has no value."""
    try:
        a, b = function(low), function(high)
        if not (np.isfinite(a) and np.isfinite(b)) or a * b > 0.0:
            return None
        return float(brentq(function, low, high, xtol=1e-14, rtol=1e-14))
    except (ValueError, RuntimeError):
        return None
