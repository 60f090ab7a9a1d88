"""Angles whose full turns are counted, in the arrays of a run: of bodies and of their tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.system.state_layout import State

Array = NDArray[np.float64]


def counted(arrays: Any) -> Array:
    """The angles, turns included, as a view into the arrays of something that was opened."""
    view: Array = State(arrays.work, arrays.sizes).last_angles
    return view


def pass_on(system: Any, angles: Array, other: Any, to: Array) -> None:
    """Write those angles of a system that another one counts, too."""
    known = dict(zip(_names(system), angles, strict=True))
    for k, name in enumerate(_names(other)):
        to[k] = known.get(name, to[k])


def _names(system: Any) -> list[tuple[str, int]]:
    """Name of the element that each angle belongs to, and its place there."""
    return [
        (w.name, 0) if w.element is None else (w.element.name, w.slot) for w in system.parts.wound
    ]
