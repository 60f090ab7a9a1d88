"""Car axis on a bumpy road: an index-3 system with a time-dependent constraint.

Test Set for IVP Solvers (Mazzia & Magherini), problem "car axis". Two point masses joined by a
rigid axis of length L; the left one hangs on a spring above the origin, the right one above a
wheel that moves up and down with the road. The multipliers are l1, l2 of the source.
"""

from __future__ import annotations

import numpy as np

from dalembert.formulas.variables import coordinates, parameters, time
from dalembert.model import Model


def car_axis(*, eps: float = 1e-2) -> Model:
    """Car axis with coordinates xl, yl, xr, yr; stiffness of the springs is 1.

    Parameters
    ----------
    eps : float
        Each mass is M eps^2 / 2 with M = 10; the springs become stiff as it shrinks.

    Examples
    --------
    >>> car_axis().conservative
    False
    """
    xl, yl, xr, yr = coordinates("xl yl xr yr")
    M, L, L0, r, omega, g = parameters(M=10.0, L=1.0, L0=0.5, r=0.1, omega=10.0, g=1.0)
    (epsilon,) = parameters(eps=eps)
    mass = M * epsilon**2 / 2
    yb = r * np.sin(omega * time)
    xb = np.sqrt(L**2 - yb**2)
    left = np.sqrt(xl**2 + yl**2)
    right = np.sqrt((xr - xb) ** 2 + (yr - yb) ** 2)
    return Model.from_lagrangian(
        name="car-axis",
        coordinates=[xl, yl, xr, yr],
        kinetic=mass * (xl.dot**2 + yl.dot**2 + xr.dot**2 + yr.dot**2) / 2,
        potential=((left - L0) ** 2 + (right - L0) ** 2) / 2 + mass * g * (yl + yr),
        constraints={
            "upright": xl * xb + yl * yb,
            "axis": (xl - xr) ** 2 + (yl - yr) ** 2 - L**2,
        },
        initial={xl: 0.0, yl: 0.5, xr: 1.0, yr: 0.5, xl.dot: -0.5, xr.dot: -0.5},
        points={"road": (0.0, 0.0), "wheel": (xb, yb), "left": (xl, yl), "right": (xr, yr)},
        lines=[("road", "left"), ("left", "right"), ("right", "wheel")],
        suggested={"until": 3.0, "step": 1e-4},
    )
