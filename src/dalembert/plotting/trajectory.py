"""Paths of the moving points in the plane; coordinates over time when there are no points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.plotting import drawing
from dalembert.plotting.series import bounded, labelled, limits_of_sound, thin
from dalembert.plotting.style import COLOURS, DASHES, legend, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def trajectory(thing: Any) -> Axes:
    """Paths of the model's points (`model.points`), or all coordinates over time without them."""
    solutions = labelled(thing)
    if all(getattr(solution.model, "points", None) for solution in solutions.values()):
        return _paths(solutions)
    return _coordinates(solutions)


def _paths(solutions: dict[str, Any]) -> Axes:
    _, panels = new_figure(size=(6.4, 5.4))
    axes: Axes = panels[0, 0]
    for (label, solution), dash in zip(solutions.items(), _cycle(DASHES), strict=False):
        paths = drawing.point_paths(solution)
        for (name, path), colour in zip(
            drawing.moving(paths).items(), _cycle(COLOURS), strict=False
        ):
            text = name if len(solutions) == 1 else f"{name}, {label}"
            axes.plot(*bounded(path).T, color=colour, linestyle=dash, label=text)
            axes.plot(*path[0], marker="o", markersize=5, color=colour)
        horizontal, vertical = drawing.axis_labels(solution)
    axes.set_aspect("equal")
    axes.margins(0.05)
    axes.set_xlabel(horizontal)
    axes.set_ylabel(vertical)
    axes.set_title(f"{next(iter(solutions.values())).model.name}: paths, dots mark the start")
    legend(axes, least=1)
    return axes


def _coordinates(solutions: dict[str, Any]) -> Axes:
    _, panels = new_figure(size=(7.2, 4.2))
    axes: Axes = panels[0, 0]
    for (label, solution), dash in zip(solutions.items(), _cycle(DASHES), strict=False):
        for i, name in enumerate(solution.coordinate_names):
            text = name if len(solutions) == 1 else f"{name}, {label}"
            colour = COLOURS[i % len(COLOURS)]
            axes.plot(
                *thin(solution.t, bounded(solution.q[:, i])),
                color=colour,
                linestyle=dash,
                label=text,
            )
    axes.set_xlabel("time [s]")
    limits_of_sound(axes, [(s, s.q) for s in solutions.values()])
    axes.set_ylabel("coordinates [m, rad]")
    axes.set_title(f"{next(iter(solutions.values())).model.name}: coordinates")
    legend(axes)
    return axes


def _cycle(parts: tuple[str, ...]) -> list[str]:
    return list(np.resize(np.array(parts, dtype=object), 64))
