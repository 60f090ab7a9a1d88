"""Any signals over time: formulas, names, constraint forces; one panel each."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.plotting.series import Array, bounded, labelled, limits_of_sound, thin
from dalembert.plotting.style import COLOURS, DASHES, legend, new_figure

LABEL_LENGTH = 40


def signals(thing: Any, *what: Any) -> Any:
    """One panel a signal, one curve a solution (and a row, where a signal has several)."""
    solutions = labelled(thing)
    _, panels = new_figure(len(what), size=(7.6, max(3.4, 1.2 + 2.2 * len(what))))
    column = panels[:, 0]
    shown: list[str] = []
    for axes, signal in zip(column, what, strict=True):
        _panel(axes, solutions, signal)
        labels = axes.get_legend_handles_labels()[1]
        if labels != shown:  # the same legend again would say nothing new
            legend(axes)
        shown = labels
    column[-1].set_xlabel("time [s]")
    names = dict.fromkeys(solution.model.name for solution in solutions.values())
    column[0].set_title(" and ".join(names))
    return column[0] if len(what) == 1 else np.asarray(column)


def _panel(axes: Any, solutions: dict[str, Any], signal: Any) -> None:
    for i, (label, solution) in enumerate(solutions.items()):
        series = solution[signal]
        columns: Array = series[:, None] if series.ndim == 1 else series
        parts = _part_names(solution, signal, columns.shape[1])
        for j, part in enumerate(parts):
            alone = len(parts) == 1
            text = ", ".join(w for w in (part, label if len(solutions) > 1 else "") if w)
            axes.plot(
                *thin(solution.t, bounded(columns[:, j])),
                # Colour tells rows apart; solutions by colour when there is one row, else dashes.
                color=COLOURS[(i if alone else j) % len(COLOURS)],
                linestyle=DASHES[i % len(DASHES)],
                label=text,
            )
    limits_of_sound(axes, [(s, s[signal]) for s in solutions.values()])
    axes.set_ylabel(label_of(signal))


def label_of(signal: Any) -> str:
    """The user's own name of a signal, or its formula when short."""
    name = getattr(signal, "name", None)
    if isinstance(name, str) and type(signal).__name__ == "ConstraintForce":
        return f"force of {name}"
    text = signal if isinstance(signal, str) else str(signal)
    return text if len(text) <= LABEL_LENGTH else text[: LABEL_LENGTH - 1] + "…"


def _part_names(solution: Any, signal: Any, count: int) -> list[str]:
    if count == 1:
        return [""]
    name = getattr(signal, "name", None)
    if isinstance(signal, str):
        name = signal.removesuffix(".force")
    columns = solution.constraint_slices.get(name)
    if columns is not None:
        rows = solution.row_names[columns]
        if len(rows) == count:
            return list(rows)
    if isinstance(signal, list | tuple | np.ndarray):
        return [label_of(part) for part in signal]
    return [str(j) for j in range(count)]
