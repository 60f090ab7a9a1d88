"""Starts for a search: places met on walks along the constraints (analysis 4.2)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.constrained import split
from dalembert.analysis.equations.onto_constraints import closed
from dalembert.analysis.equations.point import Equations
from dalembert.errors import AssemblyError

Array = NDArray[np.float64]

STEP = 0.35
"""Length of a step, over the size of the model; turns count as lengths."""

TURN = 20
"""Steps before another direction is taken: more than a full turn."""


def starts(equations: Equations, t: float, q: Array, count: int) -> Iterator[Array]:
    """The start itself, and places along walks in random directions, the same each time."""
    try:
        first = closed(equations, t, q)
    except AssemblyError:
        yield q
        return
    yield first
    random, most = np.random.default_rng(0), STEP * float(equations.lengths.max())
    here, made, ahead = first, 1, np.zeros(equations.nv)
    while made < count:
        if made % TURN == 1:
            here = first if (made // TURN) % 2 == 0 else here
            ahead = random.standard_normal(equations.nv) / equations.lengths
        moved = _step(equations, t, here, ahead, most)
        made += 1
        if moved is None:
            ahead = random.standard_normal(equations.nv) / equations.lengths
            continue
        here, ahead = moved
        yield here


def _step(
    equations: Equations, t: float, q: Array, ahead: Array, most: float
) -> tuple[Array, Array] | None:
    """One step along the constraints as far ahead as they allow, and the direction it took."""
    free = split(equations.closing(t, q)[1], equations.lengths).Z
    lengths = equations.lengths
    scaled = free * lengths[:, None]
    u = free @ (scaled.T @ (ahead * lengths))
    size = float(np.abs(u * lengths).max(initial=0.0))
    if not size > 0.0:
        return None
    for part in (1.0, 0.5, 0.25):
        way = u * (part * most / size)
        try:
            return closed(equations, t, equations.displaced(q, way)), u
        except AssemblyError:
            continue
    return None
