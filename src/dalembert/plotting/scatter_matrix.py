"""Every column of a study against every other, and how each is distributed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dalembert.plotting.study_columns import chosen
from dalembert.plotting.style import COLOURS, GREY, new_figure
from dalembert.study.study import Study

BINS = 20


def scatter_matrix(study: Study, columns: Sequence[str] | None = None) -> Any:
    """Panels (n, n): dots of two columns, on the diagonal the histogram of one.

    Parameters
    ----------
    columns : names     by default the axes and the recorded numbers, the first eight
    """
    names = chosen(study, columns, "scatter-matrix")
    n = len(names)
    figure, panels = new_figure(n, n, size=(1.9 * n + 1, 1.7 * n + 1), by_column=True)
    for i, up in enumerate(names):
        for j, across in enumerate(names):
            axes = panels[i, j]
            x, y = study[across], study[up]
            good = np.isfinite(x) & np.isfinite(y)
            if i == j:
                axes.hist(x[good], bins=BINS, color=GREY)
                axes.set_yticks([])
            else:
                axes.plot(x[good], y[good], ".", markersize=3, color=COLOURS[0])
            if i == n - 1:
                axes.set_xlabel(across)
            if j == 0:
                axes.set_ylabel(up)
            elif i != j:
                axes.tick_params(labelleft=False)
    figure.align_ylabels()
    return panels
