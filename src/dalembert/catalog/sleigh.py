"""Chaplygin sleigh: a nonholonomic system that conserves energy and yet settles.

A rigid body slides on a plane on a knife edge that cannot move sideways. Its centre of mass lies
a distance ``a`` ahead of the edge. With forward speed u and turning rate w,

    u' = a w^2,    (I + m a^2) w' = -m a u w,

so that  u = C tanh(s),  w = C/k sech(s),  s = s0 + (a C/k^2) t,  k^2 = I/m + a^2,
C^2 = u^2 + k^2 w^2.
"""

from __future__ import annotations

import numpy as np

from dalembert.formulas.variables import coordinates, parameters
from dalembert.model import Model, PlanarBody


def sleigh(
    *,
    mass: float = 1.0,
    inertia: float = 0.5,
    offset: float = 0.3,
    speed: float = 0.0,
    turn: float = 2.0,
) -> Model:
    """Sleigh with coordinates x, y (knife edge) and theta (heading).

    Parameters
    ----------
    mass, inertia : float  [kg], [kg m^2]
        Inertia is about the centre of mass.
    offset : float  [m]
        Centre of mass ahead of the edge.
    speed, turn : float  [m/s], [rad/s]
        Initial forward speed and turning rate.

    Examples
    --------
    >>> sleigh().constraints[0].kind, sleigh().conservative
    ('velocity', True)
    """
    x, y, theta = coordinates("x y theta")
    m, inertia_, a = parameters(m=mass, I=inertia, a=offset)
    heading = np.array([np.cos(theta), np.sin(theta)])
    edge = np.array([x, y])
    centre = edge + a * heading
    return Model.from_map(
        name="sleigh",
        coordinates=[x, y, theta],
        bodies=[PlanarBody(m, inertia_, position=centre, angle=theta, name="sleigh")],
        gravity=(0.0, 0.0),
        constraints={"edge": y.dot * np.cos(theta) - x.dot * np.sin(theta)},
        initial={x: 0.0, y: 0.0, theta: 0.0, x.dot: speed, theta.dot: turn},
        points={"edge": edge, "centre": centre},
        lines=[("edge", "centre")],
        suggested={"until": 10.0, "step": 1e-2},
    )
