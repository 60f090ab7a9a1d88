"""Two point masses on massless bars, in two angles: a Lagrangian without constraints."""

from __future__ import annotations

import numpy as np

from dalembert.formulas.variables import coordinates, parameters
from dalembert.model import Model


def double_pendulum(
    *,
    mass: tuple[float, float] = (1.0, 1.0),
    length: tuple[float, float] = (1.0, 1.0),
    gravity: float = 9.81,
    start: tuple[float, float] = (np.pi / 2, np.pi / 2),
) -> Model:
    """Double pendulum; theta1, theta2 are absolute, counter-clockwise from the downward vertical.

    Parameters
    ----------
    mass, length : pair of float  [kg], [m]
    gravity : float  [m/s^2]
        Along -y.
    start : pair of float  [rad]
        Initial angles, at rest.

    Examples
    --------
    >>> double_pendulum().conservative
    True
    """
    theta1, theta2 = coordinates("theta1 theta2")
    m1, m2, l1, l2, g = parameters(m1=mass[0], m2=mass[1], l1=length[0], l2=length[1], g=gravity)
    w1, w2 = theta1.dot, theta2.dot
    middle = (l1 * np.sin(theta1), -l1 * np.cos(theta1))
    end = (middle[0] + l2 * np.sin(theta2), middle[1] - l2 * np.cos(theta2))
    first = m1 * l1**2 * w1**2 / 2
    second = (
        m2 * (l1**2 * w1**2 + l2**2 * w2**2 + 2 * l1 * l2 * w1 * w2 * np.cos(theta1 - theta2)) / 2
    )
    return Model.from_lagrangian(
        name="double-pendulum",
        coordinates=[theta1, theta2],
        kinetic=first + second,
        potential=g * (m1 * middle[1] + m2 * end[1]),
        initial={theta1: start[0], theta2: start[1]},
        points={"pivot": (0.0, 0.0), "middle": middle, "end": end},
        lines=[("pivot", "middle"), ("middle", "end")],
        suggested={"until": 10.0, "step": 1e-3},
    )
