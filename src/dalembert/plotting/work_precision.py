"""Error against cost: curves of a step-size study, or one dot a method of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dalembert.analysis.compare import Comparison
from dalembert.analysis.work_precision import WorkPrecision
from dalembert.errors import OptionError
from dalembert.plotting.style import COLOURS, legend, line_styles, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS = "osD^v<>Ph*"


def work_precision(thing: Any) -> Axes:
    """CPU time over error, both logarithmic; better is to the lower left."""
    if isinstance(thing, WorkPrecision):
        return _curves(thing)
    if isinstance(thing, Comparison):
        return _dots(thing)
    raise OptionError(
        "plot 'work-precision': give the result of work_precision() or compare(model, ...)."
    )


def _curves(study: WorkPrecision) -> Axes:
    axes = _log_log(study.title, "CPU time [s]")
    styles = line_styles(len(study.methods))
    for i, (method, style) in enumerate(zip(study.methods, styles, strict=True)):
        points = [(p.error, p.cpu_time) for p in study.curve(method) if p.error and p.cpu_time]
        if not points:
            continue
        order = study.order(method)
        axes.plot(
            *zip(*points, strict=True),
            marker=MARKERS[i % len(MARKERS)],
            markersize=5,
            label=method if order is None else f"{method} (order {order:.1f})",
            **style,
        )
    legend(axes, least=1)
    return axes


def _dots(comparison: Comparison) -> Axes:
    axes = _log_log(comparison.title, "CPU time a step [us]")
    rows = [
        (row.method, row.error, row.microseconds)
        for row in comparison.rows
        if row.error and row.microseconds and row.ok
    ]
    if not rows:
        raise OptionError("plot 'work-precision': no method has both an error and a time.")
    for i, (method, error, cost) in enumerate(rows):
        axes.plot(
            error,
            cost,
            linestyle="none",
            marker=MARKERS[(i // len(COLOURS)) % len(MARKERS)],
            markersize=8,
            color=COLOURS[i % len(COLOURS)],
            label=method,
        )
    legend(axes, least=1)
    return axes


def _log_log(title: str, cost: str) -> Axes:
    _, panels = new_figure(size=(7.6, 4.8))
    axes: Axes = panels[0, 0]
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(f"{title}: work and precision")
    axes.set_xlabel("error against the reference")
    axes.set_ylabel(cost)
    axes.margins(0.08)
    return axes
