"""A driven mechanism: signals over its driven coordinate, and curves of points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.analysis.kinematics.kinematics import Kinematics
from dalembert.errors import OptionError
from dalembert.plotting.style import COLOURS, GREY, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def over_drive(found: Kinematics, *signals: Any) -> Any:
    """Signals over the driven coordinate, one panel each; dotted at special positions."""
    if not signals:
        raise OptionError("plot: name signals of the mechanism, such as 'rocker.angle'.")
    _, panels = new_figure(len(signals), 1, size=(7.2, 1.2 + 2.0 * len(signals)))
    for k, signal in enumerate(signals):
        axes: Axes = panels[k, 0]
        axes.plot(found.values, found[signal], color=COLOURS[k % len(COLOURS)])
        for special in found.special:
            axes.axvline(special.value, color=GREY, linestyle=":", linewidth=0.9)
        axes.set_ylabel(str(signal))
    panels[0, 0].set_title(f"{found.model.name}: over {found.drive}")
    panels[-1, 0].set_xlabel(str(found.drive))
    return panels if len(signals) > 1 else panels[0, 0]


def coupler_curve(found: Kinematics, points: Any) -> Axes:
    """Curves of points in the plane in which they are widest."""
    points = points if isinstance(points, list | tuple) else [points]
    paths = [found.path(point) for point in points]
    spread = np.ptp(np.concatenate(paths), axis=0)
    across = [k for k in range(3) if k != int(np.argmin(spread))]
    _, panels = new_figure(size=(5.6, 5.2))
    axes: Axes = panels[0, 0]
    for k, path in enumerate(paths):
        axes.plot(path[:, across[0]], path[:, across[1]], color=COLOURS[k % len(COLOURS)])
    axes.set_aspect("equal")
    axes.set_title(f"{found.model.name}: paths over {found.drive}")
    axes.set_xlabel(f"{'xyz'[across[0]]} [m]")
    axes.set_ylabel(f"{'xyz'[across[1]]} [m]")
    return axes
