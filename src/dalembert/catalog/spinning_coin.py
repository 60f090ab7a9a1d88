"""A coin that is spun on a table, wobbles ever faster and settles: Euler's disc.

Rolling on its rim at the inclination a it precesses with  w^2 sin(a) = 4 g / r  (a thin disc whose
centre stands still); its energy is  3/2 m g r sin(a).  The resistance to rolling with the arm d
takes it away, so that  a' = -(4 d / 3 r) sqrt(g sin(a) / r):  it lies flat after a finite time.
"""

from __future__ import annotations

import math

from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.contact.material import Material
from dalembert.model.shapes.solids import Cylinder, Plane


def spinning_coin(
    *,
    lean: float = 0.6,
    radius: float = 0.04,
    thickness: float = 0.002,
    friction: float = 0.5,
    rolling: float = 6e-4,
    gravity: float = 9.81,
) -> Model:
    """Coin "coin" that wobbles on a table until it lies flat; its axis is its z.

    Parameters
    ----------
    lean : float  [rad]
        Of the coin's plane to the table at the start; it precesses as fast as it would without
        resistance.
    radius, thickness : float  [m]
    friction : float
    rolling : float  [m]
        Arm of the resistance to rolling.
    gravity : float  [m/s^2]

    Examples
    --------
    >>> spinning_coin()
    Model('spinning-coin': 1 body)
    """
    mu, arm, g = parameters(mu=friction, rolling=rolling, g=gravity)
    model = Model("spinning-coin", gravity=(0.0, 0.0, -g))
    metal = Material(friction=mu, rolling=arm)
    model.add_shape(Plane(), material=metal, name="table")
    # The lowest point of the rim is on the side to which the coin leans, x > 0. The axis goes round
    # z with the rate w; what is turning is the coin about the line from its centre to that point.
    rate = 2.0 * math.sqrt(gravity / (radius * math.sin(lean)))
    down = (math.cos(lean), 0.0, -math.sin(lean))
    place = (0.0, 0.0, radius * math.sin(lean) + 0.5 * thickness * math.cos(lean))
    body = model.add_body(
        "coin",
        Inertia.cylinder(0.05, radius=radius, length=thickness),
        position=place,
        rotation=("y", lean),
        angular_velocity=tuple(rate * math.sin(lean) * -x for x in down),
    )
    model.add_shape(Cylinder(radius, thickness), on=body, material=metal)
    model.suggested = {"until": 6.0, "step": 0.0005}
    return model
