"""Constraint violation over time, position and velocity level, on a logarithmic axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.plotting.series import Array, for_log, highest, labelled, largest_row
from dalembert.plotting.style import COLOURS, GREY, legend, line_styles, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EPSILON = float(np.finfo(float).eps)
FLOOR = EPSILON / 50
"""Exact zeros are drawn here."""


def drift(thing: Any) -> Axes | np.ndarray[Any, Any]:
    """Largest |phi| and |phi'| at each sample: one panel for a solution, two for a comparison."""
    solutions = labelled(thing)
    if len(solutions) == 1:
        return _single(next(iter(solutions.values())))
    return _several(solutions)


def _single(solution: Any) -> Axes:
    _, panels = new_figure(size=(7.2, 3.8))
    axes: Axes = panels[0, 0]
    levels = (
        ("velocity, |phi'|", solution.phi_dot, COLOURS[1]),
        ("position, |phi|", solution.phi, COLOURS[0]),
    )
    top = EPSILON
    for label, block, colour in levels:
        if block.shape[1]:
            top = max(top, _curve(axes, solution.t, block, label=label, color=colour))
    axes.set_title(f"{solution.model.name}: constraint violation")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("largest violation of any row")
    _log_axis(axes, top)
    legend(axes, least=1)
    return axes


def _several(solutions: dict[str, Any]) -> np.ndarray[Any, Any]:
    _, panels = new_figure(2, size=(8.4, 6.2))
    column = panels[:, 0]
    for axes, level, label in zip(column, ("phi", "phi_dot"), ("|phi|", "|phi'|"), strict=True):
        top = EPSILON
        styles = line_styles(len(solutions))
        for (name, solution), style in zip(solutions.items(), styles, strict=True):
            block = getattr(solution, level)
            if block.shape[1]:
                top = max(top, _curve(axes, solution.t, block, label=name, **style))
        axes.set_ylabel(f"largest {label} of any row")
        _log_axis(axes, top)
    names = dict.fromkeys(solution.model.name for solution in solutions.values())
    column[0].set_title(f"{' and '.join(names)}: constraint violation")
    column[-1].set_xlabel("time [s]")
    legend(column[0], shared=True)
    return np.asarray(column)


def _curve(axes: Axes, t: Array, block: Array, **style: Any) -> float:
    times, values = highest(t, for_log(largest_row(block), FLOOR))
    axes.plot(times, values, **style)
    finite = values[np.isfinite(values)]
    return float(np.max(finite)) if len(finite) else EPSILON


def _log_axis(axes: Axes, top: float) -> None:
    # A diverging run must not squeeze the others into one line.
    axes.set_yscale("log")
    axes.set_ylim(FLOOR / 2, min(max(top * 10, 1e-13), 1e4))
    axes.axhline(EPSILON, color=GREY, linestyle=(0, (1, 2)), linewidth=1.2, zorder=1)
    axes.annotate(
        "machine\nepsilon",
        (1.0, EPSILON),
        xycoords=("axes fraction", "data"),
        xytext=(4, 0),
        textcoords="offset points",
        ha="left",
        va="center",
        fontsize=8,
        color=GREY,
    )
