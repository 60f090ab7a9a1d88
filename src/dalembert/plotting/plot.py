"""`plot`: the one entry to all figures."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dalembert.analysis.work_precision import WorkPrecision
from dalembert.errors import OptionError
from dalembert.plotting import style
from dalembert.plotting.drift import drift
from dalembert.plotting.energy import energy
from dalembert.plotting.events import events
from dalembert.plotting.heat_map import heat_map
from dalembert.plotting.multipliers import multipliers
from dalembert.plotting.of_analysis import KINDS, of_analysis
from dalembert.plotting.parallel_coordinates import parallel_coordinates
from dalembert.plotting.scatter_matrix import scatter_matrix
from dalembert.plotting.series import labelled
from dalembert.plotting.signals import signals
from dalembert.plotting.stroboscope import stroboscope
from dalembert.plotting.trajectory import trajectory
from dalembert.plotting.work_precision import work_precision
from dalembert.study.study import Study

FIGURES = {
    "drift": drift,
    "energy": energy,
    "trajectory": trajectory,
    "multipliers": multipliers,
    "stroboscope": stroboscope,
    "events": events,
    "work-precision": work_precision,
}

OF_STUDIES: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "heat-map": (heat_map, ("x", "y", "value")),
    "scatter-matrix": (scatter_matrix, ("columns",)),
    "parallel-coordinates": (parallel_coordinates, ("columns", "color")),
}
"""Figures of studies, with their options."""


def plot(thing: Any, *what: Any, path: str | Path | None = None, **options: Any) -> Any:
    """Draw a solution, a comparison or a study and return the Axes (an array for several panels).

    Parameters
    ----------
    thing : Solution, Comparison, WorkPrecision or Study; Linearization, Locus or Kinematics
    *what
        Of a linear model "frequency-response" or "poles"; of several over a parameter "root-locus"
        or "campbell"; of a driven mechanism names of signals, or "coupler-curve".
        Of a study "heat-map", "scatter-matrix" or "parallel-coordinates"; of others one of
        "drift", "energy", "trajectory", "multipliers", "stroboscope", "events",
        "work-precision"; or any signals: formulas, names such as "x" and "x.dot", a constraint's
        ``.force``.
        Default "drift".
    path : str or Path, optional
        Write the figure there (.png, .pdf, .svg) instead of keeping it open.
    **options
        Of the figure: ``window=(start, stop)`` and ``frames=`` of "stroboscope"; ``x=``, ``y=``,
        ``value=`` of "heat-map"; ``columns=`` of "scatter-matrix" and "parallel-coordinates", which
        has ``color=``, too; ``frequencies=`` of "frequency-response"; ``points=`` of
        "coupler-curve".

    Examples
    --------
    >>> import dalembert as dl
    >>> solution = dl.simulate(dl.catalog.load("pendulum"), until=1.0, step=1e-2)
    >>> axes = dl.plot(solution, "drift")
    >>> axes.get_yscale()
    'log'
    """
    if isinstance(thing, Study):
        with style.looks():
            axes = _of_study(thing, what, options)
            style.finish((axes if hasattr(axes, "figure") else axes.flat[0]).figure, path)
        return axes
    if isinstance(thing, KINDS):
        with style.looks():
            axes = of_analysis(thing, what, options)
            style.finish((axes if hasattr(axes, "figure") else axes.flat[0]).figure, path)
        return axes
    if not what:
        what = ("work-precision",) if isinstance(thing, WorkPrecision) else ("drift",)
    named = [w for w in what if isinstance(w, str) and w in FIGURES and not _is_signal(thing, w)]
    if named and len(what) > 1:
        raise OptionError(
            f"plot: {named[0]!r} is a figure of its own."
            " Call plot once for each figure; several signals may share one."
        )
    with style.looks():
        if named:
            axes = _figure(named[0], thing, options)
        else:
            _check_names(thing, what)
            _refuse(options, "signals")
            axes = signals(thing, *what)
        first = axes if hasattr(axes, "figure") else axes.flat[0]
        style.finish(first.figure, path)
    return axes


def _of_study(study: Study, what: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """A figure of a study; without a name colours over a grid, else dots."""
    if not what:
        flat = study.design == "grid" and len(study.names) > 1
        what = ("heat-map",) if flat else ("scatter-matrix",)
    if len(what) > 1 or what[0] not in OF_STUDIES:
        near = difflib.get_close_matches(str(what[0]), OF_STUDIES, n=1)
        hint = f" Did you mean {near[0]!r}?" if near and what[0] not in OF_STUDIES else ""
        raise OptionError(
            f"plot: {', '.join(map(repr, what))} of a study.{hint} Give one of"
            f" {', '.join(OF_STUDIES)}."
        )
    draw, known = OF_STUDIES[what[0]]
    for key in options:
        if key not in known:
            raise OptionError(
                f"plot: {what[0]!r} has no option {key!r}. It has {', '.join(known)}."
            )
    return draw(study, **options)


def _figure(name: str, thing: Any, options: dict[str, Any]) -> Any:
    if name == "stroboscope":
        unknown = {key: v for key, v in options.items() if key not in ("window", "frames")}
        _refuse(unknown, name)
        return stroboscope(thing, **options)
    _refuse(options, name)
    return FIGURES[name](thing)


def _refuse(options: dict[str, Any], figure: str) -> None:
    for key in options:
        raise OptionError(
            f"plot: {figure!r} has no option {key!r}. Only 'stroboscope' has: window, frames."
        )


def _is_signal(thing: Any, name: str) -> bool:
    """A coordinate of that name wins over the figure, except for 'energy', which is both."""
    if isinstance(thing, WorkPrecision) or name == "energy":
        return False
    return any(name in solution.coordinate_names for solution in labelled(thing).values())


def _check_names(thing: Any, what: tuple[Any, ...]) -> None:
    """A misspelt figure name gets the nearest figure, not only the nearest signal."""
    for name in what:
        if isinstance(name, str):
            near = difflib.get_close_matches(name, FIGURES, n=1, cutoff=0.75)
            for solution in labelled(thing).values():
                try:
                    solution[name]
                except OptionError as problem:
                    hint = f" Or the figure {near[0]!r}?" if near else ""
                    figures = ", ".join(FIGURES)
                    raise OptionError(f"{problem}{hint} Figures: {figures}.") from problem
