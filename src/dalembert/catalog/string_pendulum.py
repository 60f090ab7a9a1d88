"""A pendulum on a string: at the top of its swing the string goes slack, and tightens with a jerk.

Started at the bottom with v0^2 between 2 g L and 5 g L it leaves the circle where the tension
vanishes, at cos(angle) = (2 - v0^2 / g L) / 3, flies for 4 v sin(angle) / g with the speed v it has
there, and is caught by the string, which takes what speed there is along it.
"""

from __future__ import annotations

import math

from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.one_sided.cable import Cable
from dalembert.model.shapes.solids import Sphere


def string_pendulum(
    *,
    length: float = 1.0,
    speed: float = math.sqrt(3.2 * 9.81),
    restitution: float = 0.0,
    gravity: float = 9.81,
) -> Model:
    """Bob on a string in the x-z plane, thrown along x from the bottom; the string may go slack.

    Parameters
    ----------
    length : float  [m]
    speed : float  [m/s]
        At the start. Between sqrt(2 g L) and sqrt(5 g L) the bob leaves the circle.
    restitution : float
        Of the jerk with which the string tightens.
    gravity : float  [m/s^2]

    Examples
    --------
    >>> string_pendulum()
    Model('string-pendulum': 1 body)
    """
    long, g = parameters(length=length, g=gravity)
    model = Model("string-pendulum", gravity=(0.0, 0.0, -g))
    bob = model.add_body(
        "bob",
        Inertia.sphere(1.0, 0.06),
        position=(0.0, 0.0, -length),
        velocity=(speed, 0.0, 0.0),
    )
    model.add_shape(Sphere(0.06), on=bob)
    model.keep(Cable(model.world, bob, length=long, restitution=restitution, name="string"))
    model.suggested = {"until": 4.0}
    return model
