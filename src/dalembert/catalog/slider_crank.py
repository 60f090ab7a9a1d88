"""Slider-crank in four coordinates, through the positions where its constraints lose rank.

Braun & Goldfarb (2009), section 5.2: two uniform rods and a slider, crank driven by a constant
torque with viscous damping at the base joint only, gravity 9.81 (errata C5). With
equal links the Jacobian loses a rank at the vertical positions, twice per turn; with unequal
links it never does.
"""

from __future__ import annotations

import numpy as np

from dalembert.formulas.variables import coordinates, parameters
from dalembert.model import Model, Particle, PlanarBody


def slider_crank(
    *,
    l1: float = 1.0,
    l2: float = 1.0,
    mass: float = 1.0,
    slider: float = 1.0,
    gravity: float = 9.81,
    torque: float = 20.0,
    damping: float = 5.0,
) -> Model:
    """Slider-crank with coordinates x1, y1 (base of the crank), theta1, theta2 (absolute angles).

    Parameters
    ----------
    l1, l2 : float  [m]
        Length of crank and rod; ``l2=1.5`` is the case of unequal links.
    mass, slider : float  [kg]
        Of each uniform rod, and of the slider.
    gravity : float  [m/s^2]
        Along -y.
    torque, damping : float  [N m], [N m s]
        On the crank. Both zero: the model is conservative.

    Returns
    -------
    Model
        Point "slider" is the output x_s of the paper.

    Examples
    --------
    >>> slider_crank(l2=1.5).name
    'slider-crank'
    """
    x1, y1, theta1, theta2 = coordinates("x1 y1 theta1 theta2")
    a, b, m, ms, g = parameters(l1=l1, l2=l2, m=mass, ms=slider, g=gravity)
    base = np.array([x1, y1])
    crank = np.array([np.cos(theta1), np.sin(theta1)])
    rod = np.array([np.cos(theta2), np.sin(theta2)])
    pin = base + a * crank
    end = pin + b * rod

    forces = {}
    if torque != 0.0 or damping != 0.0:
        drive, friction = parameters(torque=torque, damping=damping)
        forces[theta1] = drive - friction * theta1.dot
    return Model.from_map(
        name="slider-crank",
        coordinates=[x1, y1, theta1, theta2],
        bodies=[
            PlanarBody(m, m * a**2 / 12, position=base + a / 2 * crank, angle=theta1, name="crank"),
            PlanarBody(m, m * b**2 / 12, position=pin + b / 2 * rod, angle=theta2, name="rod"),
        ],
        particles=[Particle(ms, end, name="slider")],
        gravity=(0.0, -g),
        forces=forces,
        constraints={"base": base, "guide": end[1]},
        points={"base": base, "pin": pin, "slider": end},
        lines=[("base", "pin"), ("pin", "slider")],
        initial={x1: 0.0, y1: 0.0, theta1: 0.0, theta2: 0.0},
        suggested={"until": 100.0, "step": 1e-3},
    )
