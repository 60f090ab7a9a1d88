"""Bennett linkage: four hinges that are neither parallel nor meet in a point, and yet it moves.

Opposite links are equal: lengths a, b and twists alpha, beta with  a / sin(alpha) = b / sin(beta).
The angles of neighbouring hinges obey

    tan(t1/2) tan(t2/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2),    t3 = -t1,  t4 = -t2.

20 rows of rank 17 wherever the loop is closed, and only there: beside it all 20 are independent.
"""

from __future__ import annotations

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.joints.revolute import Revolute


def bennett(
    *,
    length: float = 2.0,
    twists: tuple[float, float] = (2 * np.pi / 9, 13 * np.pi / 36),
    angle: float = 1.0,
    rate: float = 1.0,
    mass: float = 1.0,
    gravity: float = 9.81,
) -> Model:
    """Bennett linkage of bodies link1, link2, link3; the fourth link is the ground.

    Parameters
    ----------
    length : float  [m]
        a, of link1 and link3; the others have  b = a sin(beta) / sin(alpha).
    twists : pair of float  [rad]
        alpha and beta, between the axes of the hinges of one link.
    angle, rate : float  [rad], [rad/s]
        Of link1 against the ground at the start.
    mass : float  [kg]
        Of each link.
    gravity : float  [m/s^2]
        Along -z of the ground, the axis of the first hinge.

    Examples
    --------
    >>> bennett()
    Model('bennett': 3 bodies, 4 joints, 20 constraint rows)
    """
    alpha, beta = map(float, twists)
    if min(abs(np.sin([alpha, beta, angle]))) < 1e-6 or abs(np.sin((beta - alpha) / 2)) < 1e-6:
        raise ModelError(
            f"bennett: twists {alpha:g}, {beta:g} rad and angle {angle:g} rad. Give two different "
            "twists and an angle, none of them a multiple of pi."
        )
    other = length * float(np.sin(beta) / np.sin(alpha))
    ratio = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    second = float(2 * np.arctan(ratio / np.tan(angle / 2)))
    # d/dt of the relation:  t1' / sin(t1) + t2' / sin(t2) = 0.
    gain = -float(np.sin(second) / np.sin(angle))

    m, g, w = parameters(m=mass, g=gravity, rate=rate)
    model = Model("bennett", gravity=(0.0, 0.0, -g))
    # A frame on each hinge, z its axis, x towards the next hinge.
    before = model.world.at()
    links = ((length, alpha), (other, beta), (length, alpha))
    starts = ((angle, w), (second, w * gain), (-angle, -w))
    for k, ((l, twist), (start, speed)) in enumerate(zip(links, starts, strict=True), start=1):
        bar = Inertia.cylinder(m, 0.03 * length, length=abs(l), axis="x").moved((l / 2, 0.0, 0.0))
        body = model.add_body(f"link{k}", bar)
        model.add_joint(
            Revolute(before, body, axis="z", initial=start, initial_speed=speed, name=f"hinge{k}")
        )
        model.add_point(f"hinge{k}", before)
        before = body.at(x=l, rotation=("x", twist))
    # The ground is a link that ends at the first hinge: its fourth hinge is b behind, turned back.
    ground = model.world.at(x=-other, rotation=("x", -beta))
    model.add_joint(Revolute(before, ground, axis="z", initial=-second, name="hinge4"))
    model.add_point("hinge4", before)
    names = [f"hinge{k}" for k in (1, 2, 3, 4)]
    model.add_line(*names, names[0])
    model.suggested = {"until": 5.0, "step": 1e-3}
    return model
