"""A ball dropped on a floor that throws it back, ever less: infinitely many impacts in finite time.

With the first impact at t1 = sqrt(2 h / g) and the coefficient e the k-th is at
t1 (1 + 2 (e + ... + e^(k - 1))), and all of them are over at  t1 (1 + e) / (1 - e).
"""

from __future__ import annotations

import math

from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.contact.material import Material
from dalembert.model.shapes.solids import Plane, Sphere


def bouncing_ball(
    *,
    height: float = 1.0,
    restitution: float = 0.8,
    angle: float = 0.0,
    friction: float = 0.0,
    radius: float = 0.1,
    gravity: float = 9.81,
) -> Model:
    """Ball dropped on a floor that may slope; the x axis points down the slope.

    Parameters
    ----------
    height : float  [m]
        Between ball and floor at the start.
    restitution : float
        Speed after an impact over that before.
    angle : float  [degrees]
        Of the slope: gravity is turned, the floor is z = 0.
    friction : float
    radius : float  [m]
    gravity : float  [m/s^2]

    Examples
    --------
    >>> bouncing_ball()
    Model('bouncing-ball': 1 body)
    """
    slope = math.radians(angle)
    pull = (gravity * math.sin(slope), 0.0, -gravity * math.cos(slope))
    model = Model("bouncing-ball", gravity=pull)
    mu, e = parameters(mu=friction, e=restitution)
    rubber = Material(friction=mu, restitution=e)
    model.add_shape(Plane(), material=rubber, name="floor")
    place = (0.0, 0.0, radius + height)
    ball = model.add_body("ball", Inertia.sphere(1.0, radius), position=place)
    model.add_shape(Sphere(radius), on=ball, material=rubber)
    model.suggested = {"until": 5.0}
    return model
