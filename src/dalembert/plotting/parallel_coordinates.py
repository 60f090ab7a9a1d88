"""Rows of a study as lines across parallel axes, one for each column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dalembert.plotting.study_columns import chosen
from dalembert.plotting.style import new_figure
from dalembert.study.study import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 2000
"""Lines beyond which nothing can be told apart; rows are then thinned evenly."""


def parallel_coordinates(
    study: Study, columns: Sequence[str] | None = None, color: str | None = None
) -> Axes:
    """Lines over columns, each from its least to its greatest value; rows with NaN are left out.

    Parameters
    ----------
    columns : names     by default the axes and the recorded numbers, the first eight
    color : name        column that gives the colours; by default the last
    """
    import matplotlib as mpl
    from matplotlib.collections import LineCollection

    names = chosen(study, columns, "parallel-coordinates")
    (last,) = chosen(study, [names[0], color], "parallel-coordinates")[1:] if color else names[-1:]
    values = np.stack([study[name] for name in names], axis=1)
    shade = study[last]
    good = np.isfinite(values).all(axis=1) & np.isfinite(shade)
    values, shade = values[good], shade[good]
    if len(values) > MOST_LINES:
        kept = np.round(np.linspace(0, len(values) - 1, MOST_LINES)).astype(int)
        values, shade = values[kept], shade[kept]
    low, high = values.min(axis=0, initial=np.inf), values.max(axis=0, initial=-np.inf)
    wide = np.where(high > low, high - low, 1.0)
    level = np.where(high > low, (values - low) / wide, 0.5)
    figure, panels = new_figure(size=(1.6 * len(names) + 2, 4.4))
    axes: Axes = panels[0, 0]
    places = np.arange(len(names))
    lines = np.stack([np.broadcast_to(places, level.shape), level], axis=2)
    drawn = LineCollection(list(lines), cmap=mpl.rcParams["image.cmap"], linewidths=0.8, alpha=0.7)
    drawn.set_array(shade)
    axes.add_collection(drawn)
    axes.set(xlim=(-0.2, len(names) - 0.8), ylim=(-0.08, 1.08), yticks=[])
    axes.set_xticks(places, names)
    axes.grid(False)
    for i in range(len(names)):
        axes.axvline(i, color="#444444", linewidth=0.8)
        axes.text(i, -0.03, f"{low[i]:.4g}", ha="center", va="top", fontsize=8)
        axes.text(i, 1.03, f"{high[i]:.4g}", ha="center", va="bottom", fontsize=8)
    figure.colorbar(drawn, ax=axes, label=last)
    return axes
