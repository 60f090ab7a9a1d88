"""Phases of contacts over time: bars for open, closed, stick and slip; impacts as ticks."""

from __future__ import annotations

from typing import Any

from dalembert.errors import OptionError
from dalembert.plotting.series import labelled
from dalembert.plotting.style import COLOURS, new_figure

COLOURS_OF = {"open": "#E4E4E4", "closed": COLOURS[0], "stick": COLOURS[2], "slip": COLOURS[5]}
"""Colour of each mode."""

MOST = 24
"""Contacts that are shown; others have no room."""


def events(thing: Any) -> Any:
    """One bar a contact, with its phases; impacts, jams and the end of accumulations as marks."""
    solutions = labelled(thing)
    if len(solutions) != 1:
        raise OptionError("plot 'events': shows one run. Give a solution.")
    (solution,) = solutions.values()
    phases = solution.phases
    if not phases:
        raise OptionError(
            "plot 'events': the run has no log of located events. Simulate a model with few"
            " contacts or stops without a step, or with mode='events'."
        )
    names = list(phases)[:MOST]
    _, panels = new_figure(1, size=(7.2, 1.4 + 0.3 * len(names)))
    axes = panels[0, 0]
    for row, name in enumerate(names):
        for begin, end, mode in phases[name]:
            axes.barh(row, end - begin, left=begin, height=0.5, color=COLOURS_OF[mode])
        for kind, mark in (("impact", "|"), ("jam", "x"), ("rest", "D")):
            times = [e.t for e in solution.log if e.contact == name and e.kind == kind]
            style: Any = {"markersize": 11.0 if mark == "|" else 5.0, "color": COLOURS[6]}
            axes.plot(times, [row] * len(times), mark, linestyle="none", **style)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("time [s]")
    left = len(phases) - len(names)
    axes.set_title(
        f"{solution.model.name}: contacts" + (f", {left} more not shown" if left else "")
    )
    _legend(axes, {mode for spans in phases.values() for *_, mode in spans}, solution.log)
    return axes


def _legend(axes: Any, modes: set[str], log: Any) -> None:
    """Modes and marks that occur."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    known: list[Any] = [Patch(color=c, label=m) for m, c in COLOURS_OF.items() if m in modes]
    kinds = {entry.kind for entry in log}
    for kind, mark in (("impact", "|"), ("jam", "x"), ("rest", "D")):
        if kind in kinds:
            style: Any = {"marker": mark, "color": COLOURS[6], "markersize": 6.0}
            known.append(Line2D([], [], linestyle="none", label=kind, **style))
    axes.legend(handles=known, loc="upper left", bbox_to_anchor=(1.0, 1.0))
