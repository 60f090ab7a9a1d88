"""A recorded number of a study over two of its axes, as colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.plotting.study_columns import recorded
from dalembert.plotting.style import GREY, new_figure
from dalembert.study.study import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def heat_map(
    study: Study, x: str | None = None, y: str | None = None, value: str | None = None
) -> Axes:
    """Colours over two axes: cells of a grid, dots of another design; failed rows are grey.

    Parameters
    ----------
    x, y : str      axes of the study; by default its first two
    value : str     what was recorded; by default its first number
    """
    value = recorded(study, value, "heat-map")
    free = [name for name in study.names if name not in (x, y)]
    x = x or (free.pop(0) if free else None)
    y = y or (free.pop(0) if free else None)
    if x is None or y is None or x == y or x not in study.names or y not in study.names:
        raise OptionError(
            f"plot 'heat-map': x is {x!r}, y is {y!r}. Give two axes of the study; it has"
            f" {', '.join(study.names)}."
        )
    figure, panels = new_figure(size=(6.4, 4.8))
    axes: Axes = panels[0, 0]
    shown = _cells(axes, study, x, y, value) if study.design == "grid" else None
    if shown is None:
        bad = ~np.isfinite(study[value])
        axes.plot(study[x][bad], study[y][bad], "x", color=GREY, markersize=4)
        good = ~bad
        shown = axes.scatter(study[x][good], study[y][good], c=study[value][good], s=14)
    others = [name for name in study.names if name not in (x, y)]
    mean = study.design == "grid" and bool(others)
    axes.set(xlabel=x, ylabel=y, title=f"{value}, mean over {', '.join(others)}" if mean else value)
    axes.grid(False)
    figure.colorbar(shown, ax=axes)
    return axes


def _cells(axes: Axes, study: Study, x: str, y: str, value: str) -> Any:
    """Cells of a grid; the mean over its other axes."""
    across, column = np.unique(study[x], return_inverse=True)
    up, row = np.unique(study[y], return_inverse=True)
    if len(across) < 2 or len(up) < 2:
        return None
    total, count = np.zeros((2, len(up), len(across)))
    good = np.isfinite(study[value])
    np.add.at(total, (row[good], column[good]), study[value][good])
    np.add.at(count, (row[good], column[good]), 1.0)
    with np.errstate(invalid="ignore"):
        means = np.ma.masked_invalid(total / count)
    axes.set_facecolor(GREY)
    return axes.pcolormesh(across, up, means, shading="nearest")
