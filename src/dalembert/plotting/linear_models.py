"""Linear models: eigenvalues over a parameter, Campbell diagrams, frequency responses, poles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dalembert.analysis.linear.linearization import Linearization
from dalembert.analysis.linear.locus import Locus
from dalembert.errors import OptionError
from dalembert.plotting.style import COLOURS, GREY, legend, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def root_locus(locus: Locus) -> Axes:
    """Eigenvalues in the complex plane; small dots at the first value, large ones at the last."""
    _, panels = new_figure(size=(6.4, 5.2))
    axes: Axes = panels[0, 0]
    for j in range(locus.eigenvalues.shape[1]):
        path = locus.eigenvalues[:, j]
        colour = COLOURS[j % len(COLOURS)]
        axes.plot(path.real, path.imag, color=colour)
        axes.plot(path.real[:1], path.imag[:1], "o", markersize=3, color=colour)
        axes.plot(path.real[-1:], path.imag[-1:], "o", markersize=6, color=colour)
    axes.axvline(0.0, color=GREY, linewidth=0.8)
    _no_rounding(axes, locus.eigenvalues)
    low, high = locus.values[0], locus.values[-1]
    axes.set_title(f"{locus.models[0].model.name}: {locus.parameter} from {low:g} to {high:g}")
    axes.set_xlabel("growth [1/s]")
    axes.set_ylabel("frequency [rad/s]")
    return axes


def _no_rounding(axes: Axes, values: Any) -> None:
    """An axis of growth wide enough for rounding not to be seen."""
    least = 1e-3 * float(np.abs(values).max(initial=1.0))
    low, high = float(values.real.min()), float(values.real.max())
    if high - low < least:
        axes.set_xlim(-least, least)


def campbell(locus: Locus) -> Axes:
    """Frequencies over the parameter, with the line at which both are equal."""
    _, panels = new_figure(size=(7.2, 4.8))
    axes: Axes = panels[0, 0]
    frequencies = locus.frequencies
    known = bool(locus.whirl.any())
    seen: set[str] = set()
    for column, marks in zip(frequencies.T, locus.whirl_of_frequencies.T, strict=True):
        mark = float(np.median(marks))
        word = "" if not known else {1.0: "forward", -1.0: "backward"}.get(mark, "no whirl")
        style = "--" if word == "backward" else "-"
        colour = {"backward": COLOURS[1], "no whirl": GREY}.get(word, COLOURS[0])
        label = word if word and word not in seen else None
        seen.add(word)
        axes.plot(locus.values, np.abs(column), style, color=colour, label=label)
    axes.plot(locus.values, np.abs(locus.values), color=GREY, linewidth=0.9)
    for speed in locus.critical_speeds():
        axes.plot([speed], [speed], "o", markersize=5, color="black")
    axes.set_title(f"{locus.models[0].model.name}: Campbell diagram")
    axes.set_xlabel(f"{locus.parameter} [rad/s]")
    axes.set_ylabel("frequency [rad/s]")
    axes.set_ylim(0.0, 1.05 * float(np.abs(frequencies).max(initial=1.0)))
    legend(axes, least=1)
    return axes


def frequency_response(near: Linearization, frequencies: Any = None) -> Any:
    """Magnitude and phase over frequency, one curve for each pair of output and input."""
    if not near.inputs or not near.outputs:
        raise OptionError("plot 'frequency-response': give inputs= and outputs= to linearize.")
    w = _frequencies(near) if frequencies is None else np.asarray(frequencies, dtype=float)
    response = near.frequency_response(w)
    _, panels = new_figure(2, 1, size=(7.2, 5.2))
    count = 0
    for i, output in enumerate(near.outputs):
        for j, given in enumerate(near.inputs):
            colour = COLOURS[count % len(COLOURS)]
            one = response[:, i, j]
            panels[0, 0].plot(w, np.abs(one), color=colour, label=f"{output} by {given}")
            panels[1, 0].plot(w, np.degrees(np.unwrap(np.angle(one))), color=colour)
            count += 1
    panels[0, 0].set_xscale("log")
    panels[0, 0].set_yscale("log")
    panels[0, 0].set_title(f"{near.model.name}: frequency response")
    panels[0, 0].set_ylabel("magnitude")
    panels[1, 0].set_ylabel("phase [degrees]")
    panels[1, 0].set_xlabel("frequency [rad/s]")
    legend(panels[0, 0], least=1)
    return panels


def _frequencies(near: Linearization) -> Any:
    rates = np.abs(near.eigenvalues)
    rates = rates[rates > 1e-9 * rates.max(initial=0.0)]
    low, high = (rates.min(), rates.max()) if len(rates) else (1.0, 1.0)
    return np.geomspace(0.1 * low, 10.0 * high, 600)


def poles(near: Linearization) -> Axes:
    """Eigenvalues in the complex plane."""
    _, panels = new_figure(size=(5.6, 4.8))
    axes: Axes = panels[0, 0]
    values = near.eigenvalues
    axes.plot(values.real, values.imag, "x", markersize=7, color=COLOURS[0])
    axes.axvline(0.0, color=GREY, linewidth=0.8)
    _no_rounding(axes, values)
    axes.set_title(f"{near.model.name}: eigenvalues")
    axes.set_xlabel("growth [1/s]")
    axes.set_ylabel("frequency [rad/s]")
    return axes
