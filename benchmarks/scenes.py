"""The scenes: catalog models with the step and the duration of the paper, and what to compare with.

Every reference is the exact motion at t = 10 s: closed forms for the pendulum and the four-bars, a
one-coordinate equation in extended precision for the slider-crank, Newton's method on the
constraints for the biped, whose motion is prescribed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

CHECK = 10.0  # time at which positions are compared  [s]
EVERY = 10  # steps between recorded states


@dataclass(frozen=True)
class Scene:
    """One mechanism, as it is run by everybody."""

    name: str
    title: str
    model: str  # name in dalembert.catalog
    step: float  # [s]
    until: float  # [s]
    output: Callable[[Any, int], np.ndarray]  # (solution, record) -> compared positions
    exact: tuple[float, ...]  # the same at t = 10 s
    options: dict[str, Any] = field(default_factory=dict)
    peers: tuple[str, ...] = ()  # programs in peers/

    @property
    def steps(self) -> int:
        """Number of steps of one run."""
        return round(self.until / self.step)


def named(*names: str) -> Callable[[Any, int], np.ndarray]:
    """Read the named coordinates of one record."""

    def read(solution: Any, record: int) -> np.ndarray:
        return np.array([solution[name][record] for name in names])

    return read


def slider(solution: Any, record: int) -> np.ndarray:
    """x_s = x1 + l (cos theta1 + cos theta2)."""
    x1, theta1, theta2 = named("x1", "theta1", "theta2")(solution, record)
    return np.array([x1 + np.cos(theta1) + np.cos(theta2)])


BIPED = ("x", "y", "theta", "theta1", "theta2", "theta3", "theta4", "theta5", "theta6")
BIPED_EXACT = (
    (0.045009234556631805, 1.2523287426786012, 1.363)
    + 2 * (1.361926606323048, 1.361926606323048, 0.0)
)  # fmt: skip

SCENES = (
    Scene(
        name="pendulum",
        title="Pendulum in x, y; h = 1e-3 s, 1000 s",
        model="pendulum",
        step=1e-3,
        until=1000.0,
        output=named("x", "y"),
        exact=(0.27508746257612, -0.961419205099125),
        peers=("exudyn_pendulum.py", "mujoco_pendulum.py"),
    ),
    Scene(
        name="slider-crank",
        title="Slider-crank with equal links, rank 3 falling to 2; h = 1e-3 s, 100 s",
        model="slider-crank",
        step=1e-3,
        until=100.0,
        output=slider,
        exact=(1.7657635110488,),
    ),
    Scene(
        name="four-bars",
        title="Two four-bar linkages, rank 5 falling to 3; h = 1e-3 s, 100 s",
        model="four-bars",
        step=1e-3,
        until=100.0,
        output=named("x3"),
        exact=(2.3284581115408,),
        peers=("mujoco_four_bars.py",),
    ),
    Scene(
        name="biped",
        title="Biped, exercise 3: ten constraints of rank nine; h = 1e-2 s, 100 s",
        model="biped",
        options={"exercise": 3},
        step=1e-2,
        until=100.0,
        output=named(*BIPED),
        exact=BIPED_EXACT,
    ),
)
