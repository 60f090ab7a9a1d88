"""Answers that consist of several numbers: placements, energies, momenta."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


class Placement(NamedTuple):
    """Where a frame is, in world components.

    Attributes
    ----------
    position : (3,)  [m]
    rotation : (3, 3), from the frame's axes to the world's
    """

    position: Array
    rotation: Array


class Energy(NamedTuple):
    """Kinetic and potential energy  [J]."""

    kinetic: float
    potential: float

    @property
    def total(self) -> float:
        """Their sum."""
        return self.kinetic + self.potential


class Momentum(NamedTuple):
    """Linear momentum  [kg m/s], and angular momentum about the centre of mass  [kg m^2/s]."""

    linear: Array
    angular: Array
