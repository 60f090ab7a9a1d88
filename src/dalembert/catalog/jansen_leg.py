"""A leg of Theo Jansen's Strandbeest: four bars and two triangles driven by one crank.

The lengths are Jansen's "holy numbers" a, ..., m, taken as centimetres. Pins: O axle of the crank,
A its pin, P the fixed pivot, B top, C knee, D rear, E ankle, F foot. Ten parallel hinges are 50
rows of rank 41.
"""

from __future__ import annotations

import numpy as np

from dalembert.catalog.linkage import Linkage
from dalembert.formulas.variables import parameters, time
from dalembert.model import Model
from dalembert.model.joints.motion import Motion

BEHIND, BELOW = 0.38, 0.078  # P as seen from O: a, l
CRANK = 0.15  # OA: m
LINKS = ("crank OA", "upper_rod AB", "lower_rod AC", "shoulder PBD", "strut PC", "calf DE")
HINGES = (
    "O world crank",
    "A crank upper_rod",
    "A crank lower_rod",
    "B upper_rod shoulder",
    "P world shoulder",
    "P world strut",
    "C lower_rod strut",
    "C strut shin",
    "D shoulder calf",
    "E calf shin",
)


def jansen_leg(
    *, driven: bool = True, rate: float = 3.0, density: float = 1.0, gravity: float = 9.81
) -> Model:
    """Walking leg; its crank turns at a prescribed rate, or freely.

    Parameters
    ----------
    driven : bool
        False: the crank only starts at the rate and the model is conservative.
    rate : float  [rad/s]
        Of the crank, clockwise for negative values.
    density : float  [kg/m]
        Of the bars; the triangles are made of three.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> jansen_leg(driven=False)
    Model('jansen-leg': 7 bodies, 10 joints, 50 constraint rows)
    """
    g, mu, speed = parameters(g=gravity, density=density, rate=rate)
    model = Model("jansen-leg", gravity=(0.0, 0.0, -g))
    linkage = Linkage(model, mu, speed)
    start = np.pi / 2
    linkage.support("O", 0.0, 0.0)
    linkage.support("P", -BEHIND, -BELOW)
    linkage.crank("A", "O", CRANK, start)
    linkage.meet("B", "A", 0.500, "P", 0.415, side=-1)  # j, b
    linkage.meet("C", "A", 0.619, "P", 0.393, side=1)  # k, c
    linkage.meet("D", "B", 0.558, "P", 0.401, side=-1)  # e, d
    linkage.meet("E", "D", 0.394, "C", 0.367, side=-1)  # f, g
    linkage.meet("F", "E", 0.657, "C", 0.490, side=-1)  # h, i
    for name, pins in (link.split() for link in (*LINKS, "shin CEF")):
        linkage.link(name, pins)
    hinges = [linkage.hinge(*hinge.split()) for hinge in HINGES]
    if driven:
        model.add_joint(Motion(hinges[0], value=start + speed * time, name="drive"))
    linkage.draw()
    model.suggested = {"until": 4.0, "step": 1e-3}
    return model
