"""A planar mechanism at equal intervals of time, in one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.plotting import drawing
from dalembert.plotting.series import labelled
from dalembert.plotting.style import GREY, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dalembert.simulation.solution import Solution

Array = NDArray[np.float64]


def stroboscope(thing: Any, *, window: tuple[float, float] | None = None, frames: int = 25) -> Axes:
    """Exposures of the mechanism, early ones pale, the last one drawn with joints and supports.

    Parameters
    ----------
    window : (start, stop), optional   interval shown [s]; default: until the mechanism first
                                       returns to its initial position, or the whole run
    frames : int                       number of exposures
    """
    solutions = labelled(thing)
    if len(solutions) != 1:
        raise OptionError(
            "plot 'stroboscope': give one solution, for example result.solutions[...]."
        )
    if frames < 2:
        raise OptionError(f"plot 'stroboscope': frames = {frames}. Give at least 2.")
    solution = next(iter(solutions.values()))
    start, stop = window or _first_cycle(solution)
    times = np.linspace(start, stop, frames)
    paths = drawing.point_paths(solution, times)
    smooth = drawing.moving(drawing.point_paths(solution, np.linspace(start, stop, 40 * frames)))

    width, height = _size(paths)
    figure, panels = new_figure(size=(width, height))
    axes: Axes = panels[0, 0]
    colours = _time_colours()
    for path in smooth.values():
        axes.plot(path[:, 0], path[:, 1], color="#BBBBBB", linewidth=0.8, zorder=1)
    for i in range(frames):
        share = i / (frames - 1)
        last = i == frames - 1
        for line in solution.model.lines or _all_points(paths):
            corners = np.array([paths[name][i] for name in line])
            axes.plot(
                corners[:, 0],
                corners[:, 1],
                color=colours(share),
                linewidth=3.2 if last else 1.6,
                alpha=1.0 if last else 0.75,
                zorder=4 if last else 2 + share,
            )
    _joints(axes, paths, smooth, colours(1.0))
    _time_bar(figure, axes, colours, start, stop)
    horizontal, vertical = drawing.axis_labels(solution)
    axes.set_aspect("equal")
    axes.margins(0.06)
    axes.set_xlabel(horizontal)
    axes.set_ylabel(vertical)
    axes.set_title(f"{solution.model.name}: {start:.3g} to {stop:.3g} s")
    return axes


def _joints(axes: Axes, paths: dict[str, Array], moving: dict[str, Array], colour: Any) -> None:
    for name, path in paths.items():
        if name in moving:
            axes.plot(
                *path[-1],
                marker="o",
                markersize=7,
                markerfacecolor="white",
                markeredgecolor=colour,
                markeredgewidth=1.8,
                zorder=6,
            )
        else:
            x, y = path[-1]
            axes.plot(x, y, marker="^", markersize=11, color="#333333", zorder=5)


def _time_bar(figure: Any, axes: Axes, colours: Any, start: float, stop: float) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    bar = figure.colorbar(
        ScalarMappable(Normalize(start, stop), colours), ax=axes, shrink=0.7, aspect=30, pad=0.02
    )
    bar.set_label("time [s]", color=GREY)
    bar.outline.set_visible(False)


def _time_colours() -> Any:
    import matplotlib as mpl
    from matplotlib.colors import LinearSegmentedColormap

    # Read alike by every colour vision; its pale end would vanish on white.
    return LinearSegmentedColormap.from_list(
        "time", mpl.colormaps["plasma_r"](np.linspace(0.17, 1.0, 64))
    )


def _size(paths: dict[str, Array]) -> tuple[float, float]:
    corners = np.concatenate(list(paths.values()))
    extent = np.maximum(np.ptp(corners, axis=0), 1e-9)
    ratio = float(np.clip(extent[1] / extent[0], 0.4, 1.4))
    return 7.6, 0.9 + 6.0 * ratio


def _all_points(paths: dict[str, Array]) -> list[tuple[str, ...]]:
    return [tuple(paths)]


def _first_cycle(solution: Solution) -> tuple[float, float]:
    """Until the points, having left, are back where they started and moving the same way."""
    start, end = float(solution.t[0]), float(solution.t[-1])
    paths = drawing.moving(drawing.point_paths(solution))
    if not paths or len(solution.t) < 4:
        return start, end
    track = np.concatenate(list(paths.values()), axis=1)
    size = float(np.max(np.ptp(track, axis=0)))
    away = np.max(np.abs(track - track[0]), axis=1) / size
    left = np.flatnonzero(away > 0.25)
    if not len(left):
        return start, end
    heading = track[min(3, len(track) - 1)] - track[0]
    step = np.gradient(track, axis=0)
    forward = step @ heading >= 0
    nearest = (away < 0.05) & forward & (np.arange(len(away)) > left[0])
    back = np.flatnonzero(nearest)
    if not len(back):
        return start, end
    # The closest sample of the first visit.
    visit = back[: np.argmax(np.diff(back, append=back[-1] + 2) > 1) + 1]
    return start, float(solution.t[visit[np.argmin(away[visit])]])
