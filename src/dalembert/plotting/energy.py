"""Energy over time, and its change since the start on a logarithmic axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.plotting.series import bounded, for_log, highest, labelled, limits_of_sound, thin
from dalembert.plotting.style import COLOURS, legend, line_styles, new_figure


def energy(thing: Any) -> np.ndarray[Any, Any]:
    """Two panels: the energies (of a comparison: the total of each method), and |E - E(0)|."""
    solutions: dict[str, Any] = {
        name: solution for name, solution in labelled(thing).items() if solution.energy is not None
    }
    if not solutions:
        raise OptionError(
            "plot 'energy': the model states no potential energy."
            " Give `potential=` when describing it, or plot 'kinetic'."
        )
    _, panels = new_figure(2, size=(7.2, 5.2))
    upper, lower = panels[:, 0]
    styles = line_styles(len(solutions))
    if len(solutions) == 1:
        _parts(upper, next(iter(solutions.values())))
    else:
        for (name, solution), style in zip(solutions.items(), styles, strict=True):
            upper.plot(*thin(solution.t, bounded(solution.energy)), label=name, **style)
        legend(upper, shared=True)
        limits_of_sound(upper, [(s, s.energy) for s in solutions.values()])
    conservative = all(solution.model.conservative for solution in solutions.values())
    for (name, solution), style in zip(solutions.items(), styles, strict=True):
        # Below eps * E the difference of two rounded numbers says nothing.
        floor = np.finfo(float).eps / 50 * max(1.0, float(np.abs(solution.kinetic[0])))
        change = np.abs(solution.energy - solution.energy[0])[1:]  # the first is zero by definition
        lower.plot(*highest(solution.t[1:], for_log(change, floor)), label=name, **style)
    names = dict.fromkeys(solution.model.name for solution in solutions.values())
    upper.set_title(f"{' and '.join(names)}: energy")
    upper.set_ylabel("energy [J]")
    lower.set_yscale("log")
    lower.set_ylabel("energy error [J]" if conservative else "change of energy [J]")
    lower.set_xlabel("time [s]")
    return np.asarray(panels[:, 0])


def _parts(axes: Any, solution: Any) -> None:
    parts = (
        ("kinetic", solution.kinetic, COLOURS[1], 1.0),
        ("potential", solution.potential, COLOURS[2], 1.0),
        ("total", solution.energy, COLOURS[0], 2.0),
    )
    for label, series, colour, width in parts:
        axes.plot(*thin(solution.t, bounded(series)), color=colour, label=label, linewidth=width)
    legend(axes)
