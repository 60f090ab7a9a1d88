"""The trees of the family `tree`, for everybody: an arm, a floating tree, chains. Hinges only.

Nothing here imports a peer or dalembert. A link is a box-like body with its centre of mass off the
hinge; hinges turn about z, y, x in turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

GRAVITY = 9.81  # [m/s^2]
STEP = 1e-5  # [s]; small, so that the motion stays slow: a step costs the same
MASS = 1.0  # [kg]
CENTER = (0.0, 0.01, 0.15)  # [m]
MOMENTS = (0.02, 0.02, 0.005)  # [kg m^2]
LENGTH = 0.3  # [m]
AXES = ("z", "y", "x")

BASE_MASS = 10.0  # [kg]
BASE_MOMENTS = (0.13, 0.29, 0.34)  # of the floating base  [kg m^2]
SPACING = 0.1  # of its limbs  [m]

COMPARED = 1000  # steps after which the coordinates are compared


@dataclass(frozen=True)
class Scene:
    """A number of links in series, or limbs of some links on a floating base."""

    name: str
    links: int
    limb: int = 0  # links of a limb; 0 for one chain on the world
    steps: int = 1000

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return self.links + (6 if self.limb else 0)

    def parent(self, i: int) -> int:
        """Number of the parent of a link; -1 for the base or the world."""
        return -1 if self.limb and i % self.limb == 0 else i - 1

    def place(self, i: int) -> tuple[float, float, float]:
        """Of the hinge in the parent's frame, whose origin is the parent's hinge."""
        if self.limb and i % self.limb == 0:
            return (SPACING * (i // self.limb), 0.0, LENGTH)
        return (0.0, 0.0, 0.0 if i == 0 else LENGTH)

    def axis(self, i: int) -> str:
        """Of a hinge."""
        return AXES[i % 3]

    def angle(self, i: int) -> float:
        """Of a hinge at the start; all at rest."""
        return 0.4 * math.sin(1.0 + 3.0 * i)


SCENES = (
    Scene("arm", 7, steps=20000),
    Scene("floating", 24, limb=6, steps=8000),
    Scene("chain", 100, steps=3000),
    Scene("chain", 1000, steps=300),
)
