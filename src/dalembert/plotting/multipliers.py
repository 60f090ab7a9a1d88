"""Constraint multipliers (generalised reaction forces) over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dalembert.errors import OptionError
from dalembert.plotting.series import bounded, labelled, limits_of_sound, thin
from dalembert.plotting.style import COLOURS, DASHES, legend, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def multipliers(thing: Any) -> Axes:
    """One curve a row; the generalised constraint force is J^T lam."""
    solutions = labelled(thing)
    first = next(iter(solutions.values()))
    if not first.lam.shape[1]:
        raise OptionError(
            f"plot 'multipliers': model {first.model.name!r} has no constraints,"
            " so there are no multipliers."
        )
    _, panels = new_figure(size=(7.6, 4.2))
    axes: Axes = panels[0, 0]
    for i, (label, solution) in enumerate(solutions.items()):
        for j, row in enumerate(solution.row_names):
            axes.plot(
                *thin(solution.t, bounded(solution.lam[:, j])),
                color=COLOURS[j % len(COLOURS)],
                linestyle=DASHES[(i + j // len(COLOURS)) % len(DASHES)],
                label=row if len(solutions) == 1 else f"{row}, {label}",
            )
    limits_of_sound(axes, [(s, s.lam) for s in solutions.values()])
    unique = all(s.statistics.get("unique_multipliers", True) for s in solutions.values())
    note = "" if unique else " (not unique: minimum norm)"
    axes.set_title(f"{first.model.name}: multipliers{note}")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("multiplier")
    legend(axes, least=1)
    return axes
