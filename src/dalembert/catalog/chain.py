"""Chain of equal links with ball joints or hinges, hanging open or closed to a ring.

For any number of links; the cost of a step grows in proportion to it.
"""

from __future__ import annotations

import itertools

import numpy as np

from dalembert.errors import ModelError
from dalembert.formulas.variables import parameters
from dalembert.model import Frame, Inertia, Model
from dalembert.model.joints.revolute import Revolute
from dalembert.model.joints.spherical import Spherical

JOINTS = ("ball", "hinge")


def chain(
    count: int = 10,
    *,
    joint: str = "ball",
    closed: bool = False,
    mass: float = 1.0,
    length: float = 1.0,
    rate: float = 0.0,
    gravity: float = 9.81,
) -> Model:
    """Chain of `count` links: level and at rest, or a ring (regular polygon) on one of its joints.

    Parameters
    ----------
    count : int
        Number of links; at least 3 for a ring.
    joint : "ball" or "hinge"
        Hinges are about y. A ring of hinges has 6 - 3 dependent rows.
    closed : bool
        A ring in the x-z plane.
    mass, length : float  [kg], [m]
        Of each link, a cylinder of radius length / 20.
    rate : float  [rad/s]
        About the vertical through the hook, of all links, at the start; for ball joints.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> chain(4)
    Model('chain-4': 4 bodies, 4 joints, 12 constraint rows)
    >>> chain(4, closed=True)
    Model('ring-4': 4 bodies, 5 joints, 15 constraint rows)
    """
    _check(count, joint, closed, rate)
    m, l, g, w = parameters(m=mass, l=length, g=gravity, rate=rate)
    model = Model(f"{'ring' if closed else 'chain'}-{count}", gravity=(0.0, 0.0, -g))
    inertia = Inertia.cylinder(m, l / 20, length=l, axis="x")
    links = []
    # Corners and directions for links of unit length; the ring starts at its top.
    angles = [2 * np.pi * (k + 0.5) / count if closed else 0.0 for k in range(count)]
    corner = np.zeros(3)
    for k, angle in enumerate(angles):
        along = np.array([np.cos(angle), 0.0, -np.sin(angle)])
        middle = corner + along / 2
        links.append(
            model.add_body(
                f"link{k}",
                inertia,
                position=tuple(l * entry for entry in middle),
                rotation=("y", angle),
                velocity=(0.0, w * l * middle[0], 0.0),
                angular_velocity=(0.0, 0.0, w),
            )
        )
        corner = corner + along

    def connect(first: Frame, second: Frame, name: str) -> None:
        if joint == "ball":
            model.add_joint(Spherical(first, second, name=name))
        else:
            model.add_joint(Revolute(first, second, axis="y", name=name))

    connect(model.world.at(), links[0].at(x=-l / 2), "hook")
    for k, (before, after) in enumerate(itertools.pairwise(links)):
        connect(before.at(x=l / 2), after.at(x=-l / 2), f"joint{k}")
    if closed:
        connect(links[-1].at(x=l / 2), links[0].at(x=-l / 2), f"joint{count - 1}")

    ends = [links[0].at(x=-l / 2), *(link.at(x=l / 2) for link in links)]
    for k, end in enumerate(ends):
        model.add_point(f"end{k}", end)
    model.add_line(*(f"end{k}" for k in range(count + 1)))
    model.suggested = {"until": 5.0, "step": 1e-3}
    return model


def _check(count: int, joint: str, closed: bool, rate: float) -> None:
    least = 3 if closed else 1
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < least:
        raise ModelError(
            f"chain: count is {count!r}. Give a whole number of links, at least {least}."
        )
    if joint not in JOINTS:
        raise ModelError(f"chain: joint {joint!r} is unknown. Give 'ball' or 'hinge'.")
    if joint == "hinge" and rate != 0.0:
        raise ModelError(
            f"chain: rate is {rate:g} rad/s, but hinges about y cannot turn about z. Take "
            "joint='ball', or rate=0."
        )
