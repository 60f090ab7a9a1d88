"""Pictures of a run: one moment, and a sheet of moments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.plotting.painter import Painter
from dalembert.scene import Motion, Scene, follow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

SMOOTH = 12
"""Places of a trail between two moments of a sheet."""


def filmed(
    solution: Any, times: Array, *, arrows: bool, trails: Any = None
) -> tuple[Scene, Motion]:
    """Scene and motion at given moments; a model that cannot be drawn is refused."""
    scene, motion = follow(solution, times=times, reactions=arrows, trails=trails)
    if not scene.bodies and not scene.points:
        raise OptionError(
            f"model {scene.name!r} names no points to draw. Give"
            ' points={"tip": (x, y)} and lines=[("pivot", "tip")] when describing it.'
        )
    return scene, motion


def interval(solution: Any, window: Any) -> tuple[float, float]:
    """The part of a run that is shown."""
    begin, end = float(solution.t[0]), float(solution.t[-1])
    if window is None:
        return begin, end
    try:
        start, stop = (float(moment) for moment in window)
    except (TypeError, ValueError):
        start, stop = np.nan, np.nan
    if not (begin <= start < stop <= end + 1e-9 * max(1.0, abs(end))):
        raise OptionError(
            f"window is {window!r:.60}. Give (start, stop) within {begin:g} to {end:g} s."
        )
    return start, min(stop, end)


def sheet_times(start: float, stop: float, frames: int) -> tuple[Array, Any]:
    """Moments of the panels, and those of the trails between them with their places."""
    if isinstance(frames, bool) or not isinstance(frames, int) or not 1 <= frames <= 200:
        raise OptionError(f"frames is {frames!r:.60}. Give a whole number from 1 to 200.")
    fine = np.linspace(start, stop, (frames - 1) * SMOOTH + 1) if frames > 1 else np.array([start])
    return fine, np.arange(frames) * SMOOTH


def bare(axes: Axes, painter: Painter, motion: Motion) -> None:
    """Room for the whole motion, equal scales, no ticks."""
    low, high = painter.limits(motion)
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_aspect("equal")
    axes.set_axis_off()


def columns_of(count: int, ratio: float, paper: float) -> int:
    """Columns of a sheet, for panels and paper of given width-to-height ratios; few gaps."""

    def waste(columns: int) -> float:
        rows = -(-count // columns)
        empty = columns * rows - count
        return abs(float(np.log(columns * ratio / rows / paper))) + 1.5 * empty / count

    return min(range(1, count + 1), key=waste)
