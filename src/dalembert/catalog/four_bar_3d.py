"""Four-bar linkage from four hinges in space: 20 rows of rank 17, one degree of freedom.

The count  6 * 3 - 4 * 5 = -2  says that it cannot move. It does because the hinges are parallel:
three of their rows repeat what the others fix, and their reactions are not unique.
"""

from __future__ import annotations

import numpy as np

from dalembert.catalog.linkage import Linkage
from dalembert.errors import ModelError
from dalembert.formulas.variables import parameters
from dalembert.model import Model


def four_bar_3d(
    *,
    ground: float = 2.0,
    crank: float = 0.8,
    coupler: float = 1.8,
    rocker: float = 1.6,
    angle: float = np.pi / 3,
    rate: float = 2.0,
    density: float = 2.0,
    gravity: float = 9.81,
) -> Model:
    """Crank-rocker of bodies crank, coupler and rocker with pins A, B, C, D in the x-z plane.

    Parameters
    ----------
    ground, crank, coupler, rocker : float  [m]
        Distances AD, AB, BC, DC.
    angle, rate : float  [rad], [rad/s]
        Of the crank at the start.
    density : float  [kg/m]
        Of the bars.
    gravity : float  [m/s^2]
        Along -z.

    Examples
    --------
    >>> four_bar_3d()
    Model('four-bar-3d': 3 bodies, 4 joints, 20 constraint rows)
    """
    diagonal = abs(crank * np.exp(1j * angle) - ground)
    if not abs(coupler - rocker) < diagonal < coupler + rocker:
        raise ModelError(
            f"four-bar-3d: with the crank at {angle:g} rad the pins B and D are {diagonal:.4g} m "
            f"apart; coupler and rocker reach {abs(coupler - rocker):.4g} to "
            f"{coupler + rocker:.4g} m. Change a length or the angle."
        )
    g, mu, speed = parameters(g=gravity, density=density, rate=rate)
    model = Model("four-bar-3d", gravity=(0.0, 0.0, -g))
    linkage = Linkage(model, mu, speed)
    linkage.support("A", 0.0, 0.0)
    linkage.support("D", ground, 0.0)
    linkage.crank("B", "A", crank, angle)
    linkage.meet("C", "B", coupler, "D", rocker, side=1)
    for name, pins in (("crank", "AB"), ("coupler", "BC"), ("rocker", "DC")):
        linkage.link(name, pins)
    linkage.hinge("A", "world", "crank")
    linkage.hinge("B", "crank", "coupler")
    linkage.hinge("C", "coupler", "rocker")
    linkage.hinge("D", "world", "rocker")
    linkage.draw()
    model.suggested = {"until": 10.0, "step": 1e-3}
    return model
