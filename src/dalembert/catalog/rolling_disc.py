"""Upright disc rolling without slip on a plane: two velocity constraints.

Coordinates: contact point x, y, heading, spin. Without forces heading and spin turn uniformly and
the disc runs on a circle of radius  r spin' / heading'.
"""

from __future__ import annotations

import numpy as np

from dalembert.formulas.variables import coordinates, parameters
from dalembert.model import Model


def rolling_disc(
    *, mass: float = 1.0, radius: float = 0.5, spin: float = 4.0, turn: float = 1.0
) -> Model:
    """Thin disc that stays upright, rolling at the rate ``spin`` and turning at ``turn``.

    Parameters
    ----------
    mass, radius : float  [kg], [m]
    spin, turn : float  [rad/s]
        Initial rates; the constraints fix the velocity of the contact point.

    Examples
    --------
    >>> rolling_disc().row_names
    ['rolling[0]', 'rolling[1]']
    """
    x, y, heading, angle = coordinates("x y heading spin")
    m, r = parameters(m=mass, r=radius)
    across, about = m * r**2 / 4, m * r**2 / 2  # thin disc: about a diameter, about the axle
    ahead = np.array([np.cos(heading), np.sin(heading)])
    slip = np.array([x.dot, y.dot]) - r * angle.dot * ahead
    return Model.from_lagrangian(
        name="rolling-disc",
        coordinates=[x, y, heading, angle],
        kinetic=m * (x.dot**2 + y.dot**2) / 2
        + across * heading.dot**2 / 2
        + about * angle.dot**2 / 2,
        constraints={"rolling": slip},
        initial={x.dot: r * spin, heading.dot: turn, angle.dot: spin},
        points={"contact": (x, y), "front": (x + r * ahead[0], y + r * ahead[1])},
        lines=[("contact", "front")],
        suggested={"until": 10.0, "step": 1e-2},
    )
