"""Mode shapes as motions that can be played (analysis 3.3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalembert.analysis.equations.choose import equations_of
from dalembert.analysis.equations.onto_constraints import closed, moving
from dalembert.analysis.states_solution import solution_of
from dalembert.errors import AssemblyError, OptionError

Array = NDArray[np.float64]

SHARE = 0.2
"""Way of the farthest point or coordinate in a mode that is shown, over the model's size."""

STILL = 1e-6
"""Part of the fastest eigenvalue up to which a mode has no pace of its own that could be seen."""


def shape_motion(near: Any, mode: Any, amplitude: float | None, cycles: int, samples: int) -> Any:
    """States along  q (+) real(shape exp(eigenvalue t)),  put on the constraints."""
    for name, value in (("amplitude", amplitude), ("cycles", cycles), ("samples", samples)):
        if value is not None and not (np.isfinite(value) and value > 0):
            raise OptionError(f"shape: {name} is {value!r}. Give a positive number.")
    equations = equations_of(near.model, "shape")
    n = len(near.near.Fx)
    shape, value = mode.shape, mode.eigenvalue
    rate = abs(value.imag) or abs(value)
    if rate <= STILL * float(np.abs(near.eigenvalues).max()):
        rate = 1.0  # it runs on: any pace shows its shape
    t = np.linspace(0.0, cycles * 2.0 * np.pi / rate, cycles * samples + 1)
    # what grows or decays is shown swinging: the shape is what is to be seen
    wave = np.exp(1j * rate * t)
    size = amplitude if amplitude is not None else _amplitude(near, equations, shape[:n])
    x = size * np.real(wave[:, None] * shape[None, :n])
    w = size * np.real(wave[:, None] * shape[None, n:])
    q, v = [], []
    for one, speed in zip(x, w, strict=True):
        here = equations.displaced(near.q, near.near.Ux @ one)
        try:
            here = closed(equations, near.t, here)
        except AssemblyError:
            raise OptionError(
                f"shape: with an amplitude of {size:.3g} the mechanism does not close. Give a"
                " smaller amplitude=."
            ) from None
        q.append(here)
        v.append(moving(equations, near.t, here, near.near.Vx @ one + near.near.Vw @ speed))
    made = solution_of(near.model, t, np.array(q), np.array(v))
    return replace(made, potential=None)  # no motion of the model: its energy says nothing


def _amplitude(near: Any, equations: Any, shape: Array) -> float:
    ways = np.abs((near.near.Ux @ shape) * equations.lengths)
    far = float(ways.max(initial=0.0))
    return SHARE * float(equations.lengths.max()) / far if far > 0.0 else 1.0
