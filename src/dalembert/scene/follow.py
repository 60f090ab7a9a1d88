"""A scene along a run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dalembert.errors import OptionError
from dalembert.scene.describe import describe
from dalembert.scene.description import Array, Scene, Signal, vector
from dalembert.scene.motion import Motion
from dalembert.scene.placing import place, without_jumps


def follow(
    solution: Any, times: Any = None, fps: float = 60, reactions: bool = True
) -> tuple[Scene, Motion]:
    """The scene of a run and its motion.

    Parameters
    ----------
    solution : Solution
    times : moments, by default evenly spaced over the run
    fps : float
        Moments a second when `times` are not given.
    reactions : bool
        With arrows and curves of the reactions of joints.
    """
    t = _moments(solution, times, fps)
    q, v = solution.at(t)
    scene = describe(solution.model)
    p, turned, points = place(scene, solution.model, t, q, v)
    everything = np.concatenate([p, points], axis=1).reshape(-1, 3)
    low, high = everything.min(axis=0), everything.max(axis=0)
    size = float(np.linalg.norm(high - low)) or 1.0
    series = {"kinetic energy": solution.kinetic}
    if solution.energy is not None:
        series |= {"potential energy": solution.potential, "total energy": solution.energy}
    signals = tuple(Signal(name, "J", "energy") for name in series)
    values = np.stack([np.interp(t, solution.t, y) for y in series.values()], axis=1)
    scene = replace(scene, centre=vector((low + high) / 2), size=size, signals=signals)
    none = np.zeros((len(t), 0, 3))
    return scene, Motion(t, p, without_jumps(turned), points, none, none, values)


def _moments(solution: Any, times: Any, fps: float) -> Array:
    if not len(solution.t):
        raise OptionError("scene: nothing was recorded, so there is nothing to draw.")
    if times is not None:
        return np.atleast_1d(np.asarray(times, dtype=float))
    begin, end = float(solution.t[0]), float(solution.t[-1])
    return np.linspace(begin, end, max(2, round((end - begin) * fps) + 1))
