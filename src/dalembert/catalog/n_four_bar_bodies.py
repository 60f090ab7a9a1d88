"""Rows of four-bar linkages from rods and hinges, through their flat positions (IFToMM A02).

The linkages of `n_four_bar` as 2 N + 1 bodies with 3 N + 1 hinges in space: 15 N + 5 rows of rank
12 N + 5, one degree of freedom. Where all rods lie in one line the rank falls further.
"""

from __future__ import annotations

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.variables import parameters
from dalembert.model import Inertia, Model
from dalembert.model.joints.revolute import Revolute


def n_four_bar_bodies(
    count: int = 2,
    *,
    mass: float = 1.0,
    length: float = 1.0,
    gravity: float = 9.81,
    speed: float = 1.0,
) -> Model:
    """Row of `count` four-bar linkages of equal rods in the x-y plane, cranks upright at the start.

    Parameters
    ----------
    count : int
        Number of loops, at least 1.
    mass, length : float  [kg], [m]
        Of every rod.
    gravity : float  [m/s^2]
        Along -y.
    speed : float  [m/s]
        Of all crank tips at the start, along x.

    Examples
    --------
    >>> n_four_bar_bodies(3)
    Model('3-four-bar-bodies': 7 bodies, 10 joints, 50 constraint rows)
    """
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
        raise ModelError(
            f"n-four-bar-bodies: count is {count!r}. Give a whole number of loops, at least 1."
        )
    m, l, g, v = parameters(m=mass, l=length, g=gravity, speed=speed)
    model = Model(f"{count}-four-bar-bodies", gravity=(0.0, -g, 0.0))
    bar = Inertia.rod(m, l)
    # Upright: the rod's x axis along y. Written out, so that no cosine of pi/2 is rounded.
    upright = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])

    cranks = []
    for i in range(count + 1):
        crank = model.add_body(
            f"crank{i}",
            bar,
            position=(i * l, l / 2, 0.0),
            rotation=upright,
            velocity=(v / 2, 0.0, 0.0),
            angular_velocity=(0.0, 0.0, -v / l),
        )
        ground = model.world.at(x=i * l)
        model.add_joint(Revolute(ground, crank.at(x=-l / 2), axis="z", name=f"ground{i}"))
        model.add_point(f"support{i}", ground)
        model.add_point(f"tip{i}", crank.at(x=l / 2))
        model.add_line(f"support{i}", f"tip{i}")
        cranks.append(crank)
    for i in range(count):
        coupler = model.add_body(
            f"coupler{i}", bar, position=((i + 0.5) * l, l, 0.0), velocity=(v, 0.0, 0.0)
        )
        left, right = cranks[i].at(x=l / 2), cranks[i + 1].at(x=l / 2)
        model.add_joint(Revolute(left, coupler.at(x=-l / 2), axis="z", name=f"left{i}"))
        model.add_joint(Revolute(right, coupler.at(x=l / 2), axis="z", name=f"right{i}"))
        model.add_line(f"tip{i}", f"tip{i + 1}")
    model.suggested = {"until": 10.0, "step": 1e-3}
    return model
