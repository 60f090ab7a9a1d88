"""A mechanism at equal intervals of time, in one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dalembert.errors import OptionError
from dalembert.model.start.states import rotations
from dalembert.plotting import drawing
from dalembert.plotting.painter import Painter
from dalembert.plotting.picture import filmed, interval, sheet_times
from dalembert.plotting.series import labelled
from dalembert.plotting.style import GREY, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dalembert.simulation.results.solution import Solution

Array = NDArray[np.float64]

LOOKED = 2000
"""Moments at which a run of bodies is looked at for its first return."""


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
    if getattr(solution.model, "bodies", None):
        return _of_bodies(solution, window, frames)
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


def _of_bodies(solution: Any, window: Any, frames: int) -> Axes:
    """Bodies with their shapes, in the plane or in space; the last exposure in its own colours."""
    whole = interval(solution, window)
    if window is None:
        scene, motion = filmed(solution, np.linspace(*whole, LOOKED), arrows=False)
        # the centres and one more point of each body, so that turning counts as well
        R = rotations(motion.rotations)
        tips = motion.positions[:, :, None] + 0.1 * scene.size * R.transpose(0, 1, 3, 2)
        whole = _until_back(motion.t, tips.reshape(len(motion.t), -1))
    fine, shown = sheet_times(*whole, frames)
    scene, motion = filmed(solution, fine, arrows=False)
    painter = Painter(scene)
    low, high = painter.limits(motion)
    ratio = float(np.clip((high - low)[1] / max((high - low)[0], 1e-12), 0.4, 1.4))
    figure, panels = new_figure(size=(7.6, 0.9 + 6.0 * ratio))
    axes: Axes = panels[0, 0]
    colours = _time_colours()
    painter.grid(axes)
    painter.trails(axes, motion)
    for i, k in enumerate(shown[:-1]):
        share = i / (frames - 1)
        tint, opacity = colours(share), 0.16 + 0.14 * share
        painter.paint(axes, motion, int(k), tint=tint, opacity=opacity, zorder=2.0 + share)
    painter.paint(axes, motion, int(shown[-1]), zorder=4.0)
    _time_bar(figure, axes, colours, *whole)
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_aspect("equal")
    labels = painter.camera.labels() if scene.planar else None
    if labels is None:
        axes.set_axis_off()
    else:
        axes.set_xlabel(f"{labels[0]} [m]")
        axes.set_ylabel(f"{labels[1]} [m]")
    axes.set_title(f"{solution.model.name}: {whole[0]:.3g} to {whole[1]:.3g} s")
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
    return _until_back(solution.t, np.concatenate(list(paths.values()), axis=1))


def _until_back(t: Array, track: Array) -> tuple[float, float]:
    """The interval until a track (k, n) is first back at its start and heading the same way."""
    start, end = float(t[0]), float(t[-1])
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
    return start, float(t[visit[np.argmin(away[visit])]])
